"""What the live plot and the clinic cost the training of the recurrent net: `python -m benchmarks.live`.

The 60-iteration loop of lesson 09 runs alone and inside `viz.live`, in turn, in one process: once at full speed, and
once with the pause of 50 ms per iteration that the post's program makes; once plainly, and once through `plot.over`,
with its buttons and progress bar. Frames are encoded as for a notebook, but not sent. The last frame is painted after
the loop and reported separately. Goal: at most 1.5 × the time of the loop without a plot.

For `viz.clinic()`, the same loop and a single operator run with it and without, in turn. Processor time is measured,
because other programs on the machine do not change it. `python -m benchmarks.live clinic` measures only this.
Goal: at most 1.5 × the time of the loop.
Imports minigrad, viz and NumPy. Read next: workloads/dynamic_rnn.py, which defines this net.
"""

import sys
import time
from statistics import median

import numpy as np

import minigrad as torch
import viz
from viz.training.live import LivePlot, Output

from .workloads.dynamic_rnn import LR, net

ITERATIONS, ROUNDS, LIMIT = 60, 9, 1.5


class Nowhere(Output):
    """An output that encodes its frames and discards them; it records their sizes."""

    def __init__(self, frames: list) -> None:
        super().__init__()
        self.frames = frames

    def __call__(self, png: bytes, alt: str, size: tuple[int, int]) -> None:
        super().__call__(png, alt, size)
        self.frames.append(len(png))

    def _put(self, data: dict, metadata: dict) -> None:
        pass


def train(plot: LivePlot | None, pause: float, buttons: bool = False) -> float:
    """Run the training loop, and return its seconds."""
    np.random.seed(1)
    rnn = net(torch)
    optimizer, loss_func, h_state, step = torch.optim.Adam(rnn.parameters(), lr=LR), torch.nn.MSELoss(), None, 0
    began = time.perf_counter()
    for _ in plot.over(range(ITERATIONS)) if plot and buttons else range(ITERATIONS):
        dynamic_steps = np.random.randint(1, 4)
        steps = np.linspace(step * np.pi, (step + dynamic_steps) * np.pi, 10 * dynamic_steps, dtype=np.float32)
        step += dynamic_steps
        x, y = (torch.from_numpy(wave(steps)[np.newaxis, :, np.newaxis]) for wave in (np.sin, np.cos))
        prediction, h_state = rnn(x, h_state)
        h_state = h_state.data
        loss = loss_func(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if plot:
            plot.update(loss=loss, target=(steps, y), prediction=(steps, prediction))
        time.sleep(pause)
        ended = time.perf_counter()
    return ended - began


def plotted(pause: float, buttons: bool) -> tuple[float, int, float]:
    """Seconds of the loop with a plot, the number of frames painted meanwhile, and the seconds until the last frame."""
    frames: list[int] = []
    began = time.perf_counter()
    with LivePlot(Nowhere(frames)) as plot:
        seconds = train(plot, pause, buttons)
    return seconds, len(frames) - 1, time.perf_counter() - began - seconds


def worked(on: bool) -> tuple[float, float]:
    """Processor seconds of the loop, and of one recorded multiplication, with the clinic on or off."""
    with viz.clinic(on):
        began = time.process_time()
        train(None, 0)
        trained = time.process_time()
        w = y = torch.ones(1, requires_grad=True)
        for _ in range(2000):
            y = y * w
        return trained - began, (time.process_time() - trained) / 2000


def main() -> None:
    train(None, 0)
    print(
        "| loop | alone | with the plot | goal | frames a second | last frame |\n| --- | --- | --- | --- | --- | --- |"
    )
    for pause in (0, 0.05):
        for buttons in (False, True):
            plotted(0, buttons)
            rounds = [(train(None, pause), *plotted(pause, buttons)) for _ in range(ROUNDS if pause == 0 else 3)]
            alone, _, frames, last = (median(column) for column in zip(*rounds, strict=True))
            ratio = median(with_plot / without for without, with_plot, _, _ in rounds)
            name = f"{'as fast as it goes' if not pause else '50 ms pause'}{', with buttons' if buttons else ''}"
            verdict = "met" if ratio <= LIMIT else "missed"
            print(
                f"| {name} | {1e3 * alone:.0f} ms | {ratio:.2f} × | ≤ {LIMIT} ×: {verdict} | "
                f"{frames / (ratio * alone):.1f} | {1e3 * last:.0f} ms |"
            )
    clinic()


def clinic() -> None:
    train(None, 0)
    pairs = [(worked(False), worked(True)) for _ in range(2 * ROUNDS)]
    loop = median(on[0] / off[0] for off, on in pairs)
    off, on = (1e6 * median(pair[i][1] for pair in pairs) for i in (0, 1))
    verdict = "met" if loop <= LIMIT else "missed"
    print(
        f"\nWith `viz.clinic()` on: {loop:.2f} × the time of the loop (≤ {LIMIT} ×: {verdict}); "
        f"{off:.1f} µs an operator become {on:.1f} µs."
    )


if __name__ == "__main__":
    clinic() if sys.argv[1:] == ["clinic"] else main()

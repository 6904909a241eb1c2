"""What the live plot costs the recurrent net's training: `python -m benchmarks.live`.

The 60-iteration loop of lesson 09, alone and inside `viz.live`, in turn, in one process; once as fast as it goes, and
once with the pause of 50 ms an iteration that the post's program makes. Frames are encoded as for a notebook, and not
sent. The last frame is painted after the loop and told by itself. Goal: at most 1.5 × of the loop without plot.
Imports minigrad, viz and NumPy. Read next: workloads/dynamic_rnn.py, whose net this is.
"""

import base64
import time
from statistics import median

import numpy as np

import minigrad as torch
from viz.training.live import LivePlot

from .workloads.dynamic_rnn import LR, net

ITERATIONS, ROUNDS, LIMIT = 60, 9, 1.5


def train(plot: LivePlot | None, pause: float) -> float:
    """Seconds that the loop takes."""
    np.random.seed(1)
    rnn = net(torch)
    optimizer, loss_func, h_state, step = torch.optim.Adam(rnn.parameters(), lr=LR), torch.nn.MSELoss(), None, 0
    began = time.perf_counter()
    for _ in range(ITERATIONS):
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
    return time.perf_counter() - began


def plotted(pause: float) -> tuple[float, int, float]:
    """Seconds of the loop with plot, frames painted meanwhile, seconds of the last frame."""
    frames = []
    with LivePlot(lambda png, *_: frames.append(base64.b64encode(png))) as plot:
        seconds = train(plot, pause)
        meanwhile = len(frames)
        began = time.perf_counter()
    return seconds, meanwhile, time.perf_counter() - began


def main() -> None:
    train(None, 0)
    plotted(0)
    for pause in (0, 0.05):
        rounds = [(train(None, pause), *plotted(pause)) for _ in range(ROUNDS if pause == 0 else 3)]
        alone, _, frames, last = (median(column) for column in zip(*rounds, strict=True))
        ratio = median(with_plot / without for without, with_plot, _, _ in rounds)
        print(
            f"{1e3 * alone:.0f} ms the loop, {ratio:.2f} × with the plot ({'ok' if ratio <= LIMIT else 'TOO SLOW'}), "
            f"{frames / (ratio * alone):.1f} frames a second, {1e3 * last:.0f} ms the last one"
        )


if __name__ == "__main__":
    main()

"""What a picture costs: `python -m benchmarks.draw`.

Recurrent networks of about 20, 200 and 2,000 nodes, folded and unfolded: reading the graph (and folding it), layout
and painting. Each figure is the median of a few rounds in one process; each round starts a new layout process. Goal: a
graph of 2,000 nodes is read and drawn folded within a second. Unfolded, its layout would take minutes, and a notebook
shows words instead (viz/drawing/limits.py); here such a graph is only read.
Imports minigrad and viz. Read next: workloads/dynamic_rnn.py, which defines this net.
"""

import time
from statistics import median

import minigrad as torch
import viz
from viz.drawing.limits import A_MOMENT, seconds

from .workloads.dynamic_rnn import net

STEPS, ROUNDS, LIMIT = (1, 27, 284), 7, 1.0  # time steps (7 nodes each, and a few more); seconds


def loss_of(steps: int) -> torch.Tensor:
    """The loss of one forward pass over `steps` time steps."""
    x = torch.linspace(0, 3, steps).sin().reshape(1, steps, 1)
    prediction, _ = net(torch)(x, None)
    return torch.nn.MSELoss()(prediction, x.cos())


def measured(loss: torch.Tensor, fold: bool) -> tuple[int, list[float]]:
    """The number of nodes, and the seconds of reading, layout and painting; of reading alone if the nodes are many."""
    began = time.perf_counter()
    picture = viz.draw(loss, fold=fold)
    times = [time.perf_counter() - began]
    if seconds(picture.graph) <= A_MOMENT:
        for part in ("geometry", "svg"):  # both are computed on first use
            began = time.perf_counter()
            getattr(picture, part)
            times.append(time.perf_counter() - began)
    return len(picture.graph.nodes), times


def main() -> None:
    print("| nodes |  | drawn | reading | layout | painting | together |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for steps in STEPS:
        loss = loss_of(steps)
        nodes = len(viz.draw(loss, fold=False).graph.nodes)
        for fold in (True, False):
            rounds = [measured(loss, fold) for _ in range(ROUNDS)]
            parts = [median(column) for column in zip(*(times for _, times in rounds), strict=True)]
            cells = [f"{1e3 * seconds:,.0f} ms" for seconds in parts] + ["" for _ in range(3 - len(parts))]
            if len(parts) == 3:
                verdict = (": ok" if sum(parts) <= LIMIT else ": TOO SLOW") if fold and nodes >= 2000 else ""
                cells.append(f"{1e3 * sum(parts):,.0f} ms{verdict}")
            else:
                cells.append("words only")
            print(f"| {nodes:,} | {'folded' if fold else 'unfolded'} | {rounds[0][0]:,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()

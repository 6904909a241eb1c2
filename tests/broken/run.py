"""Run one of the ten broken programs, with the clinic or without, and say whether it is fixed: see README.md.

A check looks at what the program has learnt, on numbers of its own, and not at its text.
"""

import argparse
import contextlib
import io
import math
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))


def mean_error(of: Any, x: Any, y: Any) -> float:
    return (of(x) - y).abs().mean().item()


def sine(ran: dict[str, Any]) -> bool:
    torch = ran["torch"]
    x = torch.linspace(-2.5, 2.5, 33).unsqueeze(1)
    return mean_error(ran["net"], x, x.sin()) < 0.1


def series(ran: dict[str, Any]) -> bool:
    """The state must be carried on: so nothing is known in the first piece alone."""
    carried = ran["state"] is not None and ran["state"].abs().sum() > 0
    return bool(carried) and len(ran["losses"]) == 145 and sum(ran["losses"][-29:]) / 29 < 0.02


def line(ran: dict[str, Any]) -> bool:
    return abs(ran["net"].weight.item() - 3) < 0.1 and abs(ran["net"].bias.item() + 1) < 0.1


def classes(ran: dict[str, Any]) -> bool:
    return ran["loss"].item() < 0.25 and ran["right"].item() > 0.9


def best(ran: dict[str, Any]) -> bool:
    x = ran["torch"].linspace(-1.8, 1.8, 21).unsqueeze(1)
    return mean_error(ran["best"], x, x.pow(2)) < 0.15 and ran["best_loss"] < 0.05


def lowest(ran: dict[str, Any]) -> bool:
    return abs(ran["a"].item() - 3) < 0.02 and abs(ran["b"].item() + 1) < 0.02


def pictures(ran: dict[str, Any]) -> bool:
    torch = ran["torch"]
    new = torch.stack([ran["picture"](i % 2 == 0) for i in range(20)])
    return (ran["net"](new).argmax(1) == torch.arange(20) % 2).float().mean().item() == 1


def fish(ran: dict[str, Any]) -> bool:
    expected = [1.5, 0.8, -0.3]
    return all(abs(a - b) < 0.1 for a, b in zip(ran["net"].weight.flatten().tolist(), expected, strict=True))


def judged(ran: dict[str, Any]) -> bool:
    torch = ran["torch"]
    return abs(ran["generator"](torch.randn(500, 2)).mean().item() - 4) < 1.5


def tried(ran: dict[str, Any]) -> bool:
    return ran["loss"].requires_grad and ran["loss"].item() < 0.02 and ran["tried"]() < 0.12 and ran["epoch"] == 199


CHECKS: dict[int, tuple[str, Callable[[dict[str, Any]], bool]]] = {
    1: ("the net is near the sine, between the points as well", sine),
    2: ("the loss of the last round is below 0.02, and the state is carried from piece to piece", series),
    3: ("the line is y = 3 x - 1, within 0.1", line),
    4: ("the loss is below 0.25, and 90 % are right", classes),
    5: ("the best net is near x², and its loss below 0.05", best),
    6: ("a is 3 and b is -1, within 0.02", lowest),
    7: ("twenty new pictures are told right", pictures),
    8: ("the weights are 1.5, 0.8 and -0.3, within 0.1", fish),
    9: ("the generator's mean is nearer than 1.5 to 4", judged),
    10: ("all epochs were run, the loss is below 0.02, and new points are off by less than 0.12", tried),
}


def mended(path: Path, number: int) -> bool:
    """Does the program at `path` run, and does it learn its task?"""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            ran = runpy.run_path(str(path), run_name="__main__")
            return bool(CHECKS[number][1](ran)) and not any(
                isinstance(v, float) and math.isnan(v) for v in ran.values()
            )
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description="Run or check one of the ten broken programs.")
    parser.add_argument("number", type=int, choices=CHECKS)
    parser.add_argument("--clinic", action="store_true", help="with viz.clinic() on")
    parser.add_argument("--check", action="store_true", help="is it fixed?")
    given = parser.parse_args()
    path = HERE / f"{given.number:02}.py"
    if given.check:
        yes = mended(path, given.number)
        print(f"{'fixed' if yes else 'not fixed yet'}. The check: {CHECKS[given.number][0]}")
        sys.exit(not yes)
    if given.clinic:
        import minigrad  # noqa: F401  # before the clinic, which looks on at the optimizers that there are
        import viz

        viz.clinic()
    runpy.run_path(str(path), run_name="__main__")


if __name__ == "__main__":
    main()

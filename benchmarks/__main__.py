"""`python -m benchmarks`: measure and print the tables; with --write, store them in README.md and growth.svg.

With --against FOLDER, which holds another checkout of this project, the timed workloads of both alternate in one run.
"""

import argparse
import math
import sys
from importlib.util import find_spec
from pathlib import Path

from . import count, footprint, growth, report
from .pairing import FLOOR, OURS, PEERS, PROCESSOR, WALL, Failed, Result, installed, measure
from .workloads import TIMED

HERE = Path(__file__).parent
OTHERS = ("import", "memory", "growth", "lines")  # beside the timed workloads


def main() -> None:
    args = arguments()
    before = report.load()
    if args.against:
        print(compared([name for name in TIMED if name in args.only], args.against, args.quick, args.clock))
        print("\n" + report.machine(["numpy"], (before, report.load())))
        return
    libraries = installed(OURS + PEERS * args.peers)
    if args.quick:
        libraries = [x for x in libraries if x != "torch"]  # it takes seconds to start
    print("left out:", *sorted({*OURS, *PEERS} - {*libraries}), file=sys.stderr)
    sides = [*libraries[:2], FLOOR, *libraries[2:]]

    goals = report.Goals()
    parts = [timed([name for name in TIMED if name in args.only], sides, args.quick, goals, args.clock)]
    if "import" in args.only:
        parts.append(imports(libraries, args.quick, goals))
    if "memory" in args.only:
        parts.append(memory(libraries, args.quick, goals))
    if "growth" in args.only:
        curves = growth.grow(libraries, args.quick)
        parts.append("" if args.quick else grown(curves, goals))
    if "lines" in args.only:
        goals.at_most("core/", "lines", count.core(count.count()), "", None, count.LIMIT)
    parts.append("A smoke run: its figures mean nothing." if args.quick else str(goals))
    parts.append(report.machine(libraries, (before, report.load())))
    figures = "\n\n".join(filter(None, parts))
    print(figures)
    if args.write:
        growth.draw(curves, HERE / "growth.svg")
        report.write(HERE / "README.md", figures + "\n\n![Time and peak memory against size](growth.svg)")


def arguments() -> argparse.Namespace:
    everything = [*TIMED, *OTHERS]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="minigrad beside its peers: see README.md"
    )
    parser.add_argument("--quick", action="store_true", help="a smoke test of a few seconds; judges nothing")
    parser.add_argument(
        "--only", nargs="+", choices=everything, default=everything, metavar="NAME", help=", ".join(everything)
    )
    parser.add_argument("--peers", action="store_true", help="micrograd, MyGrad and autograd too, where installed")
    parser.add_argument("--write", action="store_true", help="keep the figures in README.md and growth.svg")
    parser.add_argument(
        "--processor",
        dest="clock",
        action="store_const",
        const=PROCESSOR,
        default=WALL,
        help="count processor time, on a machine that others use too; leaves rows on two threads out",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="another checkout: are the timed workloads slower here than there?",
    )
    args = parser.parse_args()
    if args.against and not (args.against / "benchmarks" / "side.py").exists():
        parser.error(f"{args.against} is no checkout of this project: it has no benchmarks/side.py")
    if args.write and (args.quick or args.only != everything or args.clock != WALL):
        parser.error("--write keeps a whole run by the clock: leave --quick, --only and --processor out")
    if args.write and not find_spec("matplotlib"):
        parser.error("--write draws growth.svg: pip install matplotlib first")
    return args


def timed(names: list[str], libraries: list[str], quick: bool, goals: report.Goals, clock: str) -> str:
    """Measure every workload in turn: with one thread and, where the workload asks for it, with two."""
    rows: list[tuple[str, Result]] = []
    for name in names:
        print(f"measuring {name} …", file=sys.stderr)
        workload = TIMED[name]
        if quick:
            rows.append((workload.what, measure(name, libraries, workload.quick, starts=1, rounds=1)))
            continue
        for threads in workload.threads if clock == WALL else (1,):
            several = f", {threads} thread{'s'[: threads > 1]}" if len(workload.threads) > 1 else ""
            result = measure(name, libraries, workload.size, threads, clock=clock)
            rows.append((f"{workload.what}{several}: {workload.step}", result))
            for other, limits in workload.goals.items():
                if other in result.seconds:
                    goals.speed(workload.what + several, other, result, limits)
    return report.times(rows, libraries) if rows else ""


def compared(names: list[str], before: Path, quick: bool, clock: str) -> str:
    """Measure every workload in turn with one thread, here and in the checkout `before`."""
    rows = []
    for name in names:
        print(f"measuring {name} …", file=sys.stderr)
        workload, often = TIMED[name], {"starts": 1, "rounds": 1} if quick else {}
        size = workload.quick if quick else workload.size
        result = measure(name, ["minigrad"], size, before=before.absolute(), clock=clock, **often)
        rows.append((f"{workload.what}: {workload.step}", result))
    return report.changes(rows)


def imports(libraries: list[str], quick: bool, goals: report.Goals) -> str:
    print("measuring import …", file=sys.stderr)
    modules = [x for x in libraries if x in OURS]
    found = footprint.imports(modules, 1 if quick else 21)
    ours, numpy = found["minigrad"], found["numpy"]
    goals.at_most("import minigrad", "beyond import numpy", 1e3 * (ours[0] - numpy[0]), " ms", 60, 60)
    goals.at_most("import minigrad", "beyond import numpy", (ours[1] - numpy[1]) / 1e6, " MB", None, 15)
    rows = [[f"`import {x}`", report.seconds(t), report.size(space)] for x, (t, space) in found.items()]
    return report.table(["", "time", "resident afterwards"], rows)


def memory(libraries: list[str], quick: bool, goals: report.Goals) -> str:
    print("measuring memory …", file=sys.stderr)
    result = footprint.node_memory(libraries, 1000 if quick else 100_000, 1 if quick else 5)
    bytes_ = {library: sorted(seen)[len(seen) // 2] for library, seen in result.memory.items()}
    if "torch" in bytes_:
        goals.at_most("a recorded node", "memory, and PyTorch's", bytes_["minigrad"], " B", None, bytes_["torch"])
    rows = [["a recorded multiplication of one-element tensors", *(f"{b:.0f} B" for b in bytes_.values())]]
    return report.table(["memory", *map(report.named, bytes_)], rows)


def grown(curves: growth.Curves, goals: report.Goals) -> str:
    """A table of how much more the long runs take. Linear growth means that the factor equals that of the size."""
    rows = []
    for name, libraries in curves.items():
        for library, points in libraries.items():
            small, large = growth.end_to_end(points)
            factor, time, space = (b / a if a else math.nan for a, b in zip(small, large, strict=True))
            what = f"{small.size:,} to {large.size:,} {growth.LABELS[name]}"
            cells = (
                f"{factor:.3g} ×",
                f"{time:.3g} ×",
                f"{space:.3g} ×",
                report.seconds(large.seconds),
                report.size(large.memory),
            )
            rows.append([what, report.named(library), *cells])
            if library == "minigrad" and name == "long_chain":
                goals.at_most(what, "time, of linear growth", time / factor, " ×", None, growth.LINEAR)
                goals.at_most(what, "peak memory, of linear growth", space / factor, " ×", None, growth.LINEAR)
    return report.table(["from, to", "", "size", "time", "peak memory", "time at the end", "memory at the end"], rows)


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(str(error))

"""How long the checks of the lessons' exercises take: each exercise's solution, and one of its wrong answers.

python3 .ci/check_times.py                      this checkout
python3 .ci/check_times.py --against FOLDER     and another one, in turns, with the ratio

Each of three rounds runs every check in a new process; the shortest time of the three counts, in processor time, so
that other programs on the machine matter little.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROUND = """
import json, time, warnings
warnings.simplefilter("ignore")
import minigrad
from viz.lesson.exercises import load
from viz.lesson.task import TASKS
from viz.lesson.trial import defined, judge

load()
found = {}
for again in range(2):  # the first time also imports and compiles
    for name, task in TASKS.items():
        codes = [task.solution] + [wrong.code for wrong in task.wrong if not wrong.endless][:1]
        given = [tuple(range(len(task.lines))) if task.kind == "order" else defined(task, codes[0], minigrad)]
        if task.kind != "order":
            given += [defined(task, code, minigrad) for code in codes[1:]]
        start = time.process_time()
        right = [judge(task, each).right for each in given]
        found[name] = time.process_time() - start
        assert right[0], name
print(json.dumps(found))
"""


def one_round(folder: Path) -> dict[str, float]:
    """Exercise -> seconds, in one process that imports the packages of `folder`."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", ROUND], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return json.loads(ran.stdout.splitlines()[-1])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout")
    against = options.parse_args().against
    folders = [ROOT] + ([against.resolve()] if against else [])
    best: list[dict[str, float]] = [{} for _ in folders]
    for _ in range(3):
        for place, folder in enumerate(folders):
            for name, seconds in one_round(folder).items():
                best[place][name] = min(seconds, best[place].get(name, seconds))
    for name in sorted(best[0], key=lambda name: -best[0][name]):
        print(f"{name:20}", *(f"{1000 * each[name]:8.1f} ms" if name in each else f"{'-':>11}" for each in best))
    sums = [sum(each.values()) for each in best]
    print(f"{'all ' + str(len(best[0])):20}", *(f"{1000 * each:8.1f} ms" for each in sums))
    if against:
        ratios = sorted(best[0][name] / best[1][name] for name in best[0] if name in best[1])
        print(f"ratio {sums[0] / sums[1]:.2f}, median of the exercises {ratios[len(ratios) // 2]:.2f}")


if __name__ == "__main__":
    main()

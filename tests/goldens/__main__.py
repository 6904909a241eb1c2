"""Record what PyTorch gives for all that is new in operators, nn and optim: python -m tests.goldens (with torch).

Runs the scripts beside it that read names, samples and programs off minigrad and the tests, so that each new one gets
its record. Where only last digits differ from the old record, which another processor wrote, that stays.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCRIPTS = ("argument_names", "inputs", "ops", "gradients", "nn", "optim", "signatures")


def steady(old: Any, new: Any) -> bool:
    """Do two records say the same, but for last digits?"""
    if isinstance(new, list) and isinstance(old, list):
        return len(old) == len(new) and all(map(steady, old, new))
    if isinstance(new, dict) and isinstance(old, dict):
        return [*old] == [*new] and all(map(steady, old.values(), new.values()))
    if isinstance(new, float) and isinstance(old, float):
        return old == new or math.isclose(old, new, rel_tol=1e-5, abs_tol=1e-6) or (old != old and new != new)
    return type(old) is type(new) and old == new


def entry(line: str) -> str | None:
    """The key of an entry that stands on this line, whole; most of these files have a line an entry."""
    try:
        return next(iter(json.loads("{" + line.rstrip(",") + "}")), None)
    except ValueError:
        return None


def merged(before: str, after: str) -> tuple[str, list[str]]:
    """The new text of a file with the old numbers wherever they say the same, and what has changed.

    Files are dumped with `indent=0`, or have a line an entry; in these, the old line stays as it was written.
    """
    old, new = json.loads(before), json.loads(after)
    changed = [key for key in {**old, **new} if key not in old or key not in new or not steady(old[key], new[key])]
    if [*old] == [*new] and not changed:
        return before, changed
    if after == json.dumps(new, indent=0) + "\n":
        return json.dumps({key: new[key] if key in changed else old[key] for key in new}, indent=0) + "\n", changed
    kept = {entry(line): line.rstrip(",") for line in before.split("\n")}
    lines = []
    for line in after.split("\n"):
        key = entry(line)
        stays = key is not None and key in kept and key not in changed
        lines.append(kept[key] + "," * line.endswith(",") if stays else line)
    return "\n".join(lines), changed


def main() -> None:
    for name in SCRIPTS:
        goldens = HERE / f"{name}.json"
        before = goldens.read_text(encoding="utf-8")
        subprocess.run([sys.executable, str(HERE / f"record_{name}.py")], check=True, cwd=HERE.parent.parent)
        new = json.loads(goldens.read_text(encoding="utf-8"))
        text, changed = merged(before, goldens.read_text(encoding="utf-8"))
        assert [*json.loads(text)] == [*new]
        goldens.write_text(text, encoding="utf-8")
        print(f"{goldens.name}: {', '.join(changed) or 'as it was'}")
        if wrong := [key for key in changed if key in new and '"error"' in json.dumps(new[key])]:
            print(f"  PyTorch raised an error in {', '.join(wrong)}: is that what was meant?")


if __name__ == "__main__":
    main()

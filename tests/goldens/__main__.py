"""Record what PyTorch gives for all that is new in operators, nn and optim: python -m tests.goldens (with torch).

Runs the scripts beside it that read names, samples and programs off minigrad and the tests, so that each new one gets
its record. Where only last digits differ from the old record, which another processor wrote, that stays as it was
written, byte for byte. With names, `python -m tests.goldens seeds printing`, it records those files instead.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCRIPTS = ("argument_names", "inputs", "ops", "gradients", "nn", "nodes", "optim", "signatures", "types")


# Relative and absolute: never more than the tests of the file allow, for these compare with what stays
CLOSE = {"nn": (2e-5, 4e-6), "inputs": (1e-7, 0.0), "optim": (1e-9, 1e-15), "seeds": (1e-6, 1e-6), "data": (1e-6, 0.0)}
USUAL = (1e-5, 1e-6)


def steady(old: Any, new: Any, close: tuple[float, float] = USUAL) -> bool:
    """Do two records say the same, but for last digits? Numbers may stand in a text, as nn.json's tensors do."""
    if isinstance(new, list) and isinstance(old, list):
        return len(old) == len(new) and all(steady(*pair, close) for pair in zip(old, new, strict=True))
    if isinstance(new, dict) and isinstance(old, dict):
        return [*old] == [*new] and all(steady(old[key], new[key], close) for key in new)
    if isinstance(new, float) and isinstance(old, float):
        relative, absolute = close
        return math.isclose(old, new, rel_tol=relative, abs_tol=absolute) or old == new or old != old and new != new
    if isinstance(new, str) and isinstance(old, str) and old != new:
        return (tensor := numbers(new)) is not None and steady(numbers(old), tensor, close)
    return type(old) is type(new) and old == new


def kept(old: Any, new: Any, close: tuple[float, float]) -> Any:
    """The new record, with the old one's parts wherever they say the same."""
    if steady(old, new, close):
        return old
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: kept(old[key], value, close) if key in old else value for key, value in new.items()}
    return new


def numbers(text: str) -> list[Any] | None:
    """Of a tensor's text, "torch.float32 2: 0.5 1", what stands before the numbers, and these; of another text, None.

    Numbers of another type than a floating one are exact, and so are texts.
    """
    kind, colon, rest = text.partition(": ")
    if not (colon and kind.startswith("torch.float")):
        return None
    try:
        return [kind, *map(float, rest.split())]
    except ValueError:
        return None


def entry(line: str) -> str | None:
    """The key of an entry that stands on this line, whole; most of these files have a line an entry."""
    try:
        return next(iter(json.loads("{" + line.rstrip(",") + "}")), None)
    except ValueError:
        return None


def merged(before: str, after: str, close: tuple[float, float] = USUAL) -> tuple[str, list[str]]:
    """The new text of a file with the old numbers wherever they say the same, and what has changed.

    Files are dumped with `indent=0`, or have a line an entry; in these, the old line stays as it was written.
    """
    old, new = json.loads(before), json.loads(after)
    if not isinstance(new, dict):
        return (before, []) if steady(old, new, close) else (after, ["all of it"])
    changed = [key for key in {**old, **new} if not (key in old and key in new and steady(old[key], new[key], close))]
    if [*old] == [*new] and not changed:
        return before, changed
    if after == json.dumps(new, indent=0) + "\n":
        return json.dumps(kept(old, new, close), indent=0) + "\n", changed
    written = {entry(line): line.rstrip(",") for line in before.split("\n")}
    lines = []
    for line in after.split("\n"):
        key = entry(line)
        stays = key is not None and key in written and key not in changed
        lines.append(written[key] + "," * line.endswith(",") if stays else line)
    return "\n".join(lines), changed


def main() -> None:
    for name in sys.argv[1:] or SCRIPTS:
        goldens = HERE / f"{name}.json"
        before = goldens.read_text(encoding="utf-8")
        if subprocess.run([sys.executable, str(HERE / f"record_{name}.py")], cwd=HERE.parent.parent).returncode:
            sys.exit(f"record_{name}.py stopped, and {goldens.name} is as it was.")
        new = json.loads(goldens.read_text(encoding="utf-8"))
        text, changed = merged(before, goldens.read_text(encoding="utf-8"), CLOSE.get(name, USUAL))
        assert len(json.loads(text)) == len(new)
        goldens.write_text(text, encoding="utf-8", newline="\n")
        print(f"{goldens.name}: {', '.join(changed) or 'as it was'}")
        if wrong := [key for key in changed if key in new and '"error"' in json.dumps(new[key])]:
            print(f"  PyTorch raised an error in {', '.join(wrong)}: is that what was meant?")


if __name__ == "__main__":
    main()

"""Run the corpus under the clinic, and print how often it names the right line and the right cure.

python -m tests.clinic.run                   the half that is open, and the programs that are right
python -m tests.clinic.run --aside           the half that was set aside
python -m tests.clinic.run --all             both
python -m tests.clinic.run --torch           on PyTorch
python -m tests.clinic.run --show NAME       what the clinic says of the programs whose name contains NAME

A line counts if the clinic names it, a cure if one of the clinic's cures contains what cures.txt asks for. On PyTorch,
where the clinic offers a second run that notes lines, that run's explanation counts; so does that of a second run
under anomaly mode, which it offers for a nan. The table says how often.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import random
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import viz
from viz.errors.explanation import Explanation

from .corpus import Program, aside, cures, faulty, healthy, opened


@dataclass(frozen=True)
class Result:
    """What the clinic said of a program: its explanations, and Python's own error, if there was one."""

    program: Program
    said: tuple[Explanation, ...]
    error: BaseException | None = None
    again: bool = False  # it is the second run, with lines noted

    @property
    def text(self) -> str:
        return "\n".join(map(str, self.said))

    @property
    def numbers(self) -> set[int]:
        """The lines that it named."""
        return {line.number for each in self.said for line in each.lines}

    @property
    def line(self) -> bool:
        """Did it name the right line?"""
        wanted = self.program.lines
        return self.numbers >= self.program.needed and (not wanted or bool(wanted & self.numbers)) and bool(self.said)

    @property
    def cure(self) -> bool:
        """Did it name the right cure?"""
        return bool(cures()[self.program.cure].search("\n".join(cure for each in self.said for cure in each.cures)))


@contextlib.contextmanager
def as_before(torch: Any) -> Iterator[None]:
    """Recording, the default type and the random numbers are afterwards as before."""
    random.seed(0)
    try:
        yield
    finally:
        viz.clinic.off()
        torch.set_grad_enabled(True)


def heard(program: Program, library: str, again: bool = False) -> Result:
    """Run a program under the clinic."""
    torch = importlib.import_module(library)
    said: list[Explanation] = []
    options = {"lines": True} if again and library == "torch" else {}
    descriptor, path = tempfile.mkstemp(suffix=".py", prefix="program_")
    os.close(descriptor)
    Path(path).write_text(code := program.code_for(library), encoding="utf-8")
    names = {"__name__": "__main__", "__file__": path}
    with as_before(torch), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        warnings.showwarning = lambda *_, **__: None
        viz.clinic.listener = said.append
        try:
            viz.clinic(**options)
            with torch.autograd.set_detect_anomaly(again):
                exec(compile(code, path, "exec"), names)
            viz.clinic._look_back(names, code, path)
            error = None
        except SystemExit as stop:
            error = stop if stop.code else None
        except Exception as stop:
            error = stop
            with contextlib.suppress(Exception):  # if the clinic itself fails, it has said nothing
                found = viz.clinic.explain(stop)
                said += [found] if found is not None else []
        finally:
            viz.clinic.listener = None
    os.unlink(path)
    result = Result(program, tuple(said), error, again)
    if not again and any(each.offered or each.case.name == "nan gradient" for each in said):
        return heard(program, library, again=True)
    return result


def runs_on(program: Program, library: str) -> bool:
    return program.only in ("", library)


def percent(part: Sequence[bool]) -> str:
    return f"{sum(part)} of {len(part)}, {100 * sum(part) / len(part):.0f} %" if part else "none"


def table(results: Sequence[Result]) -> str:
    """Results by kind of fault: right lines, right cures, and nothing said."""
    rows = ["| programs | right line | right cure | nothing said | second run |", "| --- | --- | --- | --- | --- |"]
    for kind, chosen in (
        ("that stop", [each for each in results if not each.program.silent]),
        ("that raise nothing", [each for each in results if each.program.silent]),
        ("all", list(results)),
    ):
        lines, found = [each.line for each in chosen], [each.cure for each in chosen]
        nothing, again = sum(not each.said for each in chosen), sum(each.again for each in chosen)
        rows.append(f"| {kind} | {percent(lines)} | {percent(found)} | {nothing} | {again} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--aside", action="store_true", help="the half that was set aside")
    parser.add_argument("--all", action="store_true", help="both halves")
    parser.add_argument("--torch", action="store_true", help="on PyTorch")
    parser.add_argument("--show", help="print what the clinic says of the programs whose name contains this")
    parser.add_argument("--faults", action="store_true", help="without the programs that are right")
    given = parser.parse_args()
    library = "torch" if given.torch else "minigrad"
    chosen = faulty() if given.all or given.show is not None else aside() if given.aside else opened()
    if given.show is not None:
        chosen = tuple(program for program in (*chosen, *healthy()) if given.show in program.name)
    results = [heard(program, library) for program in chosen if runs_on(program, library)]
    if given.show is not None:
        for each in results:
            print(f"== {each.program.name}: {each.program.cure}\n{each.program.code}\n{each.error!r}\n{each.text}\n")
        return
    print(
        f"With {library}, the {'whole' if given.all else 'half set aside' if given.aside else 'half that is open'}:\n"
    )
    print(table(results))
    for each in results:
        if not (each.line and each.cure):
            lacks = " and ".join(name for name, there in (("line", each.line), ("cure", each.cure)) if not there)
            kinds = ", ".join(one.case.name for one in each.said) or "nothing said"
            print(f"  without its {lacks}: {each.program.name} ({each.program.cure}; {kinds})")
            print("   ", f"{each.error!r}"[:160])
    if not given.faults:
        right = [heard(program, library) for program in healthy()]
        spoke = [each for each in right if each.said]
        broken = [each for each in right if each.error is not None]
        print(f"\nOf {len(right)} right programs, the clinic speaks about {len(spoke)}.")
        for each in spoke:
            print(f"  {each.program.name}\n{each.text}")
        for each in broken:
            print(f"  does not run: {each.program.name}: {each.error!r}")


if __name__ == "__main__":
    sys.exit(main())

"""`pytest --clinic`: the clinic's explanation below the traceback of a test that fails.

`pytest_minigrad_clinic.py` at the root is the plugin that pytest loads; it imports this file if the flag is there. A
fault that raises no error is reported at the end, with the test in which it was seen.

Imports clinic and watch. Read clinic.py next.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from .clinic import clinic
from .explanation import Explanation
from .watch import undisturbed

TITLE = "the error clinic"


class Plugin:
    """The hooks. `lines`: with PyTorch, note the line of each operator."""

    def __init__(self, lines: bool):
        self.lines = lines
        self.silent: list[tuple[str, Explanation]] = []  # the test, and a fault that raised nothing there

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: Any) -> Generator[None, Any, Any]:
        return (yield from self.watched(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        return (yield from self.watched(item))

    def watched(self, item: Any) -> Generator[None, Any, Any]:
        """Run one phase of a test with the clinic on."""
        clinic.listener = lambda explanation: self.silent.append((item.nodeid, explanation))
        clinic(lines=self.lines)
        try:
            return (yield)
        finally:
            clinic.off()
            clinic.listener = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Add the explanation to the report of a test that failed."""
        report = yield
        if report.failed and call.excinfo is not None:
            undisturbed(self.explain, report, call.excinfo.value)
        return report

    def explain(self, report: Any, error: BaseException) -> None:
        explanation = clinic.explain(error)
        if explanation is not None:
            report.sections.append((TITLE, self.told(explanation)))

    def told(self, explanation: Explanation) -> str:
        """The explanation, with pytest's own flag for a second run."""
        return str(explanation).replace("`viz.clinic(lines=True)`", "`pytest --clinic-lines`")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.silent:
            terminalreporter.section(f"{TITLE}: no error, but a fault")
        for test, explanation in self.silent:
            terminalreporter.write_line(f"{test}\n{self.told(explanation)}\n")

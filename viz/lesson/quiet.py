"""`with quiet() as printed:` hides the output of a check's runs: no warnings, and printed text goes into a string.
Code that closes `sys.stdout` or `sys.stderr` closes neither.

Imports printed.py and minigrad's interrupts. Read trial.py next.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator

from minigrad._machine.interrupts import restoring

from .printed import Printed, Unclosed


@restoring
def quiet() -> Iterator[Printed]:
    """Hide warnings, and collect printed text: the check's runs are not the reader's own."""
    printed = Printed(sys.stdout)
    with (
        as_it_was(),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(Unclosed(sys.stderr)),
    ):
        warnings.simplefilter("ignore")
        yield printed


@restoring
def as_it_was() -> Iterator[None]:
    """Restore sys.stdout, sys.stderr and Python's warnings afterwards, even if Ctrl-C comes just when `redirect_stdout`
    or `catch_warnings` begins to restore them."""
    stdout, stderr, filters, show = sys.stdout, sys.stderr, warnings.filters, warnings.showwarning
    try:
        yield
    finally:
        sys.stdout = stdout
        sys.stderr = stderr
        if warnings.filters is not filters:
            warnings.filters, warnings.showwarning = filters, show
            with warnings.catch_warnings():  # entering it makes Python forget its cache for the other filters
                pass

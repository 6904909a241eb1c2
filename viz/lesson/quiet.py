"""`with quiet() as printed:` what a check runs shows nothing: no warnings, and what it prints goes into a string.

Imports printed.py and minigrad's interrupts. Read trial.py next.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator

from minigrad._machine.interrupts import restoring

from .printed import Printed


@restoring
def quiet() -> Iterator[Printed]:
    """No warnings, and what is printed goes into a string: the check's runs are not the reader's own."""
    printed = Printed(sys.stdout)
    with as_it_was(), warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        yield printed


@restoring
def as_it_was() -> Iterator[None]:
    """Afterwards, sys.stdout and Python's warnings are as before, also where Ctrl-C has come just as `redirect_stdout`
    or `catch_warnings` began to restore them."""
    stdout, filters, show = sys.stdout, warnings.filters, warnings.showwarning
    try:
        yield
    finally:
        sys.stdout = stdout
        if warnings.filters is not filters:
            warnings.filters, warnings.showwarning = filters, show
            with warnings.catch_warnings():  # so that Python forgets what it has remembered of the other filters
                pass

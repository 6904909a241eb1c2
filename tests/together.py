"""Many small cases in one test, with a message for each that fails: pytest alone needs some milliseconds for each test.

Read next: test_node_graphs.py, which uses it.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def grouped(names: Iterable[str]) -> dict[str, list[str]]:
    """Names such as "add-3" or "relu((2, 4))" by what is called, so that `-k add` still chooses.

    >>> grouped(["add-0", "add-1", "relu(())", "Embedding, training"])
    {'add': ['add-0', 'add-1'], 'relu': ['relu(())'], 'Embedding': ['Embedding, training']}
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(re.split(r"-\d+$|[(,]", name)[0], []).append(name)
    return groups


def each(cases: Iterable[Any], check: Callable[[Any], None]) -> None:
    """Call `check(case)` for every case, also after one has failed, and fail with the errors of all of them.

    >>> each(["1", "x", "y"], int)
    Traceback (most recent call last):
    AssertionError: 2 cases failed
    x: ValueError: invalid literal for int() with base 10: 'x' ...
    y: ValueError: invalid literal for int() with base 10: 'y' ...
    """
    __tracebackhide__ = True
    failed = []
    for case in cases:
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            line = traceback.extract_tb(error.__traceback__)[-1]
            failed.append(f"{case}: {type(error).__name__}: {error} ({line.filename}, line {line.lineno})")
    if failed:
        raise AssertionError("\n".join([f"{len(failed)} cases failed", *failed]))

"""Every example in a docstring of this project is run: what is written is compared with what pytest collects."""

from __future__ import annotations

import ast
import doctest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem, DoctestModule

ROOT = Path(__file__).parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Example = tuple[str, ...]  # the statements of one docstring


def files_with_examples() -> list[Path]:
    """The files of Python in which `>>>` stands, without those of hidden folders such as .venv."""
    tops = [path for path in ROOT.iterdir() if path.name == ".ci" or path.name[0] != "."]
    found = [file for top in tops for file in ([top] if top.suffix == ".py" else sorted(top.rglob("*.py")))]
    return [file for file in found if ">>>" in file.read_text("utf-8")]


def written(source: str) -> Iterator[Example]:
    """The examples of each docstring, from the text alone."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            if examples := doctest.DocTestParser().get_examples(text):
                yield tuple(example.source for example in examples)


def collected(file: Path, session: pytest.Session) -> Iterator[Example]:
    """The examples that `pytest`, without arguments, finds in this file."""
    places = [ROOT / place for place in session.config.getini("testpaths")]
    ignored = session.config.hook.pytest_ignore_collect(collection_path=file, config=session.config)
    if ignored or not any(place in (file, *file.parents) for place in places):
        return
    for item in DoctestModule.from_parent(session, path=file).collect():
        yield tuple(example.source for example in item.dtest.examples)


def in_this_run(session: pytest.Session) -> dict[Path, list[Example]]:
    """The examples among the tests of this run: a run of the fast tier has them all, and no file is collected twice."""
    found: dict[Path, list[Example]] = {}
    for item in session.items:
        if isinstance(item, DoctestItem) and item.path.suffix == ".py":
            found.setdefault(item.path, []).append(tuple(example.source for example in item.dtest.examples))
    return found


def not_run(file: Path, session: pytest.Session, known: list[Example]) -> list[str]:
    """The first statement of each docstring that is written in the file, and not collected."""
    there = Counter(written(file.read_text("utf-8")))
    lost = there - Counter(known) and there - Counter(collected(file, session))
    return [f"{file.relative_to(ROOT).as_posix()}: {statements[0].strip()}" for statements in lost]


def test_each_example_that_is_written_is_collected(request: pytest.FixtureRequest) -> None:
    files, known = files_with_examples(), in_this_run(request.session)
    assert len(files) > 100  # the paths above still find the packages
    lost = [line for file in files for line in not_run(file, request.session, known.get(file, []))]
    assert not lost, "these examples are never run:\n" + "\n".join(lost)


KINDS = '''
from functools import cached_property, lru_cache


class Kinds:
    """
    >>> "class"
    'class'
    """

    @property
    def plain(self):
        """
        >>> "property"
        'property'
        """

    @cached_property
    def cached(self):
        """
        >>> "cached_property"
        'cached_property'
        """

    @classmethod
    def of_class(cls):
        """
        >>> "classmethod"
        'classmethod'
        """


@lru_cache
def remembered():
    """
    >>> "lru_cache"
    'lru_cache'
    """


def around(function):
    def inner():
        return function()

    return inner


@around
def hidden():
    """
    >>> "the decorator loses this docstring"
    'the decorator loses this docstring'
    """
'''


def test_an_example_that_a_decorator_loses_is_named(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Properties, cached ones too, and functions that are cached keep theirs."""
    file = tmp_path / "kinds_of_examples.py"
    file.write_text(KINDS, encoding="utf-8")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    usual = request.config.getini
    monkeypatch.setattr(request.config, "getini", lambda name: ["."] if name == "testpaths" else usual(name))
    monkeypatch.syspath_prepend(tmp_path)
    assert not_run(file, request.session, []) == ['kinds_of_examples.py: "the decorator loses this docstring"']

"""The clinic names the right line and the right cure of the corpus, and says nothing about programs that are right.

On minigrad all of it runs in the fast tier; with `-m torch`, on PyTorch, where the clinic offers a second run.
"""

import pytest

import viz

from .corpus import aside, cures, faulty, healthy, opened
from .run import heard, runs_on

UNKNOWN = {"update through data of a copy"}  # nothing shows at run time that a copy was changed, and not the weight
LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]


@pytest.fixture(autouse=True)
def off():
    yield
    viz.clinic.off()


def test_the_corpus_is_whole():
    assert len(faulty()) == 100 and len(aside()) == len(opened()) == 50 and len(healthy()) == 200
    assert len({program.name for program in (*faulty(), *healthy())}) == 300
    assert {program.cure for program in faulty()} == set(cures())


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("half", [opened, aside])
def test_it_names_the_line_and_the_cure(half, library):
    pytest.importorskip(library)
    results = [heard(program, library) for program in half() if runs_on(program, library)]
    wrong = {each.program.name for each in results if not (each.line and each.cure)}
    assert wrong <= UNKNOWN
    assert all((each.error is None) == each.program.silent or each.again for each in results)


@pytest.mark.parametrize("library", LIBRARIES)
def test_it_says_nothing_about_a_program_that_is_right(library):
    pytest.importorskip(library)
    results = [heard(program, library) for program in healthy()]
    assert not [(each.program.name, each.text) for each in results if each.said]
    assert not [(each.program.name, each.error) for each in results if each.error is not None]


@pytest.mark.torch
def test_only_what_needs_lines_or_a_nan_asks_for_a_second_run():
    pytest.importorskip("torch")
    results = [heard(program, "torch") for program in faulty()]
    assert {each.said[0].case.name for each in results if each.again} == {"changed", "stepped", "freed", "nan"}

"""What is noted beside the rows of the table is true: ops/note.py says what each note means.

Whether the shapes, types and sizes that are noted are right, test_ops_on_symbols.py finds out; the layout in memory,
semantics/test_memory_layout.py; the words of errors, test_op_inputs.py and semantics/test_wrong_calls.py.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core_alone import numbers
from op_samples import SAMPLES, P
from test_ops import CASES

import minigrad
import viz.stepper.slopes
from minigrad._tensors.methods.arithmetic import _both
from minigrad.ops import TABLE
from minigrad.ops.note import NOTES, known, note, notes_of
from minigrad.static.table import RULES


def test_a_note_that_nobody_reads_is_an_error() -> None:
    with pytest.raises(TypeError, match="nobody reads 'leters' beside mul's row; ops/note.py says what is read"):
        note(TABLE["mul"], leters=("{1}", "{0}"))


def test_each_note_is_read_where_it_is_said_to_be_and_written_somewhere() -> None:
    written = {name for rule in RULES.values() for name in notes_of(rule)}
    assert written == NOTES.keys()


def test_a_note_that_nothing_reads_is_an_error_above_a_function_too() -> None:
    with pytest.raises(TypeError, match="nothing reads 'outt' above a function; ops/note.py lists the notes"):
        known(outt=True)


def test_a_method_has_a_form_with_an_underscore_where_pytorchs_has() -> None:
    """The forms follow from the rows (_tensors/methods/overwriting.py); names.txt lists PyTorch's methods."""
    lines = (Path(minigrad.__file__).parent / "_messages" / "names.txt").read_text("utf-8").splitlines()
    theirs = next(line.split()[1:] for line in lines if line.startswith("torch.Tensor:"))
    ours = {name for name in dir(minigrad.Tensor) if callable(inspect.getattr_static(minigrad.Tensor, name))}
    wanted = {name for name in theirs if name[0] != "_" and name[-1] == "_" and name[:-1] in ours}
    assert {name for name in ours if name[0] != "_" and name[-1] == "_" and name[:-1] in ours} == wanted


def test_a_node_beside_a_number_has_the_name_that_is_noted_and_one_edge() -> None:
    x = minigrad.tensor([0.5, 2.0], requires_grad=True)
    for name, rule in TABLE.items():
        if nodes := getattr(rule, "number_nodes", ()):
            outs = _both(name, 3.0, x), _both(name, x, 3.0)
            assert tuple(out.grad_fn.name() for out in outs) == nodes
            assert [len(out.grad_fn.next_functions) for out in outs] == [1, 1]
            assert all(out.grad_fn.next_functions[0][0].variable is x for out in outs)


@pytest.mark.parametrize("name", [name for name, rule in TABLE.items() if hasattr(rule, "letters")])
def test_letters(name: str) -> None:
    """As many as there are inputs, and each asks for names that there are."""
    rule = TABLE[name]
    assert len(rule.letters) == len(rule.inputs)
    for text in rule.letters:
        asked = set(re.findall(r"{(\w+)}", text))
        assert asked <= {"out", *map(str, range(len(rule.inputs)))}
    kinds = {viz.stepper.slopes.rule(rule.node_name, i, rule.inputs, "y")[0] for i in range(len(rule.inputs))}
    assert len(kinds) == 1 and kinds <= {"rule", "handed rule"}


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if hasattr(rule, "ufunc")])
@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "bool"])
def test_the_function_of_numpys_gives_the_same_bits(name: str, kind: str) -> None:
    rule = RULES[name]
    if kind == "bool" and rule.kind != "question":  # those are not multiplied in graphs
        return
    corners = np.array([-np.inf, -2.5, -1.0, -0.5, -0.0, 0.0, 0.3, 1.0, 2.0, 7.0, np.inf, np.nan])
    if kind != "float64" and kind != "float32":
        corners = np.array([-3, -1, 0, 1, 2, 5])
    arrays = np.meshgrid(*[corners] * len(rule.inputs)) if rule.kind != "matmul" else [corners.reshape(2, -1)] * 2
    arrays = [a.astype(kind) for a in arrays]
    if rule.kind == "matmul":
        arrays[1] = np.ascontiguousarray(arrays[1].T)
    with np.errstate(all="ignore"):
        try:
            got, want = getattr(np, rule.ufunc)(*arrays), rule.value(np, *arrays)
        except (TypeError, ValueError):  # not for these types, or as 2 ** -1 of integers in TensorFlow
            return
    assert got.dtype == want.dtype and np.array_equal(got, want, equal_nan=got.dtype.kind == "f")
    if got.dtype.kind == "f" and rule.kind != "matmul":
        assert np.array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize(("name", "i"), CASES)
def test_what_is_fresh_shares_no_memory(name: str, i: int) -> None:
    """Also of integers and bools, and where the inputs are of the size that is wished: the static engine writes into
    what is fresh."""
    from minigrad._compiler.memory import KINDS

    rule = RULES[name]
    if not getattr(rule, "fresh", rule.kind in KINDS):
        return
    inputs, params = SAMPLES[name][i]
    rng = np.random.default_rng(i + 1)
    arrays = [numbers(each, P, rng) for each in inputs]
    for kind in ("float64", "float32", "int64", "bool"):
        given: list[Any] = [a.astype(kind) if a.dtype.kind == "f" else a for a in arrays]
        try:
            with np.errstate(all="ignore"):
                outs = rule.value(np, *given, **params)
        except (TypeError, ValueError, IndexError):
            continue
        for out in outs if isinstance(outs, tuple) else (outs,):
            assert not any(np.shares_memory(out, a) for a in given)

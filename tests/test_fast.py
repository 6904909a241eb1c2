"""The hot path does what the core does: values, nodes, what they save, versions, gradients, errors.

_call/fast.py writes the core's `call` out for the common case; here each operator runs both ways. That the whole of
minigrad works without it, `MINIGRAD_FAST=0 pytest` shows; a short program shows here that the switch is obeyed.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import threading
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from test_ops import CASES, prepare

import minigrad as torch
from minigrad._call.operators import FAST, OPERATORS
from minigrad.core import record
from minigrad.core.forms import RAW
from minigrad.core.node import RuleNode
from minigrad.core.record import call
from minigrad.ops import TABLE

if not FAST:
    pytest.skip("the hot path is left out", allow_module_level=True)

from minigrad._call import fast


def both_ways(name: str, tensors: list[Any], params: dict[str, Any]) -> list[tuple[Any, ...]]:
    """The results of the hot path and of the core."""
    rule = TABLE[name]
    defaults = {key: value for key, value in rule.params.items() if value is not inspect.Parameter.empty}
    ran = OPERATORS[name](*tensors, **params), call(rule, tuple(tensors), {**defaults, **params})
    return [outs if isinstance(outs, tuple) else (outs,) for outs in ran]


def params_of(name: str, i: int) -> dict[str, Any]:
    from op_samples import SAMPLES

    return SAMPLES[name][i][1]


def same(a: Any, b: Any) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


@pytest.mark.parametrize(("name", "i"), CASES)
def test_values_and_nodes(name: str, i: int) -> None:
    _, tensors = prepare(name, i)
    for a, b in zip(*both_ways(name, tensors, params_of(name, i)), strict=True):
        assert same(a._data, b._data) and a._data.flags.c_contiguous == b._data.flags.c_contiguous
        assert (a.requires_grad, type(a.grad_fn), a.output_nr) == (b.requires_grad, type(b.grad_fn), b.output_nr)
        assert a._version == b._version and (a._base is b._base)
        if a.grad_fn is None:
            continue
        p, q = a.grad_fn, b.grad_fn
        assert p.edges == q.edges and p.next_functions == q.next_functions
        assert (p._shape, p._dtype, p.outputs) == (q._shape, q._dtype, q.outputs)
        for each in p.saves:
            kept = getattr(p, "_saved_" + each), getattr(q, "_saved_" + each)
            assert (kept[0] is None) == (kept[1] is None), each
            if kept[0] is not None:
                assert same(kept[0]._data, kept[1]._data) and kept[0]._version == kept[1]._version
                assert type(kept[0].grad_fn) is type(kept[1].grad_fn)
        for each in p.params:
            assert str(getattr(p, "param_" + each, None)) == str(getattr(q, "param_" + each, None)), each


@pytest.mark.parametrize(("name", "i"), CASES)
def test_gradients(name: str, i: int) -> None:
    """A node's own `send` lets arrive what its `backward` computes."""
    _, tensors = prepare(name, i)
    out, _ = both_ways(name, tensors, params_of(name, i))
    node = out[0].grad_fn
    if node is None:
        return
    rng = np.random.default_rng(i)
    grads = [rng.normal(size=each.shape) for each in out]
    grad = grads if isinstance(node._shape, list) else grads[0]
    quick: list[Any] = []
    node.send(grad, RAW.F, RAW.unpack, lambda edge, g: quick.append((edge, g)))
    plain: list[Any] = []
    RuleNode.send(node, grad, RAW.F, RAW.unpack, lambda edge, g: plain.append((edge, g)))
    assert [edge for edge, _ in quick] == [edge for edge, _ in plain]
    assert all(same(np.asarray(a), np.asarray(b)) for (_, a), (_, b) in zip(quick, plain, strict=True))
    node.release()
    assert all(getattr(node, "saved_" + each) is None for each in node.saves)


@pytest.mark.parametrize("name", [name for name in TABLE if "compile_now" in OPERATORS[name].__globals__])
def test_the_common_case_takes_the_hot_path(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, tensors = prepare(name, 0)
    function(*tensors)  # now it is compiled

    def refuse(*_: Any) -> Any:
        raise AssertionError("the common case was left to the core's call")

    monkeypatch.setitem(OPERATORS[name].__globals__, "call", refuse)
    if all(t.is_floating_point() or t.dtype is torch.bool for t in tensors):
        function(*tensors)


SEVERAL = {
    "stack": lambda run, x: run(x, x * 2, dim=1),
    "cat": lambda run, x: run(x, x * 2),
    "unbind": lambda run, x: run(x),
    "split": lambda run, x: run(x, sizes=[1, 1], dim=0),
    "split_with_sizes": lambda run, x: run(x, sizes=[2, 1], dim=1),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_the_common_case_of_several_tensors_takes_the_hot_path(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("the common case was left to the core's call")

    monkeypatch.setattr(record, "call", refuse)
    x = torch.ones(2, 3, requires_grad=True)
    for each in x, x.detach():
        outs = SEVERAL[name](OPERATORS[name], each)
        with torch.no_grad():
            plain = SEVERAL[name](OPERATORS[name], each)
        if not isinstance(outs, tuple):
            outs, plain = (outs,), (plain,)
        assert [out.tolist() for out in outs] == [out.tolist() for out in plain]
        assert all((out.grad_fn is not None) is each.requires_grad for out in outs)
        assert all(out.grad_fn is None for out in plain)


def test_several_tensors_of_any_history_both_ways() -> None:
    w = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        nowhere = w[:]  # it requires grad through its base alone, and leads nowhere
    for tensors in ((w, nowhere), (nowhere, nowhere), (w * 2, torch.ones(2)), (w, torch.ones(2, dtype=torch.float64))):
        a, b = OPERATORS["stack"](*tensors, dim=0), call(TABLE["stack"], tensors, {"dim": 0})
        assert str(a) == str(b) and a.dtype is b.dtype
        assert (a.grad_fn and a.grad_fn.next_functions) == (b.grad_fn and b.grad_fn.next_functions)
    for tensor in (w, nowhere, w * 2, torch.arange(3)):
        outs, same = OPERATORS["unbind"](tensor, dim=0), call(TABLE["unbind"], (tensor,), {"dim": 0})
        assert str(outs) == str(same) and [out._base is tensor._base for out in outs] == [
            out._base is tensor._base for out in same
        ]


def test_who_finds_the_silent_context_taken_is_silent_in_its_own() -> None:
    """Another thread is in it, as it is while NumPy computes there."""
    entered, done = threading.Event(), threading.Event()

    def stay() -> None:
        entered.set()
        done.wait()

    other = threading.Thread(target=fast.quietly, args=(stay,))
    other.start()
    entered.wait()
    try:
        with warnings.catch_warnings(action="error"):
            x = torch.tensor([3e38], requires_grad=True)
            y = torch.stack([x * x, x / 0])
            y.sum().backward()
    finally:
        done.set()
        other.join()
    assert y.tolist() == [[float("inf")]] * 2 and x.grad.isinf().all()


@pytest.mark.parametrize("name", [name for name in TABLE if "compile_now" in OPERATORS[name].__globals__])
def test_the_signature_is_right_before_and_after_the_first_call(name: str) -> None:
    shown = inspect.signature(OPERATORS[name])
    function, tensors = prepare(name, 0)
    function(*tensors)
    code, defaults = OPERATORS[name].__code__, OPERATORS[name].__kwdefaults__ or {}
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    assert sorted(shown.parameters) == sorted(names) and inspect.signature(OPERATORS[name]) == shown
    assert {each: p.default for each, p in shown.parameters.items() if p.default is not p.empty} == defaults


WRONG = {
    "sizes": lambda: (torch.ones(2), torch.ones(3)),
    "a text": lambda: (torch.ones(2), "1"),
    "a list": lambda: (torch.ones(2), [1.0, 2.0]),
    "nothing": lambda: (torch.ones(2), None),
    "bools": lambda: (torch.ones(2) > 0, torch.ones(2) > 0),
    "types": lambda: (torch.ones(2), torch.ones(2, dtype=torch.int64)),
    "whole numbers": lambda: (torch.ones(2, dtype=torch.int64), torch.zeros(2, dtype=torch.int64)),
    "matrices": lambda: (torch.ones(2, 3), torch.ones(2, 3)),
    "not a tensor": lambda: (3.0, torch.ones(2)),
    "a row too long": lambda: (torch.ones(2, 3), torch.ones(4)),
}
TWO = [name for name in TABLE if len(TABLE[name].inputs) == 2 and not TABLE[name].params and not TABLE[name].variadic]


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("name", TWO)
def test_what_does_not_fit(name: str, what: str) -> None:
    """The same error, or the same result."""

    def outcome(run: Any) -> Any:
        try:
            out = run()
        except Exception as error:
            return type(error), str(error)
        return (
            out if out is NotImplemented else [(str(t), t.dtype) for t in (out if isinstance(out, tuple) else (out,))]
        )

    inputs = WRONG[what]()
    assert outcome(lambda: OPERATORS[name](*inputs)) == outcome(lambda: call(TABLE[name], inputs, {}))


@pytest.mark.parametrize("first", [True, False])
def test_a_leafs_grad_that_is_given_as_gradient_is_read_before_it_grows(first: bool) -> None:
    """Through a view, too, whose gradient is copied last. (PyTorch 2.13 reads it when it has grown.)"""
    a, b = torch.ones(2, 3, requires_grad=True), torch.ones(3, 2, requires_grad=True)
    b.grad = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    y = b + a.t() if first else a.t() + b
    y.backward(b.grad)
    assert a.grad.tolist() == [[0, 2, 4], [1, 3, 5]]
    assert b.grad.tolist() == [[0, 2], [4, 6], [8, 10]]


def test_a_change_in_place_is_seen_both_ways() -> None:
    for run in (OPERATORS["exp"], lambda x: call(TABLE["exp"], (x,), {})):
        w = torch.ones(2, requires_grad=True)
        y = run(w)
        y.add_(1)
        with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
            y.sum().backward()


PROGRAM = """
import sys, minigrad as torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = ((w + 1) * w).sum()
y.backward()
print(w.grad, y.grad_fn, "minigrad._call.fast" in sys.modules)
"""


@pytest.mark.parametrize("fast", ["0", "1"])
def test_the_switch_is_obeyed(fast: str) -> None:
    environment = os.environ | {"MINIGRAD_FAST": fast}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert ran.stdout.startswith("tensor([3., 5.]) <SumBackward0")
    assert ran.stdout.split()[-1] == str(fast == "1")


# what slopes on arrays are given in place of a row's value

DIRECT = sorted(name for name in vars(RAW.F) if name in TABLE and not isinstance(vars(RAW.F)[name], partial))


@pytest.mark.parametrize("name", DIRECT)
def test_slopes_get_what_the_rows_value_would_give_also_of_numpys_scalars(name):
    rule, direct, tried = TABLE[name], getattr(RAW.F, name), 0
    for dtype in "float32", "int64", "bool":
        matrix = np.array([[1, 0], [1, 1]], dtype=dtype)
        for given in matrix, matrix[0], matrix[0, 0], np.array(1, dtype=dtype), np.zeros((0, 2), dtype=dtype):
            inputs = [given] * len(rule.inputs)
            if name == "mm" and np.ndim(given) != 2:
                continue  # a product of matrices alone
            try:
                with np.errstate(all="ignore"):
                    expected = rule.value(np, *inputs)
            except (TypeError, ValueError):
                continue  # no operator of such types
            with np.errstate(all="ignore"):
                found = direct(*inputs)
            np.testing.assert_array_equal(found, expected, strict=True)
            tried += 1
    assert tried >= 3

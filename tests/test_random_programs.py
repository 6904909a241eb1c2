"""Random programs: operators, views, changes in place, no_grad, detach, backward, in any order that hypothesis finds.

Each step runs on minigrad and on naive.py, which knows nothing but the chain rule; then every tensor must hold the
same numbers, gradient, version and flags. With `pytest -m torch` each step runs on real PyTorch too, and names of
nodes and the texts of errors must be equal as well. `--hypothesis-profile=default` makes new programs at every run.
Read next: naive.py.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from naive import BINARY, UNARY, VIEWS, Naive, binary, look_up, matmul, total, unary

import minigrad

SIZES = ((), (1,), (3,), (2, 3), (2, 1), (3, 2), (2, 3, 2))
POOL = 6
which = st.integers(0, POOL - 1)
number = st.sampled_from([0.5, -1.5, 2.0])
LOOKS = {  # the views of naive.py, on tensors
    "select": lambda x, i: x[i % len(x)],
    "slice": lambda x, i: x[i % len(x) :],
    "stride": lambda x, i: x[i % len(x) :: 2],
    "flatten": lambda x, i: x.view(-1),
    "transpose": lambda x, i: x.transpose(0, -1),
    "unsqueeze": lambda x, i: x.unsqueeze(i % (x.dim() + 1)),
    "expand": lambda x, i: x.expand(2, *x.shape),
}
INDICES = {  # ints, lists and None in one index; and the same one after the other, which leaves nothing to order
    "int, list": ((0, [0, -1]), lambda x: x[0, ...][[0, -1]]),
    "int, all, list": ((-1, slice(None), [0, 1, 1]), lambda x: x[-1, ...][:, [0, 1, 1]]),
    "int, None, list": ((1, None, [0, -1]), lambda x: x[1, ...][None][:, [0, -1]]),
    "list, None, int": (([-1, 0], None, 0), lambda x: x[:, 0, ...][:, None][[-1, 0]]),
    "all, list, int": ((slice(None), [0, 1], -1), lambda x: x[:, :, -1, ...][:, [0, 1]]),
    "list, slice": (([1, 0], slice(0, 1)), lambda x: x[:, 0:1][[1, 0]]),
}


def spread_out(x: Naive) -> bool:
    """Are some of its numbers one number in memory? A row of what `expand` gave is not."""
    return any(stride == 0 and n > 1 for stride, n in zip(x.values.strides, x.values.shape, strict=True))


class Programs(RuleBasedStateMachine):
    """The pool holds a few tensors, each of them once in every library and once naively."""

    libraries: tuple[Any, ...] = (minigrad,)

    def __init__(self) -> None:
        super().__init__()
        self.pools: list[list[Any]] = [[] for _ in self.libraries]
        self.naive: list[Naive] = []
        self.made, self.grad = 0, True
        self.changed = self.freed = self.filled = False  # has something happened that backward may complain of?
        for i, requires_grad in enumerate((True, False, True)):
            self.leaf(SIZES[2 * i % 4], 0.3 + i, requires_grad)

    def teardown(self) -> None:
        """Every program that went well ends with a backward from each tensor that has a past, and from its sum first,
        under create_graph."""
        try:
            for i, x in enumerate(list(self.naive) if sys.exc_info()[0] is None else ()):
                if x.history.requires_grad and not self.freed and not self.filled:
                    if self.grad:  # PyTorch's sum would hand on one number, spread out
                        self.sum(i, None)
                        self.backward((self.made - 1) % POOL, 0.5, True, create=True)
                    self.backward(i, 0.5, True)
                    self.all_agree()
        finally:
            for library in self.libraries:
                library.set_grad_enabled(True)

    def step(self, call: Callable[..., Any], naive: Callable[[], Any], places: tuple[int, ...] = ()) -> str | None:
        """Run `call(library, *tensors)` everywhere. The error that came, if one did; else the result joins the pool."""
        results, errors = [], []
        for library, pool in zip(self.libraries, self.pools, strict=True):
            try:
                results.append(call(library, *(pool[i % len(pool)] for i in places)))
                errors.append(None)
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}".partition("\n")[0])
        assert errors == errors[:1] * len(errors)
        if errors[0] is None:
            self.join(results, naive())
        return errors[0]

    def join(self, results: list[Any], naive: Naive | None) -> None:
        """Add a new tensor to the pool, or put it in the place of the oldest."""
        if naive is None:
            return
        at = self.made % POOL
        self.made += 1
        for pool, tensor in zip((*self.pools, self.naive), (*results, naive), strict=True):
            pool[at : at + 1] = [tensor]

    def pick(self, i: int) -> Naive:
        return self.naive[i % len(self.naive)]

    def cut(self) -> None:
        """Begin anew with leaves of harmless size: after a failed backward, or when numbers have grown too large."""
        numbers = [(np.asarray(np.nan_to_num(x.values) % 2.0), x.history.requires_grad) for x in self.naive]
        self.naive, self.pools, self.made = [], [[] for _ in self.libraries], 0
        self.changed = self.freed = self.filled = False
        for values, requires_grad in numbers:
            self.add_leaf(values, requires_grad)

    def add_leaf(self, values: np.ndarray, requires_grad: bool) -> None:
        naive = Naive(values.copy())
        naive.history.requires_grad = requires_grad
        leaves = [library.from_numpy(values.copy()).requires_grad_(requires_grad) for library in self.libraries]
        self.join(leaves, naive)

    # -- what can happen ---------------------------------------------------------------------------

    @rule(size=st.sampled_from(SIZES), start=st.sampled_from([-0.9, 0.3]), requires_grad=st.booleans())
    def leaf(self, size: tuple[int, ...], start: float, requires_grad: bool) -> None:
        self.add_leaf(np.array(np.linspace(start, 1.1, int(np.prod(size)))).reshape(size), requires_grad)

    @rule(name=st.sampled_from([*UNARY]), i=which)
    def unary(self, name: str, i: int) -> None:
        self.step(lambda t, x: getattr(x, name)(), lambda: unary(name, self.pick(i), self.grad), (i,))

    @rule(name=st.sampled_from([*BINARY]), i=which, j=which)
    def binary(self, name: str, i: int, j: int) -> None:
        self.step(
            lambda t, a, b: getattr(a, name)(b), lambda: binary(name, self.pick(i), self.pick(j), self.grad), (i, j)
        )

    @rule(i=which, dim=st.sampled_from([None, 0]))
    def sum(self, i: int, dim: int | None) -> None:
        self.step(
            lambda t, x: x.sum() if dim is None else x.sum(dim),
            lambda: total(self.pick(i), None if not self.pick(i).values.ndim else dim, self.grad),
            (i,),
        )

    @rule(i=which, j=which)
    def matmul(self, i: int, j: int) -> None:
        if self.pick(i).values.ndim == self.pick(j).values.ndim == 2:
            self.step(lambda t, a, b: a @ b, lambda: matmul(self.pick(i), self.pick(j), self.grad), (i, j))

    @rule(name=st.sampled_from([*VIEWS]), i=which, at=st.integers(0, 2))
    def view(self, name: str, i: int, at: int) -> None:
        if self.pick(i).values.ndim or name in ("unsqueeze", "expand", "flatten"):
            self.step(lambda t, x: LOOKS[name](x, at), lambda: self.look(i, lambda z: VIEWS[name](z, at)), (i,))

    @rule(name=st.sampled_from([*VIEWS]), i=which, at=st.integers(0, 2))
    def leaf_that_is_a_view(self, name: str, i: int, at: int) -> None:
        def naively() -> Naive:
            out = x.look_quietly(lambda z: VIEWS[name](z, at))
            out.history.requires_grad = out.memory.loose = out.memory.leaf_views = True
            return out

        x = self.pick(i)
        if not x.history.requires_grad and (x.values.ndim or name in ("unsqueeze", "expand", "flatten")):
            self.step(lambda t, x: LOOKS[name](x, at).requires_grad_(), naively, (i,))

    @rule(name=st.sampled_from([*INDICES]), i=which)
    def index(self, name: str, i: int) -> None:
        index, naively = INDICES[name]
        if self.fits(naively, i):
            self.step(lambda t, x: x[index], lambda: look_up(self.pick(i), naively, self.grad), (i,))

    def fits(self, naively: Callable[..., Any], i: int) -> bool:
        try:
            naively(self.pick(i).values)
        except IndexError:
            return False
        return True

    def look(self, i: int, change: Callable[..., Any]) -> Naive:
        if not self.grad:
            out = self.pick(i).look_quietly(change)
            out.memory.loose = True
            if out.quiet:  # it may be used no more when its memory has changed
                out.memory.fragile = True
            else:
                out.history, out.cells, out.view = self.pick(i).history, change(self.pick(i).cells), True
                out.memory.fragile = True
            return out
        self.pick(i).history.viewed = True
        if self.pick(i).is_leaf and self.pick(i).history.requires_grad:
            self.pick(i).memory.loose = True
        return self.pick(i).look(change)

    @rule(i=which)
    def clone(self, i: int) -> None:
        one = Naive(1.0)
        self.step(lambda t, x: x.clone(), lambda: binary("mul", self.pick(i), one, self.grad), (i,))

    @rule(i=which, requires_grad=st.booleans())
    def detach(self, i: int, requires_grad: bool) -> None:
        def naively() -> Naive:
            out = self.pick(i).detach()
            out.memory.loose = True
            out.history.requires_grad = requires_grad
            return out

        self.step(lambda t, x: x.detach().requires_grad_(requires_grad), naively, (i,))

    @rule(i=which)
    def detach_in_place(self, i: int) -> None:
        if self.alone(i):
            self.step(lambda t, x: x.detach_(), lambda: self.pick(i).forget(False), (i,))
            self.pick(i).retains = False

    @rule(i=which, on=st.booleans())
    def requires_grad_later(self, i: int, on: bool) -> None:
        """Views that were taken before require grad, too, if nothing has changed; no gradient comes to them."""
        x = self.pick(i)
        views = [v for v in self.naive if v is not x and v.history is x.history]
        if not x.is_leaf or x.view or x.quiet or x.history.requires_grad == on or hasattr(x.memory, "leaf_views"):
            return
        if views and (not on or any(v.born != x.memory.version for v in views)):
            return

        def naively() -> None:
            x.forget(on)
            for v in views:
                v.forget(True)
                v.view, v.quiet, v.memory.loose, v.memory.fragile = False, True, True, True

        self.step(lambda t, x: x.requires_grad_(on), naively, (i,))

    def alone(self, i: int) -> bool:
        """It is no view, and none of the others is a view of it."""
        x = self.pick(i)
        others = [other for other in self.naive if other is not x and other.memory is x.memory]
        return not (x.view or x.quiet or others or hasattr(x.memory, "loose"))

    @rule(on=st.booleans())
    def set_grad_enabled(self, on: bool) -> None:
        self.grad = on
        for library in self.libraries:
            library.set_grad_enabled(on)

    @rule(i=which)
    def retain_grad(self, i: int) -> None:
        def naively() -> None:
            self.pick(i).retains = not self.pick(i).is_leaf

        self.step(lambda t, x: x.retain_grad(), naively, (i,))

    # in place

    def change(self, call: Callable[..., Any], naive: Callable[[], Naive], *places: int) -> None:
        def naively() -> None:
            assert not refused, "a leaf was changed"
            x.overwrite(naive(), self.grad)
            self.changed = True

        x = self.pick(places[0])
        recording = self.grad and any(self.pick(i).history.requires_grad for i in places)
        refused = recording and x.must_not_change()
        if recording and not refused and hasattr(x.memory, "leaf_views"):
            return  # they would become what their base has become
        if self.step(lambda t, *xs: call(*xs), naively, places) is None and hasattr(x.memory, "fragile"):
            self.cut()

    @rule(name=st.sampled_from([*UNARY]), i=which)
    def unary_in_place(self, name: str, i: int) -> None:
        self.change(lambda x: getattr(x, name + "_")(), lambda: unary(name, self.pick(i), self.grad), i)

    @rule(name=st.sampled_from([*BINARY]), i=which, j=which)
    def binary_in_place(self, name: str, i: int, j: int) -> None:
        self.change(
            lambda a, b: getattr(a, name + "_")(b),
            lambda: binary(name, self.pick(i), self.pick(j), self.grad),
            *(i, j),
        )

    @rule(i=which, value=number)
    def fill(self, i: int, value: float) -> None:
        self.filled = self.filled or spread_out(self.pick(i))
        self.change(lambda x: x.fill_(value), lambda: Naive(np.full_like(self.pick(i).values, value)), i)

    @rule(i=which, j=which)
    def copy(self, i: int, j: int) -> None:
        def naively() -> Naive:
            x, source = self.pick(i), self.pick(j)
            return binary("mul", source, Naive(np.ones_like(x.values)), self.grad)

        if self.pick(i) is not self.pick(j):  # PyTorch does nothing then
            self.change(lambda x, source: x.copy_(source), naively, i, j)

    @rule(i=which, at=st.integers(0, 2), value=number)
    def set_item(self, i: int, at: int, value: float) -> None:
        if self.pick(i).values.ndim:
            self.set(i, at % len(self.pick(i).values), value)

    @rule(i=which, at=st.integers(0, 2), value=number)
    def set_items(self, i: int, at: int, value: float) -> None:
        if self.pick(i).values.ndim:
            self.set(i, [at % len(self.pick(i).values)], value)

    @rule(i=which, value=number)
    def set_masked(self, i: int, value: float) -> None:
        self.set(i, lambda x: x > 0.4, value)

    def set(self, i: int, index: Any, value: float) -> None:
        """x[index] = value: a change of all, whose other numbers stay what they were."""
        if spread_out(self.pick(i)):  # some ways of writing to it PyTorch lets pass
            return

        def set_item(x: Any) -> None:
            x[index(x) if callable(index) else index] = value

        def naively() -> Naive:
            x, new = self.pick(i), Naive(np.full_like(self.pick(i).values, value))
            inside = np.zeros(x.values.shape, dtype=bool)
            inside[index(x.values) if callable(index) else index] = True
            new.values[~inside] = x.values[~inside]
            new.cells[~inside] = x.cells[~inside]
            return new

        self.change(set_item, naively, i)

    @rule(i=which, j=which, at=st.integers(0, 2))
    def set_item_to_tensor(self, i: int, j: int, at: int) -> None:
        x, y = self.pick(i), self.pick(j)
        fits = x.values.ndim and not spread_out(x) and y.values.shape == x.values.shape[1:]
        if fits and x.memory is not y.memory:
            at %= len(x.values)

            def set_item(x: Any, y: Any) -> None:
                x[at] = y

            def naively() -> Naive:
                new = Naive(x.values.copy(), x.cells.copy(), history=y.history)
                new.values[at] = y.values
                new.cells[at] = y.cells if y.values.ndim else y.cells[()]
                return new

            self.change(set_item, naively, i, j)

    # backward

    @rule(i=which, name=st.sampled_from([*INDICES]))
    def set_indexed(self, i: int, name: str) -> None:
        """x[index] = other numbers at every place, in PyTorch's order."""
        index, naively = INDICES[name]
        x = self.pick(i)
        if spread_out(x) or not self.fits(naively, i) or self.repeats(naively, x):
            return
        new = np.linspace(0.1, 0.9, naively(x.values).size).reshape(naively(x.values).shape)

        def changed() -> Naive:
            made = Naive(x.values.copy(), x.cells.copy(), history=x.history)
            places = naively(np.arange(x.values.size).reshape(x.values.shape)).reshape(-1)
            made.values.reshape(-1)[places] = new.reshape(-1)
            for place in places:
                made.cells.reshape(-1)[place] = Naive(0.0).cells[()]
            return made

        def set_item(x: Any) -> None:
            x[index] = x.new_tensor(new)

        self.change(set_item, changed, i)

    def repeats(self, naively: Callable[..., Any], x: Naive) -> bool:
        places = naively(np.arange(x.values.size).reshape(x.values.shape))
        return len(set(places.flat)) < places.size

    @rule(i=which, weight=number, retain=st.booleans(), create=st.booleans())
    def backward(self, i: int, weight: float, retain: bool, create: bool = False) -> None:
        def naively() -> None:
            self.pick(i).backward(self.naive, weight)
            self.freed = self.freed or not (retain or create)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # create_graph makes a cycle
            error = self.step(
                lambda t, x: x.backward(
                    weight * t.arange(1.0, 1.0 + x.numel(), dtype=t.float64).reshape(x.shape),
                    retain_graph=retain or create,
                    create_graph=create,
                ),
                naively,
                (i,),
            )
        if error is not None:
            because_of = {
                "modified by an inplace operation": self.changed,
                "does not require grad": not self.pick(i).history.requires_grad or self.pick(i).quiet,
                "a second time": self.freed,
                "more than one element of the written-to": self.filled,
            }
            assert any(text in error and possible for text, possible in because_of.items()), error
            self.cut()

    @rule(i=which)
    def zero_grad(self, i: int) -> None:
        for x in (*(pool[i % len(pool)] for pool in self.pools), self.pick(i)):
            x.grad = None

    # -- what must hold after every step -------------------------------------------------------------

    @invariant()
    def all_agree(self) -> None:
        for x, *tensors in zip(self.naive, *self.pools, strict=True):
            known = tuple(x.values.shape), x.history.requires_grad, x.is_leaf, x.memory.version
            for t in tensors:
                assert (tuple(t.shape), t.requires_grad, t.is_leaf, t._version) == known
                close(t.detach().numpy(), x.values)
            if not (x.view and x.memory.version and hasattr(x.memory, "loose")):
                # PyTorch renames a view's node after a change of a leaf, or by who is detached, too
                assert len({t.grad_fn and t.grad_fn.name() for t in tensors}) == 1
            assert len({t.retains_grad for t in tensors}) == 1
            if x.is_leaf or x.retains:
                grads = [None if t.grad is None else t.grad.detach().numpy() for t in tensors]
                assert len({g is None for g in grads}) == 1
                if x.is_leaf or not (x.view or getattr(x.history, "viewed", False)):  # a view has slopes of its own
                    grads.append(x.grad)
                grads = [np.zeros_like(x.values) if g is None else g for g in grads]
                for g in grads[1:]:
                    close(grads[0], g)
        if any(not (np.abs(x.values) < 1e3).all() for x in self.naive):
            self.cut()


def close(found: Any, right: Any) -> None:
    """Equal but for rounding, which large numbers make larger; where a slope is infinite the order decides."""
    assert found.shape == right.shape
    if np.isfinite(found).all() and np.isfinite(right).all():
        scale = np.abs(right).max(initial=1.0)
        assert np.allclose(found, right, rtol=1e-7, atol=1e-7 * scale), f"{found} is not {right}"


QUICK = settings(max_examples=100, stateful_step_count=25, deadline=None, suppress_health_check=[*HealthCheck])
DEEP = settings(QUICK, max_examples=150, stateful_step_count=40)


class TestAgainstTheNaive(Programs.TestCase):
    settings = QUICK


@pytest.mark.torch
def test_against_pytorch() -> None:
    torch = pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')

    class OfBoth(Programs):
        libraries = (minigrad, torch)

    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(OfBoth, settings=DEEP)


def test_gradients_of_one_number_spread_out_are_summed_apart() -> None:
    """A program that the machine can draw, and seldom does."""
    machine = Programs()
    machine.leaf((3,), 0.3, True)
    machine.sum(3, None)
    machine.backward(4, 0.5, True, create=True)
    machine.backward(3, 0.5, True)
    machine.all_agree()

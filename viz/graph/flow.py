"""The data flow of one run: every operation on tensors, also those through which no gradient flows.

Autograd records only operators that need a derivative. A transposed input, a mask or a frozen layer is not among them,
so a picture of autograd's graph alone lacks their arrows. Here each such operation becomes a `Quiet` node, which looks
like a node of autograd: it has a `name()` and `next_functions`. For an operator that autograd does record, `ends` has
its inputs without a gradient: what made each of them.

A tensor may die while the run goes on, and then its id is used again; so the maker of a tensor is kept with a weak
reference to it. Imports memory, names, refused, values. Read module.py next.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from .memory import span, version
from .names import is_tensor
from .refused import name_of
from .values import Saved, is_leaf_end

End = tuple[Any, int]  # what made a tensor: a node of autograd, a Quiet or a Source; and the number of its output
BETWEEN = 2.0**-20  # from one quiet operation to the next, as a part of the distance between two sequence numbers


class Source:
    """A tensor that was there before the run, or that nothing made: a weight, an example, a constant."""

    __slots__ = ("changes", "shape", "variable", "was_recorded")

    def __init__(self, tensor: Any):
        self.variable, self.changes, self.shape = tensor, version(tensor), tuple(tensor.shape)
        self.was_recorded = has_history(tensor)

    @property
    def as_it_was(self) -> Any:
        """The tensor; or, if it has got a history since then, a constant in its place."""
        return self.variable if has_history(self.variable) == self.was_recorded else self.variable.detach()


class Quiet:
    """An operation whose results carry no gradient. in_place: it changed one of its inputs."""

    __slots__ = ("__weakref__", "_name", "in_place", "next_functions", "number", "shapes")

    def __init__(self, name: str, ends: Sequence[End], number: float, outputs: Iterable[Any], in_place: bool):
        self._name, self.next_functions, self.number, self.in_place = name, tuple(ends), number, in_place
        self.shapes = [tuple(each.shape) for each in outputs]

    def name(self) -> str:
        return self._name

    def _sequence_nr(self) -> float:
        return self.number


@dataclass
class Flow:
    """What was observed while a module ran.

    add_to: called with each quiet operation. hidden: is a layer running whose insides PyTorch computes in one step?
        Then quiet operations are no nodes, as in PyTorch; their results count as their first input.
    ends: by the id of an operator of autograd, its inputs that carry no gradient.
    """

    add_to: Callable[[Any], None] = lambda node: None
    hidden: Callable[[], bool] = lambda: False
    ends: dict[int, list[End]] = field(default_factory=dict)
    operators: list[Any] = field(default_factory=list)  # those of autograd themselves, so that no id is reused
    results: dict[int, Any] = field(default_factory=dict)  # by the id of the operator
    changing: set[int] = field(default_factory=set)  # ids of operators of autograd that changed an input in place
    # By the id of a tensor: the tensor, what made it, and whether it required a gradient then
    made: dict[int, tuple[weakref.ref[Any], End, bool]] = field(default_factory=dict)
    sources: dict[int, tuple[weakref.ref[Any], Source]] = field(default_factory=dict)
    # By the address of a storage: what changed a part of it, from and to which address, and the tensor, kept alive
    writers: dict[int, list[tuple[Any, int, int, Any]]] = field(default_factory=dict)
    last: float = -1.0
    # The last operation, its first input with its version, all its inputs, and what had made them
    latest: tuple[Any, list[tuple[Any, int | None]], list[Any], Sequence[Any]] = (None, [], [], [])

    def __call__(
        self, name: str, inputs: Sequence[Any], outputs: Sequence[Any], changed: Sequence[Any], before: Sequence[Any]
    ) -> None:
        """One operation has run. changed: the inputs that it has changed in place by now. before: the operators that
        had made its inputs when it began."""
        self.settle()
        results = [each for each in outputs if is_tensor(each) and all(each is not other for other in inputs)]
        results += [each for each in changed if all(each is not other for other in results)]
        tensors = [each for each in inputs if is_tensor(each)]
        if not results or not tensors:
            return  # it gave a number, a shape, its input unchanged, or a new constant
        recorded = [each for each in results if each.grad_fn is not None]
        if recorded:
            self.attach([each.grad_fn for each in recorded], tensors, before, bool(changed))
            for each in recorded:
                self.results[id(each.grad_fn)] = each
        quiet = [each for each in results if each.grad_fn is None]
        for each in quiet if recorded else ():  # the indices that `max` gives beside the values
            number = next(i for i, output in enumerate([*outputs, *changed]) if output is each)
            self.made[id(each)] = weakref.ref(each), (recorded[0].grad_fn, number), each.requires_grad
        if quiet and not recorded and self.hidden():
            for each in quiet:
                self.made[id(each)] = weakref.ref(each), self.ends_of(tensors[0])[0], each.requires_grad
        elif quiet and not recorded:
            self.last += BETWEEN
            ends = [end for each in tensors for end in self.ends_of(each)]
            node = Quiet(name_of(name), ends, self.last, quiet, bool(changed))
            for number, each in enumerate(quiet):
                self.made[id(each)] = weakref.ref(each), (node, number), each.requires_grad
            self.wrote(node, changed)
            self.add_to(node)
            self.latest = node, [(each, version(each)) for each in tensors[:1]], tensors, before
        elif recorded:
            self.latest = recorded[-1].grad_fn, [(each, version(each)) for each in tensors[:1]], tensors, before

    def settle(self) -> None:
        """minigrad reports an operation before it writes the result into the input that is changed in place. If that is
        a view, the operator is then inside of another one, `CopySlices`, which has its inputs."""
        node, inputs, tensors, before = self.latest
        self.latest = (None, [], [], [])
        changed = [each for each, before in inputs if version(each) != before]
        if isinstance(node, Quiet):
            node.in_place = node.in_place or bool(changed)
            self.wrote(node, [each for each in changed if each.grad_fn is None])
        elif changed and changed[0].grad_fn is not None:
            self.changing.add(id(node))
            self.attach([changed[0].grad_fn], tensors, before, True)

    def wrote(self, node: Quiet, changed: Sequence[Any]) -> None:
        """`node` has changed these tensors, and with them all others that share their memory."""
        for each in changed:
            self.made[id(each)] = weakref.ref(each), (node, 0), each.requires_grad
            if place := written(each):
                self.writers.setdefault(place[0], []).append((node, *place[1:], each))

    def attach(self, made: list[Any], tensors: list[Any], before: Sequence[Any], in_place: bool) -> None:
        """Give the inputs without a gradient to the operators that one call has made, which come after `before`: each
        to the first that lacks an input, else to the last one."""
        new, todo = {}, list(made)
        stop = {id(each) for each in before}
        while todo:
            fn = todo.pop()
            if fn is None or id(fn) in self.ends or id(fn) in stop or id(fn) in new or is_leaf_end(fn):
                continue
            new[id(fn)] = fn
            todo += [end for end, _ in fn.next_functions]
        order = sorted(new.values(), key=lambda fn: fn._sequence_nr())
        if not order:
            return
        self.last = max(self.last, float(order[-1]._sequence_nr()))
        for fn in order:
            self.operators.append(fn)
            self.ends[id(fn)] = []
        if in_place:
            self.changing.add(id(order[-1]))
        lacking = [fn for fn in order for end, _ in fn.next_functions if end is None]
        rest = [each for each in tensors if not each.requires_grad]
        if len(order) > 1:  # what an operator saved tells which input is its own
            for fn in list(lacking):
                memory = {place[0] for each in Saved(fn).tensors.values() if (place := span(each))}
                own = next((each for each in rest if (place := span(each)) and place[0] in memory), None)
                if own is not None:
                    self.ends[id(fn)] += self.ends_of(own)
                    lacking.remove(fn)
                    rest = [each for each in rest if each is not own]
        for i, end in enumerate(end for each in rest for end in self.ends_of(each)):
            self.ends[id(lacking[i] if i < len(lacking) else order[-1])].append(end)

    def ends_of(self, tensor: Any) -> list[End]:
        """What made a tensor, and what has changed its memory since through another tensor."""
        self.settle()
        if tensor.grad_fn is not None:
            return [(tensor.grad_fn, getattr(tensor, "output_nr", 0))]
        known = self.maker(tensor)
        first = (self.source(tensor), 0) if known is None else known
        born = known[0].number if known and isinstance(known[0], Quiet) else -inf
        later = []
        if place := written(tensor):
            start, low, high = place
            for node, begin, end, changed in self.writers.get(start, ()):
                if changed is not tensor and node.number > born and begin < high and low < end:
                    later.append((node, 0))
        return [first, *later]

    def maker(self, tensor: Any) -> End | None:
        """The quiet operation that made a tensor, and the number of its output; None if none did."""
        if id(tensor) not in self.made:
            return None
        ref, end, needed = self.made[id(tensor)]
        # After `requires_grad_()` it is a leaf. (Under no_grad, a view of a leaf is one from the beginning.)
        return end if bool(tensor.requires_grad) == needed and ref() is tensor else None

    def source(self, tensor: Any) -> Source:
        ref, source = self.sources.get(id(tensor), (None, None))
        if source is None or ref is None or ref() is not tensor or source.changes != version(tensor):
            source = Source(tensor)
            self.sources[id(tensor)] = weakref.ref(tensor), source
        return source

    def unused(self) -> list[Any]:
        """The results that no operator has used."""
        used = {id(before) for fn in self.operators for before, _ in fn.next_functions}
        return [result for id_, result in self.results.items() if id_ not in used]


def has_history(tensor: Any) -> bool:
    return tensor.grad_fn is not None


def written(tensor: Any) -> tuple[int, int, int] | None:
    """The address of a tensor's storage, and where its own elements begin and end."""
    place = span(tensor)
    if place is None:
        return None
    return place[0], int(tensor.data_ptr()), place[1]

"""Finds everything behind some tensors: operators, what they saved, names, shared memory, and cuts (`detach`).

It reads `grad_fn`, `next_functions`, `_sequence_nr`, `variable`, `_saved_*`, `requires_grad`, and what memory.py reads.
It draws nothing and guesses nothing. Imports flow, memory, names, order, values. Read autograd.py next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from .flow import Flow, Quiet, Source
from .memory import storages, version
from .names import has_readable_history
from .order import in_order
from .values import Saved, is_leaf_end


class Found:
    """What is behind `tensors`. Objects are identified by `id`, so each of them is kept alive until the end.

    flow: what was observed while the operators ran, if it was; then operations without a gradient are found, too.
    saved: by the id of an operator, what it had saved before a backward pass freed it, if that was recorded.
    The key of a value is (operator, output number), or the leaf itself, by id. Tensors become keys here; the readers of
    a `Found` use only keys.
    """

    def __init__(
        self,
        tensors: list[Any],
        names: list[tuple[str, Any]],
        saved: Mapping[int, Saved] | None = None,
        flow: Flow | None = None,
    ):
        self.known_saved, self.flow = saved or {}, flow or Flow()
        self.kept_alive: list[Any] = []
        self.tensors: dict[Any, Any] = {}  # key -> tensor
        self.names: dict[Any, str] = {}  # key -> the reader's name for it
        self.operators: list[Any] = []  # in the order in which they ran
        self.saved: dict[int, Saved] = {}  # id of an operator -> what it saved
        self.kept: dict[int, dict[str, Any]] = {}  # id of an operator -> the keys of the tensors that it saved, by name
        self.stale: set[Any] = set()  # keys of tensors whose numbers have changed since
        self._inputs: dict[int, list[Any]] = {}
        for name, tensor in names:
            if has_readable_history(tensor):  # any other tensor is in no graph
                self.names.setdefault(self.know(tensor), name)
                if self.flow.maker(tensor):
                    self.names.setdefault(id(tensor), name)  # it was changed in place: as it was before
        self.roots = [self.know(tensor) for tensor in tensors]
        self.read([fn for tensor in tensors for fn, _ in self.flow.ends_of(tensor) if not is_leaf_end(fn)])
        self.find_storages()
        self.cuts: dict[Any, Any] = {}
        while (cuts := self.find_cuts()).keys() - self.cuts:  # there may be another cut behind a cut
            self.cuts = cuts
            self.read([self.tensors[source].grad_fn for source in self.cuts.values()])
            self.find_storages()

    def key(self, tensor: Any) -> Any:
        fn = tensor.grad_fn
        self.kept_alive.append(tensor if fn is None else fn)
        if fn is None and (end := self.flow.maker(tensor)) is not None:
            return id(end[0]), end[1]
        return id(tensor) if fn is None else (id(fn), getattr(tensor, "output_nr", 0))

    def know(self, tensor: Any) -> Any:
        key = self.key(tensor)
        self.tensors.setdefault(key, tensor)
        return key

    def before(self, fn: Any) -> tuple[tuple[Any, int], ...]:
        """Autograd's edges: pairs (the node that made an input of `fn`, or None; the number of its output)."""
        found = fn.next_functions
        self.kept_alive.append(found)
        return found

    def ends(self, fn: Any) -> tuple[Any, ...]:
        """What made the inputs of `fn`, also those that carry no gradient."""
        observed = self.flow.ends.get(id(fn))
        if observed is None:  # PyTorch reports no call of a reader's Function; what it saved is known
            saved = self.saved[id(fn)].tensors.values() if id(fn) in self.saved else ()
            observed = [end for each in saved if (end := self.flow.maker(each)) is not None]
        return (*self.before(fn), *observed)

    def key_of(self, end: tuple[Any, int]) -> Any:
        """The key of what `end` made: (an operator, the number of its output)."""
        fn, number = end
        if not is_leaf_end(fn):
            return id(fn), number
        if not isinstance(fn, Source):
            return self.know(fn.variable)
        tensor = fn.as_it_was  # a quiet operation may have changed it since, which is then its maker
        self.kept_alive.append(tensor)
        self.tensors.setdefault(id(tensor), tensor)
        if fn.changes != version(fn.variable):
            self.stale.add(id(tensor))
        return id(tensor)

    def inputs(self, fn: Any) -> list[Any]:
        """The keys of the inputs of `fn`, in order; None for an input that needs no gradient."""
        if id(fn) not in self._inputs:
            self._inputs[id(fn)] = [
                None if end is None else self.key_of((end, number)) for end, number in self.before(fn)
            ]
        return self._inputs[id(fn)]

    def quiet_shape(self, key: Any) -> tuple[int, ...] | None:
        """The shape of a value that a quiet operation has made; None for any other."""
        fn = self.by_id.get(key[0])
        return fn.shapes[key[1]] if isinstance(fn, Quiet) else None

    def read(self, ends: list[Any]) -> None:
        """Find all operators before `ends`, and what they saved. Not recursive, because a graph may be deep."""
        todo = [fn for fn in ends if fn is not None]
        while todo:
            fn = todo.pop()
            if id(fn) not in self.saved:
                self.operators.append(fn)
                self.saved[id(fn)] = saved = self.known_saved.get(id(fn)) or Saved(fn)
                self.kept[id(fn)] = {name: self.know(tensor) for name, tensor in saved.tensors.items()}
                todo += [end for end, _ in self.ends(fn) if end is not None and not is_leaf_end(end)]
        # Each of PyTorch's threads counts separately, so sequence numbers alone may put a node before its inputs.
        known = {id(fn): fn for fn in sorted(self.operators, key=lambda fn: fn._sequence_nr())}
        arrows = [(id(end), id_) for id_, fn in known.items() for end, _ in self.ends(fn) if id(end) in known]
        self.operators = [known[id_] for id_ in in_order(list(known), arrows)]
        self.by_id = known

    def find_storages(self) -> None:
        self.storages = storages(self.tensors)
        self.sharing: dict[int, list[Any]] = {}  # number of a storage -> keys
        for key, number in self.storages.items():
            self.sharing.setdefault(number, []).append(key)

    def called(self, key: Any) -> str:
        """The reader's name for a value; a constant without a name may be a view of a tensor that has one."""
        if key in self.names or isinstance(key, tuple) or self.tensors[key].requires_grad or key in self.cuts:
            return self.names.get(key, "")
        whole = [other for other in self.sharing.get(self.storages.get(key, -1), ()) if other in self.names]
        return f"{self.names[whole[0]]} (view)" if whole else ""

    def find_cuts(self) -> dict[Any, Any]:
        """For each leaf or constant that was detached from a history: the value with that history. Both are keys."""
        inputs = list(self.roots)
        for fn in self.operators:
            inputs += [*self.inputs(fn), *self.kept[id(fn)].values()]
        found = {}
        for key in dict.fromkeys(key for key in inputs if key in self.storages and not isinstance(key, tuple)):
            ours = self.tensors[key]
            others = [other for other in self.sharing[self.storages[key]] if self.was_cut(ours, other)]
            same = [other for other in others if tuple(self.tensors[other].shape) == tuple(ours.shape)]
            if others:
                found[key] = (same or others)[0]
        return found

    def was_cut(self, ours: Any, key: Any) -> bool:
        """Does the value `key` have a history that does not contain `ours`, a leaf or constant in the same memory?"""
        other = self.tensors[key]
        if not ours.requires_grad:
            return bool(other.requires_grad)
        if other.grad_fn is None:
            return False
        todo, seen = [other.grad_fn], set()
        while todo:
            fn = todo.pop()
            if fn is not None and id(fn) not in seen:
                seen.add(id(fn))
                if is_leaf_end(fn) and fn.variable is ours:
                    return False  # `key` is a view of `ours`
                todo += [end for end, _ in self.before(fn)]
        return True


def leaves_read(operators: Iterable[Any]) -> list[Any]:
    """The leaves that these operators read, each once."""
    ends = dict.fromkeys(end for fn in operators for end, _ in fn.next_functions if end is not None)
    return [end.variable for end in ends if is_leaf_end(end)]


def all_behind(*ends: Any, most: float = inf) -> list[Any]:
    """The operators `ends`, and all before them; if there are more than `most`, only some of them."""
    seen = {id(fn): fn for fn in ends}  # kept alive, so that no id is reused
    todo = list(seen.values())
    while todo and len(seen) < most:
        for before, _ in todo.pop().next_functions:
            if before is not None and id(before) not in seen and not is_leaf_end(before):
                seen[id(before)] = before
                todo.append(before)
    return list(seen.values())

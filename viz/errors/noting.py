"""Notes the reader's line of each operator of PyTorch, and of each change in place, for a second run of a program.

PyTorch itself does not say where a saved tensor was changed. `viz.clinic(lines=True)` enters a `TorchFunctionMode`,
which sees each call: it stores the line in the metadata of the nodes that the call made, with the storages and versions
of its tensors, and it lists the lines that raised a version. No tensor is kept alive. `python -m benchmarks.clinic`
measures what this costs.

Imports lines. Read guilty.py next, which reads the notes.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any

from . import lines

Place = tuple[str, int]  # a file name and the number of a line
MOST = 8  # changes that are kept for one storage
NEW = 200  # nodes of one call


class Notes:
    """The notes of one run. `start()` begins to note, `stop()` ends it."""

    def __init__(self) -> None:
        self.count = 0
        self.changes: dict[int, deque[tuple[int, Place]]] = {}  # storage -> (count, line)
        self.mode: Any = None

    def start(self) -> None:
        from torch.overrides import TorchFunctionMode

        notes = self

        class Noting(TorchFunctionMode):
            def __torch_function__(self, call: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
                given = [(tensor, version(tensor)) for tensor in tensors_in((args, kwargs or {}))]
                out = call(*args, **(kwargs or {}))
                notes.note(given, out)
                return out

        self.mode = Noting()
        self.mode.__enter__()

    def stop(self) -> None:
        mode, self.mode = self.mode, None
        if mode is not None:
            mode.__exit__(None, None, None)

    def note(self, given: list[tuple[Any, int]], out: Any) -> None:
        """Note what one call did to the tensors that it was given, and the nodes that it made."""
        changed = [tensor for tensor, before in given if version(tensor) != before]
        made = [tensor for tensor in tensors_in(out) if tensor.grad_fn is not None]
        made = [tensor for tensor in made if "made_at" not in tensor.grad_fn.metadata]
        if not changed and not made:
            return
        self.count += 1
        frame = lines.reader_below(sys._getframe(2))
        if frame is None:
            return
        place = frame.f_code.co_filename, frame.f_lineno
        if made:
            operands = [(storage(t), tuple(t.shape), before) for t, before in given]
            operands += [(storage(t), tuple(t.shape), version(t)) for t in made]
            for node in new_nodes(made):
                node.metadata.update(made_at=place, operands=operands, count=self.count)
        for tensor in changed:
            self.changes.setdefault(storage(tensor), deque(maxlen=MOST)).append((self.count, place))

    def changed(self, node: Any, text: str) -> Place | None:
        """The line that changed the tensor that a node saved, after the node was made; None if it is not certain."""
        size = re.search(r"\[([\d, ]*)\]\]?", text[text.find("FloatTensor") :])
        expected = re.search(r"expected version (\d+)", text)
        known = getattr(node, "metadata", {})
        if size is None or expected is None or "operands" not in known:
            return None
        shape = sorted(int(n) for n in size[1].split(",") if n.strip())
        found = set()
        for key, its, before in known["operands"]:
            if sorted(its) == shape and before == int(expected[1]):
                after = [place for count, place in self.changes.get(key, ()) if count > known["count"]]
                found.update(after[:1])
        return found.pop() if len(found) == 1 else None


def tensors_in(thing: Any) -> Iterator[Any]:
    """The tensors in the arguments or results of a call, also in lists in them."""
    import torch

    if isinstance(thing, torch.Tensor):
        yield thing
    elif isinstance(thing, tuple | list):
        for each in thing:
            yield from tensors_in(each)
    elif isinstance(thing, dict):
        for each in thing.values():
            yield from tensors_in(each)


def version(tensor: Any) -> int:
    return 0 if tensor.is_inference() else tensor._version


def storage(tensor: Any) -> int:
    try:
        return tensor.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):  # a sparse tensor has none
        return id(tensor)


def new_nodes(made: list[Any]) -> Iterator[Any]:
    """The nodes behind these tensors without a note; a call such as `cross_entropy` makes several."""
    todo, seen = [tensor.grad_fn for tensor in made], set[Any]()
    while todo and len(seen) < NEW:
        node = todo.pop()
        if node is None or node in seen or "made_at" in node.metadata or hasattr(node, "variable"):
            continue
        seen.add(node)
        yield node
        todo += [before for before, _ in node.next_functions]

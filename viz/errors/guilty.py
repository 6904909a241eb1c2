"""Finds the node that an error is about, if the error itself does not name it, as in PyTorch.

A node whose saved tensor was changed or freed raises the same error when that tensor is read. The line that made a node
is in its note or, in PyTorch's anomaly mode, in its stack trace.
Imports graph/, lines and programs. Read scene.py next.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..graph.found import all_behind
from ..graph.names import has_readable_history, is_tensor
from . import lines
from .programs import Program, found_line

MOST = 10_000  # nodes that are searched


def nodes_behind(roots: Iterable[Any]) -> list[Any]:
    """The operators behind some tensors, in the order in which a backward pass runs them: the newest comes first."""
    ends = [t.grad_fn for t in roots if is_tensor(t) and has_readable_history(t) and t.grad_fn is not None]
    return sorted(all_behind(*ends, most=MOST), key=lambda fn: -fn._sequence_nr())


def node_of(kind: str, text: str, roots: Iterable[Any]) -> Any:
    """The node that an error of this kind with this text is about; None if unknown."""
    name = re.search(r"[Ff]unction '?(\w+)'? returned", text)
    said = "a second time" if kind == "freed" else "modified by an inplace operation"
    for node in nodes_behind(roots):
        if plain(node) == name[1] if name else any(said in refusal for refusal in refusals(node)):
            return node
    return None


def plain(node: Any) -> str:
    return str(node.name()).rpartition("::")[2]


def ended(kind: str, node: Any, programs: list[Program]) -> lines.Line | None:
    """The line with which the `backward` of the reader's own Function ends, if the error is about what it returned."""
    if kind not in ("number of gradients", "shape of a gradient", "kind of a gradient"):
        return None
    for which, program in enumerate(programs):
        with contextlib.suppress(SyntaxError):
            classes = [c for c in ast.walk(ast.parse(program.text)) if isinstance(c, ast.ClassDef)]
            for one in (each for c in classes if plain(node) == f"{c.name}Backward" for each in c.body):
                ends = [each for each in ast.walk(one) if isinstance(each, ast.Return)]
                if isinstance(one, ast.FunctionDef) and one.name == "backward" and ends:
                    return found_line(programs, "returned", which, max(each.lineno for each in ends))
    return None


def refusals(node: Any) -> Iterator[str]:
    """The errors that a node raises when its saved tensors are read."""
    for name in dir(node):
        if name.startswith("_saved_") or name == "saved_tensors":
            try:
                getattr(node, name)
            except RuntimeError as error:
                yield str(error)


def made_at(node: Any) -> tuple[str, int] | None:
    """The place where the node's operator ran, if it was noted."""
    noted = getattr(node, "made_at", None)  # in minigrad
    if noted is None:
        noted = getattr(node, "metadata", {}).get("made_at")  # in PyTorch, from noting.py
    if noted is None:
        stack = "".join(getattr(node, "metadata", {}).get("traceback_", ()))  # in PyTorch's anomaly mode
        found = [(name, int(number)) for name, number in re.findall(r'File "(.+?)", line (\d+)', stack)]
        noted = next((place for place in reversed(found) if not place[0].startswith(lines.libraries())), None)
    return None if noted is None or noted[0].startswith(lines.libraries()) else noted


def a_weight_was_changed(text: str, names: Iterable[tuple[str, Any]]) -> bool:
    """Is the error about a tensor of the same size as a leaf that was changed in place?"""
    size = re.search(r"FloatTensor \[([\d, ]*)\]", text)
    if size is None or "modified by an inplace" not in text:
        return False
    shape = [int(n) for n in size[1].split(", ") if n]
    leaves = (t for _, t in names if t.requires_grad and t.grad_fn is None and t._version)
    return any(list(t.shape) in (shape, shape[::-1]) for t in leaves)

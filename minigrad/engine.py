"""The backward pass: from the roots' gradients to the leaves', highest sequence number first.

A node's inputs were always made before it, so when the highest waiting number is taken, everything that
feeds it has already arrived: no counting, no recursion. A `Form` says what the pass works on: plain
arrays, or Tensors under `create_graph=True` (its `F` is the table in that form, see rules.py). What
broadcasting spread out in forward is summed back here, for all operators at once.
Imports graph and accumulate; hooks and whatever else looks on at a pass stand in watched.py. Read next: forms.py.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, NamedTuple

from .accumulate import GROWING, grow
from .graph import Node
from .hooks import Watch
from .modes import modes
from .storage import TensorBase
from .watched import Wanted, count_uses, end_at, run_watched


class Form(NamedTuple):
    """What a pass works on: plain arrays, or Tensors. See forms.py."""

    F: Any  # the operator table
    unpack: Callable[..., Any]  # takes out what a node saved
    wrap: Callable[[Any], Any]  # to a Tensor, for hooks and `.grad`
    unwrap: Callable[[Any], Any]  # and back
    recorded: bool  # True: gradients are Tensors with a graph of their own


def run(roots: list[tuple[Any, Any]], form: Form, retain_graph: bool, wanted: Wanted | None = None) -> None:
    """Send each root's gradient down its edge and through the graph, into the leaves' `.grad`.

    `roots` are (edge, gradient). With `wanted`, only the way to those inputs is walked, and their
    gradients are kept in `wanted.found` instead.
    """
    F, unpack, recorded = form.F, form.unpack, form.recorded
    waiting: dict[Any, Any] = {}  # node -> the gradient of its output, summed so far
    leaves: dict[TensorBase, Any] = {}  # leaf -> its gradient, summed so far
    due: list[TensorBase] = []  # leaves whose last gradient is in, while somebody looks on
    watched = wanted is not None or modes.anomaly
    uses = count_uses(roots, wanted) if Watch.leaves or wanted is not None else None
    heap: list[tuple[int, Node]] = []
    node: Any = None  # which is running
    grad: Any = None  # of its output; None only where a Function gave none

    def arrive(edge: Any, g: Any) -> None:
        """A gradient at the end of its edge: fitted to the tensor there, added to what came before."""
        if isinstance(edge, Node):
            if g is not None and (g.shape != edge._shape or g.dtype is not edge._dtype):
                g = fit(F, g, edge._shape, edge._dtype)
            if edge not in waiting:
                waiting[edge] = g
                heappush(heap, (-edge._number, edge))
            elif g is not None:
                before = waiting[edge]
                waiting[edge] = g if before is None else before + g
        elif isinstance(edge, TensorBase):
            if g is not None:
                data = edge._data
                if g.shape != data.shape or g.dtype is not data.dtype:
                    g = fit(F, g, data.shape, data.dtype)
                if leaves.get(edge) is not None:
                    g = leaves[edge] + g
                elif not recorded and (g is grad or node is None or node.foreign or g.base is not None):
                    g = g.copy()  # perhaps somebody else's array: `add` hands the same one on twice
                leaves[edge] = g
            if uses is not None:
                uses[edge] -= 1
                if not uses[edge]:
                    due.append(edge)
        else:  # (node, which of its outputs)
            target, output = edge
            if target not in waiting:
                waiting[target] = [None] * target.outputs
                heappush(heap, (-target._number, target))
            if g is not None:
                g = fit(F, g, target._shape[output], target._dtype[output])
                before = waiting[target][output]
                waiting[target][output] = g if before is None else before + g

    for edge, g in roots:
        arrive(edge, g)
    while heap or due:
        if due:  # after what has sent it there has let go of what it had saved: a hook of the leaf's may raise
            leaf = due.pop(0)
            end_at(leaf, leaves.pop(leaf, None), form, wanted)
            continue
        node = heappop(heap)[1]
        grad = waiting.pop(node)
        if watched or node.watched:
            run_watched(node, grad, form, wanted, arrive, fit)
            if retain_graph or (wanted is not None and not wanted.way.get(node)):
                continue
            node.guards = node.guards and [None for _ in node.guards]
        elif grad is None and not node.foreign:
            node.pass_by()
            for edge in node.edges:
                if edge is not None:
                    arrive(edge, None)
        else:
            node.send(grad, F, unpack, arrive)
        if node.saves and not retain_graph:
            node.release()
    for leaf, g in leaves.items():
        if leaf._watched:
            end_at(leaf, g, form, wanted)
            continue
        with GROWING:
            if leaf._grad is None and not recorded and g.ndim < 2:
                leaf._grad = form.wrap(g)  # what `grow` would do, in half the time
            else:
                grow(leaf, g, form)


def fit(F: Any, grad: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Sum a gradient back over what broadcasting spread out, and cast it to the type of its tensor."""
    sizes = tuple(grad.shape)
    if sizes != shape:
        lead = len(sizes) - len(shape)
        if lead > 0 and sizes[lead:] == shape:  # axes in front, as the batch is for a bias; often a batch of one
            one = sizes[:lead] == (1,) * lead
            grad = grad[(0,) * lead] if one else F.sum_dim(grad, dim=tuple(range(lead)))
        else:
            spread = tuple(d for d, n in enumerate(sizes) if d < lead or (shape[d - lead] == 1 and n != 1))
            if lead < 0 or any(n != sizes[d + lead] and n != 1 for d, n in enumerate(shape)):
                raise RuntimeError(f"got {list(sizes)} but expected shape compatible with {list(shape)}")
            grad = F.reshape_to(F.sum_dim(grad, dim=spread, keepdim=True), size=shape)
    if getattr(grad.dtype, "numpy", grad.dtype) != dtype:
        grad = F.to_copy(grad, dtype=dtype)
    return grad

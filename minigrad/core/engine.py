"""The backward pass: from the roots' gradients to the leaves', highest sequence number first.

A node's inputs were always made before it, so when the highest waiting number is taken, everything
that feeds it has already arrived: no counting, no recursion. A `Form` says what the pass works on:
plain arrays, or Tensors under `create_graph=True`. What broadcasting spread out in forward is
summed back here, for all operators at once.
Imports node, seams and tensor. Next: forms.py.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, NamedTuple

from .node import Node
from .seams import seams
from .tensor import Tensor


class Form(NamedTuple):
    """What a pass works on: plain arrays, or Tensors. See forms.py."""

    F: Any  # the table in this form
    unpack: Callable[..., Any]  # takes out what a node saved
    wrap: Callable[[Any], Any]  # a gradient as a Tensor
    recorded: bool  # True: gradients are Tensors with a graph of their own


def run(roots: list[tuple[Any, Any]], form: Form, retain_graph: bool, guide: Any = None) -> None:
    """Send each root's gradient down its edge and through the graph, into the leaves' `.grad`.

    `roots` are (edge, gradient). What nodes saved is freed unless `retain_graph`. A `guide`
    looks on at the whole pass, or leads it elsewhere: see ../_engine/watched.py.
    """
    F, unpack, _, recorded = form
    waiting: dict[Any, Any] = {}  # node -> the gradient of its output, summed so far
    leaves: dict[Tensor, Any] = {}  # leaf -> its gradient, summed so far
    heap: list[tuple[int, Node]] = []
    guided = guide is not None  # a bool, since a guide may hold `arrive`: no cycle
    grad: Any = None  # what arrived at the running node; before the first node: what the user gave

    def arrive(edge: Any, g: Any) -> None:
        """A gradient at the end of its edge: fitted to the tensor there, added to what came before.
        None is no gradient (a user's Function may give none, and a list may hold some). It travels
        on, so that the nodes behind are still visited and their hooks called."""
        if isinstance(edge, Node):
            if g is not None and (g.shape != edge._shape or g.dtype is not edge._dtype):
                g = fit(F, g, edge._shape, edge._dtype)
            if edge not in waiting:
                waiting[edge] = g
                heappush(heap, (-edge._number, edge))
            elif g is not None:
                before = waiting[edge]
                waiting[edge] = g if before is None else before + g
        elif isinstance(edge, Tensor):
            if g is not None:
                data = edge._data
                if g.shape != data.shape or g.dtype is not data.dtype:
                    g = fit(F, g, data.shape, data.dtype)
                if edge in leaves:
                    g = leaves[edge] + g
                elif not recorded and (g is grad or (guided and g.base is not None)):
                    # `.grad` will grow in place (`arrive_leaves`), so it needs an array of its own.
                    # This array may be the one that arrived at the running node, which `add` sends
                    # to both inputs; or the user's own; or, if a guide lets hooks change arrays, a
                    # view of such a one. Without a guide, views are copied at the end
                    g = g.copy()
                leaves[edge] = g
        else:  # (node, which of its outputs): those of the other outputs come before its turn
            target, output = edge
            if target not in waiting:
                waiting[target] = [None] * target.outputs
                heappush(heap, (-target._number, target))
            if g is not None:
                g = fit(F, g, target._shape[output], target._dtype[output])
                before = waiting[target][output]
                waiting[target][output] = g if before is None else before + g

    around = seams.around_node
    if guided:  # the guide is asked at each arrival and each node
        arrive, around = guide.arrivals(arrive, leaves), guide.around_node
    for edge, grad in roots:
        arrive(edge, grad)
    while heap:
        node = heappop(heap)[1]
        grad = waiting.pop(node)
        if guided or node.watched or grad is None:
            around(node, grad, form, arrive, retain_graph)
        else:
            node.send(grad, F, unpack, arrive)
            if node.saves and not retain_graph:
                node.release()
    grad = None  # from here on, nothing but `leaves` holds the arrays of gradients
    seams.arrive_leaves(leaves, form)


def around_node(node: Node, grad: Any, form: Form, arrive: Any, retain_graph: bool) -> None:
    """Run a node after `retain_grad` was called on what it made; or one to which no gradient came,
    which hands on none."""
    retain(node, grad, form)
    if grad is None:
        for edge in node.edges:
            if edge is not None:
                arrive(edge, None)
        return
    node.send(grad, form.F, form.unpack, arrive)
    if not retain_graph:
        node.release()


def retain(node: Node, grad: Any, form: Form) -> None:
    """Add the gradients of a node's outputs to the `.grad` of those that retain it."""
    for output, ref in (node.retains or {}).items():
        tensor, g = ref(), grad[output] if isinstance(grad, list) else grad
        if tensor is not None and g is not None:
            arrive_leaves({tensor: g if form.recorded else g.copy()}, form)


def arrive_leaves(leaves: dict[Tensor, Any], form: Form) -> None:
    """The gradients of these leaves are complete: `.grad` becomes larger by them. It stays the same
    tensor with other numbers, unless the sum has to be recorded."""
    for leaf, grad in leaves.items():
        before = leaf._grad
        if before is None:
            view = not form.recorded and grad.base is not None
            leaf._grad = form.wrap(grad.copy() if view else grad)
        elif form.recorded:
            leaf._grad = before + grad
        else:
            before.versions()[0] += 1
            before._data += grad


seams.around_node, seams.arrive_leaves = around_node, arrive_leaves


def fit(F: Any, grad: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Sum a gradient back over what broadcasting spread out; cast it to the type of its tensor."""
    sizes = tuple(grad.shape)
    if sizes != shape:
        lead = len(sizes) - len(shape)
        if lead > 0 and sizes[lead:] == shape:  # axes in front, as the batch is for a bias
            one = sizes[:lead] == (1,) * lead
            grad = grad[(0,) * lead] if one else F.sum_dim(grad, dim=tuple(range(lead)))
        else:
            pairs = [(n, 1 if d < lead else shape[d - lead]) for d, n in enumerate(sizes)]
            if lead < 0 or any(n != m and m != 1 for n, m in pairs[lead:]):
                text = f"got {list(sizes)} but expected shape compatible with {list(shape)}"
                raise RuntimeError(text)
            spread = tuple(d for d, (n, m) in enumerate(pairs) if d < lead or (m == 1 and n != 1))
            grad = F.reshape_to(F.sum_dim(grad, dim=spread, keepdim=True), size=shape)
    now = grad._data.dtype if isinstance(grad, Tensor) else grad.dtype
    return grad if now is dtype or now == dtype else F.to_copy(grad, dtype=dtype)

"""The backward pass: from the roots to the leaves, the node with the highest `_number` first.

Nodes are numbered as they are made, so every node that sends a gradient to this one has a higher
number and has already run. The pass needs no counting and no recursion. A `Form` says whether it
works on plain arrays, or on Tensors (for `create_graph=True`). If broadcasting expanded an operand
in forward, `fit` sums its gradient over the expanded axes, for all operators in one place.
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
    """Whether a pass works on plain arrays or on Tensors; forms.py makes the two."""

    F: Any  # the table of operators, on arrays or on Tensors
    unpack: Callable[..., Any]  # reads what a node saved
    wrap: Callable[[Any], Any]  # turns a gradient into a Tensor
    recorded: bool  # True: gradients are Tensors, and the operators on them are recorded


def run(roots: list[tuple[Any, Any]], form: Form, retain_graph: bool, guide: Any = None) -> None:
    """Send each root's gradient along its edge and through the graph, into the leaves' `.grad`.

    `roots` are pairs (edge, gradient). Unless `retain_graph`, what nodes saved is freed. A `guide`
    observes or redirects the whole pass, as for `autograd.grad`; the core itself has none.
    """
    F, unpack, _, recorded = form
    waiting: dict[Any, Any] = {}  # node -> the gradient of its output, summed so far
    leaves: dict[Tensor, Any] = {}  # leaf -> its gradient, summed so far
    heap: list[tuple[int, Node]] = []
    guided = guide is not None  # for `arrive`: it must not refer to `guide`, which refers to it
    grad: Any = None  # the gradient of the running node; before the first node, of the root

    def arrive(edge: Any, g: Any) -> None:
        """Give a gradient `g` the shape and type of the tensor at the end of its edge, and add it
        to the sum that waits there. None means no gradient: a user's Function may return it. The
        node at the end of the edge still runs, because it may have hooks."""
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
                    # This array may become `.grad`, and later backwards add to `.grad` in place.
                    # So nothing else may use it. But `add` sends the same array, `grad`, to both
                    # its inputs, and the array of a root is the user's. Views are copied by
                    # `arrive_leaves`; with a guide already here, because hooks may change arrays
                    g = g.copy()
                leaves[edge] = g
        else:  # (node, output index); the gradients of all its outputs come before the node runs
            target, output = edge
            if target not in waiting:
                waiting[target] = [None] * target.outputs
                heappush(heap, (-target._number, target))
            if g is not None:
                g = fit(F, g, target._shape[output], target._dtype[output])
                before = waiting[target][output]
                waiting[target][output] = g if before is None else before + g

    around = seams.around_node
    if guided:  # the guide takes part at each arrival and each node
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
    grad = None  # no longer refer to the last array: then `arrive_leaves` need not copy it
    seams.arrive_leaves(leaves, form)


def around_node(node: Node, grad: Any, form: Form, arrive: Any, retain_graph: bool) -> None:
    """Run a node whose output retains its gradient. A node that got no gradient (None) sends None
    along all its edges."""
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
    """Add a node's gradient to the `.grad` of each output that retains it."""
    for output, ref in (node.retains or {}).items():
        tensor, g = ref(), grad[output] if isinstance(grad, list) else grad
        if tensor is not None and g is not None:
            arrive_leaves({tensor: g if form.recorded else g.copy()}, form)


def arrive_leaves(leaves: dict[Tensor, Any], form: Form) -> None:
    """Add the complete gradients to the leaves' `.grad`: in place, or as a new tensor if the sum
    has to be recorded."""
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
    """Sum a gradient over the axes that broadcasting expanded; cast it to its tensor's type."""
    sizes = tuple(grad.shape)
    if sizes != shape:
        lead = len(sizes) - len(shape)
        if lead > 0 and sizes[lead:] == shape:  # only extra axes in front, as a batch for a bias
            one = sizes[:lead] == (1,) * lead  # then there is nothing to sum
            grad = F.reshape_to(grad, size=shape) if one else F.sum_dim(grad, dim=(*range(lead),))
        else:
            pairs = [(n, 1 if d < lead else shape[d - lead]) for d, n in enumerate(sizes)]
            if lead < 0 or any(n != m and m != 1 for n, m in pairs[lead:]):
                text = f"got {list(sizes)} but expected shape compatible with {list(shape)}"
                raise RuntimeError(text)
            spread = tuple(d for d, (n, m) in enumerate(pairs) if d < lead or (m == 1 and n != 1))
            grad = F.reshape_to(F.sum_dim(grad, dim=spread, keepdim=True), size=shape)
    now = grad._data.dtype if isinstance(grad, Tensor) else grad.dtype
    return grad if now is dtype or now == dtype else F.to_copy(grad, dtype=dtype)

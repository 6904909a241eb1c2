"""The backward pass: from the roots' gradients to the leaves', highest sequence number first.

A node's inputs were always made before it, so when the highest waiting number is taken, everything that
feeds it has already arrived: no counting, no recursion. A `Form` says what the pass works on: plain
arrays, or Tensors under `create_graph=True` (its `F` is the table in that form, see rules.py). What
broadcasting spread out in forward is summed back here, for all operators at once.
Read next: forms.py.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, NamedTuple

from . import anomaly
from .graph import AccumulateGrad, Node, Watch
from .modes import modes
from .storage import TensorBase


class Form(NamedTuple):
    """What a pass works on: plain arrays, or Tensors. See forms.py."""

    F: Any  # the operator table
    unpack: Callable[..., Any]  # takes out what a node saved
    wrap: Callable[[Any], Any]  # to a Tensor, for hooks and `.grad`
    unwrap: Callable[[Any], Any]  # and back
    recorded: bool  # True: gradients are Tensors with a graph of their own


class Wanted:
    """The way to chosen inputs, for `autograd.grad`, which collects what arrives there, and `backward(inputs=…)`."""

    def __init__(self, inputs: list[Any], roots: list[Any], collect: bool):
        self.collect = collect
        self.at: dict[Any, list[int]] = {}  # node or leaf -> which of its outputs are asked for
        for edge in inputs:
            target, output = edge if isinstance(edge, tuple) else (edge, 0)
            self.at.setdefault(target, []).append(output)
        self.way: dict[Any, bool] = {}  # what lies on the way -> must it run, or only be reached?
        self.found: dict[tuple[Any, int], Any] = {}
        for target in reachable(roots):  # lowest number first: every edge is judged before who holds it
            edges = target.edges if isinstance(target, Node) else ()
            runs = any((edge[0] if isinstance(edge, tuple) else edge) in self.way for edge in edges)
            if runs or target in self.at:
                self.way[target] = runs or not collect

    def keep(self, target: Any, output: int, grad: Any) -> None:
        if self.collect and output in self.at.get(target, ()) and grad is not None:
            self.found[target, output] = grad


def reachable(roots: list[Any]) -> list[Any]:
    """Every leaf and node behind these edges: leaves first, then nodes by rising sequence number."""
    seen: set[Any] = set()
    todo = list(roots)
    while todo:
        edge = todo.pop()
        target = edge[0] if isinstance(edge, tuple) else edge
        if target is not None and target not in seen:
            seen.add(target)
            if isinstance(target, Node):
                todo.extend(target.edges)
    return sorted(seen, key=lambda target: target._number if isinstance(target, Node) else -1)


def run(roots: list[tuple[Any, Any]], form: Form, retain_graph: bool, wanted: Wanted | None = None) -> None:
    """Send each root's gradient down its edge and through the graph, into the leaves' `.grad`.

    `roots` are (edge, gradient). With `wanted`, only the way to those inputs is walked, and their
    gradients are kept in `wanted.found` instead.
    """
    F, unpack, recorded = form.F, form.unpack, form.recorded
    waiting: dict[Any, Any] = {}  # node -> the gradient of its output, summed so far
    leaves: dict[TensorBase, Any] = {}  # leaf -> its gradient, summed so far
    watched = wanted is not None or modes.anomaly
    uses = count_uses(roots) if Watch.leaves or watched else None
    heap: list[tuple[int, Node]] = []
    node: Any = None  # which is running
    grad: Any = None  # of its output

    def arrive(edge: Any, g: Any) -> None:
        """A gradient at the end of its edge: fitted to the tensor there, added to what came before."""
        if isinstance(edge, Node):
            if g is None:
                return
            if g.shape != edge._shape or g.dtype is not edge._dtype:
                g = fit(F, g, edge._shape, edge._dtype)
            if edge in waiting:
                waiting[edge] = waiting[edge] + g
            else:
                waiting[edge] = g
                heappush(heap, (-edge._number, edge))
        elif isinstance(edge, TensorBase):
            if g is not None:
                data = edge._data
                if g.shape != data.shape or g.dtype is not data.dtype:
                    g = fit(F, g, data.shape, data.dtype)
                if edge in leaves:
                    g = leaves[edge] + g
                elif not recorded and (g is grad or node is None or node.foreign or g.base is not None):
                    g = g.copy()  # perhaps somebody else's array: `add` hands the same one on twice
                leaves[edge] = g
            if uses is not None:
                uses[edge] -= 1
                if not uses[edge] and edge in leaves:
                    accumulate(edge, leaves.pop(edge), form, wanted)
        elif g is not None:  # (node, which of its outputs)
            target, output = edge
            if target not in waiting:
                waiting[target] = [None] * target.outputs
                heappush(heap, (-target._number, target))
            g = fit(F, g, target._shape[output], target._dtype[output])
            before = waiting[target][output]
            waiting[target][output] = g if before is None else before + g

    for edge, g in roots:
        arrive(edge, g)
    while heap:
        node = heappop(heap)[1]
        grad = waiting.pop(node)
        if watched or node.watched:
            run_watched(node, grad, form, wanted, arrive)
            if retain_graph or (wanted is not None and not wanted.way.get(node)):
                continue
            node.guards = node.guards and [None for _ in node.guards]
        else:
            node.send(grad, F, unpack, arrive)
        if node.saves and not retain_graph:
            node.release()
    for leaf, g in leaves.items():
        if leaf._watched or leaf._grad is not None or wanted is not None:
            accumulate(leaf, g, form, wanted)
        else:
            leaf._grad = form.wrap(g)


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


def run_watched(node: Node, grad: Any, form: Form, wanted: Wanted | None, arrive: Callable[..., None]) -> None:
    """Run one node for those who look on, in PyTorch's order: tensor hooks, what retain_grad and
    autograd.grad keep, the node's pre-hooks, the node, its hooks."""
    before = modes.set(grad=form.recorded)  # what hooks compute is recorded only under create_graph
    try:
        out = _run_watched(node, grad, form, wanted)
    finally:
        modes.set(**before)
    for edge, g in zip(node.edges, out, strict=True):
        if edge is not None:
            arrive(edge, g)


def _run_watched(node: Node, grad: Any, form: Form, wanted: Wanted | None) -> tuple[Any, ...]:
    several = isinstance(grad, list)
    grads = grad if several else [grad]
    for saved in node.guards or ():
        form.unpack(saved, node)
    if node.tensor_hooks or node.retains:
        tensors: list[Any] = [None if g is None else form.wrap(g) for g in grads]
        for output, hooks in (node.tensor_hooks or {}).items():
            if tensors[output] is not None:
                tensors[output] = call_hooks(hooks, tensors[output])
        for output, ref in (node.retains or {}).items():
            keeper = ref()
            if keeper is not None and tensors[output] is not None:
                before: Any = keeper._grad
                keeper._grad = keep_apart(tensors[output], form) if before is None else before + tensors[output]
        grads = [None if t is None else form.unwrap(t) for t in tensors]
    if wanted is not None:
        for output, g in enumerate(grads):
            wanted.keep(node, output, g)
        if not wanted.way.get(node):
            return (None,) * len(node.edges)
    for hook in list((node.pre_hooks or {}).values()):
        given = tuple(None if g is None else form.wrap(g) for g in grads)
        grads = [None if t is None else form.unwrap(t) for t in replaced_by(hook, given)]
    try:
        out = node.backward(grads if several else grads[0], form.F, form.unpack)
    except Exception:
        if modes.anomaly:
            anomaly.explain(node)
        raise
    if modes.anomaly:
        anomaly.check(node, out)
    if node.post_hooks:
        results = tuple(None if g is None else form.wrap(g) for g in out)
        given = tuple(None if g is None else form.wrap(g) for g in grads)
        for hook in list(node.post_hooks.values()):
            results = replaced_by(hook, results, given)
        out = tuple(None if t is None else form.unwrap(t) for t in results)
    if wanted is not None:  # what leads elsewhere stops here
        targets = (edge[0] if isinstance(edge, tuple) else edge for edge in node.edges)
        out = tuple(g if target in wanted.way else None for g, target in zip(out, targets, strict=True))
    return out


def hook_name(hook: Any) -> str:
    return str(getattr(hook, "__name__", hook))


def replaced_by(hook: Any, given: tuple[Any, ...], *others: Any) -> tuple[Any, ...]:
    """What a node's hook makes of the gradients it is given: others, or the same if it returns None."""
    out = hook(given, *others)
    if out is None:
        return given
    if not isinstance(out, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(out).__name__}'")
    if len(out) != len(given):
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has returned an incorrect number of values (got {len(out)}, but expected "
            f"{len(given)})"
        )
    return out


def call_hooks(hooks: dict[int, Any], grad: TensorBase) -> TensorBase:
    """A tensor's hooks, in order of registration; what one returns replaces the gradient."""
    for hook in list(hooks.values()):
        replaced = hook(grad)
        if replaced is None:
            continue
        if not isinstance(replaced, TensorBase):
            raise TypeError(f"expected Variable, but hook returned '{type(replaced).__name__}'")
        if replaced._data.shape != grad._data.shape:
            raise RuntimeError(f"hook '{hook_name(hook)}' has changed the size of value")
        if replaced._data.dtype != grad._data.dtype:
            raise RuntimeError(
                f"hook '{hook_name(hook)}' has changed the type of value (was {grad.type()} got {replaced.type()})"
            )
        grad = replaced
    return grad


def keep_apart(tensor: Any, form: Form) -> Any:
    """A gradient that outlives the pass must not share its array with one still under way."""
    return tensor if form.recorded else form.wrap(form.unwrap(tensor).copy())


def accumulate(leaf: TensorBase, grad: Any, form: Form, wanted: Wanted | None = None) -> None:
    """A leaf's own end of the pass: its hooks, then `.grad` grows by the gradient, in place where it can."""
    node = leaf._accumulator if isinstance(leaf._accumulator, AccumulateGrad) else None  # if it has hooks
    if leaf._watched and (leaf._hooks or (node is not None and node.pre_hooks)):
        tensor = call_hooks(leaf._hooks or {}, form.wrap(grad))
        for hook in list((node.pre_hooks or {}).values() if node else ()):
            replaced = hook((tensor,))
            tensor = tensor if replaced is None else replaced[0] if isinstance(replaced, tuple) else replaced
        grad = form.unwrap(tensor) if form.recorded else form.unwrap(tensor).copy()
    if wanted is not None and (wanted.collect or leaf not in wanted.at):
        wanted.keep(leaf, 0, grad)
        return
    if leaf._fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if not leaf._requires_grad:  # any more
        return
    grow(leaf, form.wrap(grad), form.recorded)
    for hook in list((node.post_hooks or {}).values() if node else ()):
        hook((), (form.wrap(grad),))
    for hook in list((leaf._post_hooks or {}).values()):
        hook(leaf)


def grow(tensor: Any, grad: Any, recorded: bool) -> None:
    """`.grad` becomes larger by `grad`: the same tensor with other numbers, unless the sum has to be recorded."""
    before = tensor._grad
    if before is None:
        tensor._grad = grad
    elif recorded:
        tensor._grad = before + grad
    else:
        before._data += grad._data
        before.versions()[0] += 1


def count_uses(roots: list[tuple[Any, Any]]) -> dict[Any, int]:
    """How many gradients each leaf will be sent."""
    uses: dict[Any, int] = {}
    edges = [edge for edge, _ in roots]
    targets = reachable(edges)
    for target in targets:
        edges.extend(target.edges if isinstance(target, Node) else ())
    modes.reached = set(targets)  # what register_multi_grad_hook asks for
    for edge in edges:
        if isinstance(edge, TensorBase):
            uses[edge] = uses.get(edge, 0) + 1
    return uses

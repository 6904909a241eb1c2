"""Calls around the nodes of a pass: hooks, collecting for `autograd.grad`, anomaly mode.

The order is PyTorch's. At a node: the hooks of its output tensors, their retained gradients, the node's pre-hooks, the
node itself, its hooks. At a leaf: its hooks, the pre-hooks of its accumulator, adding to `.grad`, the post-accumulate
hooks, the accumulator's hooks. This file fills the core's seams `around_node` and `arrive_leaves`, and has the `Guide`
of a whole pass.
Imports accumulate, anomaly, core, hooks and nodes. Read next: backward.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.engine import Form, fit
from ..core.seams import seams
from . import anomaly
from .accumulate import FEW, GROWING, behind, copied, grow, own
from .hooks import Registered, call_hooks, checked, replaced_by
from .nodes import AT_ONCE, AccumulateGrad, Node, expected_at
from .storage import TensorBase
from .switches import modes


class Wanted:
    """The paths to chosen inputs, for `autograd.grad`, which collects the gradients there, and `backward(inputs=…)`."""

    def __init__(self, inputs: list[Any], roots: list[Any], collect: bool):
        self.collect = collect
        self.at: dict[Any, list[int]] = {}  # node or leaf -> the outputs whose gradients are wanted
        for edge in inputs:
            target, output = edge if isinstance(edge, tuple) else (edge, 0)
            self.at.setdefault(target, []).append(output)
        self.way: dict[Any, bool] = {}  # node or leaf on a path -> must it run, or only be reached?
        self.found: dict[tuple[Any, int], Any] = {}
        for target in reachable(roots):  # lowest number first: the ends of all edges are decided before their node
            edges = target.edges if isinstance(target, Node) else ()
            runs = any(end_of(edge) in self.way for edge in edges)
            if runs or target in self.at:
                self.way[target] = runs or not collect

    def keep(self, target: Any, output: int, grad: Any) -> None:
        """Collect a gradient if it is wanted."""
        if self.collect and output in self.at.get(target, ()) and grad is not None:
            self.found[target, output] = grad


def end_of(edge: Any) -> Any:
    """The node or leaf that an edge leads to."""
    return edge[0] if isinstance(edge, tuple) else edge


def reachable(roots: list[Any]) -> list[Any]:
    """Every leaf and node that can be reached along these edges: leaves first, then nodes by increasing number."""
    seen: set[Any] = set()
    todo = list(roots)
    while todo:
        target = end_of(todo.pop())
        if target is not None and target not in seen:
            seen.add(target)
            if isinstance(target, Node):
                todo.extend(target.edges)
    return sorted(seen, key=lambda target: target._number % AT_ONCE if isinstance(target, Node) else -1)


def count_uses(roots: list[tuple[Any, Any]], wanted: Wanted | None) -> dict[Any, int]:
    """The number of gradients that will arrive, for everything that is processed when its last gradient arrives: nodes
    without a derivative, and leaves if some of them have hooks or are wanted. Leaves of other graphs don't matter."""
    uses: dict[Any, int] = {}
    edges = [edge for edge, _ in roots]
    targets = reachable(edges)
    for target in targets:
        edges.extend(target.edges if isinstance(target, Node) else ())
    modes.reached = set(targets if wanted is None else wanted.way)  # read by register_multi_grad_hook
    modes.collecting = wanted is not None and wanted.collect
    if len(roots) == 1:
        modes.reached.discard(end_of(edges[0]))  # PyTorch starts there, and counts only what comes after
    leaves = wanted is not None or any(isinstance(target, TensorBase) and hooked(target) for target in targets)
    for edge in edges:
        target = end_of(edge)
        if leaves if isinstance(target, TensorBase) else target is not None and target._number >= AT_ONCE:
            uses[target] = uses.get(target, 0) + 1
    return uses


def hooked(leaf: Any) -> bool:
    """True if this leaf or its accumulator has hooks."""
    node = leaf._accumulator if isinstance(leaf._accumulator, AccumulateGrad) else None
    return bool(leaf._hooks or leaf._post_hooks or (node and (node.pre_hooks or node.post_hooks)))


class Guide:
    """The guide of a pass (core/engine.py), for `autograd.grad`, anomaly mode and the hooks of leaves."""

    def __init__(self, roots: list[tuple[Any, Any]], form: Form, wanted: Wanted | None):
        self.form, self.wanted = form, wanted
        self.every = wanted is not None or modes.anomaly  # must every node be observed?
        self.uses = count_uses(roots, wanted) if Registered.counted or wanted is not None else None
        self.arrive: Callable[..., None]  # the engine's function
        self.leaves: dict[Any, Any] = {}  # the engine's dict: leaf -> its gradient
        self.held: dict[Any, list[Any]] = {}  # node without a derivative -> its gradients, until the last has arrived
        self.due: list[Any] = []  # leaves and nodes without a derivative whose last gradient has arrived
        self.started = False  # has a node run?

    def arrivals(self, arrive: Callable[..., None], leaves: dict[Any, Any]) -> Callable[..., None]:
        """The engine's `arrive`, which also finds the leaves and nodes whose last gradient has arrived. A node without
        a derivative would run before all other waiting nodes, so its gradients are passed to the engine only then."""
        uses, self.arrive, self.leaves = self.uses, arrive, leaves
        if not uses:
            return arrive

        def counted(edge: Any, grad: Any) -> None:
            if edge not in uses:
                arrive(edge, grad)
                return
            uses[edge] -= 1
            if isinstance(edge, TensorBase):
                arrive(edge, grad)
            else:
                self.held.setdefault(edge, []).append(grad)
            if not uses[edge]:
                self.due.append(edge)
                if not self.started:
                    self.end_leaves()

        return counted

    def around_node(self, node: Any, grad: Any, form: Form, arrive: Callable[..., None], retain: bool) -> None:
        """Run one node, then the hooks of the leaves whose last gradient it sent."""
        self.started = True
        if self.due and self.due[0] is node:
            self.due.pop(0)
        if self.every or node.watched or grad is None:
            around_node(node, grad, form, arrive, retain, self.wanted)
        else:
            node.send(grad, form.F, form.unpack, arrive)
            if not retain:
                node.release()
        self.end_leaves()

    def end_leaves(self) -> None:
        """Finish the leaves that are due. The node that sent their last gradient has freed its saved values before,
        because a leaf's hook may raise. If a node is due, it runs next."""
        while self.due and isinstance(self.due[0], TensorBase):
            leaf = self.due.pop(0)
            end_at(leaf, self.leaves.pop(leaf, None), self.form, self.wanted)
        for grad in self.held.pop(self.due[0], ()) if self.due else ():
            self.arrive(self.due[0], grad)


def around_node(
    node: Any, grad: Any, form: Form, arrive: Callable[..., None], retain: bool, wanted: Wanted | None = None
) -> None:
    """Run one node with all its hooks, and pass its gradients on, but only along edges to wanted nodes and leaves."""
    before = grad if isinstance(grad, list) else [grad]
    grads = tensor_hooks(node, before, form)
    if wanted is not None:
        runs = wanted.way.get(node)
        # if the node runs, PyTorch collects the gradients before the hooks
        for output, g in enumerate(before if runs else grads):
            wanted.keep(node, output, g)
        if not runs:
            return
    grads = pre_hooks(node, grads, form)
    for saved in node.guards or ():
        if saved is not ...:  # a list or a number can't be changed
            form.unpack(saved, node)
    if not node.foreign and all(g is None for g in grads):
        node.pass_by()
        out: tuple[Any, ...] = (None,) * len(node.edges)
    elif wanted is not None and not node.foreign and not any(end_of(edge) in wanted.way for edge in node.edges):
        node.pass_by()  # only the gradient that arrives here is wanted
        out = (None,) * len(node.edges)
    else:
        out = computed(node, grads if isinstance(grad, list) else grads[0], form)
    if wanted is not None and not node.foreign:  # hooks see None for gradients that are not wanted
        out = tuple(g if end_of(edge) in wanted.way else None for edge, g in zip(node.edges, out, strict=True))
    for edge, g in zip(node.edges, post_hooks(node, grads, out, form), strict=True):
        if edge is not None and (wanted is None or end_of(edge) in wanted.way):
            arrive(edge, g)
    if not retain:
        node.guards = node.guards and [None for _ in node.guards]
        node.release()


def tensor_hooks(node: Node, grads: list[Any], form: Form) -> list[Any]:
    """The gradients of a node's outputs after the hooks of the tensors; tensors that retain their gradient store it."""
    if not node.tensor_hooks and not node.retains:
        return grads
    tensors = wrapped(grads, form)
    for output, hooks in (node.tensor_hooks or {}).items():
        tensors[output] = call_hooks(hooks, tensors[output])
    for output, ref in (node.retains or {}).items():
        keeper: Any = ref()
        if keeper is not None and tensors[output] is not None:
            retain(keeper, tensors[output], form)
    return unwrapped(tensors, form)


def pre_hooks(node: Node, grads: list[Any], form: Form) -> list[Any]:
    """The gradients after the node's pre-hooks."""
    for hook in list((node.pre_hooks or {}).values()):
        grads = unwrapped(replaced_by(hook, tuple(wrapped(grads, form))), form)
    return grads


def post_hooks(node: Node, grads: list[Any], out: tuple[Any, ...], form: Form) -> tuple[Any, ...]:
    """The node's gradients after its hooks. They are summed over broadcast axes before the hooks see them."""
    if not node.post_hooks:
        return out
    pairs = zip(node.edges, out, strict=True)
    out = tuple(g if edge is None or g is None else fit(form.F, g, *expected_at(edge)) for edge, g in pairs)
    listed = node.listed()
    results, given = tuple(wrapped([out[i] for i in listed], form)), tuple(wrapped(grads, form))
    for hook in list(node.post_hooks.values()):
        results = replaced_by(hook, results, given)
    changed = dict(zip(listed, unwrapped(results, form), strict=True))
    return tuple(changed.get(i, g) for i, g in enumerate(out))


def computed(node: Node, grad: Any, form: Any) -> tuple[Any, ...]:
    """The node's gradients; in anomaly mode they are checked for nan."""
    try:
        out = node.gradients(grad, form.F, form.unpack)
    except Exception:
        if modes.anomaly:
            anomaly.explain(node)
        raise
    if modes.anomaly:
        anomaly.check(node, out)
    return out


def wrapped(grads: Any, form: Form) -> list[Any]:
    return [None if g is None else form.wrap(g) for g in grads]


def unwrapped(tensors: Any, form: Form) -> list[Any]:
    return [None if t is None else plain(t, form) for t in tensors]


def plain(tensor: Any, form: Form) -> Any:
    """The gradient in a Tensor, as this form of pass has it."""
    return tensor if form.recorded else tensor._data


def retain(keeper: TensorBase, grad: Any, form: Any) -> None:
    """Store a retained gradient: a copy, or a new sum, because hooks may hold the gradient itself."""
    with GROWING:
        before: Any = keeper._grad
        if before is not None:
            keeper._grad = before + grad if form.recorded else form.wrap(before._data + grad._data)
        elif form.recorded:
            keeper._grad = copied(grad, keeper, form)
        else:
            keeper._grad = form.wrap(own(plain(grad, form), keeper._data))


def end_at(leaf: TensorBase, grad: Any, form: Any, wanted: Wanted | None) -> None:
    """Finish a leaf: call its hooks, and add its gradient to `.grad` or keep it for `autograd.grad`."""
    if leaf._hooks:
        grad = taken(call_hooks(leaf._hooks, None if grad is None else form.wrap(grad)), form)
    if wanted is not None and (wanted.collect or leaf not in wanted.at):
        wanted.keep(leaf, 0, grad)
        return
    if leaf.grad_fn is not None:
        raise RuntimeError("leaf variable has been moved into the graph interior")
    if not leaf._requires_grad:  # it may have changed since the forward pass
        return
    node = leaf._accumulator if isinstance(leaf._accumulator, AccumulateGrad) else None  # only if it has hooks
    for hook in list((node.pre_hooks or {}).values() if node else ()):
        grad = taken(replaced_by(hook, (None if grad is None else form.wrap(grad),))[0], form)
    if grad is not None:
        with GROWING:
            grow(leaf, grad, form)
    given: Any = leaf
    for hook in list((leaf._post_hooks or {}).values()):
        out = checked(hook, hook(given), given)
        given = given if out is None else out  # the next hook gets it, and then an error is raised
    if given is not leaf:
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    for hook in list((node.post_hooks or {}).values() if node else ()):
        replaced_by(hook, (), (None if grad is None else form.wrap(grad),))


def taken(tensor: Any, form: Any) -> Any:
    """The gradient that a leaf's hooks have returned, in memory of its own, because hooks may hold theirs."""
    if tensor is None or form.recorded:
        return tensor
    return tensor._data.copy()


def arrive_leaves(leaves: dict[Any, Any], form: Form) -> None:
    """Add the gradients to the leaves at the end of a pass. Only leaves marked `_watched` may have hooks."""
    watched = []
    with GROWING:
        for leaf, grad in leaves.items():
            if leaf._watched:
                watched.append(leaf)
                continue
            if not form.recorded and grad.base is not None and grad.size > FEW:
                grad = behind(grad)
            if leaf._grad is not None or form.recorded or grad.base is not None:
                grow(leaf, grad, form)
            elif grad.ndim > 1 and grad.strides != leaf._data.strides:
                grow(leaf, grad, form)
            else:
                leaf._grad = form.wrap(grad)  # the same as `grow`, in half the time
    for leaf in watched:
        end_at(leaf, leaves[leaf], form, None)


seams.around_node, seams.arrive_leaves = around_node, arrive_leaves


def refuse(edges: list[Any]) -> None:
    """Make a later pass along these edges raise the error for a freed graph. An interrupted pass may be half done, so
    it must not run a second time."""
    for edge in edges:
        node = end_of(edge)
        if isinstance(node, Node):
            node.watched, node.guards = True, [None]

"""Finds faults that raise no error, at an optimizer's first steps, and reports them only if they are certain.

Most are about gradients: a step along a gradient that was added to the gradient of the last step (`zero_grad` is
missing); gradients that were cleared between `backward` and the first step; none of the optimizer's tensors has a
gradient, while tensors of the program that are in no optimizer have one, or a part of a model is in no optimizer, and
the optimizer holds tensors that no variable has. The others are about the loss: (n, 1) against (n), or a softmax before
a loss that applies softmax itself. Each optimizer is watched only for its first few steps, so a long training loses no
time. What can be seen at the end only is in ending.py.

The hooks are public, in minigrad and PyTorch. Imports inquiry, guilty and graph/. Read clinic.py next.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from types import FrameType
from typing import Any

from ..graph.found import leaves_read
from ..graph.module import is_module
from ..graph.names import LIBRARIES, has_readable_history, names_in
from . import lines
from .case import called
from .ending import holds_nan
from .guilty import made_at, nodes_behind, plain, refusals
from .inquiry import Inquiry
from .lines import Line

STEPS = 3  # how many steps of an optimizer are watched
LARGEST = 2_000  # operators of a graph that are searched for a wrongly broadcast loss
SPREADING = ("SubBackward0", "RsubBackward1", "RsubBackward0")
TWICE = {  # a loss, and what it applies itself
    "LogSoftmaxBackward0": "SoftmaxBackward0",
    "BinaryCrossEntropyWithLogitsBackward0": "SigmoidBackward0",
}
LAID_OUT = tuple("Unsqueeze View Reshape UnsafeView Expand Permute Transpose TBackward Index Slice".split())

Tell = Callable[[Inquiry, list[Line], Any], None]  # gets a fault, its lines, and its node or tensor


class Watch:
    """Watches optimizers' steps from now until `close()`, and calls `tell` for each certain fault."""

    def __init__(self, tell: Tell):
        self.tell = tell
        self.seen: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()  # optimizer -> number of its steps
        self.summed: weakref.WeakKeyDictionary[Any, Summed] = weakref.WeakKeyDictionary()
        self.done: set[int] = set()  # the optimizers that are no longer watched
        self.hooks: list[Any] = []
        self.hooked: set[str] = set()
        self.hook()

    def hook(self) -> None:
        """Add hooks to each library that has been imported by now."""
        for name in LIBRARIES:
            if name in sys.modules and name not in self.hooked:
                self.hooked.add(name)
                steps = import_module(f"{name}.optim.optimizer")
                self.hooks.append(steps.register_optimizer_step_pre_hook(self.at_first(self.before)))
                self.hooks.append(steps.register_optimizer_step_post_hook(self.at_first(self.after)))

    def at_first(self, look: Callable[[Any], None]) -> Callable[..., None]:
        """A hook that runs `look` at an optimizer's first steps. A later step costs a fraction of a microsecond."""
        done = self.done

        def hook(optimizer: Any, _args: Any, _kwargs: Any) -> None:
            if id(optimizer) not in done:
                self.safely(look, optimizer)
                if self.seen.get(optimizer, 0) > STEPS and optimizer not in self.summed:
                    done.add(id(optimizer))
                    weakref.finalize(optimizer, done.discard, id(optimizer)).atexit = False

        return hook

    def safely(self, look: Callable[[Any], None], given: Any) -> None:
        """Run `look`; if it fails, stop watching."""
        if not undisturbed(look, given):
            self.close()

    def close(self) -> None:
        for hook in self.hooks:
            hook.remove()

    def before(self, optimizer: Any) -> None:
        """Called before a step."""
        summed = self.summed.pop(optimizer, None)
        if summed is not None:
            summed.hook.remove()
            self.hooks.remove(summed.hook)
        if self.seen.get(optimizer, 0) > STEPS or (frame := lines.reader_below(sys._getframe(1))) is None:
            return
        if summed is not None and summed.place is not None and same(summed.weight.grad, summed.sum):
            self.seen[optimizer] = STEPS + 1  # report it only once
            weight = summed.weight if len(list(tensors_of(optimizer))) == 1 else None  # with several weights, name none
            self.say("zero_grad", frame, [lines.line_at("added", summed.place)], weight, "summed")
        elif any(p.grad is not None and holds_nan(p.grad) for p in tensors_of(optimizer)):
            self.seen[optimizer] = STEPS + 1
            self.say("nan gradient", frame)
        elif all(p.grad is None for p in tensors_of(optimizer)):
            if (loss := wrapped_loss(frame)) is not None and optimizer not in self.seen:
                self.say("wrapped loss", frame, guilty=loss)
            elif self.others_have_gradients(optimizer, frame):
                self.say("other tensors", frame)
            elif optimizer not in self.seen and passed(own_losses(optimizer, frame)):
                self.seen[optimizer] = STEPS + 1
                self.say("cleared", frame)
        elif optimizer not in self.seen:
            for kind, node in (("spread", spread_loss(frame)), ("twice normalised", normalised_twice(frame))):
                if node is not None:
                    place = made_at(node)
                    self.say(kind, frame, [lines.line_at("made", place)] if place else None, node)
            if self.holds_an_old_part(optimizer, frame):
                self.say("old part", frame)

    def after(self, optimizer: Any) -> None:
        """Called after a step: from now on, check whether new gradients are added to the one that the step used."""
        count = self.seen[optimizer] = self.seen.get(optimizer, 0) + 1
        if count > STEPS:
            return
        used = [p for p in tensors_of(optimizer) if p.grad is not None and p.requires_grad and p.grad.abs().sum() > 0]
        if not used:
            return
        weight = min(used, key=lambda p: p.numel())
        summed = self.summed[optimizer] = Summed(weight)
        self.hooks.append(weight.register_hook(partial(self.safely, summed.arrives)))
        summed.hook = self.hooks[-1]

    def others_have_gradients(self, optimizer: Any, frame: FrameType) -> bool:
        """Does a leaf of the program have a gradient and the shape of one of this optimizer's tensors, but belong to no
        known optimizer? (A tensor that replaced another has that shape.) No if a loss leads to this optimizer's own
        tensors: then they had gradients that were cleared."""
        own = {id(p) for p in tensors_of(optimizer)}
        if any(id(leaf) in own for leaf in leaves_behind(losses_in(frame))):
            return False
        shapes = {tuple(p.shape) for p in tensors_of(optimizer) if p.requires_grad}
        held = {id(p) for each in (optimizer, *self.seen, *optimizers_in(frame)) for p in tensors_of(each)}
        leaves = (t for _, t in names_in(frame) if t.requires_grad and t.grad_fn is None and id(t) not in held)
        return any(leaf.grad is not None and tuple(leaf.shape) in shapes for leaf in leaves)

    def holds_an_old_part(self, optimizer: Any, frame: FrameType) -> bool:
        """Does this optimizer hold tensors without a gradient that no variable has, while a module of the program has
        some layers in this optimizer, and another layer with a gradient in none?"""
        tensors = [p for p in tensors_of(optimizer) if p.requires_grad]
        known = {id(tensor) for _, tensor in names_in(frame)}
        if all(p.grad is not None or id(p) in known for p in tensors):
            return False
        own = {id(p) for p in tensors}
        held = {id(p) for each in (optimizer, *self.seen, *optimizers_in(frame)) for p in tensors_of(each)}
        for module in modules_in(frame):
            layers = [list(layer.parameters(recurse=False)) for layer in module.modules()]
            if any(id(p) in own for layer in layers for p in layer):
                new = [layer for layer in layers if layer and not any(id(p) in held for p in layer)]
                return any(p.requires_grad and p.grad is not None for layer in new for p in layer)
        return False

    def say(
        self, kind: str, frame: FrameType, before: list[Line] | None = None, guilty: Any = None, part: str = "told"
    ) -> None:
        inquiry = Inquiry(called(kind), frame, frame.f_lineno, part=part)
        if kind in ("other tensors", "old part"):
            names = [text for text in inquiry.terms if text.isidentifier()]
            before = [line for name in names[:1] if (line := inquiry.found("set", name))]
        elif before is None and guilty is not None:  # the line of the node is unknown: the line that set the loss
            ends = [name for name, loss in inquiry.names if loss.numel() == 1 and behind(loss, guilty)]
            before = [line for name in ends[:1] if (line := inquiry.found("set", name))]
        self.tell(inquiry, before or [], guilty)


def undisturbed(do: Callable[..., None], *given: Any) -> bool:
    """Call `do` without letting an error of ours reach the reader's program. Returns whether it succeeded."""
    try:
        do(*given)
    except Exception as error:
        print(f"The error clinic itself failed. {type(error).__name__}: {error}", file=sys.stderr)
        return False
    return True


class Summed:
    """Compares numbers to find whether the gradient of a weight was added to, and never set to zero, since a step used
    it. `place` is the line of the backward pass that added to it."""

    hook: Any

    def __init__(self, weight: Any):
        self.weight, self.sum = weight, weight.grad.detach().clone()
        self.place: tuple[str, int] | None = None

    def arrives(self, grad: Any) -> None:
        old, self.place = self.weight.grad, None
        if same(old, self.sum):
            self.sum = old.detach() + grad.detach()
            frame = lines.reader_below(sys._getframe(1))
            self.place = None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def same(a: Any, b: Any) -> bool:
    return a is not None and a.shape == b.shape and bool((a == b).all())


def tensors_of(optimizer: Any) -> Iterator[Any]:
    return (p for group in optimizer.param_groups for p in group["params"])


def optimizers_in(frame: FrameType) -> list[Any]:
    found = [*frame.f_globals.values(), *frame.f_locals.values()]
    return [thing for thing in found if hasattr(type(thing), "add_param_group")]


def modules_in(frame: FrameType) -> list[Any]:
    return [thing for thing in [*frame.f_globals.values(), *frame.f_locals.values()] if is_module(thing)]


def own_losses(optimizer: Any, frame: FrameType) -> list[Any]:
    """The program's losses that lead to this optimizer's tensors."""
    own = {id(p) for p in tensors_of(optimizer)}
    return [loss for loss in losses_in(frame) if any(id(leaf) in own for leaf in leaves_behind([loss]))]


def passed(losses: list[Any]) -> bool:
    """Has a backward pass gone through one of these losses? It freed what the nodes had saved."""
    return any("a second time" in text for node in nodes_behind(losses)[:LARGEST] for text in refusals(node))


def behind(loss: Any, guilty: Any) -> bool:
    """Is this the tensor, or does its graph contain this node?"""
    return loss is guilty or (has_readable_history(loss) and any(node is guilty for node in nodes_behind([loss])))


def wrapped_loss(frame: FrameType) -> Any:
    """A loss that was made again from a number, `torch.tensor(loss.item(), requires_grad=True)`, and went backward: a
    leaf with one number whose gradient is the 1 with which a backward pass begins."""
    leaves = [t for _, t in names_in(frame) if t.requires_grad and t.grad_fn is None and tuple(t.shape) == ()]
    return next((t for t in leaves if t.grad is not None and t.grad.item() == 1), None)


def normalised_twice(frame: FrameType) -> Any:
    """The softmax (or sigmoid) whose result goes straight into a loss that applies it again; None if there is none."""
    for loss in losses_in(frame):
        nodes = nodes_behind([loss])
        for node in nodes if len(nodes) <= LARGEST else ():
            first = TWICE.get(plain(node))
            before = node.next_functions[0][0] if first and node.next_functions else None
            if before is not None and plain(before) == first:
                return before
    return None


def losses_in(frame: FrameType) -> list[Any]:
    """The program's variables with a single number and a history."""
    found = (t for _, t in names_in(frame))
    return [t for t in found if has_readable_history(t) and t.grad_fn is not None and t.numel() == 1]


def leaves_behind(losses: list[Any]) -> list[Any]:
    """The leaves that backward passes from these losses reach."""
    return leaves_read(nodes_behind(losses))


def spread_loss(frame: FrameType) -> Any:
    """The node that subtracts (n) from (n, 1), or the other way round, on the way to a number; None if there is none.

    This is certainly a fault only if the (n, 1) came from a layer: code that wants all pairs makes a view first.
    """
    names = list(names_in(frame))
    flat = {tuple(t.shape) for _, t in names if not t.requires_grad and len(t.shape) == 1}
    for loss in losses_in(frame):
        nodes = nodes_behind([loss])
        for node in nodes if len(nodes) <= LARGEST else ():
            if plain(node) in SPREADING:
                size = [*node._input_metadata[0].shape]
                ends = [(fn, i) for fn, i in node.next_functions if fn is not None and hasattr(fn, "_input_metadata")]
                if len(size) == 2 and size[0] == size[1] > 1 and (size[0],) in flat and len(ends) == 1:
                    (maker, i), n = ends[0], size[0]
                    if [*maker._input_metadata[i].shape] == [n, 1] and not plain(maker).startswith(LAID_OUT):
                        return node
    return None

"""Where other rooms come in: a seam is a function that the core calls, and that they may replace.

Everything that PyTorch adds to the idea comes in through these seven names. The core puts its own
plain function into each (so read past them now: each is explained where it is called); a room
outside puts another in its place when it is imported.

    settle       (rule, inputs, params)  the inputs as tensors that the value can take
                                         here: numbers become tensors; outside: types, devices
    compute      (rule, arrays, params)  the value; outside: in silence, and laid out in order
    on_result    (rule, inputs, tensors, params, outs, node)  an operator has run
                                         outside: views, inference mode, observers, anomaly mode
    pack         (tensor, own)           what a node keeps of a tensor it saves (to unpack it: the
                                         class Packed in node.py); outside: saved-tensor hooks
    around_node  (node, grad, form, arrive, retain)  run a node that is `watched`
                                         here: retain_grad; outside: hooks
    arrive_leaves (leaves, form)         the gradients of leaves are complete
                                         here: `.grad` grows; outside: locks, layout, hooks
    explain      (error, **about)        an error before it is raised; outside: PyTorch's words

And a whole pass may have a `guide`, which sees all of it: `autograd.grad`, anomaly mode. The
classes of results and of nodes are `Tensor.result` and `RuleNode.base`.
Imports nothing. Next: node.py.
"""

from collections.abc import Callable
from typing import Any


class Seams:
    """The functions that stand in the seams now; `seams` below is the one instance."""

    settle: Callable[..., Any]
    compute: Callable[..., Any]
    on_result: Callable[..., Any]
    pack: Callable[..., Any]
    around_node: Callable[..., Any]
    arrive_leaves: Callable[..., Any]
    explain: Callable[..., Any]


seams = Seams()

"""Seams: functions that the core calls, and that files outside core/ may replace.

Most of what PyTorch adds to the idea comes in through these seven functions. The core has a plain
version of each, and you can skip this list now: the next files explain each one where it is called.

    settle       (rule, inputs, params)  return the inputs as tensors for the value
                                         here: numbers become tensors; outside: types, devices
    compute      (rule, arrays, params)  compute the value; outside: without NumPy's warnings
    on_result    (rule, inputs, tensors, params, outs, node)  called after each operator
                                         outside: views, inference mode, observers, anomaly mode
    pack         (tensor, own)           return what a node saves of a tensor, or of its `own`
                                         result; outside: saved-tensor hooks, as a Packed (node.py)
    around_node  (node, grad, form, arrive, retain)  run a node that is `watched`
                                         here: retain_grad; outside: hooks
    arrive_leaves (leaves, form)         add complete gradients to the leaves' `.grad`
                                         outside: also locks, memory layout, hooks
    explain      (error, **about)        return the error to raise; outside: in PyTorch's words

Other files may also guide a whole pass (`guide` in engine.py), replace the classes `Tensor.result`
and `RuleNode.base` by subclasses, and add switches (`Modes.add`) and methods of Tensor; and the
fast path replaces `call`, `Node.send` and `release`. Imports nothing. Next: node.py.
"""

from collections.abc import Callable
from typing import Any


class Seams:
    """The functions in use now; `seams` below is the one instance."""

    settle: Callable[..., Any]
    compute: Callable[..., Any]
    on_result: Callable[..., Any]
    pack: Callable[..., Any]
    around_node: Callable[..., Any]
    arrive_leaves: Callable[..., Any]
    explain: Callable[..., Any]


seams = Seams()

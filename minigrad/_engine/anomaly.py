"""Anomaly mode: find the first node that returned nan, and the user's line that created the node.

Imports nodes and saved. Read next: autograd/grad_mode.py for the switches.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from .._messages.places import OURS
from .nodes import Node
from .saved import blame
from .switches import modes


def record(node: Node) -> None:
    """Note the stack that made `node`, without the frames of this package."""
    import traceback  # imported here to keep `import minigrad` fast

    stack = traceback.extract_stack(sys._getframe(1))
    node.trace = [f for f in stack if not f.filename.startswith(OURS)]


def check(node: Node, grads: tuple[Any, ...]) -> None:
    """Raise PyTorch's error if the node that has just run returned nan."""
    if not modes.check_nan:
        return
    for i, g in enumerate(grads):
        if g is not None and (g != g).any():
            explain(node)
            text = f"Function '{node.name()}' returned nan values in its {i}th output."
            raise blame(RuntimeError(text), node=node)


def explain(node: Node) -> None:
    """Warn with the stack that made the node."""
    if node.trace is None:
        warnings.warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information.",
            stacklevel=2,
        )
        return
    import traceback

    lines = "".join(traceback.format_list(node.trace))
    warnings.warn(
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{lines}", stacklevel=2
    )

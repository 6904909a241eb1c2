"""Softmax: scores made into probabilities along an axis; and its logarithm. As functions, then as modules.

The mathematics is in ops/reduction.py. Imports applied. Read next: loss.py.
"""

import warnings

from .applied import Applied


def softmax(input, dim=None, dtype=None):
    """exp(x) / Σ exp(x) along `dim`: positive numbers that add up to 1."""
    return input.softmax(_implicit_dim(input, "softmax") if dim is None else dim, dtype)


def log_softmax(input, dim=None, dtype=None):
    """log(softmax(x)), without its rounding to 0."""
    return input.log_softmax(_implicit_dim(input, "log_softmax") if dim is None else dim, dtype)


def _implicit_dim(input, name: str) -> int:
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=3,
    )
    return 0 if input.dim() in (0, 1, 3) else 1


# -- as modules -----------------------------------------------------------------------------------


class Softmax(Applied):
    """exp(x) / Σ exp(x) along `dim`: positive numbers that add up to 1."""

    function = staticmethod(softmax)


class LogSoftmax(Applied):
    """log(softmax(x)) along `dim`, without its rounding to 0."""

    function = staticmethod(log_softmax)

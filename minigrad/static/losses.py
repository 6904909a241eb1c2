"""`tf.losses`: the mean squared error.

Imports math. Read next: train.py.
"""

from __future__ import annotations

from typing import Any

from .._compiler.types import show
from .._messages.names import missing as _missing
from .convert import convert
from .graph import get_default_graph
from .math import cast, multiply, reduce_mean, squared_difference
from .tensor import merge


def mean_squared_error(labels: Any, predictions: Any, weights: Any = 1.0, scope: str = "mean_squared_error") -> Any:
    """The mean of (predictions - labels)², each weighted with `weights`, in float32.

    Raises ValueError if the two have different shapes: broadcasting (2,) against (2, 1) would hide a mistake.
    """
    predictions = convert(predictions)
    labels = convert(labels)
    graph = get_default_graph()
    with graph.name_scope(scope):
        try:
            merge(predictions.dims, labels.dims)
        except ValueError:
            raise ValueError(f"Shapes {show(predictions.dims)} and {show(labels.dims)} are incompatible") from None
        squares = squared_difference(cast(predictions, "float32"), cast(labels, "float32"))  # as TensorFlow does
        loss = reduce_mean(
            squares if isinstance(weights, float) and weights == 1 else multiply(squares, weights), name="value"
        )
    graph.add_to_collection("losses", loss)
    return loss


__getattr__ = _missing(__name__, place="tf.losses")

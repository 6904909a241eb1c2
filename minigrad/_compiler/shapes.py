"""Shapes and dtypes of results, from the known ones of the inputs, before anything runs.

An operator's own rule is noted with its row (`shape`; the functions are in ops/sizes.py), or its kind has one.
If there is none, the operator runs on small arrays, once with 2 and once with 3 for every unknown number; sizes
that differ are unknown.
Imports types and ops/sizes.py. Read next: gradients.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._machine.backend import silence
from ..core.rules import Rule
from ..ops.sizes import UNKNOWN, Mismatch, broadcast, reduced
from .types import Dims, DType, as_dtype, known

Specs = list[tuple[Dims, DType]]
BROADCASTING = ("elementwise", "question", "choice", "slope")


def infer(rule: Rule, inputs: list[Any], params: dict[str, Any]) -> Specs:
    """Shape and dtype of each output. Raises Mismatch if the inputs don't fit."""
    dims = [t.dims for t in inputs]
    params = {key: partly(value) if key in ("size", "repeats") else value for key, value in params.items()}
    shape = getattr(rule, "shape", None) or of_its_family(rule)
    if shape is None:
        return probe(rule, inputs, params)
    found = shape(*dims, **params)
    return typed(found if isinstance(found, list) else [found], rule, inputs, params)


def of_its_family(rule: Rule) -> Any:
    """The shape rule for all rows of this kind; None if there is none."""
    if rule.outputs != ("result",):
        return None
    if "dim" in rule.params and "keepdim" in rule.params:
        return reduced
    if rule.kind == "reduction":  # over all axes; softmax and cumsum keep the shape
        return lambda dims, /, **params: dims if rule.params else ()
    return (lambda *dims, **params: broadcast(*dims)) if rule.kind in BROADCASTING else None


def partly(size: Any) -> Any:
    """A size as dimensions, with None for unknown numbers."""
    return None if size is UNKNOWN or size is None else tuple(None if n is UNKNOWN else n for n in size)


def typed(shapes: list[Dims], rule: Rule, inputs: list[Any], params: dict[str, Any]) -> Specs:
    """The shapes of the outputs, each with its dtype."""
    gives = params.get("dtype") or getattr(rule, "gives", "bool" if rule.kind == "question" else None)
    each = gives if isinstance(gives, tuple) else [gives] * len(shapes)
    return [(dims, as_dtype(g) if g else inputs[rule.fixed].dtype) for dims, g in zip(shapes, each, strict=True)]


# -- operators without a shape rule -------------------------------------------------------------


def probe(rule: Rule, inputs: list[Any], params: dict[str, Any]) -> Specs:
    """Run the operator on arrays with 2, then 3, for each unknown number."""
    unknown = typed([None] * max(1, len(rule.outputs)), rule, inputs, params)
    if any(t.dims is None for t in inputs) or params_open(params):
        return unknown
    seen = []
    for n in (2, 3):
        arrays = [stand_in([n if d is None else d for d in t.dims], t.dtype) for t in inputs]
        try:
            out = silence().run(rule.value, np, *arrays, **params)
        except (ValueError, IndexError, TypeError) as error:
            if any(not known(t.dims) for t in inputs):
                return unknown
            raise Mismatch(str(error)) from None
        seen.append([np.asarray(o) for o in (out if isinstance(out, tuple) else (out,))])
    if len(seen[0]) != len(seen[1]):
        raise Mismatch(getattr(rule, "needs_sizes", None))
    return [
        (tuple(a if a == b else None for a, b in zip(x.shape, y.shape, strict=True)), as_dtype(x.dtype))
        for x, y in zip(*seen, strict=True)
    ]


def stand_in(size: list[int], dtype: DType) -> np.ndarray:
    """Ones, or zeros for integers, because zeros are valid indices."""
    return np.zeros(size, dtype.numpy) if dtype.is_integer else np.ones(size, dtype.numpy)


def params_open(params: dict[str, Any]) -> bool:
    """Whether some parameter is known only at run time. None means that only in sizes."""
    return any(
        v is UNKNOWN
        or (isinstance(v, tuple) and any(each is UNKNOWN for each in v))
        or (name in ("size", "repeats") and (v is None or None in v))
        for name, v in params.items()
    )

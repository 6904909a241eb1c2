"""`tf.nn.dropout`: sets random elements to zero, different ones in every run.

Imports arrays, math and initializers. Read next: wrappers.py.
"""

from __future__ import annotations

from typing import Any

from .arrays import shape
from .convert import convert
from .initializers import random_uniform
from .math import cast, multiply


def dropout(x: Any, keep_prob: Any = None, seed: int | None = None, rate: Any = None, name: str = "dropout") -> Any:
    """Set elements to 0 with probability `rate` (1 - keep_prob); scale up the others, so that the mean stays."""
    x = convert(x)
    keep = keep_prob if rate is None else 1 - rate
    if keep is None:
        raise ValueError("You must provide a rate to dropout.")
    size = tuple(x.dims) if x.dims is not None and None not in x.dims else shape(x)
    kept = cast(random_uniform(size, dtype=x.dtype, seed=seed) < keep, x.dtype)
    return multiply(x / keep, kept, name=name)

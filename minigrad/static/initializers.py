"""Initial values of variables, and random operators: they draw new numbers once in each run.

The numbers come from minigrad's own generator (MT19937), so they are not TensorFlow's; equal seeds give equal
numbers in every session. Imports convert, graph and minigrad.random. Read next: variables.py.
"""

from __future__ import annotations

import math
from typing import Any

from .._compiler.build import refer, resolve
from .._compiler.types import as_dtype
from .convert import constant
from .graph import get_default_graph
from .types import TensorShape, as_dims


def set_random_seed(seed: int | None) -> None:
    """Set the seed of random operators built from now on: they give the same numbers in each session."""
    get_default_graph().seed = seed


def seeds(seed: int | None) -> tuple[int, int] | None:
    """The graph's seed and the operator's, as in TensorFlow; one of them is enough. None if neither is set."""
    graph = get_default_graph()
    if graph.seed is None and seed is None:
        return None
    return (graph.seed if graph.seed is not None else 87654321, seed if seed is not None else graph._count)


def draw(kind: str, shape: Any, first: float, second: float, dtype: Any, seed: Any, name: str) -> Any:
    """An operator of random numbers: "normal" with mean and deviation, "uniform" from low to high …"""
    graph, inputs = get_default_graph(), []  # type: ignore[var-annotated]
    if not isinstance(shape, list | tuple | TensorShape) and hasattr(shape, "op"):
        size: Any = refer(shape, inputs)
    else:
        size = refer(tuple(getattr(n, "value", n) for n in shape), inputs)
    known = resolve(size, inputs)
    dims = tuple(n if isinstance(n, int) else None for n in known) if isinstance(known, tuple) else None
    params = {
        "kind": kind,
        "size": size,
        "first": first,
        "second": second,
        "seed": seeds(seed),
        "dtype": as_dtype(dtype).numpy,
    }
    op = graph.add("Random", inputs, [(dims, as_dtype(dtype))], params, name=name)
    op.params["stream"] = op  # each operator has its own stream in each session
    return op.outputs[0]


def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str = "random_normal",
) -> Any:
    """Normal numbers. `shape` may contain symbols; `mean` and `stddev` may be tensors."""
    if isinstance(mean, int | float) and isinstance(stddev, int | float):
        return draw("normal", shape, float(mean), float(stddev), dtype, seed, name)
    return draw("normal", shape, 0.0, 1.0, dtype, seed, name) * stddev + mean


def truncated_normal(
    shape: Any,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str = "truncated_normal",
) -> Any:
    """Normal numbers; those more than two deviations from the mean are drawn again."""
    return draw("truncated", shape, float(mean), float(stddev), dtype, seed, name)


def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = "float32",
    seed: int | None = None,
    name: str = "random_uniform",
) -> Any:
    """Uniform numbers from [minval, maxval); integers for an integer `dtype`."""
    if as_dtype(dtype).is_integer:
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {as_dtype(dtype)!r}")
        return draw("integers", shape, minval, maxval, dtype, seed, name)
    return draw("uniform", shape, float(minval), 1.0 if maxval is None else float(maxval), dtype, seed, name)


# -- initializers -------------------------------------------------------------------------------


class Initializer:
    """Gives a tensor of initial values for a shape, with the requested dtype or its own."""

    def __init__(self, seed: int | None = None, dtype: Any = "float32"):
        self.seed = seed
        self.dtype = dtype

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        return self.values(as_dims(shape), {"dtype": dtype or self.dtype, "seed": self.seed})

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        raise NotImplementedError


class constant_initializer(Initializer):
    """The same value everywhere, or an array of values: `constant_initializer(0.1)`."""

    def __init__(self, value: Any = 0, dtype: Any = "float32"):
        super().__init__(dtype=dtype)
        self.value = value

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        return constant(self.value, how["dtype"], shape=shape)


def zeros_initializer(dtype: Any = "float32") -> Initializer:
    """Zeros."""
    return constant_initializer(0, dtype)


def ones_initializer(dtype: Any = "float32") -> Initializer:
    """Ones."""
    return constant_initializer(1, dtype)


class random_normal_initializer(Initializer):
    """Normal numbers with a given mean and deviation."""

    def __init__(self, mean: float = 0.0, stddev: float = 1.0, seed: int | None = None, dtype: Any = "float32"):
        super().__init__(seed, dtype)
        self.mean, self.stddev = mean, stddev

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        return random_normal(shape, self.mean, self.stddev, **how)


class truncated_normal_initializer(random_normal_initializer):
    """Normal numbers, at most two deviations from the mean."""

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        return truncated_normal(shape, self.mean, self.stddev, **how)


class random_uniform_initializer(Initializer):
    """Numbers in [minval, maxval)."""

    def __init__(self, minval: float = 0.0, maxval: float = 1.0, seed: int | None = None, dtype: Any = "float32"):
        super().__init__(seed, dtype)
        self.minval, self.maxval = minval, maxval

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        return random_uniform(shape, self.minval, self.maxval, **how)


class glorot_uniform_initializer(Initializer):
    """Numbers in ±√(6 / (inputs + outputs)), which keeps the scale of the signals (Glorot and Bengio 2010)."""

    def limit(self, shape: Any) -> float:
        rest = math.prod(shape[:-2])
        ends = shape[-2:] if len(shape) > 1 else shape * 2 or (1, 1)
        return math.sqrt(6 / (sum(ends) * rest))

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        bound = self.limit(shape)
        return random_uniform(shape, -bound, bound, **how)


class glorot_normal_initializer(glorot_uniform_initializer):
    """Normal numbers with the variance of Glorot's uniform numbers; outliers are drawn again."""

    def values(self, shape: Any, how: dict[str, Any]) -> Any:
        spread = self.limit(shape) / math.sqrt(3) / 0.87962566103423978  # corrects the deviation for the truncation
        return truncated_normal(shape, 0.0, spread, **how)

"""Random numbers written into a tensor (`x.uniform_()`), or drawn with probabilities from one (`multinomial(w, 1)`).

minigrad/random.py produces the numbers: PyTorch's own for the same seed. They are drawn from the stream `generator`, or
from the default one.
Imports random, operators, inplace and arguments. Read next: ops/random.py, their derivatives.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ... import random
from ..._call.arguments import NUMBER, no_tensor, takes_tensors
from ..._call.check import as_int, expanded
from ..._call.operators import OPERATORS
from ..._engine.overlap import refuse_memory
from ..._engine.storage import TensorBase
from ..._engine.switches import modes, told
from ...core.tensor import wrap
from ...ops.note import known
from ..inplace import in_place, refuse


@takes_tensors
@known(out=True)
def multinomial(input: Any, num_samples, replacement=False, *, generator=None):
    """`num_samples` indices for each row of `input`, whose elements are weights that need not add up to 1.

    `input` is floating, with one or two axes; without replacement, an index occurs at most once in a row.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.multinomial(torch.tensor([[0.0, 1.0, 9.0]]), 4, replacement=True)
    tensor([[2, 2, 2, 2]])
    """
    random.check_generator("multinomial", generator)
    if not isinstance(replacement, bool):
        raise no_tensor("multinomial", "replacement", 3, replacement, "bool")
    weights = input._data
    count = as_int(num_samples, "multinomial(): argument 'num_samples' (position 2) must be int")
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {input.dtype.legacy}")
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > weights.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    return told("multinomial", (input,), wrap(random.multinomial(weights, count, replacement, generator=generator)))


@takes_tensors
def bernoulli(input: Any, p=None, *, generator=None):
    """1 with the probability that is the element of `input`, else 0; with `p`, that probability everywhere.

    >>> import minigrad as torch
    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    random.check_generator("bernoulli", generator)
    name, data = "bernoulli", input._data
    if p is not None:
        name, p = "bernoulli_number", _probability(p)
    fresh = np.empty(data.shape, data.dtype)  # contiguous, which `input` may not be
    return OPERATORS[name](input, numbers=random.bernoulli(data if p is None else p, fresh, generator=generator))


def _probability(p: Any) -> float:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    return float(p)


def _check_target(who: str, self: Any) -> None:
    """Raise if this tensor may not be overwritten, before any number is drawn."""
    refuse(self, modes.recording and self._requires_grad)
    refuse_memory(who, self)


def _refill(who: str, self: Any, draw: Any, *numbers: Any, generator: Any, name: str = "") -> Any:
    """Draw a number for each element of `self`, in the order of the elements in memory, and write it there."""
    random.check_generator(who, generator)
    _check_target(who, self)
    data = self._data
    drawn = random.as_laid_out(data, lambda shape: draw(shape, data.dtype, *numbers, generator=generator))
    return in_place(name or who[:-1], self, numbers=drawn)


class Random(TensorBase):
    """Mixed into Tensor."""

    __slots__ = ()

    multinomial, bernoulli = multinomial, bernoulli

    def uniform_(self, *bounds: float, generator: Any = None, **named: float) -> Any:
        """Uniformly distributed numbers in [from, to), by default [0, 1): `x.uniform_(-1, 1)`."""
        low, high = _bounds("uniform_", bounds, named, 0.0, 1.0)
        return _refill("uniform_", self, random.uniform, low, high, generator=generator)

    @takes_tensors
    def normal_(self, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Any:
        """Normal numbers with this mean and standard deviation."""
        return _refill("normal_", self, partial(_normal, self._data), mean, std, generator=generator)

    @takes_tensors
    def exponential_(self, lambd: float = 1.0, *, generator: Any = None) -> Any:
        """Exponentially distributed numbers, on average 1 / lambd."""
        return _refill("exponential_", self, random.exponential, lambd, generator=generator)

    @takes_tensors
    def geometric_(self, p: float, *, generator: Any = None) -> Any:
        """The number of tries up to the first success, each with probability `p`."""
        return _refill("geometric_", self, random.geometric, p, generator=generator)

    @takes_tensors
    def cauchy_(self, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None) -> Any:
        """Cauchy-distributed numbers, whose tails are so wide that they have no mean."""
        return _refill("cauchy_", self, random.cauchy, median, sigma, generator=generator)

    @takes_tensors
    def log_normal_(self, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Any:
        """Numbers whose logarithms are normal, with this mean and standard deviation."""
        return _refill("log_normal_", self, random.log_normal, mean, std, generator=generator)

    def random_(self, *bounds: int, generator: Any = None, **named: int) -> Any:
        """Integers: `random_(to)`, `random_(from, to)`; without bounds, up to the largest of the type."""
        if not bounds and not named:
            return _refill("random_", self, random.any_integer, generator=generator, name="random_any")
        alone = len(bounds) == 1 and not named
        low, high = _bounds("random_", (0, *bounds) if alone else bounds, named, 0, None)
        if not all(isinstance(n, int) and not isinstance(n, bool) for n in (low, high)):
            given = ", ".join(type(each).__name__ for each in (*bounds, *named.values()))
            raise TypeError(f"random_() received an invalid combination of arguments - got ({given})")
        name = "random_to" if low == 0 and "from" not in named else "random_range"
        draw = lambda shape, dtype, **kind: random.randint(low, high, shape, dtype, **kind)  # noqa: E731
        return _refill("random_", self, draw, generator=generator, name=name)

    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Any:
        """1 with probability `p`, a number or a tensor that can be broadcast, else 0."""
        random.check_generator("bernoulli_", generator)
        _check_target("bernoulli_", self)
        name, data = "bernoulli_number", self._data
        if isinstance(p, TensorBase):
            try:
                name, p = "bernoulli_tensor", np.broadcast_to(p._data, data.shape)
            except ValueError:
                raise expanded(data.shape, p._data.shape) from None
        else:
            p = _probability(p)
        return in_place(name, self, numbers=random.bernoulli(p, data, generator=generator))


def _normal(data: Any, shape: Any, dtype: Any, mean: float, std: float, *, generator: Any) -> np.ndarray:
    """Normal numbers; as in PyTorch, drawn pair by pair if the memory is not contiguous."""
    return random.normal(shape, dtype, mean, std, generator=generator, in_pairs=not data.flags.c_contiguous)


def _bounds(who: str, given: tuple[Any, ...], named: dict[str, Any], low: Any, high: Any) -> tuple[Any, Any]:
    """`from` and `to`, with their defaults. (`from` is a keyword of Python, so it can't be a parameter.)"""
    if len(given) > 2:
        raise TypeError(f"{who}() takes from 0 to 2 positional arguments but {len(given)} were given")
    found = dict(zip(("from", "to"), given, strict=False)) | named
    if unknown := found.keys() - {"from", "to"}:
        raise TypeError(f"{who}() got an unexpected keyword argument '{min(unknown)}'")
    for i, (name, x) in enumerate(found.items(), 1):
        if high is not None and not isinstance(x, NUMBER | TensorBase):
            raise no_tensor(who, name, i if len(given) >= i else None, x, "float")
    return found.get("from", low), found.get("to", high)


__all__ = ["bernoulli", "multinomial"]

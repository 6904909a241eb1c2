"""PyTorch's random numbers: the same ones, in the same order, for the same seed.

PyTorch draws on the CPU from the Mersenne twister MT19937, and so does NumPy: words of 32 random bits.
What is left is to make numbers of the words as PyTorch does. Everything here gives arrays; creation.py
makes tensors of them. All numbers are equal bit for bit, or differ in the last bits only (PyTorch's own do
so from one processor to the next). Imports dtypes. Read next: creation.py.
"""

from __future__ import annotations

import math
import os
import threading
from typing import Any

import numpy as np

from . import dtypes

Shape = tuple[int, ...]


class Generator:
    """A stream of random words that starts anew with each `manual_seed`. Threads may share one.

    >>> generator = Generator().manual_seed(0)
    >>> uniform((2,), generator=generator)
    array([0.4962566, 0.7682218], dtype=float32)
    >>> generator.initial_seed()
    0
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.manual_seed(67280421310721)  # PyTorch's first one too

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from `seed`, from -2**63 to 2**64 - 1 (a negative one wraps around); returns itself.

        Raises RuntimeError for what is no int, ValueError outside the range.
        """
        if type(seed) is not int:
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        with self._lock:
            self._seed = seed % 2**64
            self._twister: Any = None  # made at the first draw: numpy.random takes a while to import
            self._spare: float | None = None  # the second of the last pair of normal numbers
        return self

    def initial_seed(self) -> int:
        """The seed that this stream started from."""
        return self._seed

    def seed(self) -> int:
        """Start anew from a seed that nobody can foresee, and return it."""
        return self.manual_seed(int.from_bytes(os.urandom(8))).initial_seed()

    def words(self, count: int) -> np.ndarray:
        """The next `count` random words, each below 2**32 (in uint64)."""
        with self._lock:
            if self._twister is None:
                self._twister = np.random.MT19937()
                # RandomState seeds the twister as PyTorch does, with 32 of the seed's bits
                self._twister.state = np.random.RandomState(self._seed % 2**32).get_state(legacy=False)
            return self._twister.random_raw(count)

    def few_normals(self, count: int) -> np.ndarray:
        """`count` standard normal numbers (float64) as they come in pairs; an odd one is kept for the next call."""
        with self._lock:
            spare = [] if self._spare is None else [self._spare]
            pairs = max(count - len(spare) + 1, 0) // 2
            u1, u2 = unit(self.words(4 * pairs), np.float64).reshape(pairs, 2).T
            radius, angle = np.sqrt(-2 * np.log1p(-u2)), 2 * math.pi * u1
            values = [*spare, *np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()]
            self._spare = values[count] if len(values) > count else None
        return np.array(values[:count], np.float64)


default_generator = Generator()
default_generator.seed()
seed, initial_seed = default_generator.seed, default_generator.initial_seed


def manual_seed(seed: Any) -> Generator:
    """Start the default generator anew from int(seed), so that the numbers after it can be had again.

    >>> manual_seed(1).initial_seed(), manual_seed(-1).initial_seed() == 2**64 - 1
    (1, True)
    """
    return default_generator.manual_seed(int(seed))


def uniform(shape: Shape, dtype: Any = np.float32, low=0.0, high=1.0, *, generator=None) -> np.ndarray:
    """Numbers evenly spread over [low, high), of a floating-point type.

    >>> uniform((2,), np.float64, -1, 1, generator=Generator().manual_seed(0))
    array([0.940106  , 0.41563973])
    """
    dtype = floating(dtype, "check_uniform_bounds")
    if not low <= high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    count = math.prod(shape) * (2 if dtype == np.float64 else 1)
    values = unit((generator or default_generator).words(count), dtype)
    kind = values.dtype.type
    out = stretch(values, kind(high) - kind(low), low).astype(dtype)
    out[out >= dtype.type(high)] = low  # what rounding has brought up to `high`
    return out.reshape(shape)


def normal(shape: Shape, dtype: Any = np.float32, mean=0.0, std=1.0, *, generator=None) -> np.ndarray:
    """Normal (Gaussian) numbers of a floating-point type.

    As in PyTorch, fewer than 16 come from another method than 16 and more.

    >>> normal((3,), generator=Generator().manual_seed(0)).round(4)
    array([ 1.541 , -0.2934, -2.1788], dtype=float32)
    """
    dtype = floating(dtype, "normal_kernel_cpu")
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    generator = generator or default_generator
    count = math.prod(shape)
    if count < 16:
        return (generator.few_normals(count) * std + mean).astype(dtype).reshape(shape)
    whole = count - count % 16
    again = 16 if count % 16 else 0  # the last 16 are then drawn anew
    fill = whole if dtype == np.float16 else count
    values = unit(generator.words((fill + again) * (2 if dtype == np.float64 else 1)), dtype)
    out = np.empty(count, values.dtype)
    out[:whole] = box_muller(values[:whole])
    if again:
        out[-16:] = box_muller(values[-16:])
    return stretch(out, std, mean).astype(dtype).reshape(shape)


def randint(low: int, high: int, shape: Shape, dtype: Any = np.int64, *, generator=None) -> np.ndarray:
    """Whole numbers from `low` up to, not including, `high`, of any type that holds them all exactly.

    >>> randint(1, 7, (5,), generator=Generator().manual_seed(0))
    array([3, 4, 6, 1, 2])
    """
    dtype = np.dtype(dtype)
    if not (-(2**63) <= low < 2**63 and -(2**63) <= high < 2**63):
        raise ValueError("Overflow when unpacking long long")
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype.kind == "f":  # PyTorch warns that this will become an error; rounded numbers help nobody
        largest = 2 ** (np.finfo(dtype).nmant + 1)
        smallest = -largest
    else:
        smallest, largest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for what, number in (("from", low), ("to - 1", high - 1)):
        if not smallest <= number <= largest:
            raise RuntimeError(f"{what} is out of bounds for {dtypes.from_numpy(dtype).c_name}")
    generator = generator or default_generator
    span, count = high - low, math.prod(shape)
    drawn = generator.words(count) if span < 2**28 else wide(generator.words(2 * count))
    return (drawn % span + low % 2**64).view(np.int64).astype(dtype).reshape(shape)  # a negative `low` wraps around


def randperm(n: int, dtype: Any = np.int64, *, generator=None) -> np.ndarray:
    """0 to n - 1 in random order.

    >>> randperm(4, generator=Generator().manual_seed(0))
    array([0, 1, 3, 2])
    """
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    drawn = (generator or default_generator).words(max(n - 1, 0)) % np.arange(n, 1, -1, dtype=np.uint64)
    order = list(range(n))
    for i, further in enumerate(drawn.tolist()):
        order[i], order[i + further] = order[i + further], order[i]
    return np.array(order, dtype)


def dropout_mask(shape: Shape, p: float, dtype: Any = np.float32) -> np.ndarray:
    """What dropout multiplies with: 0 with probability `p`, else 1 / (1 - p).

    >>> _ = manual_seed(0)
    >>> dropout_mask((4,), 0.5)
    array([0., 0., 2., 0.], dtype=float32)
    """
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if p in (0, 1):  # nothing to draw
        return np.full(shape, 1 - p, dtype)
    mask = np.asarray(uniform(shape, np.float64) < 1 - p, dtype)
    mask /= 1 - p
    return mask


# -- from words to numbers -----------------------------------------------------------------------


def wide(words: np.ndarray) -> np.ndarray:
    """Each two words of 32 bits as one of 64, the first in front."""
    return words[::2] << 32 | words[1::2]


def unit(words: np.ndarray, dtype: Any) -> np.ndarray:
    """Numbers in [0, 1): float64 from two words each; float32 from one, also for float16."""
    if dtype == np.float64:
        return (wide(words) & (2**53 - 1)) * 2.0**-53
    return (words & (2**24 - 1)).astype(np.float32) * 2.0**-24


def box_muller(values: np.ndarray) -> np.ndarray:
    """Standard normal numbers from uniform ones, in blocks of 16: eight make radii, eight angles."""
    blocks = values.reshape(-1, 2, 8)
    radius = np.sqrt(-2 * np.log(1 - blocks[:, 0], dtype=np.float64).astype(values.dtype))
    angle = 2 * math.pi * blocks[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()


def stretch(values: np.ndarray, factor: float, offset: float) -> np.ndarray:
    """values * factor + offset; float32 is rounded once, at the end, as PyTorch's fused instruction does."""
    kind = values.dtype.type
    return (values * np.float64(kind(factor)) + kind(offset)).astype(kind)


def floating(dtype: Any, kernel: str) -> np.dtype:
    """`dtype` as NumPy's, or PyTorch's error where it holds no fractions."""
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtypes.from_numpy(dtype).legacy}'")
    return dtype

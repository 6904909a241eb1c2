"""PyTorch's random numbers: the same numbers in the same order for the same seed.

PyTorch on the CPU draws 32-bit random words from the Mersenne twister MT19937, which NumPy has too. This file turns
the words into numbers as PyTorch does. Its functions return arrays; _tensors/creation.py and _tensors/methods/random.py
make tensors of them. All numbers equal PyTorch's bit for bit, or differ in the last bits only, as PyTorch's own do
between processors. Imports dtypes and device. Read next: _tensors/creation.py.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ._machine import dtypes
from ._machine.backend import silence, silent
from ._machine.device import CPU, device
from ._machine.interrupts import restoring
from ._messages.foreign import type_name
from ._messages.names import Printed
from ._messages.names import missing as _missing

Shape = tuple[int, ...]
STATE = np.dtype(  # PyTorch's `get_state`, byte by byte: the memory of its C++ generator
    [("seed", "<u8"), ("left", "<i4"), ("seeded", "<i4"), ("next", "<u8"), ("words", "<u8", 624)]
    + [("x", "<f8"), ("spare", "<f8"), ("rho", "<f8"), ("has_spare", "<i8"), ("floats", "<f4", 2)]
)


class Generator(metaclass=Printed):
    """A stream of random words that restarts with each `manual_seed`. Several threads may share one.

    >>> generator = Generator().manual_seed(0)
    >>> uniform((2,), generator=generator)
    array([0.4962566, 0.7682218], dtype=float32)
    >>> generator.initial_seed()
    0
    """

    called = "torch._C"  # the module that `print(type(g))` shows

    as_tensor: Callable[[np.ndarray], Any]  # makes a tensor; set by _tensors/creation.py, a layer above

    before_drawing: Callable[[], None] = staticmethod(lambda: None)  # _tracing/ replaces it to notice random numbers

    def __init__(self, device: Any = "cpu") -> None:
        self.device = _on_the_cpu(device)
        self._lock = threading.RLock()
        self.manual_seed(67280421310721)  # PyTorch's default seed

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"

    def manual_seed(self, seed: int) -> Generator:
        """Restart from `seed`, from -2**63 to 2**64 - 1 (a negative one wraps around); returns the generator.

        Raises RuntimeError for an argument that is not an int, ValueError outside the range.
        """
        if type(seed) is not int:
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        with self._lock:
            self._seed = seed % 2**64
            self._twister: Any = None  # made at the first draw, because numpy.random is slow to import
            self._spare: float | None = None  # the second of the last pair of normal numbers, if unused
        return self

    def initial_seed(self) -> int:
        """The seed that this stream started from.

        >>> g = torch.manual_seed(7)
        >>> torch.initial_seed()
        7
        """
        return self._seed

    def seed(self) -> int:
        """Restart from an unpredictable seed, and return it.

        >>> torch.seed() == torch.initial_seed()
        True
        """
        return self.manual_seed(int.from_bytes(os.urandom(8))).initial_seed()

    def get_state(self) -> Any:
        """The state of the stream, as a tensor of 5056 bytes in PyTorch's format.

        >>> state = torch.get_rng_state()
        >>> a = torch.rand(2)
        >>> torch.set_rng_state(state)
        >>> torch.equal(torch.rand(2), a)
        True
        """
        state = np.zeros((), STATE)
        with self._lock:
            twister: Any = (self._twister or seeded(self._seed)).state["state"]
            state["seed"], state["seeded"], state["words"] = self._seed, 1, twister["key"]
            state["next"] = twister["pos"] if self._twister else 0
            state["left"] = 625 - twister["pos"]
            if self._spare is not None:
                state["spare"], state["has_spare"] = self._spare, 1
        return Generator.as_tensor(np.frombuffer(bytearray(state.tobytes()), np.uint8))

    def set_state(self, new_state: Any) -> None:
        """Continue the stream from a state that `get_state` returned.

        >>> import minigrad as torch
        >>> state = torch.get_rng_state()
        >>> a = torch.rand(3)
        >>> torch.set_rng_state(state)
        >>> torch.rand(3).equal(a)
        True

        Raises TypeError for anything but a ByteTensor, RuntimeError for another size or an invalid state.
        """
        array = getattr(new_state, "_data", None)
        if array is None:
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        if array.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if array.size != STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {STATE.itemsize} but found the input RNG state size to be "
                f"{array.size}"
            )
        state = np.frombuffer(array.tobytes(), STATE)[0]
        if not (state["seeded"] and 0 < state["left"] <= 624 and state["next"] <= 624):
            raise RuntimeError("Invalid mt19937 state")
        twister: Any = silence().run(np.random.MT19937)  # this changes NumPy's warnings: see silence
        key = {"key": state["words"].astype(np.uint32), "pos": 625 - int(state["left"])}
        twister.state = {"bit_generator": "MT19937", "state": key}
        with self._lock:
            self._seed, self._twister = int(state["seed"]), twister
            self._spare = float(state["spare"]) if state["has_spare"] else None

    def clone_state(self) -> Generator:
        """Another generator in the same state."""
        other = Generator()
        other.set_state(self.get_state())
        return other

    def __reduce__(self) -> Any:
        return _restored, (self.get_state(),)

    def words(self, count: int) -> np.ndarray:
        """The next `count` random words, each below 2**32 (in uint64)."""
        Generator.before_drawing()
        with self._lock:
            if self._twister is None and count:
                self._twister = seeded(self._seed)
            return self._twister.random_raw(count) if count else np.empty(0, np.uint64)

    def few_normals(self, count: int) -> np.ndarray:
        """`count` standard normal numbers (float64), drawn in pairs; an unused number is kept for the next call."""
        with self._lock:
            spare = [] if self._spare is None else [self._spare]
            pairs = max(count - len(spare) + 1, 0) // 2
            u1, u2 = unit(self.words(4 * pairs), np.float64).reshape(pairs, 2).T
            radius, angle = np.sqrt(-2 * np.log1p(-u2)), 2 * math.pi * u1
            values = np.concatenate([spare, np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()])
            self._spare = float(values[count]) if len(values) > count else None
        return values[:count]


def seeded(seed: int) -> Any:
    """A twister in PyTorch's initial state for this seed, of which only 32 bits count."""
    twister: Any = silence().run(np.random.MT19937)
    twister.state = np.random.RandomState(seed % 2**32).get_state(legacy=False)
    return twister


def check_generator(who: str, generator: Any) -> None:
    """TypeError unless `generator` is a Generator or None."""
    if generator is not None and not isinstance(generator, Generator):
        raise TypeError(f"{who}(): argument 'generator' must be torch.Generator, not {type_name(generator)}")


def _restored(state: Any) -> Generator:
    generator = Generator()
    generator.set_state(state)
    return generator


def _on_the_cpu(where: Any) -> device:
    if (wanted := device(where)).type != "cpu":
        raise RuntimeError("Cannot get CUDA generator without ATen_cuda library.")
    return CPU if wanted.index is None else wanted


default_generator = Generator()
default_generator.seed()
seed, initial_seed = default_generator.seed, default_generator.initial_seed
get_rng_state, set_rng_state = default_generator.get_state, default_generator.set_state


def manual_seed(seed: Any) -> Generator:
    """Restart the default generator from int(seed), so that the numbers after it can be repeated.

    >>> _ = torch.manual_seed(0)
    >>> a = torch.rand(2)
    >>> _ = torch.manual_seed(0)
    >>> torch.equal(torch.rand(2), a)
    True
    """
    return default_generator.manual_seed(int(seed))


@restoring
def fork_rng(devices: Iterable[Any] | None = None, enabled: bool = True, **unused: Any) -> Iterator[None]:
    """Draws in this block do not affect later ones: the default generator's state is restored at the end.

    >>> _ = manual_seed(0)
    >>> with fork_rng():
    ...     inside = uniform((2,))
    >>> bool((uniform((2,)) == inside).all())
    True
    """
    state = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            try:
                set_rng_state(state)
            except BaseException:  # Ctrl-C
                set_rng_state(state)
                raise


def uniform(shape: Shape, dtype: Any = np.float32, low=0.0, high=1.0, *, generator=None) -> np.ndarray:
    """Uniformly distributed numbers in [low, high), of a floating-point type.

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
    out[out >= dtype.type(high)] = low  # rounding can give `high`
    return out.reshape(shape)


def normal(shape: Shape, dtype: Any = np.float32, mean=0.0, std=1.0, *, generator=None, in_pairs=False) -> np.ndarray:
    """Normal (Gaussian) numbers of a floating-point type.

    As in PyTorch, fewer than 16 numbers are drawn in pairs, by another method than 16 or more.

    >>> normal((3,), generator=Generator().manual_seed(0)).round(4)
    array([ 1.541 , -0.2934, -2.1788], dtype=float32)
    """
    dtype = floating(dtype, "normal_kernel_cpu")
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    generator = generator or default_generator
    count = math.prod(shape)
    if count < 16 or in_pairs:
        return (generator.few_normals(count) * std + mean).astype(dtype).reshape(shape)
    whole = count - count % 16
    again = 16 if count % 16 else 0  # the last 16 are then drawn a second time
    fill = whole if dtype == np.float16 else count
    values = unit(generator.words((fill + again) * (2 if dtype == np.float64 else 1)), dtype)
    out = np.empty(count, values.dtype)
    out[:whole] = box_muller(values[:whole])
    if again:
        out[-16:] = box_muller(values[-16:])
    return stretch(out, std, mean).astype(dtype).reshape(shape)


def randint(low: int, high: int, shape: Shape, dtype: Any = np.int64, *, generator=None) -> np.ndarray:
    """Integers from `low` up to, not including, `high`, of any type that can represent them all exactly.

    >>> randint(1, 7, (5,), generator=Generator().manual_seed(0))
    array([3, 4, 6, 1, 2])
    """
    dtype = np.dtype(dtype)
    if not (-(2**63) <= low < 2**63 and -(2**63) <= high < 2**63):
        raise ValueError("Overflow when unpacking long long")
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype.kind == "f":  # PyTorch warns that rounded numbers will become an error
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


def any_integer(shape: Shape, dtype: Any = np.int64, *, generator=None) -> np.ndarray:
    """Integers from 0 up to the largest of the type; for a floating-point type, the largest range without gaps."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        span = 2 ** (np.finfo(dtype).nmant + 1) + 1
    else:
        span = 2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1
    generator, count = generator or default_generator, math.prod(shape)
    drawn = generator.words(count) if dtype.itemsize < 8 else wide(generator.words(2 * count))
    return (drawn % span).astype(dtype).reshape(shape)


def bernoulli(p: Any, like: np.ndarray, *, generator=None) -> np.ndarray:
    """1 with probability `p`, else 0, for each element of an array like `like`. `p` is a number between 0 and 1, or an
    array with one probability for each element; RuntimeError for other values.

    >>> bernoulli(0.5, np.zeros(4), generator=Generator().manual_seed(0))
    array([0., 0., 1., 0.])
    """
    kind: Any = np.dtype(np.float64)
    if isinstance(p, np.ndarray):
        kind = floating(p.dtype, "bernoulli_tensor_cpu_p_")
        if not np.all((p >= 0) & (p <= 1)):
            raise RuntimeError(
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
                "If so, please report an enhancement request to PyTorch.)"
            )
    drawn = as_laid_out(like, lambda shape: uniform(shape, np.result_type(kind, np.float32), generator=generator))
    return (drawn < p).astype(like.dtype)


@silent
def exponential(shape: Shape, dtype: Any = np.float32, lambd=1.0, *, generator=None) -> np.ndarray:
    """Exponentially distributed numbers: waiting times for events that occur `lambd` times per unit of time."""
    positive("exponential_", "lambda", lambd)
    dtype = continuous(dtype, "Exponential", "legacy")
    return (-1 / lambd * np.log1p(-uniform(shape, np.float64, generator=generator))).astype(dtype)


@silent
def geometric(shape: Shape, dtype: Any = np.float32, p=0.5, *, generator=None) -> np.ndarray:
    """The number of tries up to the first success, where each try succeeds with probability `p`."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    drawn = uniform(shape, np.float64, generator=generator)
    return np.ceil(np.log(drawn) / math.log1p(-p)).astype(dtype)


@silent
def cauchy(shape: Shape, dtype: Any = np.float32, median=0.0, sigma=1.0, *, generator=None) -> np.ndarray:
    """Cauchy-distributed numbers, whose tails are so wide that they have no mean."""
    positive("cauchy_", "sigma", sigma)
    dtype = continuous(dtype, "Cauchy", "c_name")
    drawn = uniform(shape, np.float64, generator=generator)
    return (median + sigma * np.tan(math.pi * (drawn - 0.5))).astype(dtype)


@silent
def log_normal(shape: Shape, dtype: Any = np.float32, mean=1.0, std=2.0, *, generator=None) -> np.ndarray:
    """Numbers whose logarithms are normal, with this mean and standard deviation."""
    positive("log_normal_", "std", std)
    dtype = floating(dtype, "log_normal_cpu")
    drawn = (generator or default_generator).few_normals(math.prod(shape))
    return np.exp(drawn * std + mean).astype(dtype).reshape(shape)


def multinomial(weights: np.ndarray, count: int, replacement: bool = False, *, generator=None) -> np.ndarray:
    """`count` indices for each row of `weights` (or for the one row), with probabilities proportional to the weights.

    >>> multinomial(np.array([1.0, 0.0, 3.0]), 5, True, generator=Generator().manual_seed(2))
    array([2, 0, 2, 2, 2])
    """
    if not replacement or count == 1:  # the elements with the smallest exponential number / weight
        if not np.all(np.isfinite(weights) & (weights >= 0)):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if np.any(weights.sum(-1) <= 0):
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        race = weights / exponential(weights.shape, weights.dtype, generator=generator)
        return np.argsort(-race, -1, kind="stable")[..., :count]
    if not np.all(weights >= 0):
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.all(np.isfinite(weights)):
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    ends = np.cumsum(weights, -1, dtype=weights.dtype)
    if np.any(ends[..., -1] <= 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    ends /= ends[..., -1:]
    drawn = uniform((*weights.shape[:-1], count), np.float64, generator=generator)
    if weights.ndim == 1:
        return np.searchsorted(ends, drawn)
    rows = [np.searchsorted(*row) for row in zip(ends, drawn, strict=True)]
    return np.array(rows, np.int64).reshape(drawn.shape)


def dropout_mask(shape: Shape, p: float, dtype: Any = np.float32) -> np.ndarray:
    """The factors of dropout: 0 with probability `p`, else 1 / (1 - p).

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
    """Each pair of 32-bit words as one 64-bit word, the first word in the high bits."""
    return words[::2] << 32 | words[1::2]


def unit(words: np.ndarray, dtype: Any) -> np.ndarray:
    """Numbers in [0, 1): a float64 from two words, a float32 from one; float16 uses float32."""
    if dtype == np.float64:
        return (wide(words) & (2**53 - 1)) * 2.0**-53
    return (words & (2**24 - 1)).astype(np.float32) * 2.0**-24


def box_muller(values: np.ndarray) -> np.ndarray:
    """Standard normal numbers from uniform ones, in blocks of 16: eight give the radii, eight the angles."""
    blocks = values.reshape(-1, 2, 8)
    radius = np.sqrt(-2 * np.log(1 - blocks[:, 0], dtype=np.float64).astype(values.dtype))
    angle = 2 * math.pi * blocks[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).ravel()


def stretch(values: np.ndarray, factor: float, offset: float) -> np.ndarray:
    """values * factor + offset; float32 is rounded once, at the end, as PyTorch's fused instruction does."""
    kind = values.dtype.type
    return (values * np.float64(kind(factor)) + kind(offset)).astype(kind)


def as_laid_out(like: np.ndarray, draw: Callable[[Shape], np.ndarray]) -> np.ndarray:
    """Call `draw` for an array like this one; the numbers are assigned in the order of the elements in memory.

    >>> as_laid_out(np.zeros((3, 2)).T, lambda shape: np.arange(6).reshape(shape))
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    if like.flags.c_contiguous:
        return draw(like.shape)
    order = _outer_to_inner(like.shape, like.strides)
    return draw(tuple(like.shape[d] for d in order)).transpose([order.index(d) for d in range(like.ndim)])


def _outer_to_inner(shape: Shape, steps: Shape) -> list[int]:
    """The axes in order of falling stride. An axis of stride 0 stays at its position."""
    order = [axis for axis, n in enumerate(shape) if n != 1]
    for last in reversed(range(len(order) - 1)):
        here = last
        for i in range(last + 1, len(order)):
            one, other = order[here], order[i]
            if not steps[one] or not steps[other]:
                continue  # these two can't be compared; the next one may be
            if (steps[one], shape[one]) < (steps[other], shape[other]):
                order[here], order[i], here = other, one, i
            elif steps[one] > steps[other]:
                break
    return [axis for axis, n in enumerate(shape) if n == 1] + order


def positive(who: str, name: str, number: float) -> None:
    """RuntimeError, in PyTorch's words, unless `number` is above 0."""
    if not number > 0:
        raise RuntimeError(f"{who} expects {name} > 0.0, but found {name}={number:g}")


def continuous(dtype: Any, distribution: str, called: str) -> np.dtype:
    """`dtype` as NumPy's, or PyTorch's error for a continuous distribution in a type of integers."""
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise RuntimeError(
            f"{distribution} distribution is a continuous probability distribution. dtype must be a floating point but "
            f"you specified {getattr(dtypes.from_numpy(dtype), called)}"
        )
    return dtype


def floating(dtype: Any, kernel: str) -> np.dtype:
    """`dtype` as NumPy's, or PyTorch's error for a type of integers."""
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtypes.from_numpy(dtype).legacy}'")
    return dtype


__getattr__ = _missing(__name__)

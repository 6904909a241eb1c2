"""minigrad: the autograd you can see. A small NumPy autograd core that behaves as PyTorch does.

    import minigrad as torch

Start reading at rules.py (the one table of operators), then dispatch.py (what a call does), graph.py and
engine.py (what backward does). Needs NumPy alone; the pictures are in the package `viz` beside it.
"""

import math as _math
import warnings as _warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import autograd, cuda, dtypes
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .autograd.modes import is_anomaly_check_nan_enabled, is_anomaly_enabled, is_inference_mode_enabled
from .creation import (
    BoolTensor,
    DoubleTensor,
    FloatTensor,
    IntTensor,
    LongTensor,
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    tensor,
    zeros,
    zeros_like,
)
from .device import device
from .dtypes import (
    double,
    dtype,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from .functions import *  # noqa: F403  # the operators as functions, listed there by name
from .functions import __all__ as _functions
from .methods.arithmetic import where
from .methods.einsum import einsum
from .methods.shape import broadcast_tensors, cat, stack
from .printing import set_printoptions
from .random import Generator, initial_seed, manual_seed, seed
from .tensor import Size, Tensor

# PyTorch's names for these types are also Python's own
bool = dtypes.bool
float = dtypes.float32
int = dtypes.int32

pi, inf, nan, e = _math.pi, _math.inf, _math.nan, _math.e
newaxis = None
concat = concatenate = cat
__version__ = "0.1.0"

# PyTorch computes inf and nan in silence; so does this package (and only this one)
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\b")


if TYPE_CHECKING:
    from . import nn, optim
    from .serialization import load, save


def __getattr__(name: str) -> Any:
    """`nn`, `optim`, `save` and `load` are imported when first used: they take a third of the time of all."""
    if name in ("nn", "optim"):
        return import_module(f"minigrad.{name}")
    if name in ("save", "load"):
        return getattr(import_module("minigrad.serialization"), name)
    raise AttributeError(f"module 'minigrad' has no attribute {name!r}")


def is_tensor(obj: object) -> bool:  # type: ignore[valid-type]
    """True for a Tensor."""
    return isinstance(obj, Tensor)


def numel(input: Tensor) -> int:  # type: ignore[valid-type]
    """The number of elements."""
    return input.numel()


__all__ = [
    *_functions,
    "BoolTensor",
    "DoubleTensor",
    "FloatTensor",
    "Generator",
    "IntTensor",
    "LongTensor",
    "Size",
    "Tensor",
    "arange",
    "as_tensor",
    "autograd",
    "bool",
    "broadcast_tensors",
    "cat",
    "concat",
    "concatenate",
    "cuda",
    "device",
    "double",
    "dtype",
    "einsum",
    "empty",
    "empty_like",
    "enable_grad",
    "eye",
    "float",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "full",
    "full_like",
    "get_default_dtype",
    "half",
    "inference_mode",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_tensor",
    "linspace",
    "load",
    "long",
    "manual_seed",
    "nn",
    "no_grad",
    "numel",
    "ones",
    "ones_like",
    "optim",
    "promote_types",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "randperm",
    "save",
    "seed",
    "set_default_dtype",
    "set_grad_enabled",
    "set_printoptions",
    "short",
    "stack",
    "tensor",
    "uint8",
    "where",
    "zeros",
    "zeros_like",
]

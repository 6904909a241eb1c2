"""minigrad: the autograd you can see. A small NumPy autograd core that behaves as PyTorch does.

    import minigrad as torch

Start reading in core/: the idea, whole, in an evening. Its files come in one order, which core/__init__.py names:
rules, modes, tensor, seams, node, record, engine, forms. The mathematics stands in ops/, a row an operator. All else is
what a PyTorch user touches: operators.py and fast.py (the hot path), tensor.py and methods/, dispatch.py, views.py and
inplace.py, hooks.py, watched.py and backward.py, autograd/, nn/, optim/. The other engine is compiler/, and static/
and tracing/ are the doors to it. Needs NumPy alone; the pictures are in the package `viz` beside it.
"""
# ruff: noqa: F401, F403  # to be had from here is what these imports are for; each file lists what is public in it

import math as _math
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import autograd, cuda
from .arguments import as_function as _as_function
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .autograd.grad_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, is_inference_mode_enabled
from .creation import *
from .device import device
from .dtypes import *
from .limits import *
from .methods.aliases import *
from .methods.arithmetic import *
from .methods.einsum import einsum
from .methods.elementwise import *
from .methods.linalg import *
from .methods.order import *
from .methods.out import with_out as _with_out
from .methods.pieces import *
from .methods.pointwise import *
from .methods.products import *
from .methods.random import *
from .methods.reduction import *
from .methods.scattering import *
from .methods.shape import *
from .names import hide_private as _hide_private
from .names import missing as _missing
from .oldtypes import *
from .once import is_warn_always_enabled, set_warn_always
from .printing import set_printoptions
from .random import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .settings import *
from .submodules import explain_absent as _explain_absent
from .tensor import Size, Tensor

if _TYPE_CHECKING:
    from . import accelerator, backends, distributions, linalg, mps, multiprocessing, nn, optim, utils, version, xpu
    from .as_torch import install_as_torch
    from .linalg import det, inverse
    from .oldlinalg import svd
    from .serialization import load, save
    from .tracing import jit

gather, scatter_add, index_select = map(_as_function, (Tensor.gather, Tensor.scatter_add, Tensor.index_select))
index_add, masked_select, nonzero = map(_as_function, (Tensor.index_add, Tensor.masked_select, Tensor.nonzero))
numel, is_floating_point = map(_as_function, (Tensor.numel, Tensor.is_floating_point))

globals().update(_with_out(globals()))

pi, inf, nan, e, newaxis = _math.pi, _math.inf, _math.nan, _math.e, None
__version__ = "0.1.0"


# Imported when first used: they take a third of the time of all
_modules = "accelerator backends distributions linalg mps multiprocessing nn optim utils version xpu".split()
_LAZY = {name: f"minigrad.{name}" for name in _modules} | dict.fromkeys(("load", "save"), "minigrad.serialization")
_LAZY |= (
    dict.fromkeys(("det", "inverse"), "minigrad.linalg") | {"svd": "minigrad.oldlinalg"} | {"jit": "minigrad.tracing"}
)
_LAZY |= {"install_as_torch": "minigrad.as_torch"}
__getattr__ = _missing(__name__, _LAZY)
_explain_absent()
_hide_private()


def __dir__():
    return sorted({*globals(), *_LAZY})

"""minigrad: the autograd you can see. A small NumPy autograd core that behaves as PyTorch does.

    import minigrad as torch

Start reading in core/, which holds the whole idea and takes an evening. core/__init__.py names the order of its files:
rules, modes, tensor, seams, node, record, engine, forms. The mathematics is in ops/, a row for each operator.

A name here without an underscore is public: PyTorch has it (nn, optim, cuda …), or it is ours (core, ops, static, and
the function `jit`). Everything else is in folders that begin with an underscore; each imports only those below it:

    _as_torch/  `import torch` gives minigrad, so that a PyTorch program runs unchanged
    _tracing/   `jit`: run a function once on tensors without numbers, and keep what ran
        _tensors/   what a user works with: Tensor, its methods, the functions that make tensors
    _call/      from a user's call to an operator: arguments, dispatch, the fast path
    _engine/    what PyTorch adds around core/: hooks, saved tensors, views, anomaly mode, `backward`
    _compiler/  one graph and its passes, for static/ and _tracing/
    _machine/   arrays, dtypes, devices, Ctrl-C
        _messages/  messages about names that minigrad lacks, and about the line of the user's program that is to blame

`python tests/test_rooms.py` prints which of them imports which. minigrad needs NumPy alone; the pictures are in the
package `viz` beside it.
"""
# ruff: noqa: F401, F403  # these imports make the names available here; each file lists what is public in it

import math as _math
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import autograd, cuda
from ._as_torch.submodules import explain_absent as _explain_absent
from ._call.arguments import as_function as _as_function
from ._machine.device import device
from ._machine.dtypes import *
from ._machine.settings import *
from ._messages.names import missing as _missing
from ._messages.once import is_warn_always_enabled, set_warn_always
from ._messages.strangers import warn_in_a_notebook as _warn_in_a_notebook
from ._tensors.creation import *
from ._tensors.limits import *
from ._tensors.methods.aliases import *
from ._tensors.methods.arithmetic import *
from ._tensors.methods.einsum import einsum
from ._tensors.methods.elementwise import *
from ._tensors.methods.linalg import *
from ._tensors.methods.order import *
from ._tensors.methods.out import with_out as _with_out
from ._tensors.methods.pieces import *
from ._tensors.methods.pointwise import *
from ._tensors.methods.products import *
from ._tensors.methods.random import *
from ._tensors.methods.reduction import *
from ._tensors.methods.scattering import *
from ._tensors.methods.shape import *
from ._tensors.oldtypes import *
from ._tensors.printing import set_printoptions
from ._tensors.tensor import Size, Tensor
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .autograd.grad_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, is_inference_mode_enabled
from .random import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .version import __version__

if _TYPE_CHECKING:
    from . import accelerator, backends, distributions, linalg, mps, multiprocessing, nn, optim, utils, version, xpu
    from ._as_torch.finder import install_as_torch
    from ._tracing import jit
    from .linalg import det, inverse
    from .linalg._older import svd
    from .serialization import load, save

gather, scatter_add, index_select = map(_as_function, (Tensor.gather, Tensor.scatter_add, Tensor.index_select))
index_add, masked_select, nonzero = map(_as_function, (Tensor.index_add, Tensor.masked_select, Tensor.nonzero))
numel, is_floating_point = map(_as_function, (Tensor.numel, Tensor.is_floating_point))

globals().update(_with_out(globals()))

pi, inf, nan, e, newaxis = _math.pi, _math.inf, _math.nan, _math.e, None


# Imported when first used, because they take a third of the whole import time
_modules = "accelerator backends distributions linalg mps multiprocessing nn optim utils version xpu".split()
_LAZY = {name: f"minigrad.{name}" for name in _modules} | dict.fromkeys(("load", "save"), "minigrad.serialization")
_LAZY |= (
    dict.fromkeys(("det", "inverse"), "minigrad.linalg")
    | {"svd": "minigrad.linalg._older"}
    | {"jit": "minigrad._tracing"}
)
_LAZY |= {"install_as_torch": "minigrad._as_torch.finder"}
__getattr__ = _missing(__name__, _LAZY)
_explain_absent()
_warn_in_a_notebook()


def __dir__():
    return sorted({*globals(), *_LAZY})

"""`minigrad.backends`: PyTorch's switches for its libraries, so that programs that set them run.

minigrad uses none of these libraries: each switch stores its value, and most have no effect.
Imports nothing. Read next: _machine/settings.py, the switches of `minigrad` itself.
"""

from .._messages.names import missing as _missing
from . import cuda, cudnn, mkl, mkldnn, mps, openmp

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]

__getattr__ = _missing(__name__)

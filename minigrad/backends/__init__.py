"""`minigrad.backends`: PyTorch's switches for the libraries beneath it, so that a program that sets them runs.

None of those libraries is here: each switch keeps what it is set to, and changes nothing.
Imports nothing. Read next: _machine/settings.py, the switches of `minigrad` itself.
"""

from .._messages.names import missing as _missing
from . import cuda, cudnn, mkl, mkldnn, mps, openmp

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]

__getattr__ = _missing(__name__)

"""`minigrad.multiprocessing`: the standard library's `multiprocessing`, under the name that PyTorch's programs import.

A tensor is sent to another process as a copy. In PyTorch both processes use the same memory, so one sees the other's
changes; here it does not. Imports names.
"""

from multiprocessing import *  # noqa: F403
from multiprocessing import __all__ as __all__
from typing import Any

from ._messages.names import missing as _missing

__path__: list[
    str
] = []  # so that `import minigrad.multiprocessing.spawn` is explained: PyTorch has modules in this one
__getattr__: Any = _missing(__name__)

"""`minigrad.multiprocessing`: the standard library's `multiprocessing`, under the name that PyTorch's programs import.

A tensor travels to another process as a copy. In PyTorch both processes look at the same memory, so a change in one is
seen in the other; here it is not. Imports names.
"""

from multiprocessing import *  # noqa: F403
from multiprocessing import __all__ as __all__
from typing import Any

from ._messages.names import missing as _missing

__path__: list[
    str
] = []  # so that `import minigrad.multiprocessing.spawn` is explained: PyTorch has modules in this one
__getattr__: Any = _missing(__name__)

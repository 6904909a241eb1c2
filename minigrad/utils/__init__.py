"""What stands around a training program: `data`, which hands out batches, and `checkpoint`, which saves memory.

Imported when first used. Read next: data/__init__.py.
"""

from .._messages.names import missing as _missing
from . import checkpoint, data

__all__ = ["checkpoint", "data"]

__getattr__ = _missing(__name__)

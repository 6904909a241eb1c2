"""Tools for training programs: `data`, which makes batches, and `checkpoint`, which saves memory.

Imported on first use. Read next: data/__init__.py.
"""

from .._messages.names import missing as _missing
from . import checkpoint, data

__all__ = ["checkpoint", "data"]

__getattr__ = _missing(__name__)

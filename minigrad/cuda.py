"""`minigrad.cuda`: is there a GPU that CuPy can use?"""

from .device import device_count, is_available

__all__ = ["device_count", "is_available"]

"""The lowest layer: arrays, dtypes, devices, the settings of the process, Ctrl-C.

backend.py     the library of an array, and functions that the array API standard lacks
dtypes.py      the types of a tensor's elements
device.py      the CPU, or a GPU through CuPy
settings.py    PyTorch's global settings
interrupts.py  safe handling of Ctrl-C

These files import _messages/ and each other.
"""

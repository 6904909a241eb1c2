"""What everything runs on: arrays, their types, the devices, the settings of the process, Ctrl-C.

backend.py     to which library an array belongs, and what the array API standard lacks
dtypes.py      the types of a tensor's elements
device.py      the CPU, or a GPU through CuPy
settings.py    switches of PyTorch's that a program may set at its top
interrupts.py  Ctrl-C leaves nothing half done and nothing switched on

These files import _messages/ and each other.
"""

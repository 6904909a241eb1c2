"""The third way: write it dynamically, trace it, run it as a static graph. `jit` is the door.

ghost.py      a run of the function on tensors without numbers: what ran
lower.py      from that to a graph of the compiler's with its gradient, and to two Python functions on arrays
compiled.py   both, with what they want and give, and the call as one node of the graph; its text is in write.py
keys.py       what of an argument decides which trace fits
signature.py  which trace fits which call
call.py       `jit`
called.py     what the reader's code calls a result
"""

from .call import Jitted, jit

__all__ = ["Jitted", "jit"]

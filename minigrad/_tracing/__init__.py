"""The third way: write dynamic code, trace it, run it as a static graph. The public function is `jit`.

ghost.py      runs the function on tensors without numbers, and records the operators
lower.py      turns the record into a graph with its gradient, and into two Python functions on arrays
compiled.py   both functions with their inputs and outputs, called as one node of the graph; write.py writes the text
keys.py       the properties of an argument that decide which trace fits
signature.py  the signature of a call, and the modules that belong to it
call.py       `jit`
called.py     what the reader's code calls a result
"""

from .call import Jitted, jit

__all__ = ["Jitted", "jit"]

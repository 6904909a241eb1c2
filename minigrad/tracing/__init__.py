"""The third way: write it dynamically, trace it, run it as a static graph. `jit` is the door.

ghost.py    a run of the function on tensors without numbers: what ran
lower.py    from that to a static graph with its gradient, and to two Python functions
call.py     `jit`: which trace fits a call, and the call as one node of the graph
"""

from .call import Jitted, jit

__all__ = ["Jitted", "jit"]

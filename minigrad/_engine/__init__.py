"""PyTorch's additions to the engine in core/, connected through the functions of core/seams.py.

switches.py     modes other than `no_grad`
storage.py      memory and version counters, which a tensor shares with its views
hooks.py        user functions that a backward pass calls
saved.py        saved tensors, and errors if they were freed or changed
nodes.py        the public attributes of a node
overlap.py      which memory an operator in place may write to
view_nodes.py   the nodes of views whose memory was changed
views.py        the history of views, and which tensors may be changed in place
accumulate.py   adding gradients to `.grad`
anomaly.py      finding the node that first returned nan
watched.py      hooks and other calls around the nodes of a pass
backward.py     `backward` and `grad`, and PyTorch's checks before a pass

Each file imports only those above it, core/, _machine/ and _messages/.
"""

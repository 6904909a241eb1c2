"""What PyTorch adds around the idea of core/: it comes in through the functions of core/seams.py.

switches.py     the modes beside `no_grad`
storage.py      what a tensor shares with its views: memory, versions
hooks.py        functions of the reader's that a backward pass calls
saved.py        what a node saved, and whether it may still be read
nodes.py        what PyTorch shows of a node
overlap.py      which memory an operator in place may write to
view_nodes.py   the nodes behind views whose memory was changed
views.py        what a view's history is, and what may be changed in place
accumulate.py   where a gradient ends: `.grad`
anomaly.py      which node first gave nan
watched.py      what is called around the nodes of a pass
backward.py     `backward` and `grad`, and PyTorch's checks before a pass

Each file imports only those above it, core/, _machine/ and _messages/.
"""

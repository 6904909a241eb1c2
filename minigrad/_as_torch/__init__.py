"""An unchanged PyTorch program runs on minigrad.

submodules.py  which modules such a program may import, and the error for one that minigrad lacks
finder.py      `minigrad.install_as_torch()`: `import torch` gives minigrad
programs.py    `python -m minigrad PROGRAM`
standin/       what `import torch` finds in a process that multiprocessing has started
"""

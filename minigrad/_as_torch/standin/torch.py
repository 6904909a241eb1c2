"""The module `torch` in a process that multiprocessing has started: it installs minigrad there, as finder.py
does in the first process. Under its own name, `minigrad._as_torch.standin.torch`, this module does nothing.
"""

import os.path
import sys
from importlib.util import find_spec

if __name__ == "torch":
    if find_spec("minigrad") is None:  # the first process found it in its working folder
        here = os.path.abspath(__file__)
        sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(here)))))
    import minigrad

    sys.modules["torch"] = minigrad
    minigrad.install_as_torch()

"""Another package named `viz` where ours is expected. On package indexes, that name belongs to a stranger.

The other direction, a stranger named `minigrad`, is told by viz/strangers.py, because there this file is not ours.
Imports nothing else of minigrad. Read next: _as_torch/programs.py, whose report shows it.
"""

from __future__ import annotations

import os
import sys

BESIDE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def stranger() -> str:
    """A sentence about a package `viz` that is not ours; "" if ours is found, or none."""
    from importlib.util import find_spec

    try:
        found = find_spec("viz")
    except (ImportError, ValueError):
        return ""
    if found is None or not found.origin:
        return ""
    if os.path.dirname(os.path.abspath(found.origin)) == os.path.join(BESIDE, "viz"):
        return ""
    if not os.path.isdir(os.path.join(BESIDE, "viz")):
        return ""  # minigrad alone is used, and `viz` may be anything
    return (
        f"`import viz` finds another package than minigrad's: {found.origin}. If the file is yours, rename it; "
        "if pip installed it, run  pip uninstall viz  and  pip install --force-reinstall minigrad-course"
    )


def warn_in_a_notebook() -> None:
    """Warn about it in a kernel, where the lessons run. In a program, a module named `viz` may be the program's own."""
    if "ipykernel" in sys.modules and "viz" not in sys.modules and (told := stranger()):
        import warnings

        warnings.warn(told, UserWarning, stacklevel=3)

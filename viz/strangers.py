"""Is the package `minigrad` ours? On package indexes, that name belongs to a stranger.

`import viz` runs this first, so that a reader sees which file is in the way, and not an error from deep inside.
Imports the standard library alone. Read next: front.py.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

CURE = (
    "If the file is yours, rename it. If pip installed it, run  pip uninstall minigrad  and then  "
    "pip install --force-reinstall minigrad-course"
)


def check() -> None:
    """Raise ImportError, with the file, if Python finds another `minigrad` than the one that viz belongs to."""
    found = find_spec("minigrad")
    origin = (found.origin if found else None) or ""
    if found is None:
        beside = Path(__file__).parents[1] / "minigrad"
        raise ImportError(f"viz needs the package minigrad, which should be in {beside}: {CURE}")
    try:
        ours = "install_as_torch" in getattr(import_module("minigrad"), "_LAZY", ())
    except Exception:  # a stranger may need what is not installed
        if os.path.dirname(os.path.abspath(origin)) == str(Path(__file__).resolve().parents[1] / "minigrad"):
            raise  # ours, and something else is wrong
        ours = False
    if not ours:
        raise ImportError(f"`import minigrad` finds another package than the one that viz belongs to: {origin}. {CURE}")

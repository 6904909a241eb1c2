"""Thirty-five models that people draw, each with its true arrows: `python -m benchmarks.thirty` makes a page.

The page has viz's pictures beside those of torchview, TorchVista and torchviz. For each it says whether the picture is
true, how large its smallest letters are at 1,280 pixels, and how long it took.

    vision.py, sequences.py, other.py → the models: `MODELS`
    trace.py → the arrows of a picture, and those of an independent trace (`torch.export`)
    peers.py → the arrows in the pictures of the other tools
    measure.py → one picture by one tool, in a process of its own
    __main__.py → the page and the table in ../README.md

tests/test_viz_flow_export.py checks viz's pictures of the same models. Read registry.py next.
"""

from . import other, sequences, vision  # noqa: F401  # they fill the table
from .registry import MODELS, Entry, Example

__all__ = ["MODELS", "Entry", "Example"]

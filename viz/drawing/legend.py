"""The visual language as data: what each shape, border, colour and word means, in both themes.

Nothing is shown by colour alone: each kind has its own shape, border and label. Light colours (sky, yellow) are used
only as fills under black text; strokes and text have a contrast of 3 : 1 and 4.5 : 1 on both papers (tested).
Imports names and the catalogues. Read boxes.py for how these are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..graph.names import plain
from ..locale import room

# Colours that colour-blind readers can tell apart (after Okabe and Ito).
SKY, YELLOW, PURPLE, BLACK = "#56B4E9", "#F0E442", "#CC79A7", "#000000"
BLUE, VERMILION = "#0072B2", "#D55E00"
ORANGE = "#C87800"  # darker than Okabe and Ito's, which looks like the sky blue in greyscale

# The colours that change with the theme. In a JupyterLab page, its own colours are used (see paint.py).
LIGHT = {"ink": "#1A1A1A", "muted": "#5C5C5C", "paper": "#FFFFFF"}
DARK = {"ink": "#F2F2F2", "muted": "#B8B8B8", "paper": "#111111"}
JUPYTER = {"ink": "--jp-content-font-color1", "muted": "--jp-content-font-color2", "paper": "--jp-layout-color0"}


# What a picture can show, and what it shows by default
CAN_SHOW = ("values", "shapes", "grads", "saved", "storage")
SHOWN = ("values", "grads", "saved")
NAMED = "names"  # in addition to these: large names of operators, for an explorer that mentions them


@dataclass(frozen=True)
class Look:
    """How a box is drawn: its outline, the width of its border in pixels, its fill (None: paper) and its rows."""

    outline: str
    border: float
    fill: str | None
    rows: tuple[str, ...]


LOOKS = {
    "leaf": Look("rounded", 3, SKY, ("value", "grad")),
    "value": Look("square", 1.5, None, ("value", "grad")),
    "kept": Look("double", 1.5, YELLOW, ("value", "grad")),
    "plain": Look("dashed", 1, None, ("value",)),
    "constant": Look("cut corner", 1, None, ("value",)),
    "detached": Look("notched", 1.5, ORANGE, ("value",)),
    "folded": Look("stack", 1.5, None, ("inside",)),
    "refused": Look("octagon", 1.5, None, ()),
    "placeholder": Look("arrow", 1.5, None, ("shape",)),
    "variable": Look("drum", 2, SKY, ("shape",)),
    "carried": Look("hexagon", 2.5, None, ("shape",)),
    "step": Look("slanted", 1, None, ("shape",)),
}
CIRCLE = 1.5  # the border of an operator
FRAME = 1  # the border of a cluster


@dataclass(frozen=True)
class Line:
    """How an arrow is drawn: its colour, width and dashes, and its head: filled, hollow, a bar or none."""

    colour: str
    head: str = "filled"
    width: float = 1.5
    dashes: str | None = None


LINE = 1.5
LINES = {
    "forward": Line("ink"),
    "next": Line("ink", dashes="7 4"),
    "control": Line("ink", dashes="2 4"),
    "detach": Line("ink", dashes="2 5"),
    "quiet": Line("muted", dashes="7 3"),  # out of an operation that autograd does not record
    "gradient": Line(VERMILION, "hollow", 2),
    "blocked": Line("muted", "bar", dashes="3 4"),
    "resting": Line("muted", "none", 1),
}

RINGS = {  # around a node: what a run does with it, or a reader's guess about that; colour and dashes
    "fetched": (BLUE, None),
    "guessed": ("ink", "2 5"),
    "runs": (BLUE, None),
    "fed": (VERMILION, "10 5"),
    "guilty": (VERMILION, None),  # an octagon, like a stop sign
}

tr = room("drawing")
LABELS = tr.table("legend")

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "neg": "−", "sum": "Σ", "sqrt": "√"} | dict.fromkeys(
    ("mm", "bmm", "mv"), "@"
)
STATIC_SIGNS = {
    "AddV2": "+",
    "Sub": "−",
    "Mul": "×",
    "RealDiv": "÷",
    "Neg": "−",
    "Sum": "Σ",
    "Sqrt": "√",
    "Square": "x²",
    "MatMul": "@",
    "BatchMatMulV2": "@",
    "Less": "<",
    "LessEqual": "≤",
    "Greater": ">",
    "GreaterEqual": "≥",
    "Assign": ":=",
    "AssignAdd": "+=",
    "AssignSub": "−=",
    "Identity": "=",
} | {name: name.lower() for name in ("Exp", "Log", "Sin", "Cos", "Tanh", "Sigmoid", "Relu")}  # as in a dynamic graph


def sign(operator: str) -> str:
    """The sign in an operator's circle, from PyTorch's or TensorFlow's name for it; other operators keep their name.

    >>> [sign(name) for name in ("MulBackward0", "TanhBackward0", "MseLossBackward0", "MyReLUBackward")]
    ['×', 'tanh', 'mse_loss', 'MyReLU']
    """
    if operator in STATIC_SIGNS:
        return STATIC_SIGNS[operator]
    name = plain(operator)
    return SIGNS.get(name, name) if operator[-1:].isdigit() else name

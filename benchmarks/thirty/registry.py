"""The table of the models. A function takes the library, minigrad or PyTorch, and returns a model with its arguments.

Imports the standard library only. Read vision.py next.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Example:
    """A model, or a function, and the arguments of one call of it."""

    model: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


Arrows = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Entry:
    """A model of the table.

    lacks: what minigrad lacks for it; "" if it runs on minigrad, too.
    through: operators that are passed through when arrows are compared, beside those of trace.py.
    by_hand: where `torch.export` fails: the arrows between modules, inputs and results, written down from the code
        before the model was drawn for the first time. `unexportable` says why it fails.
    """

    title: str
    make: Callable[[Any], Example]
    lacks: str = ""
    through: frozenset[str] = frozenset()
    by_hand: Arrows | None = None
    unexportable: str = ""


MODELS: dict[str, Entry] = {}
Make = Callable[[Any], Example]


def model(
    title: str, *, lacks: str = "", through: str = "", by_hand: str = "", unexportable: str = ""
) -> Callable[[Make], Make]:
    """Enter a function into `MODELS`. by_hand: the arrows as text, "x > first, first > output"."""

    def enter(make: Make) -> Make:
        arrows = frozenset(tuple(arrow.strip().split(" > ")) for arrow in by_hand.split(",")) if by_hand else None
        MODELS[title] = Entry(title, make, lacks, frozenset(through.split()), arrows, unexportable)  # type: ignore[arg-type]
        return make

    return enter


def net(torch: Any, name: str, forward: Callable[..., Any], **parts: Any) -> Any:
    """A module of a new class `name`, with these parts and this `forward(self, …)`."""

    def __init__(self: Any) -> None:
        torch.nn.Module.__init__(self)
        for each, part in parts.items():
            setattr(self, each, part)

    return type(name, (torch.nn.Module,), {"__init__": __init__, "forward": forward})()

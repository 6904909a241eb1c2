"""The text on a stepper's arrows: the numbers of a small tensor, the shape of a large one.

The numbers are copied at once, as plain Python numbers, because an engine may overwrite its arrays later.
Imports graph/values.py for how numbers are written. Read hooks.py next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..graph.values import describe


@dataclass(frozen=True)
class Amount:
    """`text` is shown to the reader; `numbers`, of at most three elements, are used to compute."""

    text: str
    numbers: tuple[float, ...] | None = None

    @property
    def number(self) -> float | None:
        """The number of a one-element tensor."""
        return self.numbers[0] if self.numbers and len(self.numbers) == 1 else None

    def __add__(self, other: Amount) -> Amount:
        if self.numbers and other.numbers and len(self.numbers) == len(other.numbers):
            return of_numbers([a + b for a, b in zip(self.numbers, other.numbers, strict=True)])
        return other

    def slope_to(self, other: Amount) -> Amount | None:
        """The factor, element by element, that turns this amount into `other`; None if it can't be computed.

        >>> of_numbers([2.0]).slope_to(of_numbers([6.0])).text, of_numbers([0.0]).slope_to(of_numbers([0.0]))
        ('3', None)
        """
        if not self.numbers or not other.numbers or len(self.numbers) != len(other.numbers) or 0 in self.numbers:
            return None
        slope = [b / a for a, b in zip(self.numbers, other.numbers, strict=True)]
        return of_numbers(slope) if all(map(math.isfinite, slope)) else None


def of_numbers(numbers: Sequence[float]) -> Amount:
    written = [f"{n + 0.0:.4g}" for n in numbers]
    return Amount(written[0] if len(written) == 1 else f"[{', '.join(written)}]", tuple(numbers))


def amount(tensor: Any, shape: Sequence[int] | None = None) -> Amount:
    """The amount of `tensor`, summed back to `shape` if broadcasting has expanded a value of that shape."""
    tensor = tensor.detach()
    if shape is not None and tuple(tensor.shape) != tuple(shape):
        for _ in range(len(tensor.shape) - len(shape)):
            tensor = tensor.sum(0)
        for d, n in enumerate(shape):
            if n == 1 != tensor.shape[d]:
                tensor = tensor.sum(d, keepdim=True)
    text = describe(tensor)
    is_shape = text.startswith("(")
    return Amount(text, None if is_shape else tuple(float(n) for n in tensor.reshape(-1).tolist()))

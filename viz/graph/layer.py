"""What the box of a module tells: its settings, its parameters, the shape it gives, and the size of its gradient.

After a backward pass, the size of the gradient shows where a deep network stops to learn: it vanishes, is NaN, or never
arrives. Imports the standard library only. Read module.py next.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

WIDE = 34  # letters of the settings
SETTINGS, PARAMETERS, GIVES, GRADIENT = "", "parameters", "gives", "gradient"


def about(part: Any, outputs: Sequence[Any], trained: bool) -> Iterator[tuple[str, str]]:
    """Rows (label, text). trained: some parameter of the network has a gradient, so a missing one is worth a row.

    >>> import minigrad as torch
    >>> list(about(torch.nn.Linear(2, 3), [torch.ones(4, 3)], trained=True))
    [('', '2, 3'), ('parameters', '9'), ('gives', '(4, 3)'), ('gradient', 'none')]
    """
    if settings := part.extra_repr().replace("in_features=", "").replace("out_features=", "").replace("\n", " "):
        yield SETTINGS, textwrap.shorten(settings.removesuffix(", bias=True"), WIDE, placeholder=" …")
    parameters = list(part.parameters())
    if parameters:
        number = sum(each.numel() for each in parameters)
        frozen = not any(each.requires_grad for each in parameters)
        yield PARAMETERS, f"{number:,}" + ", frozen" * frozen
    if len(outputs) == 1:
        yield GIVES, str(tuple(outputs[0].shape))
    if trained and any(each.requires_grad for each in parameters):
        yield GRADIENT, size_of([each.grad for each in parameters])


def size_of(gradients: Sequence[Any]) -> str:
    """The Euclidean norm of all numbers in `gradients`; "none" if no gradient has arrived.

    >>> import minigrad as torch
    >>> size_of([torch.tensor([3.0]), None, torch.tensor([4.0])]), size_of([torch.zeros(2)]), size_of([None])
    ('5', '0', 'none')
    """
    here = [each.detach() for each in gradients if each is not None]
    if not here:
        return "none"
    size = math.sqrt(sum(float(each.double().pow(2).sum()) for each in here))
    return "NaN" if math.isnan(size) else f"{size:.2g}"

"""Judges that an exercise's page can name without a judges.py of its own.

        run: value_and_gradient     the result of a function of one tensor, and the gradient of that tensor

Read next: written.py.
"""

from __future__ import annotations

from typing import Any


def value_and_gradient(given: Any, torch: Any, h: Any) -> dict[str, Any]:
    """Call the reader's function with a tensor that requires grad, and run backward with the gradient 1."""
    h = h.detach().clone().requires_grad_()
    y = given(h)
    y.sum().backward()
    return {"value": y.detach(), "gradient": h.grad}


def drawn(torch: Any, random: Any, *sizes: tuple[int, ...]) -> list[Any]:
    """A tensor of normal numbers for each size."""
    return [torch.tensor(random.normal(size=size).astype("float32")) for size in sizes]


NAMED: dict[str, dict[str, Any]] = {"run": {"value_and_gradient": value_and_gradient}}

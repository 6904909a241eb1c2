"""What the pages of lesson 7 can't contain: points to try, ways of running, checks."""

import numpy as np

from ....locale import room
from ...compare import brief
from ...task import applied

tr = room("lesson07")


def points(torch, random):
    yield torch.tensor([-2.0, 3.0]), torch.tensor([5.0, -2.0])
    for size in (1, 3, 8):
        h = random.uniform(0.1, 3.0, size) * random.choice([-1.0, 1.0], size)  # away from the kink
        yield torch.tensor(h), torch.tensor(random.normal(size=size))


def and_what_arrived(given, torch, h, upstream):
    """Value and gradient, and the gradient that backward was given, as backward has left it."""
    kept: list = []
    h = h.detach().clone().requires_grad_()
    y = applied(given, h)
    y.register_hook(kept.append)
    y.backward(upstream.clone())
    return {"value": y.detach(), "gradient": h.grad, "arrived": kept[0]}


UPSTREAM = [5.0, -2.0, 1.0]


def away_from_corners(torch, random):
    yield (torch.tensor([1.5, -0.75, 0.5], dtype=torch.float64),)
    yield (torch.tensor(random.uniform(0.2, 2.0, 3) * [1, -1, 1], dtype=torch.float64),)


class Beside(dict):
    """The gradients that backward returns, divided by the measured derivatives: 1 everywhere, or the incoming gradient.

    measured, handed: for each of these cases, the gradient that backward should have returned, and the one it returned.
    """

    measured: dict
    handed: dict


def _measured(given, h):
    """The derivatives of the reader's forward at h, measured by nudging."""
    eps = 1e-6
    one, other = (applied(given, h.detach() + nudge).detach().numpy() for nudge in (eps, -eps))
    if one.shape != tuple(h.shape):
        raise ValueError(f"forward was given {tuple(h.shape)} numbers and made {one.shape}: one for each, please")
    alone = h.detach().clone()
    alone[0] += 0.01
    if not np.allclose(
        applied(given, alone).detach().numpy()[1:], applied(given, h.detach()).detach().numpy()[1:], equal_nan=True
    ):
        raise ValueError("when one number of h is nudged, others move in the result: make each of its own number alone")
    return (one - other) / (2 * eps)


def beside_the_measurement(given, torch, h):
    measured = _measured(given, h)
    there = np.isfinite(measured)  # √ and log are not defined below 0, so they have no derivative there
    if not there.any():
        raise ValueError(f"forward makes {applied(given, h)} of {h}: no number to measure a slope with")
    told = Beside()
    told.measured, told.handed = {}, {}
    for name, upstream in (("plain", np.ones(3)), ("arrives", np.array(UPSTREAM))):
        leaf = h.detach().clone().requires_grad_()
        applied(given, leaf).backward(torch.tensor(upstream, dtype=h.dtype))
        if leaf.grad is None:
            return {"plain": None}
        wanted, handed = measured * upstream, leaf.grad.numpy()
        right = ~there | (np.abs(handed - wanted) < 1e-5)
        ratio = np.where(right, 1, handed * upstream / np.where(np.abs(wanted) < 1e-7, np.nan, wanted))
        told[name] = [round(float(each), 4) for each in np.where(right, upstream, ratio)]
        told.measured[name] = [round(float(each), 4) for each in wanted]
        told.handed[name] = [round(float(each), 4) for each in handed]
    return told


def slopes_side_by_side(told):
    """The measured derivatives beside the reader's, where they differ."""
    if not isinstance(told, Beside):
        return tr("your backward handed on None. Does it `return` its result?", "judges")
    plain = told["plain"] != [1, 1, 1]
    name = "plain" if plain else "arrives"
    wanted, handed = (f"`{brief(numbers[name])}`" for numbers in (told.measured, told.handed))
    if plain:
        return tr("nudging measures the slopes {wanted}, your backward says {handed}.", "judges").filled(
            wanted=wanted, handed=handed
        )
    return tr(
        "where `[5, −2, 1]` arrives, {wanted} are to be handed on: what arrives × the measured slope. Your backward "
        "handed on {handed}.",
        "judges",
    ).filled(wanted=wanted, handed=handed)


SQUARE = tr("Right, and it is the square, which is above already. Now another one.", "judges")


STRAIGHT = tr("Right, but its slope is the same everywhere. Choose one whose slope depends on h.", "judges")


def is_another(given, torch, random):
    h = torch.tensor([1.5, -0.75, 0.5, 0.9, 0.25], dtype=torch.float64)
    if np.allclose(applied(given, h).detach().numpy(), (h * h).numpy()):
        return SQUARE
    slopes = _measured(given, h)
    return STRAIGHT if np.ptp(slopes[np.isfinite(slopes)]) < 1e-4 else None


def with_leak(torch, random):
    yield torch.tensor([-2.0, 3.0]), 0.1
    h = random.uniform(0.1, 3.0, 4) * random.choice([-1.0, 1.0], 4)
    yield torch.tensor(h), float(random.uniform(0.2, 0.9))


def leaking(given, torch, h, leak):
    h = h.detach().clone().requires_grad_()
    y = given.apply(h, leak)
    (y * y).sum().backward()
    return {"value": y.detach(), "gradient": h.grad}

"""What the pages of lesson 7 can't contain: points to try, ways of running, checks."""

import numpy as np

from ....locale import room
from ...compare import brief
from ...task import applied

REPLIES = room("lesson07").table("judges")


def points(torch, random):
    yield torch.tensor([-2.0, 3.0]), torch.tensor([5.0, -2.0])
    yield torch.tensor([0.5, -0.5, 1.5, -1.5]), torch.tensor([1.0, 2.0, -3.0, -4.0])
    for size in (1, 3, 8):
        h = random.uniform(0.1, 3.0, size) * random.choice([-1.0, 1.0], size)  # away from the kink
        yield torch.tensor(h), torch.tensor(random.normal(size=size))


def and_what_arrived(given, torch, h, grad_output):
    """Value and gradient, and the gradient that backward was given, as backward has left it."""
    kept: list = []
    leaf = h.detach().clone().requires_grad_()
    y = applied(given, leaf.clone())  # not the leaf itself, into whose `.grad` a backward could write
    y.register_hook(kept.append)
    y.backward(grad_output.clone())
    return {"value": y.detach(), "gradient": leaf.grad, "arrived": kept[0]}


UPSTREAM = [5.0, -2.0, 1.0]


def some_places(torch, random):
    yield (torch.tensor([1.4, -0.7, 0.6], dtype=torch.float64),)
    yield (torch.tensor([0.3, -0.2, 0.1], dtype=torch.float64),)
    yield (torch.tensor(random.uniform(0.2, 2.0, 3) * [1, -1, 1], dtype=torch.float64),)


class Beside(dict):
    """The gradients that backward returns, divided by the measured derivatives: 1 everywhere, or the incoming gradient.

    measured, handed: for each of these cases, the gradient that backward should have returned, and the one it returned.
    """

    measured: dict
    handed: dict


NUDGE = 1e-3  # large enough for a forward that computes in float32
EXACT = 2e-3  # how far a derivative may be from the measured one, as a part of it
CORNER = 0.05  # if the slopes to the left and to the right differ by more, there is no derivative to compare with


def _measured(given, h):
    """The slopes of the reader's forward at h, measured by nudging, and how far the left and right ones lie from it.

    At a corner, a slope is nan.
    """
    low, here, high = (applied(given, h.detach() + nudge).detach().numpy() for nudge in (-NUDGE, 0.0, NUDGE))
    if here.shape != tuple(h.shape):
        if here.size == len(h):
            raise ValueError(f"its shape must be {tuple(h.shape)}, like that of `h`, and it is {here.shape}")
        raise ValueError(f"it must contain {len(h)} numbers, one for each number of `h`")
    alone = h.detach().clone()
    alone[0] += 0.01
    if not np.allclose(applied(given, alone).detach().numpy()[1:], here[1:], equal_nan=True):
        raise ValueError("a nudge of one number of `h` changes several numbers of the result, and it must change one")
    left, right = (here - low) / NUDGE, (high - here) / NUDGE
    both, apart = (left + right) / 2, np.abs(left - right) / 2
    return np.where(2 * apart > CORNER * (1 + np.abs(both)), np.nan, both), apart


def beside_the_measurement(given, torch, h):
    measured, apart = _measured(given, h)
    there = np.isfinite(measured)  # √ and log are not defined below 0, so they have no derivative there
    if not there.any():
        raise ValueError("no slope of it can be measured")
    told = Beside(kept=True)
    told.measured, told.handed = {}, {}
    for name, upstream in (("plain", np.ones(3)), ("arrives", np.array(UPSTREAM))):
        leaf = h.detach().clone().requires_grad_()
        arrived: list = []
        made = applied(given, leaf)
        made.register_hook(arrived.append)
        made.backward(torch.tensor(upstream, dtype=made.dtype))
        if leaf.grad is None:
            return {"plain": None}
        told["kept"] &= np.array_equal(arrived[0].numpy(), upstream)
        wanted, handed = measured * upstream, leaf.grad.numpy()
        # Where the nudge just reaches a corner (`clamp(-0.5, 0.5)` at 0.501), the derivative lies between the slopes
        near = EXACT * (np.abs(upstream) + np.abs(wanted)) + apart * np.abs(upstream)
        right = ~there | (np.abs(handed - wanted) < near)
        ratio = np.where(right, 1, handed * upstream / np.where(np.abs(wanted) < 1e-7, np.nan, wanted))
        told[name] = [round(float(each), 2) for each in np.where(right, upstream, ratio)]
        told.measured[name] = [round(float(each), 4) for each in wanted]
        told.handed[name] = [round(float(each), 4) for each in handed]
    return told


def slopes_side_by_side(told):
    """The measured derivatives beside the reader's, where they differ."""
    if not isinstance(told, Beside):
        return REPLIES.text("None")
    if not told["kept"]:
        return CHANGED
    plain = told["plain"] != [1, 1, 1]
    name = "plain" if plain else "arrives"
    wanted, handed = (f"`{brief(numbers[name])}`" for numbers in (told.measured, told.handed))
    if plain:
        return REPLIES.text("slopes", wanted=wanted, handed=handed)
    return REPLIES.text("arrives", wanted=wanted, handed=handed)


CHANGED = REPLIES.text("changed")
SQUARE = REPLIES.text("square")
STRAIGHT = REPLIES.text("straight")


def is_another(given, torch, random):
    h = torch.tensor([1.4, -0.7, 0.6, 0.9, 0.25, 2.3, -1.7], dtype=torch.float64)
    if np.allclose(applied(given, h).detach().numpy(), (h * h).numpy()):
        return SQUARE
    slopes, _ = _measured(given, h)
    return STRAIGHT if np.ptp(slopes[np.isfinite(slopes)]) < 0.01 else None


def with_leak(torch, random):
    yield torch.tensor([-2.0, 3.0]), 0.1
    h = random.uniform(0.8, 1.2, 4) * [-0.5, 0.5, -2.0, 2.0]
    yield torch.tensor(h), float(random.uniform(0.2, 0.9))


def leaking(given, torch, h, leak):
    h = h.detach().clone().requires_grad_()
    kept: list = []
    y = given.apply(h, leak)
    y.register_hook(kept.append)
    (y * torch.linspace(-2, 1.5, len(y), dtype=y.dtype)).sum().backward()  # its signs are not those of h
    return {"value": y.detach(), "gradient": h.grad, "arrived": kept[0]}

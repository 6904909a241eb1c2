"""LBFGS: an optimizer that estimates curvature from its last steps (Liu & Nocedal 1989), for few, exact gradients.

`step(closure)` calls the closure, which computes the loss and its gradients, up to `max_eval` times. All parameters
are treated as one long vector. Imports optimizer. Read next: lr_scheduler.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .._tensors.creation import zeros
from .._tensors.methods.shape import cat
from ..autograd.grad_mode import enable_grad, no_grad
from .optimizer import Optimizer


class LBFGS(Optimizer):
    """p ← p + t · d with d = -H g; H, an estimate of the inverse Hessian, is made from the last `history_size` steps.

    t is `lr`, or found along d with `line_search_fn="strong_wolfe"`.

    >>> import minigrad as torch
    >>> w = torch.tensor([3.0], requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - 1) ** 2).sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure), w
    (tensor(4., grad_fn=<SumBackward0>), tensor([1.], requires_grad=True))
    """

    def __init__(
        self,
        params,
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    ):
        if not lr >= 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        settings = {"lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval}
        settings |= {"tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change}
        super().__init__(params, {**settings, "history_size": history_size, "line_search_fn": line_search_fn})
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self) -> Any:
        """The gradients of all parameters as one vector."""
        params = self.param_groups[0]["params"]
        return cat([zeros(p.numel(), dtype=p.dtype) if p.grad is None else p.grad.reshape(-1) for p in params])

    def _move(self, t: Any, d: Any) -> None:
        """p ← p + t · d."""
        start = 0
        for p in self.param_groups[0]["params"]:
            p.add_(d[start : start + p.numel()].view_as(p), alpha=float(t))
            start += p.numel()

    def _direction(self, state: dict[str, Any], g: Any, size: int) -> Any:
        """-H g, by the two-loop recursion, after the last step has been added to the history."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -g
        y, s = g - state["prev_flat_grad"], state["d"] * state["t"]
        ys = y.dot(s)
        past = state["old_dirs"], state["old_stps"], state["ro"]
        if ys > 1e-10:
            for kept, new in zip(past, (y, s, 1.0 / ys), strict=True):
                if len(kept) == size:
                    kept.pop(0)
                kept.append(new)
            state["H_diag"] = ys / y.dot(y)
        steps = list(zip(*past, strict=True))
        q, shares = -g, []
        for y, s, ro in reversed(steps):
            shares.append(s.dot(q) * ro)
            q = q - y * shares[-1]
        r = q * state["H_diag"]
        for (y, s, ro), share in zip(steps, reversed(shares), strict=True):
            r = r + s * (share - y.dot(r) * ro)
        return r

    @no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:
        """Make up to `max_iter` moves; returns the loss before them."""
        group, closure = self.param_groups[0], enable_grad()(closure)
        params, small, search = group["params"], group["tolerance_change"], group["line_search_fn"]
        state = self.state[params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss, g, calls = as_number(first_loss), self._gradient(), 1
        state["func_evals"] += 1
        if g.abs().max() <= group["tolerance_grad"]:
            return first_loss
        for left in reversed(range(group["max_iter"])):
            state["n_iter"] += 1
            state["d"] = d = self._direction(state, g, group["history_size"])
            state["prev_flat_grad"], state["prev_loss"] = g.clone(), loss
            t: Any = min(1.0, 1.0 / g.abs().sum()) * group["lr"] if state["n_iter"] == 1 else group["lr"]
            state["t"] = t
            slope, before, more = g.dot(d), loss, 0
            if slope > -small:
                break
            if search == "strong_wolfe":
                point, more = strong_wolfe(
                    self._along(closure, d), Point(0, loss, g, slope), t, d, group["max_eval"] - calls
                )
                t, loss, g = point.t, point.loss, point.grad
                state["t"] = t
                self._move(t, d)
            elif search is not None:
                raise RuntimeError("only 'strong_wolfe' is supported")
            else:
                self._move(t, d)
                if left:
                    loss, g, more = as_number(closure()), self._gradient(), 1
            calls += more
            state["func_evals"] += more
            if not left or calls >= group["max_eval"] or g.abs().max() <= group["tolerance_grad"]:
                break
            if (d * t).abs().max() <= small or abs(loss - before) < small:
                break
        return first_loss

    def _along(self, closure: Callable[[], Any], d: Any) -> Callable[[Any], Point]:
        """A function that gives loss and gradient at the distance t along d; it leaves the parameters unchanged."""
        params = self.param_groups[0]["params"]
        here = [p.clone() for p in params]

        def evaluate(t: Any) -> Point:
            self._move(t, d)
            loss, g = as_number(closure()), self._gradient()
            for p, before in zip(params, here, strict=True):
                p.copy_(before)
            return Point(t, loss, g, g.dot(d))

        return evaluate


def as_number(loss: Any) -> float:
    """The result of a closure, a tensor or a number, as a number."""
    return float(getattr(loss, "_data", loss))


class Point(NamedTuple):
    """A point on the search line: its distance, its loss, its gradient, and the derivative along the line."""

    t: Any
    loss: float
    grad: Any
    slope: Any


def strong_wolfe(evaluate, start: Point, t, d, most: int) -> tuple[Point, int]:
    """A point that satisfies the Wolfe conditions (enough lower and flatter than `start`), and how many were tried."""
    lower, flatter, small = 1e-4, 0.9, 1e-9
    before, point, rounds, length = start, evaluate(t), 0, d.abs().max()

    def too_high(point: Point) -> bool:
        return point.loss > start.loss + lower * point.t * start.slope

    def flat(point: Point) -> bool:
        return abs(point.slope) <= -flatter * start.slope

    while rounds < most:  # go on until a minimum lies between two points
        if too_high(point) or (rounds > 1 and point.loss >= before.loss):
            break
        if flat(point):
            return point, rounds + 1
        if point.slope >= 0:
            break
        t = lowest(before, point, point.t + 0.01 * (point.t - before.t), point.t * 10)
        before, point, rounds = point, evaluate(t), rounds + 1
    else:
        before = start
    ends, stuck = [before, point], False
    low = int(ends[0].loss > ends[1].loss)
    while rounds < most:  # then narrow the interval
        left, right = sorted(end.t for end in ends)
        if (right - left) * length < small:
            break
        t, margin = lowest(ends[0], ends[1], left, right), 0.1 * (right - left)
        if min(right - t, t - left) >= margin:
            stuck = False
        elif stuck or t >= right or t <= left:
            t, stuck = right - margin if abs(t - right) < abs(t - left) else left + margin, False
        else:
            stuck = True
        point, rounds = evaluate(t), rounds + 1
        if too_high(point) or point.loss >= ends[low].loss:
            ends[1 - low] = point
            low = int(ends[0].loss > ends[1].loss)
            continue
        done = flat(point)
        if not done and point.slope * (ends[1 - low].t - ends[low].t) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = point
        if done:
            break
    return ends[low], rounds + 1


def lowest(a: Point, b: Point, least, most) -> Any:
    """The minimum, from `least` to `most`, of the cubic through two points with their derivatives; or the middle."""
    a, b = (a, b) if a.t <= b.t else (b, a)
    mean = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    root = mean**2 - a.slope * b.slope
    if root < 0:
        return (least + most) / 2
    root = root.sqrt()
    place = b.t - (b.t - a.t) * ((b.slope + root - mean) / (b.slope - a.slope + 2 * root))
    return min(max(place, least), most)

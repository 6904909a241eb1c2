"""Formulas of lesson 1."""

from .tools import number, oracle, pairs


@oracle
def backward_by_hand(make, torch):
    gradients = make()
    for w, x in pairs():
        w_grad, x_grad = gradients(w, x)
        if abs(w_grad - (w + 1) - (w + x)) > 1e-6 or abs(x_grad - (w + 1)) > 1e-6:
            return f"at {w}, {x}"


@oracle
def cube_slope(make, torch):
    slope = make()
    for w, _ in pairs():
        if abs(number(slope(w)) - 3 * w * w) > 0.012 + 0.01 * 3 * w * w:
            return f"at {w}"


@oracle
def two_paths(make, torch):
    slopes = make()
    for w, x in pairs():
        w_slope, x_slope = slopes(w, x)
        for came, is_ in ((w_slope, 2 * w * x + x * x), (x_slope, w * w + 2 * w * x)):
            if abs(number(came) - is_) > 0.02 + 0.01 * abs(is_):
                return f"at {w}, {x}"

"""Convolutions whose window moves one step at a time are computed in another way in NumPy: with the same results.

The other way, for any step, is what test_ops.py and the record of PyTorch hold; here both are asked the same.
"""

import numpy as np
import pytest

from minigrad.ops import sliding
from minigrad.ops.convolution import Windows, convolution, correlation, correlation_image, correlation_weight

SIZES = {
    "plain": ((7, 9), (3, 2), (0, 0), (1, 1)),
    "padded": ((5, 6), (3, 3), (1, 2), (1, 1)),
    "dilated": ((9, 8), (2, 3), (1, 0), (3, 2)),
    "a row": ((11,), (4,), (2,), (2,)),
    "a window of one": ((3, 4), (1, 1), (0, 0), (1, 1)),
    "a window as large as the image": ((3, 4), (3, 4), (0, 0), (1, 1)),
    "more padding than image": ((2, 1), (3, 3), (3, 4), (1, 1)),
    "three axes": ((4, 5, 6), (2, 3, 2), (1, 0, 1), (1, 2, 1)),
}


def made(name, groups):
    """Images, weights, biases, gradients, and the window's way."""
    size, kernel, padding, dilation = SIZES[name]
    along = zip(size, kernel, padding, dilation, strict=True)
    out = tuple(n + 2 * p - d * (k - 1) for n, k, p, d in along)
    windows, rng = Windows(size, kernel, (1,) * len(size), padding, dilation, out), np.random.default_rng(0)
    shapes = (3, 4, *size), (6, 4 // groups, *kernel), (6,), (3, 6, *out)
    return [rng.standard_normal(shape) for shape in shapes], windows


def both_ways(monkeypatch, rule, *arrays, **params):
    """The value with the fast way, and without."""
    calls = []
    with monkeypatch.context() as patch:
        patch.setattr(sliding, "applies", lambda *given: calls.append(given))
        slow = rule.value(np, *arrays, **params)
    assert calls and sliding.applies(*calls[0])
    return rule.value(np, *arrays, **params), slow


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("name", SIZES)
def test_both_ways_give_the_same(monkeypatch, name, groups):
    (image, weight, bias, grad), windows = made(name, groups)
    for rule, arrays in (
        (correlation, (image, weight)),
        (convolution, (image, weight, bias)),
        (correlation_image, (grad, weight)),
        (correlation_weight, (grad, image)),
    ):
        fast, slow = both_ways(monkeypatch, rule, *arrays, windows=windows, groups=groups)
        np.testing.assert_allclose(fast, slow, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("place", [(0, 0), (2, 3), (6, 8)])
def test_what_is_infinite_reaches_the_same_places(monkeypatch, number, place):
    (image, weight, bias, grad), windows = made("plain", 1)
    image[1, 2][place] = weight[3, 1, 0, 1] = number
    with np.errstate(all="ignore"):
        for rule, arrays in (
            (convolution, (image, weight, bias)),
            (correlation_image, (grad, weight)),
            (correlation_weight, (grad, image)),
        ):
            fast, slow = both_ways(monkeypatch, rule, *arrays, windows=windows, groups=1)
            np.testing.assert_allclose(fast, slow, rtol=1e-12, atol=1e-12)

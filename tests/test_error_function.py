"""erf is within one unit in the last place of the true value, for every type and size of array.

The true value comes from `math.erf`, which is right to one unit in float64, for narrower types; for float64 from the
series around 0 in exact fractions.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops.error_function import CHUNK, FEW, NEAR, of_many

WITHIN = Fraction(8, 10)  # of a unit: half of one is the last rounding; more, if the table lost its rests
TWO_OVER_ROOT_PI = Fraction(2 * 10**60, math.isqrt(31415926535897932384626433832795028841971693993751 * 10**71))


def exact(x: float) -> Fraction:
    """erf(x) with 40 digits, for |x| up to 6."""
    x = Fraction(x)
    scale = 10**60
    square, term, total, n = int(x * x * scale), scale, 0, 0
    while term:
        total += (-1) ** n * (term // (2 * n + 1))
        n += 1
        term = term * square // scale // n
    return x * Fraction(total, scale) * TWO_OVER_ROOT_PI


def points(dtype):
    """Numbers of every size, and those around which the formula changes."""
    rng = np.random.default_rng(0)
    edges = [k / 64 + side * 1e-6 for k in range(1, 385, 5) for side in (-1, 0, 1)]
    near = [NEAR, np.nextafter(NEAR, 0), 5.9, 5.99, 6.0, 1.0, 0.5]
    random = [*rng.normal(size=300), *(10.0 ** rng.uniform(-7, 0, 200)), *rng.uniform(-6, 6, 300)]
    return np.asarray([*edges, *near, *random]).astype(dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_erf_is_within_one_unit_in_the_last_place(dtype):
    x = points(dtype)
    for given, found in zip(x, of_many(x), strict=True):
        true = exact(float(given))
        unit = float(np.spacing(np.abs(found)))
        assert abs(Fraction(float(found)) - true) <= WITHIN * Fraction(unit), (given, found, float(true))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16])
def test_few_and_many_elements_agree_and_keep_their_shape(dtype):
    x = torch.linspace(-7, 7, 3 * CHUNK + 5).to(dtype)
    many = x.erf()
    one_by_one = torch.cat([piece.erf() for piece in x.split(FEW)])
    unit = torch.from_numpy(np.spacing(np.abs(one_by_one.numpy())))
    assert bool(((many - one_by_one).abs() <= 2 * unit).all())
    assert x[:-5].reshape(3, CHUNK).t().erf().shape == (CHUNK, 3)
    assert torch.equal(x[:-5].reshape(3, CHUNK).t().erf(), many[:-5].reshape(3, CHUNK).t())


def test_corners_of_many():
    corners = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-320, -1e-320, 6, -6, 27, 1e300])
    found = of_many(np.tile(corners, 100))[: corners.size]
    wanted = [math.erf(x) for x in corners]
    assert np.array_equal(found, wanted, equal_nan=True)
    assert math.copysign(1, found[1]) == -1


def test_gelu_of_many_has_the_slope_that_differences_have():
    x = torch.linspace(-4, 4, FEW + 7, dtype=torch.float64, requires_grad=True)
    torch.nn.functional.gelu(x).sum().backward()
    up, down = (torch.nn.functional.gelu(x.detach() + step) for step in (1e-6, -1e-6))
    assert torch.allclose(x.grad, (up - down) / 2e-6, atol=1e-8)

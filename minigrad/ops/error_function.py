"""The error function of an array, exact within one unit in the last place; exact GELU spends most of its time here.

For float32 and float16, a quotient of two polynomials in x², with an error below 3·10⁻⁹, is computed in float64 and
rounded once. For float64, near 0, erf(x) = 2/√π (x - x³/3 + x⁵/10 - …). Elsewhere, it uses the Taylor series around the
nearest of 193 points c:
    erf(c + d) = erf(c) + 2/√π e^(-c²) Σ (-1)ⁿ⁻¹ Hₙ₋₁(c) dⁿ / n!,   |d| ≤ 1/64,   H: Hermite polynomials,
The coefficients are in a table, which is made at the first use, within milliseconds, with integers of 128 bits, because
floats would lose digits. From 6 on, erf is 1. The formulas are 7.1.5 and 7.1.19 in Abramowitz and Stegun, Handbook of
Mathematical Functions. Imports _machine/backend.py. Read next: elementwise.py, which uses it.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .._machine.backend import each

POINTS, END, NEAR = 32, 6, 0.25  # points per unit; from END on, erf is 1; below NEAR, the series around 0 is used
POWERS, TERMS = 9, 9  # number of powers of d, and number of terms of the series around 0
FEW = 500  # number of elements; up to here, `math.erf` for each is faster (for many it takes ten times as long)
CHUNK = 8192  # elements at a time: they stay in the processor's cache
BITS = 128  # of the fixed-point numbers from which the table is made
ONE = 1 << BITS

# erf(x) = x · OVER(x²) / UNDER(x²) for |x| up to 4; beyond, it is 1 in float32. Found by repeated least squares at 600
# points. Each time, points with a large error got more weight, until all errors were nearly equal.
OVER = (1.12837917, 0.19287914618, 0.055749688983, 0.0042265183803, 0.00041128257998, 6.7915226355e-06)
UNDER = (1.0, 0.50426812655, 0.11749560241, 0.016295211612, 0.0014212190289, 7.2565063829e-05, 2.60494342e-07)
FACTORS = np.array([(*OVER, 0.0), UNDER])


def erf(xp: Any, array: Any) -> Any:
    """erf of each element of an array of floats, in the array's type.

    >>> erf(np, np.asarray([0.0, 0.5, 1.0, -9.0]))
    array([ 0.        ,  0.52049988,  0.84270079, -1.        ])
    """
    if array.size <= FEW:
        return each(math.erf, xp, array)
    return of_many(array) if xp is np else xp.asarray(of_many(np.asarray(array)), dtype=array.dtype)


def of_many(array: np.ndarray) -> np.ndarray:
    """`erf` of a NumPy array of any size."""
    out = np.empty(array.shape, array.dtype)
    flat, into = array.reshape(-1), out.reshape(-1)
    part = _by_table if array.dtype == np.float64 else _by_fraction
    with np.errstate(all="ignore"):  # tiny numbers may underflow
        for start in range(0, flat.size, CHUNK):
            into[start : start + CHUNK] = part(flat[start : start + CHUNK])
    return out


def _by_fraction(x: np.ndarray) -> np.ndarray:
    x = np.minimum(np.maximum(x, x.dtype.type(-4)), x.dtype.type(4)).astype(np.float64)  # NaN stays NaN
    powers = np.empty((len(UNDER), x.size))  # the powers of x²
    powers[0] = 1
    np.multiply(x, x, out=powers[1])
    for n in range(2, len(UNDER)):
        np.multiply(powers[n // 2], powers[n - n // 2], out=powers[n])
    over, under = FACTORS.dot(powers)  # both polynomials by one product, in half the time of a loop over their factors
    over *= x
    over /= under
    return over


def _by_table(x: np.ndarray) -> np.ndarray:
    whole, rest, factors, around = tables()
    size = np.minimum(np.abs(x), x.dtype.type(END))  # NaN stays NaN
    row = np.fmin(size * POINTS + x.dtype.type(0.5), x.dtype.type(POINTS * END)).astype(np.intp)
    d = size - row.astype(x.dtype) * x.dtype.type(1 / POINTS)
    out = factors[-1].take(row)
    for factor in factors[-2::-1]:
        out *= d
        out += factor.take(row)
    out *= d
    out += rest.take(row)
    out += whole.take(row)
    near = size < NEAR
    if near.any():
        square = size * size
        small = square * around[-1]
        for factor in around[-2::-1]:
            small += factor
            small *= square if factor is not around[0] else size
        small += size
        np.copyto(out, small, where=near)
    return np.copysign(out, x, out=out)


@functools.cache
def tables() -> tuple[np.ndarray, np.ndarray, list[np.ndarray], list[Any]]:
    """The table: erf(c) for each point c, its rounding error, and the factors of the powers of d. Then the factors of
    the series around 0: of x (minus 1, so that x itself is not rounded), of x³, of x⁵ …"""
    slope = (2 * ONE << BITS) // math.isqrt(_pi() << BITS)  # 2/√π, the derivative at 0
    rows = []
    for number in range(POINTS * END + 1):
        c = (number << BITS) // POINTS
        square = c * c >> BITS
        bell = value = n = 0
        term = ONE  # c²ⁿ / n!; the sum with alternating signs is e^(-c²)
        while term:
            sign = (-1) ** n
            bell += sign * term
            value += sign * (term // (2 * n + 1))
            n += 1
            term = _times(term, square) // n
        exact = _times(_times(value, c), slope)
        whole = exact / ONE
        row = [whole, (exact - int(whole * 2**60) * (ONE >> 60)) / ONE]
        steep, last, hermite = _times(bell, slope), 0, ONE
        for n in range(1, POWERS + 1):
            row.append((-1) ** (n - 1) * _times(steep, hermite) / ONE / math.factorial(n))
            last, hermite = hermite, 2 * _times(c, hermite) - 2 * (n - 1) * last
        rows.append(row)
    values, rests, *factors = (np.asarray(column) for column in zip(*rows, strict=True))
    around = [(-1) ** n * slope / ONE / (math.factorial(n) * (2 * n + 1)) for n in range(TERMS)]
    around[0] = (slope - ONE) / ONE
    return values, rests, factors, around


def _times(one: int, other: int) -> int:
    return one * other >> BITS


def _pi() -> int:
    """π by Machin's formula: 16 arctan(1/5) - 4 arctan(1/239)."""

    def arctan_of_one_over(n: int) -> int:
        power, total, k = (ONE << 10) // n, 0, 0
        while power:
            total += (-1) ** k * (power // (2 * k + 1))
            power, k = power // (n * n), k + 1
        return total

    return 16 * arctan_of_one_over(5) - 4 * arctan_of_one_over(239) >> 10

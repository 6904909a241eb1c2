"""Rules are pure: written against the Python array API standard, they run on any library that keeps to it.

array-api-strict keeps to nothing else: what the standard does not promise is an error there. So a rule that gives
NumPy's numbers on its arrays, and its slopes too, needs no more. A few rules put numbers at places that other numbers
name, which the standard can't; they need NumPy's or CuPy's indexing, and are listed.
"""

from __future__ import annotations

import inspect
from typing import Any

import array_api_strict
import numpy as np
import pytest
from op_samples import SAMPLES
from test_ops import make

from minigrad.core.rules import Raw, Rule
from minigrad.ops import TABLE

BY_INDEX = {  # rules that look numbers up, or put them, by arrays of places; or that add windows up to an image
    *("index", "index_backward", "index_put", "gather_backward", "scatter_add", "index_add"),
    *("index_select_backward", "diagonal_backward", "embedding", "correlation_image"),
    *("correlation_transposed", "conv_transposed"),
    *("scatter_put", "index_copy_put", "masked_scatter_put", "take_index", "scatter_amax", "scatter_amin"),
}
SLOPE_BY_INDEX = {
    "mkldnn_rnn_layer",  # whose slopes do so
    *(
        "index_select",
        "max_dim",
        "min_dim",
        "sort",
        "sort_stable",
        "topk",
        "diagonal",
        "nll_loss",
        "nll_loss2d",
        "gather",
    ),
    "adaptive_max_pool",
    *("correlation", "convolution", "correlation_weight", "kthvalue", "mode", "cummax", "cummin"),
    *(
        "median_dim",
        "nanmedian_dim",
    ),
}
NO_SLOPE = {name for name, rule in TABLE.items() if rule.node_name == "NotImplemented"}


def cases(names: Any) -> list[Any]:
    return [pytest.param(name, i, id=f"{name}-{i}") for name in names for i in range(len(SAMPLES.get(name, "-")))]


def inputs_and_params(name: str, i: int) -> tuple[list[np.ndarray], dict[str, Any]]:
    """A sample's arrays, settled as dispatch would, and all parameters."""
    rule, rng = TABLE[name], np.random.default_rng(i + 1)
    inputs, params = SAMPLES[name][i]
    arrays = [make(argument, rng)._data for argument in inputs]
    if rule.dtypes == "bool":
        arrays = [array > 0 for array in arrays]
    defaults = {key: value for key, value in rule.params.items() if value is not inspect.Parameter.empty}
    return arrays, {**defaults, **params}


def run(xp: Any, rule: Rule, arrays: list[Any], params: dict[str, Any], slopes: bool) -> list[np.ndarray]:
    """The results as NumPy arrays; or the slope for every input, of a gradient of 0.7 everywhere."""
    made = rule.value(xp, *arrays, **params)
    outs = made if isinstance(made, tuple) else (made,)
    if not slopes:
        return [np.asarray(out) for out in outs]
    grads = [xp.full(out.shape, 0.7, dtype=out.dtype) for out in outs]
    given: dict[str, Any] = {**params, "i": 0, **dict(zip(rule.outputs, outs, strict=False))}
    for name, array in zip(rule.inputs, arrays, strict=False):
        given |= {name: array, f"{name}_sizes": tuple(a.shape for a in arrays) if rule.variadic else array.shape}
    grad = grads if rule.each else grads[0]
    found = {
        name: slope(Raw(xp), grad, **{need: given[need] for need in rule.needs[name]})
        for name, slope in rule.slopes.items()
    }
    return [np.asarray(g[name] if isinstance(g, dict) else g) for name, g in found.items()]


def compare(name: str, i: int, slopes: bool) -> None:
    arrays, params = inputs_and_params(name, i)
    rule = TABLE[name]
    with np.errstate(all="ignore"):
        right = run(np, rule, arrays, params, slopes)
    if "dtype" in params:
        params["dtype"] = getattr(array_api_strict, params["dtype"].name)
    with np.errstate(all="ignore"):
        found = run(array_api_strict, rule, [array_api_strict.asarray(array) for array in arrays], params, slopes)
    for a, b in zip(found, right, strict=True):
        assert a.dtype == b.dtype or a.dtype.kind == b.dtype.kind == "i"
        np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize(("name", "i"), cases(name for name in TABLE if name not in BY_INDEX))
def test_a_rule_gives_the_same_on_any_array(name: str, i: int) -> None:
    compare(name, i, slopes=False)


@pytest.mark.parametrize(("name", "i"), cases(n for n in TABLE if n not in BY_INDEX | SLOPE_BY_INDEX | NO_SLOPE))
def test_and_so_do_its_slopes(name: str, i: int) -> None:
    compare(name, i, slopes=True)


@pytest.mark.parametrize("name", sorted(BY_INDEX | SLOPE_BY_INDEX))
def test_who_is_excused_needs_it(name: str) -> None:
    def refused(i: int) -> bool:
        try:
            compare(name, i, slopes=name in SLOPE_BY_INDEX)
        except (IndexError, AttributeError, TypeError, ValueError):  # of a diagonal, which may not be written there
            return True
        return False

    assert any(refused(i) for i in range(len(SAMPLES[name]))), "take it off the list"

"""Call every operator on each dtype, on single numbers and on nothing, and record what PyTorch gives.

`python tests/goldens/record_inputs.py` writes inputs.json: for each rule of the table that is a public call,
"dtypes" (one code for every dtype of the input, or every pair of them), "point" and "empty" (as record_ops.py has it).
Read next: ../test_op_inputs.py.
"""

import itertools
import json
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from goldens.record_ops import attempt
from goldens.telling import answers
from op_cases import Case
from op_samples import SAMPLES

import minigrad
from minigrad.ops import TABLE

INPUTS = Path(__file__).with_name("inputs.json")
DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
CODES = {name: np.dtype(name).str[1:] for name in DTYPES}  # float32: f4
ERRORS = {"RuntimeError": "R", "TypeError": "T", "NotImplementedError": "N", "IndexError": "I", "ValueError": "V"}

NAMES = {  # a rule and the method that it is, where the two have different names
    **{f"{name}_dim": name for name in ("sum", "mean", "prod", "max", "min")},
    **{f"{name}_all": name for name in ("max", "min")},
    **{f"{name}_tensor": name for name in ("clamp", "clamp_min", "clamp_max", "masked_fill", "lerp")},
    **{f"{name}_dim": name for name in ("median", "nanmedian")},
    **{f"{name}_all": name for name in ("median", "nanmedian")},
    **{
        "pow_scalar": "pow",
        "remainder_scalar": "remainder",
        "fmod_scalar": "fmod",
        "div_rounded": "div",
        "round_decimals": "round",
    },
    **{"sort_stable": "sort", "squeeze_dims": "squeeze", "squeeze_dim": "squeeze", "t": "t"},
}
FORMS = {  # and those that need more words
    "rsub": lambda t, x: 3 - x,
    "pow_base": lambda t, x: 2**x,
    "remainder_of": lambda t, x: 7 % (x + 1),
    "where": lambda t, x, y: t.where(x == x, x, y),
    "masked_fill": lambda t, x: x.masked_fill(x == x, 7),
    "masked_fill_tensor": lambda t, x, y: x.masked_fill(x == x, y.reshape(-1)[:1].sum()),
    "masked_select": lambda t, x: x.masked_select(x == x),
    "copy": lambda t, x, y: x.clone().copy_(y),
    "fill": lambda t, x: x.clone().fill_(7),
    "fill_tensor": lambda t, x, y: x.clone().fill_(y.reshape(-1)[:1].sum()),
    "zero": lambda t, x: x.clone().zero_(),
    "zeros_like": lambda t, x: t.zeros_like(x),
    "clamp_tensor": lambda t, x, y: x.clamp(y, y),
    "median_all": lambda t, x: x.median(),
    "nanmedian_all": lambda t, x: x.nanmedian(),
    "bitwise_left_shift": lambda t, x, y: x << y,
    "bitwise_right_shift": lambda t, x, y: x >> y,
    "unfold": lambda t, x: x.unfold(0, 1, 1),
    "inv": lambda t, x: t.inverse(x[..., :2]),
    "det": lambda t, x: t.det(x[..., :2]),
    "cholesky": lambda t, x: t.linalg.cholesky(x[..., :2] @ x[..., :2].mT + 1),
    "linalg_svd": lambda t, x: t.svd(x)[1],
    "solve": lambda t, x, y: t.linalg.solve(x[..., :2], y),
    "bitwise_and": lambda t, x, y: x & y,
    "bitwise_or": lambda t, x, y: x | y,
    "bitwise_xor": lambda t, x, y: x ^ y,
    "bitwise_not": lambda t, x: ~x,
    "vector_norm": lambda t, x: x.norm(2.0, 0),
    "sort_stable": lambda t, x: x.sort(stable=True),
    "stack": lambda t, x, y: t.stack([x, y]),
    "cat": lambda t, x, y: t.cat([x, y]),
    "mm": lambda t, x, y: x @ y.t(),
    "mv": lambda t, x, y: x.mv(y[0]),
    "dot": lambda t, x, y: x[0].dot(y[0]),
    "bmm": lambda t, x, y: x[None].bmm(y.t()[None]),
    "addmm": lambda t, x, y: t.addmm(y.sum(), x, y.t()),
    "prod_dim": lambda t, x: x.prod(0),
    "select": lambda t, x: x[0],
    "slice_dim": lambda t, x: x[:1],
    "expand": lambda t, x: x.expand(2, *x.shape),
    "view": lambda t, x: x.view(-1),
    "transpose": lambda t, x: x.transpose(0, -1),
    "permute": lambda t, x: x.permute(tuple(range(x.dim()))),
    "unbind": lambda t, x: x.unbind(),
    "split": lambda t, x: x.split(1),
    "split_with_sizes": lambda t, x: x.split([1, 1]),
    "diagonal": lambda t, x: x.diagonal(),
    "flip": lambda t, x: x.flip(0),
    "roll": lambda t, x: x.roll(1),
    "repeat": lambda t, x: x.repeat(2, 2),
    "squeeze_dims": lambda t, x: x.squeeze((0,)),
    "alias": lambda t, x: x[...],
    "to_copy": lambda t, x: x.to(t.float64),
    "index": lambda t, x: x[[0]],
    "gather": lambda t, x: x.gather(0, t.zeros_like(x).long()),
    "index_select": lambda t, x: x.index_select(0, t.tensor([0])),
    "index_add": lambda t, x, y: x.index_add(0, t.tensor([0, 1]), y),
    "scatter_add": lambda t, x, y: x.scatter_add(0, t.zeros_like(y).long(), y),
    **{name: lambda t, x, name=name: getattr(t.nn.functional, name)(x) for name in ("silu", "logsigmoid", "gelu")},
    **{
        name: lambda t, x, name=name: getattr(t.nn.functional, name)(x)
        for name in ("elu", "celu", "leaky_relu", "softplus", "hardshrink", "softshrink")
    },
    **{
        name: lambda t, x, name=name: getattr(t.nn.functional, name)(x) for name in ("hardsigmoid", "hardswish", "mish")
    },
    "cdist": lambda t, x, y: t.cdist(x, y),
    "threshold": lambda t, x: t.nn.functional.threshold(x, 1, 7),
    "glu": lambda t, x: t.nn.functional.glu(t.stack([x, x]), 0),
    "prelu": lambda t, x, y: t.nn.functional.prelu(x, y.reshape(-1)[:1]),
}
INSIDE = {  # rules that are no call of their own: slopes' slopes, parts of layers and losses, moves between devices
    *("contiguous", "transpose_back", "squeeze_last", "reshape_to", "to_device"),
    *("t_", "transpose_", "unsqueeze_", "squeeze_", "squeeze_dims_"),  # in place: semantics/test_shape_in_place.py
    "solve_triangular",  # of distributions
    "floor_divide_",  # in place, too
    *("gelu_tanh", "per_example", "masked_place", "index_put", "hardtanh", "logsigmoid", "silu"),
    *(
        name
        for name, rule in TABLE.items()
        if name.endswith("_backward") or rule.kind in ("loss", "window", "norm", "random", "recurrent")
    ),
    *("embedding", "constant_pad", "reshape_alias", "scale"),
    *("elu_", "celu_", "leaky_relu_", "threshold_", "threshold_slope", "hardshrink_slope", "softshrink_slope"),
    *("hardsigmoid_slope", "hardswish_slope", "add_number", "sub_number", "mul_number", "xlogy", "trilinear"),
    *("add_scaled", "sub_scaled"),
    *("safe_softmax", "attention", "attention_masked", "pixel_shuffle", "pixel_unshuffle"),
    *("relu_slope", "leaky_relu_slope", "hardtanh_slope"),
    *("scatter_put", "index_copy_put", "masked_scatter_put", "take_index", "scatter_amax", "scatter_amin"),
}
INSIDE -= {  # those that have a public function by now
    name for name in INSIDE if TABLE[name].kind == "elementwise" and callable(getattr(minigrad, name, None))
}


def call(name):
    """The rule as a function of (torch, *tensors)."""
    params = SAMPLES[name][0][1]
    params = {**params, "dim": 0} if "dim" in params else params
    return FORMS.get(name) or (lambda t, x, *rest: getattr(x, NAMES.get(name, name))(*rest, **params))


def count(name):
    """How many tensors the call takes."""
    code = call(name).__code__
    return code.co_argcount - 1 - len(call(name).__defaults__ or ()) if name in FORMS else len(TABLE[name].inputs)


def dtypes(torch, name):
    """A code for what comes of each combination of dtypes: that of the (first) result, or of the error."""
    codes = []
    for kinds in itertools.product(DTYPES, repeat=min(count(name), 2)):
        arrays = [np.array([[1, 2, 1], [2, 1, 1]]).astype(kind) for kind in kinds]
        arrays += [arrays[-1]] * (count(name) - len(arrays))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                out = call(name)(torch, *map(torch.tensor, arrays))
            codes.append(CODES[str((out[0] if isinstance(out, tuple) else out).dtype)[6:]])
        except (RuntimeError, TypeError, IndexError, ValueError) as error:
            codes.append(ERRORS[type(error).__name__])
    return " ".join(codes)


def point(name):
    return Case(call(name), tuple(np.array(0.5 + i) for i in range(count(name))))


def empty(name):
    return Case(call(name), tuple(np.zeros((0, 3)) for i in range(count(name))))


def whole(torch, name):
    return {
        "dtypes": dtypes(torch, name),
        "point": attempt(torch, point(name)),
        "empty": attempt(torch, empty(name)),
    }


PUBLIC = [name for name in TABLE if name not in INSIDE]

if __name__ == "__main__":
    import torch

    recorded = answers(PUBLIC, lambda name: whole(torch, name))
    lines = [f"{json.dumps(name)}:{json.dumps(result, separators=(',', ':'))}" for name, result in recorded.items()]
    INPUTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(recorded)} operators, {INPUTS.stat().st_size // 1000} kB")

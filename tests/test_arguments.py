"""A list, an array or a text where a tensor belongs: PyTorch's TypeError, for each such parameter of each function.

The functions, and the methods, are those that the package has, and their parameters are read off them; so a new one
is asked too. `pytest -m torch` sees that PyTorch raises the same.
"""

import inspect
import re
from operator import attrgetter

import numpy as np
import pytest
from test_ops_golden import torch  # noqa: F401  (the fixture: minigrad, and PyTorch under -m torch)
from together import each

import minigrad
import minigrad.nn.functional
from minigrad.ops import TABLE

WRONG = {"list": [1.0, 2.0], "ndarray": np.ones((2, 2)), "str": "a"}
TENSORS = {  # what parameters are called that are tensors …
    *("input", "self", "other", "tensor", "mat1", "mat2", "vec", "vec2", "mask", "condition", "index", "src"),
    *("source", "target", "weight", "bias", "running_mean", "running_var"),
    *("batch1", "batch2", "tensor1", "tensor2", "vec1", "mat", "indices", "x1", "x2", "a", "b", "A", "B"),
    *("sorted_sequence", "boundaries"),
}
NO_TENSORS = {
    ("select", "index"),
    ("movedim", "source"),
    ("moveaxis", "source"),
    ("lerp", "weight"),
    ("lerp_", "weight"),
    ("index_put_", "indices"),
}  # … but not here
NOT_FIRST = {  # where PyTorch finds something else wrong first, or lets it pass
    *(("instance_norm", name) for name in ("running_mean", "running_var", "weight", "bias")),
    *((f"{name}_loss", "weight") for name in ("mse", "l1", "huber", "multilabel_soft_margin")),
    *(("gaussian_nll_loss", "target"), ("rms_norm", "weight"), ("kl_div", "input"), ("kl_div", "target")),
}
OTHERS = {  # what the other parameters get that must be given
    **dict.fromkeys(
        ("dim", "dim0", "dim1", "axis0", "axis1", "index", "source", "destination", "start", "value", "fill_value"), 0
    ),
    **dict.fromkeys(("length", "k", "split_size_or_sections", "chunks", "shifts", "min", "max", "kernel_size"), 1),
    **dict.fromkeys(("num_samples", "low"), 1),
    **{"n": 1, "reduce": "sum", "indices_or_sections": 1, "q": 0.5, "sizes": (2, 1), "end": 1.0, "dims": 1},
    **{"weight": 0.5, "values": 1.0, "bins": 2},
    **{"size": (2, 2), "exponent": 2, "pad": (1, 1), "normalized_shape": (2,)},
    **dict.fromkeys(("threshold", "num_groups", "output_size", "upscale_factor", "downscale_factor", "delta"), 1),
}
TENSORS_TOO = {"input1", "input2", "var"}  # given as tensors, but not asked for here
# Functions that PyTorch wrote in Python: they begin with `input.norm` or `target.size()`, and so does the error, an
# AttributeError most times. Ours are like that too in nn.functional.
IN_PYTHON = {f"nn.functional.{name}_loss" for name in ("l1", "mse", "smooth_l1", "huber", "gaussian_nll")}
IN_PYTHON |= {f"nn.functional.binary_cross_entropy{logits}" for logits in ("", "_with_logits")}
IN_PYTHON |= {f"nn.functional.{n}" for n in ("sigmoid", "tanh", "softsign", "normalize", "softmax", "log_softmax")}
IN_PYTHON |= {f"nn.functional.{n}" for n in ("glu", "tanhshrink", "softmin", "dropout1d", "dropout2d", "interpolate")}
IN_PYTHON |= {f"nn.functional.{n}_loss" for n in ("multilabel_soft_margin", "margin_ranking", "cosine_embedding")}
IN_PYTHON |= {
    f"nn.functional.{n}" for n in ("group_norm", "instance_norm", "adaptive_avg_pool2d", "adaptive_max_pool2d")
}
IN_PYTHON_THERE = {"norm", "split", "tensordot"}  # in PyTorch alone
METHODS_FIRST = {"index_add", "index_select", "scatter_add", "gather", "masked_select", "where"}  # counted as methods
COMBINED = {name for name, rule in TABLE.items() if getattr(rule, "forms", None) == "numbers"}
COMBINED_IN_PLACE = {f"{name}_" for name in COMBINED}
ALIASES = {"greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne"}


def short(name):
    return name.rpartition(".")[2]


def plain(name):
    """The name of what an alias is."""
    name, tail = short(name).rstrip("_"), "_" * name.endswith("_")
    return ALIASES.get(name, name) + tail


def functions(prefix, place):
    """The public functions of a module or class, by name."""
    found = {prefix + name: f for name, f in vars(place).items() if name[0] != "_" and inspect.isroutine(f)}
    return {name: f for name, f in found.items() if callable(f)}  # the others stand for what is not here


def parameters(name, function):
    """The names of the positional parameters, and how many have no default."""
    found = [p for p in inspect.signature(function).parameters.values() if p.kind == p.POSITIONAL_OR_KEYWORD]
    if not found and short(name) in TABLE:  # an operator that nobody has called yet
        inputs = ["input" if each == "self" else each for each in TABLE[short(name)].inputs]
        return inputs, len(inputs)
    return [p.name for p in found], sum(p.default is p.empty for p in found)


def cases():
    """(function, what it takes, which of that is to be wrong) for each parameter that is a tensor."""
    methods = {name: f for mixed in minigrad.Tensor.__mro__[:-1] for name, f in functions("Tensor.", mixed).items()}
    for name, f in (functions("", minigrad) | methods | functions("nn.functional.", minigrad.nn.functional)).items():
        names, required = parameters(name, f)
        kinds = ["tensor" if p in TENSORS and (short(name), p) not in NO_TENSORS else p for p in names]
        for i, kind in enumerate(kinds):
            if (short(name), names[i]) in NOT_FIRST:
                continue
            if kind == "tensor" and (i or name not in methods):  # whose method it is, is a tensor
                yield pytest.param(name, kinds[: max(required, i + 1)], i, names[i], id=f"{name}-{names[i]}")


CASES = [*cases()]


def test_the_cases_are_read_off_the_package():
    names = {case.values[0] for case in CASES}
    assert {"exp", "mean", "where", "gather", "Tensor.mm", "Tensor.copy_", "nn.functional.linear"} <= names
    assert IN_PYTHON | IN_PYTHON_THERE <= names


@pytest.mark.parametrize("name, kinds, i, parameter", CASES)
def test_an_argument_that_is_no_tensor(torch, name, kinds, i, parameter):  # noqa: F811
    def check(wrong):
        given = [torch.ones(2, 2) if kind in {"tensor", *TENSORS_TOO} else OTHERS[kind] for kind in kinds]
        given[i] = WRONG[wrong]
        in_python = name in IN_PYTHON or (name in IN_PYTHON_THERE and torch is not minigrad)
        with pytest.raises((AttributeError, TypeError) if in_python else TypeError) as caught:
            attrgetter(name)(torch)(*given)
        said = str(caught.value).partition("\n")[0]
        method = name.startswith("Tensor.")
        if plain(name) in COMBINED | COMBINED_IN_PLACE:
            types = ", ".join(re.sub(r"torch\.", "", type(x).__name__) for x in given[method:]).replace(
                "ndarray", "numpy.ndarray"
            )
            # here an alias is the same function, and an error in place is its own
            called = {short(name), plain(name), plain(name).rstrip("_")} if torch is minigrad else {short(name)}
            end = f" received an invalid combination of arguments - got ({types}), but expected one of:"
            assert said in {f"{each}(){end}" for each in called}
        elif torch is minigrad and not in_python:
            called, place = ("input", 1) if parameter == "self" else (parameter, i + (not method))
            if short(name) in METHODS_FIRST:
                place = r"\d"
            sentence = rf"\w+\(\): argument '{called}' \(position {place}\) must be Tensor, not (numpy\.)?{wrong}"
            assert re.fullmatch(sentence, said)

    each(WRONG, check)

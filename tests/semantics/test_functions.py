"""A function and its method are one: its tensor is called `input`, and the rest has PyTorch's names in both."""

import pytest

CALLS = {  # what each takes beside `input`; a number is written as it is, "x" stands for the same tensor once more
    **dict.fromkeys(("square", "round", "sum", "mean", "prod", "std", "var", "norm", "max", "min", "amax", "amin"), {}),
    **dict.fromkeys(("argmax", "argmin", "any", "all", "sort", "argsort", "flatten", "squeeze", "t", "clone"), {}),
    **dict.fromkeys(("tril", "triu", "unbind", "diagonal"), {}),
    **dict.fromkeys(("softmax", "log_softmax", "logsumexp", "cumsum", "unsqueeze"), {"dim": 0}),
    **dict.fromkeys(("add", "sub", "mul", "div", "remainder", "maximum", "minimum", "matmul"), {"other": "x"}),
    **dict.fromkeys(("logical_and", "equal", "allclose"), {"other": "x"}),
    **dict.fromkeys(("clamp", "clamp_min"), {"min": 0.3}),
    "clamp_max": {"max": 0.3},
    "pow": {"exponent": 2},
    "mm": {"mat2": "x"},
    "addmm": {"mat1": "x", "mat2": "x"},
    "topk": {"k": 1},
    "transpose": {"dim0": 0, "dim1": 1},
    "permute": {"dims": (1, 0)},
    "movedim": {"source": 0, "destination": 1},
    "reshape": {"shape": (4,)},
    "broadcast_to": {"size": (2, 2, 2)},
    "narrow": {"dim": 0, "start": 0, "length": 1},
    "select": {"dim": 0, "index": 1},
    "chunk": {"chunks": 2},
    "flip": {"dims": (0,)},
    "roll": {"shifts": 1},
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function_takes_its_tensor_as_input_and_gives_what_its_method_gives(torch, name):
    x = torch.tensor([[0.1, 0.7], [0.4, 0.9]])
    options = {key: x if value == "x" else value for key, value in CALLS[name].items()}
    outs = getattr(torch, name)(input=x, **options), getattr(x, name)(**options)
    one, other = (out if isinstance(out, tuple) else (out,) for out in outs)
    for a, b in zip(one, other, strict=True):
        assert a == b if isinstance(a, bool) else torch.equal(a, b)


@pytest.mark.parametrize("name", ["softmax", "mm", "clamp_min", "transpose"])
def test_a_missing_argument_is_named_under_the_functions_own_name(torch, name):
    with pytest.raises(
        TypeError, match=rf"^{name}\(\) missing \d required positional argument|received an invalid comb"
    ):
        getattr(torch, name)(torch.ones(2, 2))

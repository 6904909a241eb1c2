"""A function and its method are one: its tensor is called `input`, and the rest has PyTorch's names in both."""

import math

import pytest
from saying import says

CALLS = {  # what each takes beside `input`; a number is written as it is, "x" stands for the same tensor once more
    **dict.fromkeys(("square", "round", "sum", "mean", "prod", "std", "var", "norm", "max", "min", "amax", "amin"), {}),
    **dict.fromkeys(("argmax", "argmin", "any", "all", "sort", "argsort", "flatten", "squeeze", "t", "clone"), {}),
    **dict.fromkeys(("exp", "log", "sqrt", "neg", "abs", "sin", "tanh", "sigmoid", "relu", "floor", "isnan"), {}),
    **dict.fromkeys(("eq", "lt"), {"other": "x"}),
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


@pytest.mark.parametrize("name", ["softmax", "mm", "clamp_min", "transpose", "lt"])
def test_a_missing_argument_is_named_under_the_functions_own_name(torch, name):
    with pytest.raises(
        TypeError, match=rf"^{name}\(\) missing \d required positional argument|received an invalid comb"
    ):
        getattr(torch, name)(torch.ones(2, 2))


X, V = [[0.1, 0.7, 0.2], [0.4, 0.9, 0.3]], [0.5, 0.25]  # 2 × 3, and 2


@pytest.mark.parametrize(
    "error, text, call",
    [
        (
            RuntimeError,
            "einsum(): fewer operands were provided than specified in the equation",
            lambda t, x, v: t.einsum("ij,j->i", x),
        ),
        (
            RuntimeError,
            "einsum(): more operands were provided than specified in the equation",
            lambda t, x, v: t.einsum("ij", x, x),
        ),
        (
            RuntimeError,
            "einsum(): the number of subscripts in the equation (1) does not match the number of dimensions (2) for "
            "operand 0 and no ellipsis was given",
            lambda t, x, v: t.einsum("i", x),
        ),
        (
            RuntimeError,
            "einsum(): the number of subscripts in the equation (3) is more than the number of dimensions (2) for "
            "operand 0",
            lambda t, x, v: t.einsum("...ijk", x),
        ),
        (
            RuntimeError,
            "einsum(): output subscript k does not appear in the equation for any input operand",
            lambda t, x, v: t.einsum("ij->k", x),
        ),
        (
            RuntimeError,
            "einsum(): output subscript i appears more than once in the output",
            lambda t, x, v: t.einsum("ij->ii", x),
        ),
        (
            RuntimeError,
            "einsum(): subscript i is repeated for operand 0 but the sizes don't match, 3 != 2",
            lambda t, x, v: t.einsum("ii", x),
        ),
        (
            RuntimeError,
            "einsum(): subscript j has size 2 for operand 1 which does not broadcast with previously seen size 3",
            lambda t, x, v: t.einsum("ij,j->i", x, v),
        ),
        (
            RuntimeError,
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'",
            lambda t, x, v: t.div(x, 2, rounding_mode="up"),
        ),
        (RuntimeError, "vector + matrix @ vector expected, got 1, 2, 2", lambda t, x, v: t.mv(x, x)),
        (RuntimeError, "outer: Expected 1-D argument vec2, but got 2-D", lambda t, x, v: t.outer(v, x)),
        (
            TypeError,
            "matmul(): argument 'other' (position 2) must be Tensor, not int",
            lambda t, x, v: t.matmul(x, 2),
        ),
        (
            RuntimeError,
            "torch.clamp: At least one of 'min' or 'max' must not be None",
            lambda t, x, v: t.clamp(x),
        ),
        (IndexError, "select() cannot be applied to a 0-dim tensor.", lambda t, x, v: t.select(v.sum(), 0, 0)),
        (RuntimeError, "chunk expects at least a 1-dimensional tensor", lambda t, x, v: t.chunk(v.sum(), 2)),
        (
            RuntimeError,
            "masked_fill_ only supports boolean masks, but got mask with dtype float",
            lambda t, x, v: t.masked_fill(v, v, 0),
        ),
        (
            RuntimeError,
            "masked_fill_ only supports boolean masks, but got mask with dtype long int",
            lambda t, x, v: t.ones(2).masked_fill_(t.tensor([1, 0]), 7),
        ),
        (
            RuntimeError,
            "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char",
            lambda t, x, v: t.ones(2).masked_fill_(t.tensor([1, 0], dtype=t.uint8), t.tensor(7.0)),
        ),
        (
            RuntimeError,
            "masked_select: expected BoolTensor for mask",
            lambda t, x, v: t.ones(2).masked_select(t.tensor([1, 0])),
        ),
        (
            TypeError,
            "full(): argument 'size' (position 1) must be tuple of ints, not int",
            lambda t, x, v: t.full(2, 1),
        ),
        (TypeError, 'zeros() missing 1 required positional arguments: "size"', lambda t, x, v: t.zeros()),
        (
            RuntimeError,
            "value cannot be converted to type uint8_t without overflow",
            lambda t, x, v: t.full_like(t.ones(2, dtype=t.uint8), 300),
        ),
        (
            RuntimeError,
            "value cannot be converted to type uint8_t without overflow",
            lambda t, x, v: t.full((2,), -300, dtype=t.uint8),
        ),
        (
            RuntimeError,
            "value cannot be converted to type int without overflow",
            lambda t, x, v: t.full((2,), math.nan, dtype=t.int32),
        ),
        (
            RuntimeError,
            "value cannot be converted to type int64_t without overflow",
            lambda t, x, v: v.new_full((2,), math.inf, dtype=t.int64),
        ),
        (
            RuntimeError,
            "value cannot be converted to type uint8_t without overflow",
            lambda t, x, v: t.ones(2, dtype=t.uint8).fill_(300),
        ),
        (
            RuntimeError,
            "value cannot be converted to type uint8_t without overflow",
            lambda t, x, v: t.ones(2, dtype=t.uint8).masked_fill(t.tensor([True, False]), 300),
        ),
        (
            RuntimeError,
            "value cannot be converted to type uint8_t without overflow",
            lambda t, x, v: t.full((2,), -1.0, dtype=t.uint8),
        ),
        (RuntimeError, "Float did not match Double", lambda t, x, v: t.allclose(v, v.double())),
        (
            NotImplementedError,
            "\"silu_cpu\" not implemented for 'Bool'",
            lambda t, x, v: t.nn.functional.silu(t.tensor([True])),
        ),
        (
            NotImplementedError,
            "\"log_sigmoid_cpu\" not implemented for 'Long'",
            lambda t, x, v: t.nn.functional.logsigmoid(t.tensor([1])),
        ),
        (
            NotImplementedError,
            "\"GeluKernelImpl\" not implemented for 'Long'",
            lambda t, x, v: t.nn.functional.gelu(t.tensor([1])),
        ),
        (
            RuntimeError,
            "Bool inputs not supported for hardtanh",
            lambda t, x, v: t.nn.functional.hardtanh(t.tensor([True])),
        ),
        (
            RuntimeError,
            "self and mat2 must have the same dtype, but got Double and Float",
            lambda t, x, v: t.addmm(v.double(), t.ones(1, 1), t.ones(1, 1)),
        ),
        (
            RuntimeError,
            "mat1 and mat2 must have the same dtype, but got Double and Float",
            lambda t, x, v: t.addmm(v, t.ones(1, 1).double(), t.ones(1, 1)),
        ),
    ],
)
def test_a_wrong_call(torch, error, text, call):
    with says(error, text):
        call(torch, torch.tensor(X), torch.tensor(V))


def test_a_negative_number_wraps_in_bytes(torch):
    x, yes = torch.zeros(2, dtype=torch.uint8), torch.tensor([True, False])
    assert torch.full_like(x, -1).tolist() == x.clone().fill_(-1).tolist() == [255, 255]
    assert x.masked_fill(yes, -1).tolist() == x.clone().masked_fill_(yes, -1).tolist() == [255, 0]


@pytest.mark.parametrize(
    "name, options",
    [("view", {"size": (3, 2)}), ("expand", {"size": (2, 2, 3)}), ("repeat", {"repeats": (1, 2)})],
)
def test_what_is_a_method_only_takes_its_sizes_by_name_too(torch, name, options):
    x = torch.tensor(X)
    (size,) = options.values()
    assert torch.equal(getattr(x, name)(**options), getattr(x, name)(*size))


def test_a_product_runs_along_one_axis_at_most(torch):
    with pytest.raises(
        TypeError, match="argument 'dim' (\\(position 1\\) )?must be int, not tuple|invalid combination"
    ):
        torch.tensor(X).prod((0, 1))


def test_einsum_takes_its_operands_in_a_list_too(torch):
    x, v = torch.tensor(X), torch.tensor(V)
    assert torch.equal(torch.einsum("ij,i->j", [x, v]), torch.einsum("ij,i->j", x, v))


@pytest.mark.parametrize("name", ["rand", "randn"])
def test_random_numbers_like_those_of_another_tensor(torch, name):
    x = torch.zeros(2, 3, dtype=torch.float64)
    torch.manual_seed(0)
    like = getattr(torch, f"{name}_like")(x)
    torch.manual_seed(0)
    assert like.dtype == torch.float64 and torch.equal(like, getattr(torch, name)(2, 3, dtype=torch.float64))


def test_to_another_tensor_takes_its_type(torch):
    assert torch.ones(1).to(torch.zeros(2, dtype=torch.float64)).dtype == torch.float64


def test_a_histogram_has_a_hundred_bins_unless_told(torch):
    hist, edges = torch.histogram(torch.tensor([1.0, 2.0, 3.0]), density=True)
    assert hist.shape == (100,) and edges.shape == (101,) and edges[0] == 1 and edges[-1] == 3


@pytest.mark.parametrize(
    "call",
    [
        lambda t, x, two: x.add(x, alpha=two),
        lambda t, x, two: t.add(x, x, alpha=two),
        lambda t, x, two: x.clone().add_(x, alpha=-two),
        lambda t, x, two: x.sub(x, alpha=two),
        lambda t, x, two: x.clone().addcmul_(x, x, value=two),
        lambda t, x, two: x.addcdiv(x, x, value=two),
        lambda t, x, two: t.addmm(x, x, x, alpha=two, beta=two),
        lambda t, x, two: t.baddbmm(x[None], x[None], x[None], alpha=two),
    ],
)
def test_a_tensor_of_no_axes_may_stand_for_a_number(torch, call):  # `p.add_(step, alpha=-lr * trust_ratio)`
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert call(torch, x, torch.tensor(2.0)).equal(call(torch, x, 2.0))


def test_no_other_tensor_may(torch):
    x = torch.ones(2)
    for alpha in (torch.tensor([2.0]), torch.ones(2), torch.tensor(2.0, requires_grad=True)):
        with says(TypeError, "add(): argument 'alpha' must be Number, not Tensor"):
            x.add(x, alpha=alpha)

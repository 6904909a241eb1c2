"""What is said of a wrong call, and which of two errors comes first: what `python -m tests.fuzz` ended with."""

import operator

import pytest
from saying import says, warns


@pytest.fixture(scope="module")
def f(torch):
    """PyTorch's functional."""
    return torch.nn.functional


OPERATORS = "add sub mul truediv floordiv mod pow and_ or_ xor lshift".split()
IN_PLACE = "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor".split()


@pytest.mark.parametrize("other", [None, object()], ids=["None", "object"])
@pytest.mark.parametrize("kind", ["bool", "int64", "float32"])
@pytest.mark.parametrize("name", OPERATORS + IN_PLACE)
def test_what_no_operand_is_python_refuses(torch, name, kind, other):
    x = torch.ones(2, dtype=getattr(torch, kind))
    way = getattr(operator, name)
    with pytest.raises(TypeError, match="unsupported operand type"):
        way(x, other)
    with pytest.raises(TypeError, match="unsupported operand type"):
        way(other, x)


@pytest.mark.parametrize(
    ("call", "got"),
    [
        ("torch.lt(None, x)", "lt() received an invalid combination of arguments - got (NoneType, Tensor)"),
        ("torch.eq(x, None)", "eq() received an invalid combination of arguments - got (Tensor, NoneType)"),
        ("x.pow(None)", "pow() received an invalid combination of arguments - got (NoneType)"),
        ("torch.remainder(x, [1])", "remainder() received an invalid combination of arguments - got (Tensor, list)"),
        ("x.fmod([1])", "fmod() received an invalid combination of arguments - got (list)"),
    ],
)
def test_what_is_there_for_tensors_and_numbers_names_all_arguments(torch, call, got):
    with says(TypeError, got + ", but expected one of:"):
        eval(call, {"torch": torch, "x": torch.ones(2)})


@pytest.mark.parametrize(("call", "place"), [("x.minimum(None)", 1), ("torch.minimum(x, None)", 2), ("x.mul(None)", 1)])
def test_a_methods_own_tensor_does_not_count(torch, call, place):
    name = call.partition("(")[0].partition(".")[2]
    with says(TypeError, f"{name}(): argument 'other' (position {place}) must be Tensor, not NoneType"):
        eval(call, {"torch": torch, "x": torch.ones(2)})


@pytest.mark.parametrize(
    ("name", "called"), [("logsigmoid", "log_sigmoid"), ("dropout", "dropout"), ("cross_entropy", "cross_entropy_loss")]
)
def test_a_function_is_called_as_in_cpp(torch, f, name, called):
    given = (None, 0.5, False) if name == "dropout" else (None,) if name == "logsigmoid" else (None, torch.ones(2))
    with says(TypeError, f"{called}(): argument 'input' (position 1) must be Tensor, not NoneType"):
        getattr(f, name)(*given)


@pytest.mark.parametrize(("a", "b"), [("float64", "float32"), ("float32", "float16"), ("float16", "int64")])
@pytest.mark.parametrize("sizes", [((), (2,)), ((2,), ()), ((), ()), ((2,), (2,))], ids=str)
def test_bits_of_floats_name_the_common_type(torch, a, b, sizes):
    x, y = torch.ones(sizes[0], dtype=getattr(torch, a)), torch.ones(sizes[1], dtype=getattr(torch, b))
    legacy = {"float16": "Half", "float32": "Float", "float64": "Double"}[str((x + y).dtype).removeprefix("torch.")]
    with says(NotImplementedError, f"\"bitwise_or_cpu\" not implemented for '{legacy}'"):
        x | y


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_of_no_axes_the_last_is_meant(torch, name):
    with says(NotImplementedError, f"\"{name}_lastdim_kernel_impl\" not implemented for 'Long'"):
        getattr(torch.tensor(1), name)(0)


@pytest.mark.parametrize("name", ["sum", "prod", "cumsum"])
def test_the_axis_is_looked_at_before_the_type(torch, name):
    x = torch.ones(2, 3, requires_grad=True)
    with says(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 5)"):
        getattr(x, name)(5, dtype=torch.int64)


def test_columns_that_are_not_there_are_named_otherwise(torch):
    x, places = torch.ones(2, 3), torch.tensor([0, 9])
    with says(RuntimeError, "INDICES element is out of DATA bounds, id=9 axis_dim=3"):
        x.index_select(1, places)
    with says(IndexError, "index out of range in self"):
        x.index_select(0, places)
    with says(IndexError, "index out of range in self"):
        torch.ones(2, 3, 4).index_select(2, places)


def test_sizes_for_scatter_are_compared_before_their_number(torch):
    x, places = torch.ones(1, 2, 1), torch.zeros(1, 2, 1, dtype=torch.int64)
    with says(IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"):
        x.scatter_add(0, places, torch.ones(2))
    with says(RuntimeError, "Index tensor must have the same number of dimensions as src tensor"):
        x.scatter_add(0, torch.zeros(1, 5, 1, dtype=torch.int64), torch.ones(2, 2))


def test_two_types_in_a_batch_of_products(torch):
    with says(RuntimeError, "expected scalar type Float but found Long"):
        torch.ones(2, 2) @ torch.ones(2, 2, 2, dtype=torch.int64)


def test_losses_of_integers(torch, f):
    x = torch.arange(3)
    with says(NotImplementedError, "\"smooth_l1_cpu\" not implemented for 'Long'"):
        f.smooth_l1_loss(x, x)
    with says(NotImplementedError, "\"huber_cpu\" not implemented for 'Long'"):
        f.huber_loss(x, x)


SPATIAL = "only batches of spatial targets supported (3D tensors) but got targets of dimension: 1"


@pytest.mark.parametrize(
    ("size", "target", "error", "text"),
    [
        ((3,), [0, 1], ValueError, "For 1D input, 1D target must have size 1, but got target size: 2"),
        ((3,), [[0, 1]], RuntimeError, "0D or 1D target tensor expected, multi-target not supported"),
        ((3,), [0, 1, 0], RuntimeError, "Expected floating point type for target with class probabilities, got Long"),
        ((), 0, RuntimeError, "Expected floating point type for target with class probabilities, got Long"),
        ((2, 3, 2, 2), [0, 1], RuntimeError, SPATIAL),
        ((2, 3, 2), [0, 1], RuntimeError, "Expected target size [2, 2], got [2]"),
    ],
)
def test_targets_that_do_not_fit(torch, f, size, target, error, text):
    with says(error, text):
        f.cross_entropy(torch.ones(size), torch.tensor(target))


@pytest.mark.parametrize("name", ["scatter", "scatter_add"])
@pytest.mark.parametrize(
    ("n", "text"),
    [
        (1, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
        (3, "Index tensor must have the same number of dimensions as src tensor"),
    ],
    ids=["shorter", "longer"],
)
def test_a_source_with_fewer_axes_than_the_index_or_more(torch, name, n, text):
    x, index = torch.zeros(2, 2), torch.zeros(2, 2, dtype=torch.int64)
    with says(IndexError if n == 1 else RuntimeError, text):
        getattr(x, name)(0, index, torch.zeros((2,) * n))


def test_of_several_places_outside_the_first_element_is_told_and_not_the_first_axis(torch):
    x, rows, columns = torch.zeros(2, 1), torch.tensor([-1, 2]), torch.tensor([2, 0])
    with says(IndexError, "index 2 is out of bounds for dimension 1 with size 1"):
        x[rows, columns]


@pytest.mark.parametrize("wrong", [None, "a", [1]], ids=["None", "str", "list"])
def test_a_power_in_place_of_what_is_no_number(torch, wrong):
    with pytest.raises(TypeError, match=r"pow_\(\) received an invalid combination of arguments - got \("):
        torch.ones(2).pow_(wrong)


SIZES = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"


@pytest.mark.parametrize("line", ["a // b", "a ** b", "a.pow_(b)", "a.floor_divide(b)", "i // j", "i % j", "i.fmod(j)"])
def test_the_sizes_come_before_what_the_types_cannot_do(torch, line):
    """There is no `//` of bools, and no quotient by 0: PyTorch finds both out only as it computes."""
    a, b = torch.ones(2, dtype=torch.bool), torch.ones(3, dtype=torch.bool)
    i, j = torch.ones(2, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)
    with says(RuntimeError, SIZES):
        eval(line, {"a": a, "b": b, "i": i, "j": j})


@pytest.mark.parametrize("line", ["i // z", "i % z", "z // i[:, None]"])
def test_where_nothing_is_divided_zero_may_be_the_divisor(torch, line):
    i, z = torch.ones(0, dtype=torch.int64), torch.zeros(1, dtype=torch.int64)
    assert eval(line, {"i": i, "z": z}).numel() == 0


@pytest.mark.parametrize("bias", [False, True])
def test_linear_without_bias_looks_at_the_sizes_first(torch, f, bias):
    said = (
        "mat1 and mat2 must have the same dtype, but got Long and Float"
        if bias
        else "mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)"
    )
    with says(RuntimeError, said):
        f.linear(torch.arange(2), torch.ones(4, 3), torch.ones(4) if bias else None)


SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


@pytest.mark.parametrize("line", ["x.square_()", "x.pow_(2)", "x.remainder_(2)", "x.add_(2)", "x.floor_divide_(2)"])
def test_memory_that_is_spread_out_comes_before_the_types(torch, line):
    x = torch.ones(1, dtype=torch.bool).expand(3)
    with says(RuntimeError, SPREAD_OUT):
        eval(line, {"x": x})


OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)


@pytest.mark.parametrize("line", ["x -= x.t()", "x -= x[:, :1, None]", "x.sub_(x.t(), alpha=2)"])
def test_memory_that_overlaps_comes_before_the_sizes(torch, line):
    with says(RuntimeError, OVERLAP):
        exec(line, {"x": torch.ones(3, 1) if ":" in line else torch.ones(2, 3)})


@pytest.mark.parametrize(
    "line",
    [
        "m[m] = n",  # two numbers: the mask is looked up while it is written to
        "i.index_put_((i,), i.clone())",
        "e[e] = -1.5",  # itself, though there is nothing in it
        "one[one[-1:1:2]] = 1.0",  # one number fills; the mask lies at its place, but with other steps
    ],
)
def test_an_index_may_not_be_what_is_written_to(torch, line):
    m, i = torch.ones(2, dtype=torch.bool), torch.arange(2)
    e, one, n = torch.ones(2, 0).long(), torch.zeros(1, dtype=torch.bool), torch.ones(2, dtype=torch.bool)
    with says(RuntimeError, OVERLAP):
        exec(line, {"m": m, "n": n, "i": i, "e": e, "one": one})


def test_a_mask_may_be_filled_where_it_is_true(torch):
    m = torch.tensor([True, False])
    m[m] = False
    assert m.tolist() == [False, False]


def test_one_number_under_a_mask_of_bytes_is_an_error_and_no_warning(torch):
    x, mask = torch.zeros(3), torch.tensor([1, 0, 1], dtype=torch.uint8)
    with warns(), says(RuntimeError, "masked_fill_ only supports boolean masks, but got mask with dtype unsigned char"):
        x[mask] = 2
    with warns("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."):
        x[mask] = torch.tensor([7.0, 8.0])
    assert x.tolist() == [7.0, 0.0, 8.0]


def test_index_put_takes_tensors(torch):
    with says(TypeError, "index_put_(): argument 'values' (position 2) must be Tensor, not NoneType"):
        torch.ones(3).index_put_((torch.tensor([0]),), None)


def test_a_leaf_is_refused_before_the_mask_is_looked_at(torch):
    with says(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation."):
        torch.ones(3, requires_grad=True).masked_fill_(torch.ones(2) > 0, 0.5)


def test_inputs_are_looked_at_one_after_the_other(torch, w):
    with says(RuntimeError, "One of the differentiated Tensors does not require grad"):
        torch.autograd.grad((w * w).sum(), [torch.ones(1), None])
    with says(RuntimeError, "all inputs have to be Tensors or GradientEdges, but got NoneType"):
        torch.autograd.grad((w * w).sum(), [None, torch.ones(1)])


def test_a_gradient_of_another_size_is_refused_in_pytorch_s_words(torch, w):
    w.sum().backward()
    with torch.no_grad():
        w.unsqueeze_(0)
    with says(RuntimeError, "output with shape [3] doesn't match the broadcast shape [1, 3]"):
        w.mean().backward()


def test_a_tensor_of_inference_mode_warns_as_a_number_too(torch):
    with torch.inference_mode():
        x = torch.ones(1, requires_grad=True)
    with pytest.warns(UserWarning, match="^Converting a tensor with requires_grad=True to a scalar"):
        float(x)

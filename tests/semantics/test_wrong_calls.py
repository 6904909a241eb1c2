"""A wrong call gets PyTorch's error, word for word, and not NumPy's traceback.

Each row is a call and what it says; None stands for a text that lists PyTorch's C++ signatures, which is not compared.
"""

import pytest
from saying import says, warns

R, I, T, V = RuntimeError, IndexError, TypeError, ValueError  # noqa: E741


def wrong_calls(*rows):
    """Parametrise a test over (error, text, call)."""
    ids = [f"{i}-{(text or error.__name__)[:50]}" for i, (error, text, _) in enumerate(rows)]
    return pytest.mark.parametrize("error, text, call", rows, ids=ids)


def size_mismatch(a, b, dim):
    return f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"


def no_dimension(low, high, got):
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {got})"


@wrong_calls(
    (R, size_mismatch(3, 4, 0), lambda t: t.ones(3) + t.ones(4)),
    (R, size_mismatch(3, 4, 1), lambda t: t.ones(1, 3) * t.ones(2, 4)),
    (R, size_mismatch(2, 3, 0), lambda t: t.ones(2, 1) - t.ones(3, 3)),
    (R, size_mismatch(2, 3, 2), lambda t: t.ones(4, 1, 2) / t.ones(5, 3)),
    (R, size_mismatch(2, 3, 1), lambda t: t.ones(3, 2) + t.ones(2, 3)),
    (R, size_mismatch(2, 3, 0), lambda t: t.ones(2) > t.ones(3)),
    (R, size_mismatch(2, 3, 0), lambda t: t.ones(2) ** t.ones(3)),
    (R, size_mismatch(2, 3, 0), lambda t: t.maximum(t.ones(2), t.ones(3))),
    (R, size_mismatch(2, 3, 0), lambda t: t.where(t.ones(2) > 0, t.ones(3), 0.0)),
    (R, size_mismatch(3, 2, 0), lambda t: t.ones(2).masked_fill(t.ones(3) > 0, 1.0)),
)
def test_shapes_that_do_not_broadcast(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).sum(2)),
    (I, no_dimension(-1, 0, 2), lambda t: t.ones(3).sum(2)),
    (I, no_dimension(-1, 0, -2), lambda t: t.ones(3).mean(-2)),
    (I, no_dimension(-1, 0, 1), lambda t: t.tensor(1.0).sum(1)),
    (R, "dim 0 appears multiple times in the list of dims", lambda t: t.ones(2, 3).sum((0, 0))),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).max(2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).argmax(2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).softmax(2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).cumsum(2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).size(2)),
    (I, no_dimension(-1, 0, 1), lambda t: t.ones(2).squeeze(1)),
    (I, no_dimension(-2, 1, 3), lambda t: t.ones(2).unsqueeze(3)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).transpose(0, 2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).permute(0, 2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).flatten(2)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).narrow(2, 0, 1)),
    (I, no_dimension(-2, 1, 2), lambda t: t.ones(2, 3).select(2, 0)),
    (I, no_dimension(-1, 0, 1), lambda t: t.cat([t.ones(2)], 1)),
    (I, no_dimension(-2, 1, 2), lambda t: t.stack([t.ones(2)], 2)),
    (I, no_dimension(-1, 0, 1), lambda t: t.ones(2).flip(1)),
    (I, no_dimension(-1, 0, 1), lambda t: t.ones(2).unbind(1)),
    (I, no_dimension(-1, 0, 1), lambda t: t.ones(2).split(1, 1)),
    (I, no_dimension(-1, 0, 1), lambda t: t.ones(2).movedim(0, 1)),
)
def test_dimensions_that_do_not_exist(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (R, "shape '[5]' is invalid for input of size 6", lambda t: t.arange(6).reshape(5)),
    (R, "shape '[4, -1]' is invalid for input of size 6", lambda t: t.arange(6).view(4, -1)),
    (R, "only one dimension can be inferred", lambda t: t.arange(6).view(-1, -1)),
    (R, "invalid shape dimension -2 at index 0 of shape [-2, 3]", lambda t: t.arange(6).reshape(-2, 3)),
    (
        R,
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead.",
        lambda t: t.ones(2, 3).t().view(6),
    ),
    (
        R,
        "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified dimension size -1 can be any "
        "value and is ambiguous",
        lambda t: t.ones(0).view(-1, 0),
    ),
    (
        R,
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
        "desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 1",
        lambda t: t.ones(2, 3).permute(0),
    ),
    (R, "permute(): duplicate dims are not allowed.", lambda t: t.ones(2, 3).permute(0, 0)),
    (R, "t() expects a tensor with <= 2 dimensions, but self is 3D", lambda t: t.ones(2, 3, 4).t()),
    (R, "start (1) + length (3) exceeds dimension size (3).", lambda t: t.ones(2, 3).narrow(1, 1, 3)),
    (I, "start out of range (expected to be in range of [-3, 3], but got 4)", lambda t: t.ones(2, 3).narrow(1, 4, 0)),
    (R, "narrow(): length must be non-negative.", lambda t: t.ones(2, 3).narrow(1, 0, -1)),
    (
        R,
        "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  Target "
        "sizes: [3, 3].  Tensor sizes: [2, 3]",
        lambda t: t.ones(2, 3).expand(3, 3),
    ),
    (
        R,
        "The expanded size of the tensor (4) must match the existing size (2) at non-singleton dimension 0.  Target "
        "sizes: [4, 3].  Tensor sizes: [2, 3]",
        lambda t: t.ones(2, 3).broadcast_to((4, 3)),
    ),
    (
        R,
        "expand(torch.FloatTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater or equal to the "
        "number of dimensions in the tensor (2)",
        lambda t: t.ones(2, 3).expand(2),
    ),
    (
        R,
        "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0",
        lambda t: t.ones(3).expand(-1, 3),
    ),
    (
        I,
        "select(): index 2 out of range for tensor of size [2, 3] at dimension 0",
        lambda t: t.ones(2, 3).select(0, 2),
    ),
    (
        R,
        "split_with_sizes expects split_sizes to sum exactly to 6 (input tensor's size at dimension 0), but got "
        "split_sizes=[2, 3]",
        lambda t: t.ones(6).split([2, 3]),
    ),
    (R, "split expects split_size be non-negative, but got split_size=-1", lambda t: t.ones(6).split(-1)),
    (
        R,
        "split_size can only be 0 if dimension size is 0, but got dimension size of 6",
        lambda t: t.ones(6).split(0),
    ),
    (R, "chunk expects `chunks` to be greater than 0, got: 0", lambda t: t.ones(6).chunk(0)),
    (R, "flatten() has invalid args: start_dim cannot come after end_dim", lambda t: t.ones(2, 3).flatten(1, 0)),
    (
        R,
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        lambda t: t.ones(2, 3).repeat(2),
    ),
)
def test_shapes_that_cannot_be(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (I, "index 3 is out of bounds for dimension 0 with size 3", lambda t: t.ones(3)[3]),
    (I, "index -4 is out of bounds for dimension 0 with size 3", lambda t: t.ones(3)[-4]),
    (I, "index 5 is out of bounds for dimension 1 with size 3", lambda t: t.ones(2, 3)[0, 5]),
    (I, "index 5 is out of bounds for dimension 1 with size 3", lambda t: t.ones(2, 3)[:, 5]),
    (I, "too many indices for tensor of dimension 1", lambda t: t.ones(3)[0, 0]),
    (
        I,
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
        "convert a 0-dim tensor to a number",
        lambda t: t.tensor(1.0)[0],
    ),
    (I, "index 3 is out of bounds for dimension 0 with size 3", lambda t: t.ones(3)[t.tensor([0, 3])]),
    (I, "index 5 is out of bounds for dimension 1 with size 3", lambda t: t.ones(2, 3)[t.tensor([0]), t.tensor([5])]),
    (
        I,
        "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]",
        lambda t: t.ones(2, 3)[t.tensor([0, 1]), t.tensor([0, 1, 2])],
    ),
    (
        I,
        "The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3] at index 0",
        lambda t: t.ones(3)[t.tensor([True, False])],
    ),
    (
        I,
        "tensors used as indices must be long, int, byte or bool tensors",
        lambda t: t.ones(3)[t.tensor([0.0, 1.0])],
    ),
    (
        I,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)",
        lambda t: t.ones(3)[1.5],
    ),
    (V, "step must be greater than zero", lambda t: t.ones(3)[::-1]),
    (V, "slice step cannot be zero", lambda t: t.ones(3)[::0]),
    (I, "index 3 is out of bounds for dimension 0 with size 3", lambda t: t.ones(3).__setitem__(3, 1.0)),
    (I, "index out of range in self", lambda t: t.ones(3).index_select(0, t.tensor([3]))),
    (R, "index 3 is out of bounds for dimension 0 with size 3", lambda t: t.ones(3).gather(0, t.tensor([3]))),
)
def test_indices_that_do_not_fit(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (R, "self must be a matrix", lambda t: t.ones(3).mm(t.ones(3))),
    (R, "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", lambda t: t.ones(2, 3).mm(t.ones(4, 5))),
    (R, "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", lambda t: t.ones(2, 3) @ t.ones(4, 5)),
    (R, "mat1 and mat2 shapes cannot be multiplied (1x3 and 4x2)", lambda t: t.ones(3) @ t.ones(4, 2)),
    (R, "size mismatch, got input (2), mat (2x3), vec (4)", lambda t: t.ones(2, 3) @ t.ones(4)),
    (R, "size mismatch, got input (2), mat (2x3), vec (4)", lambda t: t.ones(2, 3).mv(t.ones(4))),
    (
        R,
        "inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements, but "
        "got 3 and 4 elements respectively",
        lambda t: t.ones(3) @ t.ones(4),
    ),
    (R, "1D tensors expected, but got 2D and 1D tensors", lambda t: t.ones(3, 1).dot(t.ones(3))),
    (
        R,
        "both arguments to matmul need to be at least 1D, but they are 0D and 0D",
        lambda t: t.tensor(1.0) @ t.tensor(2.0),
    ),
    (
        R,
        "Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 5].",
        lambda t: t.ones(2, 3, 4).bmm(t.ones(2, 5, 6)),
    ),
    (R, "batch1 must be a 3D tensor", lambda t: t.ones(3, 4).bmm(t.ones(3, 4, 6))),
    (R, size_mismatch(2, 3, 0), lambda t: t.ones(2, 3, 4) @ t.ones(3, 4, 5)),
    (
        R,
        "expected m1 and m2 to have the same dtype, but got: float != double",
        lambda t: t.ones(2, 3).mm(t.ones(3, 2).double()),
    ),
    (
        R,
        "expected m1 and m2 to have the same dtype, but got: float != long int",
        lambda t: t.ones(2, 3) @ t.ones(3, 2).long(),
    ),
    (
        R,
        "dot : expected both vectors to have same dtype, but found Float and Double",
        lambda t: t.ones(3).dot(t.ones(3).double()),
    ),
    (
        R,
        "addmv input tensors must have the same dtype, but got Double, Float, and Double",
        lambda t: t.ones(2, 3) @ t.ones(3).double(),
    ),
)
def test_products_that_do_not_fit(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (
        R,
        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the "
        "list.",
        lambda t: t.cat([t.ones(2, 3), t.ones(2, 4)]),
    ),
    (
        R,
        "Sizes of tensors must match except in dimension 1. Expected size 2 but got size 1 for tensor number 2 in the "
        "list.",
        lambda t: t.cat([t.ones(2, 3), t.ones(2, 3), t.ones(1, 3)], 1),
    ),
    (R, "Tensors must have same number of dimensions: got 2 and 1", lambda t: t.cat([t.ones(2, 3), t.ones(3)])),
    (V, "torch.cat(): expected a non-empty list of Tensors", lambda t: t.cat([])),
    (R, "zero-dimensional tensor (at position 0) cannot be concatenated", lambda t: t.cat([t.tensor(1.0)])),
    (T, "expected Tensor as element 1 in argument 0, but got int", lambda t: t.cat([t.ones(2), 3])),
    (T, "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor", lambda t: t.cat(t.ones(2))),
    (
        R,
        "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1",
        lambda t: t.stack([t.ones(2), t.ones(3)]),
    ),
    (R, "stack expects a non-empty TensorList", lambda t: t.stack([])),
)
def test_tensors_that_cannot_be_joined(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (V, "expected sequence of length 2 at dim 1 (got 1)", lambda t: t.tensor([[1, 2], [3]])),
    (V, "expected sequence of length 1 at dim 2 (got 2)", lambda t: t.tensor([[[1], [1, 2]]])),
    (T, "not a sequence", lambda t: t.tensor([[1, 2], 3])),
    (T, "'list' object cannot be interpreted as an integer", lambda t: t.tensor([1, [3]])),
    (T, "new(): invalid data type 'str'", lambda t: t.tensor("a")),
    (V, "too many dimensions 'str'", lambda t: t.tensor(["a"])),
    (R, "Could not infer dtype of NoneType", lambda t: t.tensor(None)),
    (R, "Could not infer dtype of NoneType", lambda t: t.tensor([None])),
    (R, "Could not infer dtype of dict", lambda t: t.tensor({})),
    (R, "Could not infer dtype of object", lambda t: t.tensor([object()])),
    (T, None, lambda t: t.tensor()),
    (T, "tensor() got an unexpected keyword argument 'foo'", lambda t: t.tensor([1], foo=1)),
    (T, "tensor(): argument 'dtype' must be torch.dtype, not str", lambda t: t.tensor([1], dtype="float")),
    (R, "Trying to create tensor with negative dimension -1: [-1]", lambda t: t.ones(-1)),
    (R, "Trying to create tensor with negative dimension -3: [2, -3]", lambda t: t.randn(2, -3)),
    (T, "ones(): argument 'size' (position 1) must be tuple of ints, not float", lambda t: t.ones(2.5)),
    (T, "zeros(): argument 'size' (position 1) must be tuple of ints, not str", lambda t: t.zeros("a")),
    (T, "zeros() got an unexpected keyword argument 'foo'", lambda t: t.zeros(2, foo=3)),
    (R, "upper bound and lower bound inconsistent with step sign", lambda t: t.arange(1, 5, -1)),
    (R, "step must be nonzero", lambda t: t.arange(1, 2, 0)),
    (R, "random_ expects 'from' to be less than 'to', but got from=3 >= to=3", lambda t: t.randint(3, 3, (2,))),
    (NotImplementedError, "\"check_uniform_bounds\" not implemented for 'Long'", lambda t: t.rand(2, dtype=t.int64)),
    (AssertionError, "Torch not compiled with CUDA enabled", lambda t: t.ones(2, device="cuda")),
    (AssertionError, "Torch not compiled with CUDA enabled", lambda t: t.ones(2).cuda()),
    (
        R,
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, "
        "vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: foo",
        lambda t: t.ones(2, device="foo"),
    ),
)
def test_tensors_that_cannot_be_made(torch, error, text, call):
    if text and "CUDA" in text and torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with says(error, text):
        call(torch)


@wrong_calls(
    (R, "a Tensor with 2 elements cannot be converted to Scalar", lambda t: t.ones(2).item()),
    (R, "a Tensor with 0 elements cannot be converted to Scalar", lambda t: t.ones(0).item()),
    (V, "only one element tensors can be converted to Python scalars", lambda t: int(t.ones(2))),
    (V, "only one element tensors can be converted to Python scalars", lambda t: float(t.ones(2))),
    (R, "Boolean value of Tensor with more than one value is ambiguous", lambda t: bool(t.ones(2))),
    (R, "Boolean value of Tensor with no values is ambiguous", lambda t: bool(t.ones(0))),
    (R, "Boolean value of Tensor with more than one value is ambiguous", lambda t: 1 if t.ones(2) == 1 else 0),
    (R, "Boolean value of Tensor with more than one value is ambiguous", lambda t: t.ones(2) and 1),
    (R, "Boolean value of Tensor with more than one value is ambiguous", lambda t: 0 < t.ones(2) < 2),
    (R, "Boolean value of Tensor with more than one value is ambiguous", lambda t: max(t.ones(2), t.zeros(2))),
    (T, "len() of a 0-d tensor", lambda t: len(t.tensor(1.0))),
    (T, "iteration over a 0-d tensor", lambda t: list(t.tensor(1.0))),
    (T, "only integer tensors of a single element can be converted to an index", lambda t: [1, 2, 3][t.tensor(1.0)]),
    (T, "only integer tensors of a single element can be converted to an index", lambda t: range(t.tensor([1, 2]))),
    (T, "unsupported format string passed to Tensor.__format__", lambda t: f"{t.ones(2):.3f}"),
    (
        R,
        "Tensor.__contains__ only supports Tensor or scalar, but you passed in a <class 'str'>.",
        lambda t: "a" in t.ones(2),
    ),
    (
        R,
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        lambda t: t.ones(2, requires_grad=True).numpy(),
    ),
    (T, "expected np.ndarray (got list)", lambda t: t.from_numpy([1, 2])),
)
def test_conversions_that_lose_something(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (T, "unsupported operand type(s) for +: 'Tensor' and 'str'", lambda t: t.ones(2) + "a"),
    (T, "unsupported operand type(s) for *: 'Tensor' and 'NoneType'", lambda t: t.ones(2) * None),
    (T, "unsupported operand type(s) for -: 'str' and 'Tensor'", lambda t: "a" - t.ones(2)),
    (T, "unsupported operand type(s) for /: 'Tensor' and 'dict'", lambda t: t.ones(2) / {}),
    (T, "'<' not supported between instances of 'Tensor' and 'str'", lambda t: t.ones(2) < "a"),
    (T, "exp(): argument 'input' (position 1) must be Tensor, not int", lambda t: t.exp(3)),
    (T, "exp(): argument 'input' (position 1) must be Tensor, not list", lambda t: t.exp([1.0])),
    (T, None, lambda t: t.exp()),  # of a missing argument Python itself tells, in words of its own
    (T, "sum(): argument 'input' (position 1) must be Tensor, not int", lambda t: t.sum(3)),
    (T, "relu(): argument 'input' (position 1) must be Tensor, not float", lambda t: t.relu(3.0)),
    (T, "add(): argument 'other' (position 2) must be Tensor, not str", lambda t: t.add(t.ones(2), "a")),
    (T, None, lambda t: t.ones(2).unsqueeze()),
    (T, None, lambda t: t.ones(2, 3).transpose(0)),
    (T, None, lambda t: t.ones(2).exp(3)),
    (T, None, lambda t: t.ones(2).sum(foo=1)),
    (T, None, lambda t: t.ones(2).sum("a")),
    (T, None, lambda t: t.sum()),
    (T, None, lambda t: t.randint(3)),
    (T, None, lambda t: t.ones(2).mm()),
    (T, None, lambda t: t.ones(2) * [1, 2]),
    (AttributeError, "'Tensor' object has no attribute 'foo'", lambda t: t.ones(2).foo),
)
def test_arguments_of_the_wrong_kind(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (
        R,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long",
        lambda t: t.arange(3).mean(),
    ),
    (
        R,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Bool",
        lambda t: t.tensor([True]).mean(),
    ),
    (R, "std and var only support floating point and complex dtypes", lambda t: t.arange(3).std()),
    (R, "std and var only support floating point and complex dtypes", lambda t: t.arange(3).var()),
    (
        R,
        "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long",
        lambda t: t.arange(3).norm(),
    ),
    (
        NotImplementedError,
        "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'",
        lambda t: t.arange(3).softmax(0),
    ),
    (R, "Integers to negative integer powers are not allowed.", lambda t: t.tensor([2]) ** -1),
    (R, "ZeroDivisionError", lambda t: t.tensor([1]) // 0),
    (R, "ZeroDivisionError", lambda t: t.tensor([1]) % 0),
    (
        R,
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
        "operator instead.",
        lambda t: t.tensor([True]) - t.tensor([True]),
    ),
    (
        R,
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a "
        "mask, use the `~` or `logical_not()` operator instead.",
        lambda t: 1 - t.tensor([True]),
    ),
    (
        R,
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, "
        "use the `~` or `logical_not()` operator instead.",
        lambda t: -t.tensor([True]),
    ),
    (
        T,
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
        lambda t: ~t.tensor([1.0]),
    ),
    (NotImplementedError, "\"bitwise_and_cpu\" not implemented for 'Float'", lambda t: t.ones(2) & t.ones(2)),
)
def test_dtypes_that_an_operator_refuses(torch, error, text, call):
    with says(error, text):
        call(torch)


@wrong_calls(
    (
        R,
        "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
        "the 'dim' argument.",
        lambda t: t.ones(0).max(),
    ),
    (
        R,
        "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
        "the 'dim' argument.",
        lambda t: t.ones(0).min(),
    ),
    (
        R,
        "amax(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
        "the 'dim' argument.",
        lambda t: t.ones(0).amax(),
    ),
    (I, "argmax(): Expected reduction dim to be specified for input.numel() == 0.", lambda t: t.ones(0).argmax()),
    (I, "max(): Expected reduction dim 0 to have non-zero size.", lambda t: t.ones(0, 3).max(0)),
)
def test_the_largest_of_nothing(torch, error, text, call):
    with says(error, text):
        call(torch)


@pytest.mark.parametrize("name, expected", [("sum", 0), ("prod", 1), ("any", False), ("all", True)])
def test_what_nothing_adds_up_to(torch, name, expected):
    assert getattr(torch.ones(0), name)().item() == expected


def test_the_mean_of_nothing_is_nan(torch):
    with warns():
        assert torch.ones(0).mean().isnan()


def test_the_spread_of_one_number_is_nan_with_a_warning(torch):
    text = (
        "std(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel "
        "divided by output numel)."
    )
    with warns(text):
        assert torch.ones(1).std().isnan()


def test_equality_with_what_is_no_number_is_false(torch):
    assert (torch.ones(2) == "a") is False and (torch.ones(2) != None) is True  # noqa: E711


def test_division_by_zero_is_no_error_for_floats_and_warns_of_nothing(torch):
    with warns():
        x = torch.tensor([1.0, 0.0, -1.0]) / 0
        torch.tensor([0.0]).log(), torch.tensor([-1.0]).sqrt(), torch.tensor([1e30]).square()
    assert str(x) == "tensor([inf, nan, -inf])"


def test_an_error_leaves_no_trace_in_the_graph(torch, w):
    y = (w * w).sum()
    with says(RuntimeError):
        w + torch.ones(2)
    y.backward()
    assert w.grad.tolist() == [2, 4, 6]


KEEPDIM = "{}(): argument 'keepdim' (position {}) must be bool, not int"
UNFIT = "{}() received an invalid combination of arguments - got ({}), but expected one of:"
BOOL = "{}(): argument 'requires_grad' must be bool, not {}"
ALONE = "keepdim=bool, "
FLAGS = [
    *((lambda t, x, n=n: getattr(x, n)(0, 1), KEEPDIM.format(n, 2)) for n in "sum mean prod max min amax amin".split()),
    *((lambda t, x, n=n: getattr(x, n)(0, 1), KEEPDIM.format(n, 2)) for n in "argmax median mode nansum".split()),
    (lambda t, x: t.sum(x, 0, 1), KEEPDIM.format("sum", 3)),
    (lambda t, x: x.kthvalue(1, 0, 1), KEEPDIM.format("kthvalue", 3)),
    (lambda t, x: x.logsumexp(0, 1), KEEPDIM.format("logsumexp", 2)),
    (lambda t, x: x.sum(0, keepdim=1), "sum(): argument 'keepdim' must be bool, not int"),
    (lambda t, x: x.sum(0, keepdim="yes"), "sum(): argument 'keepdim' must be bool, not str"),
    (lambda t, x: x.mean(0, keepdim=None), "mean(): argument 'keepdim' must be bool, not NoneType"),
    (lambda t, x: x.topk(1, 0, 1), "topk(): argument 'largest' (position 3) must be bool, not int"),
    (lambda t, x: x.topk(1, 0, True, 1), "topk(): argument 'sorted' (position 4) must be bool, not int"),
    *(
        (lambda t, x, n=n: getattr(x, n)(keepdim=True), UNFIT.format(n, "keepdim=bool, "))
        for n in "max min sum".split()
    ),
    (lambda t, x: t.max(x, x, 0), UNFIT.format("max", "Tensor, Tensor, int")),
    (lambda t, x: t.min(x, x, 0), UNFIT.format("min", "Tensor, Tensor, int")),
    (lambda t, x: x.median(keepdim=True), 'median() missing 1 required positional arguments: "dim"'),
    (lambda t, x: t.tensor([1.0], requires_grad="yes"), BOOL.format("tensor", "str")),
    (lambda t, x: t.zeros(2, requires_grad=1), BOOL.format("zeros", "int")),
    (lambda t, x: t.full((2,), 1.0, requires_grad=1), BOOL.format("full", "int")),
    (lambda t, x: t.zeros_like(x, requires_grad=1), BOOL.format("zeros_like", "int")),
    (
        lambda t, x: x.requires_grad_("a"),
        "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not str",
    ),
    (lambda t, x: x.to(str), UNFIT.format("to", "type")),
    *((lambda t, x, n=n: getattr(x, n)(0, 1), None) for n in "any all std var sort argsort".split()),
    *((lambda t, x, n=n: getattr(t, n)(2, requires_grad=1), None) for n in "randn eye rand arange".split()),
]


@pytest.mark.parametrize("call, text", FLAGS)
def test_flags_must_be_bools(torch, call, text):
    with says(TypeError, text):
        call(torch, torch.ones(2, 2))


def test_pythons_own_types_stand_for_dtypes(torch):
    x = torch.ones(2, 2)
    assert x.to(float).dtype is torch.float64 and x.to(dtype=int).dtype is torch.int64
    assert x.to(bool).dtype is torch.bool and x.sum(dtype=float).dtype is torch.float64
    assert x.mean(dtype=float).dtype is torch.float64 and x.cumsum(0, dtype=float).dtype is torch.float64
    assert x.softmax(0, dtype=float).dtype is torch.float64
    assert torch.nn.Linear(1, 1).to(float).weight.dtype is torch.float64


@pytest.mark.parametrize(
    "index, kind, text",
    [
        ([[5]], RuntimeError, "index 5 is out of bounds for dimension 1 with size 2"),
        ([[-1]], RuntimeError, "index -1 is out of bounds for dimension 1 with size 2"),
        ([[1.0]], RuntimeError, "scatter(): Expected dtype int32/int64 for index"),
        ([1], RuntimeError, "Index tensor must have the same number of dimensions as self tensor"),
    ],
)
@pytest.mark.parametrize("value", [1.0, 1])
def test_scatter_of_a_number_blames_the_index(torch, index, kind, text, value):
    with says(kind, text):
        torch.zeros(2, 2).scatter_(1, torch.tensor(index), value)
    with says(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 3)"):
        torch.zeros(2, 2).scatter_(3, torch.tensor([[1]]), value)


WHOLE = {
    "layer_norm": (lambda F, i: F.layer_norm(i, (2,)), "LayerNormKernelImpl"),
    "batch_norm": (lambda F, i: F.batch_norm(i, None, None, training=True), "batch_norm"),
    "group_norm": (lambda F, i: F.group_norm(i, 1), "GroupNormKernelImpl"),
    "instance_norm": (lambda F, i: F.instance_norm(i.view(1, 2, 2)), "batch_norm"),
    "celu": (lambda F, i: F.celu(i), "elu_cpu"),
    "mish": (lambda F, i: F.mish(i), "mish_cpu"),
    "hardswish": (lambda F, i: F.hardswish(i), "hardswish_cpu"),
    "hardsigmoid": (lambda F, i: F.hardsigmoid(i), "hardsigmoid_cpu"),
    "hardshrink": (lambda F, i: F.hardshrink(i), "hardshrink_cpu"),
    "softshrink": (lambda F, i: F.softshrink(i), "softshrink_check"),
    "glu": (lambda F, i: F.glu(i), "glu_cpu"),
}


@pytest.mark.parametrize("name", WHOLE)
def test_layers_refuse_whole_numbers(torch, name):
    call, kernel = WHOLE[name]
    with says(NotImplementedError, f"\"{kernel}\" not implemented for 'Long'"):
        call(torch.nn.functional, torch.ones(2, 2, dtype=torch.int64))


def test_prelu_refuses_a_weight_of_another_type(torch):
    for x, name in ((torch.ones(2, dtype=torch.int64), "Long"), (torch.ones(2).half(), "Half")):
        with says(RuntimeError, f"prelu: Type promoting not supported. Got {name} and Float"):
            torch.nn.functional.prelu(x, torch.ones(1))


@pytest.mark.parametrize("name", "Hardswish Mish SiLU Hardsigmoid ELU CELU SELU ReLU6 LeakyReLU Hardtanh".split())
def test_activations_in_place_have_the_gradient_of_those_that_are_not(torch, name):
    def gradient(inplace):
        a = torch.tensor([-4.0, -1.0, 1.0, 2.0], requires_grad=True)
        getattr(torch.nn, name)(inplace=inplace)(a * 1).sum().backward()
        return a.grad

    assert torch.allclose(gradient(True), gradient(False))


def test_an_error_names_the_method_that_was_called(torch):
    z = torch.zeros(2, 3)
    with pytest.raises(TypeError, match="^scatter_\\(\\)"):
        z.scatter_(1, "a", 1.0)
    with pytest.raises(TypeError, match="^empty\\(\\)"):
        torch.empty(2, "a")
    with says(T, "arange(): argument 'end' (position 1) must be Number, not str"):
        torch.arange("a")
    with says(T, "dtype must be a type, str, or dtype object"):
        z.type(3)
    with says(R, "0D or 1D target tensor expected, multi-target not supported"):
        torch.nn.functional.nll_loss(z, z)


@pytest.mark.parametrize("norm", ["layer_norm", "rms_norm"])
def test_a_weight_of_another_size_is_refused(torch, norm):
    text = "Expected weight to be of same shape as normalized_shape, but got weight of shape [2, 3] and "
    with says(R, text + "normalized_shape = [3]"):
        getattr(torch.nn.functional, norm)(torch.ones(2, 3), (3,), torch.ones(2, 3))

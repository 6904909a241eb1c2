"""Types that meet in one expression, and what does not go together: found by the random programs of tests/fuzz.

Each line is an expression and what PyTorch 2.13 says to it: how the result prints, or the first line of the error.
"""

import re

import pytest

SAYINGS = """
tensor([1,2]).add(tensor([1,2]), alpha=0.5)
    RuntimeError: For integral input tensors, argument alpha must not be a floating point number.
tensor([True]).add(tensor([1]), alpha=0.5)
    RuntimeError: For integral input tensors, argument alpha must not be a floating point number.
tensor([True]).add(tensor([True]), alpha=2)
    tensor([True])
tensor([True]).add(tensor([True]), alpha=True)
    tensor([True])
tensor([1.]).add(tensor([True]), alpha=True)
    RuntimeError: Boolean alpha only supported for Boolean results.
tensor([1]).add(tensor([1]), alpha=True)
    RuntimeError: Boolean alpha only supported for Boolean results.
tensor([True]).sub(tensor([True]), alpha=2)
    RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or
    `logical_xor()` operator instead.
tensor([1]).sub(tensor([True]), alpha=2)
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([1]).sub(tensor([2]), alpha=.5)
    RuntimeError: For integral input tensors, argument alpha must not be a floating point number.
tensor([1.]).sub(tensor([True]))
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([1.]) - True
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([1.]).sub(True)
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
True - tensor([1.])
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([1]) - True
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([True]) - 1
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
1 - tensor([True])
    RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to
    invert a mask, use the `~` or `logical_not()` operator instead.
tensor([True]) - True
    RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or
    `logical_xor()` operator instead.
tensor([1]).sub_(tensor([1.]), alpha=0.5)
    RuntimeError: result type Float can't be cast to the desired output type Long
tensor([1]).add_(tensor([1.]), alpha=2)
    RuntimeError: result type Float can't be cast to the desired output type Long
tensor([True]).add_(tensor(3), alpha=0.5)
    RuntimeError: result type Long can't be cast to the desired output type Bool
tensor([True]).add_(1, alpha=0.5)
    RuntimeError: result type Long can't be cast to the desired output type Bool
tensor([True]).add_(True, alpha=2)
    tensor([True])
tensor([1]).add(1, alpha=0.5)
    RuntimeError: For integral input tensors, argument alpha must not be a floating point number.
tensor([1]).add(1.5, alpha=0.5)
    tensor([1.7500])
tensor([-2,-2,2,1,-1,0,3]) ** tensor([-2,-2,2,1,-3,-1,-1])
    tensor([ 0, 0, 4, 1, -1, 0, 0])
tensor([-2,-2]) ** tensor(-1)
    tensor([0, 0])
tensor([-2,-2]) ** -1
    RuntimeError: Integers to negative integer powers are not allowed.
2 ** tensor([-2, 2])
    tensor([0, 4])
tensor([1,2],dtype=torch.uint8) ** tensor([-1, 2])
    tensor([1, 4])
tensor([True]) ** tensor([True])
    NotImplementedError: "pow" not implemented for 'Bool'
tensor([True]) ** 2
    tensor([1])
True ** tensor([True])
    NotImplementedError: "pow" not implemented for 'Bool'
torch.linspace(-1, 1, 4, dtype=torch.uint8)
    tensor([255, 170, 85, 1], dtype=torch.uint8)
torch.linspace(-1, 1, 4, dtype=torch.int64)
    tensor([-1, 0, 0, 1])
torch.linspace(-1, 1, 5, dtype=torch.int32)
    tensor([-1, 0, 0, 0, 1], dtype=torch.int32)
torch.linspace(-1, 1, 5, dtype=torch.bool)
    NotImplementedError: "linspace_cpu" not implemented for 'Bool'
torch.linspace(0, 10, 4, dtype=torch.int64)
    tensor([ 0, 3, 6, 10])
tensor([True]).std()
    RuntimeError: std and var only support floating point and complex dtypes
tensor([1]).std()
    RuntimeError: std and var only support floating point and complex dtypes
tensor([1]).std(5)
    RuntimeError: std and var only support floating point and complex dtypes
torch.arange(1, dtype=torch.bool)
    NotImplementedError: "arange_cpu" not implemented for 'Bool'
torch.arange(0, dtype=torch.bool)
    NotImplementedError: "arange_cpu" not implemented for 'Bool'
tensor([True]) @ tensor([True])
    NotImplementedError: "dot" not implemented for 'Bool'
tensor([[True]]) @ tensor([[True]])
    NotImplementedError: "addmm_impl_cpu_" not implemented for 'Bool'
tensor([[True]]) @ tensor([True])
    NotImplementedError: "addmv_impl_cpu" not implemented for 'Bool'
0.5 // tensor([True])
    tensor([0.])
2 // tensor([True])
    tensor([2])
True // tensor([True])
    NotImplementedError: "div_floor_cpu" not implemented for 'Bool'
0.5 // tensor([2])
    tensor([0.])
0.5 % tensor([True])
    tensor([0.5000])
tensor([True]) // tensor([True])
    NotImplementedError: "div_floor_cpu" not implemented for 'Bool'
tensor([True]) % tensor([True])
    NotImplementedError: "remainder_cpu" not implemented for 'Bool'
tensor([True]) // 0.5
    tensor([2.])
tensor([True]) % 0.5
    tensor([0.])
tensor([1.],requires_grad=True).sum(dtype=torch.int64)
    RuntimeError: Autograd not support dtype: Long
tensor([1.],requires_grad=True).sum(0, dtype=torch.int64)
    RuntimeError: Autograd not support dtype: Long
tensor([1.],requires_grad=True).prod(dtype=torch.int64)
    RuntimeError: Autograd not support dtype: Long
tensor([1.],requires_grad=True).cumsum(0, dtype=torch.int64)
    RuntimeError: Autograd not support dtype: Long
tensor([1.]).mean(dtype=torch.int64)
    RuntimeError: mean(): could not infer output dtype. Optional dtype must be either a floating point or
    complex dtype. Got: Long
torch.where(tensor([True]), tensor([1.]), None)
    TypeError: where() received an invalid combination of arguments - got (Tensor, Tensor, NoneType), but
    expected one of:
torch.where(tensor([True]), None, tensor([1.]))
    TypeError: where() received an invalid combination of arguments - got (Tensor, NoneType, Tensor), but
    expected one of:
tensor([1.]) @ None
    TypeError: unsupported operand type(s) for @: 'Tensor' and 'NoneType'
None @ tensor([1.])
    TypeError: unsupported operand type(s) for @: 'NoneType' and 'Tensor'
torch.zeros(2,0).amin(-1)
    IndexError: amin(): Expected reduction dim -1 to have non-zero size.
torch.zeros(2,0).amin((0,-1))
    IndexError: amin(): Expected reduction dim -1 to have non-zero size.
torch.zeros(2,0).amin(1)
    IndexError: amin(): Expected reduction dim 1 to have non-zero size.
torch.zeros(2,0).max(-1)
    IndexError: max(): Expected reduction dim 1 to have non-zero size.
torch.zeros(2,0).argmax(-1)
    IndexError: argmax(): Expected reduction dim 1 to have non-zero size.
torch.zeros(0).index_select(0, tensor([0]))
    IndexError: index out of range in self
torch.zeros(0,2).index_select(0, tensor([0]))
    RuntimeError: index_select(): self indexing axis dim should be positive
torch.zeros(0,2).index_select(1, tensor([0]))
    tensor([], size=(0, 1))
torch.zeros(0,2).index_select(0, tensor([],dtype=torch.int64))
    tensor([], size=(0, 2))
torch.zeros(2).index_select(0, tensor([5]))
    IndexError: index out of range in self
tensor([-2.,2.,-3, 3]) % tensor([2., -2., 2, -2])
    tensor([-0., 0., 1., -1.])
tensor([-2.,2.]) % 2.
    tensor([-0., 0.])
-2. % tensor([2.])
    tensor([-0.])
torch.zeros(2,3).bool().expand(2)
    RuntimeError: expand(CPUBoolType{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater or
    equal to the number of dimensions in the tensor (2)
torch.zeros(2,3).half().expand(2)
    RuntimeError: expand(torch.HalfTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
torch.zeros(2,3).to(torch.int16).expand(2)
    RuntimeError: expand(torch.ShortTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
torch.zeros(2,3).expand(2)
    RuntimeError: expand(torch.FloatTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
torch.zeros(2,3).double().expand(2)
    RuntimeError: expand(torch.DoubleTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
torch.zeros(2,3).to(torch.uint8).expand(2)
    RuntimeError: expand(torch.ByteTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
torch.zeros(2,3,requires_grad=True).expand(2)
    RuntimeError: expand(torch.FloatTensor{[2, 3]}, size=[2]): the number of sizes provided (1) must be greater
    or equal to the number of dimensions in the tensor (2)
tensor([True]).clamp(tensor([True]), tensor([False]))
    NotImplementedError: "clamp_cpu" not implemented for 'Bool'
tensor([True]).clamp(False, True)
    NotImplementedError: "clamp_scalar_cpu" not implemented for 'Bool'
tensor([True]).clamp(min=False)
    NotImplementedError: "clamp_min_scalar_cpu" not implemented for 'Bool'
tensor([True]).clamp_max(False)
    NotImplementedError: "clamp_max_scalar_cpu" not implemented for 'Bool'
torch.ones(2, 2).prod((0, 1))
    TypeError: prod() received an invalid combination of arguments - got (tuple), but expected one of:
torch.ones(2, 2).prod((0, 1), True)
    TypeError: prod(): argument 'dim' (position 1) must be int, not tuple
torch.ones(2, 2).max([0])
    TypeError: max() received an invalid combination of arguments - got (list), but expected one of:
torch.ones(2, 2).argmax((0, 1))
    TypeError: argmax(): argument 'dim' (position 1) must be int, not tuple
tensor([True]) @ tensor([1])
    RuntimeError: dot : expected both vectors to have same dtype, but found Bool and Long
tensor([[True]]) @ tensor([[1.]])
    RuntimeError: expected m1 and m2 to have the same dtype, but got: bool != float
tensor([[[True]]]) @ tensor([[[1]]])
    NotImplementedError: "bmm" not implemented for 'Bool'
torch.linspace(-1, 1, 1, dtype=torch.bool)
    tensor([True])
torch.ones(2, 2).cumsum((0, 1))
    TypeError: cumsum(): argument 'dim' (position 1) must be int, not tuple
torch.ones(4, dtype=torch.uint8).clamp(-1, 1)
    tensor([1, 1, 1, 1], dtype=torch.uint8)
torch.ones(4, dtype=torch.uint8).clamp(-1, 300)
    RuntimeError: value cannot be converted to type uint8_t without overflow
torch.ones(4, dtype=torch.uint8).clamp(min=-1)
    tensor([255, 255, 255, 255], dtype=torch.uint8)
torch.ones(4, dtype=torch.uint8).clamp_min(-1)
    tensor([255, 255, 255, 255], dtype=torch.uint8)
torch.ones(4, dtype=torch.uint8).clamp_min_(-1)
    tensor([255, 255, 255, 255], dtype=torch.uint8)
torch.ones(1, dtype=torch.float16) & torch.ones(1)
    NotImplementedError: "bitwise_and_cpu" not implemented for 'Float'
torch.ones(1, dtype=torch.float16) & torch.ones(1, dtype=torch.int64)
    NotImplementedError: "bitwise_and_cpu" not implemented for 'Half'
torch.ones(0, dtype=torch.bool).softmax(0)
    tensor([], dtype=torch.bool)
torch.ones(0, dtype=torch.int64).softmax(0)
    tensor([], dtype=torch.int64)
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(1, 2, dtype=torch.bool)
    RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 1x2)
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(1, 2)
    RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 1x2)
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(3, dtype=torch.bool)
    RuntimeError: size mismatch, got input (2), mat (2x2), vec (3)
torch.ones(2, 2, dtype=torch.int64) @ torch.ones(3)
    RuntimeError: size mismatch, got input (2), mat (2x2), vec (3)
torch.ones(2, 2) @ torch.ones(3, 2, dtype=torch.int64)
    RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x2 and 3x2)
torch.ones(3, dtype=torch.bool) @ torch.ones(2, dtype=torch.bool)
    RuntimeError: inconsistent tensor size, expected tensor [3] and src [2] to have the same number of elements,
    but got 3 and 2 elements respectively
torch.ones(3, dtype=torch.int64) @ torch.ones(2)
    RuntimeError: dot : expected both vectors to have same dtype, but found Long and Float
torch.ones(2, 3).to(torch.int64).index_add_(1, tensor([0, 1]), torch.ones(3, 3).to(torch.int64))
    RuntimeError: index_add_(): Number of indices (2) should be equal to source.size(dim): (3), for dim: 1
torch.ones(2, 3).index_add_(1, tensor([0, 1, 1]), torch.ones(3, 3))
    RuntimeError: source tensor shape must match self tensor shape, excluding the specified dimension. Got
    self.shape = [2, 3] source.shape = [3, 3]
torch.ones(2, 3).index_add_(1, tensor([0, 1, 1]), torch.ones(3))
    RuntimeError: index_add_(): Indexing dim 1 is out of bounds of the source tensor with dim 1
torch.ones(2, 3).add(torch.ones(4), alpha=True)
    RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1
"""
PAIRS = [(e, " ".join(said.split())) for e, said in re.findall(r"^(\S.*)\n((?:    .*\n)+)", SAYINGS, re.MULTILINE)]


@pytest.mark.parametrize(("expression", "said"), PAIRS, ids=[expression for expression, _ in PAIRS])
def test_what_an_expression_gives(torch, expression, said):
    try:
        found = re.sub(r"\s+", " ", repr(eval(expression, {"torch": torch, "tensor": torch.tensor})))
    except Exception as error:
        found = " ".join(f"{type(error).__name__}: {error}".partition("\n")[0].split())
    assert found == said


IN_PLACE = ("x //= 2", "x %= 2", "x &= 1", "x |= 4", "x ^= 1", "x **= 2", "x -= 1")


@pytest.mark.parametrize("line", IN_PLACE)
def test_augmented_assignment_changes_the_tensor_itself(torch, line):
    x = kept = torch.tensor([7, 4, 1])
    space = {"x": x}
    exec(line, space)
    assert space["x"] is kept and kept._version == 1


def test_a_node_without_a_slope_is_called_by_its_full_name(torch, w):
    assert (w // 2).grad_fn.name() == "torch::autograd::NotImplemented"


SIZES = ((2,), (3, 2), (1, 3, 2), (4, 3, 2), (4, 2, 3), (1, 2, 3), (2, 4, 2, 3), (1, 1, 2, 1))
PRODUCTS = """
.DDD mmmm eses eses .UUU .UUU .UUU .UUU
.MMM mmmm emem emem .CUC .CUC .CUC .TUT
ssss .MMM .CUC .CUC emem emem emem emem
.UUU mmmm eeee emem .CUC .UUU .UUU .UUU
eess .UUU .UUU .CUC emem eeee eeee eeee
.UUU mmmm eemm eeee .UUU .UUU .UUU .UUU
eess .UUU .UUU .UUU eeee eemm eeee eeee
ssss .UUU .UUU .UUU eeee eemm eeee eeee
.UUU eemm eemm eeee .UUU .UUU .UUU .UUU
ssss .UUU .UUU .CUC emem eeee eeee eeee
.UUU eemm eeee emem .CUC .UUU .UUU .UUU
ssss .UUU .UUU .UUU eeee eeee eeee eeee
.UUU eemm eeee eeee .UUU .UUU .UUU .UUU
ssss mmmm eeee eeee eeee eeee eeee eeee
.UUU eemm eeee eeee .UUU .UUU .UUU .UUU
"""


def product(torch, a, b, turned, wants):
    """A letter: the first of the node that made a @ b, or of the error."""
    x, y = (torch.ones(size, requires_grad=want) for size, want in zip((a, b), wants, strict=True))
    try:
        node = ((x.mT if turned else x) @ y).grad_fn
    except RuntimeError as error:
        return str(error)[0].lower()
    return "." if node is None else node.name()[0]


def test_which_products_a_product_of_many_is_made_of(torch):
    """Memory in order, and a gradient wanted, decide whether one product serves a whole stack of matrices."""
    wants = ((False, False), (True, False), (False, True), (True, True))
    rows = [(a, turned) for a in SIZES for turned in (False, True) if len(a) > 1 or not turned]
    found = [" ".join("".join(product(torch, a, b, turned, w) for w in wants) for b in SIZES) for a, turned in rows]
    assert found == PRODUCTS.split("\n")[1:-1]

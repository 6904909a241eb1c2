"""Small programs that `python -m tests.fuzz` ended with: each was different here once."""

import pytest
from saying import says

OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
OUTSIDE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)


def test_a_gradient_asked_for_twice_is_one_tensor(torch, w):
    first, second = torch.autograd.grad((w * w).sum(), [w, w])
    first.add_(1)
    assert first is second or second.tolist() == [3.0, 5.0, 7.0]
    assert second._version == first._version == 1 + (torch.__name__ == "torch")  # PyTorch counts a step of its own


def test_a_freed_index_is_missed_only_by_who_goes_through_it(torch, w):
    y = w[[1, 1, 0]]
    y.sum().backward()
    assert torch.autograd.grad((y * y).sum(), y)[0].tolist() == [4.0, 4.0, 2.0]


@pytest.mark.parametrize(
    "line",
    [
        "x.index_put_((torch.tensor([1, 0, 2]),), x)",
        "x.index_add_(0, torch.tensor([1, 0, 2]), x)",
        "x.scatter_add_(0, torch.tensor([1, 0, 2]), x)",
        "x[torch.tensor([1, 0, 2])] = x",
        "x[None, :] -= x",
    ],
)
def test_what_is_written_may_not_be_itself(torch, line):
    with says(RuntimeError, OVERLAP):
        exec(line, {"torch": torch, "x": torch.ones(3)})


def test_a_tensor_may_be_copied_onto_itself(torch):
    x = torch.ones(3)
    x[None, :] = x
    assert x._version == 1


def test_an_inference_tensor_is_written_before_it_is_refused(torch):
    with torch.inference_mode():
        x = torch.ones(2)
    with says(RuntimeError, OUTSIDE):
        x.mul_(2)
    assert x.tolist() == [2.0, 2.0] and x.data.is_inference()


def test_on_an_inference_tensor_nothing_is_recorded(torch):
    with torch.inference_mode():
        x = torch.ones(2, requires_grad=True)
    assert x.requires_grad and x.is_leaf and not x.exp().requires_grad and not x[0].requires_grad


def test_what_a_function_hands_straight_on_is_a_new_tensor(torch, w):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    with torch.no_grad():
        assert not Same.apply(w).requires_grad
    x = torch.ones(2)
    assert Same.apply(x) is not x


def test_a_dirty_input_is_counted_once_more(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(2)
    assert Doubled.apply(x) is x and x._version == 2


def test_inputs_must_want_a_gradient_and_be_tensors(torch, w):
    with says(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False"):
        w.sum().backward(inputs=[torch.ones(1)])
    with says(RuntimeError, "all inputs have to be Tensors or GradientEdges, but got NoneType"):
        torch.autograd.grad(w.sum(), [None])


def test_the_jacobian_of_nothing_is_refused(torch):
    with says(RuntimeError, "stack expects a non-empty TensorList"):
        torch.autograd.functional.jacobian(lambda x: x * x, torch.ones(0))

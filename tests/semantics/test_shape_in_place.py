"""Another shape in place: `x.t_()`, `x.unsqueeze_(0)`. The memory stays where it is, and views keep their own shape."""

import pytest
from saying import says

NUMBERS = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
CHANGES = {  # method, arguments, the same not in place, name of the node
    "t_": ((), lambda x: x.t(), "TBackward1"),
    "transpose_": ((0, -1), lambda x: x.transpose(0, 1), "TransposeBackward1"),
    "swapaxes_": ((0, 1), lambda x: x.transpose(0, 1), "TransposeBackward1"),
    "swapdims_": ((1, 0), lambda x: x.transpose(0, 1), "TransposeBackward1"),
    "unsqueeze_": ((1,), lambda x: x.unsqueeze(1), "UnsqueezeBackward1"),
    "squeeze_": ((), lambda x: x.squeeze(), "SqueezeBackward3"),
}


@pytest.fixture(params=CHANGES)
def change(request):
    arguments, same, node = CHANGES[request.param]
    return lambda x: getattr(x, request.param)(*arguments), same, node


@pytest.fixture
def m(torch):
    return torch.tensor(NUMBERS, requires_grad=True)


def test_the_tensor_itself_has_another_shape_and_counts_a_change(torch, change):
    do, same, _ = change
    x = torch.tensor(NUMBERS)
    place = x.data_ptr()
    expected = same(x)
    assert do(x) is x and x.shape == expected.shape and torch.equal(x, expected)
    assert x._version == 1 and x.data_ptr() == place and not x._is_view() and x.stride() == expected.stride()


def test_gradients_find_their_way_back(torch, m, change):
    do, same, node = change
    y = m * 2
    do(y)
    assert y.grad_fn.name() == node and y.grad_fn.next_functions[0][0].name() == "MulBackward0"
    weights = torch.arange(6.0).reshape(y.shape)
    (y * y * weights).sum().backward()
    (expected,) = torch.autograd.grad((same(m * 2) ** 2 * weights).sum(), m)
    assert torch.equal(m.grad, expected)


def test_a_leaf_may_not_unless_nobody_records(torch, m, change):
    do, same, _ = change
    with says(RuntimeError, "a leaf Variable that requires grad is being used in an in-place operation."):
        do(m)
    with says(RuntimeError, "a view of a leaf Variable that requires grad is being used in an in-place operation."):
        do(m[:])
    size = same(torch.zeros(2, 3)).shape
    m = torch.tensor(NUMBERS, requires_grad=True)
    with torch.no_grad():
        do(m)
    assert m.is_leaf and m.shape == size
    m.sum().backward()
    assert m.grad.shape == size


def test_views_taken_before_still_look_at_their_numbers(torch, m, change):
    do, same, _ = change
    y = m * 2
    row = y[0]
    do(y)
    assert row.tolist() == [2, 4, 6] and row.grad_fn.name() == "AsStridedBackward0"
    y.mul_(torch.arange(6.0).reshape(y.shape))
    factors = torch.zeros(2, 3)
    same(factors).copy_(torch.arange(6.0).reshape(y.shape))
    assert torch.equal(row, factors[0] * torch.tensor([2.0, 4.0, 6.0]))
    row.sum().backward()
    assert torch.equal(m.grad, torch.stack([factors[0] * 2, torch.zeros(3)]))


def test_what_is_written_through_such_a_view_reaches_it(torch, m, change):
    do, same, _ = change
    y = m * 2
    row = y[0]
    do(y)
    row.mul_(3)
    assert "CopySlices" in y.grad_fn.name()
    weights = torch.arange(1.0, 7.0).reshape(y.shape)
    (y * weights).sum().backward()
    expected = m * 2 * torch.tensor([[3.0], [1.0]])
    assert torch.equal(y, same(expected))
    assert torch.equal(m.grad, torch.autograd.grad((same(expected) * weights).sum(), m)[0])


def test_a_view_may_change_its_shape_and_its_base_keeps_its_own(torch, m, change):
    do, same, node = change
    y = m * 2
    view = y[:]
    do(view)
    assert y.shape == (2, 3) and y.grad_fn.name() == "MulBackward0" and view._base is y
    assert view.grad_fn.name() == node and torch.equal(view, same(y))
    view.mul_(3)
    assert view.grad_fn.name() == "AsStridedBackward0" and torch.equal(view, same(y))
    weights = torch.arange(6.0).reshape(2, 3)
    (y * weights).sum().backward()
    assert torch.equal(m.grad, weights * 6)


def test_what_was_saved_before_cannot_be_used(torch, m, change):
    y = m * 2
    z = y * y
    change[0](y)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        z.sum().backward()


def test_squeeze_may_name_its_axes(torch):
    w = torch.ones(1, 2, 1, requires_grad=True)
    for dim, size, node in (
        (0, (2, 1), "SqueezeBackward4"),
        (1, (1, 2, 1), "SqueezeBackward4"),
        ((0, 2), (2,), "SqueezeBackward5"),
        (None, (2,), None),
    ):
        y = (w * 1).squeeze_(dim) if dim is not None else (w * 1).squeeze_()
        assert y.shape == size and (node is None or y.grad_fn.name() == node)


def test_axes_that_are_not_there(torch):
    with says(IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"):
        torch.zeros(2).transpose_(0, 1)
    with says(IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 5)"):
        torch.zeros(2).unsqueeze_(5)
    with says(RuntimeError, "t_() expects a tensor with <= 2 dimensions, but self is 3D"):
        torch.zeros(2, 2, 2).t_()

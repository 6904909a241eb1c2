"""In-place operators, views and versions: what may be changed, what is counted, and what backward makes of it."""

import pytest
from saying import says

LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."
HINT = (
    " Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)


def modified(tensor, origin=None, now=1, then=0):
    """PyTorch's text for a saved tensor that was changed."""
    origin = f", which is output {origin}," if origin else ""
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor}]{origin} is at version {now}; expected version {then} instead.{HINT}"
    )


# Leaves


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.add_(1),
        lambda w: w.mul_(2),
        lambda w: w.zero_(),
        lambda w: w.fill_(1),
        lambda w: w.copy_(w),
        lambda w: w.clamp_(min=0),
        lambda w: w.__iadd__(1),
        lambda w: w.__isub__(1),
        lambda w: w.__imul__(2),
        lambda w: w.__itruediv__(2),
        lambda w: w.__setitem__(slice(None), 1),
        lambda w: w.__setitem__(w > 1, 1),
        lambda w: w.__setitem__([0, 2], 1),
    ],
)
def test_a_leaf_that_requires_grad_cannot_be_changed(torch, w, change):
    with says(RuntimeError, LEAF):
        change(w)
    assert w.tolist() == [1, 2, 3] and w._version == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.__setitem__(0, 1),
        lambda w: w.__setitem__(slice(1, None), 1),
        lambda w: w[0].add_(1),
        lambda w: w.view(3, 1).mul_(2),
        lambda w: w[1:].zero_(),
        lambda w: w.expand(1, 3).zero_(),
    ],
)
def test_nor_can_a_view_of_it(torch, w, change):
    with says(RuntimeError, VIEW_OF_LEAF):
        change(w)
    assert w.tolist() == [1, 2, 3] and w._version == 0


def test_under_no_grad_it_can_and_counts(torch, w):
    with torch.no_grad():
        w -= 0.5
        w[0] = 7
    assert w.tolist() == [7, 1.5, 2.5] and w.is_leaf and w.requires_grad and w._version == 2


def test_a_leaf_that_needs_no_gradient_can_join_a_graph_in_place(torch, w):
    x = torch.ones(3)
    x.mul_(w)
    assert x.requires_grad and x.grad_fn.name() == "MulBackward0"
    x.sum().backward()
    assert w.grad.tolist() == [1, 1, 1]


# Versions


def test_every_in_place_operator_counts_a_version(torch):
    x = torch.ones(3)
    x.add_(1).mul_(2)
    x[0] = 5
    x += 1
    assert x._version == 4


def test_views_and_detach_share_the_version_and_data_does_not(torch):
    x = torch.ones(3)
    view, detached, data = x[1:], x.detach(), x.data
    view.add_(1)
    detached.add_(1)
    assert (x._version, view._version, detached._version, data._version) == (2, 2, 2, 0)
    data.add_(1)
    assert (x._version, data._version) == (2, 1)
    assert x.tolist() == [3, 4, 4]


def test_numpys_own_writes_are_not_counted(torch):
    x = torch.ones(3)
    x.numpy()[0] = 5
    assert x.tolist() == [5, 1, 1] and x._version == 0


def test_a_changed_result_that_was_saved_is_an_error(torch, w):
    y = w.exp()
    y.add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Exp")):
        y.sum().backward()


def test_a_changed_input_that_was_saved_is_an_error(torch, w):
    x = w * 1
    y = x * x
    x.add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Add")):
        y.sum().backward()


@pytest.mark.parametrize("changes", [1, 2, 5])
def test_the_error_tells_how_often_it_changed(torch, w, changes):
    y = w.sigmoid()
    for _ in range(changes):
        y.detach().mul_(2)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Sigmoid", now=changes)):
        y.sum().backward()


def test_the_error_tells_the_version_that_was_saved(torch, w):
    x = w * 1
    x.add_(1)
    y = x * x
    x.add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Add", now=2, then=1)):
        y.sum().backward()


def test_a_leafs_name_has_no_operator(torch, w):
    y = w * w
    w.detach().add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]")):
        y.sum().backward()


@pytest.mark.parametrize(
    "dtype, shape, name",
    [
        ("float64", (2, 3), "torch.DoubleTensor [2, 3]"),
        ("float32", (), "torch.FloatTensor []"),
        ("float16", (1,), "torch.HalfTensor [1]"),
    ],
)
def test_the_error_names_dtype_and_shape(torch, dtype, shape, name):
    x = torch.ones(shape, dtype=getattr(torch, dtype), requires_grad=True)
    y = (x * x).sum()
    with torch.no_grad():
        x.add_(1)
    with says(RuntimeError, modified(name)):
        y.backward()


def test_the_error_names_which_output_it_was(torch, w):
    values, order = (w * 1).sort()
    y = values.sum()
    order.add_(1)
    with says(RuntimeError, modified("torch.LongTensor [3]")):  # what requires no grad has no operator to name
        y.backward()
    values = (w * 1).max(0).values
    y = values * values
    values.add_(1)
    with says(RuntimeError, modified("torch.FloatTensor []", "0 of Add")):
        y.backward()


def test_a_change_through_a_view_is_an_error_too(torch, w):
    x = w * 1
    y = x * x
    x[0] = 0
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of torch::autograd::CopySlices")):
        y.sum().backward()


def test_saved_values_check_the_version_when_read(torch, w):
    y = w * w
    w.detach().add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]")):
        y.grad_fn._saved_self  # noqa: B018


def test_a_change_to_what_was_not_saved_does_no_harm(torch, w):
    y = w * 3
    z = y + 1
    y.add_(100)
    z.sum().backward()
    assert w.grad.tolist() == [3, 3, 3]


def test_an_optimizer_step_does_no_harm_where_only_constants_were_saved(torch):
    weight = torch.ones(3, 2, requires_grad=True)
    loss = torch.ones(4, 3).mm(weight).sum()
    optimizer = torch.optim.SGD([weight], lr=0.1)
    loss.backward(retain_graph=True)
    optimizer.step()
    loss.backward()
    assert weight.grad.tolist() == [[8, 8]] * 3


def test_an_optimizer_step_between_two_backwards_is_an_error_where_the_weight_was_saved(torch):
    weight = torch.ones(2, requires_grad=True)
    loss = (weight * weight).sum()
    optimizer = torch.optim.SGD([weight], lr=0.1)
    loss.backward(retain_graph=True)
    optimizer.step()
    with says(RuntimeError, modified("torch.FloatTensor [2]")):
        loss.backward()


def test_data_escapes_the_check_and_gives_a_wrong_slope(torch):
    w = torch.tensor(2.0, requires_grad=True)
    y = w * w
    w.data.add_(1)
    y.backward()
    assert w.grad.item() == 6  # the true slope is 4


# detach


def test_detach_shares_memory_and_leaves_the_graph(torch, w):
    y = w * 2
    x = y.detach()
    assert x.is_leaf and x.grad_fn is None and not x.requires_grad and not x.retains_grad
    x[0] = 9
    assert y[0].item() == 9 and x.data_ptr() == y.data_ptr()


def test_detach_in_place_makes_a_leaf(torch, w):
    y = w * 2
    assert y.detach_() is y and y.is_leaf and not y.requires_grad


def test_detach_in_place_of_a_view_is_refused(torch, w):
    text = (
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
        "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
        "detach_() cannot be called on these gradients. To fix this error, please refer to the "
        "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
    )
    with says(RuntimeError, text):
        (w * 2).view(3).detach_()


def test_the_storage_of_data_can_be_swapped(torch, w):
    w.data = torch.tensor([7.0, 8.0])
    assert w.tolist() == [7, 8] and w.requires_grad and w.is_leaf


# Views


VIEWS = {
    "select": lambda x: x[1],
    "slice": lambda x: x[:, 1:],
    "step": lambda x: x[:, ::2],
    "ellipsis": lambda x: x[..., 0],
    "none": lambda x: x[None],
    "view": lambda x: x.view(3, 2),
    "view_as": lambda x: x.view_as(x),
    "reshape": lambda x: x.reshape(6),
    "flatten": lambda x: x.flatten(),
    "t": lambda x: x.t(),
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "movedim": lambda x: x.movedim(0, 1),
    "squeeze": lambda x: x.squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand": lambda x: x.expand(4, 2, 3),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "split": lambda x: x.split(1)[1],
    "chunk": lambda x: x.chunk(2, 1)[0],
    "unbind": lambda x: x.unbind()[0],
    "diagonal": lambda x: x.diagonal(),
    "detach": lambda x: x.detach(),
    "iteration": lambda x: list(x)[1],
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shares_memory_and_version(torch, name):
    x = torch.zeros(2, 3)
    view = VIEWS[name](x)
    x.fill_(5)
    assert set(view.reshape(-1).tolist()) == {5} and view._version == 1


@pytest.mark.parametrize("name", VIEWS)
def test_a_views_base_is_what_it_was_taken_of(torch, name):
    x = torch.zeros(2, 3)
    view = VIEWS[name](x)
    assert view._is_view() == (name != "detach")
    if name != "detach":
        assert view._base is x and VIEWS["none"](view)._base is x


COPIES = {
    "clone": lambda x: x.clone(),
    "list": lambda x: x[[0, 1]],
    "mask": lambda x: x[x == 0],
    "cat": lambda x: x.new_ones(2).add(x[:, 0]),
    "reshape": lambda x: x.t().reshape(6),
    "flatten": lambda x: x.t().flatten(),
    "repeat": lambda x: x.repeat(1, 1),
    "flip": lambda x: x.flip(0),
    "contiguous": lambda x: x.t().contiguous(),
    "add": lambda x: x + 0,
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_shares_neither(torch, name):
    x = torch.zeros(2, 3)
    copy = COPIES[name](x)
    before = copy.tolist()
    x.fill_(5)
    assert copy.tolist() == before and copy._version == 0


def test_a_view_of_a_leaf_is_no_leaf(torch, w):
    assert not w[0].is_leaf and not w.view(3).is_leaf


# In place on what has a history


def test_in_place_on_a_result_moves_its_grad_fn(torch, w):
    y = w * 2
    before = y.grad_fn
    y.mul_(3)
    assert y.grad_fn.name() == "MulBackward0" and y.grad_fn.next_functions[0][0] is before
    y.sum().backward()
    assert w.grad.tolist() == [6, 6, 6]


def test_in_place_returns_the_tensor_itself(torch):
    x = torch.ones(2)
    y = x
    y += 1
    assert y is x and x.add_(1) is x and x.tolist() == [3, 3]


def test_in_place_on_a_view_rebases_the_base(torch, w):
    y = w * 2
    before = y.grad_fn
    y[0].mul_(5)
    assert type(y.grad_fn).__name__ == "CopySlices" and y.grad_fn.next_functions == ((before, 0), (None, 0))
    y.sum().backward()
    assert w.grad.tolist() == [10, 2, 2]


def test_a_view_follows_a_change_of_its_base(torch, w):
    y = w * 2
    view = y[1]
    y.mul_(5)
    assert view.item() == 20
    view.backward()
    assert w.grad.tolist() == [0, 10, 0]


def test_a_view_follows_a_change_through_another_view(torch, w):
    y = w * 2
    view, other = y[1:], y[:2]
    other.mul_(5)
    view.sum().backward()
    assert w.grad.tolist() == [0, 10, 2]


def test_the_view_that_was_changed_has_the_bases_history(torch, w):
    y = w * 2
    view = y[0]
    view.mul_(3)
    assert view.grad_fn.next_functions[0][0] is y.grad_fn
    view.backward()
    assert w.grad.tolist() == [6, 0, 0]


def test_in_place_on_a_view_of_a_constant_brings_the_base_into_the_graph(torch, w):
    x = torch.zeros(2, 3)
    x[1].add_(w)
    assert x.requires_grad and type(x.grad_fn).__name__ == "CopySlices"
    (x * torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()
    assert w.grad.tolist() == [4, 5, 6]


@pytest.mark.parametrize("how", ["unbind", "iteration", "split", "chunk"])
def test_one_of_several_views_cannot_be_changed(torch, w, how):
    y = w * 1
    views = {"unbind": y.unbind, "iteration": lambda: list(y), "split": lambda: y.split(1), "chunk": lambda: y.chunk(3)}
    origin = "Unbind" if how in ("unbind", "iteration") else "Split"
    text = (
        f"Output 1 of {origin} is a view and is being modified inplace. This view is the output of a function that "
        "returns multiple views. Such functions do not allow the output views to be modified inplace. You "
        "should replace the inplace operation by an out-of-place one."
    )
    view = views[how]()[1]
    with says(RuntimeError, text):
        view.add_(1)


def test_when_the_base_of_several_views_changes_none_of_them_can_be_used(torch, w):
    y = w * 1
    view = y.unbind()[1]
    y.mul_(2)
    text = (
        "Output 1 of Unbind is a view and its base or another view of its base has been modified inplace. This view is "
        "the output of a function that returns multiple views. Such functions do not allow the output views to be "
        "modified inplace. You should replace the inplace operation by an out-of-place one."
    )
    with says(RuntimeError, text):
        view * 1


def test_set_item_is_differentiable_in_both(torch, w):
    x = torch.ones(3, requires_grad=True)
    y = x * 1
    y[1] = w[2]
    (y * torch.tensor([5.0, 6.0, 7.0])).sum().backward()
    assert x.grad.tolist() == [5, 0, 7] and w.grad.tolist() == [0, 0, 6]


@pytest.mark.parametrize(
    "key, expected",
    [
        (0, [0, 1, 1]),
        (slice(1, None), [1, 0, 0]),
        (slice(None, None, 2), [0, 1, 0]),
        ([0, 2], [0, 1, 0]),
        (..., [0, 0, 0]),
    ],
)
def test_what_a_set_item_overwrote_gets_no_gradient(torch, w, key, expected):
    y = w * 1
    y[key] = 9
    y.sum().backward()
    assert w.grad.tolist() == expected


def test_masking_a_gradient_as_the_custom_relu_does(torch):
    grad = torch.tensor([1.0, 2.0, 3.0])
    grad[torch.tensor([-1.0, 0.0, 1.0]) < 0] = 0
    assert grad.tolist() == [0, 2, 3] and grad._version == 1


def test_a_set_item_sums_the_gradient_of_a_broadcast_value(torch):
    value = torch.tensor(2.0, requires_grad=True)
    x = torch.zeros(2, 3)
    x[:, 1:] = value
    x.sum().backward()
    assert value.grad.item() == 4


def test_set_item_casts_to_the_tensors_dtype(torch):
    x = torch.zeros(3, dtype=torch.int64)
    x[0] = 2.7
    x[1] = torch.tensor(-3.9)
    assert x.tolist() == [2, -3, 0] and x.dtype == torch.int64


# What does not fit


@pytest.mark.parametrize(
    "text, change",
    [
        ("result type Float can't be cast to the desired output type Long", lambda x: x.long().add_(2.7)),
        ("result type Float can't be cast to the desired output type Long", lambda x: x.long().add_(x)),
        ("result type Float can't be cast to the desired output type Long", lambda x: x.long().div_(2)),
        ("result type Float can't be cast to the desired output type Long", lambda x: x.long().sigmoid_()),
        ("result type Long can't be cast to the desired output type Bool", lambda x: x.bool().add_(1)),
        ("output with shape [3] doesn't match the broadcast shape [2, 3]", lambda x: x.add_(x.expand(2, 3))),
        ("output with shape [1] doesn't match the broadcast shape [3]", lambda x: x[:1].mul_(x + 1)),
        (
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
            lambda x: x.add_(x[:2] + 1),
        ),
        (
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation.",
            lambda x: x[:1].expand(3).add_(1),
        ),
        (
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0",
            lambda x: x.copy_(x[:2] + 1),
        ),
        (
            "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  "
            "Target sizes: [3].  Tensor sizes: [2]",
            lambda x: x.__setitem__(slice(None), x[:2] + 1),
        ),
        (
            "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of shape [3]",
            lambda x: x.__setitem__(x >= 0, x[:2] + 1),
        ),
    ],
)
def test_an_in_place_operator_changes_neither_shape_nor_dtype(torch, text, change):
    x = torch.zeros(3)
    with says(RuntimeError, text):
        change(x)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x[1:].add_(x[:2]),
        lambda x: x[1:].copy_(x[:2]),
        lambda x: x.__setitem__(slice(1, None), x[:2]),
    ],
)
def test_reading_where_one_writes_is_refused_when_the_places_differ(torch, change):
    text = (
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation."
    )
    with says(RuntimeError, text):
        change(torch.ones(3))


def test_reading_exactly_where_one_writes_is_fine(torch):
    x = torch.ones(3)
    x[1:].add_(x[1:])
    assert x.tolist() == [1, 2, 2]


def test_a_string_cannot_be_set(torch):
    with says(TypeError, "can't assign a str to a torch.FloatTensor"):
        torch.zeros(2)[0] = "a"


def test_a_failed_change_leaves_the_tensor_as_it_was(torch):
    x = torch.zeros(3)
    with says(RuntimeError):
        x.add_(torch.ones(2))
    assert x.tolist() == [0, 0, 0] and x._version == 0


def test_in_place_may_widen_nothing_but_reads_any_dtype(torch):
    x = torch.zeros(2)
    x.add_(torch.tensor([1, 2])).add_(torch.tensor([0.5, 0.5], dtype=torch.float64))
    assert x.dtype == torch.float32 and x.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    "name, arguments, expected",
    [
        ("add_", (1,), [5, -8]),
        ("sub_", (1,), [3, -10]),
        ("mul_", (2,), [8, -18]),
        ("div_", (2,), [2, -4.5]),
        ("neg_", (), [-4, 9]),
        ("abs_", (), [4, 9]),
        ("pow_", (2,), [16, 81]),
        ("square_", (), [16, 81]),
        ("relu_", (), [4, 0]),
        ("zero_", (), [0, 0]),
        ("fill_", (7,), [7, 7]),
        ("clamp_", (-1, 1), [1, -1]),
        ("sign_", (), [1, -1]),
        ("floor_divide_", (2,), [2, -5]),
    ],
)
def test_underscored_operators_change_their_tensor(torch, name, arguments, expected):
    x = torch.tensor([4.0, -9.0])
    assert getattr(x, name)(*arguments) is x and x.tolist() == expected

"""In-place operators and versions: what may be changed, what is counted, and when backward refuses."""

import operator

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


def test_what_needs_no_gradient_can_be_changed_through_any_view(torch):
    x = torch.zeros(2, 2)
    with torch.no_grad():
        view = x[1:]
    view.add_(1)
    x.unbind()[0].add_(2)
    assert x.tolist() == [[2, 2], [1, 1]]


def test_what_is_made_in_inference_mode_can_be_changed_there(torch):
    with torch.inference_mode():
        assert torch.ones(2).add_(1).tolist() == [2, 2]


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


def test_a_node_with_another_number_keeps_it_in_the_error(torch, w):
    copied = w.clone().copy_(w)
    for y, name in ((w.clone().fill_(2), "Fill2"), (3 - w, "Rsub1"), (copied, "torch::autograd::CopyBackwards")):
        z = y * y
        version = y._version
        y.detach().mul_(2)
        with says(RuntimeError, modified("torch.FloatTensor [3]", f"0 of {name}", now=version + 1, then=version)):
            z.sum().backward()


def test_so_is_a_result_that_was_made_in_place_and_then_changed(torch, w):
    x = w * 1
    x.exp_()
    x.add_(1)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Exp", now=2, then=1)):
        x.sum().backward()


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


# Found by random programs (tests/test_random_programs.py)


def test_filling_with_a_tensor_sends_it_the_gradient(torch, w):
    value = torch.tensor(2.0, requires_grad=True)
    x = (w * 3).fill_(value)
    assert x.grad_fn.name() == "FillBackward3" and (w * 3).fill_(2).grad_fn.name() == "FillBackward2"
    x.sum().backward()
    assert value.grad.item() == 3 and w.grad.tolist() == [0, 0, 0]
    with says(RuntimeError, "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions."):
        x.fill_(torch.ones(1))


def test_the_old_value_is_kept_for_the_first_operand_alone(torch, w):
    x = w * 1
    x.mul_(x)
    with says(RuntimeError, modified("torch.FloatTensor [3]", "0 of Mul")):
        x.sum().backward()


def test_a_change_through_a_view_can_go_backward_but_once(torch, w):
    x = w * 1
    x[0] = 5
    x.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        x.sum().backward()


def test_so_it_is_where_nothing_was_saved(torch, w):
    x = w.clone()
    x[0].add_(1)
    x.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        x.sum().backward()


def test_second_derivatives_go_through_changes_in_place(torch, w):
    changed = w * w
    changed.sin_()
    changed[0] = w[1] * w[2]
    made = torch.stack([w[1] * w[2], *(w * w).sin()[1:]])
    derivatives = []
    for y in (changed, made):
        (once,) = torch.autograd.grad(y.square().sum(), w, create_graph=True)
        derivatives.append([once, *torch.autograd.grad(once.square().sum(), w)])
    assert all(in_place.allclose(new) for in_place, new in zip(*derivatives, strict=True))


@pytest.mark.parametrize("mask, expected", [(True, [2, 2, 2]), (False, [1, 2, 3])])
def test_a_single_bool_as_index_is_a_new_axis(torch, w, mask, expected):
    for index in (mask, torch.tensor(mask)):
        x = w.clone()
        x[index] = 2
        assert x.tolist() == expected
        assert not mask or x.grad_fn.name() == "torch::autograd::CopySlices"
        assert w[index].shape == (int(mask), 3) and w[index].grad_fn.next_functions[0][0].name() == "UnsqueezeBackward0"
    if mask:
        with says(RuntimeError, VIEW_OF_LEAF):
            w[mask] = 2


def test_overlap_is_refused_before_shapes_are_looked_at(torch):
    x = torch.ones(3)
    overlap = "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
    with says(RuntimeError, overlap + "memory location. Please clone() the tensor before performing the operation."):
        x.copy_(x.unsqueeze(0))


@pytest.mark.parametrize(
    "target, source, expected",
    [
        (slice(3, 6), slice(0, 3), [0, 1, 2, 3, 5, 7]),
        (slice(0, 3), slice(3, 6), [3, 5, 7, 3, 4, 5]),
        (slice(0, 3), slice(0, 6, 2), [0, 3, 6, 3, 4, 5]),  # memory with gaps is not looked at
        (slice(1, 6, 3), slice(2, 4), [0, 3, 2, 3, 7, 5]),
    ],
)
def test_parts_of_one_memory_beside_each_other_are_no_overlap(torch, target, source, expected):
    x = torch.arange(6.0)
    x[target].add_(x[source])
    assert x.tolist() == expected


def test_numbers_that_are_one_in_memory_cannot_be_written_to(torch):
    text = "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    with says(RuntimeError, text + "Please clone() the tensor before performing the operation."):
        torch.zeros(1).expand(3).add_(torch.ones(3))


def test_an_index_must_not_change_before_backward(torch, w):
    i = torch.tensor([0, 0])
    y = w[i]
    i.add_(1)
    with says(RuntimeError, modified("torch.LongTensor [2]")):
        y.sum().backward()


def test_an_index_is_freed_by_backward(torch, w):
    for index in (torch.tensor([0, 0]), [0, 1]):
        y = w[index].sum()
        y.backward()
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            y.backward()


def test_an_index_written_to_must_not_change_before_backward_and_is_freed_by_it(torch, w):
    ways = {
        "set": lambda x, i: x.__setitem__(i, w[:2]),
        "put": lambda x, i: x.index_put_((i,), w[:2]),
        "set a number": lambda x, i: x.add_(w).__setitem__(i, 5),
        "of a view": lambda x, i: x.add_(w)[:2].__setitem__(i, 5),
    }
    for change in ways.values():
        x, i = torch.zeros(3), torch.tensor([0, 1])
        change(x, i)
        i.add_(1)
        with says(RuntimeError, modified("torch.LongTensor [2]")):
            x.sum().backward()


@pytest.mark.parametrize("index", [[0, 2], (0,), ([0, 2],), slice(0, 2)])
def test_what_was_written_at_places_goes_backward_once_or_as_often_as_is_asked(torch, w, index):
    x = torch.zeros(3)
    x[index] = w[0]
    total = x.sum()
    total.backward(retain_graph=True)
    once = w.grad.tolist()
    total.backward()
    assert w.grad.tolist() == [2 * g for g in once] and once[0] == total.item()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        total.backward()


@pytest.mark.parametrize("other", ["a", [1.0, 2.0], None])
def test_what_is_no_number_and_no_tensor_is_refused(torch, other):
    kind = type(other).__name__
    for name in ("add_", "sub_", "mul_", "div_"):
        with says(TypeError, f"{name}(): argument 'other' (position 1) must be Tensor, not {kind}"):
            getattr(torch.ones(2), name)(other)
    for symbol, change in {"+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "**=": operator.ipow}.items():
        with says(TypeError, f"unsupported operand type(s) for {symbol}: 'Tensor' and '{kind}'"):
            change(torch.ones(2), other)


LABELLED = {
    "cross_entropy": lambda F, x, places: F.cross_entropy(x, places),
    "with a class that is ignored": lambda F, x, places: F.cross_entropy(x, places, ignore_index=1),
    "with weights": lambda F, x, places: F.cross_entropy(x, places, weight=x[0].detach().exp()),
    "nll_loss, of images": lambda F, x, places: F.nll_loss(x[..., None, None], places[..., None, None]),
    "nll_loss, not reduced": lambda F, x, places: F.nll_loss(x, places, reduction="none").sum(),
    "embedding": lambda F, x, places: F.embedding(places, x).sum(),
    "gather": lambda F, x, places: x.gather(1, places[:, None]).sum(),
    "index_select": lambda F, x, places: x.index_select(0, places).sum(),
    "masked_fill": lambda F, x, places: x.masked_fill(places[:, None], 0).sum(),
}


@pytest.mark.parametrize("name", LABELLED)
def test_labels_and_places_are_saved_themselves(torch, name):
    """And no copy of them, which would not tell that they were changed before backward."""
    places = torch.tensor([0, 1, 2])
    kind = "torch.LongTensor [3]"
    if name == "masked_fill":
        places, kind = places == 1, "CPUBoolType [3, 1]"
    if name == "gather":
        kind = "torch.LongTensor [3, 1]"
    if "images" in name:
        kind = "torch.LongTensor [3, 1, 1]"
    x = torch.arange(9.0).view(3, 3).log1p().requires_grad_()
    loss = LABELLED[name](torch.nn.functional, x, places)
    places.fill_(0)
    with says(RuntimeError, modified(kind)):
        loss.backward()

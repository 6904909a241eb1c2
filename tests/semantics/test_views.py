"""Views: one memory and one version with their base, and in-place operators on what has a history."""

import numpy as np
import pytest
from saying import says, warns

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


def test_a_view_of_what_was_spread_out_follows_a_change_of_its_base(torch, w):
    y = w * 2
    view = y.view(3, 1).expand(3, 2)[0]
    y.mul_(3)
    view.sum().backward()
    assert view.tolist() == [6, 6] and w.grad.tolist() == [12, 0, 0]


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


@pytest.mark.parametrize(
    "value, kind",
    [
        ("a", "str"),
        ([1, 2], "list"),
        ((1.0,), "tuple"),
        (None, "NoneType"),
        (np.ones(1), "numpy.ndarray"),
        (np.float32(1), "numpy.float32"),
    ],
)
def test_only_numbers_and_tensors_can_be_set(torch, value, kind):
    for key in (0, slice(None), [0], torch.tensor([True, False])):
        with says(TypeError, f"can't assign a {kind} to a torch.FloatTensor"):
            torch.zeros(2)[key] = value


def test_pythons_and_numpys_own_numbers_can_be_set(torch):
    x = torch.zeros(4, dtype=torch.int64)
    for i, value in enumerate((True, 2.7, np.int64(3), np.float64(4.5))):
        x[i] = value
    assert x.tolist() == [1, 2, 3, 4]


def test_a_set_item_at_places_wants_the_same_dtype_unless_it_is_one_number_for_a_mask(torch):
    x = torch.zeros(2, dtype=torch.int64)
    text = "Index put requires the source and destination dtypes match, got Long for the destination and Float for the "
    half, mask = torch.tensor(5.5), torch.tensor([True, False])
    for change in (
        lambda: x.__setitem__([0], half),
        lambda: x.__setitem__(mask | ~mask, torch.ones(2)),
        lambda: x.index_put_((torch.tensor([0]),), half),
        lambda: x.index_put_((mask,), half, accumulate=True),
    ):
        with says(RuntimeError, text + "source."):
            change()
    x[mask] = half
    assert x.tolist() == [5, 0]
    x[~mask] = half.view(1)
    assert x.tolist() == [5, 5]


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


@pytest.mark.parametrize("view", ["reshape", "slice", "transposed weight"])
def test_a_view_of_what_has_changed_is_a_new_view(torch, view):
    w = torch.ones(2, 2, requires_grad=True)
    z = {"reshape": lambda: (w * 2).view(4), "slice": lambda: (w * 2)[1:], "transposed weight": lambda: w.t()}[view]()
    y = z * z
    with torch.no_grad():
        z.add_(1)
    with says(RuntimeError) as caught:
        y.sum().backward()
    assert ", which is output 0 of AsStrided, is at version 1; expected version 0 instead." in str(caught.value)


# What `expand` has spread out: several elements in one place of memory


SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.add_(1),
        lambda x: x.add_(x),
        lambda x: x.copy_(x + 1),
        lambda x: x.fill_(x[0, 0] + 5),
        lambda x: x.__setitem__(slice(None), 5),
        lambda x: x.__setitem__(0, 5),
        lambda x: x.exp_(),
    ],
)
def test_it_cannot_be_overwritten_element_by_element(torch, change):
    x = torch.zeros(3, 1)
    with says(RuntimeError, SPREAD_OUT):
        change(x.expand(3, 4))
    assert x.tolist() == [[0], [0], [0]] and x._version == 0


@pytest.mark.parametrize(
    "change, expected",
    [
        (lambda x: x.fill_(5), [5, 5, 5]),
        (lambda x: x.add_(1) if x.shape[1] == 1 else x.zero_(), [0, 0, 0]),
        (lambda x: x.copy_(x), [1, 2, 3]),
        (lambda x: x.__setitem__((0, 0), 5), [5, 2, 3]),
        (lambda x: x.__setitem__((slice(1, None), 0), 5), [1, 5, 5]),
        (lambda x: x[:, 1:2].mul_(2), [2, 4, 6]),
    ],
)
def test_but_it_can_be_filled_and_each_place_set_once(torch, change, expected):
    x = torch.tensor([[1.0], [2.0], [3.0]])
    with warns():
        change(x.expand(3, 4))
    assert x.flatten().tolist() == expected and x._version == 1


def test_bytes_as_an_index_are_a_mask(torch, w):
    yes = torch.tensor([1, 0, 1], dtype=torch.uint8)
    text = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
    with warns(text):
        assert w[yes].tolist() == [1, 3]
    with warns(text):
        assert w[yes.numpy()].tolist() == [1, 3]
    x = torch.zeros(3)
    with warns(text):
        x[yes] = torch.tensor([4.0, 5.0])
    assert x.tolist() == [4, 0, 5]
    with warns(text):
        x.index_put_((1 - yes,), torch.ones(1), accumulate=True)
    assert x.tolist() == [4, 1, 5]
    with warns():
        assert w[yes[0]].shape == (1, 3) and w[yes[1]].shape == (0, 3)


@pytest.mark.parametrize("key", ["list", "mask", "fill", "put"])
def test_masks_and_lists_of_places_are_written_to_it_with_a_warning(torch, key):
    x = torch.tensor([[1.0, 2.0, 3.0]])
    spread, mask = x.expand(2, 3), torch.tensor([[True, False, False], [False, True, False]])
    change, method, example, expected = {
        "list": (lambda: spread.__setitem__([0], 5), "index_put_", "[indices] = tensor", [5, 5, 5]),
        "put": (
            lambda: spread.index_put_((torch.tensor([0]), torch.tensor([1])), torch.tensor(5.0)),
            *("index_put_", "[indices] = tensor", [1, 5, 3]),
        ),
        "mask": (
            lambda: spread.__setitem__(mask, torch.tensor([5.0, 6.0])),
            *("index_put_", "[indices] = tensor", [5, 6, 3]),
        ),
        "fill": (lambda: spread.masked_fill_(mask, 5), "masked_fill_", "[mask] = scalar", [5, 5, 3]),
    }[key]
    text = (
        f"Use of {method} on expanded tensors is deprecated. Please clone() the tensor before performing this "
        f"operation. This also applies to advanced indexing e.g. tensor{example}"
    )
    with warns(text):
        change()
    assert x[0].tolist() == expected and x._version == 1


def test_an_axis_of_length_one_and_an_empty_tensor_are_not_spread_out(torch):
    x = torch.zeros(3, 1)
    x.expand(3, 1).add_(1)
    x.expand(1, 3, 1)[0].mul_(2)
    assert x.tolist() == [[2], [2], [2]]
    torch.zeros(1).expand(0).add_(1)


def test_a_filled_one_has_no_way_back_to_its_base(torch, w):
    y = w.view(3, 1) * 2
    y.expand(3, 4).fill_(5)
    assert y.tolist() == [[5], [5], [5]] and y.grad_fn.name() == "torch::autograd::CopySlices"
    with says(RuntimeError, SPREAD_OUT):
        y.sum().backward()


def test_but_one_place_of_it_has(torch, w):
    y = w.view(3, 1) * 2
    x = y.expand(3, 4)
    value = torch.tensor(5.0, requires_grad=True)
    x[0, 0] = value
    (x * torch.arange(12.0).view(3, 4)).sum().backward()
    assert x.tolist() == [[5] * 4, [4] * 4, [6] * 4]
    assert value.grad.item() == 0 + 1 + 2 + 3 and w.grad.tolist() == [0, 2 * (4 + 5 + 6 + 7), 2 * (8 + 9 + 10 + 11)]


# Views of what has changed, under no_grad too


@pytest.mark.parametrize("name", ["select", "slice", "view", "t", "unsqueeze", "expand", "diagonal"])
@pytest.mark.parametrize("through", ["base", "view", "another view"])
def test_a_view_comes_anew_from_its_base_after_a_change_under_no_grad(torch, name, through):
    w, plain = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3, requires_grad=True)
    y = w * 2
    view = VIEWS[name](y)
    with torch.no_grad():
        {"base": y, "view": view if name != "expand" else view[0], "another view": y[0]}[through].mul_(3)
    assert y.grad_fn.name() == "MulBackward0" and view.grad_fn.name() == "AsStridedBackward0"
    assert view.grad_fn.next_functions == ((y.grad_fn, 0),)
    view.sum().backward()
    VIEWS[name](plain).sum().backward()
    assert w.grad.tolist() == (2 * plain.grad).tolist()


def several(torch, y):
    return y.unbind()[0]


def several_and_one_more(torch, y):
    return y.split(1)[0].view(3)


def without_history(torch, y):
    with torch.no_grad():
        return y[0]


@pytest.mark.parametrize(
    "make, kind", [(several, "Unbind"), (several_and_one_more, "View"), (without_history, "no_grad mode")]
)
@pytest.mark.parametrize("grad", [True, False])
def test_a_view_that_cannot_follow_its_base_can_be_read_and_no_longer_recorded(torch, make, kind, grad):
    y = torch.ones(2, 3, requires_grad=True) * 2
    view = make(torch, y)
    with torch.set_grad_enabled(grad):
        y.mul_(3)
    text = (
        "A view was created in no_grad mode and its base or another view of its base has been modified inplace with "
        "grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        "your code by moving both the view and the inplace either both inside the no_grad block (if you don't want "
        "the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
        if kind == "no_grad mode"
        else f"Output 0 of {kind} is a view and its base or another view of its base has been modified inplace. This "
        "view is the output of a function that returns multiple views. Such functions do not allow the output views "
        "to be modified inplace. You should replace the inplace operation by an out-of-place one."
    )
    for use in (lambda: view * 1, lambda: view.grad_fn, lambda: view.is_leaf):
        with says(RuntimeError, text):
            use()
    assert view.tolist() == [6, 6, 6] == view.detach().tolist() and view.requires_grad
    assert repr(view) == "tensor([6., 6., 6.], grad_fn=<Invalid>)"
    with torch.no_grad():
        assert (view + 1).tolist() == [7, 7, 7]


MULTIPLE = (
    "This view is the output of a function that returns multiple views. Such functions do not allow the output "
    "views to be modified inplace. You should replace the inplace operation by an out-of-place one."
)
AMBIGUOUS = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or "
    "both outside (if you want the inplace to be tracked)."
)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda t, w, x: w.unbind()[1], f"Output 1 of Unbind is a view and is being modified inplace. {MULTIPLE}"),
        (
            lambda t, w, x: (w * 1).unbind()[1].view(1),
            f"Output 0 of View is a view and is being modified inplace. {MULTIPLE}",
        ),
        (
            lambda t, w, x: x.unbind()[1],
            f"A view was created in no_grad mode and is being modified inplace with grad mode enabled. {MULTIPLE}",
        ),
        (
            lambda t, w, x: t.no_grad()(x.view)(3)[:1],
            f"A view was created in no_grad mode and is being modified inplace with grad mode enabled. {AMBIGUOUS}",
        ),
        (
            lambda t, w, x: t.no_grad()(w.view)(3)[:1],
            "Output 0 of Slice is a view of a view which was created in no_grad mode and is being modified inplace "
            f"with grad mode enabled. {AMBIGUOUS}",
        ),
    ],
)
def test_a_change_that_the_base_could_not_follow_is_refused(torch, w, make, text):
    x = torch.zeros(3)
    with says(RuntimeError, text):
        make(torch, w, x).add_(w[1])
    make(torch, w.detach(), x).add_(1)  # where nothing is recorded, nothing has to follow


def test_the_second_slope_of_a_number_that_was_changed_through_a_view(torch):
    """The window is then the whole: a mask without axes is an array of bools as well."""
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y[None] += x
    (first,) = torch.autograd.grad(y * y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item()) == (60.0, 74.0)  # of (x² + x)²

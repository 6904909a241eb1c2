"""Whose history a view has: leaves that are views, views made under no_grad, and bases that change their mind.

The rules stand in minigrad/_engine/views.py. Read next: ../test_view_rules.py, which runs every short program of these
lines.
"""

import pytest
from saying import says

VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation."
LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {0} block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)
VIEWS = {
    "view": lambda x: x.view(2, 3),
    "reshape": lambda x: x.reshape(3, 2),
    "t": lambda x: x.view(2, 3).t(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "slice": lambda x: x[1:],
    "step": lambda x: x[::2],
    "split": lambda x: x.view(2, 3)[1],
    "narrow": lambda x: x.narrow(0, 1, 3),
    "none": lambda x: x[None],
}


@pytest.fixture(params=VIEWS)
def leaf(request, torch):
    """A leaf that is a view."""
    return VIEWS[request.param](torch.arange(6.0)).requires_grad_()


def test_a_leaf_may_be_a_view_and_cannot_be_changed(torch, leaf):
    assert leaf.is_leaf and leaf.requires_grad and leaf._is_view() and not leaf._base.requires_grad
    before = leaf.tolist()
    with says(RuntimeError, VIEW_OF_LEAF):
        leaf.mul_(2)
    with says(RuntimeError, VIEW_OF_LEAF):
        leaf[0] = 5.0
    assert leaf.tolist() == before and leaf.is_leaf and leaf._version == 0


def test_it_stays_a_leaf_and_gets_its_gradient(torch, leaf):
    for _ in range(2):
        (leaf * leaf).sum().backward()
        with torch.no_grad():
            leaf -= 0.25 * leaf.grad
    assert leaf.is_leaf and leaf.grad_fn is None and leaf._version == 2
    assert torch.equal(leaf.grad, leaf.detach() * -12)  # x becomes x / 2, then -x / 4; the gradients add up to 3 x


def test_its_base_may_be_changed_under_its_feet(torch):
    base = torch.arange(6.0)
    leaf = base.view(2, 3).requires_grad_()
    base.mul_(2)
    assert leaf.is_leaf and leaf.tolist() == [[0, 2, 4], [6, 8, 10]]
    leaf.sum().backward()
    assert leaf.grad.tolist() == [[1, 1, 1], [1, 1, 1]]


def test_it_gets_no_gradient_once_it_asks_for_none(torch, leaf):
    y = (leaf * leaf).sum()
    leaf.requires_grad = False
    y.backward()
    assert leaf.grad is None


def test_it_gets_one_all_the_same_if_its_base_asks(torch):
    base = torch.ones(3)
    view = base[:2].requires_grad_()
    y = (view * 2).sum()
    base.requires_grad_()
    view.requires_grad_(False)
    y.backward()
    assert view.requires_grad and view.grad.tolist() == [2, 2] and base.grad is None


def test_a_view_of_such_a_leaf_leads_to_it(torch, leaf):
    leaf[0].sum().backward()
    assert leaf[0].requires_grad and leaf.grad.sum().item() == leaf[0].numel()
    with says(RuntimeError, VIEW_OF_LEAF):
        leaf[0].mul_(2)
    with torch.no_grad():
        quiet = leaf[0]
    assert not quiet.requires_grad  # its base does not


def test_a_view_requires_grad_as_soon_as_its_base_does(torch):
    base = torch.ones(3)
    view = base[:2]
    base.requires_grad_()
    assert view.requires_grad and view.is_leaf and view.grad_fn is None
    with says(RuntimeError, VIEW_OF_LEAF):
        view.mul_(2)
    with says(RuntimeError, "element 0 of tensors does not require grad and does not have a grad_fn"):
        view.backward(torch.ones(2))
    y = view * 2
    assert y.grad_fn.next_functions == ((None, 0), (None, 0))
    y.sum().backward()
    assert view.grad is None and base.grad is None
    base.requires_grad_(False)
    assert not view.requires_grad


def test_a_view_made_under_no_grad_gets_no_gradient(torch, w):
    with torch.no_grad():
        view = w[:2]
    assert view.requires_grad and view.is_leaf
    (view * 3).sum().backward()
    assert view.grad is None and w.grad is None
    with pytest.raises(RuntimeError, match="The differentiated Tensor at index 0 appears to not have been used"):
        torch.autograd.grad((view * 3).sum(), view)
    view.requires_grad_()
    (view * 3).sum().backward()
    assert view.grad.tolist() == [3, 3] and w.grad is None


def views_that_lead_nowhere(torch, w):
    """A view made under no_grad, and one whose base came to require grad later."""
    with torch.no_grad():
        quiet = w.view(3)
    base = w.detach().clone()
    late = base.view(3)
    base.requires_grad_()
    return quiet, late


# What is packed: v leads nowhere, x is a leaf, c a constant. A slope that nobody asks for needs nothing.
PACKED = {
    "v * v": "",
    "v * c": "",
    "v * x": "v",
    "x * v": "v",
    "v / x": "xv",
    "x / v": "v",
    "v / v": "v",
    "v / c": "c",
    "v @ v": "",
    "x @ v": "v",
    "v.exp()": "r",
    "v ** 2": "v",
    "v * 2": "",
    "torch.maximum(v, x)": "xv",
    "torch.stack((v, v))": "",
}


@pytest.mark.parametrize("expression", PACKED)
def test_for_what_leads_nowhere_nothing_is_saved(torch, w, expression):
    x, c = torch.ones(3, requires_grad=True), torch.ones(3)
    for v in views_that_lead_nowhere(torch, w):
        names, packed = {id(v): "v", id(x): "x", id(c): "c"}, []
        with torch.autograd.graph.saved_tensors_hooks(lambda t, to=packed: to.append(t) or t, lambda t: t):
            y = eval(expression, {"torch": torch, "v": v, "x": x, "c": c})
        assert "".join(names.get(id(t), "r") for t in packed) == PACKED[expression]
        assert y.requires_grad
        for node, _ in y.grad_fn.next_functions:
            assert node is None or node.variable is x


def test_what_was_not_saved_may_change(torch, w):
    for v in views_that_lead_nowhere(torch, w):
        assert v.requires_grad is True and v.is_leaf
        x = torch.ones(3, requires_grad=True)
        y = v * x
        assert y.grad_fn._saved_other is None and torch.equal(y.grad_fn._saved_self, w)
        with torch.no_grad():
            x.mul_(2)
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        assert torch.equal(x.grad, 2 * w) and v.grad is None


@pytest.mark.parametrize("mode, words", [("no_grad", "no_grad mode"), ("inference_mode", "inference mode")])
def test_nor_can_it_be_changed_outside(torch, w, mode, words):
    mood = "with grad mode enabled" if mode == "no_grad" else "in normal mode"
    with getattr(torch, mode)():
        view = w[:2]
    with says(
        RuntimeError, f"A view was created in {words} and is being modified inplace {mood}." + AMBIGUOUS.format(mode)
    ):
        view.mul_(2)
    text = f"Output 0 of Slice is a view of a view which was created in {words} and is being modified inplace {mood}."
    with says(RuntimeError, text + AMBIGUOUS.format(mode)):
        view[:1].mul_(2)


def test_a_view_of_what_was_changed_is_a_leaf_until_it_looks_again(torch, w):
    base = torch.ones(3)
    view, other = base[:2], base[1:]
    base.mul_(w)
    with says(RuntimeError, LEAF):
        view.mul_(2)
    assert view.grad_fn.name() == other.grad_fn.name() == "AsStridedBackward0"
    view.mul_(2)
    other.sum().backward()
    assert w.grad.tolist() == [0, 2, 1]


def test_one_of_several_views_is_lost_when_a_leaf_is_stepped(torch, w):
    row = w.unbind()[0]
    with torch.no_grad():
        w.sub_(1)
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and its base or another view of its base"):
        row * 2


def test_detaching_a_base_leaves_its_views_their_history(torch, w):
    base = w * 2
    view = base[:2]
    base.detach_()
    assert not base.requires_grad and view.requires_grad and view.grad_fn.name() == "SliceBackward0"
    with says(RuntimeError, VIEW_OF_LEAF):
        view.mul_(2)
    view.sum().backward()
    assert w.grad.tolist() == [2, 2, 0]
    base.add_(1)
    assert view.grad_fn.name() == "AsStridedBackward0" and view.grad_fn.next_functions == ((None, 0),)


@pytest.mark.parametrize("several", [False, True])
def test_a_view_out_of_a_function_cannot_be_changed(torch, w, several):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x, x.exp()) if several else x

        @staticmethod
        def backward(ctx, *grads):
            return grads[0]

    out = Same.apply(w * 1)
    out = out[0] if several else out
    why = "This view is the output of a" if several else "This view was created inside a custom Function"
    assert out._is_view()
    with pytest.raises(RuntimeError, match=f"Output 0 of Same is a view and is being modified inplace. {why}"):
        out.mul_(2)


def test_what_is_changed_in_place_keeps_its_type_and_so_does_its_gradient(torch):
    x = torch.ones(2, dtype=torch.float16, requires_grad=True)
    other = torch.ones(2, dtype=torch.float64, requires_grad=True)
    for change in ("add_", "mul_", "sub_", "div_"):
        y = x * 1
        y.retain_grad()
        getattr(y, change)(other)
        y.sum().backward()
        assert (y.dtype, y.grad.dtype, x.grad.dtype, other.grad.dtype) == (
            torch.float16,
            torch.float16,
            torch.float16,
            torch.float64,
        )


def test_a_change_through_a_view_of_what_lies_otherwise_in_memory(torch):
    w = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = w.t() * 2  # lies as w does
    y.t().view(-1)[:2].mul_(5)
    (y * torch.arange(6.0).reshape(3, 2)).sum().backward()
    assert w.grad.tolist() == [[0, 20, 8], [2, 6, 10]]

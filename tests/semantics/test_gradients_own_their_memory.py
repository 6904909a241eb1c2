"""What `.grad` holds is dense memory of its own, whatever way the gradient took to get there.

Read next: test_hooks_and_anomaly.py.
"""

import warnings

import pytest
from saying import says


def doubled(torch, x, seen):
    """A Function that hands on twice what it is given and lists both in `seen`; without a list, what it is given."""

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            out = grad if seen is None else grad * 2
            if seen is not None:
                seen.extend([grad, out])
            return out

    return Double.apply(x)


def hooked(torch, w, program):
    """The program, with a hook on w that gives an expanded tensor and keeps it."""
    kept = [torch.ones(1).expand(2, 3)]
    w.register_hook(lambda grad: kept[0])
    return program(w), kept


WAYS = {  # name: (how w's gradient comes to be, what else is alive that it must not share memory with)
    "sum": lambda torch, w: (w.sum(), []),
    "mean": lambda torch, w: (w.mean(), []),
    "sum of an axis": lambda torch, w: (w.sum(0).sum(), []),
    "expand": lambda torch, w: (w.expand(4, 2, 3).select(0, 0).sum(), []),
    "two uses": lambda torch, w: (w.sum() + w.sum(), []),
    "select": lambda torch, w: (w[0].sum(), []),
    "transpose": lambda torch, w: (w.t().sum(), []),
    "product with a transpose": lambda torch, w: ((w.t() * torch.ones(3, 2)).sum(), []),
    "cat": lambda torch, w: (torch.cat([w, w]).sum(), []),
    "unbind": lambda torch, w: (w.unbind()[1].sum(), []),
    "where": lambda torch, w: (torch.where(w > 0, w, w * 2).sum(), []),
    "a hook's own tensor": lambda torch, w: hooked(torch, w, lambda w: w.sum()),
    "a Function": lambda torch, w: (doubled(torch, w, seen := []).sum(), seen),
    "a Function that hands on": lambda torch, w: (doubled(torch, w, None).sum(), []),
    "in place": lambda torch, w: ((w * 1).add_(1).sum(), []),
    "a slice in place": lambda torch, w: (fill(w * 1).sum(), []),
}


def fill(x):
    x[0] = 3
    return x


def overlaps(torch, one, other):
    """Do two tensors share memory?"""
    ends = [(t.data_ptr(), t.data_ptr() + t.element_size() * (1 + reach(t))) for t in (one, other)]
    return ends[0][0] < ends[1][1] and ends[1][0] < ends[0][1]


def reach(t):
    return sum((n - 1) * abs(step) for n, step in zip(t.shape, t.stride(), strict=True))


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("given", ["scalar", "root", "inputs", "retained"])
def test_every_gradient_is_writable_dense_and_nobody_elses(torch, name, create_graph, given):
    w = torch.arange(6.0).reshape(2, 3).clone().requires_grad_()
    x = w
    if given == "retained":
        x = w * 1
        x.retain_grad()
    y, others = WAYS[name](torch, x)
    inputs = {"inputs": [x]} if given == "inputs" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # create_graph warns of the cycle
        y.backward(create_graph=create_graph, **inputs)
    for holder in {w, x} if given == "retained" else {x}:
        grad, alive = holder.grad.detach(), [w, y, *others]
        alive += [t.grad for t in {w, x} - {holder} if t.grad is not None]
        assert grad.stride() == (3, 1) and not any(overlaps(torch, grad, other.detach()) for other in alive)
        before = [t.detach().clone() for t in alive]
        numbers = grad.flatten().tolist()
        grad[0, 0] = 100
        assert grad.flatten().tolist() == [100, *numbers[1:]]
        assert all(t.equal(kept) for t, kept in zip((t.detach() for t in alive), before, strict=True))


def test_what_comes_later_is_added_to_every_place_once(torch, w):
    with pytest.warns(UserWarning, match="reference cycle"):
        w.sum().backward(create_graph=True)
    (w**2).sum().backward()
    assert w.grad.tolist() == [3, 5, 7]


@pytest.mark.parametrize("start", ["leaf", "sum", "product"])
def test_the_gradient_that_is_given_stays_the_givers(torch, w, start):
    given = torch.ones(3)
    {"leaf": w, "sum": w + 0, "product": w * 1}[start].backward(given)
    given[0] = 9
    assert w.grad.tolist() == [1, 1, 1]


def test_two_leaves_of_one_sum_have_gradients_of_their_own(torch, w):
    v = torch.zeros(3, requires_grad=True)
    (w + v).backward(torch.ones(3))
    w.grad[0] = 5
    assert v.grad.tolist() == [1, 1, 1]


LAYOUTS = {
    "transposed": lambda torch: torch.zeros(3, 2).t(),
    "permuted": lambda torch: torch.zeros(2, 3, 4).permute(2, 0, 1),
    "with gaps": lambda torch: torch.zeros(4, 6)[:, ::2],
    "expanded": lambda torch: torch.zeros(3, 1).expand(3, 2),
}


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("program", [lambda w: (w * 2).sum(), lambda w: w.sum(), lambda w: (w.mT * 2).sum()])
def test_a_gradient_lies_in_memory_as_its_leaf_does_if_that_is_dense(torch, layout, program, create_graph):
    leaf = LAYOUTS[layout](torch).detach().requires_grad_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program(leaf).backward(create_graph=create_graph)
    dense = layout in ("transposed", "permuted")
    assert leaf.grad.stride() == (leaf if dense else torch.zeros(leaf.shape)).stride()
    assert leaf.grad.detach().abs().sum() > 0


def test_nothing_is_added_into_an_expanded_grad_that_was_assigned(torch, w):
    w.grad = torch.ones(1).expand(3)
    text = (
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )
    with says(RuntimeError, text):
        (w * 2).sum().backward()


def test_under_create_graph_grad_is_a_copy_with_a_history(torch, w):
    with pytest.warns(UserWarning, match="reference cycle"):
        (w**2).sum().backward(create_graph=True)
    assert type(w.grad.grad_fn).__name__ == "CopyBackwards" and w.grad.requires_grad
    w.grad.sum().backward()
    assert w.grad.tolist() == [4, 6, 8]


@pytest.mark.parametrize("graph", [False, True])
def test_what_grad_gives_may_be_changed_at_single_places(torch, graph):
    """In PyTorch this is an expanded tensor, which it is a wrong idea to write to."""
    w = torch.ones(3, requires_grad=True)
    first, second = torch.autograd.grad((w * 2).sum() + w.sum(), [w, w], create_graph=graph)
    assert first is second
    (grad,) = torch.autograd.grad(w.sum(), w, create_graph=graph)
    if torch.__name__ == "minigrad":
        grad[0] = 5.0
        assert grad.tolist() == [5.0, 1.0, 1.0]


def test_the_gradient_of_a_transposed_weight_is_its_own_and_lies_as_the_weight(torch):
    w, x = torch.arange(6000.0).view(2000, 3).requires_grad_(), torch.ones(4, 3)  # so large that no copy is made
    v = torch.arange(6000.0).view(2000, 3).requires_grad_()
    for turned in (w.t() + v.t(), w.t()):  # the first sends the same gradient to both
        w.grad = v.grad = None
        (x @ turned).sum().backward(retain_graph=True)
        assert w.grad.tolist() == [[4.0] * 3] * 2000 and w.grad.is_contiguous()
        if v.grad is not None and torch.__name__ == "minigrad":  # PyTorch lets both share it
            w.grad.zero_()
            assert v.grad.tolist() == [[4.0] * 3] * 2000

"""torch.utils.checkpoint: the same gradients and random numbers, computed twice; and what is said when it can't be."""

import pytest
from saying import says, warns

UNDECIDED = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
    "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
    "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
    "differences between the two variants."
)
NOT_PARTLY = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
    ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing "
    "the `inputs` argument."
)
both = pytest.mark.parametrize("use_reentrant", [True, False])


@pytest.fixture
def checkpoint(torch):
    return torch.utils.checkpoint.checkpoint


@both
def test_gradients_and_random_numbers_are_those_without_it(torch, w, checkpoint, use_reentrant):
    weight = torch.ones(3, 3, requires_grad=True)
    calls = []

    def part(w):
        calls.append(w)
        y = (w @ weight).tanh()
        return torch.nn.functional.dropout(y * w, 0.5) * torch.rand(3)

    def run(y):
        z = torch.rand(1)
        y.sum().backward()
        out = [y.tolist(), z.item(), torch.rand(1).item(), w.grad.tolist(), weight.grad.tolist()]
        w.grad = weight.grad = None
        return out

    torch.manual_seed(3)
    right = run(part(w))
    torch.manual_seed(3)
    assert run(checkpoint(part, w, use_reentrant=use_reentrant)) == right and len(calls) == 3


@both
def test_without_its_state_the_stream_just_goes_on(torch, w, checkpoint, use_reentrant):
    torch.manual_seed(0)
    checkpoint(lambda w: w * torch.rand(3), w, use_reentrant=use_reentrant, preserve_rng_state=False).sum().backward()
    after = torch.rand(1)
    torch.manual_seed(0)
    torch.rand(3), torch.rand(3)
    assert torch.rand(1).equal(after)


@both
def test_a_second_backward_computes_once_more_or_is_refused(torch, w, checkpoint, use_reentrant):
    calls = []
    y = checkpoint(lambda w: calls.append(1) or (w * w).exp(), w, use_reentrant=use_reentrant).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert len(calls) == 3
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


@both
def test_an_input_that_was_changed_is_found_out(torch, w, checkpoint, use_reentrant):
    x = w * 1
    y = checkpoint(torch.sin, x, use_reentrant=use_reentrant)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_keywords_nested_parts_and_second_derivatives(torch, w, checkpoint):
    def part(w, *, power):
        return checkpoint(lambda w: (w**power).sin(), w, use_reentrant=False).exp()

    def second(y):
        (g,) = torch.autograd.grad(y.sum(), w, create_graph=True)
        return torch.autograd.grad(g.sum(), w)[0]

    found = second(checkpoint(part, w, use_reentrant=False, power=3))
    assert torch.allclose(found, second((w**3).sin().exp()))


def test_several_results_and_none_that_is_a_tensor(torch, w, checkpoint):
    for use_reentrant in (True, False):
        a, b, c = checkpoint(lambda w: (w * 2, "b", w * 3), w, use_reentrant=use_reentrant)
        (a + c).sum().backward()
        assert b == "b" and w.grad.tolist() == [5, 5, 5]
        w.grad = None


def test_the_contexts_of_the_two_times(torch, w, checkpoint):
    import contextlib

    seen = []

    @contextlib.contextmanager
    def note(what):
        seen.append(what)
        yield

    checkpoint(torch.exp, w, use_reentrant=False, context_fn=lambda: (note("first"), note("again"))).sum().backward()
    assert seen == ["first", "again"]


def test_sequential(torch, checkpoint):
    torch.manual_seed(0)
    net = torch.nn.Sequential(*(torch.nn.Linear(3, 3) for _ in range(5)))
    x = torch.ones(2, 3, requires_grad=True)
    net(x).sum().backward()
    right, x.grad = x.grad, None
    for functions in (net, [*net]):
        for use_reentrant in (True, False):
            torch.utils.checkpoint.checkpoint_sequential(functions, 2, x, use_reentrant=use_reentrant).sum().backward()
            assert torch.allclose(x.grad, right)
            x.grad = None


def test_whoever_does_not_decide_is_warned(w, checkpoint):
    with warns(UNDECIDED):
        assert type(checkpoint(lambda w: w * 2, w).grad_fn).__name__ == "CheckpointFunctionBackward"


def test_nothing_that_requires_grad(w, checkpoint):
    with warns("None of the inputs have requires_grad=True. Gradients will be None"):
        assert not checkpoint(lambda x: x * w, w.detach(), use_reentrant=True).requires_grad
    assert checkpoint(lambda x: x * w, w.detach(), use_reentrant=False).requires_grad
    with says(RuntimeError, "none of output has requires_grad=True, this checkpoint() is not necessary"):
        checkpoint(lambda w: w.detach(), w, use_reentrant=True).sum().backward()


def test_the_reentrant_form_knows_only_whole_passes(torch, w, checkpoint):
    y = checkpoint(lambda w: w * 2, w, use_reentrant=True).sum()
    with says(RuntimeError, NOT_PARTLY):
        torch.autograd.grad(y, w, retain_graph=True)
    with says(RuntimeError, NOT_PARTLY):
        y.backward(inputs=[w], retain_graph=True)
    y.backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_a_part_that_saves_something_else_the_second_time(torch, w, checkpoint):
    def changing(*forms):
        forms = iter(forms)
        return checkpoint(lambda w: next(forms)(w), w, use_reentrant=False).sum()

    error = torch.utils.checkpoint.CheckpointError
    with pytest.raises(
        error, match="Number of tensors saved during forward: 3\nNumber of tensors saved during recomputation: 1."
    ):
        changing(lambda w: w.sin().cos().exp(), lambda w: w.sin()).backward()
    with pytest.raises(error, match=r"tensor at position 0:\nsaved metadata: {'shape': torch.Size\(\[3\]\)"):
        changing(lambda w: w.sin(), lambda w: w[:2].sin()).backward()
    changing(lambda w: w.sin(), lambda w: w.sin().cos().exp()).backward()  # it stops when it has what it needs


def test_wrong_options(w, checkpoint):
    with says(ValueError, "Unexpected keyword arguments: power"):
        checkpoint(lambda w: w, w, use_reentrant=True, power=2)
    with says(ValueError, "determinism_check should be one of ['default', 'none'], but got x"):
        checkpoint(lambda w: w.exp(), w, use_reentrant=False, determinism_check="x")
    with says(ValueError, "Passing `context_fn` or `debug` is only supported when use_reentrant=False."):
        checkpoint(lambda w: w, w, use_reentrant=True, debug=True)

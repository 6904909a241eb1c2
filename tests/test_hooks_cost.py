"""A hook costs the passes that it is asked in, and none after it was removed or has died."""

import gc

import pytest

import minigrad as torch
from minigrad._engine.hooks import Registered


@pytest.fixture
def nobody():
    """Nothing looks on at a pass, before and after. What tests before this one keep alive is set aside meanwhile: which
    they are depends on who shares this process."""
    gc.collect()
    aside = [(registry, set(registry)) for registry in (Registered.callbacks, Registered.counted)]
    for registry, left in aside:
        registry.difference_update(left)
    yield
    assert not Registered.callbacks and not Registered.counted
    for registry, left in aside:
        registry.update(ref for ref in left if ref() is not None)


@pytest.fixture
def w():
    return torch.tensor([1.0, 2.0], requires_grad=True)


def accumulator(w):
    return (w * 1).grad_fn.next_functions[0][0]


REGISTERED = {
    "tensor hook": lambda w: w.register_hook(lambda grad: None),
    "post-accumulate hook": lambda w: w.register_post_accumulate_grad_hook(lambda leaf: None),
    "accumulator's hook": lambda w: accumulator(w).register_hook(lambda into, out: None),
    "accumulator's pre-hook": lambda w: accumulator(w).register_prehook(lambda out: None),
    "multi-grad hook": lambda w: torch.autograd.graph.register_multi_grad_hook([w, w], lambda grads: None),
}


@pytest.mark.parametrize("what", REGISTERED)
def test_a_removed_hook_is_no_longer_looked_out_for(nobody, w, what):
    handle = REGISTERED[what](w)
    assert Registered.callbacks and Registered.counted
    w.sum().backward()
    handle.remove()
    handle.remove()


@pytest.mark.parametrize("what", REGISTERED)
def test_a_hook_whose_tensor_is_gone_is_no_longer_looked_out_for(nobody, what):
    w = torch.ones(2, requires_grad=True)
    handle = REGISTERED[what](w)
    w.sum().backward()
    assert Registered.counted
    del w
    gc.collect()  # an accumulator with hooks and its leaf hold each other
    assert handle is not None


def test_hooks_on_results_and_nodes_go_with_their_graph(nobody, w):
    y = w.exp()
    handles = [y.register_hook(lambda grad: None), y.grad_fn.register_hook(lambda into, out: None)]
    z = (y * 2).sum()
    z.grad_fn.register_prehook(lambda out: None)
    assert len(Registered.callbacks) == 3 and not Registered.counted
    z.backward()
    del y, z
    assert not Registered.callbacks and handles


def test_a_function_and_what_was_packed_are_looked_out_for_while_their_graph_lives(nobody, w):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    y = Double.apply(w)
    assert Registered.callbacks
    y.sum().backward()
    del y
    assert not Registered.callbacks
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = w.exp()
    assert Registered.callbacks
    y.sum().backward()
    assert not Registered.callbacks  # what was packed was freed


def test_hooks_of_modules_are_called_outside_of_passes(nobody):
    layer = torch.nn.Linear(2, 1)
    layer.register_forward_hook(lambda module, args, output: None)
    assert not Registered.callbacks

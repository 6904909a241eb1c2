"""What optimizers do beside their arithmetic (held to PyTorch in test_nn_goldens.py and test_optim_golden.py)."""

import gc
import weakref

import numpy as np
import pytest
from goldens.record_optim import OPTIMIZERS as RECORDED

import minigrad as torch

OPTIMIZERS = {  # each once, with the last of the settings that it is recorded with; LBFGS wants a closure
    name.split()[0]: {**options, "lr": 0.1, "maximize": False}
    for name, options in RECORDED.items()
    if not name.startswith("LBFGS")
}


@pytest.fixture(params=OPTIMIZERS)
def make(request):
    return lambda params: getattr(torch.optim, request.param)(params, **OPTIMIZERS[request.param])


def test_a_step_is_in_place_and_no_graph_sees_it(make):
    array = np.ones(3, np.float32)
    weight = torch.from_numpy(array).requires_grad_()
    optimizer = make([weight])
    (weight * weight).sum().backward()
    gradient = weight.grad.clone()
    optimizer.step()
    assert weight.is_leaf and weight.requires_grad and not np.allclose(array, 1)  # the reader's own memory
    assert weight.grad.equal(gradient), "a step must leave the gradient as it is"
    assert weight._version == writes(optimizer)


def writes(optimizer):
    """How often PyTorch writes to a parameter in a step."""
    settings = optimizer.param_groups[0]
    return optimizer.writes + bool(settings.get("decoupled_weight_decay") and settings["weight_decay"])


def test_backward_after_a_step_names_the_line_of_the_step(make):
    weight = torch.ones(2, requires_grad=True)
    optimizer = make([weight])
    loss = (weight * weight).sum()
    loss.backward(retain_graph=True)
    optimizer.step()  # this very line
    with pytest.raises(RuntimeError, match=f"is at version {writes(optimizer)}; expected version 0") as caught:
        loss.backward()
    assert any("optimizer.step()  # this very line" in note for note in caught.value.__notes__)


def test_what_has_no_gradient_stays(make):
    weight, idle = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    optimizer = make([weight, idle])
    weight.sum().backward()
    optimizer.step()
    assert idle.tolist() == [1, 1] and idle._version == 0


@pytest.mark.parametrize("size", [(), (0,), (2, 3)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_every_size_and_type(make, size, dtype):
    weight = torch.full(size, 2.0, dtype=dtype, requires_grad=True)
    optimizer = make([weight])
    for _ in range(3):
        optimizer.zero_grad()
        (weight * weight).sum().backward()
        optimizer.step()
    assert weight.dtype is dtype and weight.size() == size
    assert (weight != 2).all()
    numbers = {"step", "mu_product", "eta", "mu"}  # one for all elements
    assert all(kept.dtype is dtype for name, kept in optimizer.state[weight].items() if name not in numbers)


def test_zero_grad_keeps_the_gradient_only_if_told_to(make):
    weight = torch.ones(2, requires_grad=True)
    optimizer = make([weight])
    weight.sum().backward()
    gradient = weight.grad
    optimizer.zero_grad(set_to_none=False)
    assert weight.grad.tolist() == [0, 0] and gradient.tolist() == [0, 0]
    optimizer.zero_grad()
    assert weight.grad is None


def test_a_group_can_be_added_later(make):
    first, second = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    optimizer = make([first])
    optimizer.add_param_group({"params": second, "lr": 0.0, "weight_decay": 0})
    (first + second).sum().backward()
    optimizer.step()
    assert first.item() != 1 and second.item() == pytest.approx(1, abs=2e-3)  # Rprop's smallest step


def test_training_leaves_nothing_behind(make):
    """With the garbage collector off, an optimizer and its parameters go when nobody holds them."""
    gc.disable()
    try:
        layer = torch.nn.Linear(2, 2)
        optimizer = make(layer.parameters())
        layer(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        gone = [weakref.ref(layer.weight), weakref.ref(optimizer)]
        del layer, optimizer
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()

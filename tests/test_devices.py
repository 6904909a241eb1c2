"""Tensors on another device, and what happens to those who mix: on fake GPUs, which refuse it as real ones do.

The words are those of PyTorch's own binary; no machine here has a PyTorch with CUDA to ask.
Read next: fake_cupy.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import fake_cupy
import pytest

import minigrad as torch


@pytest.fixture(autouse=True)
def fake_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy)


def test_there_and_back_with_the_gradient() -> None:
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    there = w.to("cuda")
    assert (there.device, w.cuda(1).device) == (torch.device("cuda", 0), torch.device("cuda:1"))
    y = ((there @ there.t()) * 2 - there.sum()).relu().mean()
    assert y.device.type == "cuda" and y.cpu().device.type == "cpu"
    y.backward()
    once = torch.autograd.grad(((w @ w.t()) * 2 - w.sum()).relu().mean(), w)[0]
    assert w.grad.device.type == "cpu" and w.grad.allclose(once)


@pytest.mark.parametrize("way", [lambda w: w.cuda().relu().sum().cpu(), lambda w: w.relu().cuda().sum()])
def test_one_graph_over_two_devices(way: Callable[[Any], Any]) -> None:
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    way(w).backward()
    assert w.grad.tolist() == [1, 0] and w.grad.device.type == "cpu"


def test_a_function_of_ones_own_there() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            assert grad.device.type == "cuda" and not grad.requires_grad
            return grad * 2

    w = torch.tensor([1.0, -2.0], requires_grad=True)
    Double.apply(w.cuda()).sum().cpu().backward()
    assert w.grad.tolist() == [2, 2]


def test_learning_there() -> None:
    w = torch.tensor([1.0, 2.0]).cuda().requires_grad_()
    for _ in range(2):
        loss = (w * w).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad = None
    assert w.is_leaf and w.is_cuda and w.detach().cpu().allclose(torch.tensor([0.64, 1.28]))


MIXED: list[Callable[[Any, Any], Any]] = [
    *(lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a**b),
    *(lambda a, b: a < b, lambda a, b: a.maximum(b), lambda a, b: a.where(a > 0, b), lambda a, b: a.add(b)),
    *(lambda a, b: a.clone().add_(b), lambda a, b: torch.nn.functional.mse_loss(a, b)),
]


@pytest.mark.parametrize("mix", MIXED)
@pytest.mark.parametrize(("one", "other"), [("cpu", "cuda:0"), ("cuda:0", "cpu"), ("cuda:0", "cuda:1")])
def test_two_devices_do_not_mix(mix: Callable[[Any, Any], Any], one: str, other: str) -> None:
    a, b = torch.ones(2, 2).to(one), torch.ones(2, 2).to(other)
    with pytest.raises(RuntimeError) as error:
        mix(a, b)
    found = f"found at least two devices, {one} and {other}!"
    assert str(error.value) == f"Expected all tensors to be on the same device, but {found}"


@pytest.mark.parametrize(
    ("mix", "name", "method"),
    [
        (lambda a, b: a @ b, "mat2", "mm"),
        (lambda a, b: torch.addmm(a, a, b), "mat2", "addmm"),
        (lambda a, b: torch.cat([a, b]), "tensors", "cat"),
        (lambda a, b: a[0].dot(b[0]), "tensor", "dot"),
    ],
)
def test_who_is_elsewhere_is_named(mix: Callable[[Any, Any], Any], name: str, method: str) -> None:
    with pytest.raises(RuntimeError) as error:
        mix(torch.ones(2, 2).cuda(), torch.ones(2, 2))
    assert str(error.value) == (
        f"Expected all tensors to be on the same device, but got {name} is on cpu, different from other tensors on "
        f"cuda:0 (when checking argument in method wrapper_CUDA_{method})"
    )


def test_numpy_must_be_asked_on_the_cpu() -> None:
    with pytest.raises(TypeError, match="^can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu"):
        torch.ones(2).cuda().numpy()


def test_without_a_gpu_pytorchs_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # as if it were not installed
    with pytest.raises(AssertionError, match="^Torch not compiled with CUDA enabled$"):
        torch.ones(2).cuda()
    assert not torch.cuda.is_available() and torch.cuda.device_count() == 0


def test_the_device_meta_is_named_as_what_is_not_here() -> None:
    """Every PyTorch has it, so the words that PyTorch has for a device that it was built without would mislead."""
    for make in (lambda: torch.ones(2, device="meta"), lambda: torch.ones(2).to("meta")):
        with pytest.raises(RuntimeError, match="^PyTorch has the device 'meta', minigrad does not: see 'What is not"):
            make()

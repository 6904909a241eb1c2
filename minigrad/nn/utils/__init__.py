"""Helpers for networks: sequences of unequal length (utils.rnn), gradient clipping, parameters as one vector."""

from typing import Any

from ..._messages.foreign import refuse, refuses_foreign
from ..._messages.names import missing as _missing
from ..._tensors.creation import tensor
from ..._tensors.methods.shape import cat, stack
from ..._tensors.tensor import Tensor
from ...autograd.grad_mode import no_grad
from ..module import typename
from . import rnn

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "rnn",
    "vector_to_parameters",
]
__getattr__ = _missing(__name__)


def _grads(parameters) -> list[Any]:
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [grad for p in parameters if (grad := p.grad) is not None]


@refuses_foreign
@no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of several tensors, computed as if they were one vector."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return tensor(0.0)
    total = stack([t.norm(norm_type) for t in tensors]).norm(norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return total


@refuses_foreign
@no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None) -> None:
    """Scale all gradients in place so that their norm, given as `total_norm`, becomes at most `max_norm`."""
    scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    for g in _grads(parameters):
        g.mul_(scale)


@refuses_foreign
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scale all gradients by one factor, in place, so that their norm as one vector is at most `max_norm`.

    Call it between `backward()` and `step()`. Returns the norm before the scaling.

    >>> import minigrad as torch
    >>> w = torch.zeros(2, requires_grad=True)
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> clip_grad_norm_([w], 1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    refuse("clip_grad_norm_()", parameters)
    total = get_total_norm(_grads(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


@refuses_foreign
@no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None) -> None:
    """Clamp every element of every gradient to ±clip_value, in place."""
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    refuse("clip_grad_value_()", parameters)
    for g in _grads(parameters):
        g.clamp_(min=-float(clip_value), max=float(clip_value))


@refuses_foreign
def parameters_to_vector(parameters):
    """All parameters, concatenated into one vector.

    >>> import minigrad as torch
    >>> parameters_to_vector(torch.nn.Linear(3, 2).parameters()).shape
    torch.Size([8])
    """
    parameters = list(parameters)
    refuse("parameters_to_vector()", parameters)
    return cat([param.view(-1) for param in parameters])


@refuses_foreign
def vector_to_parameters(vec, parameters) -> None:
    """Make each parameter a view of its part of the vector, in the order of `parameters_to_vector`."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    parameters = list(parameters)
    refuse("vector_to_parameters()", parameters)
    start = 0
    for param in parameters:
        param.data = vec[start : start + param.numel()].view_as(param).data
        start += param.numel()

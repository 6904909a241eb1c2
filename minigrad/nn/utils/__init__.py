"""Helpers around networks: sequences of unequal length (utils.rnn), and keeping gradients from growing too large."""

from ...autograd.modes import no_grad
from ...creation import tensor
from ...methods.shape import stack
from ...tensor import Tensor
from . import rnn

__all__ = ["clip_grad_norm_", "rnn"]


@no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0):
    """Scale all gradients together so that their norm, as if they were one vector, is at most `max_norm`.

    For between `backward()` and `step()`. Returns the norm before. In place.

    >>> import minigrad as torch
    >>> w = torch.zeros(2, requires_grad=True)
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> clip_grad_norm_([w], 1.0), w.grad
    (tensor(5.), tensor([0.6000, 0.8000]))
    """
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    grads = [grad for p in parameters if (grad := p.grad) is not None]
    if not grads:
        return tensor(0.0)
    total = stack([g.norm(norm_type) for g in grads]).norm(norm_type)
    scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(scale)
    return total

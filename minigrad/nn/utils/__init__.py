"""Helpers around networks: clipping gradients, sequences of unequal length (utils.rnn)."""

from . import rnn
from .clip import clip_grad_norm_, clip_grad_value_

__all__ = ["clip_grad_norm_", "clip_grad_value_", "rnn"]

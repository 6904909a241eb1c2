"""Optimizers: what changes the parameters once backward() has found their gradients."""

from .adam import Adam
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Adam", "Optimizer"]

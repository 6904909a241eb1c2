"""Optimizers: they change the parameters after `backward()` has computed their gradients. Read next: optimizer.py."""

from .._messages.names import missing as _missing
from . import lr_scheduler
from .algorithms import SGD, Adagrad, Adam, AdamW, RMSprop
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .variants import ASGD, Adadelta, Adamax, NAdam, RAdam, Rprop

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

__getattr__ = _missing(__name__)

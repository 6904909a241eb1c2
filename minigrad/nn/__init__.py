"""Networks: modules and their parameters, layers, losses, and `functional`, the same without parameters."""

from . import functional as functional
from . import init as init
from .activation import ReLU, Sigmoid, Tanh
from .container import Sequential
from .layers import BatchNorm1d, Dropout, Embedding
from .linear import Flatten, Identity, Linear
from .loss import CrossEntropyLoss, MSELoss
from .module import Module
from .parameter import Parameter
from .recurrent import RNN

__all__ = [
    "RNN",
    "BatchNorm1d",
    "CrossEntropyLoss",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "Linear",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
    "init",
]

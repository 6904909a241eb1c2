"""Neural networks: modules with parameters, and functions without.

A module stands beside its function, in the file of its family. Read next: module.py, then linear.py.
"""
# ruff: noqa: F401  # to be had from here is what these imports are for

from . import functional, init, utils
from .activation import ELU, GELU, Hardtanh, LeakyReLU, LogSigmoid, ReLU, Sigmoid, SiLU, Softplus, Softsign, Tanh
from .cell import GRUCell, LSTMCell, RNNCell
from .container import ModuleDict, ModuleList, Sequential
from .convolution import Conv1d, Conv2d
from .embedding import Embedding
from .linear import Flatten, Identity, Linear
from .loss import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss, SmoothL1Loss
from .module import Module
from .parameter import Parameter
from .pooling import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from .recurrent import GRU, LSTM, RNN
from .regular import BatchNorm1d, BatchNorm2d, Dropout, LayerNorm
from .softmax import LogSoftmax, Softmax

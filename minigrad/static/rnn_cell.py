"""`tf.nn.rnn_cell`: one step of a recurrent network.

The simplest cell is in cells.py, long short-term memory in lstm.py, cells made of cells in wrappers.py.
"""

from .._messages.names import missing as _missing
from .cells import BasicRNNCell, RNNCell
from .lstm import BasicLSTMCell, LSTMCell, LSTMStateTuple
from .wrappers import DropoutWrapper, MultiRNNCell

__all__ = ["BasicLSTMCell", "BasicRNNCell", "DropoutWrapper", "LSTMCell", "LSTMStateTuple", "MultiRNNCell", "RNNCell"]

__getattr__ = _missing(__name__, place="tf.nn.rnn_cell")

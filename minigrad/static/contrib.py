"""`tf.contrib.rnn`: TensorFlow 1's first module for recurrent cells. No other part of `tf.contrib` is supported.

Imports rnn and rnn_cell. Read next: rnn_cell.py.
"""

from types import SimpleNamespace as _Names

from .._messages.names import missing as _missing
from . import bidirectional as _bidirectional
from . import rnn as _rnn
from . import rnn_cell as _cells

rnn = _Names(
    **{name: getattr(_cells, name) for name in _cells.__all__},
    static_rnn=_rnn.static_rnn,
    static_bidirectional_rnn=_bidirectional.static_bidirectional_rnn,
)

__getattr__ = _missing(__name__, place="tf.contrib")

"""`tf.contrib.rnn`: where TensorFlow 1 first kept its recurrent cells.

Imports rnn and rnn_cell. Read next: rnn_cell.py.
"""

from types import SimpleNamespace

from .rnn import static_rnn
from .rnn_cell import BasicRNNCell

rnn = SimpleNamespace(BasicRNNCell=BasicRNNCell, static_rnn=static_rnn)

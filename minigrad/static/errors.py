"""`tf.errors`: errors under TensorFlow's names. They are the compiler's: ../_compiler/errors.py."""

from .._compiler.errors import FailedPreconditionError as FailedPreconditionError
from .._compiler.errors import InaccessibleTensorError as InaccessibleTensorError
from .._compiler.errors import InvalidArgumentError as InvalidArgumentError
from .._compiler.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from .._compiler.errors import OpError as OpError
from .._messages.names import missing as _missing

__getattr__ = _missing(__name__, place="tf.errors")

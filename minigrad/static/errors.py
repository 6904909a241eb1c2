"""`tf.errors`: errors under TensorFlow's names. They are the compiler's: ../compiler/errors.py."""

from ..compiler.errors import FailedPreconditionError as FailedPreconditionError
from ..compiler.errors import InaccessibleTensorError as InaccessibleTensorError
from ..compiler.errors import InvalidArgumentError as InvalidArgumentError
from ..compiler.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from ..compiler.errors import OpError as OpError
from ..names import missing as _missing

__getattr__ = _missing(__name__, place="tf.errors")

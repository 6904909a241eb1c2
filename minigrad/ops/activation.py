"""Activation functions that PyTorch treats as operators of their own (tanh and sigmoid: elementwise.py).

Imports rules, backend, ops/note.py and ops/standard.py.
Read next: ../nn/activation.py, which calls them.
"""

import math

from .._machine import backend
from ..core.rules import TABLE, Raw, op
from .error_function import erf as _erf
from .note import note
from .standard import twin

# These slopes are operators themselves, so that under create_graph the gradient also depends on the input, as in
# PyTorch:
# it requires grad, though its derivative with respect to the input is 0.


@op("ThresholdBackwardBackward0", kind="slope")
def relu_slope(xp, self, at):
    return backend.where(xp, at <= backend.zero(at), 0.0, self)


relu_slope.slope(self=lambda F, grad, at: F.relu_slope(grad, at), at=lambda F, grad, at: F.zeros_like(at))
note(relu_slope, fresh=True)


@op("LeakyReluBackwardBackward0", kind="slope")
def leaky_relu_slope(xp, self, at, *, negative_slope):
    return xp.where(at > 0, self, self * negative_slope)


leaky_relu_slope.slope(
    self=lambda F, grad, at, negative_slope: F.leaky_relu_slope(grad, at, negative_slope=negative_slope),
    at=lambda F, grad, at: F.zeros_like(at),
)


@op("HardtanhBackwardBackward0", kind="slope")
def hardtanh_slope(xp, self, at, *, min_val, max_val):
    return backend.where(xp, (at <= min_val) | (at >= max_val), 0.0, self)


hardtanh_slope.slope(
    self=lambda F, grad, at, min_val, max_val: F.hardtanh_slope(grad, at, min_val=min_val, max_val=max_val),
    at=lambda F, grad, at: F.zeros_like(at),
)


@op("ReluBackward0", dtypes="number")
def relu(xp, self):
    # in this order: of two zeros, `maximum` returns the second, so -0. is kept
    return xp.maximum(backend.zero(self), self)


relu.slope(self=lambda F, grad, result: F.relu_slope(grad, result))
note(relu, letters=("1 where {0} > 0, else 0",), tensorflow="Relu", text="maximum(zero({0}), {0}{onto})")
note(relu, refusal="Boolean inputs not supported for relu", out=False)


@op("LeakyReluBackward0", dtypes="floating")
def leaky_relu(xp, self, *, negative_slope=0.01):
    return xp.where(self > 0, self, self * negative_slope)


leaky_relu.slope(
    self=lambda F, grad, self, negative_slope: F.leaky_relu_slope(grad, self, negative_slope=negative_slope)
)
note(leaky_relu, tensorflow="LeakyRelu")


@op("EluBackward0", dtypes="floating")
def elu(xp, self, *, alpha=1.0, scale=1.0, input_scale=1.0):
    """ELU; SELU and CELU are ELU with another scale."""
    out = xp.where(self > 0, self, alpha * xp.expm1(self if input_scale == 1 else self * input_scale))
    return out if scale == 1 else out * scale


def _elu_slope(F, grad, self, alpha, scale, input_scale):
    low = F.hardtanh(self, min_val=-math.inf, max_val=0.0)  # for large numbers, exp would overflow, and 0 · inf is nan
    steep = F.exp(low if input_scale == 1 else low * input_scale) * (alpha * scale * input_scale)
    return F.where(self <= 0, grad * steep, grad if scale == 1 else grad * scale)


elu.slope(self=_elu_slope)
note(elu, tensorflow="Elu")
twin(elu, "celu", "CeluBackward0")
note(elu, TABLE["celu"], kernel="elu_cpu")


@op("HardtanhBackward0", dtypes="number")
def hardtanh(xp, self, *, min_val=-1.0, max_val=1.0):
    low, high = (xp.asarray(limit, dtype=self.dtype) for limit in (min_val, max_val))
    return xp.minimum(high, xp.maximum(low, self))


hardtanh.slope(
    self=lambda F, grad, self, min_val, max_val: F.hardtanh_slope(grad, self, min_val=min_val, max_val=max_val)
)
note(hardtanh, refusal="Bool inputs not supported for hardtanh")


@op("SoftplusBackward0", dtypes="floating")
def softplus(xp, self, *, beta=1.0, threshold=20.0):
    scaled = self * beta
    return xp.where(scaled > threshold, self, xp.log1p(xp.exp(scaled)) / beta)


softplus.slope(
    self=lambda F, grad, self, beta, threshold: F.where(self * beta > threshold, grad, grad * F.sigmoid(self * beta))
)
note(softplus, tensorflow="Softplus")


@op("LogSigmoidBackward0", dtypes="floating", outputs=("output", "buffer"))
def logsigmoid(xp, self):
    """log σ(x), and exp(-|x|), which is saved for backward and is not visible to users."""
    buffer = xp.exp(-xp.abs(self))
    return xp.minimum(self, 0) - xp.log1p(buffer), buffer


def _logsigmoid_slope(F, grad, self, buffer):
    """1 - σ(x), from the buffer. `.data` may have changed x since: then only the sign of x is new, as in PyTorch."""
    share = buffer / (1 + buffer)
    share = F.where(self < 0, 1 - share, share)
    if not isinstance(F, Raw):  # for second derivatives, the slope must depend on x
        again = 1 - F.sigmoid(self)
        share = again + (share - again).detach() if hasattr(share, "detach") else again
    return grad * share


logsigmoid.slope(self=_logsigmoid_slope)
note(logsigmoid, tensorflow="LogSigmoid", kernel="log_sigmoid_cpu", called="log_sigmoid")


@op("SiluBackward0", dtypes="floating")
def silu(xp, self):
    return self / (1 + xp.exp(-self))


def _silu_slope(F, grad, self):
    gate = F.sigmoid(self)
    return grad * (gate * (1 + self * (1 - gate)))


silu.slope(self=_silu_slope)
note(silu, tensorflow="Silu")


@op("GeluBackward0", dtypes="floating")
def gelu(xp, self):
    """x Φ(x), where Φ is the cumulative distribution function of the normal distribution."""
    out = _erf(xp, self * math.sqrt(0.5))
    out += 1  # in place, because `out` is a new array
    out *= self
    out *= 0.5
    return out


gelu.slope(
    self=lambda F, grad, self: (
        grad * ((F.erf(self * math.sqrt(0.5)) + 1) * 0.5 + F.exp(self * self * -0.5) * (2 * math.pi) ** -0.5 * self)
    )
)


@op("GeluBackward0", dtypes="floating")
def gelu_tanh(xp, self):
    return 0.5 * self * (1 + xp.tanh(math.sqrt(2 / math.pi) * (self + 0.044715 * self * self * self)))


def _gelu_tanh_slope(F, grad, self):
    inner = F.tanh((self + self * self * self * 0.044715) * math.sqrt(2 / math.pi))
    steep = (self * self * (3 * 0.044715) + 1) * math.sqrt(2 / math.pi)
    return grad * ((inner + 1) * 0.5 + self * 0.5 * (1 - inner * inner) * steep)


gelu_tanh.slope(self=_gelu_tanh_slope)
note(gelu, gelu_tanh, kernel="GeluKernelImpl")

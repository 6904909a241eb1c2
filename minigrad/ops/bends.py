"""Activations made of straight pieces (threshold, hardshrink, softshrink, hardsigmoid, hardswish), and gates (mish,
glu, prelu). Also the operators that have another name in PyTorch in place.

Each is one node, as in PyTorch. Imports rules, backend, activation, ops/note.py and ops/standard.py.
Read next: ../nn/activation.py, which calls them.
"""

from .._machine import backend
from ..core.rules import TABLE, op
from .activation import elu, leaky_relu
from .note import note
from .standard import copied, twin

# As in activation.py, these slopes are operators themselves: under create_graph, a gradient requires grad as in
# PyTorch, even if its own derivative is 0.


@op("ThresholdBackwardBackward0", kind="slope")
def threshold_slope(xp, self, at, *, threshold):
    return backend.where(xp, at <= threshold, 0.0, self)


threshold_slope.slope(
    self=lambda F, grad, at, threshold: F.threshold_slope(grad, at, threshold=threshold),
    at=lambda F, grad, at: F.zeros_like(at),
)


@op("ThresholdBackward0", dtypes="number")
def threshold(xp, self, *, threshold, value):
    return xp.where(self <= threshold, xp.asarray(value, dtype=self.dtype), self)


threshold.slope(self=lambda F, grad, self, threshold: F.threshold_slope(grad, self, threshold=threshold))
note(threshold, kernel="threshold_cpu")
twin(threshold, "threshold_", "ThresholdBackward1")


@op("HardshrinkBackwardBackward0", kind="slope")
def hardshrink_slope(xp, self, at, *, lambd):
    return backend.where(xp, (at >= -lambd) & (at <= lambd), 0.0, self)


hardshrink_slope.slope(
    self=lambda F, grad, at, lambd: F.hardshrink_slope(grad, at, lambd=lambd),
    at=lambda F, grad, at: F.zeros_like(at),
)
twin(hardshrink_slope, "softshrink_slope", "SoftshrinkBackwardBackward0")


@op("HardshrinkBackward0", dtypes="floating")
def hardshrink(xp, self, *, lambd=0.5):
    return backend.where(xp, (self >= -lambd) & (self <= lambd), 0.0, self)


hardshrink.slope(self=lambda F, grad, self, lambd: F.hardshrink_slope(grad, self, lambd=lambd))


@op("SoftshrinkBackward0", dtypes="floating")
def softshrink(xp, self, *, lambd=0.5):
    low, high = (xp.asarray(limit, dtype=self.dtype) for limit in (-lambd, lambd))
    return xp.copysign(self - xp.minimum(high, xp.maximum(low, self)), self)  # copysign keeps the sign of a zero


softshrink.slope(self=lambda F, grad, self, lambd: F.softshrink_slope(grad, self, lambd=lambd))


@op("HardsigmoidBackwardBackward0", kind="slope")
def hardsigmoid_slope(xp, self, at):
    return xp.where((at > -3) & (at < 3), self * (1 / 6), xp.zeros_like(self))


hardsigmoid_slope.slope(self=lambda F, grad, at: F.hardsigmoid_slope(grad, at), at=lambda F, grad, at: F.zeros_like(at))


@op("HardsigmoidBackward0", dtypes="floating")
def hardsigmoid(xp, self):
    return _gate(xp, self) / 6


def _gate(xp, array):
    """x + 3, clipped to [0, 6]."""
    low, high = (xp.asarray(limit, dtype=array.dtype) for limit in (0, 6))
    return xp.minimum(xp.maximum(array + 3, low), high)


hardsigmoid.slope(self=lambda F, grad, self: F.hardsigmoid_slope(grad, self))


@op("HardswishBackwardBackward0", kind="slope")
def hardswish_slope(xp, self, at):
    inner = xp.where(at < 3, self * (at / 3 + 0.5), self)
    return xp.where(at <= -3, xp.zeros_like(self), inner)


hardswish_slope.slope(
    self=lambda F, grad, at: F.hardswish_slope(grad, at),
    at=lambda F, grad, self, at: F.hardsigmoid_slope(grad * self * 2, at),
)


@op("HardswishBackward0", dtypes="floating")
def hardswish(xp, self):
    return self * _gate(xp, self) / 6


hardswish.slope(self=lambda F, grad, self: F.hardswish_slope(grad, self))


@op("MishBackward0", dtypes="floating")
def mish(xp, self):
    return self * xp.tanh(xp.log1p(xp.exp(self)))


def _mish_slope(F, grad, self):
    gate = F.tanh(F.softplus(self))
    return grad * (gate + self * F.sigmoid(self) * (1 - gate * gate))


mish.slope(self=_mish_slope)

# -- gates --------------------------------------------------------------------------------------


@op("GluBackward0", kind="reduction", dtypes="floating")
def glu(xp, self, *, dim):
    """a · sigmoid(b) for the halves a and b along `dim`."""
    index, n = (slice(None),) * dim, self.shape[dim] // 2
    a, b = self[(*index, slice(0, n), ...)], self[(*index, slice(n, 2 * n), ...)]
    return a / (1 + xp.exp(-b))


def _glu_slope(F, grad, self, dim):
    n = self.shape[dim] // 2
    a, b = (F.slice_dim(self, dim=dim, start=i * n, stop=(i + 1) * n, step=1) for i in (0, 1))
    gate = F.sigmoid(b)
    return F.cat(grad * gate, grad * a * (gate * (1 - gate)), dim=dim)


def _half(dims, dim):
    return None if dims is None else tuple(n if i != dim or n is None else n // 2 for i, n in enumerate(dims))


glu.slope(self=_glu_slope)
note(glu, shape=_half, kernel="glu_cpu")


@op("PreluKernelBackward0", dtypes="floating")
def prelu(xp, self, weight):
    return xp.where(self > 0, self, weight * self)


prelu.slope(
    self=lambda F, grad, self, weight: F.where(self > 0, grad, weight * grad),
    weight=lambda F, grad, self: F.where(self > 0, 0.0, self * grad),
)
note(prelu, leads_on={"self": ("self",), "weight": ("weight",)}, by_zeros=True)

# -- in place -----------------------------------------------------------------------------------

# These slopes are computed from the result, because the input is overwritten.


def _elu_slope(F, grad, result, alpha, scale, input_scale):
    return F.where(result <= 0, grad * ((result + alpha * scale) * input_scale), grad if scale == 1 else grad * scale)


def _leaky_slope(F, grad, result, negative_slope):
    return F.leaky_relu_slope(grad, result, negative_slope=negative_slope)


for _rule, _name, _node, _slope in (
    (elu, "elu_", "EluBackward1", _elu_slope),
    (elu, "celu_", "CeluBackward1", _elu_slope),
    (leaky_relu, "leaky_relu_", "LeakyReluBackward1", _leaky_slope),
):
    _other = TABLE[_name] = copied(_rule, _rule.value, _node, self=_slope)
    _other.name = _name
note(TABLE["leaky_relu_"], kernel="leaky_relu_cpu")
for _name in ("hardshrink", "hardsigmoid", "hardswish", "mish", "prelu"):
    note(TABLE[_name], kernel=f"{_name}_cpu")

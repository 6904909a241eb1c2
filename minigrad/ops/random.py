"""Operators that fill a tensor with random numbers. The result does not depend on the input, so every slope is zero.

The numbers are drawn before (in `minigrad/random.py`) and are a parameter here. PyTorch's nodes have a different name
for each distribution. Imports standard. Read next: _tensors/methods/random.py.
"""

from ..core.rules import TABLE
from .note import note
from .standard import op, twin


@op("UniformBackward0", kind="random", dtypes="keep")
def uniform(xp, self, *, numbers):
    return xp.asarray(numbers)


uniform.slope(self=lambda F, grad: F.zeros_like(grad))

for _name, _node in {
    **{"normal": "NormalBackward0", "normal_mean": "NormalBackward1", "normal_std": "NormalBackward2"},
    **{"exponential": "ExponentialBackward0", "geometric": "GeometricBackward0", "cauchy": "CauchyBackward0"},
    **{"log_normal": "LogNormalBackward0", "bernoulli": "BernoulliBackward0"},
    **{"bernoulli_tensor": "BernoulliBackward1", "bernoulli_number": "BernoulliBackward2"},
    **{"random_range": "RandomBackward0", "random_to": "RandomBackward1", "random_any": "RandomBackward2"},
}.items():
    twin(uniform, _name, _node)
note(TABLE["bernoulli"], forms="several")


@op("NormalBackward3", kind="random", dtypes="keep")
def normal_both(xp, mean, std, *, numbers):
    return xp.asarray(numbers)


normal_both.slope(mean=lambda F, grad: F.zeros_like(grad), std=lambda F, grad: F.zeros_like(grad))

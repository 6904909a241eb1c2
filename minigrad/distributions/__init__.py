"""Distributions to sample from, with differentiable log-probabilities, as in PyTorch's `torch.distributions`.

Those that policy gradients and variational autoencoders use, one in each file. Imported on first use. Read next:
distribution.py, their base class.
"""

from .._messages.names import missing as _missing
from . import constraints, transforms
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .independent import Independent
from .kl import kl_divergence
from .multinomial import Multinomial
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .transformed_distribution import TransformedDistribution
from .transforms import ComposeTransform, SigmoidTransform, Transform
from .uniform import Uniform

__all__ = ["Bernoulli", "Categorical", "Distribution", "Multinomial", "MultivariateNormal", "Normal", "Uniform"]
__all__ += ["kl_divergence", "constraints", "transforms", "ComposeTransform", "Independent", "SigmoidTransform"]
__all__ += ["Transform", "TransformedDistribution"]

__getattr__ = _missing(__name__)

"""Distributions to sample from whose log-probabilities can be differentiated, as in PyTorch's `torch.distributions`.

Those that policy gradients and variational autoencoders name; a file each. Imported when first used. Read next:
distribution.py, what they have in common.
"""

from ..names import missing as _missing
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .kl import kl_divergence
from .multinomial import Multinomial
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .uniform import Uniform

__all__ = ["Bernoulli", "Categorical", "Distribution", "Multinomial", "MultivariateNormal", "Normal", "Uniform"]
__all__ += ["kl_divergence"]

__getattr__ = _missing(__name__)

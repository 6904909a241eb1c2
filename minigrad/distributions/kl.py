"""The Kullback-Leibler divergence, in closed form, between two distributions of the same class."""

from ..linalg import solve_lower
from .bernoulli import Bernoulli
from .categorical import Categorical
from .multivariate_normal import MultivariateNormal, squared_distance
from .normal import Normal


def kl_divergence(p, q):
    """E_p[log p - log q] in nats, of the batch shape. NotImplementedError for pairs without a closed form here.

    >>> import minigrad as torch
    >>> from minigrad.distributions import Normal, kl_divergence
    >>> kl_divergence(Normal(0.0, 1.0), Normal(1.0, 1.0))
    tensor(0.5000)
    """
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return (p.probs * (p.logits - q.logits)).sum(-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        return p.probs * (p.logits - q.logits) + (-p.logits).sigmoid().log() - (-q.logits).sigmoid().log()
    if isinstance(p, MultivariateNormal) and isinstance(q, MultivariateNormal):
        if p.event_shape != q.event_shape:
            gap = " " * 26  # PyTorch prints these spaces
            raise ValueError(
                f"KL-divergence between two Multivariate Normals with{gap}different event shapes cannot be computed"
            )
        spread = solve_lower(q._triangle, p._triangle).pow(2).sum((-2, -1))
        distance = squared_distance(q._triangle, q.loc - p.loc)
        return q.half_log_det() - p.half_log_det() + 0.5 * (spread + distance - p.event_shape[0])
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )

"""The Kullback-Leibler divergence, in closed form, between two distributions of one kind."""

from .bernoulli import Bernoulli
from .categorical import Categorical
from .normal import Normal


def kl_divergence(p, q):
    """E_p[log p - log q] in nats, of the batch shape. NotImplementedError where no closed form is given here.

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
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )

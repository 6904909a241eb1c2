"""Distances and similarities of vectors, comparisons of numbers, and the losses made of them.

First the functions, then the modules. Imports loss. Read next: container.py.
"""

from .._call.arguments import takes_tensors
from .._call.check import broadcast
from .._call.operators import OPERATORS
from .._machine.dtypes import promote_types
from .._tensors.creation import zeros_like
from .._tensors.methods.named import one_node
from .._tensors.methods.reduction import norm
from ..autograd.grad_mode import no_grad
from ..ops.words import negation as not_negated
from .activation import logsigmoid
from .applied import Applied
from .loss import Loss, chosen, constant, minus_from, plus, reduced

_norm = one_node("NormBackward1")(norm)  # the node's name inside a distance


@takes_tensors
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along `dim`; a norm smaller than `eps` is replaced by `eps`.

    >>> import minigrad as torch
    >>> torch.nn.functional.cosine_similarity(torch.tensor([[3.0, 4.0]]), torch.tensor([[4.0, 3.0]]))
    tensor([0.9600])
    """
    if x1.shape != x2.shape:  # the norm is taken after broadcasting, so a repeated axis counts each time
        size = broadcast(x1.shape, x2.shape)
        x1, x2 = x1.expand(size), x2.expand(size)
    kinds = {x.dtype for x in (x1, x2)}
    if not any(kind.is_floating_point for kind in kinds):
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is "
            f"{promote_types(x1.dtype, x2.dtype).legacy}"
        )
    x1, x2 = (x if x.is_floating_point() else x.to(promote_types(x1.dtype, x2.dtype)) for x in (x1, x2))
    norms = [x.norm(2, dim, keepdim=True).clone() for x in (x1, x2)]
    with no_grad():
        for norm in norms:
            norm.clamp_min_(eps)
    return ((x1 / norms[0]) * (x2 / norms[1])).sum(dim)


@takes_tensors
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """‖x1 - x2 + eps‖ₚ along the last axis.

    >>> F.pairwise_distance(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
    tensor([5.0000])
    """
    return _norm(plus(x1.sub(x2), eps), p, -1, keepdim)


@takes_tensors
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos for pairs (N, D) that belong together, `target` (N) 1; max(0, cos - margin) for the others, target -1.

    >>> a, b = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> F.cosine_embedding_loss(a, b, torch.tensor([1])), F.cosine_embedding_loss(a, b, torch.tensor([-1]))
    (tensor(1.), tensor(0.))
    """
    reduction = chosen(reduction, size_average, reduce)
    if target.dim() not in (0, 1):
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.dim() == input2.dim() == target.dim() + 1:
        raise RuntimeError(
            f"{target.dim()}D target tensor expects {target.dim() + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    tiny = 1e-12
    sizes = plus((input1 * input1).sum(-1), tiny) * plus((input2 * input2).sum(-1), tiny)
    cosine = (input1 * input2).sum(-1) / sizes.sqrt()
    none = zeros_like(cosine)
    together = OPERATORS["where"](target == 1, minus_from(1, cosine), none)
    return reduced(
        together + OPERATORS["where"](target == -1, OPERATORS["sub_number"](cosine, number=margin).clamp_min(0), none),
        reduction,
    )


@takes_tensors
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, margin - target · (input1 - input2)): with target 1 the first should be larger, with -1 the second.

    >>> F.margin_ranking_loss(torch.tensor([3.0]), torch.tensor([1.0]), torch.tensor([-1.0]))
    tensor(2.)
    """
    reduction = chosen(reduction, size_average, reduce)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return reduced(plus(_turned(target, input1 - input2), margin).clamp_min(0), reduction)


def _turned(target, gap):
    return -target * gap


@takes_tensors
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """The input where `target` is 1, max(0, margin - input) where it is -1: for distances of pairs.

    >>> F.hinge_embedding_loss(torch.tensor([0.3, 0.3]), torch.tensor([1, -1]), reduction="none")
    tensor([0.3000, 0.7000])
    """
    reduction = chosen(reduction, size_average, reduce)
    none = zeros_like(input)
    apart = OPERATORS["where"](target != 1, minus_from(margin, input).clamp_min(0), none)
    return reduced(apart + OPERATORS["where"](target != -1, input, none), reduction)


def triplet_margin_loss(
    anchor,
    positive,
    negative,
    margin=1.0,
    p=2,
    eps=1e-6,
    swap=False,
    size_average=None,
    reduce=None,
    reduction="mean",
):
    """max(0, margin + ‖anchor - positive‖ₚ - ‖anchor - negative‖ₚ): brings the anchor closer to the positive.

    With `swap`, the negative is also pushed away from the positive.

    >>> anchor, like, unlike = torch.tensor([[0.0]]), torch.tensor([[1.0]]), torch.tensor([[1.5]])
    >>> F.triplet_margin_loss(anchor, like, unlike)
    tensor(0.5000)
    """
    reduction = chosen(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced((plus(near, margin) - far).clamp_min(0), reduction)


@takes_tensors
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target · input)), for targets 1 and -1.

    >>> F.soft_margin_loss(torch.tensor([2.0, 2.0]), torch.tensor([1.0, -1.0]), reduction="none")
    tensor([0.1269, 2.1269])
    """
    reduction = chosen(reduction, size_average, reduce)
    constant("soft_margin_loss", target=target)
    for x in (target, input):
        if error := not_negated([x._data], {}):
            try:
                raise error
            finally:
                del error  # the error holds this frame: with the name it would be a cycle
    if not input.is_floating_point():
        raise RuntimeError(f"result type Float can't be cast to the desired output type {input.dtype.legacy}")
    loss = OPERATORS["soft_margin_loss"](input, target, reduction=reduction)
    return loss if loss.dtype is input.dtype else loss.to(input.dtype)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean binary cross entropy of scores over the classes, the last axis; any number of classes may be right.

    >>> F.multilabel_soft_margin_loss(torch.tensor([[2.0, -2.0, 0.0]]), torch.tensor([[1.0, 0.0, 1.0]]))
    tensor(0.3157)
    """
    reduction = chosen(reduction, size_average, reduce)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    loss = loss if weight is None else loss * weight
    return reduced(loss.sum(-1) / input.size(-1), reduction)


# -- as modules -----------------------------------------------------------------------------------


class CosineSimilarity(Applied):
    """The cosine of the angle between vectors along `dim`."""

    inputs, function = 2, staticmethod(cosine_similarity)

    def extra_repr(self) -> str:
        return ""


class PairwiseDistance(Applied):
    """‖x1 - x2‖ₚ along the last axis."""

    inputs, function = 2, staticmethod(pairwise_distance)

    def extra_repr(self) -> str:
        return ""


class CosineEmbeddingLoss(Loss):
    """Small if vectors that belong together point the same way, and the others do not."""

    inputs, function = 3, staticmethod(cosine_embedding_loss)


class MarginRankingLoss(Loss):
    """Small if the two numbers are in the order that `target` gives."""

    inputs, function = 3, staticmethod(margin_ranking_loss)


class HingeEmbeddingLoss(Loss):
    """Small if pairs that belong together have small distances, and the others distances above `margin`."""

    function = staticmethod(hinge_embedding_loss)


class TripletMarginLoss(Loss):
    """Small if an anchor is closer to a positive than to a negative, by `margin`.

    >>> import minigrad as torch
    >>> anchor = torch.zeros(1, 2)
    >>> torch.nn.TripletMarginLoss()(anchor, anchor + 1, anchor + 2)
    tensor(0.)
    """

    inputs, function = 3, staticmethod(triplet_margin_loss)

    def _keep(self, settings):
        if settings["margin"] <= 0:
            raise ValueError(
                f"TripletMarginLoss: expected margin to be greater than 0, got {settings['margin']} instead"
            )
        super()._keep(settings)


class SoftMarginLoss(Loss):
    """log(1 + exp(-target · input)), for targets 1 and -1."""

    function = staticmethod(soft_margin_loss)


class MultiLabelSoftMarginLoss(Loss):
    """The mean binary cross entropy of scores over the classes; any number of classes may be right."""

    function = staticmethod(multilabel_soft_margin_loss)

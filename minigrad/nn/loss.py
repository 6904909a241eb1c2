"""Losses: the distance between a prediction and its target, as one number to minimise. Functions, then modules.

`reduction` is "mean" (the default), "sum", or "none" for a loss of each element; `size_average` and `reduce` are its
older forms. Imports applied. Read next: ../ops/nn.py for the formulas; distance.py for losses of pairs.
"""

import math
import warnings

import numpy as np

from .._call import check
from .._call.arguments import takes_tensors
from .._call.operators import OPERATORS
from .._engine.storage import TensorBase
from .._machine.backend import namespace
from .._messages.foreign import refuse
from .._tensors.creation import full_like, ones
from .._tensors.methods.pieces import broadcast_tensors
from ..autograd.grad_mode import is_grad_enabled, no_grad
from ..core.tensor import wrap
from ..ops.note import known
from ..ops.words import subtraction
from .applied import Applied, in_order


def compare(input, target):
    """Input and target with the same size; warn if the sizes differ, raise if they can't be broadcast."""
    try:
        same = target._data.shape == input._data.shape
    except AttributeError:  # an argument is not a tensor: this line raises PyTorch's error
        same = target.size() == input.size()
    if same:
        return input, target
    warnings.warn(
        f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
        "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
        stacklevel=3,
    )
    check.broadcast(input.size(), target.size())
    return broadcast_tensors(input, target)  # a 0-d tensor gets axes, so its dtype then counts in the promotion


def chosen(reduction: str, size_average=None, reduce=None) -> str:
    """The reduction, which the older arguments override with a warning; ValueError for an unknown word."""
    if size_average is not None or reduce is not None:
        averages, reduces = size_average or size_average is None, reduce or reduce is None
        reduction = "mean" if averages and reduces else "sum" if reduces else "none"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
            stacklevel=3,
        )
    if reduction == "elementwise_mean":  # "mean" had this name for some months in 2018
        warnings.warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.", stacklevel=3)
        reduction = "mean"
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(loss, reduction: str):
    """The element losses, reduced to one number or unchanged."""
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def constant(function: str, **tensors):
    """Raise if one of the tensors requires grad: PyTorch has no derivative of the function for it."""
    for name, x in tensors.items():
        if x is not None and x.requires_grad and is_grad_enabled():
            raise RuntimeError(
                f"The function '{function}' is not differentiable with respect to argument '{name}'. This input cannot "
                "have requires_grad True."
            )


def plus(x, number):
    """x + number with a node of its own, as in PyTorch's losses."""
    return OPERATORS["add_number"](x, number=number) if x.is_floating_point() else x + float(number)


def minus_from(number, x):
    """number - x, where the number becomes a tensor without a history."""
    return full_like(x, number) - x


def _weighted(loss, weight, input, reduction: str):
    """The element losses times their weights; the mean divides by the sum of the weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    total = reduced(loss * weight, "sum" if reduction == "mean" else reduction)
    return total / weight.sum() if reduction == "mean" else total


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """(input - target)².

    >>> import minigrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """
    input, target = compare(input, target)
    reduction = chosen(reduction, size_average, reduce)
    if weight is not None:
        return _weighted((input - target).pow(2), weight, input, reduction)
    _floats("mse_cpu", input, target)
    return OPERATORS["mse_loss"](input, target, reduction=reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """|input - target|.

    >>> F.l1_loss(torch.tensor([1.0, 5.0]), torch.tensor([2.0, 2.0]))
    tensor(2.)
    """
    input, target = compare(input, target)
    reduction = chosen(reduction, size_average, reduce)
    loss = (input - target).abs()
    return reduced(loss, reduction) if weight is None else _weighted(loss, weight, input, reduction)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """½ (input - target)² / beta where |input - target| < `beta`, else |input - target| - ½ beta.

    >>> x = torch.tensor([0.5, 3.0], requires_grad=True)
    >>> F.smooth_l1_loss(x, torch.zeros(2), reduction="sum").backward()
    >>> x.grad  # at most 1, however far away
    tensor([0.5000, 1.0000])
    """
    input, target = compare(input, target)
    reduction = chosen(reduction, size_average, reduce)
    beta = beta.item() if isinstance(beta, TensorBase) else beta
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if not beta:
        return reduced((input - target).abs(), reduction)
    _floats("smooth_l1_cpu", input, target)
    return OPERATORS["smooth_l1_loss"](input, target, reduction=reduction, beta=beta)


def _floats(kernel, *inputs):
    """Raise unless an input has a floating-point dtype; the message names the `kernel`, as in PyTorch."""
    try:
        types = [x.dtype.numpy for x in inputs]
    except AttributeError:
        refuse("A loss", *inputs)
        raise
    if all(each.kind != "f" for each in types):
        raise check.not_implemented(kernel, np.result_type(*types))


def _cannot_be_cast(computed, wanted):
    return RuntimeError(f"result type {computed.legacy} can't be cast to the desired output type {wanted.legacy}")


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """½ (input - target)² where |input - target| < `delta`, else delta · (|input - target| - ½ delta).

    >>> F.huber_loss(torch.tensor([0.5, 3.0]), torch.zeros(2), reduction="none")
    tensor([0.1250, 2.5000])
    """
    input, target = compare(input, target)
    delta = delta.item() if isinstance(delta, TensorBase) else delta
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    _floats("huber_cpu", input, target)
    if not input.is_floating_point():
        raise _cannot_be_cast(target.dtype, input.dtype)
    reduction = chosen(reduction)
    if weight is None:
        loss = OPERATORS["huber_loss"](input, target, reduction=reduction, delta=delta)
        return loss if loss.dtype is input.dtype else loss.to(input.dtype)
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    loss = OPERATORS["huber_loss"](input, target, reduction="none", delta=delta)
    return reduced(loss * weight, reduction)


@takes_tensors
def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """target · (log(target) - input) for log-probabilities `input`: the divergence of two distributions.

    The reduction "batchmean" divides the sum by the batch size, as in the mathematical definition. With `log_target`,
    the target contains log-probabilities too.

    >>> p, q = torch.tensor([0.5, 0.5]), torch.tensor([0.9, 0.1])
    >>> F.kl_div(q.log(), p, reduction="sum")
    tensor(0.5108)
    """
    if size_average is None and reduce is None and reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides "
            "only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the "
            "same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    by_batch = reduction == "batchmean"
    reduction = chosen("sum" if by_batch else reduction, size_average, reduce)
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = OPERATORS["xlogy"](target, target) - target * input
    loss = reduced(loss, reduction)
    return loss / input.size(0) if by_batch and input.dim() else loss


@takes_tensors
def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    """exp(input) - target · input: the negative log-probability of a count whose expected value is exp(input).

    Without `log_input`, `input` is the expected value. `full` adds Stirling's approximation of the constant term.

    >>> F.poisson_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]))
    tensor(1.)
    """
    reduction = chosen(reduction, size_average, reduce)
    loss = input.exp() - target * input if log_input else input - target * plus(input, eps).log()
    if full:
        times = OPERATORS["mul_number"]
        turns = times(target, number=2 * math.pi) if target.is_floating_point() else target * (2 * math.pi)
        stirling = target * target.log() - target + times(turns.log(), number=0.5)
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return reduced(loss, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """½ (log(var) + (input - target)² / var), with a variance of at least `eps`: a Gaussian's negative log-density.

    `var` is a number or has the size of `input`; its last axis may be 1 or missing. `full` adds the constant term.

    >>> F.gaussian_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]), torch.tensor([4.0]))
    tensor(1.1931)
    """
    if isinstance(var, float):
        var = full_like(input, var)
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.ndim != var.ndim or sum(n for m, n in zip(input.size(), var.size(), strict=True) if m != n) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    return reduced(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """-(target · log(input) + (1 - target) · log(1 - input)) for probabilities `input`; each log is at least -100.

    Raises RuntimeError for an input outside [0, 1].

    >>> p = torch.tensor([0.9, 0.1], requires_grad=True)
    >>> F.binary_cross_entropy(p, torch.tensor([1.0, 1.0]), reduction="none")
    tensor([0.1054, 2.3026], grad_fn=<BinaryCrossEntropyBackward0>)
    """
    reduction = chosen(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "
            "deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.legacy} but expected {input.dtype.legacy}")
    _floats("binary_cross_entropy", input)
    if not ((input._data >= 0) & (input._data <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    if weight is None:
        return OPERATORS["binary_cross_entropy"](input, target, reduction=reduction)
    try:
        weight = weight.expand(input.shape)
    except RuntimeError:
        raise RuntimeError(
            f"Attempting to broadcast a dimension of length {weight.shape[-1]} at -1! Mismatching argument at index 1 "
            f"had {weight.shape}; but expected shape should be broadcastable to {list(input.shape)}"
        ) from None
    constant("binary_cross_entropy", weight=weight)
    return OPERATORS["binary_cross_entropy_weighted"](input, target, weight, reduction=reduction)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """`binary_cross_entropy` of sigmoid(input), without overflow; `pos_weight` multiplies the positive targets' loss.

    Raises ValueError if the sizes differ, and RuntimeError for a target of integers: convert it with `.float()`.

    >>> x = torch.tensor([0.0, 2.0], requires_grad=True)
    >>> F.binary_cross_entropy_with_logits(x, torch.tensor([1.0, 0.0]), reduction="sum").backward()
    >>> x.grad  # sigmoid(x) - target
    tensor([-0.5000,  0.8808])
    """
    reduction = chosen(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    _floats("log_sigmoid_cpu", input)
    if not target.is_floating_point():  # PyTorch computes in place, in the target's dtype
        subtraction({target.dtype.numpy.kind})
        raise _cannot_be_cast(input.dtype, target.dtype)
    if pos_weight is None and weight is None:
        loss = OPERATORS["bce_with_logits"](input, target, reduction=reduction)
        return loss if loss.dtype is target.dtype else loss.to(target.dtype)
    constant("binary_cross_entropy_with_logits", pos_weight=pos_weight, weight=weight)
    for each, pair in ((pos_weight, (pos_weight, input)), (weight, (input, weight))):
        if each is not None and each.shape != input.shape:
            made = check.broadcast(*(x.shape for x in pair))
            if tuple(made) != tuple(input.shape):
                said = f"output with shape {list(input.shape)} doesn't match the broadcast shape {list(made)}"
                raise RuntimeError(said)
    if pos_weight is None:
        loss = OPERATORS["bce_with_logits_weighted"](input, target, weight, reduction=reduction)
    else:
        weight = ones((), dtype=input.dtype, device=input.device) if weight is None else weight
        loss = OPERATORS["bce_with_logits_positive"](input, target, weight, pos_weight, reduction=reduction)
    return loss if loss.dtype is target.dtype else loss.to(target.dtype)


@takes_tensors
def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-input[n, target[n]] for log-probabilities `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `weight` (C) is a weight for each class; elements whose target is `ignore_index` don't count.
    Raises IndexError for a class that doesn't exist.

    >>> logp = torch.tensor([[0.7, 0.3], [0.4, 0.6]]).log()
    >>> F.nll_loss(logp, torch.tensor([0, 1]))
    tensor(0.4338)
    """
    reduction = chosen(reduction, size_average, reduce)
    if input.dim() == 2 and target.dim() > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.dtype.name not in ("int64", "uint8"):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.legacy}")
    if input.dim() == 1 and target.dim() > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input.dim() == 1 and target.numel() != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.numel()}")
    single = input.dim() == 1  # one example without a batch axis
    sizes = (1,) if single else target.shape
    n, classes, *places = (1, *input.shape) if single else input.shape
    if n != (sizes[0] if sizes else 0):
        raise ValueError(f"Expected input batch_size ({n}) to match target batch_size ({sizes[0] if sizes else 0}).")
    if not places and len(sizes) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if len(places) == 2 and len(sizes) != 3:
        raise RuntimeError(
            f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {len(sizes)}"
        )
    if tuple(sizes) != (n, *places):
        raise RuntimeError(f"Expected target size {[n, *places]}, got {list(sizes)}")
    labels = target._data
    inside = labels.size and 0 <= labels.min() and labels.max() < classes
    if not inside:
        wrong = labels[(labels != ignore_index) & ((labels < 0) | (labels >= classes))]
        if wrong.size:
            raise IndexError(f"Target {wrong.flat[0]} is out of bounds.")
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )
    _floats("nll_loss2d_forward_out_frame" if input.dim() > 2 else "nll_loss_out_frame", input)
    if weight is not None and weight.dtype is not input.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.legacy} but found {weight.dtype.legacy}")
    constant("nll_loss2d_forward" if input.dim() > 2 else "nll_loss_forward", weight=weight)
    if inside and weight is None and not 0 <= ignore_index < classes:  # each counts 1, as mostly
        counts = wrap(namespace(labels).ones(labels.shape, dtype=input._data.dtype))
    else:
        counts = _counted(target, input.dtype, weight, ignore_index)
    if input.dim() <= 2:
        if single and target.dim():
            target, counts = target.reshape(()), counts.reshape(())
        return OPERATORS["nll_loss"](input, target, counts, reduction=reduction)
    if input.dim() == 4:
        return OPERATORS["nll_loss2d"](input, target, counts, reduction=reduction)
    size = n, classes, 1, math.prod(places)  # PyTorch reshapes other numbers of axes to an image
    image, places = input.reshape(size), (size[0], *size[2:])
    loss = OPERATORS["nll_loss2d"](image, target.reshape(places), counts.reshape(places), reduction=reduction)
    return loss.view(sizes) if reduction == "none" else loss


def _counted(target, dtype, weight, ignore_index: int):
    """The weight of each element: 1, or the weight of its class, or 0 where it is ignored."""
    ignored = target == ignore_index
    if weight is None:
        return (~ignored).to(dtype)
    return weight.detach()[target.masked_fill(ignored, 0)].masked_fill(ignored, 0)


@takes_tensors
@known(called="cross_entropy_loss")
def cross_entropy(
    input,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    """-log softmax(input)[target] for scores `input` (N, C, …), or (C), and classes `target` (N, …), or ().

    `target` may also contain a probability for each class, with the size and dtype of `input`.

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(1, 10), torch.tensor([3]))  # log(10)
    tensor(2.3026)
    """
    reduction = chosen(reduction, size_average, reduce)
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    probabilities = target.size() == input.size()
    if probabilities and not target.is_floating_point():
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {target.dtype.legacy}"
        )
    if probabilities and ignore_index >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    dim = 0 if input.dim() == 1 else 1
    if probabilities and weight is not None and tuple(weight.shape) != (classes := input.size(dim),):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {list(weight.shape)}"
        )
    logs, classes = input.log_softmax(dim), input.size(dim)

    def weighed(losses):
        return losses if weight is None else losses * weight.view(-1, *(1,) * (input.dim() - 1 - dim))

    if probabilities:
        if label_smoothing:
            target = target * (1 - label_smoothing) + label_smoothing / classes
        each = weighed(logs * target)
        if reduction == "mean":
            return OPERATORS["per_example"](-each.sum(), examples=input.numel() // classes)
        return -(each.sum(dim) if reduction == "none" else each.sum())
    loss = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if not label_smoothing:
        return loss
    smooth = weighed(logs).sum(dim).neg().masked_fill(target == ignore_index, 0)
    if reduction == "mean":
        smooth = smooth.sum() / _counted(target, input.dtype, weight, ignore_index).sum()
    elif reduction == "sum":
        smooth = smooth.sum()
    times = OPERATORS["mul_number"]
    return times(loss, number=1 - label_smoothing) + times(smooth, number=label_smoothing / classes)


# -- as modules -----------------------------------------------------------------------------------


class Loss(Applied):
    """Base of the losses: a weight of classes or elements is a buffer; `size_average` and `reduce` are not stored."""

    inputs = 2

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._settings = tuple(name for name in cls._settings if name not in ("size_average", "reduce"))

    def _keep(self, settings):
        older = settings.pop("size_average", None), settings.pop("reduce", None)
        if older != (None, None):
            settings["reduction"] = chosen(settings["reduction"], *older)
        for name, value in settings.items():
            if name in ("weight", "pos_weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def forward(self, *inputs, **named):
        if named:  # criterion(input=x, target=y)
            inputs = in_order(type(self), inputs, named)
        own, kind = self.__dict__, type(self)
        settings = {name: own[name] if name in own else getattr(self, name) for name in kind._settings}
        return kind.function(*inputs, **settings)

    def extra_repr(self) -> str:
        return ""


class MSELoss(Loss):
    """The mean (or sum) of (input - target)². Warns if the sizes differ.

    >>> import minigrad as torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 1.0]))
    tensor(2.)
    """

    function, settings = staticmethod(mse_loss), "size_average reduce reduction"


class L1Loss(Loss):
    """The mean (or sum) of |input - target|."""

    function, settings = staticmethod(l1_loss), "size_average reduce reduction"


class SmoothL1Loss(Loss):
    """Quadratic where |input - target| < `beta`, else like L1Loss."""

    function = staticmethod(smooth_l1_loss)


class HuberLoss(Loss):
    """Quadratic where |input - target| < `delta`, else linear with the slope `delta`."""

    function, settings = staticmethod(huber_loss), "reduction delta"


class KLDivLoss(Loss):
    """The divergence of the distribution `target` from the input, which is log-probabilities; best with "batchmean".

    >>> import minigrad as torch
    >>> certain, coin = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.5, 0.5]])
    >>> torch.nn.KLDivLoss(reduction="batchmean")(coin.log(), certain)  # log(2)
    tensor(0.6931)
    """

    function = staticmethod(kl_div)


class PoissonNLLLoss(Loss):
    """The negative log-probability of counts; the input is their expected value's logarithm, or the value itself."""

    function = staticmethod(poisson_nll_loss)


class GaussianNLLLoss(Loss):
    """The negative log-density of targets under Gaussians: `loss(mean, target, variance)`."""

    inputs, function, settings = 3, staticmethod(gaussian_nll_loss), "* full eps reduction"


class NLLLoss(Loss):
    """The negative log-probabilities (N, C, …) of the target classes (N, …)."""

    function = staticmethod(nll_loss)


class CrossEntropyLoss(Loss):
    """Log-softmax of scores (N, C, …), then NLLLoss with target classes (N, …); or target probabilities (N, C, …).

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.zeros(2, 10), torch.tensor([3, 7]))  # log(10): it has no idea
    tensor(2.3026)
    """

    function = staticmethod(cross_entropy)


class BCELoss(Loss):
    """Binary cross entropy of probabilities."""

    function = staticmethod(binary_cross_entropy)


class BCEWithLogitsLoss(Loss):
    """Binary cross entropy of scores: a sigmoid turns them into probabilities."""

    function = staticmethod(binary_cross_entropy_with_logits)

"""Lazy layers: the first input sets their number of features, and turns them into ordinary layers.

Imports linear and convolution. Read next: container.py.
"""

from inspect import Signature, signature
from typing import Any

from .._tensors.creation import empty
from .convolution import Conv1d, Conv2d
from .linear import Linear


class Lazy:
    """Base of the lazy layers, before the ordinary layer in the bases; the first call changes the object's class."""

    features: str  # the layer's attribute that is unknown at first
    axis: int  # the axis of the input with that size
    __signature__: Signature

    def __init_subclass__(cls) -> None:
        layer: Any = cls.__bases__[1]
        cls.__signature__ = Signature([*signature(layer).parameters.values()][1:])

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(0, *args, **kwargs)  # type: ignore[call-arg]

    def reset_parameters(self) -> None:
        """Does nothing, because the sizes are not known yet."""

    def _load_from_state_dict(self: Any, state_dict: Any, prefix: str, *rest: Any) -> None:
        saved = state_dict.get(prefix + "weight")
        if saved is not None and not self.weight.numel():  # the loaded weight has the number of features
            self.weight.data = empty(tuple(saved.shape), dtype=self.weight.dtype, device=self.weight.device)
        super()._load_from_state_dict(state_dict, prefix, *rest)  # type: ignore[misc]

    def forward(self: Any, input: Any) -> Any:
        given, weight = input.shape[self.axis], self.weight
        rows, _, *window = weight.shape
        waiting = not weight.numel()
        if waiting:
            size = rows, given // getattr(self, "groups", 1), *window
            weight.data = empty(size, dtype=weight.dtype, device=weight.device)
        setattr(self, self.features, given)
        self.__class__ = type(self).__bases__[1]
        if waiting:
            self.reset_parameters()
        return self.forward(input)


class LazyLinear(Lazy, Linear):
    """A Linear whose in_features is set by the first input.

    >>> import minigrad as torch
    >>> layer = torch.nn.LazyLinear(2)
    >>> layer(torch.zeros(5, 3)).shape, layer
    (torch.Size([5, 2]), Linear(in_features=3, out_features=2, bias=True))
    """

    features, axis = "in_features", -1


class LazyConv1d(Lazy, Conv1d):
    """A Conv1d whose in_channels is set by the first input."""

    features, axis = "in_channels", -2


class LazyConv2d(Lazy, Conv2d):
    """A Conv2d whose in_channels is set by the first input."""

    features, axis = "in_channels", -3

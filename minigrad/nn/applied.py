"""Applied: a function of functional.py as a module, for those that have settings but nothing to learn.

Activations, losses, pools. What such a module is made with is what its function takes after the inputs; as with
the rules of operators, the signature is read once, at import. Imports module. Read next: activation.py.
"""

from collections.abc import Callable
from inspect import Signature, signature
from typing import Any

from .module import Module


class Applied(Module):
    """Calls its `function` with the inputs, and with the settings that it was made with and keeps as attributes.

    >>> from minigrad import nn
    >>> nn.LeakyReLU(0.2), nn.LeakyReLU(0.2).negative_slope
    (LeakyReLU(negative_slope=0.2), 0.2)
    """

    function: Callable[..., Any]
    inputs = 1  # how many arguments of the function are given at each call
    __signature__: Signature  # which help and the Shift-Tab key show

    def __init_subclass__(cls) -> None:
        if "function" in vars(cls):
            cls.__signature__ = Signature([*signature(cls.function).parameters.values()][cls.inputs :])

    def __init__(self, *args, **kwargs):
        super().__init__()
        settings = self.__signature__.bind(*args, **kwargs)
        settings.apply_defaults()
        self.__dict__.update(settings.arguments, _settings=tuple(settings.arguments))

    def forward(self, *inputs):
        own = self.__dict__
        return self.function(*inputs, **{name: own[name] for name in self._settings})

    def extra_repr(self) -> str:
        shown = [name for name in self._settings if name not in ("inplace", "dtype") or getattr(self, name)]
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)

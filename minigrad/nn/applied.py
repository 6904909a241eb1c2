"""Applied: a function of functional.py as a module, for those that have settings but nothing to learn.

Activations, losses, pools. What such a module is made with is what its function takes after the inputs; as with
the rules of operators, the signature is read once, at import. Imports module. Read next: activation.py.
"""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
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
    settings: str | None = (
        None  # which of the others the module takes, and in which order, if not all in theirs; "*" as in a def
    )
    __signature__: Signature  # which help and the Shift-Tab key show
    _settings: tuple[str, ...]  # the names of the settings

    def __init_subclass__(cls) -> None:
        if "function" in vars(cls):
            given = [*signature(cls.function).parameters.values()][cls.inputs :]
            if cls.settings is not None:
                by_name = {parameter.name: parameter for parameter in given}
                before, _, after = cls.settings.partition("*")
                given = [by_name[name] for name in before.split()]
                given += [by_name[name].replace(kind=Parameter.KEYWORD_ONLY) for name in after.split()]
            cls.__signature__ = Signature(given)
            cls._settings = tuple(parameter.name for parameter in given)

    def __init__(self, *args, **kwargs):
        super().__init__()
        settings = self.__signature__.bind(*args, **kwargs)
        settings.apply_defaults()
        self._keep(settings.arguments)

    def _keep(self, settings: dict[str, Any]) -> None:
        for name, value in settings.items():
            setattr(self, name, value)

    def forward(self, *inputs, **named):
        if named:  # criterion(input=x, target=y)
            inputs = in_order(type(self), inputs, named)
        own, kind, settings = self.__dict__, type(self), {}
        for name in kind._settings:
            if name in own:
                settings[name] = own[name]
        return kind.function(*inputs, **settings)

    def extra_repr(self) -> str:
        names = self.__signature__.parameters
        shown = [name for name in names if name not in ("inplace", "dtype") or getattr(self, name)]
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)


def in_order(kind: type[Applied], inputs: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    """Inputs of which some are given by their names, as the function takes them; TypeError as a `def` raises it."""
    parameters = [*signature(kind.function).parameters.values()][: kind.inputs]
    try:
        return Signature(parameters).bind(*inputs, **named).args
    except TypeError as error:
        raise TypeError(f"{kind.__name__}.forward() {error}") from None

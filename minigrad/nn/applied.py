"""Applied: turns a function of functional.py that has settings but no parameters into a module.

Activations, losses and pools are such modules. The constructor takes the function's arguments that follow the inputs.
The function's signature is read once, at import. Imports module. Read next: activation.py.
"""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

from .module import Module


class Applied(Module):
    """Calls its `function` with the inputs and with its settings: the constructor's arguments, kept as attributes.

    >>> from minigrad import nn
    >>> nn.LeakyReLU(0.2), nn.LeakyReLU(0.2).negative_slope
    (LeakyReLU(negative_slope=0.2), 0.2)
    """

    function: Callable[..., Any]
    inputs = 1  # how many arguments of the function are passed at each call
    settings: str | None = (
        None  # names of the constructor's arguments, in order, if they differ from the function's; "*" as in a def
    )
    __signature__: Signature  # shown by help and by Shift-Tab
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
    """The inputs in the function's order when some are passed by name; raises TypeError as a `def` does."""
    parameters = [*signature(kind.function).parameters.values()][: kind.inputs]
    try:
        return Signature(parameters).bind(*inputs, **named).args
    except TypeError as error:
        raise TypeError(f"{kind.__name__}.forward() {error}") from None

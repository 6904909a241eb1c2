"""The public switches: recording on and off, inference, anomaly detection, saved-tensor hooks.

Each is a context manager, can be nested, and affects only its own thread; those for recording decorate functions too.
Imports switches. Read next: autograd/function.py.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from .._engine.switches import Switch, modes, own_switches, turn


class Decorator(Switch):
    """A switch that can also decorate a function or a generator."""

    def clone(self) -> Switch:
        """A new switch, for each call of a decorated function."""
        return Switch(**self.switches)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):
            return _steps(self.clone, function)
        switched_function = function
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            switched_function = lambda *args, **kwargs: function(*args, **kwargs)  # noqa: E731  # unnamed in PyTorch

        @functools.wraps(switched_function)
        def switched(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return switched


def _steps(switch: Callable[[], Switch], function: Callable[..., Any]) -> Callable[..., Any]:
    """A generator function whose steps run with the switch set, while code between the steps runs without it."""

    @functools.wraps(function)
    def steps(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        step, given = generator.send, None
        while True:
            try:
                with switch():
                    value = step(given)
            except StopIteration as stop:
                return stop.value
            try:
                step, given = generator.send, (yield value)
            except GeneratorExit:
                with switch():
                    generator.close()
                raise
            except BaseException as error:
                step, given = generator.throw, error

    return steps


class _Named(Decorator):
    """A switch that can be used as a decorator without parentheses: `@no_grad`."""

    setting: dict[str, Any] = {}

    def __new__(cls, mode: Any = None) -> Any:
        return cls()(mode) if callable(mode) else super().__new__(cls)

    def __init__(self) -> None:
        self.switches, self.stood = self.setting, []  # faster than Switch(**self.setting)


class no_grad(_Named):
    """Switch recording off inside: results require no gradient. Also `@no_grad()`.

    >>> import minigrad as torch
    >>> w = torch.ones(1, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = w * 2
    >>> y.requires_grad
    False
    """

    setting = {"grad": False}


class enable_grad(_Named):
    """Switch recording on inside, also within `no_grad`."""

    setting = {"grad": True}


class _FromNowOn(Switch):
    """A switch that is set by its constructor; with `with`, it is reset at the end."""

    def __init__(self, **switches: Any):
        super().__init__(**switches)
        self.outside = {name: getattr(modes, name) for name in switches}
        try:
            turn(switches)
        except BaseException:  # Ctrl-C: there is no block yet that could reset it
            turn(self.outside)
            raise

    def __enter__(self) -> Any:
        try:
            self._begin(own_switches(), modes.summed(self.outside))
        except BaseException:  # Ctrl-C: the block is not entered
            turn(self.outside)
            raise


class set_grad_enabled(_FromNowOn, Decorator):
    """Switch recording on or off from now on; with `with`, inside the block; as a decorator, inside the function."""

    def __init__(self, mode: bool):
        super().__init__(grad=bool(mode))

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        turn(self.outside)  # as a decorator, it affects only the function
        return super().__call__(function)


class inference_mode(_Named):
    """Like no_grad; tensors created inside can never be part of a graph. With False, the reverse of both."""

    def __init__(self, mode: bool = True):
        self.setting = {"grad": not mode, "inference": mode}
        super().__init__()


class set_detect_anomaly(_FromNowOn):
    """Switch anomaly detection on or off: backward stops at the first nan, and names the line that made its node."""

    def __init__(self, mode: bool, check_nan: bool = True):
        super().__init__(anomaly=bool(mode), check_nan=check_nan)


class detect_anomaly(Switch):
    """Switch anomaly detection on inside the block."""

    def __init__(self, check_nan: bool = True):
        super().__init__(anomaly=True, check_nan=check_nan)
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            UserWarning,
            stacklevel=2,
        )


class saved_tensors_hooks(Switch):
    """Inside, a node saves `pack` of each tensor instead of the tensor; backward gets the tensor from `unpack`."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]):
        super().__init__()
        self.hooks = (pack_hook, unpack_hook)

    def __enter__(self) -> Any:
        self.switches = {"saved_hooks": (*modes.saved_hooks, self.hooks)}
        super().__enter__()


def is_grad_enabled() -> bool:
    """Whether recording is on in this thread.

    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return modes.grad


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode.

    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled()
    True
    """
    return modes.inference


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on in this thread.

    >>> torch.is_anomaly_enabled()
    False
    """
    return modes.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly detection looks for nan.

    >>> torch.is_anomaly_check_nan_enabled()
    True
    """
    return modes.check_nan

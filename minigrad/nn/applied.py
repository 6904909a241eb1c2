"""Applied: a function of functional.py as a module, for those that have settings but nothing to learn.

Activations, losses, pools. Imports module. Read next: activation.py.
"""

from collections.abc import Callable
from typing import Any

from .module import Module


class Applied(Module):
    """Calls its `function` with the inputs, and with the settings that it was made with and keeps as attributes."""

    function: Callable[..., Any]
    _settings: tuple[str, ...] = ()

    def _made_with(self, **settings) -> None:
        """The `__init__` of those that have settings."""
        super().__init__()
        self.__dict__.update(settings, _settings=tuple(settings))

    def forward(self, *inputs):
        own = self.__dict__
        return self.function(*inputs, **{name: own[name] for name in self._settings})

    def extra_repr(self) -> str:
        shown = {name: getattr(self, name) for name in self._settings}
        return ", ".join(f"{name}={value!r}" for name, value in shown.items() if name != "inplace" or value)

"""Containers: modules that hold modules, in order or by name.

Imports module. Read next: activation.py, for what usually stands between two layers of a Sequential.
"""

from collections.abc import Mapping
from itertools import groupby

from .module import Module


class Row(Module):
    """What Sequential and ModuleList share: modules in order, found by their place."""

    def append(self, module):
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def _name_at(self, index) -> str:
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __getitem__(self, index):
        return self._modules[self._name_at(index)]

    def __setitem__(self, index, module) -> None:
        setattr(self, self._name_at(index), module)


class Sequential(Row):
    """Modules one after the other: each gets what the one before it gave. An OrderedDict gives them names.

    >>> import minigrad as torch
    >>> from minigrad import nn
    >>> nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args):
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], Mapping) else enumerate(args)
        for name, module in named:
            self.add_module(str(name), module)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(dict(list(self._modules.items())[index]))
        return super().__getitem__(index)

    def forward(self, input):
        for module in self:
            input = module(input)
        return input


class ModuleList(Row):
    """A list whose modules count as parts of this module. It has no forward: loop over it.

    >>> from minigrad import nn
    >>> nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    """

    def __init__(self, modules=()):
        super().__init__()
        self.extend(modules)

    def extend(self, modules):
        """Add several modules at the end."""
        for module in modules:
            self.append(module)
        return self

    def __getitem__(self, index):
        return ModuleList(list(self)[index]) if isinstance(index, slice) else super().__getitem__(index)

    def _told(self) -> list[str]:
        """Neighbours that read the same are told once: `(0-2): 3 x Linear(…)`."""
        lines, first = [], 0
        for text, run in groupby(map(repr, self)):
            count = len(list(run))
            last = first + count - 1
            lines.append(f"({first}): {text}" if count == 1 else f"({first}-{last}): {count} x {text}")
            first = last + 1
        return lines


class ModuleDict(Module):
    """A dict whose modules count as parts of this module."""

    def __init__(self, modules=None):
        super().__init__()
        for name, module in (modules or {}).items():
            self.add_module(name, module)

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module) -> None:
        self.add_module(key, module)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key) -> bool:
        return key in self._modules

    def keys(self):
        """The names."""
        return self._modules.keys()

    def values(self):
        """The modules."""
        return self._modules.values()

    def items(self):
        """(name, module) pairs."""
        return self._modules.items()

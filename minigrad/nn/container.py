"""Containers: modules that hold modules, or parameters, in order or by name.

Imports module. Read next: activation.py, for the usual modules between two layers of a Sequential.
"""

from collections.abc import Mapping
from itertools import groupby, islice
from operator import index as whole
from textwrap import indent

from .._messages.names import explains_keywords
from .._tensors.tensor import Tensor
from .module import Module, typename
from .parameter import Parameter


class Row(Module):
    """Base of Sequential and ModuleList: modules in order, found by their index."""

    def append(self, module):
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    @explains_keywords
    def extend(self, modules):
        """Add several modules at the end."""
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, key):
        """Remove the module at an index, and return it."""
        module = self[key]
        del self[key]
        return module

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __iadd__(self, modules):
        return self.extend(modules)

    def _name_at(self, index) -> str:
        index = whole(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return next(islice(self._modules, index % len(self), None))

    def __getitem__(self, index):
        return self._modules[self._name_at(index)]

    def __setitem__(self, index, module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index) -> None:
        names = list(self._modules)[index] if isinstance(index, slice) else [self._name_at(index)]
        for name in names:
            delattr(self, name)
        self._number(list(self))

    def _number(self, modules) -> None:
        """Name these modules "0", "1" …"""
        self._modules.clear()
        self._modules.update((str(i), module) for i, module in enumerate(modules))


class Sequential(Row):
    """Modules that run one after the other: each gets the output of the previous one. An OrderedDict gives them names.

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
            self.add_module(name if isinstance(name, str) else str(name), module)

    def insert(self, index, module):
        """Insert a module before `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._number(modules)
        return self

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(dict(list(self._modules.items())[index]))
        return super().__getitem__(index)

    def __add__(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __mul__(self, times):
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return Sequential(*list(self) * times)

    __rmul__ = __mul__

    def forward(self, input):
        for module in self._modules.values():
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

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def insert(self, index, module) -> None:
        """Insert a module before `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._number(modules)

    def __getitem__(self, index):
        return type(self)(list(self)[index]) if isinstance(index, slice) else super().__getitem__(index)

    def __add__(self, other):
        return ModuleList([*self, *other])

    def _told(self) -> list[str]:
        """Lines for repr: neighbours with the same text share one line, `(0-2): 3 x Linear(…)`."""
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
        if modules is not None:
            self.update(modules)

    def update(self, modules) -> None:
        """Add the modules of a dict, or of (name, module) pairs."""
        for name, module in modules.items() if isinstance(modules, Mapping | ModuleDict) else modules:
            self[name] = module

    def pop(self, key):
        """Remove a module, and return it."""
        module = self[key]
        del self[key]
        return module

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key) -> None:
        del self._modules[key]

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


# -- of parameters ------------------------------------------------------------------------------


def _as_parameter(value):
    """A tensor as a Parameter; anything else as it is."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _described(name, value, type_of) -> str:
    """The line about an entry, as PyTorch prints it."""
    if not isinstance(value, Tensor):
        return f"({name}): Object of type: {typename(value)}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    size = "x".join(map(str, value.shape))
    return f"({name}): {kind} containing: [{type_of(value)} of size {size}]"


class ParameterList(Module):
    """A list whose tensors are parameters of this module, named "0", "1" …

    >>> import minigrad as torch
    >>> torch.nn.ParameterList([torch.ones(2), torch.zeros(1, 2)])
    ParameterList(
        (0): Parameter containing: [torch.float32 of size 2]
        (1): Parameter containing: [torch.float32 of size 1x2]
    )
    """

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def append(self, value):
        """Add an entry at the end."""
        self._size += 1
        self[len(self) - 1] = value
        return self

    def extend(self, values):
        """Add several entries at the end."""
        for value in list(values):
            self.append(value)
        return self

    def _name_at(self, index) -> str:
        index = whole(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return str(index % len(self))

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return getattr(self, self._name_at(index))

    def __setitem__(self, index, value) -> None:
        setattr(self, self._name_at(index), _as_parameter(value))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __iadd__(self, values):
        return self.extend(values)

    def __repr__(self) -> str:
        lines = [_described(i, value, lambda tensor: tensor.dtype) for i, value in enumerate(self)]
        return f"ParameterList(\n{indent(chr(10).join(lines), '    ')}\n)" if lines else "ParameterList()"


class ParameterDict(Module):
    """A dict whose tensors are parameters of this module."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def update(self, parameters) -> None:
        """Add the entries of a dict, or of (name, value) pairs."""
        for key, value in parameters.items() if isinstance(parameters, Mapping | ParameterDict) else parameters:
            self[key] = value

    def get(self, key, default=None):
        """The entry of this name, or `default`."""
        return self[key] if key in self else default

    def pop(self, key):
        """Remove an entry, and return it."""
        value = self[key]
        del self[key]
        return value

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, key):
        return getattr(self, self._checked(key))

    def __setitem__(self, key, value) -> None:
        self._keys[key] = None
        setattr(self, self._checked(key), _as_parameter(value))

    def __delitem__(self, key) -> None:
        del self._keys[key]
        delattr(self, key)

    def __iter__(self):
        return iter(self._keys)

    def __contains__(self, key) -> bool:
        return key in self._keys

    def _checked(self, key) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{typename(key)}'). Open an issue on github if you need non-string keys."
            )
        return key

    def keys(self):
        """The names."""
        return self._keys.keys()

    def values(self):
        """The entries."""
        return (self[key] for key in self)

    def items(self):
        """(name, entry) pairs."""
        return ((key, self[key]) for key in self)

    def __repr__(self) -> str:
        lines = [_described(key, value, lambda tensor: tensor.type()) for key, value in self.items()]
        return f"ParameterDict(\n{indent(chr(10).join(lines), '    ')}\n)" if lines else "ParameterDict()"

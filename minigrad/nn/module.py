"""Module: a part of a network, made of parameters, buffers and smaller modules.

Assigning a Parameter or a Module to an attribute stores it only in a dict of the module (`_parameters`, `_modules`);
`register_buffer` stores a tensor that is state but not trained. `__getattr__` finds them. All other methods loop over
these dicts: `parameters()`, `to()`, `train()`, `repr`. Calling a module calls its `forward`.
Imports parameter, state and hooks. Read next: linear.py, the smallest module; state.py; hooks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import indent
from typing import Any

from .._engine.switches import modes
from .._machine.dtypes import float16, float32, float64
from .._messages.foreign import refuse
from .._messages.names import lacks, refused_keyword
from .._messages.places import fold_our_frames
from .._tensors.tensor import Tensor
from ..core.modes import switched
from .hooks import Hooks
from .parameter import Parameter, forget
from .state import State

Pairs = Iterator[tuple[str, Any]]


def typename(thing: Any) -> str:
    """The name of a value's type in PyTorch's errors: "torch.FloatTensor", "int", "mine.Net"."""
    if isinstance(thing, Tensor):
        return thing.type()
    kind = thing if isinstance(thing, type) else type(thing)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def unusual(module: Module, **defaults: Any) -> str:
    """For `extra_repr`: the settings that differ from their defaults, as ", name=value"."""
    settings = ((name, getattr(module, name), default) for name, default in defaults.items())
    return "".join(f", {name}={value}" for name, value, default in settings if value != default)


class Module(State, Hooks):
    """Base of all networks: in a subclass, create the parts in `__init__` and compute in `forward`.

    >>> import minigrad as torch
    >>> from minigrad import nn
    >>> class Net(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = nn.Linear(2, 3)
    ...         self.scale = nn.Parameter(torch.ones(1))
    ...     def forward(self, x):
    ...         return self.hidden(x).relu() * self.scale
    >>> net = Net()
    >>> net
    Net(
      (hidden): Linear(in_features=2, out_features=3, bias=True)
    )
    >>> [name for name, _ in net.named_parameters()]
    ['scale', 'hidden.weight', 'hidden.bias']
    >>> net(torch.zeros(5, 2)).shape
    torch.Size([5, 3])
    """

    call_super_init = False  # PyTorch's switch for multiple inheritance

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and (args or kwargs):
            found = f"takes 1 positional argument but {len(args) + 1} were given"
            if kwargs:
                found = f"got an unexpected keyword argument '{next(iter(kwargs))}'"
            raise TypeError(f"{type(self).__name__}.__init__() {found}")
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set())
        self.__dict__.update(self._no_hooks())
        self.__dict__["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copied or unpickled module; attributes that an older version lacks get their defaults."""
        self.__dict__.update(state)
        for name, nothing in {**self._no_hooks(), "_non_persistent_buffers_set": set()}.items():
            self.__dict__.setdefault(name, nothing)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output. Every subclass defines it. Call the module itself, not this method."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        own = self.__dict__  # read once: attribute access is slow in a class with a `__getattr__`
        try:
            hooked = (
                own["_backward_hooks"]
                or own["_backward_pre_hooks"]
                or own["_forward_hooks"]
                or own["_forward_pre_hooks"]
            )
        except KeyError as error:  # `super().__init__()` was not called
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{error.args[0]}'") from None
        if switched and modes.tracing is not None:
            modes.tracing.modules.append(self)  # its training mode is part of the trace's key: see _tracing/call.py
        try:
            return self._call_with_hooks(args, kwargs) if hooked else self.forward(*args, **kwargs)
        except Exception as error:
            fold_our_frames(error)
            refuse(f"{type(self).__name__}()", args, kwargs)
            if refused := refused_keyword(error):
                try:
                    raise refused from None
                finally:
                    del refused  # the error holds this frame: with the name it would be a cycle
            raise

    # -- attributes that the module owns ----------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        """Called only for names that are not ordinary attributes."""
        own = self.__dict__
        if "_parameters" in own and name in (parameters := own["_parameters"]):
            return parameters[name]
        for entries in OWNED[1:]:
            if entries in own and name in own[entries]:
                return own[entries][name]
        raise AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'{lacks('torch.nn.Module', name)}"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        """Register a Parameter or a Module under the name; a parameter's name accepts only a Parameter or None."""
        own = self.__dict__
        for entries, kind, word, words in KINDS:
            fits, known = isinstance(value, kind), name in own.get(entries, ())
            if fits and entries not in own:
                raise AttributeError(f"cannot assign {word} before Module.__init__() call")
            if not fits and not known:
                continue
            if not fits and value is not None:
                refuse(f"The attribute '{name}'", value)
                raise TypeError(f"cannot assign '{typename(value)}' as {words.format(name)} or None expected)")
            if fits:
                own.pop(name, None)
                self._forget(name, keep=entries)
            if kind is Parameter:
                return self.register_parameter(name, value)
            own[entries][name] = value
            return None
        refuse(f"The attribute '{name}'", value)
        if name not in own.get("_buffers", ()):
            return object.__setattr__(self, name, value)
        if value is not None and not isinstance(value, Tensor):
            expected = "(torch.nn.Buffer, torch.Tensor or None expected)"
            raise TypeError(f"cannot assign '{typename(value)}' as buffer '{name}' {expected}")
        own["_buffers"][name] = value
        return None

    def __delattr__(self, name: str) -> None:
        if not self._forget(name):
            object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*object.__dir__(self), *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[0].isdigit())

    def _forget(self, name: str, keep: str = "") -> bool:
        """Remove a name from all dicts but `keep`; return whether it was there."""
        found = False
        for entries in OWNED:
            if entries != keep and name in self.__dict__.get(entries, ()):
                del self.__dict__[entries][name]
                found = True
        if "_buffers" != keep:
            self.__dict__.get("_non_persistent_buffers_set", set()).discard(name)
        return found

    def _check_name(self, kind: str, name: Any) -> None:
        entries = f"_{kind}s"
        if kind != "module" and entries not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        taken = hasattr(self, name) and name not in getattr(self, entries)
        if taken and kind == "module":
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if not name:
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if taken:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register `param` under `name`; None reserves the name (a Linear without bias)."""
        self._check_name("parameter", name)
        refuse(f"The parameter '{name}'", param)
        if param is not None and not isinstance(param, Parameter):
            refusal = f"'{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            raise TypeError(f"cannot assign {refusal}")
        if param is not None and param._fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. "
                f"To express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register `tensor` as state that no optimizer changes; `persistent=False` excludes it from the state_dict."""
        self._check_name("buffer", name)
        refuse(f"The buffer '{name}'", tensor)
        if tensor is not None and not isinstance(tensor, Tensor):
            refusal = f"'{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            raise TypeError(f"cannot assign {refusal}")
        self._buffers[name] = tensor
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register `module` as a child called `name`."""
        if module is not None and not isinstance(module, Module):
            refuse(f"The place '{name}'", module)
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name)
        self._modules[name] = module

    register_module = add_module

    # -- iteration --------------------------------------------------------------------------------

    def named_modules(self, memo: set[Module] | None = None, prefix="", remove_duplicate=True) -> Pairs:
        """This module (named ""), its children, their children …, each once, with dotted names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """`named_modules` without the names."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Pairs:
        """The modules that are attributes of this one, each once."""
        yield from self._named("_modules", "", False, True)

    def children(self) -> Iterator[Any]:
        """`named_children` without the names."""
        for _, child in self.named_children():
            yield child

    def _named(self, book: str, prefix: str, recurse: bool, remove_duplicate: bool) -> Pairs:
        seen = set()
        owners = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in owners:
            for name, entry in getattr(module, book).items():
                if entry is not None and entry not in seen:
                    if remove_duplicate:
                        seen.add(entry)
                    yield f"{path}.{name}" if path else name, entry

    def named_parameters(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Pairs:
        """(dotted name, parameter) of this module and, with `recurse`, of all modules inside; shared ones once."""
        yield from self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """The parameters without their names, as an optimizer takes them."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Pairs:
        """(dotted name, buffer) of this module and, with `recurse`, of all modules inside."""
        yield from self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """`named_buffers` without the names."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Any:
        """The module with this dotted name; "" is the module itself. AttributeError if there is none."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def _get_owned(self, target: str, kind: str, entries: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if name not in module.__dict__[entries]:
            raise AttributeError(f"`{name}` is not {kind}")
        return getattr(module, name)

    def get_parameter(self, target: str) -> Any:
        """The parameter with this dotted name; AttributeError if there is none."""
        return self._get_owned(target, "an nn.Parameter", "_parameters")

    def get_buffer(self, target: str) -> Any:
        """The buffer with this dotted name; AttributeError if there is none."""
        return self._get_owned(target, "a buffer", "_buffers")

    # -- changes to all parts ---------------------------------------------------------------------

    def apply(self, fn: Callable[[Module], None]) -> Module:
        """Call `fn` on every module inside, children first, then on this one; mostly used for initialisation."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        """Set training mode (or not) for this module and all inside: Dropout and BatchNorm depend on it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Module:
        """`train(False)`. It does not switch gradients off; use `no_grad` for that."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set `requires_grad` of all parameters; False freezes them."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear all gradients: `.grad` becomes None, or zeros."""
        forget(self.parameters(), set_to_none)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Module:
        """Replace every parameter, gradient and buffer by `fn` of it; the parameters stay the same objects."""
        if recurse:
            for child in self.children():
                child._apply(fn)
        for param in self._parameters.values():
            if param is not None:
                param.data = fn(param.data)
                if param.grad is not None:
                    param.grad.data = fn(param.grad.data)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Move all parameters and buffers to a device, or the floating-point ones to another type, in place."""

        def move(tensor: Tensor) -> Tensor:
            moved = tensor.to(*args, **kwargs)
            if not tensor.is_floating_point():
                return tensor.to(moved.device)
            if not moved.is_floating_point():
                raise TypeError(
                    f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={moved.dtype}"
                )
            return moved

        return self._apply(move)

    def cpu(self) -> Module:
        """Move all parameters and buffers to the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Module:
        """Move all parameters and buffers to the GPU."""
        return self.to("cuda" if device is None else device)

    def type(self, dst_type: Any) -> Module:
        """Convert all parameters and buffers to this type, integers too."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def half(self) -> Module:
        """Convert floating-point parameters and buffers to float16."""
        return self.to(float16)

    def float(self) -> Module:
        """Convert floating-point parameters and buffers to float32."""
        return self.to(float32)

    def double(self) -> Module:
        """Convert floating-point parameters and buffers to float64."""
        return self.to(float64)

    # -- printing ---------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """The text in the parentheses of `repr`, before the children."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def _told(self) -> list[str]:
        return [f"({name}): {child!r}" for name, child in self._modules.items()]

    def __repr__(self) -> str:
        extra, children = self.extra_repr(), self._told()
        if not children and "\n" not in extra:
            return f"{self._get_name()}({extra})"
        lines = "\n".join(([extra] if extra else []) + children)
        return f"{self._get_name()}(\n{indent(lines, '  ')}\n)"


OWNED = "_parameters", "_buffers", "_modules"
KINDS: list[tuple[str, Any, str, str]] = [  # kinds of values registered on assignment, with PyTorch's words for them
    ("_parameters", Parameter, "parameters", "parameter '{}' (torch.nn.Parameter"),
    ("_modules", Module, "module", "child module '{}' (torch.nn.Module"),
]

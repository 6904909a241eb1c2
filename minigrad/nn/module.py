"""Module: a piece of a network, made of parameters, buffers and smaller modules.

Assigning a Parameter or a Module to an attribute also enters it in a book (`_parameters`, `_modules`);
`register_buffer` enters a tensor that is state but not trained. Everything else here walks these books:
`parameters()`, `to()`, `train()`, `repr`. Calling a module calls its `forward`.
Imports parameter, state and hooks. Read next: linear.py, the smallest module; state.py; hooks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import indent
from typing import TYPE_CHECKING, Any

from ..dtypes import float32, float64
from ..tensor import Tensor
from .hooks import Hooks
from .parameter import Parameter, forget
from .state import State

Pairs = Iterator[tuple[str, Any]]


def typename(thing: Any) -> str:
    """How PyTorch's errors name the type of something: "torch.FloatTensor", "int", "mine.Net"."""
    if isinstance(thing, Tensor):
        return thing.type()
    kind = thing if isinstance(thing, type) else type(thing)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def unusual(module: Module, **defaults: Any) -> str:
    """For `extra_repr`: those of a module's settings that differ from the defaults, as ", name=value"."""
    settings = ((name, getattr(module, name), default) for name, default in defaults.items())
    return "".join(f", {name}={value}" for name, value, default in settings if value != default)


class Module(State, Hooks):
    """Base of all networks: subclass it, make the parts in `__init__`, compute in `forward`.

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

    if TYPE_CHECKING:  # the attributes that are registered, not assigned

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self) -> None:
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _modules={})
        self.__dict__["_transient"] = set()  # names of the buffers that a state_dict leaves out

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the output. Every subclass says how; call the module itself, not this."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._hooks is not None:
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    # -- the books: who belongs to this module ----------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        """Beside the book, what is assigned stays an ordinary attribute, so that reading it costs nothing more."""
        own = self.__dict__
        for book, (kind, words) in BOOKS.items():
            known = name in own.get(book, ())
            if isinstance(value, kind) and (known or kind is not Tensor):
                if book not in own:
                    word = "parameters" if kind is Parameter else "module"
                    raise AttributeError(f"cannot assign {word} before Module.__init__() call")
                self._forget(name, keep=book)
            elif not known:
                continue
            elif value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as {words.format(name)} or None expected)")
            own[book][name] = value
            break
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self._forget(name)

    def _forget(self, name: str, keep: str = "") -> None:
        for book in BOOKS:
            if book != keep:
                self.__dict__.get(book, {}).pop(name, None)

    def _register(self, kind: str, name: str, value: Any, fitting: type, refusal: str) -> None:
        entries = self.__dict__.get(f"_{kind}s")
        if entries is None:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if value is not None and not isinstance(value, fitting):
            raise TypeError(refusal)
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if not name:
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in entries:
            raise KeyError(f"attribute '{name}' already exists")
        self.__dict__[name] = entries[name] = value

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Own `param` under `name`; None keeps the place (a Linear without bias)."""
        refusal = f"'{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
        self._register("parameter", name, param, Parameter, f"cannot assign {refusal}")

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Own `tensor` as state that no optimizer changes; `persistent=False` keeps it out of the state_dict."""
        refusal = f"'{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
        self._register("buffer", name, tensor, Tensor, f"cannot assign {refusal}")
        (self._transient.discard if persistent else self._transient.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Own `module` as a child called `name`."""
        self._register("module", name, module, Module, f"{typename(module)} is not a Module subclass")

    register_module = add_module

    # -- walking them -----------------------------------------------------------------------------

    def named_modules(self, memo: set[Module] | None = None, prefix="", remove_duplicate=True) -> Pairs:
        """This module (named ""), its children, theirs …, each once, with dotted names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """`named_modules` without the names."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Pairs:
        """The modules that are attributes of this one, each once."""
        return self._named("_modules", "", False, True)

    def children(self) -> Iterator[Any]:
        """`named_children` without the names."""
        return (child for _, child in self.named_children())

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
        """(dotted name, parameter) of this module and, with `recurse`, of all inside it; a shared one once."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """What an optimizer is given."""
        return (param for _, param in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Pairs:
        """(dotted name, buffer) of this module and, with `recurse`, of all inside it."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """`named_buffers` without the names."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    # -- changing all of them ---------------------------------------------------------------------

    def apply(self, fn: Callable[[Module], None]) -> Module:
        """Call `fn` on every module inside, children first, then on this one: for initialisation."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Module:
        """Training mode (or not) for this module and all inside: Dropout and BatchNorm behave differently in it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        """`train(False)`. It does not switch gradients off; `no_grad` does."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Let gradients flow to all parameters, or freeze them."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients: `.grad` becomes None, or zeros."""
        forget(self.parameters(), set_to_none)

    def to(self, *args: Any, **kind: Any) -> Module:
        """Move all parameters and buffers to a device, or the floating-point ones to another type, in place."""

        def move(tensor: Tensor) -> Tensor:
            moved = tensor.to(*args, **kind)
            if not tensor.is_floating_point():
                return tensor.to(moved.device)
            if not moved.is_floating_point():
                raise TypeError(
                    f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={moved.dtype}"
                )
            return moved

        for param in self.parameters():
            param.data = move(param.data)
            if param.grad is not None:
                param.grad.data = move(param.grad.data)
        for module in self.modules():
            for name, buffer in module.named_buffers(recurse=False):
                setattr(module, name, move(buffer))
        return self

    def cpu(self) -> Module:
        """All parameters and buffers on the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Module:
        """All parameters and buffers on the GPU."""
        return self.to("cuda" if device is None else device)

    def float(self) -> Module:
        """Floating-point parameters and buffers as float32."""
        return self.to(float32)

    def double(self) -> Module:
        """Floating-point parameters and buffers as float64."""
        return self.to(float64)

    # -- printing ---------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses of `repr`, beside the children."""
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


BOOKS: dict[str, tuple[type, str]] = {  # what goes in each, and PyTorch's words for it
    "_parameters": (Parameter, "parameter '{}' (torch.nn.Parameter"),
    "_modules": (Module, "child module '{}' (torch.nn.Module"),
    "_buffers": (Tensor, "buffer '{}' (torch.nn.Buffer, torch.Tensor"),
}

"""Write the stubs from which editors and mypy know minigrad's types: `python .ci/stubs.py` (needs torch).

    minigrad/__init__.pyi        functions, Tensor with its methods
    minigrad/nn/__init__.pyi     modules: their arguments, and what a call returns
    minigrad/nn/functional.pyi   the functions behind them

Names and parameters are read from minigrad itself, so a stub promises no name that is missing. What a function returns
is read from PyTorch's own stubs, since minigrad returns the same; where these name several types, the stub says `Any`.
../tests/test_types.py sees that the stubs are up to date, and asks mypy, jedi and Python about thirty lines.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Any

import minigrad as torch
from minigrad import nn
from minigrad.nn import functional

ROOT = Path(__file__).resolve().parent.parent
HEAD = (
    '"""Types for editors and mypy. Written by `python .ci/stubs.py`: change that file, and run it again."""\n'
    "# ruff: noqa: RUF100, E501, F401\n"
)
PLAIN = {"Tensor", "bool", "int", "float", "None", "str", "bool | None"}
SAME = {"_bool": "bool", "_int": "int", "_float": "float", "Number": "Any", "Size": "Size", "torch.Size": "Size"}
# What PyTorch's stubs leave open, or name by a type that minigrad does not have
RETURNS = {
    **dict.fromkeys(["tensor", "as_tensor", "from_numpy", "zeros", "ones", "empty", "full", "rand", "randn"], "Tensor"),
    **dict.fromkeys(["arange", "linspace", "eye", "randint", "randperm", "normal", "einsum", "where"], "Tensor"),
    **dict.fromkeys(
        ["split", "chunk", "unbind", "meshgrid", "broadcast_tensors", "tensor_split"], "tuple[Tensor, ...]"
    ),
    **dict.fromkeys(["backward", "retain_grad", "register_backward_hook", "set_default_dtype", "save"], "None"),
    **dict.fromkeys(["item", "tolist", "load", "numpy", "size", "max", "min", "type", "median", "std_mean"], "Any"),
    **dict.fromkeys(["is_grad_enabled", "is_tensor", "is_floating_point", "allclose", "equal"], "bool"),
    **dict.fromkeys(["numel", "dim", "ndimension", "element_size", "initial_seed", "seed"], "int"),
    "manual_seed": "Generator",
    "norm": "Tensor",
    "stride": "Any",
    "to": "Tensor",
    "cpu": "Tensor",
    "expand": "Tensor",
    "view": "Tensor",
    "sum": "Tensor",
    "mean": "Tensor",
}
PROPERTIES = {
    "grad": "Tensor | None",
    "requires_grad": "bool",
    "shape": "Size",
    "dtype": "_dtype",
    "device": "_device",
    "data": "Tensor",
    "T": "Tensor",
    "mT": "Tensor",
    "is_leaf": "bool",
    "is_cuda": "bool",
    "retains_grad": "bool",
    "ndim": "int",
    "nbytes": "int",
    "output_nr": "int",
}
SETTABLE = {"grad", "requires_grad", "data"}
COMPARE = "eq ne lt le gt ge".split()
BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
UNARY = "neg pos abs invert".split()
SPECIAL = {
    "__len__": "(self) -> int",
    "__bool__": "(self) -> bool",
    "__int__": "(self) -> int",
    "__float__": "(self) -> float",
    "__index__": "(self) -> int",
    "__hash__": "(self) -> int",
    "__iter__": "(self) -> Iterator[Tensor]",
    "__contains__": "(self, element: Any, /) -> bool",
    "__getitem__": "(self, index: Any, /) -> Tensor",
    "__setitem__": "(self, index: Any, value: Any, /) -> None",
    "__array__": "(self, dtype: Any = ..., copy: Any = ...) -> Any",
}
PAIRS = {"LSTMCell": "tuple[Tensor, Tensor]", "LSTM": "tuple[Tensor, tuple[Tensor, Tensor]]"}
PAIRS |= dict.fromkeys(["RNN", "GRU"], "tuple[Tensor, Tensor]")
OPEN = {"Module", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Container"}


def main(arguments: list[str]) -> int:
    old = [(path, text) for path, text in stubs().items() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in old:
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
        print(f"{'old:' if '--check' in arguments else 'wrote'} {path.relative_to(ROOT).as_posix()}")
    return int("--check" in arguments and bool(old))


def stubs() -> dict[Path, str]:
    """The text of each stub."""
    return {
        ROOT / "minigrad/__init__.pyi": of_root(),
        ROOT / "minigrad/nn/__init__.pyi": of_nn(),
        ROOT / "minigrad/nn/functional.pyi": of_functional(),
    }


def of_root() -> str:
    lines = [
        HEAD,
        "from collections.abc import Iterator",
        "from typing import Any, ClassVar",
        "",
    ]
    modules = [name for name, each in public(torch) if isinstance(each, types.ModuleType) and name != "serialization"]
    lines += [f"from . import {name} as {name}" for name in modules]
    lines += [
        "from builtins import bool as _bool",
        "from builtins import float as _float",
        "from builtins import int as _int",
    ]
    lines += ["from ._machine.device import device as _device", "from ._machine.dtypes import dtype as _dtype"]
    lines += ["from .random import Generator as Generator", ""]
    grad_modes = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
    lines += [f"from .autograd.grad_mode import {name} as {name}" for name in grad_modes]
    lines += ["", "device = _device", "dtype = _dtype", "__version__: str", ""]
    for name, each in public(torch):
        if isinstance(each, float):
            lines.append(f"{name}: _float")
        elif type(each).__name__ == "dtype":
            lines.append(f"{name}: _dtype")
        elif type(each).__name__ == "OldType":
            lines.append(f"{name}: Any")
    lines += ["default_generator: Generator", "newaxis: None", "", "class Size(tuple[_int, ...]):"]
    lines += ["    def numel(self) -> _int: ...", "", *of_tensor(), ""]
    lines += ["class finfo:", "    def __init__(self, type: Any = ...) -> None: ..."]
    lines += ["    def __getattr__(self, name: str) -> Any: ...", "", "class iinfo(finfo): ...", ""]
    for name, each in public(torch):
        if inspect.isroutine(each):
            lines.append(function(name, each, returned("functions", name)))
    shadowed = re.compile(r"(?<!def )\b(bool|int|float)\b")  # here, `torch.bool` is a dtype
    return ended([shadowed.sub(r"_\1", line) if " def " in f" {line}" else line for line in lines])


def of_tensor() -> Iterator[str]:
    yield "class Tensor:"
    yield "    __array_priority__: ClassVar[_int]"
    yield "    def __init__(self, *data: Any, size: Any = ..., device: Any = ...) -> None: ..."
    methods = []
    for name in dir(torch.Tensor):
        member = inspect.getattr_static(torch.Tensor, name)
        if name.startswith("_") or type(member).__name__ == "Absent":
            continue
        if isinstance(member, property):
            kind = PROPERTIES.get(name, "Any")
            yield f"    @property\n    def {name}(self) -> {kind}: ..."
            if name in SETTABLE:
                yield f"    @{name}.setter\n    def {name}(self, value: {kind}) -> None: ..."
        elif inspect.isfunction(member):
            made = "Tensor" if name.endswith("_") else returned("methods", name)
            methods.append(function(name, member, made, method=True))
    yield from methods
    for name in COMPARE:
        wrong = "  # type: ignore[override]" if name in ("eq", "ne") else ""
        yield f"    def __{name}__(self, other: Any, /) -> Tensor: ...{wrong}"
    for name in BINARY:
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            if hasattr(torch.Tensor, form):
                yield f"    def {form}(self, other: Any, /) -> Tensor: ..."
    for name in UNARY:
        yield f"    def __{name}__(self) -> Tensor: ..."
    for name, rest in SPECIAL.items():
        yield f"    def {name}{rest}: ..."


def of_nn() -> str:
    lines = [HEAD, "from collections.abc import Iterator", "from typing import Any, Self", "", "from .. import Tensor"]
    modules = [name for name, each in public(nn) if isinstance(each, types.ModuleType)]
    # the files of nn/ are modules, too; PyTorch's public ones are these
    lines += [f"from . import {name} as {name}" for name in modules if name in ("functional", "init", "utils")]
    lines += ["", "class Parameter(Tensor):"]
    lines += ["    def __init__(self, data: Any = ..., requires_grad: bool = ...) -> None: ...", ""]
    done = {"Parameter"}
    for name, each in sorted(public(nn), key=lambda pair: (len(getattr(pair[1], "__mro__", ())), pair[0])):
        if isinstance(each, type) and name not in done:
            lines += [*of_class(name, each), ""]
    return ended(lines)


def of_class(name: str, each: type) -> Iterator[str]:
    if not issubclass(each, nn.Module):
        parents = [base.__name__ for base in each.__mro__[1:] if getattr(nn, base.__name__, None) is base]
        yield f"class {name}({parents[0] if parents else ''}):".replace("()", "")
        yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."
        yield "    def __getattr__(self, name: str) -> Any: ..."
        return
    base = next((b for b in each.__mro__[1:] if getattr(nn, b.__name__, None) is b), None)
    yield f"class {name}({base.__name__}):" if base else f"class {name}:"
    if name == "Module":
        yield "    training: bool"
        yield from of_module()
        return
    yield function("__init__", each.__init__, "None", method=True)
    names = {*inspect.signature(each.__init__).parameters}
    if {"in_features", "in_channels"} & names and "bias" in names:
        yield "    weight: Parameter\n    bias: Any"
    elif name in ("Embedding", "PReLU"):
        yield "    weight: Parameter"
    for size in ("in_features", "out_features", "in_channels", "out_channels", "hidden_size", "input_size"):
        if size in names:
            yield f"    {size}: int"
    if name not in OPEN:
        made = PAIRS.get(name, "Tensor")
        yield f"    def __call__(self, *args: Any, **kwargs: Any) -> {made}: ..."
    if name in ("ModuleList", "ParameterList", "Sequential"):
        kind = "Parameter" if name == "ParameterList" else "Any"
        yield "    def __len__(self) -> int: ..."
        yield f"    def __iter__(self) -> Iterator[{kind}]: ..."
        yield "    def __getitem__(self, index: Any, /) -> Any: ..."
        yield "    def append(self, module: Any) -> Any: ..."
    if name in ("ModuleDict", "ParameterDict"):
        yield "    def __len__(self) -> int: ..."
        yield "    def __iter__(self) -> Iterator[str]: ..."
        yield "    def __getitem__(self, key: str, /) -> Any: ..."
        yield "    def __setitem__(self, key: str, value: Any, /) -> None: ..."


MODULE = {
    "parameters": "Iterator[Parameter]",
    "named_parameters": "Iterator[tuple[str, Parameter]]",
    "buffers": "Iterator[Tensor]",
    "named_buffers": "Iterator[tuple[str, Tensor]]",
    "children": "Iterator[Module]",
    "named_children": "Iterator[tuple[str, Module]]",
    "modules": "Iterator[Module]",
    "named_modules": "Iterator[tuple[str, Module]]",
    "state_dict": "dict[str, Any]",
    "zero_grad": "None",
    "register_buffer": "None",
    "register_parameter": "None",
    "add_module": "None",
    "register_module": "None",
    "extra_repr": "str",
}
ITSELF = "train eval requires_grad_ to float double half cpu cuda apply type to_empty share_memory".split()


def of_module() -> Iterator[str]:
    yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."
    yield "    def __call__(self, *args: Any, **kwargs: Any) -> Any: ..."
    yield "    def __getattr__(self, name: str) -> Any: ..."
    yield "    def __setattr__(self, name: str, value: Any) -> None: ..."
    for name in sorted(dir(nn.Module)):
        member = inspect.getattr_static(nn.Module, name)
        if not name.startswith("_") and inspect.isfunction(member) and name != "forward":
            yield function(
                name, member, "Any" if name not in MODULE else MODULE[name], method=True, itself=name in ITSELF
            )


def of_functional() -> str:
    lines = [HEAD, "from typing import Any", "", "from .. import Tensor", ""]
    for name, each in public(functional):
        if inspect.isroutine(each):
            lines.append(function(name, each, "Tensor"))
    return ended(lines)


def public(module: Any) -> list[tuple[str, Any]]:
    names = sorted(name for name in dir(module) if not name.startswith("_"))
    return [(name, getattr(module, name)) for name in names]


def function(
    name: str,
    each: Callable[..., Any],
    made: str,
    *,
    method: bool = False,
    itself: bool = False,
) -> str:
    """One line of a stub."""
    try:
        params = [*inspect.signature(each).parameters.values()]
    except (TypeError, ValueError):
        params = [inspect.Parameter(n, k) for n, k in (("args", VAR), ("kwargs", KEYS))]
        if method:
            params.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    written, slash, star = [], False, False
    for place, param in enumerate(params):
        kind = param.kind
        if kind is param.POSITIONAL_ONLY:
            slash = True
        elif slash:
            written.append("/")
            slash = False
        if kind is param.KEYWORD_ONLY and not star:
            written.append("*")
            star = True
        star = star or kind is param.VAR_POSITIONAL
        text = {param.VAR_POSITIONAL: "*", param.VAR_KEYWORD: "**"}.get(kind, "") + param.name
        if method and place == 0:
            text = "self"
        elif iskeyword(param.name):
            continue
        else:
            text += ": Any" + (" = ..." if param.default is not param.empty else "")
        written.append(text)
    if slash:
        written.append("/")
    made = "Self" if itself else made
    return ("    " if method else "") + f"def {name}({', '.join(written)}) -> {made}: ..."


VAR, KEYS = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


def returned(where: str, name: str) -> str:
    """What a function or method of this name returns."""
    if name in RETURNS:
        return RETURNS[name]
    return THEIRS[where].get(name) or THEIRS["methods"].get(name) or THEIRS["functions"].get(name) or "Any"


def pytorchs() -> dict[str, dict[str, str]]:
    """The return types in PyTorch's stubs: of its functions, and of Tensor's methods."""
    found = find_spec("torch")
    if found is None or not found.submodule_search_locations:
        sys.exit("The return types are read from PyTorch's stubs: pip install torch==2.13.0")
    folder = Path(found.submodule_search_locations[0]) / "_C"
    functions = ast.parse((folder / "_VariableFunctions.pyi").read_text("utf-8")).body
    classes = [each for each in ast.parse((folder / "__init__.pyi").read_text("utf-8")).body if hasattr(each, "name")]
    (tensor,) = [each for each in classes if each.name == "TensorBase"]
    return {"functions": _types(functions), "methods": _types(tensor.body)}  # type: ignore[attr-defined]


def _types(body: list[ast.stmt]) -> dict[str, str]:
    kinds: dict[str, set[str]] = {}
    for each in body:
        if isinstance(each, ast.FunctionDef):
            text = ast.unparse(each.returns) if each.returns else "Any"
            kinds.setdefault(each.name, set()).add(SAME.get(text, text))
    return {name: next(iter(kind)) for name, kind in kinds.items() if len(kind) == 1 and kind <= PLAIN}


def ended(lines: list[str]) -> str:
    """The text of a stub, with sorted imports and laid out by ruff."""
    text = "\n".join(lines)
    for what in (["check", "--quiet", "--select=I", "--fix"], ["format", "--quiet"]):
        command = [sys.executable, "-m", "ruff", *what, "--stdin-filename=stub.pyi", "-"]
        text = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True, cwd=ROOT).stdout
    return text


THEIRS = pytorchs()

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

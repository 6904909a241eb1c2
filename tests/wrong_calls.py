"""Calls with one thing wrong, for every function and method: what test_wrong_kinds.py asks, and the recorder.

A call that is right is made of the function's own parameters, as in test_arguments.py. Then, one after the other, each
parameter gets something of every kind (most of them wrong), by place and by name; one argument too many is given; and
one is given twice. Read next: goldens/record_wrong_calls.py, what PyTorch says of each.
"""

from __future__ import annotations

import inspect
import re
import warnings
from operator import attrgetter
from typing import Any

from test_arguments import NO_TENSORS, OTHERS, TENSORS, TENSORS_TOO, functions, short

import minigrad
import minigrad.nn.functional
from minigrad.ops import TABLE

KINDS = {  # made anew for each call: some write into their arguments
    "'a'": lambda t: "a",
    "None": lambda t: None,
    "[1.]": lambda t: [1.0],
    "True": lambda t: True,
    "1": lambda t: 1,
    "0.5": lambda t: 0.5,
    "matrix": lambda t: t.ones(2, 2),
    "tensor(1)": lambda t: t.tensor(1),
}
SWITCHES = "manual_seed seed initial_seed no_grad enable_grad inference_mode backward requires_grad_ retain_grad jit "
SWITCHES += "save load compile install_as_torch register_hook register_post_accumulate_grad_hook tolist numpy cuda "
SWITCHES += "is_storage from_numpy new dropout alpha_dropout feature_alpha_dropout get_rng_state fork_rng"
NOT_ASKED = {*SWITCHES.split()}  # or they draw, and say nothing of their arguments
VECTORS = {"dot", "vdot", "inner", "outer", "ger"}


def is_asked(name: str) -> bool:
    return name[0] != "_" and not name.startswith(("set_", "use_")) and name not in NOT_ASKED


def tensor_for(t: Any, name: str, parameter: str) -> Any:
    """A tensor that this parameter takes."""
    base = short(name).rstrip("_")
    if parameter in ("index", "indices"):
        return t.zeros(2, dtype=t.int64) if base.startswith("index_") else t.zeros(2, 2, dtype=t.int64)
    if parameter in ("mask", "condition"):
        return t.ones(2, 2) > 0
    if base.startswith("bitwise") or base in ("gcd", "lcm"):
        return t.ones(2, 2, dtype=t.int64)
    if base in ("bmm", "baddbmm", "addbmm"):
        return t.ones(1, 2, 2)
    of_layer = name.startswith("nn.functional") and base != "linear"
    if base in VECTORS or parameter in ("vec", "vec1", "vec2"):
        return t.ones(2)
    if of_layer and parameter in ("running_mean", "running_var", "bias", "weight"):
        return t.ones(2)
    return t.ones(2, 2)


def right(t: Any, name: str, named: list[inspect.Parameter]) -> list[Any]:
    """The arguments that must be given; KeyError where nobody has said what to give."""
    given = []
    for p in named:
        if p.default is not p.empty:
            break
        if p.name == "tensors":
            given.append([t.ones(2, 2), t.ones(2, 2)])
        elif (p.name in TENSORS and (short(name), p.name) not in NO_TENSORS) or p.name in TENSORS_TOO:
            given.append(tensor_for(t, name, p.name))
        else:
            given.append(OTHERS[p.name])
    return given


def parameters(name: str, function: Any) -> tuple[list[inspect.Parameter], list[inspect.Parameter], bool]:
    """Those that may be given by place, those that are given by name alone, and whether there may be any number."""
    found = [*inspect.signature(function).parameters.values()]
    named = [p for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY)]
    if not named and short(name) in TABLE:  # an operator that nobody has called yet
        inputs = TABLE[short(name)].inputs
        named = [inspect.Parameter("input" if n == "self" else n, found[0].POSITIONAL_OR_KEYWORD) for n in inputs]
    return named, [p for p in found if p.kind is p.KEYWORD_ONLY], any(p.kind is p.VAR_POSITIONAL for p in found)


def calls(t: Any, name: str, function: Any) -> dict[str, tuple[Any, ...]]:
    """{what is wrong: a function that gives the arguments}; the first one is the right call."""
    named, by_name, any_number = parameters(name, function)
    method = name.startswith("Tensor.")

    def args() -> list[Any]:
        return right(t, name, named) or ([t.ones(2, 2)] if method else [2] if any_number else [])

    count = len(args())
    found: dict[str, Any] = {"right": lambda: (args(), {})}

    def replaced(i: int, kind: Any) -> Any:
        return lambda: ([*args()[:i], kind(t), *args()[i + 1 :]], {})

    def with_name(key: str, kind: Any) -> Any:
        return lambda: (args(), {key: kind(t)})

    for what, kind in KINDS.items():
        for i, p in enumerate(named):
            if i >= method:
                found[f"{p.name}={what}"] = replaced(i, kind) if i < count else with_name(p.name, kind)
        for p in by_name:
            found[f"{p.name}={what}"] = with_name(p.name, kind)
        found[f"…, {what}"] = lambda kind=kind: ([*args(), kind(t)], {})
    if not any_number:
        rest = [p.default for p in named[count:]]
        found["one too many"] = lambda: ([*args(), *rest, 1], {})
    for i in range(method, min(count, len(named))):
        found[f"{named[i].name} twice"] = lambda i=i: (args(), {named[i].name: args()[i]})
    found["keepdim alone"] = lambda: (args(), {"keepdim": False})
    return found


def outcome(t: Any, name: str, make: Any) -> str:
    """What becomes of the call: "accepted", or the error's type and the first line of its text.

    The function's own name is left out, and the types that were given: thousands of texts become a few.
    """
    args, kwargs = make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            attrgetter(name)(t)(*args, **kwargs)
        except Exception as error:
            text = str(error).partition("\n")[0]
            text = re.sub(r" - got \(.*\)(, but expected one of:)?$", "", text)
            text = re.sub(r", not \w+$", "", text.replace(f"{short(name)}()", "…()"))
            return f"{type(error).__name__}: {text}"
    return "accepted"


def everything() -> dict[str, Any]:
    """Every public function and method that is asked, by its name in both libraries."""
    methods = {name: f for mixed in minigrad.Tensor.__mro__[:-1] for name, f in functions("Tensor.", mixed).items()}
    found = functions("", minigrad) | methods | functions("nn.functional.", minigrad.nn.functional)
    return {name: found[name] for name in sorted(found) if is_asked(short(name))}

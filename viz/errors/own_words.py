"""Adapts a case to the program in which the error occurred: its names, numbers, layers and shapes.

Where details are unknown, the case's general text stays. Imports inquiry and lines. Read explanation.py next.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

from ..graph.module import is_module
from ..graph.names import has_readable_history
from ..locale import Text
from . import lines
from .calls import parsed
from .case import Case, tr
from .inquiry import Inquiry
from .lines import Line

ADVICE = tr.table("own_words")
# methods that change a tensor in place, and have a form without an underscore that makes a new one
IN_PLACE = frozenset("add_ sub_ mul_ div_ pow_ exp_ log_ relu_ sigmoid_ tanh_ neg_ clamp_ sqrt_".split())
SIZING = ("Conv", "MaxPool", "AvgPool")  # layers whose padding, stride or size decides the number of outputs


def in_its_words(inquiry: Inquiry, found: list[Line], guilty: Any) -> Case:
    """The inquiry's case, adapted to this program; `found` are its lines, `guilty` the node or tensor."""
    reword = REWORDED.get(inquiry.case.name)
    return inquiry.case if reword is None else reword(inquiry, found, guilty)


def changed(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """If the line that overwrote a tensor is known, leave out the advice about a loop's state."""
    line = next((line for line in found if line.part == "changed"), None)
    if line is None:
        return inquiry.case
    case = replace(inquiry.case, in_loop=())
    node = statement(line)
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        name, old = node.target.id, ast.unparse(node)
        new = ast.unparse(ast.BinOp(ast.Name(name), node.op, node.value))
    elif call and isinstance(method := call.func, ast.Attribute) and isinstance(method.value, ast.Name):
        if method.attr not in IN_PLACE:
            return case
        old, name, of = ast.unparse(call), method.value.id, ast.Attribute(method.value, method.attr.removesuffix("_"))
        new = ast.unparse(ast.Call(of, call.args, call.keywords))
    else:
        return case
    return cured(case, 0, ADVICE.text("new tensor", new=f"{name} = {new}", old=old, name=name))


def new_weight(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """With the weight's own name and step, and those of the other weights that are changed in the same way."""
    read = [text.removesuffix(".grad") for text in inquiry.terms if text.endswith(".grad")]
    steps: dict[str, ast.expr] = {}
    for node in [
        *map(statement, found),
        *(each.node for each in lines.steps(inquiry.programs[0].text, inquiry.number)),
    ]:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, node.value
            left = value.left if isinstance(value, ast.BinOp) else None
            if isinstance(left, ast.Name) and left.id == name and f"{name}.grad" in ast.unparse(value):
                steps.setdefault(name, value)
    name = next((name for name in read if name in steps), "")
    step = steps.pop(name, None)
    if not isinstance(step, ast.BinOp):
        return inquiry.case
    in_place = ast.unparse(ast.AugAssign(ast.Name(name), step.op, step.right))
    others = ", ".join(f"`{other}`" for other in steps)
    case = replace(inquiry.case, what=ADVICE.text("new weight", name=name))
    kept = ADVICE.text("in place, others", others=others) if others else ADVICE.text("in place")
    case = cured(case, 0, kept.filled(in_place=in_place))
    anew = f"{name} = ({ast.unparse(step)}).requires_grad_()"
    return cured(case, 1, ADVICE.text("require", anew=anew))


def freed(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """If several optimizers train the program, as in a GAN: with the tensor at which the two losses part. In a loop:
    with the tensor that was computed before the loop."""
    if inquiry.kept is not None and inquiry.kept[1].part == "early":
        cures = (ADVICE.text("inside the loop", name=inquiry.kept[0]), *inquiry.case.cures)
        return replace(inquiry.case, in_loop=(), cures=cures)
    optimizers = [each for each in inquiry.variables.values() if hasattr(type(each), "add_param_group")]
    known = [(name, t) for name, t in inquiry.names if has_readable_history(t) and t.grad_fn is not None]
    shared = next((name for name, t in known if t.grad_fn is inquiry.guilty and t.numel() > 1), "")
    if len(optimizers) < 2 or not shared:
        return inquiry.case
    return replace(inquiry.case, cures=(ADVICE.text("detach", name=shared), *inquiry.case.cures))


def other_tensors(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """With the optimizer of the program."""
    made = next((node for line in found if isinstance(node := statement(line), ast.Assign)), None)
    if made is None or not isinstance(made.value, ast.Call):
        return inquiry.case
    return cured(inquiry.case, 1, ADVICE.text("new optimizer", code=ast.unparse(made)))


def spread(inquiry: Inquiry, found: list[Line], node: Any) -> Case:
    """With the shapes that were broadcast, and the names of the tensors if they have names."""
    n = node._input_metadata[0].shape[0]
    what = inquiry.case.what.filled(column=f"({n}, 1)", row=f"({n},)", square=f"({n}, {n})")
    case = replace(inquiry.case, what=what)
    made = [line for line in found if line.part == "made"]
    used = set().union(*(lines.names_of(line.code) for line in made))
    for i, shape in enumerate([(n, 1), (n,)]):
        fits = [name for name, tensor in inquiry.names if name in used and tuple(tensor.shape) == shape]
        if i == 0:  # the input of a net may be a column, too
            fits = [name for name in fits if dict(inquiry.names)[name].requires_grad] or called_minus(made, used)
        name = fits[0] if len(fits) == 1 else ("net(x)", "target")[i]
        case = cured(case, i, case.cures[i].filled(name=name))
    return case


def called_minus(made: list[Line], names: set[str]) -> list[str]:
    """Each call in these lines, such as `net(x)`, from which a variable with one of these names is subtracted."""
    return [
        ast.unparse(node.left)
        for line in made
        for node in ast.walk(statement(line) or ast.Module([], []))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        if isinstance(node.left, ast.Call) and isinstance(node.right, ast.Name) and node.right.id in names
    ]


def linear(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """With the layer, the size that it was made for, the size that it got, and a layer that fits."""
    name, layer, _frame = inquiry.module or ("", None, None)
    made, out = getattr(layer, "in_features", None), getattr(layer, "out_features", None)
    came = inquiry.arrived[0] if inquiry.arrived else None
    if type(layer).__name__ != "Linear" or came is None or not len(came.shape) or came.shape[-1] == made:
        return inquiry.case
    got, axes = came.shape[-1], tuple(came.shape)
    root: Any = inquiry.variables.get(name.partition(".")[0])
    inner = [type(each).__name__ for each in root.modules()] if is_module(root) else []
    given = next((text for text, tensor in inquiry.written if tensor is came), None)
    x = given or "x"
    cures = [ADVICE.text("layer fits")]
    if len(axes) > 2 and math.prod(axes[1:]) == made:
        cures = [ADVICE.text("flatten all but one"), ADVICE.text("layer fits last axis")]
    elif len(axes) > 1 and math.prod(axes) == made:
        cures = [ADVICE.text("flatten")]
    elif len(axes) == 2 and axes[0] == made:
        cures.append(ADVICE.text("transpose"))
    if any(kind.startswith(SIZING) for kind in inner):
        cures.append(ADVICE.text("earlier layer"))
    elif given:
        cures.append(ADVICE.text("create input"))
    else:
        cures.append(ADVICE.text("previous layer"))
    what = ADVICE.text("named layer needs" if inquiry.path_of(layer) else "layer needs")
    values = dict(name=name, x=x, made=made, out=out, got=got)
    return replace(inquiry.case, what=what.filled(**values), cures=tuple(cure.filled(**values) for cure in cures))


def too_small(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """With the two shapes that the error names."""
    sizes = re.findall(r"shape \[([\d, ]*)\]", str(inquiry.error))
    if len(sizes) != 2:
        return inquiry.case
    shape, result = (str(tuple(int(size) for size in each.split(",") if size.strip())) for each in sizes)
    return replace(inquiry.case, what=ADVICE.text("does not fit", shape=shape, result=result))


def two_types(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """With everything that must be converted, and the net's name."""
    data: list[Any] = [
        f"`{text}.float()`" for text, t in inquiry.written if str(t.dtype).endswith("float64") and not t.requires_grad
    ]
    case = inquiry.case
    if data:
        both = ADVICE.text("both")
        several = reduce(lambda one, other: both.filled(one=one, other=other), data)
        case = cured(case, 0, ADVICE.text("convert", several=several))
    if inquiry.module is not None and (path := inquiry.path_of(inquiry.module[1])):
        net = path.partition(".")[0]
        case = cured(case, 1, case.cures[1].filled(net=net))
    return case


def cured(case: Case, i: int, cure: Text) -> Case:
    """The case with another cure at index `i`."""
    return replace(case, cures=(*case.cures[:i], cure, *case.cures[i + 1 :]))


def statement(line: Line) -> ast.stmt | None:
    """The statement in a line, if it is complete; of `with no_grad(): a -= 4`, the part after the colon."""
    node = next(iter(parsed(line.code).body), None)
    return node.body[0] if isinstance(node, ast.With) else node


def without_a_list(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """A single loop variable that `while_loop` received without brackets: it asks if there are any."""
    asked = inquiry.inner()[-2:-1]
    if not any(frame.f_code.co_filename.endswith("control_flow.py") for frame in asked):
        return inquiry.case
    return replace(inquiry.case, what=ADVICE.text("no list"), cures=(ADVICE.text("brackets"),))


REWORDED: dict[str, Callable[[Inquiry, list[Line], Any], Case]] = {
    "changed": changed,
    "freed": freed,
    "new weight": new_weight,
    "other tensors": other_tensors,
    "spread": spread,
    "symbol as truth": without_a_list,
    "linear": linear,
    "size in place": too_small,
    "two types": two_types,
}

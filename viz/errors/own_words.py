"""A case in the words of the program that it was met in: its names, its numbers, its layer, its shapes.

What it can't read off the program stays as the case has it. Imports inquiry and lines. Read explanation.py next.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..graph.module import is_module
from . import lines
from .case import Case
from .inquiry import Inquiry
from .lines import Line

SIZING = ("Conv", "MaxPool", "AvgPool")  # layers whose padding, stride or size decides how many numbers come out


def in_its_words(inquiry: Inquiry, found: list[Line], guilty: Any) -> Case:
    """The inquiry's case, told of this program; `found` are its lines, `guilty` the node or tensor."""
    reword = REWORDED.get(inquiry.case.name)
    return inquiry.case if reword is None else reword(inquiry, found, guilty)


def changed(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """Where the line is known that overwrote a tensor, no state of a loop need be guessed at."""
    line = next((line for line in found if line.part == "changed"), None)
    if line is None:
        return inquiry.case
    case = replace(inquiry.case, in_loop={})
    node = statement(line)
    if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
        return case
    name, old = node.target.id, ast.unparse(node)
    new = f"{name} = {ast.unparse(ast.BinOp(ast.Name(name), node.op, node.value))}"
    return cured(
        case,
        0,
        f"Make a new tensor where you overwrite one: `{new}` for `{old}`, or `{name} = {name}.clone()` before it.",
        f"不要改写，另造一个新张量：把 `{old}` 写成 `{new}`，或先 `{name} = {name}.clone()`。",
    )


def new_weight(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """With the weight's own name and step, and those of the others that are stepped so."""
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
    case = replace(
        inquiry.case,
        what={
            "en": f"`{name}.grad` is None, for `{name}` asks for no gradient: the name stands for a new tensor. "
            f"`{name} = {name} - …` makes one, and under `no_grad()` nothing of the old one passes on to it.",
            "zh": f"`{name}.grad` 是 None，因为 `{name}` 没有要求梯度：这个名字现在指的是一个新张量。"
            f"`{name} = {name} - …` 造了它，而在 `no_grad()` 下，旧张量的一切都不会传给它。",
        },
    )
    case = cured(
        case,
        0,
        f"Change the weight in place, so that it stays the same leaf: `{in_place}`. Every other weight that is stepped "
        f"in this way needs the same{': ' + others if others else ''}.",
        f"原地改写，让它还是同一个叶子：`{in_place}`。其他这样走步的权重也要这样改{'：' + others if others else ''}。",
    )
    anew = f"{name} = ({ast.unparse(step)}).requires_grad_()"
    return cured(
        case,
        1,
        f"Or let the new one ask for gradients: `{anew}`; its `.grad` begins empty.",
        f"或者让新张量也要求梯度：`{anew}`；它的 `.grad` 一开始是空的。",
    )


def other_tensors(inquiry: Inquiry, found: list[Line], _: Any) -> Case:
    """With the program's own optimizer."""
    made = next((node for line in found if isinstance(node := statement(line), ast.Assign)), None)
    if made is None or not isinstance(made.value, ast.Call):
        return inquiry.case
    code = ast.unparse(made)
    return cured(
        inquiry.case,
        1,
        f"Or make the optimizer anew wherever you make the model anew, right after it: `{code}`.",
        f"或者每次重新造模型之后，紧接着也重新造优化器：`{code}`。",
    )


def spread(inquiry: Inquiry, found: list[Line], node: Any) -> Case:
    """With the shapes that met, and the names of the tensors if they have some."""
    n = node._input_metadata[0].shape[0]
    what = {
        lang: text.replace("(n, 1)", f"({n}, 1)").replace("(n, n)", f"({n}, {n})").replace("(n)", f"({n},)")
        for lang, text in inquiry.case.what.items()
    }
    case = replace(inquiry.case, what=what)
    made = [line for line in found if line.part == "made"]
    used = set().union(*(lines.names_of(line.code) for line in made))
    for i, (shape, old) in enumerate([((n, 1), "net(x)"), ((n,), "target")]):
        fits = [name for name, tensor in inquiry.names if name in used and tuple(tensor.shape) == shape]
        if i == 0:  # what goes into a net may be a column as well
            fits = [name for name in fits if dict(inquiry.names)[name].requires_grad] or called_minus(made, used)
        if len(fits) == 1:
            case = cured(case, i, *(case.cures[lang][i].replace(f"`{old}", f"`{fits[0]}") for lang in ("en", "zh")))
    return case


def called_minus(made: list[Line], names: set[str]) -> list[str]:
    """Each call in these lines, as `net(x)`, from which something is subtracted that has one of these names."""
    return [
        ast.unparse(node.left)
        for line in made
        for node in ast.walk(statement(line) or ast.Module([], []))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        if isinstance(node.left, ast.Call) and isinstance(node.right, ast.Name) and node.right.id in names
    ]


def linear(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """With the layer, what it was made for, what it got, and what fits that."""
    name, layer, _frame = inquiry.module or ("", None, None)
    made, out = getattr(layer, "in_features", None), getattr(layer, "out_features", None)
    came = inquiry.arrived[0] if inquiry.arrived else None
    if type(layer).__name__ != "Linear" or came is None or not len(came.shape) or came.shape[-1] == made:
        return inquiry.case
    got, axes = came.shape[-1], tuple(came.shape)
    known = f"`{name}`, " if inquiry.path_of(layer) else ""
    root: Any = {**inquiry.frame.f_globals, **inquiry.frame.f_locals}.get(name.partition(".")[0])
    inner = [type(each).__name__ for each in root.modules()] if is_module(root) else []
    given = next((text for text, tensor in inquiry.written if tensor is came), None)
    x = given or "x"
    cures = [
        (
            f"Make the layer for what comes to it: `nn.Linear({got}, {out})`.",
            f"按来的数据造这一层：`nn.Linear({got}, {out})`。",
        )
    ]
    if len(axes) > 2 and math.prod(axes[1:]) == made:
        cures.append(
            (
                f"Or lay out all but the batch in one row first: `{x}.flatten(1)`.",
                f"或者先把批次以外的排成一行：`{x}.flatten(1)`。",
            )
        )
    elif len(axes) == 2 and axes[0] == made:
        cures.append((f"Or turn the matrix: `{x}.T`.", f"或者把矩阵转置：`{x}.T`。"))
    if any(kind.startswith(SIZING) for kind in inner):
        cures.append(
            (
                "Or the layer is right and an earlier one is not: a convolution's or a pool's `padding`, `stride` and "
                f"`kernel_size` decide how many numbers come out. Here {made} should.",
                f"或者这一层没错，错在前面的层：卷积或池化的 `padding`、`stride` 和 `kernel_size` "
                f"决定出来多少个数，这里应该是 {made} 个。",
            )
        )
    elif given:
        cures.append(
            (
                f"Or give `{x}` {made} numbers in its last axis, where it is made.",
                f"或者在造 `{x}` 的地方，让它最后一维有 {made} 个数。",
            )
        )
    else:
        cures.append((f"Or let the layer before it give {made} numbers.", f"或者让前一层输出 {made} 个数。"))
    return replace(
        inquiry.case,
        what={
            "en": f"The layer {known}`nn.Linear({made}, {out})`{',' if known else ''} was made for {made} numbers in "
            f"the last axis of what comes in, and got {got}.",
            "zh": f"{known.replace(', ', '，')}`nn.Linear({made}, {out})` 这一层，"
            f"是为最后一维有 {made} 个数的输入造的，来的却是 {got} 个。",
        },
        cures={"en": tuple(en for en, _ in cures), "zh": tuple(zh for _, zh in cures)},
    )


def two_types(inquiry: Inquiry, _: list[Line], __: Any) -> Case:
    """With all that is to be converted, and the net's name."""
    data = [
        f"`{text}.float()`" for text, t in inquiry.written if str(t.dtype).endswith("float64") and not t.requires_grad
    ]
    case = inquiry.case
    if data:
        case = cured(
            case,
            0,
            f"Convert the data: {' and '.join(data)}, or `np.float32` where it is made.",
            f"转换数据：{' 和 '.join(data)}，或在产生的地方写 `np.float32`。",
        )
    if inquiry.module is not None and (path := inquiry.path_of(inquiry.module[1])):
        net = path.partition(".")[0]
        case = cured(case, 1, *(case.cures[lang][1].replace("`net.", f"`{net}.") for lang in ("en", "zh")))
    return case


def cured(case: Case, i: int, en: str, zh: str) -> Case:
    """The case with another cure at place `i`."""
    cures = {
        lang: (*old[:i], new, *old[i + 1 :]) for (lang, old), new in zip(case.cures.items(), (en, zh), strict=True)
    }
    return replace(case, cures=cures)


def statement(line: Line) -> ast.stmt | None:
    """What stands in a line, if it is a whole statement."""
    try:
        return next(iter(ast.parse(line.code).body), None)
    except SyntaxError:
        return None


REWORDED: dict[str, Callable[[Inquiry, list[Line], Any], Case]] = {
    "changed": changed,
    "new weight": new_weight,
    "other tensors": other_tensors,
    "spread": spread,
    "linear": linear,
    "two types": two_types,
}

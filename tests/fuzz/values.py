"""Statements about values: making tensors, arithmetic, reductions, shapes, views, indices, changes in place.

Each is a function of the program that is being written; it says nothing where no variable fits. WORDS holds them with
how often they are chosen, by family: a program has a few favourite families, so that their states meet.
Read next: gradients.py, the other half.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .program import FLOATS, WHOLE, Program, Size, Var, broadcast, promote

Word = Callable[[Program], Any]
WORDS: dict[str, list[tuple[Word, float]]] = {}


def word(family: str, weight: float = 1.0) -> Callable[[Word], Word]:
    def add(function: Word) -> Word:
        WORDS.setdefault(family, []).append((function, weight))
        return function

    return add


# -- making tensors


@word("make", 3)
def leaf(p: Program) -> None:
    size, dtype = p.size(), p.dtype()
    wants = dtype in FLOATS and p.chance(0.6)
    if p.chance(0.02):
        wants = True  # of an integer, perhaps
    p.let(p.tensor_literal(size, dtype, ", requires_grad=True" if wants else ""), size, dtype, wants)


@word("make", 1.2)
def leaf_that_is_a_view(p: Program) -> None:
    text, size = p.pick(
        (
            ("torch.arange(6.).view(2, 3)", (2, 3)),
            ("torch.tensor([1., 2., 3.]).unsqueeze(0)", (1, 3)),
            ("torch.tensor([[1., 2.], [3., 4.]]).t()", (2, 2)),
            ("torch.tensor([0.5, 1., 2.]).expand(2, 3)", (2, 3)),
            ("torch.arange(6.)[1::2]", (3,)),
            ("torch.ones(2, 3)[0]", (3,)),
            ("torch.arange(4.).reshape(2, 2)", (2, 2)),
            ("torch.ones(1, 3).squeeze(0)", (3,)),
        )
    )
    p.let(text + p.pick((".requires_grad_()", ".requires_grad_()", "")), size, "float32", True)


@word("make", 0.4)
def many(p: Program) -> None:
    """So many numbers that it shows in which type they are added up, most of them equal to others."""
    n, dtype = p.pick((17, 40, 300)), p.pick(FLOATS)
    text = p.pick((f"torch.full(({n},), 0.1, dtype=torch.{dtype}", f"(torch.arange({n}, dtype=torch.{dtype}) % 5"))
    p.let(text + ")" + p.pick(("", ".requires_grad_()")), (n,), dtype, True)


@word("make")
def factory(p: Program) -> None:
    size, dtype = p.size(), p.dtype()
    wants = dtype in FLOATS and p.chance(0.5)
    more = (f", dtype=torch.{dtype}" if p.chance(0.6) or dtype != "float32" else "") + (
        ", requires_grad=True" if wants else ""
    )
    kind = p.pick(("zeros", "ones", "full", "arange", "eye", "linspace"))
    if kind == "full":
        p.let(f"torch.full({size}, {p.element(dtype)}{more})", size, dtype, wants)
    elif kind == "arange":
        p.let(f"torch.arange({p.int(0, 4)}{more})", (3,), dtype, wants)
    elif kind == "eye":
        n = p.int(1, 3)
        p.let(f"torch.eye({n}{more})", (n, n), dtype, wants)
    elif kind == "linspace":
        n = p.int(1, 5)
        p.let(f"torch.linspace(-1, 1, {n}{more})", (n,), dtype, wants)
    else:
        p.let(f"torch.{kind}({size}{more})", size, dtype, wants)


@word("make")
def like(p: Program) -> None:
    if x := p.var():
        dtype = p.dtype() if p.chance(0.3) else x.dtype
        more = f", dtype=torch.{dtype}" if dtype != x.dtype else ""
        wants = dtype in FLOATS and p.chance(0.3)
        more += ", requires_grad=True" if wants else ""
        kind = p.pick(("zeros_like", "ones_like", "full_like", "new_zeros", "new_full", "new_ones", "new_tensor"))
        if kind == "new_tensor":
            p.let(f"{x.name}.new_tensor({p.literal((2,), x.dtype)})", (2,), x.dtype)
        elif kind.startswith("new"):
            fill = f", {p.element(dtype)}" if kind == "new_full" else ""
            p.let(f"{x.name}.{kind}({x.size}{fill}{more})", x.size, dtype, wants)
        else:
            fill = f", {p.element(dtype)}" if kind == "full_like" else ""
            p.let(f"torch.{kind}({x.name}{fill}{more})", x.size, dtype, wants)


# -- arithmetic

UNARY = "exp log sin cos tan tanh sigmoid relu sqrt abs neg sign square reciprocal rsqrt floor ceil round erf"
UNARY = tuple((UNARY + " exp expm1 log1p log2 sinh cosh exp sin tanh neg clone clone contiguous").split())
BINARY = "add sub mul div mul add pow maximum minimum eq lt ge ne floor_divide remainder logical_and".split()
SIGNS = "+ - * / * + ** // % < >= == != & | ^".split()


def fitting(p: Program, x: Var) -> Var | None:
    """Another variable that broadcasts with x; now and then any."""
    if p.chance(0.03):
        return p.var()
    return p.var(lambda v: broadcast(v.size, x.size) is not None)


def outcome(x: Var, dtype: str) -> str:
    return dtype if dtype in FLOATS else "float32"


@word("arithmetic", 3)
def unary(p: Program) -> None:
    if x := p.var(lambda v: v.floats or p.chance(0.15)):
        name = p.pick(UNARY)
        text = f"{x.name}.{name}()" if p.chance(0.8) or name == "contiguous" else f"torch.{name}({x.name})"
        text = f"-{x.name}" if name == "neg" and p.chance(0.5) else text
        p.let(text, x.size, x.dtype if x.floats or name in ("abs", "neg", "clone") else "float32", x.grad, not x.grad)


@word("arithmetic", 5)
def binary(p: Program) -> None:
    if (x := p.var()) and (y := fitting(p, x)):
        r = p.random()
        sign = p.pick(SIGNS) if r < 0.75 else p.pick(BINARY)
        if x.floats and sign in ("&", "|", "^") and p.chance(0.9):
            sign = "*"
        if r < 0.75:
            text = f"{x.name} {sign} {y.name}"
        else:
            text = f"torch.{sign}({x.name}, {y.name})" if p.chance(0.5) else f"{x.name}.{sign}({y.name})"
        if sign == "add" and p.chance(0.4):
            text = text[:-1] + f", alpha={p.number()})"
        dtype = promote(x.dtype, y.dtype)
        if sign in ("<", ">=", "==", "!=", "eq", "lt", "ge", "ne", "logical_and"):
            dtype = "bool"
        elif sign in ("/", "div"):
            dtype = outcome(x, dtype)
        p.let(text, broadcast(x.size, y.size) or x.size, dtype, x.grad or y.grad, False)


@word("arithmetic", 3)
def with_a_number(p: Program) -> None:
    if x := p.var():
        number = p.number()
        sign = p.pick(SIGNS if not x.floats else SIGNS[:-3])
        whole = number.lstrip("-").isdigit() or number == "True"
        dtype = x.dtype if x.floats or (whole and x.dtype != "bool") else "int64" if whole else "float32"
        if sign in ("<", ">=", "==", "!="):
            dtype = "bool"
        elif sign == "/":
            dtype = outcome(x, dtype)
        text = f"{x.name} {sign} {number}" if p.chance(0.7) else f"{number} {sign} {x.name}"
        p.let(text, x.size, dtype, x.grad, False)


@word("arithmetic")
def choice(p: Program) -> None:
    if (x := p.var()) and (y := fitting(p, x)):
        size = broadcast(x.size, y.size) or x.size
        kind = p.pick(("where", "where", "clamp", "masked_fill", "where_number", "clamp_tensor", "lerp", "addcmul"))
        dtype = promote(x.dtype, y.dtype)
        if kind == "where":
            p.let(f"torch.where({x.name} > {p.number()}, {x.name}, {y.name})", size, dtype, x.grad or y.grad, False)
        elif kind == "where_number":
            p.let(f"torch.where({x.name} > {p.number()}, {x.name}, {p.number()})", x.size, x.dtype, x.grad, False)
        elif kind == "clamp":
            limits = p.pick(("min=0", "max=1", "-1, 1", "min=0.5", "-0.5, 0.5", "min=0, max=0"))
            p.let(f"{x.name}.clamp({limits})", x.size, x.dtype, x.grad, False)
        elif kind == "clamp_tensor":
            p.let(f"{x.name}.clamp(min={y.name})", size, dtype, x.grad or y.grad, False)
        elif kind == "masked_fill":
            p.let(f"{x.name}.masked_fill({y.name} > 0, {p.number()})", size, x.dtype, x.grad, False)
        elif kind == "addcmul":
            p.let(f"{x.name} + {p.number()} * {y.name} * {x.name}", size, dtype, x.grad or y.grad, False)
        else:
            p.let(f"({x.name} - {y.name}) * {p.number()} + {y.name}", size, dtype, x.grad or y.grad, False)


@word("arithmetic")
def cast(p: Program) -> None:
    if x := p.var():
        dtype = p.dtype()
        short = {"float32": "float", "float64": "double", "float16": "half", "int64": "long", "bool": "bool"}
        text = p.pick((f"{x.name}.to(torch.{dtype})", f"{x.name}.type(torch.{dtype})"))
        if dtype in short and p.chance(0.6):
            text = f"{x.name}.{short[dtype]}()"
        elif p.chance(0.1) and (y := p.var()):
            text, dtype = f"{x.name}.to({y.name})", y.dtype
        p.let(text, x.size, dtype, x.grad, not x.grad)


@word("arithmetic", 1.2)
def product(p: Program) -> None:
    if (x := p.var(lambda v: v.ndim > 0 and (v.floats or p.chance(0.2)))) and (
        y := p.var(lambda v: v.ndim > 0 and v.dtype == x.dtype and (v.size[-2:][0] == x.size[-1] or p.chance(0.05)))
    ):
        try:
            size = (np.zeros(x.size) @ np.zeros(y.size)).shape
        except ValueError:
            size = ()
        p.let(f"{x.name} @ {y.name}", size, x.dtype, x.grad or y.grad, False)


# -- reductions


def dims(p: Program, x: Var) -> tuple[str, Any]:
    """Text and value of a `dim`."""
    if p.chance(0.03):
        return "5", None
    if x.ndim == 0:
        return p.pick(("0", "-1")), ()
    if x.ndim > 1 and p.chance(0.2):
        return "(0, -1)", (0, x.ndim - 1)
    d = p.int(-x.ndim, x.ndim - 1)
    return str(d), d % x.ndim


def reduced(size: Size, dim: Any, keepdim: bool) -> Size:
    gone = dim if isinstance(dim, tuple) else (dim,)
    return tuple(1 if i in gone else n for i, n in enumerate(size) if keepdim or i not in gone)


@word("reduce", 3)
def reduce(p: Program) -> None:
    if x := p.var():
        name = p.pick("sum sum sum mean mean prod max min amax amin all any std var norm logsumexp median".split())
        dtype = x.dtype if x.floats or name in ("max", "min", "amax", "amin") else "int64"
        dtype = "bool" if name in ("all", "any") else dtype
        more = ""
        if name in ("std", "var") and p.chance(0.4):
            more = p.pick((", unbiased=False", ", correction=0", ", correction=2"))
        if name in ("sum", "mean", "prod") and p.chance(0.12):
            more, dtype = f", dtype=torch.{(d := p.pick(FLOATS + ('int64',)))}", d
        if p.chance(0.45) and name not in ("logsumexp",):
            p.let(f"{x.name}.{name}({more[2:]})", (), dtype, x.grad, False)
            return
        text, dim = dims(p, x)
        keepdim = p.chance(0.3)
        if dim is None:
            dim = 0
        if name in ("max", "min", "prod", "median") and isinstance(dim, tuple) and p.chance(0.9):
            text, dim = "0", 0
        size = reduced(x.size, dim, keepdim)
        call = (
            f"{x.name}.{name}({'p=2, dim=' if name == 'norm' else ''}{text}{', keepdim=True' if keepdim else ''}{more})"
        )
        if name in ("max", "min", "median"):
            call = p.pick((call + "[0]", call + ".values", call + ".indices"))
            dtype = "int64" if "indices" in call else dtype
        p.let(call, size, dtype, x.grad, False)


@word("reduce")
def along(p: Program) -> None:
    if x := p.var(lambda v: v.ndim > 0 or p.chance(0.1)):
        name = p.pick(
            "cumsum softmax log_softmax argmax argmin sort topk argsort flip cumprod roll tril triu".split()
            + ["kthvalue", "median", "mode"]
        )
        d = p.int(-x.ndim, max(x.ndim - 1, 0))
        if name == "topk":
            p.let(f"{x.name}.topk(1, {d}).values", x.size, x.dtype, x.grad, False)
        elif name == "kthvalue":
            k = p.int(1, max(x.size[d], 1)) if x.size else 1
            part = p.pick((".values", ".indices"))
            p.let(f"{x.name}.kthvalue({k}, {d}){part}", (2,), x.dtype if part == ".values" else "int64", x.grad, False)
        elif name in ("median", "mode"):
            part = p.pick((".values", ".indices"))
            p.let(f"{x.name}.{name}({d}){part}", (2,), x.dtype if part == ".values" else "int64", x.grad, False)
        elif name == "sort":
            call = f"{x.name}.sort({d}{p.pick((', descending=True', '', ''))})"
            p.let(call + p.pick((".values", "[0]", ".values")), x.size, x.dtype, x.grad, False)
        elif name in ("argmax", "argmin"):
            keepdim = p.chance(0.3)
            size = reduced(x.size, d % max(x.ndim, 1), keepdim)
            p.let(f"{x.name}.{name}({d}{', keepdim=True' if keepdim else ''})", size, "int64")
        elif name == "argsort":
            p.let(f"{x.name}.argsort({d})", x.size, "int64")
        elif name in ("tril", "triu"):
            p.let(f"{x.name}.{name}({p.int(-1, 1)})", x.size, x.dtype, x.grad, False)
        elif name == "roll":
            p.let(f"{x.name}.roll({p.int(-2, 2)}, {d})", x.size, x.dtype, x.grad, False)
        else:
            p.let(f"{x.name}.{name}({d})", x.size, x.dtype, x.grad, False)


# -- shapes and views


@word("view", 6)
def view(p: Program) -> None:
    x = p.var(lambda v: v.ndim > 0 or p.chance(0.15))
    if not x:
        return
    n, size = x.ndim, x.size
    d = p.int(0, max(n - 1, 0))
    m = size[d] if n else 1
    kind = p.pick(
        "select slice step transpose permute expand unsqueeze squeeze narrow view reshape diagonal item flatten t mT T "
        "movedim view_as swap unflat slice select transpose item view expand detach".split()
    )
    name, out, text = x.name, size, ""
    if kind == "select" and n:
        at = p.int(-m, m - 1) if m else 0
        text, out = f"select({d}, {at})", size[:d] + size[d + 1 :]
    elif kind in ("slice", "step") and n:
        start, step = p.int(0, max(m - 1, 0)), p.pick((2, 1)) if kind == "step" else 1
        cut = f"{start}:{p.pick(('', m, m + 2, -1))}" + (f":{step}" if step > 1 else "")
        text = f"[{':, ' * d}{cut}]"
        out = np.empty(size)[(slice(None),) * d + (eval("np.s_[" + cut + "]"),)].shape
    elif kind == "item" and n:
        at = p.int(-m, m - 1) if m else 0
        text, out = f"[{at}]" if d == 0 else f"[..., {at}]", size[1:] if d == 0 else size[:-1]
        m = size[0] if d == 0 else size[-1]
        if not -m <= at < m:
            text = f"[{0}]" if d == 0 else f"[..., {0}]"
    elif kind in ("transpose", "swap"):
        a, b = p.int(-n, max(n - 1, 0)), d
        turned = list(size)
        if n:
            turned[a], turned[b] = turned[b], turned[a]
        text, out = f"transpose({a}, {b})", tuple(turned)
    elif kind == "permute":
        order = list(range(n))
        for i in range(n):
            j = p.int(0, n - 1)
            order[i], order[j] = order[j], order[i]
        text, out = f"permute({tuple(order)})", tuple(size[i] for i in order)
    elif kind == "expand":
        out = tuple(p.pick((2, 3)) if k == 1 else k for k in size)
        if p.chance(0.5) or out == size:
            out = (2, *out)
        text = f"expand({out})"
    elif kind == "unsqueeze":
        at = p.int(-n - 1, n)
        text, out = f"unsqueeze({at})", np.expand_dims(np.empty(size), at).shape
    elif kind == "squeeze":
        at = p.pick(("", str(d), str(d)))
        text = f"squeeze({at})"
        out = tuple(k for i, k in enumerate(size) if k != 1 or (at and i != d))
    elif kind == "narrow" and n:
        start = p.int(0, max(m - 1, 0))
        text, out = f"narrow({d}, {start}, {m - start})", (*size[:d], m - start, *size[d + 1 :])
    elif kind in ("view", "reshape", "flatten", "unflat"):
        k = x.numel
        out = p.pick([s for s in ((k,), (1, k), (k, 1), (2, k // 2), (k // 2, 2), (3, k // 3)) if np.prod(s) == k])
        shown = tuple(-1 if i == 0 and k and p.chance(0.3) else s for i, s in enumerate(out))
        text = f"{p.pick(('view', 'reshape', 'view'))}{shown if len(shown) > 1 else f'({shown[0]})'}"
        if kind == "flatten":
            text, out = "flatten()", (k,)
    elif kind == "diagonal" and n > 1:
        offset = p.int(-1, 1)
        text = f"diagonal({offset})"
        out = np.empty(size).diagonal(offset).shape
    elif kind == "t" and n <= 2:
        text, out = "t()", size[::-1]
    elif kind in ("mT", "T") and n == 2:
        text, out = kind, size[::-1]
    elif kind == "movedim" and n:
        text, out = f"movedim({d}, -1)", (*size[:d], *size[d + 1 :], size[d])
    elif kind == "view_as":
        text = f"view_as({name})"
    elif kind == "detach":
        p.let(f"{name}.{p.pick(('detach()', 'data', 'detach()'))}", size, x.dtype)
        return
    if text:
        p.let(f"{name}{text if text.startswith('[') else '.' + text}", out, x.dtype, x.grad, not x.grad)


@word("view", 1)
def parts(p: Program) -> None:
    """Several views at once, each under its own name."""
    if x := p.var(lambda v: v.ndim > 0 and 1 < v.size[0] < 5):
        n = x.size[0]
        kind = p.pick(("unbind()", "split(1)", "chunk(2)", "iter", "split([1, -1])"))
        if kind == "unbind()" or kind == "iter":
            count, size = n, x.size[1:]
        elif kind == "split(1)":
            count, size = n, (1, *x.size[1:])
        elif kind == "chunk(2)":
            count, size = 2, (-(-n // 2), *x.size[1:])
        else:
            kind, count, size = f"split([1, {n - 1}])", 2, (1, *x.size[1:])
        names = [p.name() for _ in range(count)]
        p.say(f"{', '.join(names)} = {x.name}" + ("" if kind == "iter" else f".{kind}"))
        for i, name in enumerate(names):
            last = (
                (n - size[0], *size[1:]) if i and "chunk" in kind else (n - 1, *size[1:]) if "[" in kind and i else size
            )
            p.vars.append(Var(name, last, x.dtype, x.grad, not x.grad))


@word("view", 1)
def joined(p: Program) -> None:
    if x := p.var():
        y = p.var(lambda v: v.size == x.size and (v.dtype == x.dtype or p.chance(0.2))) or x
        if x.ndim and p.chance(0.5):
            d = p.int(-x.ndim, x.ndim - 1)
            size = tuple(n * 2 if i == d % x.ndim else n for i, n in enumerate(x.size))
            p.let(f"torch.cat([{x.name}, {y.name}], {d})", size, promote(x.dtype, y.dtype), x.grad or y.grad, False)
        elif p.chance(0.8):
            p.let(
                f"torch.stack(({x.name}, {y.name}))", (2, *x.size), promote(x.dtype, y.dtype), x.grad or y.grad, False
            )
        else:
            times = (2,) * max(x.ndim, 1)
            size = tuple(2 * n for n in x.size) or (2,)
            p.let(f"{x.name}.repeat({times})", size, x.dtype, x.grad, False)


# -- indices


def index(p: Program, size: Size) -> tuple[str, Any]:
    """An index in any mix of kinds: its text, and NumPy's idea of the size that it leads to."""
    texts: list[str] = []
    items: list[Any] = []
    axis, dots, used = 0, False, p.int(1, max(len(size), 1))
    while axis < used and axis < len(size):
        n = size[axis]
        r = p.random()
        if r < 0.1:
            texts.append("None")
            items.append(None)
            continue
        if r < 0.18 and not dots:
            dots = True
            texts.append("...")
            items.append(...)
            continue
        axis += 1
        at = p.int(-n, n - 1) if n else 0
        if p.chance(0.02):
            at = n + 1
        if r < 0.4:
            texts.append(str(at))
            items.append(at)
        elif r < 0.6:
            start, step = p.pick(("", str(p.int(-1, max(n - 1, 0))))), p.pick(("", "", ":2"))
            cut = f"{start}:{p.pick(('', '', str(n), '-1', str(p.int(0, n))))}{step}"
            texts.append(cut)
            items.append(eval("np.s_[" + cut + "]"))
        elif r < 0.85:
            many = [p.int(-n, n - 1) if n else 0 for _ in range(p.pick((1, 2, 2, 3)))]
            if p.chance(0.02):
                many[0] = n + 1
            if p.chance(0.15):
                nested = [many, many[::-1]]
                texts.append(f"torch.tensor({nested})")
                items.append(np.array(nested))
            else:
                kind = p.pick(("{}", "torch.tensor({})", "torch.tensor({})", "torch.tensor({}, dtype=torch.int32)"))
                texts.append(kind.format(many))
                items.append(np.array(many))
        elif r < 0.9:
            texts.append(f"torch.tensor({at})")
            items.append(at)
        elif r < 0.97:
            mask = [p.chance(0.5) for _ in range(n)]
            texts.append(p.pick(("torch.tensor({})", "{}")).format(mask) if n else "torch.zeros(0, dtype=torch.bool)")
            items.append(np.array(mask, dtype=bool))
        else:
            axis -= 1
            texts.append(p.pick(("True", "False", "torch.tensor(True)")))
            items.append(np.array(texts[-1] != "False"))
    if not texts:
        texts, items = [p.pick(("...", "None", "True", "()"))], [...]
    text = ", ".join(texts)
    if text == "()":
        text, items = "()", []
    try:
        found = np.empty(size)[tuple(items)].shape
    except (IndexError, ValueError):
        found = None
    return text, found


def whole_mask(p: Program, x: Var) -> str:
    y = p.var(lambda v: v.size == x.size) or x
    return y.name if y.dtype == "bool" else f"{y.name} {p.pick(('>', '<', '>='))} {p.pick(('0', '0.5', '1'))}"


@word("index", 3)
def get_item(p: Program) -> None:
    if x := p.var(lambda v: v.ndim > 0 or p.chance(0.1)):
        text, size = index(p, x.size)
        p.let(f"{x.name}[{text}]", (2,) if size is None else size, x.dtype, x.grad, not x.grad)


@word("index", 4)
def set_item(p: Program) -> None:
    if x := p.var(lambda v: (v.ndim > 0 or p.chance(0.1)) and not (v.grad and v.leaf and p.chance(0.9))):
        if p.chance(0.2):
            text, size = whole_mask(p, x), None
        else:
            text, size = index(p, x.size)
        y = p.var(
            lambda v: size is not None and (v.dtype == x.dtype or p.chance(0.2)) and broadcast(v.size, size) == size
        )
        value = y.name if y and p.chance(0.6) else p.number() if p.chance(0.7) or size is None else None
        if value is None:
            value = p.tensor_literal(size, x.dtype)
        sign = p.weighted((("=", 5), ("+=", 1), ("*=", 1), ("-=", 0.5)))
        p.say(f"{x.name}[{text}] {sign} {value}")
        if y and value == y.name and y.grad:
            x.grad, x.leaf = x.dtype in FLOATS, False


@word("index", 1)
def mask_get(p: Program) -> None:
    if x := p.var():
        text = f"{x.name}[{whole_mask(p, x)}]" if p.chance(0.6) else f"{x.name}.masked_select({whole_mask(p, x)})"
        p.let(text, (2,), x.dtype, x.grad, False)


def places(p: Program, n: int, count: int) -> str:
    return str([p.int(0, n - 1) if n else 0 for _ in range(count)])


@word("index", 1)
def look_up(p: Program) -> None:
    if x := p.var(lambda v: v.ndim > 0 and v.numel > 0):
        d = p.int(0, x.ndim - 1)
        count = p.int(1, 3)
        size = (*x.size[:d], count, *x.size[d + 1 :])
        kind = p.pick(("index_select", "gather", "scatter_add", "index_add", "take_rows"))
        at = f"torch.tensor({places(p, x.size[d], count)})"
        if kind == "index_select":
            p.let(f"{x.name}.index_select({d}, {at})", size, x.dtype, x.grad, False)
        elif kind == "take_rows":
            p.let(f"{x.name}[{at}]", (count, *x.size[1:]), x.dtype, x.grad, False)
        elif kind == "index_add":
            y = p.var(lambda v: v.size == size and v.dtype == x.dtype)
            source = y.name if y else f"torch.ones({size}, dtype=torch.{x.dtype})"
            alpha = p.pick(("", "", ", alpha=2"))
            p.let(f"{x.name}.index_add({d}, {at}, {source}{alpha})", x.size, x.dtype, x.grad, False)
        else:
            n = min(x.size)
            whole = f"torch.zeros({x.size}, dtype=torch.int64)" if n < 2 else f"torch.ones({x.size}, dtype=torch.int64)"
            if kind == "gather":
                p.let(f"{x.name}.gather({d}, {whole})", x.size, x.dtype, x.grad, False)
            else:
                y = p.var(lambda v: v.size == x.size and v.dtype == x.dtype) or x
                p.let(f"{x.name}.scatter_add({d}, {whole}, {y.name})", x.size, x.dtype, x.grad or y.grad, False)


# -- in place


def target(p: Program) -> Var | None:
    """A tensor to change: seldom a leaf that requires grad, which refuses."""
    return p.var(lambda v: not (v.grad and v.leaf and p.chance(0.85)))


@word("in place", 4)
def change_by_another(p: Program) -> None:
    if x := target(p):
        y = p.var(lambda v: broadcast(v.size, x.size) == x.size and (v.floats <= x.floats or p.chance(0.1)))
        if y is None or p.chance(0.03):
            y = p.var()
        if y is None:
            return
        text = p.pick(
            ("{x}.add_({y})", "{x}.mul_({y})", "{x} += {y}", "{x} *= {y}", "{x} -= {y}", "{x}.copy_({y})", "{x} /= {y}")
            + ("{x}.sub_({y}, alpha=2)", "{x}.div_({y})", "{x}.clamp_(min={y})", "{x}.add_({y}, alpha=0.5)")
            + ("{x}.masked_fill_({y} > 0, 0.5)", "{x}.copy_({y})", "{x}.mul_({y})", "{x} **= {y}", "{x}.copy_({y})")
        )
        p.say(text.format(x=x.name, y=y.name))
        if y.grad and x.floats:
            x.grad, x.leaf = True, False


@word("in place", 4)
def change_alone(p: Program) -> None:
    if x := target(p):
        number = p.number() if p.chance(0.15) or not x.floats else p.pick(("0.5", "2.0", "-1.0", "2", "3"))
        if not x.floats and p.chance(0.8):
            number = p.pick(("1", "2", "3", "0"))
        text = p.pick(
            (
                "{x}.zero_()",
                "{x}.fill_({n})",
                "{x} += {n}",
                "{x} *= {n}",
                "{x}.mul_({n})",
                "{x}.add_({n})",
                "{x} -= {n}",
            )
            + (
                "{x}.exp_()",
                "{x}.sin_()",
                "{x}.neg_()",
                "{x}.sqrt_()",
                "{x}.relu_()",
                "{x}.tanh_()",
                "{x}.clamp_(-1, 1)",
            )
            + ("{x}.pow_(2)", "{x} **= 2", "{x}.square_()", "{x}.sigmoid_()", "{x} /= {n}", "{x} //= 2", "{x} %= 2")
            + ("{x}.abs_()", "{x}.round_()", "{x}.reciprocal_()", "{x}.clamp_(min=0)", "{x}.cos_()", "{x}.div_({n})")
            + ("{x}.masked_fill_({x} > 0, {n})", "{x}.add_(1, alpha={n})")
        )
        p.say(text.format(x=x.name, n=number))


@word("in place", 1)
def change_at_places(p: Program) -> None:
    if x := p.var(lambda v: v.ndim > 0 and v.numel > 0 and not (v.grad and v.leaf and p.chance(0.9))):
        d = p.int(0, x.ndim - 1)
        count = p.int(1, 3)
        size = (*x.size[:d], count, *x.size[d + 1 :])
        at = f"torch.tensor({places(p, x.size[d], count)})"
        kind = p.pick(
            ("index_put_", "index_add_", "scatter_add_", "index_put_", "index_fill_", "index_copy_", "scatter_")
        )
        y = p.var(lambda v: v.size == (count, *x.size[1:]) and v.dtype == x.dtype)
        if kind == "index_put_":
            value = y.name if y else f"torch.tensor({p.element(x.dtype)}, dtype=torch.{x.dtype})"
            at = f"torch.tensor({places(p, x.size[0], count)})"
            p.say(f"{x.name}.index_put_(({at},), {value}{p.pick((', accumulate=True', ''))})")
        elif kind == "index_add_":
            y = p.var(lambda v: v.size == size and v.dtype == x.dtype)
            source = y.name if y else f"torch.ones({size}, dtype=torch.{x.dtype})"
            p.say(f"{x.name}.index_add_({d}, {at}, {source}{p.pick((', alpha=2', '', ''))})")
        elif kind == "scatter_add_":
            y = p.var(lambda v: v.size == x.size and v.dtype == x.dtype and v is not x)
            source = y.name if y else f"torch.ones({x.size}, dtype=torch.{x.dtype})"
            p.say(f"{x.name}.scatter_add_({d}, torch.zeros({x.size}, dtype=torch.int64), {source})")
        else:
            return
        if y and y.grad and y.name in p.lines[-1]:
            x.grad, x.leaf = x.floats, False


# -- from tensors to Python


@word("ask", 1)
def ask(p: Program) -> None:
    if x := p.var():
        p.say(
            p.pick(
                ("print({x}.tolist())", "print({x}.item())", "print(bool({x}))", "print(len({x}))", "print(float({x}))")
                + (
                    "print({x}.stride(), {x}.is_contiguous())",
                    "print({x}.size(), {x}.dim(), {x}.numel())",
                    "print({x})",
                )
                + (
                    "print(str({x}))",
                    "print(int({x}))",
                    "print({x}.nonzero())",
                    "print(0.5 in {x})",
                    "print({x}.shape[0])",
                )
                + (
                    "print({x}.type())",
                    "print([i for i in {x}])",
                    "print({x}.is_floating_point())",
                    "print({x}.equal({x}))",
                )
            ).format(x=x.name)
        )


__all__ = ["FLOATS", "WHOLE", "WORDS", "Word", "fitting", "index", "target", "word"]

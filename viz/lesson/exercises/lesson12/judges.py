"""What the pages of lesson 12 can't contain: points to try, ways of running, checks."""

import math
from typing import Any

from ....locale import room

tr = room("lesson12")


def rows(torch, random):
    import minigrad
    import minigrad.static  # what a trace needs, loaded before the time is measured

    yield (minigrad.tensor([3.0, -1.0]),)
    yield (minigrad.tensor([-1.0, 3.0]),)
    yield (minigrad.tensor([0.75, -0.5]),)
    yield (minigrad.tensor([9.0, 6.0]),)
    yield (minigrad.tensor([1.0, -1.0]),)  # the sum is 0
    yield (minigrad.tensor([math.nan, 1.0]),)
    yield (minigrad.tensor(random.normal(size=3).astype("float32") - 1.5),)


def traced(given, torch, x):
    """Value and gradient at x, and the value where the sum has the other sign: one trace must handle both. "numbers",
    if there is no trace because the function reads the numbers of a tensor."""
    import minigrad

    fast = minigrad.jit(given)
    x = x.detach().clone().requires_grad_()
    y = fast(x)
    if not fast.traces and "it reads the numbers of a tensor" in f"{fast.traces}":
        return "numbers"
    y.sum().backward()
    other = fast((-x).detach().requires_grad_())
    return {"value": y.detach(), "other": other.detach(), "gradient": x.grad, "traces": len(fast.traces)}


OPS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
}


GIVEN = {"w": 2.0, "x": 5.0, "v": -3.0}


MISSING = {True: "which is a line that your code has removed", False: "which no line before it makes"}


def evaluated(program, result, given, before=()):
    """The value of a list of operations, which was made of the lines `before`; raises ValueError, with the name of the
    line, if it cannot be computed."""
    values = dict(given)
    kept = [line[0] for line in program if isinstance(line, tuple) and line]
    removed = {line[0] for line in before if line[0] not in kept}
    for line in program:
        if not (isinstance(line, (tuple, list)) and len(line) >= 2):
            raise ValueError(f"a line is (name, op, *inputs), and one of yours is {line!r}")
        name, op, *inputs = line
        if not isinstance(name, str):
            raise ValueError(f"a line is (name, op, *inputs), and one of yours has {name!r} where the name goes")
        if not isinstance(op, str) or op not in OPS:
            raise ValueError(f"a line is (name, op, *inputs), and {name!r} has {op!r} where the op goes")
        for each in inputs:
            if not isinstance(each, str):
                raise ValueError(
                    f"a line is (name, op, *inputs), and {name!r} has {each!r} where the name of an input goes"
                )
            if each not in values:
                raise ValueError(f"in your list, {name!r} reads {each!r}, {MISSING[each in removed]}")
        if len(inputs) != (takes := OPS[op].__code__.co_argcount):
            raise ValueError(f"in your list, {name!r} has the inputs {inputs}, and {op} takes {takes}")
        values[name] = OPS[op](*[values[each] for each in inputs])
    if not isinstance(result, str) or result not in values:
        raise ValueError(f"the result is {result!r}, which no line of your list makes")
    return values[result]


def shortened(program, result):
    """The list without common subexpressions, which the reader's function must return."""
    short: list[tuple] = []
    first: dict[tuple, str] = {}
    same_as: dict[str, str] = {}
    for name, op, *inputs in program:
        does = (op, *[same_as.get(each, each) for each in inputs])
        if does in first:
            same_as[name] = first[does]
        else:
            first[does] = name
            short.append((name, *does))
    return short, same_as.get(result, result)


def lines_of(*texts):
    """Lines from texts like "a = add w x"."""
    return [(name, *rest.split()) for name, _, rest in (text.partition(" = ") for text in texts)]


def _random_lines(random):
    """A list with many equal operations; some are equal only after their inputs have been merged."""
    lines: list[tuple] = []
    levels = [["w", "x", "v"]]
    for level in range(3):
        made = []
        for _ in range(int(random.integers(2, 5))):
            op = str(random.choice(["add", "sub", "mul", "neg"] if level < 2 else ["add", "sub", "neg"]))
            known = levels[-1] if random.random() < 0.8 else levels[0]
            inputs = [str(random.choice(known)) for _ in range(1 if op == "neg" else 2)]
            copies = 2 if random.random() < 0.5 else 1
            for _ in range(copies):
                name = f"t{len(lines) + 1}"
                lines.append((name, op, *inputs))
                made.append(name)
        levels.append(made)
    result = "y"
    last = levels[-1]
    lines.append((result, "add", last[0], last[-1]))
    return lines, result


def programs(torch, random):
    yield lines_of("a = add w x", "b = add w x", "y = mul a b"), "y"
    yield lines_of("a = add w x", "b = mul w x", "y = mul a b"), "y"
    yield lines_of("y = sub x w"), "y"
    yield lines_of("a = sub w x", "b = sub x w", "y = mul a w", "z = mul y b"), "z"
    yield lines_of("a = add w x", "b = add w v", "c = add w x", "y = mul b c"), "y"
    yield lines_of("a = mul w x", "b = mul w x", "c = neg a", "d = neg b", "y = add c d"), "y"
    yield lines_of("a = mul w x", "b = mul w x", "c = mul w x", "d = add b c", "y = add a d"), "y"
    yield lines_of("a = mul w x", "y = mul w x"), "y"
    pairs = "a = sub w v", "b = sub v w", "c = sub x v", "d = sub v x"  # a set of two names has an order by chance
    yield lines_of(*pairs, "e = mul a b", "f = mul c d", "y = add e f"), "y"
    yield lines_of("a = add w x", "b = add v x", "y = sub a b"), "y"
    yield lines_of("y = add w x", "z = mul y w"), "y"
    for _ in range(4):
        yield _random_lines(random)


def shared(given, torch, program, result):
    made = given(program, result)
    if not (isinstance(made, tuple) and len(made) == 2):
        raise ValueError("it is not a tuple of two parts")
    if not isinstance(made[0], list):
        raise ValueError(f"the first of its two parts is of type {type(made[0]).__name__}, and it must be a list")
    short, name = made
    few = len(shortened(program, result)[0])
    value = evaluated(short, name, GIVEN, program)
    return {"value": value, "lines": max(len(short), few)}  # a shorter list is also right


def not_after(calls):
    if not isinstance(calls, int | float):
        return None
    return tr("The two times are not equal after {calls} calls.", "judges").filled(calls=f"{calls:g}")

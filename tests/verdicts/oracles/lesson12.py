"""Lesson 12: one trace for both signs; programs in SSA form that are run."""

import numpy as np

from .tools import near, number, oracle


@oracle
def if_in_a_trace(make, torch):
    import minigrad

    random = np.random.default_rng(29)
    corners = [[3.0, -1.0, 0.5], [-1.0, 0.5, -3.0], [0.0, 0.0, 0.0], [1.0, -1.0, 0.0], [np.nan, 1.0, 2.0]]
    fast = minigrad.jit(make())
    for at in [*corners, *random.normal(size=(30, 3))]:
        x = minigrad.tensor(np.array(at, np.float32), requires_grad=True)
        y = fast(x)
        slope = 1.0 if np.sum(np.array(at, np.float32)) > 0 else 0.1
        if not near(y, np.array(at) * slope, 1e-4, 1e-6):
            return f"the value at {at}"
        y.sum().backward()
        if x.grad is None or not near(x.grad, np.full(3, slope)):
            return f"the gradient at {at}"
    return None if len(fast.traces) == 1 else "several traces"


@oracle
def pays(make, torch):
    return None if near(number(make()), 600.0, 1e-6, 1e-6) else "the number"


def _run(program, given):
    values = dict(given)
    for name, op, *inputs in program:
        numbers = [values[each] for each in inputs]
        values[name] = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "neg": lambda a: -a,
        }[op](*numbers)
    return values


def _fewest(program, given):
    """How many different computations a program has; each is written out down to its leaves."""
    written = {name: name for name in given}
    for name, op, *inputs in program:
        written[name] = f"({op} {' '.join(written[each] for each in inputs)})"
    return len({written[name] for name, *_ in program})


@oracle
def share(make, torch):
    share = make()
    random = np.random.default_rng(30)
    given = {"w": 2.0, "x": 5.0, "v": -3.0}
    for turn in range(300):
        program, known, names = [], list(given), [f"t{each}" for each in random.permutation(20)]
        for _ in range(random.integers(1, 9)):
            op = ("add", "sub", "mul", "neg")[random.integers(4)] if turn % 2 else "sub"
            recent = known[-3:] if random.random() < 0.4 else known[: 2 if turn % 4 == 0 else 3]
            inputs = [recent[random.integers(len(recent))] for _ in range(1 if op == "neg" else 2)]
            for _ in range(random.integers(1, 3)):
                program.append((names.pop(), op, *inputs))
                known.append(program[-1][0])
        result = known[random.integers(3, len(known))]
        before = list(program)
        short, name = share(program, result)
        if program != before:
            return "the program was changed"
        others = {each: float(at) for each, at in zip(given, random.normal(size=3), strict=True)}
        for at in (given, others):
            if abs(_run(short, at)[name] - _run(before, at)[result]) > 1e-6 * (1 + abs(_run(before, at)[result])):
                return "the value"
        if len(short) > _fewest(before, given):
            return "two lines compute the same"

"""Lesson 13: the answer is put into a whole engine, whose other parts are ours, and the engine is compared with
minigrad, or with PyTorch: values, gradients, second gradients, sums, switches."""

from contextlib import contextmanager

import numpy as np

from viz.lesson.own import parts

from .tools import array, near, oracle

PROGRAMS = """(w + x) * (w + 1)
w * w * w + w
(w * x) * c
x * c + w
2 / (w * w + 1)
(w * x).tanh() + b
w.tanh() * w.sin() + x.exp()
(w - x) * (x - w) - 1.5
1.5 - w * b
(3 - w) * c - x
w ** 3 * x
(m @ n).sum() * w
((m @ n).tanh() @ n.t()).sum() + w * x
(w > 0) * w + w
(b + w) * (b * b) + s
(s * w).tanh() * b - b / (w * w + 2)
(k * p).tanh() * k + r
(r * p) * (k + r) - s
-(w * x) + (w * w) * (w * w)""".splitlines()


def _leaves(random, frozen):
    shapes = {"w": (3,), "x": (3,), "b": (4, 1), "c": (3,), "m": (2, 3), "n": (3, 4), "s": (), "k": (1, 3)}
    shapes |= {"p": (4, 2, 3), "r": (2, 1)}
    return {name: random.normal(size=size) for name, size in shapes.items()}, frozen


def _passes(make, program, leaves, frozen, how):
    """What arrives at the leaves: after one pass, after a second one, and of the gradients' squares."""
    made = {name: make(at.copy(), requires_grad=name not in frozen) for name, at in leaves.items()}
    y = eval(program, dict(made))
    found = [how.value(y)]
    asked = how.asks(y)
    found.append(asked)
    if not asked:
        return found
    for _ in "twice":
        how.backward(eval(program, dict(made)))
        found.append([how.grad(each) for each in made.values()])
    how.backward(eval(program, dict(made)), 2.0)
    found.append([how.grad(each) for each in made.values()])
    found.append([how.asks(each.grad) for each in made.values() if each.grad is not None])
    for each in made.values():
        how.empty(each)
    how.backward(y, create_graph=True)
    found.append([how.grad(each) for each in made.values()])
    total = None
    for each in made.values():
        if each.grad is not None:
            square = (each.grad * each.grad).sum()
            total = square if total is None else total + square
    found.append(how.asks(total))
    for each in made.values():
        how.empty(each)
    if how.asks(total):
        how.backward(total)
        found.append([how.grad(each) for each in made.values()])
        how.backward(eval(program, dict(made)))  # added to a gradient that is there
        found.append([how.grad(each) for each in made.values()])
    return found


class Own:
    """How the lesson's engine is used."""

    def value(self, y):
        return np.array(_plain(y._data))

    def asks(self, y):
        return bool(y._requires_grad)

    def backward(self, y, times=1.0, create_graph=False):
        gradient = type(y)(np.full_like(y._data, times))
        y.backward(gradient, create_graph=create_graph)

    def grad(self, leaf):
        return None if leaf.grad is None else np.array(_plain(leaf.grad._data))

    def empty(self, leaf):
        leaf._grad = None


def _plain(data):
    if hasattr(data, "_data") or np.asarray(data).dtype == object:
        raise TypeError("a Tensor inside a Tensor")
    return data


class Theirs:
    """How minigrad and PyTorch are used."""

    def __init__(self, torch):
        self.torch = torch

    def value(self, y):
        return array(y).copy()

    def asks(self, y):
        return y.requires_grad

    def backward(self, y, times=1.0, create_graph=False):
        y.backward(self.torch.full_like(y.detach(), times), create_graph=create_graph)

    def grad(self, leaf):
        return None if leaf.grad is None else array(leaf.grad).copy()

    def empty(self, leaf):
        leaf.grad = None


def _same(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if a is None or b is None or isinstance(a, bool):
        return a is b
    return near(a, b, 1e-5, 1e-7)


BEFORE: dict = {}


def _theirs(torch):
    """What the library gives; it is computed once."""
    if torch.__name__ not in BEFORE:

        def tensor(at, requires_grad):
            return torch.tensor(at, requires_grad=requires_grad)

        found, random = [], np.random.default_rng(31)
        for program in PROGRAMS:
            for frozen in ("", "x", "wxm"):
                leaves, _ = _leaves(random, frozen)
                found.append((program, leaves, frozen, _passes(tensor, program, leaves, frozen, Theirs(torch))))
        BEFORE[torch.__name__] = found
    return BEFORE[torch.__name__]


def works(make, torch, name):
    """What does not work in the engine with this answer."""
    given = make()
    if name == "no_grad" and isinstance(given, type):
        return "it is no generator function"
    if name == "Slopes" and not all(hasattr(given, each) for each in ("sub_other", "tanh_self", "mm_self")):
        return "a derivative is missing"
    engine = getattr(given, "__globals__", None)
    own = parts.engine()
    if engine is None:  # `Slopes`, the first part, is a class
        own["Slopes"] = given
    else:
        if "Recorded" in engine:  # it belongs to `backward`
            own["Recorded"] = engine["Recorded"]
        engine.update({key: value for key, value in own.items() if key not in (name, "__name__", "__builtins__")})
        _rebind(own, engine, given, name)
        own = engine
    Tensor = own["Tensor"]
    for program, leaves, frozen, is_ in _theirs(torch):
        came = _passes(Tensor, program, leaves, frozen, Own())
        if not _same(came, is_):
            return f"{program}, frozen: {frozen or 'none'}"
    return _states(own, Tensor) or _runs(own, Tensor) or _lists(own, Tensor)


def _rebind(own, engine, given, name):
    """Let all functions of our engine look up their names beside the answer."""
    text = "\n\n\n".join(text.strip("\n") for _, text in parts._PARTS)
    keep = {name: given} | ({"Recorded": engine["Recorded"]} if name == "backward" else {})
    exec(compile(text, "<engine>", "exec"), engine)
    engine.update(keep)


def _states(own, Tensor):
    y = w = Tensor(np.array([1.0, 2.0]), requires_grad=True)
    for _ in range(40):
        y = y + y
    own["backward"](y)
    if not near(w.grad._data, np.full(2, 2.0**40)):
        return "forty doublings"
    leaf = Tensor(np.array([3.0]), requires_grad=True)
    own["backward"](leaf)
    if leaf.grad is None or not near(leaf.grad._data, np.ones(1)):
        return "backward of a leaf"
    a, b = (Tensor(np.array([k]), requires_grad=True) for k in (3.0, 8.0))
    for _ in "123":
        own["backward"](a + b)
    if not near(a.grad._data, [3.0]) or not near(b.grad._data, [3.0]):
        return "three passes of a + b"
    own["backward"](a * a * b, create_graph=True)  # added to gradients that are there, and recorded
    if not a.grad._requires_grad or not near(a.grad._data, [3.0 + 48.0]):
        return "a recorded sum"
    small = Tensor(np.array([1.0, 2.0], np.float32), requires_grad=True)
    if any(each._data.dtype != np.float32 for each in (small + 1, 2 / small, small * 2.5, 1.5 - small)):
        return "the dtype"
    if len((small * 2)._fn.edges) != 2 or not isinstance((small * 2)._fn.edges, (list, tuple)):
        return "the edges"
    constants = Tensor(np.ones(2)) * 2
    if constants._fn is not None or constants._requires_grad:
        return "constants are recorded"
    modes, no_grad = own["modes"], contextmanager(own["no_grad"])
    for stop in (None, ValueError, KeyboardInterrupt, GeneratorExit):
        for before in (True, False):
            modes.recording = before
            try:
                with no_grad():
                    if modes.recording is not False or (small * 2)._requires_grad:
                        return "it records inside no_grad"
                    if stop:
                        raise stop("on purpose")
            except BaseException as error:
                if stop is None or type(error) is not stop:
                    raise
            else:
                if stop:
                    return "no_grad swallows an error"
            if modes.recording is not before:
                modes.recording = True
                return "recording is another one after no_grad"
            modes.recording = True
    if not (small * 2)._requires_grad:
        return "nothing is recorded after no_grad"


def _runs(own, Tensor):
    """Each node runs once in a pass."""
    often, gradients = {}, own["gradients"]

    def counted(node, *more):
        often[node] = often.get(node, 0) + 1
        return gradients(node, *more)

    own["gradients"] = counted
    for program in ("w * w * w", "(w * w) * ((w * w).tanh() * 3)", "((w + 1) * (w + 2)) + (w + 1) * w"):
        w = Tensor(np.array([0.5]), requires_grad=True)
        a = w * w
        for y in (eval(program, {"w": w}), a * (a.tanh() * 3), (a * 3).tanh() * a + a, a * a + a):
            often.clear()
            own["backward"](y)
            if set(often.values()) != {1}:
                return "a node runs more than once"
    own["gradients"] = gradients


def _lists(own, Tensor):
    """What `gradients` returns: a list, with None where an edge is None."""
    w, x = Tensor(np.array([2.0]), requires_grad=True), Tensor(np.array([3.0]))
    found = own["gradients"]((x * w)._fn, np.array([10.0]), own["RAW"].F, own["RAW"].unpack)
    if not isinstance(found, (list, tuple)) or len(found) != 2 or found[0] is not None or not near(found[1], [30.0]):
        return "`gradients` returns another list"


def _for(name, exercise):
    def asked(make, torch):
        return works(make, torch, name)

    asked.__name__ = exercise
    return oracle(asked)


own_slopes = _for("Slopes", "own_slopes")
own_call = _for("call", "own_call")
own_record = _for("record", "own_record")
own_gradients = _for("gradients", "own_gradients")
own_run = _for("run", "own_run")
own_fit = _for("fit", "own_fit")
own_leaves = _for("arrive_leaves", "own_leaves")
own_no_grad = _for("no_grad", "own_no_grad")
own_backward = _for("backward", "own_backward")

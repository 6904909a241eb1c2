"""Lesson 13's engine as text: parts given in cells (`TENSOR`, `NODE` …) and parts that the reader writes (`CALL` …).

In this order, one after another, the parts are a whole engine. The names are those of
minigrad/core/. They are text, as in a notebook's cell and in an exercise's solution. The reader's parts
are the solutions on the pages of the exercises, and are read from there.
Imports written.py, exercises/. Read next: graphs.py.
"""

from __future__ import annotations

from typing import Any

from .. import written
from ..exercises import pages

TENSOR = '''
import numpy as np
from minigrad.ops import TABLE, Raw


class Tensor:
    """An array that remembers where it came from."""

    def __init__(self, data, requires_grad=False):
        self._data = np.asarray(data)
        self._requires_grad = requires_grad
        self._fn = None  # what made it: nothing, so it is a leaf
        self._grad = None  # what backward has added up here

    __array_ufunc__ = None  # array + Tensor: that is for the Tensor to do
    shape = property(lambda self: self._data.shape)
    grad = property(lambda self: self._grad)

    def __repr__(self):
        data = self._data
        if data.dtype != bool:  # True and False cannot be rounded
            data = np.round(data, 4)
        return f"Tensor({data})"


class modes:
    recording = True  # step 6


def record(rule, tensors, params, out):
    """Step 2."""
'''

METHODS = '''
def method_of(name):
    """The method that runs this row of the table."""

    def method(self, *others, **params):
        return call(TABLE[name], (self, *others), params)

    return method


signs = "add sub mul neg eq ne lt le gt ge".split()
rows = {f"__{name}__": name for name in signs}
rows |= {"__radd__": "add", "__rmul__": "mul", "__rsub__": "rsub"}
rows |= {"__truediv__": "div", "__matmul__": "mm"}
rows |= {name: name for name in "exp sin tanh relu sum mm t".split()}
for name, row in rows.items():
    setattr(Tensor, name, method_of(row))


def power(self, exponent):
    return call(TABLE["pow_scalar"], (self,), {"exponent": exponent})


def swapped(name):
    """The method for a number, or an array, on the left: 2 / w."""
    return lambda self, left: call(TABLE[name], (left, self), {})


Tensor.__pow__ = power
Tensor.__rtruediv__, Tensor.__rmatmul__ = swapped("div"), swapped("mm")
'''

FORM = '''
from typing import NamedTuple


class Form(NamedTuple):
    """What a pass works on: plain arrays here, Tensors in step 7."""

    F: object  # the table's operators, in this form
    unpack: object  # takes out what a node has saved
    wrap: object  # makes a Tensor of a gradient


RAW = Form(F=Raw(np), unpack=lambda tensor: tensor._data, wrap=Tensor)


def slope_of(node, i):
    """The slope for input i; one for all, if a row takes a list."""
    rule = node.rule
    return rule.slopes[rule.inputs[0 if rule.variadic else i]]


def arguments(node, i, unpack):
    """What the slope for input i asks for, by name."""
    rule, found = node.rule, {}
    for need in rule.needs[rule.inputs[0 if rule.variadic else i]]:
        kept = i if need == "i" else node.kept[need]
        found[need] = unpack(kept) if isinstance(kept, Tensor) else kept
    return found
'''

NODE = '''
from itertools import count

next_number = count().__next__


class Node:
    """One operator that has run: it stands behind its result."""

    def __init__(self, rule):
        self.rule = rule
        self.edges = []  # where the gradients go, one for each input
        self._number = next_number()  # its inputs' nodes have lower ones


def keep(node, tensors, params, out):
    """Put on the node what its slopes will ask for, by name."""
    rule, asked = node.rule, set()
    known = {**rule.params, **params, "result": out}
    for name, x in zip(rule.inputs, tensors):
        known |= {name: x, name + "_sizes": x.shape}
        if x._requires_grad or rule.variadic:
            asked.update(rule.needs[name])
    node.shape = out.shape
    node.kept = {name: known[name] for name in known if name in asked}
'''

WALK = '''
def run(edge, grad, form):
    """Send a gradient from an edge to the leaves. Right on chains."""
    if not isinstance(edge, Node):  # a leaf: here it ends
        edge._grad = form.wrap(grad)
        return
    found = gradients(edge, grad, form.F, form.unpack)
    for to, g in zip(edge.edges, found):
        if to is not None:
            run(to, g, form)


def backward(tensor):
    run(tensor._fn or tensor, np.ones_like(tensor._data), RAW)


# It looks `backward` up anew each time: step 7 has another one.
Tensor.backward = lambda self, *given, **how: backward(self, *given, **how)
'''

ENDS = '''
def fit(F, grad, shape):
    """Step 5."""
    return grad


def arrive_leaves(leaves, form):
    """The gradients of these leaves are complete. (Step 6.)"""
    for leaf, grad in leaves.items():
        leaf._grad = form.wrap(grad)
'''


def _pages(name: str) -> tuple[str, str]:
    """The code of the cell and of the solution on the page of an exercise."""
    return written.codes(pages()[name].read_text(encoding="utf-8"), f"{name}.md")


_, CALL = _pages("own_call")
_, RECORD = _pages("own_record")
_, GRADIENTS = _pages("own_gradients")
_, RUN = _pages("own_run")
_, FIT = _pages("own_fit")
SHARED, LEAVES = _pages("own_leaves")
_, NO_GRAD = _pages("own_no_grad")
_, BACKWARD = _pages("own_backward")

# All parts in order: (author, text). The author is "" for the lesson, else the exercise with that solution
PARTS = [
    ("", TENSOR),
    ("", METHODS),
    ("", FORM),
    ("own_call", CALL),
    ("", NODE),
    ("own_record", RECORD),
    ("", WALK),
    ("own_gradients", GRADIENTS),
    ("", ENDS),
    ("own_run", RUN),
    ("own_fit", FIT),
    ("own_leaves", LEAVES),
    ("own_no_grad", NO_GRAD),
    ("own_backward", BACKWARD),
]
PLACES = {name: place for place, (name, _) in enumerate(PARTS) if name}


def before(exercise: str) -> str:
    """The text of the engine up to the place where this exercise begins."""
    return "\n\n\n".join(text.strip("\n") for _, text in PARTS[: PLACES[exercise]]) + "\n"


def engine(until: str = "own_backward") -> dict[str, Any]:
    """The names of the engine up to this exercise, after running it.

    >>> own = engine("own_run")
    >>> w = own["Tensor"](3.0, requires_grad=True)
    >>> a = w * w
    >>> (a * a + a).backward()
    >>> w.grad
    Tensor(114.0)
    """
    names: dict[str, Any] = {"__name__": "engine"}
    text = "\n\n\n".join(text.strip("\n") for _, text in PARTS[: PLACES[until] + 1])
    exec(compile(text, "<engine>", "exec"), names)
    return names

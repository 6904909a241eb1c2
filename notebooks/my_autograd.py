"""My autograd, written in lesson 13 of minigrad. `python my_autograd.py` trains a network with it."""


# --- ours: own_slopes
class Slopes:
    def sub_other(F, grad):
        return -grad

    def tanh_self(F, grad, result):
        return grad * (1 - result * result)

    def mm_self(F, grad, mat2):
        return F.mm(grad, F.t(mat2))


# --- given: the lesson
import numpy as np
from minigrad.ops import TABLE, Raw


class Tensor:
    """An array that remembers where it came from."""

    def __init__(self, data, requires_grad=False):
        self._data = np.asarray(data)
        self._requires_grad = requires_grad
        self._fn = None  # the node that made it; a leaf has none
        self._grad = None  # the sum of the gradients so far

    __array_ufunc__ = None  # array + Tensor: NumPy leaves it to the Tensor
    shape = property(lambda self: self._data.shape)
    grad = property(lambda self: self._grad)

    def __repr__(self):
        data = self._data
        if data.dtype != bool:  # True and False cannot be rounded
            data = np.round(data, 4)
        return f"Tensor({data})"

    def backward(self, *given, **how):
        backward(self, *given, **how)  # steps 4 and 7


class modes:
    recording = True  # step 6


# --- given: the lesson
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
    """The method for a number or an array on the left: 2 / w."""
    return lambda self, left: call(TABLE[name], (left, self), {})


Tensor.__pow__ = power
Tensor.__rtruediv__, Tensor.__rmatmul__ = swapped("div"), swapped("mm")


# --- given: the lesson
from typing import NamedTuple


class Form(NamedTuple):
    """How a pass computes: on arrays (RAW), or on Tensors (step 7)."""

    F: object  # the table's operators for this form
    unpack: object  # a saved Tensor, as this form needs it
    wrap: object  # makes a Tensor from a gradient


RAW = Form(F=Raw(np), unpack=lambda tensor: tensor._data, wrap=Tensor)


def slope_of(node, i):
    """The derivative for input i: yours if you wrote it, else the table's."""
    rule = node.rule
    name = rule.inputs[0 if rule.variadic else i]
    return getattr(Slopes, f"{rule.name}_{name}", rule.slopes[name])


def arguments(node, i, unpack):
    """The saved values that this derivative needs, by name."""
    rule, found = node.rule, {}
    for need in rule.needs[rule.inputs[0 if rule.variadic else i]]:
        kept = i if need == "i" else node.kept[need]
        found[need] = unpack(kept) if isinstance(kept, Tensor) else kept
    return found


# --- ours: own_call
def call(rule, inputs, params):
    like = next(x for x in inputs if isinstance(x, Tensor))
    tensors = []
    for x in inputs:
        if not isinstance(x, Tensor):
            x = Tensor(np.asarray(x, like._data.dtype))
        tensors.append(x)
    arrays = [x._data for x in tensors]
    out = Tensor(rule.value(np, *arrays, **params))
    if modes.recording and rule.slopes:  # `>` has none
        record(rule, tensors, params, out)
    return out


# --- given: the lesson
from itertools import count

next_number = count().__next__


class Node:
    """The record of one operator that has run."""

    def __init__(self, rule):
        self.rule = rule
        self.edges = []  # one for each input: where its gradient goes
        self._number = next_number()  # later nodes have higher numbers


def keep(node, tensors, params, out):
    """Save on the node the values that its derivatives need."""
    rule, asked = node.rule, set()
    known = {**rule.params, **params, "result": out}
    for name, x in zip(rule.inputs, tensors):
        known |= {name: x, name + "_sizes": x.shape}
        if x._requires_grad or rule.variadic:
            asked.update(rule.needs[name])
    node.shape = out.shape
    node.kept = {name: known[name] for name in known if name in asked}


# --- ours: own_record
def record(rule, tensors, params, out):
    if not any(x._requires_grad for x in tensors):
        return
    node = Node(rule)
    for x in tensors:
        if not x._requires_grad:
            node.edges.append(None)
        elif x._fn is None:
            node.edges.append(x)
        else:
            node.edges.append(x._fn)
    keep(node, tensors, params, out)
    out._fn, out._requires_grad = node, True


# --- ours: own_gradients
def gradients(node, grad, F, unpack):
    found = []
    for i, edge in enumerate(node.edges):
        if edge is None:
            found.append(None)
        else:
            slope = slope_of(node, i)
            found.append(slope(F, grad, **arguments(node, i, unpack)))
    return found


# --- ours: own_run
def run(edge, grad, form):
    waiting, leaves = {}, {}

    def arrive(edge, g):
        if g.shape != edge.shape:
            g = fit(form.F, g, edge.shape)
        sums = waiting if isinstance(edge, Node) else leaves
        sums[edge] = sums[edge] + g if edge in sums else g

    arrive(edge, grad)
    while waiting:
        node = max(waiting, key=lambda node: node._number)
        grad = waiting.pop(node)
        found = gradients(node, grad, form.F, form.unpack)
        for to, g in zip(node.edges, found):
            if to is not None:
                arrive(to, g)
    arrive_leaves(leaves, form)


# --- ours: own_fit
def fit(F, grad, shape):
    lead = len(grad.shape) - len(shape)
    dims = list(range(lead))
    for d, size in enumerate(shape):
        if size == 1:
            dims.append(lead + d)
    grad = F.sum_dim(grad, dim=tuple(dims), keepdim=True)
    return F.reshape_to(grad, size=shape)


# --- ours: own_leaves
def arrive_leaves(leaves, form):
    for leaf, grad in leaves.items():
        grad = form.wrap(grad)
        if leaf._grad is None:
            leaf._grad = grad
        else:
            leaf._grad = leaf._grad + grad


# --- ours: own_no_grad
def no_grad():
    before = modes.recording
    modes.recording = False
    try:
        yield
    finally:
        modes.recording = before


# --- ours: own_backward
class Recorded:
    def __getattr__(self, name):
        def function(*inputs, **params):
            return call(TABLE[name], inputs, params)

        return function


def backward(tensor, gradient=None, create_graph=False):
    if gradient is None:
        gradient = Tensor(np.ones_like(tensor._data))
    if create_graph:
        form = Form(Recorded(), lambda saved: saved, lambda grad: grad)
    else:
        form = RAW
        gradient = gradient._data
    run(tensor._fn or tensor, gradient, form)


# --- given: the program
def train(iterations=51):
    """Train lesson 7's network on random numbers, and yield its losses."""
    random = np.random.default_rng(0)
    x, y = Tensor(random.normal(size=(64, 1000))), Tensor(random.normal(size=(64, 10)))
    w1 = Tensor(random.normal(size=(1000, 100)), requires_grad=True)
    w2 = Tensor(random.normal(size=(100, 10)), requires_grad=True)
    for _ in range(iterations):
        error = x.mm(w1).relu().mm(w2) - y
        loss = (error * error).sum()
        loss.backward()
        for w in w1, w2:
            w._data -= 1e-6 * w.grad._data
            w._grad = None
        yield float(loss._data)


if __name__ == "__main__":
    for t, value in enumerate(train()):
        if t % 10 == 0:
            print(f"iteration {t:2}: loss {value:.2f}")

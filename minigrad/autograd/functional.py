"""Derivatives of functions: Jacobians, Hessians, and their products with vectors.

Imports backward. Read next: graph.py, for hooks on saved tensors and on several tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._engine.backward import grad
from .._engine.storage import TensorBase
from .._messages.foreign import refuse
from .._messages.names import explains_keywords
from .._messages.names import missing as _missing
from .._tensors.creation import ones_like, zeros_like
from .._tensors.methods.shape import stack
from .grad_mode import enable_grad


def _tensors(x: Any, what: str, name: str) -> tuple[tuple[Any, ...], bool]:
    """One tensor or several as a tuple, and whether there were several."""
    many = isinstance(x, tuple | list)
    xs = tuple(x) if many else (x,)
    for each in xs:
        if not isinstance(each, TensorBase):
            refuse(f"{name}()", each)
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the given {what} has "
                f"type {type(each)}."
            )
    return xs, many


def _prepared(inputs: Any, create_graph: bool, name: str) -> tuple[tuple[Any, ...], bool]:
    """Inputs to differentiate by: new leaves, or, under create_graph, views that stay in their graph."""
    xs, many = _tensors(inputs, "inputs", name)
    kept = [create_graph and x._requires_grad for x in xs]
    return tuple(x.view(x.size()) if k else x.detach().requires_grad_() for x, k in zip(xs, kept, strict=True)), many


def _called(func: Callable[..., Any], xs: tuple[Any, ...], name: str) -> tuple[tuple[Any, ...], bool]:
    return _tensors(func(*xs), "outputs of the user-provided function", name)


def _one_number(func: Callable[..., Any], xs: tuple[Any, ...], name: str, strict: bool) -> Any:
    ys, many = _called(func, xs, name)
    _require_graphs(ys, "outputs", strict)
    if many:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if ys[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return ys[0].reshape(())


def _vector(v: Any, like: tuple[Any, ...], many: bool, of: str, name: str) -> tuple[Any, ...]:
    """The vector of a product, after a check of its shape against `like`; for None, the number 1."""
    if v is None:
        if many or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if {of} a single Tensor with a single element.")
        return (ones_like(like[0]),)
    vs, _ = _tensors(v, "v", name)
    if len(vs) != len(like):
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(vs)}."
            if many
            else "The given v should contain a single Tensor."
        )
    for i, (each, other) in enumerate(zip(vs, like, strict=True)):
        if each.shape != other.shape:
            entry = f"Entry {i} in " if many else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {other.shape} but got {each.shape}.")
    return vs


def _grads(ys: tuple[Any, ...], xs: tuple[Any, ...], vs: tuple[Any, ...], create_graph: bool) -> tuple[Any, ...]:
    """The gradients of the outputs that have a graph; None where an output doesn't depend on an input."""
    roots = [(y, v) for y, v in zip(ys, vs, strict=True) if y is not None and y._requires_grad]
    if not roots:
        return (None,) * len(xs)
    ys, vs = zip(*roots, strict=True)
    return grad(ys, xs, vs, retain_graph=True, create_graph=create_graph, allow_unused=True)


NOT_STRICT = " This is not allowed in strict mode."
INDEPENDENT = {  # strict mode's messages for missing gradients; i is the input's number
    "jacobian": "Output {o} of the user-provided function is independent of input {i}." + NOT_STRICT,
    "vjp": "The output of the user-provided function is independent of input {i}." + NOT_STRICT,
    "jvp": "The gradient with respect to the input is independent of entry {i} in the grad_outputs when using the "
    "double backward trick to compute forward mode gradients." + NOT_STRICT,
    "vhp": "The jacobian of the user-provided function is independent of input {i}." + NOT_STRICT,
    "hvp": "The hessian of the user-provided function is independent of entry {i} in the grad_jacobian."
    + NOT_STRICT[:-1]
    + " as it prevents from using the double backward trick to replace forward mode AD.",
}
NO_GRAPH = {  # strict mode's messages for gradients without a graph
    "outputs": "Output {i} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode.",
    "gradient": "The gradient with respect to input {i} is independent of the inputs of the user-provided function."
    + NOT_STRICT,
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to "
    "input {i} is independent of the input. This is not allowed in strict mode. You should ensure that your function "
    "is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function "
    "for example).",
}


def _require_graphs(tensors: tuple[Any, ...], what: str, strict: bool) -> None:
    """In strict mode, raise if one of these is missing or has no graph."""
    for i, t in enumerate(tensors if strict else ()):
        if t is None:
            raise RuntimeError(INDEPENDENT["vjp"].format(i=i))
        if not t._requires_grad:
            raise RuntimeError(NO_GRAPH[what].format(i=i))


def _filled(
    found: tuple[Any, ...], like: tuple[Any, ...], who: str, strict: bool, create_graph: bool, o: int = 0
) -> Any:
    """Replace missing gradients by zeros; strict mode raises for them, and under create_graph for constants too."""
    for i, g in enumerate(found if strict else ()):
        if g is None:
            raise RuntimeError(INDEPENDENT[who].format(i=i, o=o))
        if create_graph and not g._requires_grad:
            what, i = ("hessian" if who in ("vhp", "hvp") else "jacobian"), (o if who == "jacobian" else i)
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is not allowed in strict "
                "mode when create_graph=True."
            )
    return tuple(zeros_like(x) if g is None else g for g, x in zip(found, like, strict=True))


def _result(ys: tuple[Any, ...], many_out: bool, found: tuple[Any, ...], many: bool, create_graph: bool) -> Any:
    """The result of a product: the function's outputs, and the product; each a tuple if there are several."""
    ys = ys if create_graph else tuple(y.detach() for y in ys)
    return (ys if many_out else ys[0]), (found if many else found[0])


@explains_keywords
def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """Every ∂ output / ∂ input, in a tensor of size (*output.shape, *input.shape); a tuple for each of several.

    `strict`: RuntimeError instead of zeros if an output does not depend on an input.

    >>> import minigrad as torch
    >>> jacobian(lambda x: x ** 2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "jacobian")
        ys, many_out = _called(func, xs, "jacobian")
        _require_graphs(ys, "outputs", strict)
        result = []
        for o, y in enumerate(ys):
            rows = [_grads((y.reshape(-1)[k],), xs, (None,), create_graph) for k in range(y.numel())]
            rows = [_filled(row, xs, "jacobian", strict, create_graph, o) for row in rows]
            parts = tuple(stack([row[j] for row in rows]).view(*y.shape, *x.shape) for j, x in enumerate(xs))
            parts = parts if create_graph else tuple(part.detach() for part in parts)
            result.append(parts if many_in else parts[0])
    return tuple(result) if many_out else result[0]


@explains_keywords
def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """Every second derivative of a function with one number as output: the Jacobian of its gradient.

    >>> import minigrad as torch
    >>> hessian(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    _, many = _tensors(inputs, "inputs", "hessian")

    def gradient(*xs: Any) -> Any:
        xs = tuple(x.view_as(x) for x in xs)  # as the inner of two jacobians does: an error may name this view
        y = _one_number(func, xs, "hessian", strict)
        found = _filled(_grads((y,), xs, (None,), True), xs, "vjp", False, True)
        _require_graphs(found, "jacobian", strict)
        return found if many else found[0]

    return jacobian(gradient, inputs, create_graph=create_graph, strict=strict)


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, vᵀ · Jacobian): one backward pass, which starts with v as the gradient.

    `strict`, here and below: RuntimeError instead of zeros where a result does not depend on an input.
    """
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "vjp")
        ys, many_out = _called(func, xs, "vjp")
        _require_graphs(ys, "outputs", strict)
        vs = _vector(v, ys, many_out, "the user-provided function returns", "vjp")
        found = _filled(_grads(ys, xs, vs, create_graph), xs, "vjp", strict, create_graph)
    return _result(ys, many_out, found, many_in, create_graph)


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, Jacobian · v): the derivative of the vjp, which is linear in its vector, by this vector."""
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "jvp")
        vs = _vector(v, xs, many_in, "the input to the user-provided function is", "jvp")
        ys, many_out = _called(func, xs, "jvp")
        _require_graphs(ys, "outputs", strict)
        dummies = tuple(zeros_like(y).requires_grad_() for y in ys)
        gradient = _grads(ys, xs, dummies, True)
        _require_graphs(gradient, "gradient", strict)
        found = _filled(_grads(gradient, dummies, vs, create_graph), ys, "jvp", strict, create_graph)
    return _result(ys, many_out, found, many_out, create_graph)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, vᵀ · Hessian) of a function with one number as output."""
    with enable_grad():
        y, xs, vs, gradient, many = _first_derivative("vhp", func, inputs, v, create_graph, strict)
        found = _filled(_grads(gradient, xs, vs, create_graph), xs, "vhp", strict, create_graph)
    return _result((y,), False, found, many, create_graph)


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, Hessian · v): the derivative of the `vhp` by its vector, as in `jvp`."""
    with enable_grad():
        y, xs, vs, gradient, many = _first_derivative("hvp", func, inputs, v, create_graph, strict)
        dummies = tuple(zeros_like(x).requires_grad_() for x in xs)
        product = _grads(gradient, xs, dummies, True)
        found = _filled(_grads(product, dummies, vs, create_graph), xs, "hvp", strict, create_graph)
    return _result((y,), False, found, many, create_graph)


def _first_derivative(
    name: str, func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool, strict: bool
) -> Any:
    """The output, the inputs, the vector, the gradient with its graph, and whether there were several inputs."""
    xs, many = _prepared(inputs, create_graph, name)
    vs = _vector(v, xs, many, "the input to the user-provided function is", name)
    y = _one_number(func, xs, name, strict)
    gradient = _grads((y,), xs, (None,), True)
    _require_graphs(gradient, "jacobian", strict)
    return y, xs, vs, gradient, many


__getattr__ = _missing(__name__)

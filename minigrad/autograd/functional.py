"""Whole derivatives of functions: Jacobians, Hessians, and their products with vectors.

Imports backward. Read next: graph.py (this folder's), for hooks on saved tensors and on several at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..backward import grad
from ..creation import ones_like, zeros_like
from ..methods.shape import stack
from ..storage import TensorBase
from .modes import enable_grad


def _several(x: Any) -> tuple[tuple[Any, ...], bool]:
    return (tuple(x), True) if isinstance(x, tuple | list) else ((x,), False)


def _prepared(inputs: Any, create_graph: bool, name: str) -> tuple[tuple[Any, ...], bool]:
    """Inputs to differentiate by: fresh leaves, or, under create_graph, views that stay in their graph."""
    xs, many = _several(inputs)
    for x in xs:
        if not isinstance(x, TensorBase):
            raise TypeError(
                f"The inputs given to {name} must be either a Tensor or a tuple of Tensors but the given inputs has "
                f"type {type(x)}."
            )
    if create_graph:
        return tuple(x.view(x.size()) if x._requires_grad else x.detach().requires_grad_() for x in xs), many
    return tuple(x.detach().requires_grad_() for x in xs), many


def _called(func: Callable[..., Any], xs: tuple[Any, ...], name: str) -> tuple[tuple[Any, ...], bool]:
    out, many = _several(func(*xs))
    for y in out:
        if not isinstance(y, TensorBase):
            raise TypeError(
                f"The outputs of the user-provided function given to {name} must be either a Tensor or a tuple of "
                f"Tensors but the given outputs of the user-provided function has type {type(y)}."
            )
    return out, many


def _grad(y: Any, xs: tuple[Any, ...], v: Any, create_graph: bool) -> tuple[Any, ...]:
    """The gradients, zeros where nothing depends."""
    if not y._requires_grad:
        return tuple(zeros_like(x) for x in xs)
    return grad(y, xs, v, retain_graph=True, create_graph=create_graph, materialize_grads=True)


def _fitting(v: Any, like: tuple[Any, ...]) -> tuple[Any, ...]:
    """The vector of a product, checked against the sizes it must have."""
    vs, _ = _several(v)
    for each, other in zip(vs, like, strict=True):
        if each.shape != other.shape:
            raise RuntimeError(f"v has invalid size: should be {other.shape} but got {each.shape}.")
    return vs


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """Every ∂ output / ∂ input, in a tensor of size (*output.shape, *input.shape); a tuple for each of several.

    >>> import minigrad as torch
    >>> jacobian(lambda x: x ** 2, torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "jacobian")
        ys, many_out = _called(func, xs, "jacobian")
        result = []
        for i, y in enumerate(ys):
            if strict and not y._requires_grad:
                raise RuntimeError(
                    f"Output {i} of the user-provided function does not require gradients. The outputs must be "
                    "computed in "
                    "a differentiable manner from the input when running in strict mode."
                )
            rows = [_grad(y.reshape(-1)[k], xs, None, create_graph) for k in range(y.numel())]
            parts = tuple(
                stack([row[j] for row in rows]).view(*y.shape, *x.shape) if rows else y.new_zeros(*y.shape, *x.shape)
                for j, x in enumerate(xs)
            )
            result.append(parts if many_in else parts[0])
    return tuple(result) if many_out else result[0]


def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False) -> Any:
    """Every second derivative of a function with one number as output: the Jacobian of its gradient.

    >>> import minigrad as torch
    >>> hessian(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    _, many = _several(inputs)

    def gradient(*xs: Any) -> Any:
        y = _one_number(func, xs, "hessian")
        xs = tuple(x if x._requires_grad else x.requires_grad_() for x in xs)
        found = _grad(y, xs, None, True)
        return found if many else found[0]

    return jacobian(gradient, inputs, create_graph=create_graph, strict=strict)


def _one_number(func: Callable[..., Any], xs: tuple[Any, ...], name: str) -> Any:
    ys, many = _called(func, xs, name)
    if many or ys[0].numel() != 1:
        what = "a single Tensor" if many else "a single element"
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain {what}"
            if not many
            else f"The function given to {name} should return {what}"
        )
    return ys[0].reshape(())


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, vᵀ · Jacobian): one backward pass, with v in the place of the gradient."""
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "vjp")
        ys, many_out = _called(func, xs, "vjp")
        if v is None:
            if many_out or ys[0].numel() != 1:
                raise RuntimeError(
                    "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                    "element."
                )
            v = ones_like(ys[0])
        vs = _fitting(v, ys)
        found = grad(ys, xs, vs, create_graph=create_graph, materialize_grads=True)
    outs = ys if create_graph else tuple(y.detach() for y in ys)
    return (outs if many_out else outs[0]), (found if many_in else found[0])


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(outputs, Jacobian · v): the vjp is linear in its vector, so differentiate it by that (double backward)."""
    with enable_grad():
        xs, many_in = _prepared(inputs, create_graph, "jvp")
        ys, many_out = _called(func, xs, "jvp")
        if v is None:
            if many_in or xs[0].numel() != 1:
                raise RuntimeError(
                    "The vector v can only be None if the input to the user-provided function is a single Tensor "
                    "with a "
                    "single element."
                )
            v = ones_like(xs[0])
        vs = _fitting(v, xs)
        dummies = tuple(zeros_like(y).requires_grad_() for y in ys)
        pulled = grad(ys, xs, dummies, create_graph=True, materialize_grads=True)
        pulled = tuple(p if p._requires_grad else p.requires_grad_() for p in pulled)
        found = grad(pulled, dummies, vs, create_graph=create_graph, materialize_grads=True)
    outs = ys if create_graph else tuple(y.detach() for y in ys)
    return (outs if many_out else outs[0]), (found if many_out else found[0])


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, vᵀ · Hessian) of a function with one number as output."""
    with enable_grad():
        xs, many = _prepared(inputs, create_graph, "vhp")
        y = _one_number(func, xs, "vhp")
        first = _grad(y, xs, None, True)
        vs, _ = _several(ones_like(xs[0]) if v is None else v)
        usable = [(g, w) for g, w in zip(first, vs, strict=True) if g._requires_grad]
        found = (
            grad([g for g, _ in usable], xs, [w for _, w in usable], create_graph=create_graph, materialize_grads=True)
            if usable
            else tuple(zeros_like(x) for x in xs)
        )
    return (y if create_graph else y.detach()), (found if many else found[0])


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """(output, Hessian · v). The Hessian is symmetric, so this is `vhp`."""
    return vhp(func, inputs, v, create_graph, strict)

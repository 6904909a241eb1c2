"""Is a slope right? Compare it with the quotient of small differences, in float64.

Imports backward and the core. Read next: functional.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..backward import grad
from ..dispatch import wrap
from ..storage import TensorBase
from .functional import jacobian


class GradcheckError(RuntimeError):
    """The slopes and the differences disagree; the message shows both Jacobians."""


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Compare the gradients of `func(*inputs)` with central differences (f(x + eps) - f(x - eps)) / (2 eps).

    `inputs` is a float64 tensor that requires grad, or several. True if every entry of every Jacobian
    agrees to `atol + rtol * |numerical|`. Raises GradcheckError with both Jacobians (or gives False without
    `raise_exception`); ValueError if no input requires grad; warns of float32, which is too coarse.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> gradcheck(lambda x: x.exp() * x, x)
    True
    """
    inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    checked = [i for i, x in enumerate(inputs) if isinstance(x, TensorBase) and x._requires_grad]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i in checked:
        if inputs[i]._data.dtype != np.float64:
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=2,
            )
    try:
        for o, output in enumerate(_outputs(func, inputs)):
            for i in checked:
                function = _function(func, inputs, o, i)
                if not output._requires_grad:
                    if output._data.dtype.kind == "f" and _numerical(function, inputs[i], eps).any():
                        raise GradcheckError("Numerical gradient for function expected to be zero")
                    continue
                numerical, analytical = _numerical(function, inputs[i], eps), _analytical(function, inputs[i])
                if not np.allclose(analytical, numerical, rtol=rtol, atol=atol, equal_nan=True):
                    raise GradcheckError(
                        f"Jacobian mismatch for output {o} with respect to input {i},\n"
                        f"numerical:{wrap(numerical)!r}\nanalytical:{wrap(analytical)!r}\n"
                    )
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """`gradcheck` of the gradient: are second derivatives right too? Arguments as there.

    >>> import minigrad as torch
    >>> gradgradcheck(torch.exp, torch.tensor([1.0], dtype=torch.float64, requires_grad=True))
    True
    """
    inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    outputs = [out for out in _outputs(func, inputs) if out._requires_grad]
    if grad_outputs is None:  # any weights that are not all alike
        rng = np.random.default_rng(0)
        weights = [wrap(np.array(rng.uniform(0.5, 1.5, t._data.shape), dtype=t._data.dtype), True) for t in outputs]
    else:
        weights = [grad_outputs] if isinstance(grad_outputs, TensorBase) else list(grad_outputs)
    count = len(inputs)

    def gradient(*args: Any) -> tuple[Any, ...]:
        xs = args[:count]
        wanted = [x for x in xs if isinstance(x, TensorBase) and x._requires_grad]
        outs = [out for out in _outputs(func, xs) if out._requires_grad]
        found = grad(outs, wanted, args[count:], create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None and g._requires_grad)

    if not gradient(*inputs, *weights):
        return True  # nothing depends on anything any more: the second derivative is 0
    return gradcheck(gradient, (*inputs, *weights), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


def _outputs(func: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Any, ...]:
    out = func(*inputs)
    listed = out if isinstance(out, tuple | list) else (out,)
    return tuple(t for t in listed if isinstance(t, TensorBase))


def _function(func: Callable[..., Any], inputs: Sequence[Any], o: int, i: int) -> Callable[[Any], Any]:
    """Output `o` as a function of input `i` alone."""
    return lambda x: _outputs(func, (*inputs[:i], x, *inputs[i + 1 :]))[o]


def _numerical(function: Callable[[Any], Any], x: Any, eps: float) -> Any:
    """The Jacobian by central differences: a row for each element of the input, a column for each of the output."""
    array = np.array(x._data, order="C")
    rows = []
    for k in range(array.size):
        ends = []
        for step in (eps, -eps):
            moved = array.copy()
            moved.reshape(-1)[k] += step
            ends.append(np.array(function(wrap(moved, True))._data).ravel())
        rows.append((ends[0] - ends[1]) / (2 * eps))
    return np.array(rows, dtype=array.dtype).reshape(array.size, function(x)._data.size)


def _analytical(function: Callable[[Any], Any], x: Any) -> Any:
    """The Jacobian by backward, in the same layout."""
    found = jacobian(function, x)._data
    return found.reshape(-1, x._data.size).T if x._data.size else found.reshape(0, function(x)._data.size)

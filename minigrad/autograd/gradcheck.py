"""gradcheck tests a derivative: it compares it with a difference quotient, in float64.

Imports backward and the core. Read next: functional.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._engine.backward import grad
from .._engine.storage import TensorBase
from .._messages.names import explains_keywords
from ..core.tensor import wrap


class GradcheckError(RuntimeError):
    """The gradients and the difference quotients disagree; the message shows both Jacobians."""


NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
    "values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {}.\n\nNOTE: "
    "If your op relies on non-deterministic operations i.e., it is listed here:\n"
    "https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html\nthis failure might be expected."
    "\n\nIf you are adding a new operator, please file an issue and then use one of the\nworkarounds. The workaround "
    "depends on how your test invokes gradcheck/gradgradcheck.\nIf the test\n- manually invokes "
    "gradcheck/gradgradcheck, then call gradcheck/gradgradcheck\n  with `nondet_tol=<tol>` as a keyword argument.\n- "
    "is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test\n  to have "
    "`gradcheck_nondet_tol=<tol>`.\n- is a Module test (e.g., in common_nn.py), then modify the corresponding\n  "
    "module_test entry to have `gradcheck_nondet_tol=<tol>`\n"
)


@explains_keywords
def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, fast_mode=False):
    """Compare the gradients of `func(*inputs)` with central differences (f(x + eps) - f(x - eps)) / (2 eps).

    `inputs` is one or several float64 tensors that require grad. Returns True if every entry of every Jacobian agrees
    to `atol + rtol * |numerical|`, two backward passes to `nondet_tol`, and a gradient of zeros gives zeros. Each entry
    is compared; `fast_mode=True`, with which PyTorch compares one random combination of them, is refused.
    Raises GradcheckError (or returns False without `raise_exception`) with both Jacobians if they differ, ValueError
    if no input requires grad, RuntimeError for an expanded input; warns of float32, which is too imprecise.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> gradcheck(lambda x: x.exp() * x, x)
    True
    """
    refuse_fast("gradcheck", fast_mode)
    inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    checked = [i for i, x in enumerate(inputs) if isinstance(x, TensorBase) and x._requires_grad]
    for i in checked:
        if inputs[i]._data.dtype != np.float64:
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=2,
            )
        steps = zip(inputs[i].stride(), inputs[i].shape, strict=True)
        if inputs[i]._data.size and any(not step and n > 1 for step, n in steps):  # empty arrays may have strides of 0
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous "
                "on the input before passing it to gradcheck."
            )
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    try:
        outputs = _outputs(func, inputs)
        for o, output in enumerate(outputs):
            numerical = [_numerical(_function(func, inputs, o, i), inputs[i], eps) for i in checked]
            if not output._requires_grad:
                if output._data.dtype.kind == "f" and any(each.any() for each in numerical):
                    raise GradcheckError("Numerical gradient for function expected to be zero")
                continue
            xs = [inputs[i] for i in checked]
            first, second = _analytical(output, xs), _analytical(output, xs)
            if not all(
                np.allclose(a, b, rtol=0, atol=nondet_tol, equal_nan=True) for a, b in zip(first, second, strict=True)
            ):
                raise GradcheckError(NOT_REENTRANT.format(nondet_tol))
            for i, a, n in zip(checked, first, numerical, strict=True):
                if not np.allclose(a, n, rtol=rtol, atol=atol, equal_nan=True):
                    raise GradcheckError(
                        f"Jacobian mismatch for output {o} with respect to input {i},\n"
                        f"numerical:{wrap(n)!r}\nanalytical:{wrap(a)!r}\n"
                    )
        _check_linear([out for out in outputs if out._requires_grad], [inputs[i] for i in checked])
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def refuse_fast(name: str, fast_mode: Any) -> None:
    if fast_mode:
        raise NotImplementedError(f"{name}(): PyTorch takes fast_mode=True, minigrad does not")


def _check_linear(outputs: list[Any], xs: list[Any]) -> None:
    """Raise unless a gradient of zeros gives zeros."""
    zeros = [wrap(np.zeros_like(out._data)) for out in outputs]
    for g in grad(outputs, xs, zeros, allow_unused=True) if outputs else ():
        if g is not None and g._data.any():
            raise GradcheckError("backward not multiplied by grad_output")


@explains_keywords
def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    fast_mode=False,
):
    """`gradcheck` of the gradient, to test second derivatives. The arguments are the same.

    >>> import minigrad as torch
    >>> gradgradcheck(torch.exp, torch.tensor([1.0], dtype=torch.float64, requires_grad=True))
    True
    """
    refuse_fast("gradgradcheck", fast_mode)
    inputs = (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    outputs = [out for out in _outputs(func, inputs) if out._requires_grad]
    if grad_outputs is None:  # random weights that differ from each other
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
        return True  # the gradient is constant: the second derivative is 0
    tolerances = {"eps": eps, "atol": atol, "rtol": rtol, "nondet_tol": nondet_tol}
    return gradcheck(gradient, (*inputs, *weights), raise_exception=raise_exception, **tolerances)


def _outputs(func: Callable[..., Any], inputs: Sequence[Any]) -> tuple[Any, ...]:
    out = func(*inputs)
    listed = out if isinstance(out, tuple | list) else (out,)
    return tuple(t for t in listed if isinstance(t, TensorBase))


def _function(func: Callable[..., Any], inputs: Sequence[Any], o: int, i: int) -> Callable[[Any], Any]:
    """Output `o` as a function of only input `i`."""
    return lambda x: _outputs(func, (*inputs[:i], x, *inputs[i + 1 :]))[o]


def _numerical(function: Callable[[Any], Any], x: Any, eps: float) -> Any:
    """The Jacobian by central differences: a row for each input element, a column for each output element."""
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


def _analytical(output: Any, xs: list[Any]) -> list[Any]:
    """The Jacobians by backward, one for each of `xs`, in the same layout: one pass for each output element."""
    columns: list[list[Any]] = [[] for _ in xs]
    for k in range(output._data.size):
        one = np.zeros(output._data.size, output._data.dtype)
        one[k] = 1
        weights = wrap(one.reshape(output._data.shape))
        found = grad(output, xs, weights, retain_graph=True, allow_unused=True)
        for column, g, x in zip(columns, found, xs, strict=True):
            column.append(np.zeros(x._data.size) if g is None else g._data.ravel())
    return [
        np.array(column, x._data.dtype).reshape(-1, x._data.size).T if column else np.zeros((x._data.size, 0))
        for column, x in zip(columns, xs, strict=True)
    ]

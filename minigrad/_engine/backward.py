"""`backward` and `grad`, and PyTorch's checks before a pass.

Imports core and watched. Read next: autograd/__init__.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._machine.backend import SILENT, namespace
from .._machine.device import Elsewhere
from .._messages.foreign import refuse as refuse_foreign
from .._messages.foreign import type_name
from .._messages.once import warn_once
from .._messages.places import readers_frames
from ..core.engine import Form, run
from ..core.forms import RAW, RECORDED
from ..core.modes import SPECIAL, switched
from ..core.rules import TABLE, Raw
from ..core.tensor import wrap
from .hooks import Registered
from .nodes import Whole
from .overlap import spread_out
from .saved import blame
from .storage import TensorBase
from .switches import Switch, modes, untraceable
from .watched import Guide, Wanted, refuse

ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts "
    "of the graph, please use torch.autograd.backward."
)
CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
    "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
    "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the "
    "cycle and avoid the leak."
)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to `.grad` of every leaf that they depend on, or only of `inputs`.

    `grad_tensors` holds one gradient for each tensor, of the same size; None is allowed for a tensor of one element.
    Values that nodes saved are freed, unless `retain_graph` is true. Its default is `create_graph`, which records the
    pass itself.

    Raises RuntimeError, in PyTorch's words, if a tensor has no graph, a size is wrong, or a saved value was freed.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward(w * w, torch.tensor([1.0, 10.0]))
    >>> w.grad
    tensor([ 2., 40.])
    """
    if grad_variables is not None:  # the name of this argument in older programs
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    try:
        send_back(tensors, grad_tensors, retain_graph, create_graph, inputs)
    except BaseException as error:
        end_at_the_reader(error, tensors)
        raise


def send_back(tensors: Any, grad_tensors: Any, retain_graph: bool | None, create_graph: bool, inputs: Any) -> None:
    """The common code of `autograd.backward` and `Tensor.backward`."""
    if switched:
        tell_watchers(tensors)
    if grad_tensors is None and isinstance(tensors, TensorBase):  # the most frequent case
        roots, starts = (tensors,), [_one(tensors, 0, create_graph)]
    else:
        roots = _listed(tensors)
        starts = _starts(roots, grad_tensors, create_graph)
    wanted = None
    if inputs is not None:
        inputs = _listed(inputs, "inputs")
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        for t in inputs:
            t.retain_grad()
        wanted = Wanted([_edge(t) for t in inputs], [t._fn or t for t in roots], collect=False)
    try:
        _run(starts, retain_graph, create_graph, wanted)
    finally:
        if create_graph:  # called after the pass, also if it failed
            warn_once(CYCLE, stacklevel=3)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of `outputs` with respect to `inputs`, as a tuple; `.grad` does not change.

    It is an error if the outputs don't depend on an input, unless `allow_unused` (its gradient is then None) or
    `materialize_grads` (its gradient is then zeros) is true. `only_inputs` exists for older programs and has no effect.

    Raises NotImplementedError for `is_grads_batched`, which minigrad lacks.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (dx,) = torch.autograd.grad(x ** 3, x, create_graph=True)
    >>> torch.autograd.grad(dx, x)
    (tensor(18.),)
    """
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    if is_grads_batched:
        raise NotImplementedError("grad(): PyTorch takes is_grads_batched=True, minigrad does not: call it in a loop")
    try:
        return _grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused, materialize_grads)
    except BaseException as error:
        end_at_the_reader(error, outputs)
        raise


def end_at_the_reader(error: BaseException, roots: Any) -> None:
    """Remove minigrad's frames from an error's traceback, and store in the error the tensors whose backward failed.
    Ctrl-C is not changed, but the graph can't be used again.

    The caller must follow it with a bare `raise`: only that adds no frame, so the last line that a notebook shows is
    the user's line that failed.
    """
    tensors = tuple(roots) if isinstance(roots, list | tuple) else (roots,)
    if isinstance(error, Exception):
        blame(error, roots=tensors)
        readers_frames(error)
    else:
        refuse([t._fn for t in tensors])


def tell_watchers(tensors: Any) -> None:
    """Tell the functions of `observe_backward` that a pass begins. A trace can't hold a pass."""
    untraceable("goes backward")
    for tell in modes.watchers:
        tell(_listed(tensors))


def _grad(
    outputs: Any, inputs: Any, grad_outputs: Any, retain: bool | None, create: bool, unused: bool | None, zeros: bool
) -> tuple[Any, ...]:
    if switched:
        tell_watchers(outputs)
    if unused is False and zeros:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    unused = zeros if unused is None else unused
    roots, wants = _listed(outputs), (inputs,) if isinstance(inputs, TensorBase) else tuple(inputs)
    if not wants:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    starts = _starts(roots, grad_outputs, create)
    for t in wants:
        if not _listed((t,), "inputs")[0]._requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    wanted = Wanted([_edge(t) for t in wants], [t._fn or t for t in roots], collect=True)
    _run(starts, retain, create, wanted)
    out: list[Any] = []
    for i, t in enumerate(wants):
        found = wanted.found.get(_target(t))
        if found is None and not unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )
        if found is None and zeros:
            found = wrap(np.zeros_like(t._data), requires_grad=create)
        if found is not None and not isinstance(found, TensorBase):
            found = wanted.found[_target(t)] = wrap(found.copy())  # an input given twice gets the same tensor twice
        elif found is not None and spread_out(found._data):
            with Switch(grad=True):
                own = RECORDED.F.clone(found)
            for target, other in wanted.found.items():  # inputs that share a gradient share its copy
                wanted.found[target] = own if other is found else other
            found = own
        elif found is not None and found._data.ndim == 2:
            _lay(found, t._data)
        out.append(found)
    return tuple(out)


def _lay(found: TensorBase, like: Any) -> None:
    """Make a gradient contiguous if it was computed as a transpose, such as that of `w` in `x @ w.t()`, and `like` is
    contiguous. PyTorch computes it in that order, so that its `.view(-1)` works."""
    data, view = found._data, found._view
    if not (type(data) is type(like) is np.ndarray) or data.flags.c_contiguous or not data.flags.f_contiguous:
        return
    if not like.flags.c_contiguous:
        return
    if view is None:  # a sum of such gradients
        found._data = data.copy()
    elif view[2].name == "t" and type(view[0].grad_fn).__name__ == "MmBackward0":
        view[0]._data = np.asfortranarray(view[0]._data)
        found._data = view[0]._data.T


def _edge(t: Any) -> Any:
    """The receiver of this tensor's gradient: its node, or the tensor itself if it is a leaf, or None."""
    if not t._requires_grad:
        return None
    fn = t._fn
    if fn is None:
        return t
    return None if (fn[0] if isinstance(fn, tuple) else fn).nowhere else fn


def _target(t: Any) -> tuple[Any, int]:
    edge = _edge(t)
    return edge if isinstance(edge, tuple) else (edge, 0)


def _listed(tensors: Any, who: str = "") -> tuple[Any, ...]:
    if not isinstance(tensors, TensorBase):
        refuse_foreign("backward()", tensors)
    out = (tensors,) if isinstance(tensors, TensorBase) else tuple(tensors)
    for t in out:
        if not isinstance(t, TensorBase):
            if who:
                raise RuntimeError(f"all {who} have to be Tensors or GradientEdges, but got {type_name(t)}")
            raise TypeError(f"expected Tensor, but got {type_name(t)}")
    return out


def _starts(roots: Sequence[Any], given: Any, create_graph: bool) -> list[tuple[Any, Any]]:
    """The starts of the pass: for each root, its edge and the given gradient, or 1 for a root of one element."""
    refuse_foreign("backward()", given)
    given = [None] * len(roots) if given is None else [given] if isinstance(given, TensorBase) else list(given)
    if len(given) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return [_start(i, root, given[i], create_graph) for i, root in enumerate(roots)]


def _start(i: int, root: Any, grad: Any, create_graph: bool) -> tuple[Any, Any]:
    if grad is None:
        return _one(root, i, create_graph)
    _check(i, root, grad)
    # A copy, because a hook may change the gradient, and because it may be a leaf's `.grad`, which is added to in place
    return root._fn or root, grad if create_graph else grad._data.copy()


def _one(root: Any, i: int, create_graph: bool) -> tuple[Any, Any]:
    """The start at a root of one element, for which no gradient was given."""
    one = root._data.copy()
    if one.size != 1 and root._requires_grad:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    edge = _edge(root)
    if edge is None:
        raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
    one.fill(1)
    return edge, wrap(one) if create_graph else one


def _check(i: int, root: Any, grad: Any) -> None:
    """Raise if the given gradient does not fit its root."""
    if not isinstance(grad, TensorBase):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if grad._data.shape != root._data.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of torch.Size({list(grad._data.shape)}) and output[{i}] "
            f"has a shape of torch.Size({list(root._data.shape)})."
        )
    if _edge(root) is None:
        raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")


def _run(starts: list[tuple[Any, Any]], retain: bool | None, create: bool, wanted: Wanted | None) -> None:
    """Run the pass. Its operators, and those in the user's hooks, are recorded only under `create_graph`, whatever the
    mode outside."""
    retain = create if retain is None else retain
    form = RAW if type(starts[0][1]) is np.ndarray and not Elsewhere.used else rarer_form(create)
    special = switched and modes.state == SPECIAL
    if form is RAW and not Registered.callbacks and not special and wanted is None:
        # None of the user's code can run inside, so the ready-made context is safe. Entering it is much faster.
        edge, grad = starts[0]
        if isinstance(edge, Whole) and len(starts) == 1 and SILENT.run(edge.whole, grad, retain):
            return
        return SILENT.run(run, starts, form, retain)
    noted = {"reached": modes.reached, "collecting": modes.collecting, "partial": wanted is not None}
    errors = np.geterr()
    try:
        with Switch(grad=form.recorded, **noted), np.errstate(all="ignore"):
            run(starts, form, retain, Guide(starts, form, wanted))
    except BaseException:
        np.seterr(**errors)  # Ctrl-C may come at the start of `errstate.__exit__`
        raise


class Anywhere(Raw):
    """The table on plain arrays of several devices: each operator uses the library of its first array."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        value = TABLE[name].value
        return lambda *arrays, **params: value(namespace(arrays[0]), *arrays, **params)


def rarer_form(create_graph: bool) -> Form:
    """The form of a pass that is recorded, or that uses several devices."""
    return RECORDED if create_graph else RAW._replace(F=Anywhere(None))

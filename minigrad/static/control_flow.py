"""Loops and branches inside a graph: while_loop, cond, scan, map_fn.

The body of a loop is built once, as a block of operations with a symbol (`Param`) for each loop variable. It
runs until the condition is False, or once for each step of its lists. All loops are one operation, `While`:

    inputs   initial values of the carried variables, then lists; each iteration reads one step of every list
    regions  (condition, body), or (body,) if the length of the lists is the number of iterations
    body     params: the carried variables and the steps; outputs: their next values, then a step for each list
             that the loop writes
    outputs  last values of the carried variables, then the written lists

Gradients of both are in control_gradients.py. Imports convert, structure and arrays. Read next: control_gradients.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._compiler.build import build
from .._compiler.graph import Block, Graph
from .._compiler.types import show, show_list
from .._messages.places import folding
from .arrays import expand_dims
from .convert import constant, convert
from .graph import get_default_graph
from .structure import flatten, pack, same
from .tensor import merge
from .types import Dimension, TensorShape, as_dims


def param(graph: Graph, block: Block, dims: Any, dtype: Any, listed: bool = False, name: str = "Identity") -> Any:
    """A symbol for a value that enters a block from outside."""
    with graph.building(block):
        symbol = graph.add("Param", [], [(dims, dtype)], name=name).outputs[0]
    symbol.listed = listed
    block.params.append(symbol)
    return symbol


def loop(
    graph: Graph,
    starts: list[Any],
    lists: list[Any],
    regions: tuple[Block, ...],
    backwards: bool = False,
    maximum: int | None = None,
) -> list[Any]:
    """Add the While operation; return its outputs."""
    body = regions[-1]
    carried = len(starts)
    specs = [(t.dims, t.dtype) for t in body.params[:carried]]
    specs += [(steps_of(t.dims), t.dtype) for t in body.outputs[carried:]]
    params = {"carried": carried, "maximum": maximum, "backwards": backwards}
    op = graph.add("While", [*starts, *lists], specs, params, name="Exit", regions=regions)
    for out in op.outputs[carried:]:
        out.listed = True
    return op.outputs


def steps_of(dims: Any) -> Any:
    """The shape of the list's steps, stacked into one array."""
    return None if dims is None else (None, *dims)


@folding
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str = "while",
    maximum_iterations: int | None = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeat `body` while `cond` is True; both get the loop variables, and `body` returns their next values.

    A variable whose shape changes needs a less specific one in `shape_invariants`. `parallel_iterations`,
    `back_prop` and `swap_memory` are accepted as in TensorFlow, and have no effect.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     i, power = tf.while_loop(lambda i, p: i < 10, lambda i, p: (i + 1, p * 2.0), [0, 1.0])
    ...     session.run([i, power])
    [np.int32(10), np.float32(1024.0)]
    """
    graph = get_default_graph()
    if not callable(cond) or not callable(body):
        raise TypeError(f"'{'body' if callable(cond) else 'cond'}' must be callable.")
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    single = not isinstance(loop_vars, list | tuple)
    loop_vars = [loop_vars] if single else loop_vars
    with graph.name_scope(name):
        starts = [convert(v) for v in flatten(loop_vars)]
        dims = [t.dims for t in starts]
        if shape_invariants is not None:
            dims = invariants(loop_vars, shape_invariants, starts)
        blocks = Block(graph, graph.current), Block(graph, graph.current)
        for block in blocks:
            for d, t in zip(dims, starts, strict=True):
                param(graph, block, d, t.dtype)
        test, turn = blocks
        with graph.building(test):
            holds = convert(cond(*pack(loop_vars, test.params)))
            if not holds.dtype.is_bool:
                raise TypeError(
                    f"Input 'input' of 'LoopCond' Op has type {holds.dtype.name} that does not match expected type of "
                    "bool."
                )
            if holds.dims not in ((), None):
                raise ValueError(
                    f"Shape must be rank 0 but is rank {len(holds.dims)} for '{name}/LoopCond' (op: 'LoopCond') "
                    f"with input shapes: {show_list(holds.dims)}."
                )
            test.outputs = [holds]
        with graph.building(turn):
            result = body(*pack(loop_vars, turn.params))
            result = [result] if not isinstance(result, list | tuple) or len(loop_vars) == 1 != len(result) else result
            same(list(loop_vars), list(result))
            turn.outputs = [convert(r, name="next") for r in flatten(result)]
            for start, d, end in zip(starts, dims, turn.outputs, strict=True):
                unchanged(start, d, end)
        outputs = loop(graph, starts, [], blocks, maximum=maximum_iterations)
    packed = pack(loop_vars, outputs)
    return packed[0] if len(packed) == 1 and not return_same_structure else packed


def invariants(loop_vars: Any, shapes: Any, starts: list[Any]) -> list[Any]:
    """The shapes in `shape_invariants`; none may be more specific than the initial shape."""
    same(list(loop_vars), [pack(v, [None] * len(flatten(v))) for v in loop_vars])
    given = [as_dims(s) for s in flat_shapes(shapes)]
    for start, dims in zip(starts, given, strict=True):
        fits = dims is None or (
            start.dims is not None
            and len(dims) == len(start.dims)
            and all(n is None or n == m for n, m in zip(dims, start.dims, strict=True))
        )
        if not fits:
            raise ValueError(
                f"The shape invariant specified for {start.name} is not compatible with the initial shape of the loop "
                f"variable. It enters the loop with shape {show(start.dims)}, but the specified shape invariant is "
                f"{show(dims)}."
            )
    return given


def flat_shapes(shapes: Any) -> list[Any]:
    """The shapes in a nest: a list of TensorShapes, or of lists of numbers."""
    if shapes is None or isinstance(shapes, TensorShape):
        return [shapes]
    if all(n is None or isinstance(n, int | Dimension) for n in shapes) and shapes:
        return [shapes]
    return [leaf for part in shapes for leaf in (flat_shapes(part) if part != [] and part != () else [part])]


def unchanged(start: Any, dims: Any, end: Any) -> None:
    """Raise TensorFlow's TypeError or ValueError if an iteration changes a variable's type or shape."""
    if end.dtype is not start.dtype:
        raise TypeError(
            f"Input tensor '{start.name}' enters the loop with type {start.dtype.name}, but has type {end.dtype.name} "
            "after one iteration."
        )
    general = dims is None or (
        end.dims is not None
        and len(end.dims) == len(dims)
        and all(n is None or n == m for n, m in zip(dims, end.dims, strict=True))
    )
    if not general:
        raise ValueError(
            f"Input tensor '{start.name}' enters the loop with shape {show(dims)}, but has shape {show(end.dims)} "
            "after one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
            "tf.while_loop to specify a less-specific shape."
        )


@folding
def cond(
    pred: Any, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None, name: str = "cond"
) -> Any:
    """One of two branches, each a function without arguments; both are built, one of them runs.

    Values that a branch uses from outside are always computed.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32)
    ...     y = tf.cond(x > 0, lambda: x * 2, lambda: -x)
    ...     session.run(y, {x: 3}), session.run(y, {x: -3})
    (np.float32(6.0), np.float32(3.0))
    """
    if not callable(true_fn) or not callable(false_fn):
        raise TypeError(f"'{'false_fn' if callable(true_fn) else 'true_fn'}' must be callable.")
    if isinstance(pred, bool):
        raise TypeError("'pred' must not be a Python bool.")
    graph = get_default_graph()
    with graph.name_scope(name):
        pred = convert(pred)
        results, blocks = [], []
        for function in (true_fn, false_fn):
            block = Block(graph, graph.current)
            with graph.building(block):
                result = function()
                leaves = [] if result is None else flatten(result)
                block.outputs = [value_of(leaf) for leaf in leaves]
            results.append(result)
            blocks.append(block)
        if results[0] is None or results[1] is None:
            raise ValueError("'true_fn' and 'false_fn' must both give a value.")
        same(*results)
        specs = []
        for yes, no in zip(blocks[0].outputs, blocks[1].outputs, strict=True):
            if yes.dtype is not no.dtype:
                raise ValueError(
                    "Outputs of 'true_fn' and 'false_fn' must have the same type(s). "
                    f"Received {yes.dtype.name} from 'true_fn' and {no.dtype.name} from 'false_fn'."
                )
            specs.append((common(yes.dims, no.dims), yes.dtype))
        op = graph.add("Cond", [pred], specs, {}, name="Merge", regions=tuple(blocks))
    return pack(results[0], op.outputs)


def value_of(leaf: Any) -> Any:
    """A branch's result as a tensor; for an operation, a constant that runs after it."""
    if hasattr(leaf, "control_inputs"):
        with leaf.graph.control_dependencies([leaf]):
            return constant(True)
    return convert(leaf)


def common(a: Any, b: Any) -> Any:
    """The most specific shape that fits both shapes."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(n if n == m else None for n, m in zip(a, b, strict=True))


# -- along the first axis -----------------------------------------------------------------------


@folding
def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str = "scan",
) -> Any:
    """All the values of `a = fn(a, elem)` along the first axis of `elems`, stacked.

    `a` starts as `initializer`. Without one, it starts as the first element, which is also the first value.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     session.run(tf.scan(lambda a, x: a + x, tf.range(1, 5)))
    array([ 1,  3,  6, 10], dtype=int32)
    """
    graph = get_default_graph()
    with graph.name_scope(name):
        sources = [convert(e) for e in flatten(elems)]
        form, firsts = initializer, []
        if initializer is None:
            place = -1 if reverse else 0
            firsts = [build("strided_slice", s, indices=(place,)) for s in sources]
            form = elems
        starts = firsts or [convert(i) for i in flatten(initializer)]
        rest = slice(None, -1) if reverse else slice(1, None)
        walked = [build("strided_slice", s, indices=(rest,)) for s in sources] if firsts else sources

        def turn(carried: list[Any], steps: list[Any]) -> tuple[list[Any], list[Any]]:
            result = fn(pack(form, carried), pack(elems, steps))
            same(form, result)
            ends = [convert(r, name="next") for r in flatten(result)]
            for start, end in zip(starts, ends, strict=True):
                unchanged(start, start.dims, end)
            return ends, ends

        likes = [expand_dims(start, 0) for start in starts]
        _, lists = walk(graph, turn, starts, walked, likes, reverse)
        if firsts:
            ends = [[s, f] if reverse else [f, s] for s, f in zip(lists, likes, strict=True)]
            lists = [build("cat", *pair, dim=0) for pair in ends]
        for out, source in zip(lists, [sources[0]] * len(lists), strict=True):
            out.dims = merge(
                out.dims, None if out.dims is None else (source.dims[0] if source.dims else None, *out.dims[1:])
            )
    return pack(form, lists)


@folding
def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str = "map",
) -> Any:
    """`fn` of each part of `elems` along the first axis, stacked. `dtype` gives the structure of a different result.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     session.run(tf.map_fn(lambda x: x * x, tf.range(1, 4)))
    array([1, 4, 9], dtype=int32)
    """
    graph, forms = get_default_graph(), []
    with graph.name_scope(name):
        sources = [convert(e) for e in flatten(elems)]

        def turn(carried: list[Any], steps: list[Any]) -> tuple[list[Any], list[Any]]:
            forms.append(fn(pack(elems, steps)))
            return [], [convert(r) for r in flatten(forms[-1])]

        _, lists = walk(graph, turn, [], sources, None, False)
        for out in lists:
            out.dims = merge(
                out.dims, None if out.dims is None else (sources[0].dims[0] if sources[0].dims else None, *out.dims[1:])
            )
    return pack(forms[-1], lists)


def walk(
    graph: Graph,
    turn: Callable[..., Any],
    starts: list[Any],
    sources: list[Any],
    likes: list[Any] | None,
    backwards: bool,
) -> tuple[list[Any], list[Any]]:
    """A loop along the first axis of some tensors: returns the last carried values, and the stacked steps.

    `turn(carried, steps)` builds one iteration, and returns the next values and the steps to keep. `likes` are
    tensors with the shape of an empty result, except for its first axis.
    """
    body = Block(graph, graph.current)
    for t in starts:
        param(graph, body, t.dims, t.dtype)
    lists = [build("unstack_steps", s) for s in sources]
    for s in sources:
        param(graph, body, None if s.dims is None else s.dims[1:], s.dtype, name="element")
    with graph.building(body):
        ends, kept = turn(body.params[: len(starts)], body.params[len(starts) :])
        body.outputs = [*ends, *kept]
    outputs = loop(graph, starts, lists, (body,), backwards)
    steps = outputs[len(starts) :]
    if likes is None:
        likes = [
            build("fill_with", size=(1, *(n or 0 for n in t.dims or ())), value=0, dtype=t.dtype.numpy, graph=graph)
            for t in kept
        ]
    stacked = [build("stack_steps", s, like) for s, like in zip(steps, likes, strict=True)]
    return outputs[: len(starts)], stacked

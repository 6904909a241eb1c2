"""Session: runs parts of a graph, and stores the values of its variables.

`run` flattens the fetches, looks up the plan that was compiled for these fetches and feeds (or compiles one),
runs it, and returns the results in the structure of the fetches.
Imports plan, graph and defaults. Read next: plan.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from .._compiler.graph import Output
from .._compiler.passes import PASSES
from .._machine.backend import SILENT
from .._machine.interrupts import Block, Exit, Restored, in_turn
from .._messages.places import fold_our_frames
from ..random import Generator, normal, randint, uniform
from .defaults import pushed, stack
from .graph import Graph, Operation, get_default_graph
from .plan import Plan
from .structure import flatten

BESIDE = (
    "minigrad.static's run has no `options` and `run_metadata`. Several tensors are fetched in a list, and all are fed "
    "in one dict: session.run([y, a], {x: 5.0})."
)


class Session:
    """Runs a graph, by default the default graph. Each session has its own values of the variables.

    `passes` are the names of the compiler's passes to use, by default all.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     a = tf.constant(2.0)
    ...     session.run({"square": a * a, "both": [a, a + 1]})
    {'square': np.float32(4.0), 'both': [np.float32(2.0), np.float32(3.0)]}
    """

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, passes: Iterable[str] | None = None
    ):
        self.graph = graph or get_default_graph()
        self.passes = tuple(PASSES) if passes is None else tuple(name for name in PASSES if name in set(passes))
        self._state: dict[Operation, np.ndarray] = {}
        self._generators: dict[Operation, Generator] = {}
        self._plans: dict[Any, tuple[Plan, Callable[[list[Any]], Any]]] = {}
        self._compiled: dict[Any, Plan] = {}
        self._closed = False
        self._leave = Block()

    def run(
        self, fetches: Any, feed_dict: dict[Any, Any] | None = None, options: None = None, run_metadata: None = None
    ) -> Any:
        """The values of `fetches`, in the same structure: tensors, operations (None), names, in lists, tuples, dicts.

        `feed_dict` gives values to placeholders; any other tensor may be fed as well, and is then not computed. A
        tuple of tensors, such as a cell's state, is fed with a tuple of values. `options` and `run_metadata` must be
        None: TensorFlow traces and times a run with them.
        Raises ValueError and TypeError for invalid fetches and feeds, `tf.errors.InvalidArgumentError` for an error in
        an operator, and `FailedPreconditionError` for an uninitialised variable. A run that fails changes no
        variable.
        """
        if options is not None or run_metadata is not None:
            raise TypeError(BESIDE)
        try:
            ready = self._plans.get(as_key(fetches, feed_dict))
        except (TypeError, AttributeError):
            ready = None
        plan = None
        try:
            if ready is None and feed_dict:
                feed_dict = one_by_one(feed_dict)
            plan, form = ready or self._prepare(fetches, feed_dict or {})
            fed = feed_dict.values() if feed_dict else ()
            values = SILENT.run(plan.run, self._state, fed, self._draw)  # no warnings for inf and nan
        except Exception as error:
            better = plan.explain(error) if plan is not None else error
            if better is error:
                fold_our_frames(error)
                raise
            try:
                raise better from None
            finally:
                del better  # the error holds this frame: with the name it would be a cycle
        return form(values)

    def plan(self, fetches: Any, feed_dict: Any = ()) -> Plan:
        """The compiled plan of `run`: its source, passes and peak memory. `feed_dict`: a dict, or only its keys."""
        feeds = feed_dict if isinstance(feed_dict, dict) else {key: key for key in feed_dict}
        return self._prepare(fetches, one_by_one(feeds))[0]

    # -- plans

    def _prepare(self, fetches: Any, feed_dict: dict[Any, Any]) -> tuple[Plan, Callable[[list[Any]], Any]]:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self.graph.get_operations():
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        wanted: list[Any] = []
        form = take_apart(fetches, wanted, self.graph)
        if type(fetches) is list and wanted == fetches and all(isinstance(x, Output) for x in wanted):
            form = as_it_is
        feeds = [self._feedable(key) for key in feed_dict]
        found = tuple(wanted), tuple(feeds)
        if found not in self._compiled:
            tensors = [x for x in wanted if isinstance(x, Output)]
            targets: list[Any] = [x for x in wanted if isinstance(x, Operation)]
            self._compiled[found] = Plan(self.graph, tensors, targets, feeds, self.passes)
        prepared = self._compiled[found], form
        with suppress(TypeError):  # a dict or nested lists can't be a key
            self._plans[as_key(fetches, feed_dict)] = prepared
        return prepared

    def _feedable(self, key: Any) -> Any:
        try:
            found = element(key, self.graph, operations=False)
        except (ValueError, TypeError, KeyError) as error:
            text = error.args[0] if error.args else error
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {text}") from None
        return found

    def _draw(self, op: Operation, size: tuple[int, ...]) -> np.ndarray:
        """Random numbers for an operation, from its own stream, which restarts in each session."""
        source = op.params["stream"]
        if source not in self._generators:
            generator = self._generators[source] = Generator()
            if op.params["seed"] is None:
                generator.seed()
            else:
                generator.manual_seed((op.params["seed"][0] * 2654435761 + op.params["seed"][1]) % 2**32)
        return np.asarray(
            draw(self._generators[source], size, **{k: op.params[k] for k in ("kind", "first", "second", "dtype")})
        )

    # -- opening and closing

    def as_default(self) -> Restored:
        """Inside `with`, this is the default session for `eval` and `run`."""
        return pushed(stack.sessions, self)

    def __enter__(self) -> Session:
        leave, outside = self._leave, self._leave.close
        graph, session = self.graph.as_default(), self.as_default()
        try:
            leave.close = in_turn(partial(setattr, leave, "close", outside), session.close, graph.close, self.close)
            graph.__enter__()
            session.__enter__()
        except BaseException:
            leave.close = outside
            session.close()
            graph.close()
            raise
        return self

    __exit__ = Exit("_leave")

    def close(self) -> None:
        """Delete the variables' values and close the session for good."""
        self._closed = True
        self._plans.clear()
        self._compiled.clear()
        self._state.clear()


class ConfigProto(SimpleNamespace):
    """The argument of `Session(config=…)`: devices and numbers of threads. Accepted, but without effect."""

    def __init__(self, **settings: Any):
        super().__init__(**{"gpu_options": SimpleNamespace()} | settings)


class InteractiveSession(Session):
    """A session that is the default session from its creation until it is closed."""

    def __init__(
        self, target: str = "", graph: Graph | None = None, config: Any = None, passes: Iterable[str] | None = None
    ):
        super().__init__(target, graph, config, passes)
        self._default = self.as_default()
        try:
            self._default.__enter__()
        except BaseException:
            self._default.close()
            raise

    def close(self) -> None:
        if not self._closed:
            self._default.close()
        super().close()


def as_key(fetches: Any, feed_dict: Any) -> Any:
    """The key under which a plan is cached. TypeError if there is none, for a dict or nested lists.

    AttributeError if the feeds are no dict.
    """
    kind = fetches.__class__
    return kind, tuple(fetches) if kind is list else fetches, tuple(feed_dict.keys()) if feed_dict else None


def one_by_one(feed_dict: dict[Any, Any]) -> dict[Any, Any]:
    """The feeds without nests: a tuple of tensors, fed with a tuple of values, becomes one feed for each tensor."""
    if not isinstance(feed_dict, Mapping):
        raise TypeError(
            "FlattenDictItems: 'dict' must be a dictionary or collection.Mapping type object, instead of "
            f"'{type(feed_dict).__name__}'."
        )
    if not any(isinstance(key, tuple) for key in feed_dict):
        return feed_dict
    feeds: dict[Any, Any] = {}
    for key, value in feed_dict.items():
        if not isinstance(key, tuple):
            feeds[key] = value
            continue
        keys, values = flatten(key), flatten(value)
        if len(keys) != len(values):
            raise ValueError(
                f"Could not flatten dictionary. Key had {len(keys)} elements, but value had {len(values)} elements. "
                f"Key: {keys}, value: {values}."
            )
        feeds.update(zip(keys, values, strict=True))
    return feeds


def as_it_is(values: list[Any]) -> list[Any]:
    return values


# -- fetches ------------------------------------------------------------------------------------


def element(thing: Any, graph: Graph, operations: bool = True) -> Any:
    """The tensor or operation of this graph that a fetch or feed names."""
    if isinstance(thing, str):
        named = not operations or ":" in thing
        return graph.get_tensor_by_name(thing) if named else graph.get_operation_by_name(thing)
    if hasattr(thing, "_as_tensor"):  # for a variable: its own tensor
        thing = thing.op.outputs[0]
    if not isinstance(thing, Output | Operation) or (not operations and isinstance(thing, Operation)):
        raise TypeError(
            f"Can not convert a {type(thing).__name__} into a Tensor{' or Operation' if operations else ''}."
        )
    if thing.graph is not graph:
        what = "Tensor" if isinstance(thing, Output) else "Operation"
        raise ValueError(f"{what} {thing} is not an element of this graph.")
    return thing


def take_apart(fetches: Any, wanted: list[Any], graph: Graph) -> Callable[[list[Any]], Any]:
    """Append the tensors and operations of `fetches` to `wanted`; return a function that assembles their values."""
    if isinstance(fetches, dict):
        parts = {key: take_apart(value, wanted, graph) for key, value in fetches.items()}
        kind = type(fetches)
        return lambda values: kind((key, part(values)) for key, part in parts.items())
    if isinstance(fetches, list | tuple):
        several = [take_apart(each, wanted, graph) for each in fetches]
        make: Any = getattr(type(fetches), "_make", type(fetches))  # a namedtuple stays a namedtuple
        return lambda values: make([part(values) for part in several])
    if fetches is None:
        raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
    try:
        found = element(fetches, graph)
    except TypeError as error:
        raise TypeError(
            f'Argument `fetch` = {fetches} has invalid type "{type(fetches).__name__}" must be a string or Tensor. '
            f"({error})"
        ) from None
    except (ValueError, KeyError) as error:
        raise ValueError(f"Argument `fetch` = {fetches} cannot be interpreted as a Tensor. ({error})") from None
    if isinstance(found, Operation):
        wanted.append(found)
        return lambda values: None
    if found not in wanted:
        wanted.append(found)
    place = [x for x in wanted if isinstance(x, Output)].index(found)
    return lambda values: values[place]


def draw(generator: Generator, size: tuple[int, ...], kind: str, first: Any, second: Any, dtype: Any) -> np.ndarray:
    """Random numbers of one kind; initializers.py explains the two parameters."""
    if kind == "uniform":
        return uniform(size, dtype, first, second, generator=generator)
    if kind == "integers":
        return randint(first, second, size, dtype, generator=generator)
    if kind == "normal":
        return normal(size, dtype, first, second, generator=generator)
    values = normal(size, dtype, generator=generator)
    while np.any(far := np.abs(values) > 2):
        values[far] = normal((int(far.sum()),), dtype, generator=generator)
    return values * np.dtype(dtype).type(second) + np.dtype(dtype).type(first)

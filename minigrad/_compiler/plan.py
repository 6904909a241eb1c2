"""Compiling: from fetches and feeds to one Python function, through passes that can be switched off separately.

A `Plan` stores all steps: the graph before and after each pass, the number of changes, the text of the function.
Imports passes and codegen. Read next: ../static/session.py or ../_tracing/lower.py, which run plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .codegen import Writer
from .graph import Block, Operation
from .passes import PASSES
from .passes.memory import peak_bytes
from .passes.prune import extract, size

FILENAME = "<minigrad compiled>"


@dataclass(frozen=True)
class Stage:
    """The record of one pass: its name, the graph before and after, and the number of changes."""

    name: str
    before: Block
    after: Block
    count: int


class Plan:
    """A compiled run: `run` is the Python function, on arrays, and `source` is its text.

    `passes` are the steps of compilation; `peak_bytes` is the most memory that the function needs.
    """

    writer = Writer

    def __init__(
        self, graph: Any, fetches: list[Any], targets: list[Operation], feeds: list[Any], passes: Iterable[str]
    ):
        self.feeds = feeds
        self._wanted = graph, fetches, targets, feeds
        block = extract(graph, fetches, targets, feeds)
        taken = size(graph.block) - size(block)
        self.passes = [Stage("extract", graph.block, block, taken)]
        for name in passes:
            after, count = PASSES[name](block)
            self.passes.append(Stage(name, block, after, count))
            block = after
        self.block = block
        writer = self.writer(block)
        self.source = writer.write()
        self._ops, self._names = writer.ops, writer.names
        scope = writer.scope | self.helpers() | {"__name__": "minigrad.compiled"}
        exec(compile(self.source, FILENAME, "exec"), scope)
        self.run: Callable[..., list[Any]] = scope["run"]

    def helpers(self) -> dict[str, Any]:
        """Functions that the text calls, besides those of its writer."""
        return {}

    def using(self, passes: Iterable[str]) -> Plan:
        """The same run, compiled with only these passes, in their usual order.

        >>> import minigrad.static as tf
        >>> with tf.Graph().as_default(), tf.Session() as session:
        ...     plan = session.plan(tf.constant(2.0) * 3.0)
        >>> plan.operations, plan.using([]).operations
        (1, 3)
        """
        chosen = set(passes)
        return type(self)(*self._wanted, [name for name in PASSES if name in chosen])

    @property
    def operations(self) -> int:
        """The number of operations after all passes, without feeds."""
        return size(self.block) - len(self.block.params)

    @property
    def peak_bytes(self) -> int | None:
        """The peak memory of the function's own arrays in bytes; None if some size is known only at run time."""
        return peak_bytes(self.block)

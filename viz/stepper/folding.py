"""A long script on a small picture: repeated turns are one box, and each step says in which turn it is.

No step is left out: an operator inside a box keeps its sentence and its line, but the box is highlighted. Imports
../graph/fold.py, script.py, words.py. Read stage.py next.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from ..graph.fold import folded
from ..graph.model import Graph
from .script import Event, Script
from .words import WORDS


def folded_script(script: Script, unfold: Collection[str] = ()) -> Script:
    """The same steps on the folded graph, or the script unchanged if there is nothing to fold. Raises ValueError for
    the name of a box that does not exist."""
    small = folded(script.graph, unfold)
    if len(small.nodes) == len(script.graph.nodes):
        return script
    place = Places(script.graph, small)
    events = [place.moved(event, WORDS[script.lang]["turn"]) for event in script.events]
    return replace(script, graph=small, events=events)


class Places:
    """Maps the nodes and arrows of a graph to those of the folded graph."""

    def __init__(self, graph: Graph, small: Graph):
        kept = {node.id for node in small.nodes}
        self.home = {id_: id_ for id_ in kept}
        self.turn: dict[str, tuple[str, int, int]] = {}  # the name of the repetition, the turn, the number of turns
        self.boxes: set[str] = set()
        for node in small.nodes:
            if node.kind == "folded":
                self.boxes.add(node.id)
                for number, turn in enumerate(node.inside):
                    self.home |= dict.fromkeys(turn, node.id)
                    self.turn |= dict.fromkeys(turn, (node.name, number + 1, node.count))
        into = {edge.target: edge.source for edge in graph.edges if not edge.kind}
        out = {edge.source: edge.target for edge in graph.edges if not edge.kind}
        for node in graph.nodes:
            if node.id not in self.home:  # a value goes to its operator, a leaf of one turn to its user
                self.home[node.id] = self.home[into.get(node.id) or out[node.id]]
        free: dict[tuple[str, str, str], list[int]] = {}
        for i, edge in enumerate(small.edges):
            free.setdefault((edge.source, edge.target, edge.kind), []).append(i)
        self.arrow: dict[str, str | None] = {}  # None: the arrow is inside a box
        for i, edge in enumerate(graph.edges):
            there = free.get((self.home[edge.source], self.home[edge.target], edge.kind), [])
            self.arrow[f"e{i}"] = f"e{there.pop(0) if len(there) > 1 else there[0]}" if there else None

    def of(self, id_: str) -> str | None:
        return self.arrow[id_] if id_ in self.arrow else self.home[id_]

    def moved(self, event: Event, turn: str) -> Event:
        """The same step in the folded picture."""
        now = dict.fromkeys(there for id_ in event["now"] if (there := self.of(id_)) is not None)
        changes: dict[str, dict[str, Any]] = {}
        for id_, said in event["set"].items():
            there = self.of(id_)
            if there in self.boxes:  # a box appears with the first node inside it
                if event["part"] != "start":
                    said = {"look": said["look"]} if "look" in said else {}
                else:
                    look = min(said["look"], changes.get(there, said)["look"])
                    said = {"look": look}
            elif there is None or id_[0] != "e" and there != id_:
                continue
            if said or event["part"] == "start":
                changes.setdefault(there, {}).update(said)
        words = event["words"]
        if event["now"] and event["now"][0] in self.turn:
            name, number, count = self.turn[event["now"][0]]
            words = turn.format(name=name, turn=number, count=count, words=words)
        return {**event, "now": list(now), "set": changes, "words": words}

"""A graph in words: the text alternative of a picture, for screen readers, plain text and tests.

Imports graph/model.py and graph/order.py.
"""

from __future__ import annotations

from ..graph.model import RESULTS, Graph, Node, shape_text
from ..graph.order import gradients

MOST = 12  # clauses; the others are only counted


def alt_text(graph: Graph, *, backward: bool = False) -> str:
    """The computation in words, from its end back, "y = MulBackward0 of a and b; …", and the content of its boxes.

    backward: also say where gradients go.
    """
    names = names_of(graph)
    inputs: dict[str, list[str]] = {}
    result: dict[str, str] = {}
    what: dict[str, str] = {}  # id -> the operation there
    named = {node.id for node in graph.nodes if node.kind in RESULTS}
    for node in graph.nodes:
        if node.kind == "operator":
            what[node.id] = (node.type or node.name) + " (in place)" * node.in_place
        elif node.kind == "folded":
            what[node.id] = f"{node.count} × ({node.name})" if node.count > 1 else f"{node.name} (folded)"
    for edge in graph.edges:
        if edge.operator:
            what[edge.target] = edge.operator
        if edge.target in what and not edge.kind:
            inputs.setdefault(edge.target, []).append(names[edge.source])
        elif edge.target in named:
            result.setdefault(edge.source, names[edge.target])
    clauses = [
        f"{result.get(node.id, names[node.id])} = {what[node.id]}"
        + (f" of {listed(inputs[node.id])}" if node.id in inputs else "")
        for node in reversed(graph.nodes)
        if node.id in what
    ]
    if len(clauses) > MOST:
        clauses[MOST:] = [f"and {len(clauses) - MOST} operators before them"]
    boxes = [
        fact(node, names[node.id])
        for node in graph.nodes
        if node.kind != "operator" and (node.shape is not None or node.type)
    ]
    if len(boxes) > MOST:
        boxes[MOST:] = [f"and {len(boxes) - MOST} more"]
    cuts = [
        f"{names[edge.target]} was cut off from {names[edge.source]}" for edge in graph.edges if edge.kind == "detach"
    ]
    ways = [gradients_go(graph, names)] if backward else []
    blame = [
        f"The error came from {names[node.id]}"
        for node in graph.nodes
        if node.mark == "guilty" and node.kind != "refused"
    ]
    blame += [refusal(node) for node in graph.nodes if node.kind == "refused"]
    emptied = [what[node.id] for node in graph.nodes if node.freed and node.id in what]
    freed = [f"What {listed(list(dict.fromkeys(emptied)))} saved is freed"] if emptied else []
    return " ".join(f"{'; '.join(part)}." for part in (clauses, boxes, cuts, ways, freed, blame) if part)


def refusal(node: Node) -> str:
    """The error in a forward pass, in words."""
    given = listed([f"{name} {what}" for name, what in node.rows if name])
    words = " ".join(what for name, what in node.rows if not name)
    return f"{node.name} refused {given or 'to run'}{'' if node.line is None else f' in line {node.line}'}: {words}"


def gradients_go(graph: Graph, names: dict[str, str]) -> str:
    """Where gradients flow, and where they do not."""
    passed = {edge.source for edge, way in zip(graph.edges, gradients(graph), strict=True) if way == "gradient"}
    reached = [names[node.id] for node in graph.nodes if node.kind == "leaf" and node.id in passed | set(graph.roots)]
    without = [names[node.id] for node in graph.nodes if node.kind in ("constant", "detached")]
    start = (
        f"Gradients flow from {listed([names[root] for root in graph.roots])} back to {listed(reached) or 'no leaf'}"
    )
    return start + (f", and not to {listed(list(dict.fromkeys(without)))}" if without else "")


def title(graph: Graph) -> str:
    """The title of the picture."""
    names = names_of(graph)
    return f"The graph of {listed([names[root] for root in graph.roots])}" if graph.roots else "A whole graph"


def names_of(graph: Graph) -> dict[str, str]:
    """A name for each node: the reader's name, else "#1", "#2" … for a result without one, else its kind."""
    names, count = {}, 0
    made = {edge.target for edge in graph.edges if edge.operator}
    for node in graph.nodes:
        if node.kind == "operator" and node.type:
            names[node.id] = node.name
        elif node.kind == "refused":
            names[node.id] = node.name
        elif node.kind in ("operator", "folded") or node.id in made and not node.name:
            count += 1
            names[node.id] = f"#{count}"
        elif node.kind in ("constant", "detached"):
            names[node.id] = node.name or node.value or f"a {node.kind}{' value' * (node.kind == 'detached')}"
        else:
            names[node.id] = node.name or f"an unnamed {node.kind}"
    return names


def fact(node: Node, name: str) -> str:
    """One box in words."""
    value = f" = {node.value}" if node.value else f" of shape {shape_text(node.shape)}"
    if node.type and node.kind != "constant":
        in_loop = {"carried": "is carried by a loop", "step": "is a step in a loop"}
        return f"{name}{value} {in_loop.get(node.kind, f'is a {node.kind}')}"
    if node.kind in ("constant", "detached"):
        is_what = "a constant" if node.kind == "constant" else "detached"
        return f"{name}{'' if name == node.value else value} is {is_what}"
    if node.kind == "plain":
        return f"{name}{value} carries no gradient"
    is_what = {"leaf": "is a leaf", "kept": "keeps its gradient", "value": "passes its gradient on"}[node.kind]
    grad = "" if node.kind == "value" else f", gradient {node.grad or 'none yet'}"
    return f"{name}{value} {is_what}{grad}"


def listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)

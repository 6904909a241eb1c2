"""The other convention for drawing a graph: the nodes are values, and the arrows are operators.

Textbooks draw graphs this way; autograd does the opposite. A result without a name gets a box, too, with the id of its
operator, so the same thing has the same id in both pictures.
Imports model.py. Read ../drawing/paint.py next.
"""

from __future__ import annotations

from dataclasses import replace

from .model import RESULTS, Edge, Graph, Node


def values_as_nodes(graph: Graph) -> Graph:
    """`graph` with each operator as the arrows from its inputs to its results. Folded boxes stay boxes."""
    into: dict[str, list[Edge]] = {}
    out: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        into.setdefault(edge.target, []).append(edge)
        out.setdefault(edge.source, []).append(edge)
    kinds = {node.id: node.kind for node in graph.nodes}
    names = {node.id: node.name for node in graph.nodes}
    results: dict[str, list[str]] = {}  # id of an operator -> ids of its results
    nodes: dict[str, Node] = {}
    for node in graph.nodes:
        if node.kind != "operator":
            nodes[node.id] = node
            continue
        boxed = [edge.target for edge in out.get(node.id, ()) if kinds[edge.target] in RESULTS]
        direct = [edge for edge in out.get(node.id, ()) if edge.target not in boxed]
        if direct or not boxed:
            known = next((edge for edge in direct if edge.shape is not None), None)
            value = known.value if known and known.value != str(known.shape) else None
            nodes[node.id] = Node(
                node.id, "value" if node.records else "plain", value=value, shape=known.shape if known else None
            )
            boxed.append(node.id)
        results[node.id] = boxed
    # What an operator saved moves to its result's box. That may come later, hence a second loop
    for node in graph.nodes:
        if node.id in results:
            first = results[node.id][0]
            nodes[first] = replace(nodes[first], saved=node.saved, freed=node.freed)
    edges = []
    for edge in graph.edges:
        if kinds[edge.source] == "operator" and edge.target in results[edge.source]:
            continue  # this edge led to the box of the result
        source = results[edge.source][-1] if edge.source in results else edge.source
        name = names[edge.target] if edge.target in results else ""
        for target in results.get(edge.target, [edge.target]):
            edges.append(replace(edge, source=source, target=target, value="", operator=name))
    clusters = tuple(
        replace(cluster, nodes=tuple(id_ for id_ in cluster.nodes if id_ in nodes)) for cluster in graph.clusters
    )
    return replace(graph, nodes=tuple(nodes.values()), edges=tuple(edges), clusters=clusters)

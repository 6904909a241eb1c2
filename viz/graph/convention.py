"""The other way to draw a graph: values are the nodes, and operators what leads from one to the next.

Textbooks draw it so; autograd keeps it the other way round. A result that nobody has a name for gets a box, too,
which has its operator's id, so that what is in both pictures has the same id in both.
Imports model.py. Read ../drawing/paint.py next.
"""

from __future__ import annotations

from dataclasses import replace

from .model import Edge, Graph, Node


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
        boxed = [edge.target for edge in out.get(node.id, ()) if kinds[edge.target] in ("value", "kept")]
        direct = [edge for edge in out.get(node.id, ()) if edge.target not in boxed]
        if direct or not boxed:
            known = next((edge for edge in direct if edge.shape is not None), None)
            value = known.value if known and known.value != str(known.shape) else None
            nodes[node.id] = Node(node.id, "value", value=value, shape=known.shape if known else None)
            boxed.append(node.id)
        results[node.id] = boxed
    for (
        node
    ) in graph.nodes:  # what an operator saved hangs on its result: that has a place already, its box being later
        if node.id in results:
            first = results[node.id][0]
            nodes[first] = replace(nodes[first], saved=node.saved, freed=node.freed)
    edges = []
    for edge in graph.edges:
        if kinds[edge.source] == "operator" and edge.target in results[edge.source]:
            continue  # it led to the box that is the result now
        source = results[edge.source][-1] if edge.source in results else edge.source
        name = names[edge.target] if edge.target in results else ""
        for target in results.get(edge.target, [edge.target]):
            edges.append(replace(edge, source=source, target=target, value="", operator=name))
    clusters = tuple(
        replace(cluster, nodes=tuple(id_ for id_ in cluster.nodes if id_ in nodes)) for cluster in graph.clusters
    )
    return replace(graph, nodes=tuple(nodes.values()), edges=tuple(edges), clusters=clusters)

"""Makes a large graph small: each module becomes one box, and so does each piece that repeats ("× 30").

A weight that several turns of a repeated piece share stays outside, so that all its arrows into the box are visible. A
folded autograd graph has no cycle: a module whose box would be part of one stays open. (The scopes of a static graph
may form cycles, as in TensorBoard.)
Imports model, order, repeat. Read convention.py next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import inf

from .model import RESULTS, Cluster, Edge, Graph, Node
from .order import in_circles, ordered
from .repeat import STEPS, Piece, repeats

LARGE = 24  # nodes, and frames around modules; by default, a larger graph is folded


def is_large(graph: Graph) -> bool:
    """Is the graph folded by default? The frame of a module takes as much room as a node."""
    static = any(node.type for node in graph.nodes)  # its frames are scopes, and many nodes share one
    return len(graph.nodes) + len(graph.clusters) * (not static) > LARGE


def folded(graph: Graph, unfold: str | Collection[str] = ()) -> Graph:
    """`graph` with each module, and then each repeated piece, as one box, except for those named in `unfold`.

    A module is given by its name, its class, or both: "0", "Linear" or "0: Linear". Other nodes keep their ids; a box
    has the id of the last operator inside. Raises ValueError for an unknown name.
    """
    unfold = [unfold] * bool(unfold) if isinstance(unfold, str) else unfold
    smaller, names = folded_but(graph, unfold)
    for each in unfold:
        if not any(is_called(name, each) for name in names):
            there = f"there are {', '.join(map(repr, dict.fromkeys(names)))}" if names else "nothing was folded"
            raise ValueError(f"nothing here is called {each!r}: {there}")
    return smaller


def folded_but(graph: Graph, opened: Collection[str], *, turns: bool = True) -> tuple[Graph, list[str]]:
    """`graph` folded except for `opened`, and the names of everything that could be folded.

    turns: fold repeated pieces, too, not only modules.
    """
    names = [cluster.label for cluster in graph.clusters]
    graph = close_modules(graph, opened)
    pieces = repeats(graph) if turns else []
    names += [piece.name for piece in pieces]
    closed = [piece for piece in pieces if piece.name not in opened]
    return contract(graph, closed) if closed else graph, names


def down_to(graph: Graph, depth: int | None, closed: Sequence[str] = ()) -> list[str]:
    """The modules that are open if these are closed: those inside `depth` others, those called as in `closed`, and what
    is inside of them.

    Raises ValueError if no module is called so.
    """
    labels = [cluster.label for cluster in graph.clusters]
    for name in closed:
        if not any(is_called(label, name) for label in labels):
            there = f"there are {', '.join(map(repr, dict.fromkeys(labels)))}" if labels else "there are no modules"
            raise ValueError(f"no module here is called {name!r}: {there}")
    levels: list[float] = []  # how deep a module is; below a closed one, infinitely
    found = []
    for cluster in graph.clusters:  # parents come before children
        level = 0 if cluster.parent is None else levels[cluster.parent] + 1
        shut = any(is_called(cluster.label, name) for name in closed)
        levels.append(inf if shut else level)
        if not shut and level < (inf if depth is None else depth):
            found.append(cluster.label)
    return found


def is_called(label: str, name: str) -> bool:
    """Does `name` refer to the module or piece with this label: its label, its name or its class?

    >>> [is_called("0.1: Linear", name) for name in ("0.1", "Linear", "0.1: Linear", "0")]
    [True, True, True, False]
    """
    return bool(name) and name in (label, *label.split(": ", 1))


def close_modules(graph: Graph, unfold: Collection[str]) -> Graph:
    """`graph` with each module as one box where possible: not those in `unfold`, those that contain them, or those
    whose box would be part of a cycle."""
    opened = {i for i, cluster in enumerate(graph.clusters) for name in unfold if is_called(cluster.label, name)}
    while True:
        for i in list(opened):
            around = graph.clusters[i].parent
            while around is not None:
                opened.add(around)
                around = graph.clusters[around].parent
        pieces = modules(graph, opened)
        closed = contract(graph, list(pieces.values()))
        odd = set() if any(node.type for node in graph.nodes) else in_circles(closed)
        guilty = {i for i, piece in pieces.items() if not odd.isdisjoint(piece.members)}
        if not guilty:
            return closed
        opened |= guilty


def modules(graph: Graph, opened: Collection[int]) -> dict[int, Piece]:
    """By number, the outermost clusters that are not `opened` and can be closed, with all nodes in them."""
    found: dict[int, set[str]] = {}  # number of a closed cluster -> ids of its nodes
    belongs: dict[int, int] = {}  # number of a cluster -> the closed one that it is, or is in
    for i, cluster in enumerate(graph.clusters):  # parents come before children
        if cluster.parent in belongs:
            belongs[i] = belongs[cluster.parent]
        elif i not in opened:
            belongs[i] = i
        if i in belongs:
            found.setdefault(belongs[i], set()).update(cluster.nodes)
    pieces = {}
    for i, members in found.items():
        members -= set(graph.roots)
        steps = tuple(node.id for node in graph.nodes if node.id in members and node.kind in STEPS)
        if len(steps) > 1 or steps and len(members) > 2:  # a single operator is clearer than a box
            pieces[i] = Piece(graph.clusters[i].label, members, (steps,), graph.clusters[i].says)
    return pieces


def contract(graph: Graph, pieces: Sequence[Piece]) -> Graph:
    """`graph` with each piece as one box."""
    box: dict[str, str] = {}  # id of a node -> id of its box
    made: dict[str, Node] = {}
    known = {node.id: node for node in graph.nodes}
    for piece in pieces:
        last = piece.turns[-1][-1]
        box |= dict.fromkeys(piece.members, last)
        once = [known[id_] for id_ in piece.turns[0]]
        holds = tuple(name for node in once for name in node.holds * node.count or (node.name,))
        inside = tuple(
            tuple(id_ for step in turn for part in known[step].inside or ((step,),) for id_ in part)
            for turn in piece.turns
        )
        records = any(known[id_].records for turn in piece.turns for id_ in turn)
        made[last] = Node(
            last,
            "folded",
            piece.name,
            holds=holds,
            count=len(piece.turns),
            inside=inside,
            records=records,
            rows=piece.says,
        )
    # A value that a box passes on and also uses again is drawn only on its way out, not on the way back
    shown = {edge.target: box[edge.source] for edge in graph.edges if edge.source in box and not edge.kind}
    edges: dict[tuple[str, ...] | int, Edge] = {}
    for i, edge in enumerate(graph.edges):
        source, target = box.get(edge.source, edge.source), box.get(edge.target, edge.target)
        goes_back = known[edge.source].kind in RESULTS and source not in made and shown.get(source) == target
        if not goes_back and (source != target or source not in made):
            touches = source in made or target in made
            # w * w has two arrows from w; from w to a box, one is enough
            moved = edge if not touches else replace(edge, source=source, target=target)
            edges.setdefault((source, target, edge.kind) if touches else i, moved)
    nodes = [made.get(node.id, node) for node in graph.nodes if box.get(node.id, node.id) == node.id]
    kept = tuple(edges.values())
    return replace(graph, nodes=ordered(nodes, kept), edges=kept, clusters=clusters_left(graph.clusters, box))


def clusters_left(clusters: Sequence[Cluster], box: dict[str, str]) -> tuple[Cluster, ...]:
    """The clusters after the ids in `box` were moved into their boxes; a frame around a single node is dropped."""
    inside = [set(cluster.nodes) for cluster in clusters]
    for i, cluster in reversed(list(enumerate(clusters))):
        if cluster.parent is not None:
            inside[cluster.parent] |= inside[i]
    stays = [i for i, ids in enumerate(inside) if len({box.get(id_, id_) for id_ in ids}) > 1]
    groups: dict[str, set[str]] = {}  # what is drawn -> the ids in it that were in a frame
    for id_ in sorted(set().union(*inside)):
        groups.setdefault(box.get(id_, id_), set()).add(id_)
    # Each thing goes into the innermost frame that contained all of it
    home = {id_: max((i for i in stays if ids <= inside[i]), default=None) for id_, ids in groups.items()}
    return tuple(
        replace(
            clusters[i],
            nodes=tuple(id_ for id_ in home if home[id_] == i),
            parent=None if (around := clusters[i].parent) is None else stays.index(around),  # no smaller, so it stays
        )
        for i in stays
    )

"""A large graph made small: a module becomes one box, and so do pieces that come again and again ("× 30").

A piece comes again where the same names of operators follow each other three times or more, in the order the code
ran: the time steps of a recurrent net, equal layers, a sum in a loop. What several of the pieces share (a weight)
stays outside, so that all its arrows into the one box can be seen.
Imports model, names, order. Read convention.py next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .model import Cluster, Edge, Graph, Node
from .names import plain
from .order import ordered

LARGE = 24  # nodes; what has more is folded unasked
AT_LEAST, WORTH_IT = 3, 6  # repetitions, and how many operators they are together
LONGEST = 100  # operators in one repetition
NAMED = 3  # operators in the name of a repeated piece
STEPS = ("operator", "folded")  # the kinds of node that do something


@dataclass
class Piece:
    """What becomes one box: its name, the ids inside, the operators of one repetition, how often it is there."""

    name: str
    members: set[str]
    holds: tuple[str, ...]
    count: int = 1


def folded(graph: Graph, unfold: str = "") -> Graph:
    """`graph` with each module, and then each repeated piece, as one box, but for those that are called `unfold`.

    A module is called by its name, with or without its class: "0" or "0: Linear". What stays keeps its id; a box has
    the id of the last operator inside. Raises ValueError if nothing is called `unfold`.
    """
    names = [cluster.label for cluster in graph.clusters]
    graph = contract(graph, modules(graph, unfold))
    pieces = repeats(graph)
    names += [piece.name for piece in pieces]
    if unfold and not any(is_called(name, unfold) for name in names):
        there = f"there are {', '.join(map(repr, dict.fromkeys(names)))}" if names else "nothing was folded"
        raise ValueError(f"nothing here is called {unfold!r}: {there}")
    return contract(graph, [piece for piece in pieces if piece.name != unfold])


def is_called(label: str, name: str) -> bool:
    """Does `name` mean the module or piece with that label?"""
    return bool(name) and name in (label, label.partition(":")[0])


def modules(graph: Graph, unfold: str) -> list[Piece]:
    """The outermost clusters that can be closed, with all that is in them."""
    opened = set()
    for i, cluster in enumerate(graph.clusters):
        around = i if is_called(cluster.label, unfold) else None
        while around is not None:
            opened.add(around)
            around = graph.clusters[around].parent
    found: dict[int, set[str]] = {}  # number of a closed cluster -> ids
    belongs: dict[int, int] = {}  # number of a cluster -> the closed one that it is, or is in
    for i, cluster in enumerate(graph.clusters):  # parents come first
        if cluster.parent in belongs:
            belongs[i] = belongs[cluster.parent]
        elif i not in opened:
            belongs[i] = i
        if i in belongs:
            found.setdefault(belongs[i], set()).update(cluster.nodes)
    pieces = []
    for i, members in found.items():
        members -= set(graph.roots)
        holds = tuple(node.name for node in graph.nodes if node.id in members and node.kind in STEPS)
        if len(holds) > 1 or holds and len(members) > 2:  # one operator is its own best picture
            pieces.append(Piece(graph.clusters[i].label, members, holds))
    return pieces


def repeats(graph: Graph) -> list[Piece]:
    """Pieces of equal operators, one right after the other; those first that take most nodes away."""
    steps = [node for node in graph.nodes if node.kind in STEPS]
    into, out = neighbours(graph)
    fixed = {  # what was asked for stays to be seen, with all that comes before and after it
        source for root in graph.roots if out[root] for source in into[root]
    }
    codes = [(node.id,) if node.id in fixed else (class_of(node), *node.holds) for node in steps]
    found = []
    for length in range(1, min(LONGEST, len(codes) // AT_LEAST) + 1):
        for start, end in runs([a == b for a, b in zip(codes, codes[length:], strict=False)]):
            count = (end - start) // length + 1
            if count >= AT_LEAST and count * length >= WORTH_IT:
                found.append((-count * length, length, start, count))
    taken: set[int] = set()
    pieces = []
    for _, length, start, count in sorted(found):
        places = range(start, start + count * length)
        if taken.isdisjoint(places):
            taken.update(places)
            turns = {steps[place].id: divmod(place - start, length) for place in places}
            name = piece_name([steps[start + i : places.stop : length] for i in range(length)])
            once = steps[start : start + length]
            holds = tuple(name for node in once for name in node.holds * node.count or (node.name,))
            pieces.append(Piece(name, with_boxes(graph, turns), holds, count))
    return pieces


def runs(equal: Sequence[bool]) -> list[tuple[int, int]]:
    """Where `equal` is true without a break: pairs (start, end).

    >>> runs([False, True, True, False, True])
    [(1, 3), (4, 5)]
    """
    edges = [i for i, (a, b) in enumerate(zip([False, *equal], [*equal, False], strict=True)) if a != b]
    return list(zip(edges[::2], edges[1::2], strict=True))


def class_of(node: Node) -> str:
    """What makes two steps equal, whatever a module is called: "AddBackward0", "Linear"."""
    return node.name.rpartition(": ")[2]


def piece_name(columns: Sequence[Sequence[Node]]) -> str:
    """What a repeated piece is called: "mul tanh", "select t addmm …". A column is one step in all repetitions.

    A module that is the same in all of them has its name, one that is another each time the name of its class.
    """
    words = []
    for column in columns[:NAMED]:
        name = column[0].name
        words.append(plain(name).partition(":")[0] if {node.name for node in column} == {name} else class_of(column[0]))
    return " ".join(words + ["…"] * (len(columns) > NAMED))


def with_boxes(graph: Graph, turns: dict[str, tuple[int, int]]) -> set[str]:
    """The operators of a repeated piece (and which repetition and step each is) with the boxes that go inside, too.

    A result goes inside if it is used inside; a leaf or constant, if one repetition alone uses it, and another one has
    its like (each time step its input: but the input of the first layer alone stays outside).
    """
    into, out = neighbours(graph)
    members = set(turns)
    alike: dict[tuple[str, int], list[str]] = {}
    for node in graph.nodes:
        if node.kind not in STEPS and node.id not in graph.roots and out[node.id]:
            users = [turns.get(user) for user in out[node.id]]
            inside = [user for user in users if user is not None]
            if any(source in turns for source in into[node.id]):
                members.update([node.id] if inside else [])
            elif not into[node.id] and len(inside) == len(users) and len({turn for turn, _ in inside}) == 1:
                alike.setdefault((node.kind, inside[0][1]), []).append(node.id)
    return members.union(*(ids for ids in alike.values() if len(ids) > 1))


def neighbours(graph: Graph) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """By id, where the arrows into a node come from, and where those out of it go."""
    into: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    out: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        into[edge.target].append(edge.source)
        out[edge.source].append(edge.target)
    return into, out


def contract(graph: Graph, pieces: Sequence[Piece]) -> Graph:
    """`graph` with each piece as one box."""
    box: dict[str, str] = {}  # id inside -> id of its box
    made: dict[str, Node] = {}
    for piece in pieces:
        last = [node for node in graph.nodes if node.id in piece.members and node.kind in STEPS][-1]
        box |= dict.fromkeys(piece.members, last.id)
        made[last.id] = Node(last.id, "folded", piece.name, holds=piece.holds, count=piece.count)
    edges: dict[tuple[str, ...] | int, Edge] = {}
    for i, edge in enumerate(graph.edges):
        source, target = box.get(edge.source, edge.source), box.get(edge.target, edge.target)
        if source != target or source not in made:
            touches = source in made or target in made
            # w * w has two arrows; from w to a box one is enough
            edges.setdefault((source, target, edge.kind) if touches else i, replace(edge, source=source, target=target))
    nodes = [made.get(node.id, node) for node in graph.nodes if box.get(node.id, node.id) == node.id]
    kept = tuple(edges.values())
    return replace(graph, nodes=ordered(nodes, kept), edges=kept, clusters=clusters_left(graph.clusters, box))


def clusters_left(clusters: Sequence[Cluster], box: dict[str, str]) -> tuple[Cluster, ...]:
    """The clusters, when the ids in `box` have gone into theirs; a frame around a single thing is no more."""
    inside = [set(cluster.nodes) for cluster in clusters]
    for i, cluster in reversed(list(enumerate(clusters))):
        if cluster.parent is not None:
            inside[cluster.parent] |= inside[i]
    stays = [i for i, ids in enumerate(inside) if len({box.get(id_, id_) for id_ in ids}) > 1]
    groups: dict[str, set[str]] = {}  # what is drawn -> the ids in it that a frame held
    for id_ in sorted(set().union(*inside)):
        groups.setdefault(box.get(id_, id_), set()).add(id_)
    # The innermost frame that held all of a thing holds it now
    home = {id_: max((i for i in stays if ids <= inside[i]), default=None) for id_, ids in groups.items()}
    return tuple(
        replace(
            clusters[i],
            nodes=tuple(id_ for id_ in home if home[id_] == i),
            parent=None if (around := clusters[i].parent) is None else stays.index(around),  # holds as much: stays, too
        )
        for i in stays
    )

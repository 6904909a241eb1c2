"""Finds pieces of a graph that repeat: the time steps of a recurrent net, equal layers, a sum in a loop.

Equal names in a row only say where to look. Turns of a loop are a repetition if they are *wired* alike: each operator
takes its inputs from the same places of its own turn, of the turn before, or of outside (one source that all turns
share, or a different one for each turn). Also, something must connect the turns: a value that one turn hands to the
next, or weights (a module) that all turns use. So three separate nets are no repetition. A value that is handed on
through a `detach` ends a repetition.

Operators are in the order in which the code ran. A repetition is a stretch of that order, and no cut leads from it back
to itself. So no path leaves it and comes back: as one box, it makes no cycle.
Imports layer, model, names. Read fold.py next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise

from .layer import GIVES, GRADIENT, PARAMETERS
from .model import RESULTS, Graph, Node
from .names import plain

AT_LEAST, WORTH_IT = 3, 6  # turns at least, and operators at least in all turns
LONGEST = 100  # operators in one turn
PATIENCE = 100_000  # steps that are searched for the best beginning of a turn
NAMED, WIDE = 3, 24  # operators in the name of a repeated piece, and letters: a longer name loses its beginning
STEPS = ("operator", "folded")  # the kinds of node that compute something


@dataclass
class Piece:
    """A piece that becomes one box: its name, the ids inside, the steps (ids) of each turn, and rows of text."""

    name: str
    members: set[str]
    turns: tuple[tuple[str, ...], ...]
    says: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Wire:
    """The source of an input: a node, and the number of the step that it is or that made it; -1 if there is none.

    cut: the input comes through a `detach`, from the step with this number.
    """

    source: str
    step: int = -1
    cut: int = -1


def repeats(graph: Graph) -> list[Piece]:
    """The repetitions in `graph`, starting with those that remove most nodes. No two share a step."""
    wiring = Wiring(graph)
    steps = wiring.steps
    found = [
        (-count * length, length, start, count, False)
        for start, length, count in alike(wiring.codes)
        if wiring.worth(start, count * length) >= WORTH_IT
    ]
    heapify(found)
    taken = bytearray(len(steps))
    pieces = []
    while found:
        _, length, start, count, checked = heappop(found)
        for first, last in free(taken, start, start + count * length):
            if checked:
                first, last = -(-(first - start) // length), (last - start) // length  # whole turns only
                here = [(start + first * length, last - first)]
            else:
                here = wiring.repetitions(first, last, length)
            for begin, turns in here:
                if turns < AT_LEAST or wiring.worth(begin, turns * length) < WORTH_IT:
                    continue
                if not checked or turns < count:
                    heappush(found, (-turns * length, length, begin, turns, True))
                    continue
                taken[begin : begin + turns * length] = bytes([1]) * (turns * length)
                rows = [steps[begin + t * length : begin + (t + 1) * length] for t in range(turns)]
                place = {node.id: (t, i) for t, row in enumerate(rows) for i, node in enumerate(row)}
                ids = tuple(tuple(node.id for node in row) for row in rows)
                pieces.append(Piece(piece_name(rows), with_boxes(graph, place), ids, said_by(rows)))
    return pieces


def alike(codes: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Where equal codes repeat: (start, length of one turn, number of turns)."""
    for length in range(1, min(LONGEST, len(codes) // AT_LEAST) + 1):
        for start, end in runs([a == b for a, b in zip(codes, codes[length:], strict=False)]):
            count = (end - start) // length + 1
            if count >= AT_LEAST:
                yield start, length, (end - start + length) // length


def runs(equal: Sequence[bool]) -> list[tuple[int, int]]:
    """Where `equal` is true without a break: pairs (start, end).

    >>> runs([False, True, True, False, True])
    [(1, 3), (4, 5)]
    """
    edges = [i for i, (a, b) in enumerate(zip([False, *equal], [*equal, False], strict=True)) if a != b]
    return list(zip(edges[::2], edges[1::2], strict=True))


def free(taken: bytearray, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The stretches from `start` to `stop` that are not yet taken."""
    while start < stop:
        begin = taken.find(0, start, stop)
        if begin < 0:
            return
        end = taken.find(1, begin, stop)
        start = end if end >= 0 else stop
        yield begin, start


class Wiring:
    """The steps of a graph in their order, and the sources of their inputs."""

    def __init__(self, graph: Graph):
        self.steps = [node for node in graph.nodes if node.kind in STEPS]
        self.node = {node.id: node for node in graph.nodes}
        number = {node.id: i for i, node in enumerate(self.steps)}
        maker: dict[str, int] = {}  # a result -> the number of the step that made it
        cut: dict[str, int] = {}  # a detached value -> the number of the step that made the value it was detached from
        for edge in graph.edges:
            if self.node[edge.target].kind in RESULTS and edge.source in number:
                maker[edge.target] = number[edge.source]
        for edge in graph.edges:
            if edge.kind == "detach":
                cut[edge.target] = number.get(edge.source, maker.get(edge.source, -1))
        self.before = [0, *accumulate(max(1, len(node.holds) * node.count) for node in self.steps)]  # operators
        self.inputs: list[list[Wire]] = [[] for _ in self.steps]
        self.users: list[set[int]] = [set() for _ in self.steps]  # the users of each step's result; -1: no step
        roots = set(graph.roots)
        for edge in graph.edges:
            step = number.get(edge.source, maker.get(edge.source, -1))
            target = number.get(edge.target, -1) if edge.kind != "next" else -1
            if target >= 0:
                self.inputs[target].append(Wire(edge.source, step, cut.get(edge.source, -1)))
            if step >= 0 and (target >= 0 or edge.kind):
                self.users[step].add(target)
        # A root that something else uses must stay visible, together with the step that made it
        fixed = {maker.get(id_, -1) for edge in graph.edges for id_ in [edge.source] if id_ in roots}
        known: dict[object, int] = {}
        self.codes = []
        for i, node in enumerate(self.steps):
            inputs = len(self.inputs[i]) if node.kind == "operator" else 0
            code = node.id if i in fixed else (class_of(node), inputs, *node.holds)
            self.codes.append(known.setdefault(code, len(known)))

    def worth(self, start: int, steps: int) -> int:
        """The number of operators in so many steps, those in closed modules included."""
        return self.before[start + steps] - self.before[start]

    def repetitions(self, start: int, stop: int, length: int) -> list[tuple[int, int]]:
        """Where in this stretch turns of `length` steps are wired alike, as pairs (start, turns).

        A turn may begin with any step: the first choice that leaves no steps over, else the one with most turns.
        """
        best: list[tuple[int, int]] = []
        choices = length if length * (stop - start) < PATIENCE else 1
        for first in range(start, min(start + choices, stop - AT_LEAST * length + 1)):
            found, at = [], first
            while at + AT_LEAST * length <= stop:
                turns = self.turns(at, stop, length)
                if turns >= AT_LEAST:
                    found.append((at, turns))
                at += turns * length if turns >= AT_LEAST else length
            if sum(turns for _, turns in found) > sum(turns for _, turns in best):
                best = found
            if sum(turns for _, turns in best) == (stop - start) // length:
                break
        return best

    def turns(self, start: int, stop: int, length: int) -> int:
        """The number of turns of `length` steps, from `start` to `stop` at most, that are wired alike: at least one."""
        turn: Turn | None = None
        same: list[bool] = []  # for each input: do all turns share it?
        seen: list[set[str]] = []
        count = 1
        while start + (count + 1) * length <= stop:
            turn = self.compared(start, count, length, turn)
            if turn is None:
                break
            pairs = [pair for _, step in turn for pair in step]
            if count == 1:
                same = [a.source == b.source for a, b in pairs]
                seen = [{a.source} for a, _ in pairs]
                apart = [b.maker - a.maker if a.maker >= 0 <= b.maker else 0 for a, b in pairs]
                if not self.linked(start, length, [way for _, way in pairs], same):
                    break
            # An input from outside is either the same in all turns, or a different one in each turn
            if any(
                b.far < 0 and (b.source in s) != is_same for (_, b), is_same, s in zip(pairs, same, seen, strict=True)
            ):
                break
            # If other steps made them, these are in the order of the turns: what two loops hand on, turn by turn
            if any(
                b.far < 0 and not is_same and a.maker >= 0 and (by < 1 or b.maker - a.maker != by)
                for (a, b), is_same, by in zip(pairs, same, apart, strict=True)
            ):
                break
            for (_, way), sources in zip(pairs, seen, strict=True):
                sources.add(way.source)
            count += 1
        given = [self.given(start, turn, length, count) for turn in range(count - 1)]  # the last turn is free to differ
        ways = [alike_apart(a, b) for a, b in pairwise(given)]
        if ways and ways[0] is None:
            return 1
        odd = (turn for turn, way in enumerate(ways, 1) if way != ways[0])
        return next(odd, count - 1) + 1

    def compared(self, start: int, turn: int, length: int, before: Turn | None) -> Turn | None:
        """The sources of the inputs of each step in a turn, paired with those of the turn `before` (None: the first
        turn); None if the two turns are wired differently."""
        found: Turn = []
        for k in range(length):
            ways = self.ways(start + turn * length + k, start, length, turn)
            if ways is None:
                return None
            earlier = before[k][0] if before else self.ways(start + k, start, length, 0)
            if earlier is None:
                return None
            pairs = paired(earlier, ways, may_lack=before is None)
            if not all(goes_on(a, b, turn) for a, b in pairs):
                return None
            found.append((ways, pairs))
        return found

    def ways(self, i: int, start: int, length: int, turn: int) -> list[Way] | None:
        """The sources of the inputs of step number `i`, in turn number `turn`; None if one comes through a cut from the
        repetition itself."""
        found = []
        for wire in self.inputs[i]:
            if wire.cut >= start or wire.step >= i:
                return None
            if wire.step >= start:
                back, place = divmod(wire.step - start, length)
                found.append(Way("", "", turn - back, place))
            else:
                node = self.node[wire.source]
                found.append(Way(wire.source, class_of(node) if node.kind in STEPS else node.kind, maker=wire.step))
        return found

    def linked(self, start: int, length: int, ways: Sequence[Way], shared: Sequence[bool]) -> bool:
        """Are the first two turns connected: by a value handed on, the same weights, or the same module?"""
        if any(way.far > 0 for way in ways):
            return True
        leaves = [same for way, same in zip(ways, shared, strict=True) if way.what == "leaf"]
        modules = any(
            self.steps[i].kind == "folded" and self.steps[i].name == self.steps[i + length].name
            for i in range(start, start + length)
        )
        return all(leaves) and (bool(leaves) or modules)

    def given(self, start: int, turn: int, length: int, count: int) -> list[list[int]]:
        """For each step of a turn: the numbers of the steps outside of the whole repetition that use its result."""
        begin, stop = start + turn * length, start + count * length
        return [
            sorted(user for user in self.users[i] if not start <= user < stop) for i in range(begin, begin + length)
        ]


@dataclass(frozen=True)
class Way:
    """Where an input of a turn comes from. far: how many turns before (0: the same turn), and `place`: which step of
    it. If `far` is negative, the input comes from outside: `source` is the node, `what` its kind, and `maker` the
    number of the step that made it, if one did."""

    source: str
    what: str
    far: int = -1
    place: int = -1
    maker: int = field(default=-1, compare=False)


Turn = list[tuple[list["Way"], list[tuple["Way", "Way"]]]]  # each step's inputs, and pairs (earlier input, this input)
NOTHING, WRONG = Way("", "nothing"), Way("", "wrong", 0)  # WRONG matches no other input


def paired(before: Sequence[Way], now: Sequence[Way], *, may_lack: bool) -> list[tuple[Way, Way]]:
    """The inputs of a step in two turns, as pairs.

    may_lack: in its first turn a module may make a state itself; in later turns the state is an extra input.
    """
    missing, rest, pairs = len(now) - len(before), list(before), []
    for way in now:
        if not rest or may_lack and missing > 0 and way.far > 0:
            pairs.append((NOTHING if may_lack else WRONG, way))
            missing -= 1
        else:
            pairs.append((rest.pop(0), way))
    return pairs + [(way, WRONG) for way in rest]


def alike_apart(before: list[list[int]], now: list[list[int]]) -> int | None:
    """How far apart the users of two turns are: 0 if both have the same (all results are stacked), else by how many
    steps they follow each other (the next loop takes them, turn by turn). None: neither, as the skips of a U-Net, of
    which the first goes to the last.

    >>> alike_apart([[9], []], [[9], []]), alike_apart([[20]], [[23]]), alike_apart([[30]], [[27]])
    (0, 3, None)
    """
    if [len(users) for users in before] != [len(users) for users in now]:
        return None
    apart = {b - a for x, y in zip(before, now, strict=True) for a, b in zip(x, y, strict=True)} or {0}
    by = apart.pop()
    return by if not apart and by >= 0 else None


def goes_on(before: Way, now: Way, turn: int) -> bool:
    """Does `now`, an input of turn number `turn`, correspond to `before`, one turn earlier? The first turns of a loop
    take from outside what later turns take from the turns before them."""
    if now.far < 0:
        return before.far < 0 and before.what == now.what
    return before == now or before.far < 0 and now.far == turn


def class_of(node: Node) -> str:
    """What makes two steps equal, without a module's own name: "AddBackward0", "Linear"."""
    return node.name.rpartition(": ")[2]


def piece_name(turns: Sequence[Sequence[Node]]) -> str:
    """The name of a repeated piece: "mul tanh", "select t addmm …".

    A module that is the same in all turns keeps its name; if it differs, its class is named.
    """
    words = []
    for column in list(zip(*turns, strict=True))[:NAMED]:
        name = column[0].name
        words.append(plain(name).partition(":")[0] if {node.name for node in column} == {name} else class_of(column[0]))
    while len(name := " ".join(words + ["…"] * (len(turns[0]) > len(words)))) > WIDE and len(words) > 1:
        words.pop()
    return name


def said_by(turns: Sequence[Sequence[Node]]) -> tuple[tuple[str, str], ...]:
    """What the box of a repeated module tells: the rows that all of them have, and how the gradient changes from the
    first to the last one. Of a piece of several steps, it tells this if only one of them has parameters."""
    told = [dict(step.rows) for step in turns[0]]
    which = [at for at, rows in enumerate(told) if PARAMETERS in rows] if len(told) > 1 else [0]
    if len(which) != 1:
        return ()
    every = [dict(turn[which[0]].rows) for turn in turns]
    found = []
    for label, first in every[0].items():
        if label == GIVES and len(told) > 1:
            continue  # it is the module's shape, and not what the whole piece gives
        texts = [rows.get(label) for rows in every]
        if len(set(texts)) == 1:
            found.append((label, first))
        elif label == GRADIENT:
            found.append((label, f"{first} … {texts[-1]}"))
    return tuple(found)


def with_boxes(graph: Graph, turns: dict[str, tuple[int, int]]) -> set[str]:
    """The steps of a repeated piece (each with its turn and place), and the boxes that go inside with them.

    A result goes inside if it is used inside. A leaf or constant goes inside if only one turn uses it, and another turn
    has a similar one (the input of each time step; but an input of the first layer alone stays outside).
    """
    into, out = neighbours(graph)
    members = set(turns)
    alike: dict[tuple[str, int], list[str]] = {}
    for node in graph.nodes:
        if node.kind not in STEPS and node.id not in graph.roots and out[node.id]:
            users = [turns.get(user) for user in out[node.id]]
            inside = [user for user in users if user is not None]
            if any(source in turns for source in into[node.id]):
                members.update([node.id] if inside and node.kind in RESULTS else [])
            elif not into[node.id] and len(inside) == len(users) and len({turn for turn, _ in inside}) == 1:
                alike.setdefault((node.kind, inside[0][1]), []).append(node.id)
    return members.union(*(ids for ids in alike.values() if len(ids) > 1))


def neighbours(graph: Graph) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """By id, the sources of the arrows into a node, and the targets of the arrows out of it."""
    into: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    out: dict[str, list[str]] = {node.id: [] for node in graph.nodes}
    for edge in graph.edges:
        into[edge.target].append(edge.source)
        out[edge.source].append(edge.target)
    return into, out

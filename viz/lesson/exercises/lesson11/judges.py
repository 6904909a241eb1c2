"""What the pages of lesson 11 can't contain: points to try, ways of running, checks."""

from operator import add, mul, neg, sub

from ....locale import room
from ...compare import same

REPLIES = room("lesson11").table("judges")
STALE = REPLIES.text("stale")
AFTER_AN_ERROR = REPLIES.text("after an error")
TOO_OFTEN = REPLIES.text("too often")
STARTS = REPLIES.text("starts")
GOES = REPLIES.text("goes")


class Node:
    """The class of the lesson's cell; its operations also note in `log` that they have run. `held` has the value of
    the variable W, which may change between two runs."""

    def __init__(self, op, inputs, name, log, held):
        self.inputs, self.name, self.log, self.held = inputs, name, log, held

        def noted(*values):
            log.append(name)
            return op(*values)

        self.op = noted

    def __repr__(self):
        return self.name


def _graph():
    """The nodes of y = (w + x)(w + 1), z = (w + 1) · 2 and a few more, by name; they have no values yet."""
    called = {
        "one": "1",
        "two": "2",
        "s": "Y + Z",
        "q": "Y · Y",
        "d": "A − B",
        "n": "−A",
        "p": "Z − B",
        "l": "the largest of A, B, Z",
    }
    called |= {"u": "unnamed", "v": "unnamed", "t": "the difference of two unnamed nodes"}
    nodes: dict[str, Node] = {}
    log: list[str] = []
    held = {"w": 2.0}

    def unfed():
        raise ValueError("You must feed a value for placeholder X")

    def node(name, op, *inputs):
        nodes[name] = Node(op, [nodes[each] for each in inputs], called.get(name, name.upper()), log, held)

    node("x", unfed)
    node("w", lambda: held["w"])
    node("one", lambda: 1.0)
    node("two", lambda: 2.0)
    node("a", add, "w", "x")
    node("b", add, "w", "one")
    node("y", mul, "a", "b")
    node("z", mul, "b", "two")
    node("s", add, "y", "z")
    node("q", mul, "y", "y")
    node("d", sub, "a", "b")
    node("n", neg, "a")
    node("p", sub, "z", "b")
    node("l", max, "a", "b", "z")
    node("u", add, "a", "b")
    node("v", mul, "a", "b")
    node("t", sub, "u", "v")
    return nodes


def _asked(fetch, **feeds):
    nodes = _graph()
    return nodes[fetch], {nodes[name]: value for name, value in feeds.items()}


def points(torch, random):
    yield _asked("y", x=5.0)
    yield _asked("z")
    yield _asked("x", x=4.0)
    yield _asked("y", x=0.0)
    yield _asked("y", a=10.0)
    yield _asked("y", a=10.0, x=5.0)
    yield _asked("d", x=5.0)
    yield _asked("n", x=5.0)
    yield _asked("l", x=0.0)
    yield _asked("s", x=float(random.integers(1, 9)), w=float(random.integers(3, 9)))


def runs_again(given, torch, random):
    """The same graph is run again, with another number fed, or with another value of W: what is kept from an earlier
    run?"""
    for fetch, fed, correct in ("y", {"x": 5.0}, (21.0, 24.0, 36.0)), ("z", {}, (6.0, 6.0, 8.0)):
        node, feeds = _asked(fetch, **fed)
        came = [given(node, feeds)]
        for each in feeds:
            feeds[each] += 1
        came += [given(node, feeds)]
        node.held["w"] = 3.0
        came += [given(node, feeds)]
        if came[0] == correct[0] and (*came,) != correct:
            return STALE
    return None


def once(torch, random):
    yield _asked("s", x=5.0)
    yield _asked("p")  # a node that two others read, and an empty dictionary
    yield _asked("z", w=float(random.integers(3, 9)))
    yield _asked("q", a=10.0, w=float(random.integers(3, 9)))
    yield _asked("s", x=0.0)
    yield _asked("q", x=-2.0)  # A is 0, and so is Y
    yield _asked("t", x=5.0)
    yield _asked("l", x=0.0)


def counted(given, torch, fetch, feeds):
    value = given(fetch, feeds)
    ran = sorted(fetch.log)
    for node in feeds:
        feeds[node] = feeds[node] + 1
    fetch.held["w"] += 1
    return {"value": value, "ran": ran, "second": given(fetch, feeds)}


def after_an_error(given, torch, random):
    """A reply if something is kept from a run that stopped: there, B was fed, and X was not."""
    nodes = _graph()
    try:
        given(nodes["s"], {nodes["b"]: 10.0})
    except Exception:
        pass
    nodes["w"].held["w"] = 3.0
    return None if given(nodes["s"], {nodes["x"]: 5.0}) == 40.0 else AFTER_AN_ERROR


def starts(torch, random):
    yield (2.0,)
    yield (float(random.integers(3, 9)),)


def grown(given, torch, w):
    """The returned number, and w after each run that changed it. If one of them is wrong, also the numbers that
    identify the mistake: how many updates were built, how many were fetched in one run, and if y was fetched, too."""
    import minigrad.static as tf

    class Watched(tf.Session):
        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            came = super().run(fetches, feed_dict, options, run_metadata)
            asked = {"updates": 0, "others": 0}
            for each in _flat(fetches):
                asked["updates" if _is_update(getattr(each, "op", each)) else "others"] += 1
            runs.append(asked)
            now = float(super().run(variable))
            if now != values[-1]:
                values.append(now)
            return came

    values: list[float] = [w]
    runs: list[dict[str, int]] = []
    with tf.Graph().as_default() as graph, Watched() as session:
        place, variable = tf.placeholder(tf.float32, [], name="x"), tf.Variable(w, name="w")
        y = (variable + place) * (variable + 1.0)
        tf.Session.run(session, variable.initializer)
        there = len(graph.get_operations())
        value = given(session, variable, place, y)
        facts = {"value": value, "w": values[1:]}
        if not same(facts, {"value": (w + 7) * (w + 3), "w": [w + 1, w + 2]}):
            built = sum(_is_update(op) for op in graph.get_operations()[there:])
            most = max((asked["updates"] for asked in runs), default=0)
            facts |= {"built": min(built, 2), "at once": min(most, 2)}
            facts["together"] = any(asked["updates"] and asked["others"] for asked in runs)
        return facts


def _flat(fetches):
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    return [one for each in fetches for one in _flat(each)] if isinstance(fetches, (list, tuple)) else [fetches]


def _is_update(op):
    return getattr(op, "type", "").startswith("Assign")


def feeds(torch, random):
    yield (7,)
    yield (0,)
    yield (int(random.integers(8, 40)),)


def looped(given, torch, steps):
    import minigrad.static as tf

    with tf.Graph().as_default(), tf.Session() as session:
        place = tf.placeholder(tf.int32, [], name="steps")
        end = given(place)
        if end is None:
            return None
        loops = sum(op.type == "While" for op in place.graph.get_operations())
        return {"value": session.run(end, {place: steps}), "loops": loops}


def turns(given, torch, random):
    """A reply if the loop turns less or more often than `steps` says. It is counted in a loop with one more value."""
    import minigrad.static as tf

    plain, counted, starts, firsts = tf.while_loop, [], [], []

    def counting(cond, body, loop_vars, *rest, **more):
        def turned(*values):
            new = body(*values[:-1])
            return [*(new if isinstance(new, (list, tuple)) else [new]), values[-1] + 1]

        if len(loop_vars) == 1:
            starts.append(loop_vars[0] + tf.constant(0))
            new = body(loop_vars[0])
            firsts.append((new[0] if isinstance(new, (list, tuple)) else new) + tf.constant(0))
        start = [*loop_vars, tf.constant(0)]
        *ends, count = plain(lambda *values: cond(*values[:-1]), turned, start, *rest, **more)
        counted.append(count)
        return ends[0] if len(ends) == 1 else ends

    with tf.Graph().as_default(), tf.Session() as session:
        place = tf.placeholder(tf.int32, [], name="steps")
        tf.while_loop = counting
        try:
            given(place)
        finally:
            tf.while_loop = plain
        often, start, first = (
            [int(session.run(each, {place: 7})) for each in found] for found in (counted, starts, firsts)
        )
    if not often or max(often) == 7:
        return None
    if any(start):
        return STARTS.filled(often=max(often), start=start[0])
    if first and first[0] != 1:
        return GOES.filled(often=max(often), first=first[0])
    return TOO_OFTEN.filled(often=max(often))

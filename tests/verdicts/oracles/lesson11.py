"""Lesson 11: a graph that notes what has run, and a session that counts its runs."""

from contextlib import suppress
from itertools import pairwise

import numpy as np

from .tools import near, number, oracle


class Node:
    def __init__(self, name, op, *inputs):
        self.name, self.inputs, self.runs = name, list(inputs), 0

        def noted(*values):
            self.runs += 1
            return op(*values)

        self.op = noted


def _random_graph(random, same_names):
    """Nodes, each made from earlier ones; the first two are a weight and a placeholder. The value of the weight is in
    the list `held`, so it can change between two runs."""

    def unfed():
        raise ValueError("not fed")

    held = [2.0]
    nodes = [Node("w", lambda: held[0]), Node("x", unfed), Node("three", lambda: 3.0)]
    operators = [
        (lambda a, b: a - b, 2),
        (lambda a, b: a * b, 2),
        (lambda a, b: a + b, 2),
        (lambda a: -a, 1),
        (lambda a, b, c: max(a, b, c), 3),
        (lambda a, b, c: a * 2 + b - c, 3),
    ]
    for number_ in range(random.integers(2, 7)):
        op, count = operators[random.integers(len(operators))]
        chosen = [nodes[random.integers(len(nodes))] for _ in range(count)]
        nodes.append(Node("node" if same_names else f"n{number_}", op, *chosen))
    return nodes, held


def _plan(fetch, feeds, values):
    """The value of each node that is needed, by node."""
    if fetch in values:
        return values[fetch]
    if fetch in feeds:
        return feeds[fetch]
    found = [_plan(each, feeds, values) for each in fetch.inputs]
    runs = fetch.runs
    values[fetch] = fetch.op(*found)
    fetch.runs = runs
    return values[fetch]


def _cases(count, same_names=False):
    random = np.random.default_rng(28)
    for _ in range(count):
        nodes, held = _random_graph(random, same_names)
        feeds = {nodes[1]: float(random.integers(-2, 3))}
        if random.random() < 0.5:  # a node in the middle is fed, often with 0
            feeds[nodes[random.integers(len(nodes))]] = float(random.integers(-1, 2))
        fetch = nodes[-1] if random.random() < 0.8 else nodes[random.integers(len(nodes))]
        if random.random() < 0.3 and not _needs(fetch, nodes[1]):
            feeds = {}
        yield nodes, fetch, feeds, held


def _needs(node, other):
    """Whether a node depends on another."""
    return node is other or any(_needs(each, other) for each in node.inputs)


def _higher(feeds, fed):
    """The same dictionary for a second run, each fed number 1 higher."""
    feeds.update({node: number_ + 1 for node, number_ in fed.items()})
    return feeds


@oracle
def evaluate(make, torch):
    evaluate = make()
    for nodes, fetch, feeds, held in _cases(200):
        values, fed = {}, dict(feeds)
        is_ = _plan(fetch, feeds, values)
        if evaluate(fetch, feeds) != is_:
            return "the value"
        if any(node.runs for node in nodes if node not in values):
            return "a node ran that is not needed"
        if evaluate(fetch, _higher(feeds, fed)) != _plan(fetch, _higher({}, fed), {}):
            return "a second run"
        held[0] = 5.0
        if evaluate(fetch, feeds) != _plan(fetch, feeds, {}):
            return "a run after the weight has changed"
    # a fed node needs no placeholder
    x = Node("x", lambda: 1 / 0)
    a = Node("a", lambda x: x, x)
    return None if evaluate(a, {a: 0.0}) == 0.0 else "a fed node"


@oracle
def evaluate_once(make, torch):
    evaluate = make()
    for nodes, fetch, feeds, held in _cases(300, same_names=True):
        values, fed = {}, dict(feeds)
        is_ = _plan(fetch, feeds, values)
        if evaluate(fetch, feeds) != is_:
            return "the value"
        if any(node.runs != (node in values) for node in nodes):
            return "a node ran twice, or ran though it is not needed, or did not run"
        if evaluate(fetch, _higher(feeds, fed)) != _plan(fetch, _higher({}, fed), {}):
            return "a second run"
        if any(node.runs > 2 for node in nodes):
            return "a node ran twice in the second run"
        held[0] = 5.0
        if evaluate(fetch, feeds) != _plan(fetch, feeds, {}):
            return "a run after the weight has changed"
        if _needs(fetch, nodes[1]):
            with suppress(ValueError):
                evaluate(fetch, {nodes[-1]: 7.0} if nodes[-1] is not fetch else {nodes[3]: 7.0})
            held[0] = 6.0
            if evaluate(fetch, feeds) != _plan(fetch, feeds, {}):
                return "a run after one that stopped"


@oracle
def fetch_it(make, torch):
    import minigrad.static as tf

    for start in (2.0, 0.0, -1.0, 7.0, 0.5):
        seen, weights = [], []

        class Session(tf.Session):
            def run(self, fetches, feed_dict=None, seen=seen, weights=weights):
                came = super().run(fetches, feed_dict)
                seen.append(float(super().run(weights[0])))
                return came

        with tf.Graph().as_default(), Session() as session:
            x, w = tf.placeholder(tf.float32, [], name="x"), tf.Variable(start, name="w")
            y = (w + x) * (w + 1.0)
            weights.append(w)
            tf.Session.run(session, w.initializer)
            came = make()(session, w, x, y)
        if not near(number(came), (start + 2 + 5) * (start + 2 + 1)):
            return "the number"
        changes = [after - before for before, after in pairwise([start, *seen])]
        if [each for each in changes if each] != [1.0, 1.0]:
            return f"w changes by {changes}"


class Counting:
    """TensorFlow 1 as the answer sees it; each loop also counts its turns."""

    def __init__(self, tf):
        self.tf, self.turns = tf, []

    def __getattr__(self, name):
        return getattr(self.tf, name)

    def while_loop(self, cond, body, loop_vars, **more):
        def turned(*values):
            new = body(*values[:-1])
            return [*(new if isinstance(new, (list, tuple)) else [new]), values[-1] + 1]

        start = [*loop_vars, self.tf.constant(0)]
        *ends, turns = self.tf.while_loop(lambda *values: cond(*values[:-1]), turned, start, **more)
        self.turns.append(turns)
        return ends[0] if len(ends) == 1 else ends


@oracle
def mend_while(make, torch):
    import minigrad.static as tf

    count, counting = make(), Counting(tf)
    count.__globals__["tf"] = counting
    with tf.Graph().as_default() as graph, tf.Session() as session:
        steps = tf.placeholder(tf.int32, [], name="steps")
        end = count(steps)
        if isinstance(end, (list, tuple)) or end is None:
            return "no symbol"
        if sum(op.type == "While" for op in graph.get_operations()) != 1:
            return "no loop in the graph"
        for fed in (0, 1, 2, 5, 7, 40, 3):
            came, turns = session.run([end, counting.turns[0]], {steps: fed})
            if number(came) != fed or turns != fed:
                return f"{fed} steps"

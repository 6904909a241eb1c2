"""Lesson 11, the static graph: `evaluate`, which is what a session does, written by the reader over a tiny graph; then
once for each node and only what is needed; and a Python `while` that is mended into a loop of the graph."""

from operator import add, mul, sub

from ..ask import Ask, probe
from ..task import Wrong, function


class Node:
    """As in the lesson's cell; `log` is where operations note that they have run."""

    def __init__(self, op, inputs, name, log):
        self.inputs, self.name, self.log = inputs, name, log

        def noted(*values):
            log.append(name)
            return op(*values)

        self.op = noted

    def __repr__(self):
        return self.name


def _graph():
    """Nodes of y = (w + x)(w + 1), z = (w + 1) · 2 and d = a − b by name; no value is there yet."""
    nodes: dict[str, Node] = {}
    log: list[str] = []

    def unfed():
        raise ValueError("You must feed a value for placeholder x")

    def node(name, op, *inputs):
        nodes[name] = Node(op, [nodes[each] for each in inputs], name, log)

    node("x", unfed)
    node("w", lambda: 2.0)
    node("one", lambda: 1.0)
    node("two", lambda: 2.0)
    node("a", add, "w", "x")
    node("b", add, "w", "one")
    node("y", mul, "a", "b")
    node("z", mul, "b", "two")
    node("s", add, "y", "z")
    node("q", mul, "y", "y")
    node("d", sub, "a", "b")
    return nodes


def _asked(fetch, **feeds):
    nodes = _graph()
    return nodes[fetch], {nodes[name]: value for name, value in feeds.items()}


def _points(torch, random):
    yield _asked("y", x=5.0)
    yield _asked("z")
    yield _asked("x", x=4.0)
    yield _asked("y", x=0.0)
    yield _asked("y", a=10.0)
    yield _asked("y", a=10.0, x=5.0)
    yield _asked("d", x=5.0)
    yield _asked("s", x=float(random.integers(1, 9)), w=float(random.integers(3, 9)))


HEAD = "def evaluate(fetch, feeds):\n"
NAIVE = HEAD + "    if fetch in feeds:\n        return feeds[fetch]\n"
VALUES = "    values = [evaluate(node, feeds) for node in fetch.inputs]\n"

evaluate = function(
    "evaluate",
    task={
        "en": "Write `evaluate(fetch, feeds)`: the value of the node `fetch`. `feeds` is a dictionary, "
        "`{node: value}`; a node that is fed is not computed.",
        "zh": "写出 `evaluate(fetch, feeds)`：节点 `fetch` 的值。`feeds` 是字典 `{节点: 值}`；喂入的节点不计算。",
    },
    gap=HEAD + "    value = ...\n    return value",
    solution=NAIVE + VALUES + "    return fetch.op(*values)",
    points=_points,
    may_change=True,
    hints=[
        "If the node is fed, what is its value? Begin with that.",
        "Its `op` wants numbers, and `inputs` holds nodes. Which function turns a node into its number? You are "
        "writing it.",
        "A list of `evaluate(node, feeds)` for each input; then `fetch.op(*values)`.",
    ],
    wrong=[
        Wrong(
            HEAD + VALUES + "    return fetch.op(*values)",
            "x is fed, and still it was asked to compute itself. Where do you look into `feeds`?",
        ),
        Wrong(
            HEAD + VALUES + "    if fetch in feeds:\n        return feeds[fetch]\n    return fetch.op(*values)",
            "What is fed needs nothing: not even its inputs. When do you look into `feeds`, before or after them?",
        ),
        Wrong(
            HEAD
            + "    if not fetch.inputs and fetch in feeds:\n        return feeds[fetch]\n"
            + VALUES
            + "    return fetch.op(*values)",
            "Any node can be fed, not only a placeholder: then it is not computed.",
        ),
        Wrong(
            HEAD + "    if feeds.get(fetch):\n        return feeds[fetch]\n" + VALUES + "    return fetch.op(*values)",
            "0 is a value, too. Ask whether the node is in `feeds`, not whether its value counts as true.",
        ),
        Wrong(
            NAIVE + "    return fetch.op(*fetch.inputs)",
            "`inputs` are nodes, not numbers. Who turns a node into its number?",
        ),
        Wrong(
            NAIVE + VALUES + "    return fetch.op(*reversed(values))",
            "Each value is right, but a − b is not b − a: `op` wants them in the order of `inputs`.",
        ),
        Wrong(NAIVE + VALUES + "    return fetch.op(values)", "`op` wants its numbers one by one: `op(*values)`."),
        Wrong(
            HEAD + "    return feeds[fetch]",
            "That finds what was fed. What is not fed has to be computed from its inputs.",
        ),
    ],
    because="That is a session's `run`: ask for one node, and it asks for what it needs.",
)


def _once(torch, random):
    yield _asked("s", x=5.0)
    yield _asked("z", w=float(random.integers(3, 9)))
    yield _asked("q", a=10.0, w=float(random.integers(3, 9)))


def _counted(given, torch, fetch, feeds):
    value = given(fetch, feeds)
    ran = sorted(name for name in fetch.log if len(name) == 1 and name != "w")
    for node in feeds:
        feeds[node] = feeds[node] + 1
    return {"value": value, "ran": ran, "second": given(fetch, feeds)}


MEMO = "    if fetch not in {0}:\n        {0}[fetch] = fetch.op(*[evaluate(node, {1}) for node in fetch.inputs])\n"

evaluate_once = function(
    "evaluate_once",
    task={
        "en": "The same `evaluate(fetch, feeds)`, but each node runs at most once, and only if `fetch` needs it. It "
        "may call a second function of yours. The check has a graph of its own: start from `fetch`, not from w or x.",
        "zh": "同样的 `evaluate(fetch, feeds)`，但每个节点最多运行一次，而且只在 `fetch` 需要时才运行。"
        "可以再写一个函数。检查用的是自己的图：请从 `fetch` 出发，不要用 w 或 x。",
    },
    gap=HEAD + "    value = ...\n    return value",
    solution=HEAD
    + """
    values = dict(feeds)

    def value(node):
        if node not in values:
            values[node] = node.op(*[value(each) for each in node.inputs])
        return values[node]

    return value(fetch)
""",
    points=_once,
    run=_counted,
    parts={
        "ran": {"en": "these to run, once each:", "zh": "各运行一次的节点"},
        "second": {"en": "in a second run, with other values fed,", "zh": "（第二次运行，喂入别的值）"},
    },
    may_change=True,
    hints=[
        "Two nodes read b. Who remembers its value when the second one asks?",
        "Keep a dictionary `{node: value}` for the length of one run. What is in it at the beginning? What was fed.",
        "`values = dict(feeds)`, and inside a function `value(node)`: if `node not in values`, compute it and put it "
        "there; then return `values[node]`.",
    ],
    wrong=[
        Wrong(
            NAIVE + VALUES + "    return fetch.op(*values)",
            "Right, but a node that two others read ran twice. Where could its value wait for the second one?",
        ),
        Wrong(
            "def evaluate(fetch, feeds, memo={}):\n    if fetch in feeds:\n        return feeds[fetch]\n"
            + MEMO.format("memo", "feeds, memo")
            + "    return memo[fetch]",
            "Your memory outlives the run: the second run got what the first one had computed. Begin each run with "
            "a new one.",
        ),
        Wrong(
            HEAD + MEMO.format("feeds", "feeds") + "    return feeds[fetch]",
            "You have written into the caller's `feeds`: in the second run all of it counted as fed. Work on a copy.",
        ),
        Wrong(
            HEAD
            + """
    order = []

    def visit(node):
        for each in node.inputs:
            visit(each)
        if node not in order:
            order.append(node)

    visit(fetch)
    values = {}
    for node in order:
        values[node] = feeds[node] if node in feeds else node.op(*[values[each] for each in node.inputs])
    return values[fetch]
""",
            "Each node once, yes. But what lies behind a node that is fed is not needed: it must not run, nor want to "
            "be fed.",
        ),
    ],
    because="What is fed is known, what is shared is computed once, and nothing else runs. That is what the ring lit.",
)


COUNT = "def count(steps):\n    i = tf.constant(0)\n"
TWO_FUNCTIONS = (
    "A formula is a symbol that is there already. The loop wants two functions, `cond` and `body`, which it can ask to "
    "build."
)


def _feeds(torch, random):
    yield ([5, 7, 0],)
    yield (sorted(random.integers(1, 40, 3).tolist()),)


def _looped(given, torch, steps):
    import minigrad.static as tf

    with tf.Graph().as_default(), tf.Session() as session:
        place = tf.placeholder(tf.int32, [], name="steps")
        end = given(place)
        if end is None:
            return None
        loops = sum(op.type == "While" for op in place.graph.get_operations())
        return {"value": [int(session.run(end, {place: each})) for each in steps], "loops": loops}


mend_while = function(
    "mend_while",
    task={
        "en": "Mend `count` with `tf.while_loop`: built once, its loop turns as often as `steps` is fed, and gives "
        "the last i.",
        "zh": "用 `tf.while_loop` 修好 `count`：只建一次，循环按喂入的 `steps` 转，给出最后的 i。",
    },
    gap=COUNT + "    while i < steps:\n        i = i + 1\n    return i",
    solution=COUNT + "    return tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])",
    points=_feeds,
    run=_looped,
    parts={
        "value": {"en": "the last i to be", "zh": "最后的 i"},
        "loops": {"en": "the number of loops in the graph to be", "zh": "图里的循环数"},
    },
    setup="import minigrad.static as tf",
    hints=[
        "The first argument answers: does it go on? The second makes one turn. Both are functions of i.",
        "`lambda i: i < steps` is such a question. And one turn gives the next i.",
        "`tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])`. Mind the brackets.",
    ],
    wrong=[
        Wrong(
            COUNT + "    for _ in range(5):\n        i = i + 1\n    return i",
            "Python has turned five times while building, so five additions are in the graph, whatever is fed.",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i <= steps, lambda i: i + 1, [i])",
            "One turn too many: does it still go on when i is `steps`?",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i + 1, lambda i: i < steps, [i])",
            "The question comes first, then the turn: cond, body.",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(i < steps, i + 1, [i])",
            TWO_FUNCTIONS,
        ),
        Wrong(COUNT + "    return tf.while_loop(lambda i: i < steps, i + 1, [i])", TWO_FUNCTIONS),
        Wrong(
            COUNT + "    return tf.while_loop(lambda: i < steps, lambda: i + 1, [i])",
            "The loop hands each of the two the i of that turn: they are functions of i, `lambda i: …`.",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda i: i + 1, i)",
            "Somewhere Python still asks a symbol for its truth: in a `while` or an `if`, or because `i` is handed "
            "over as it is. What is carried comes as a list, `[i]`.",
        ),
        Wrong(
            COUNT
            + "    def body(i):\n        i = i + 1\n\n"
            + "    return tf.while_loop(lambda i: i < steps, body, [i])",
            "What does one turn give? `body` needs a `return`.",
        ),
        Wrong(
            COUNT + "    tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])\n    return i",
            "The loop is built, but it is not what `count` gives back: `i` is still the constant from before it.",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < 5, lambda i: i + 1, [i])",
            "The loop is there, and it always ends at 5. What should it ask about i?",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda i: i + 2, [i])",
            "How much does one turn add?",
        ),
        Wrong(COUNT + "    return steps", "That is what was fed, handed back. Where is the loop?"),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda j: i + 1, [i])",
            "The loop never gets there. What does one turn have to be made of: of the i from before the loop, or of "
            "the one that it is given?",
            endless=True,
        ),
    ],
    because="Now the loop is an operation of the graph, and the feed says how often it turns.",
)

BUILD = "import minigrad.static as tf  # TensorFlow 1\n\n"

probe(
    11,
    "building is running",
    before=Ask(
        ask="`assign` gives a variable a new value. What does the last line print?",
        code=BUILD
        + """w = tf.Variable(2.0)
bigger = w.assign(3.0)
with tf.Session() as session:
    session.run(w.initializer)
    print(session.run(w))
""",
        choices={
            "2.0": "`bigger` is an operation, and nobody has fetched it.",
            "3.0": "That line built an operation. Who has run it?",
            "an error": "Building an operation that nobody runs is no error.",
        },
        right="2.0",
        proof="""
with tf.Session() as session:
    session.run(w.initializer)
    answer = str(float(session.run(w)))
""",
    ),
    after=Ask(
        ask="The `for` stands where the graph is built. What does the last line print?",
        code=BUILD
        + """count = tf.Variable(0.0)
for _ in range(3):
    more = count.assign(count + 1.0)
with tf.Session() as session:
    session.run(count.initializer)
    session.run(more)
    print(session.run(count))
""",
        choices={
            "0.0": "`more` was fetched, once.",
            "1.0": "Three operations were built, one of them was fetched, once.",
            "3.0": "Three were built. How many of them were run?",
        },
        right="1.0",
        proof="""
with tf.Session() as session:
    session.run(count.initializer)
    session.run(more)
    answer = str(float(session.run(count)))
""",
    ),
)

probe(
    11,
    "a symbol keeps its value",
    before=Ask(
        ask="`loss` is fetched twice, and between the two `train` is fetched. What comes the second time?",
        code=BUILD
        + """w = tf.Variable(3.0)
loss = w * w
train = w.assign(w - 1.0)
with tf.Session() as session:
    session.run(w.initializer)
    first = session.run(loss)
    session.run(train)
    second = session.run(loss)
""",
        choices={
            "9": "9 was the result of the first run. `loss` itself is no number: each run computes it.",
            "4": "Each run computes it anew, from the w of that moment.",
            "an error": "A graph may be run as often as you like.",
        },
        right="4",
        proof="answer = f'{second:g}'",
    ),
    after=Ask(
        ask="y is fetched twice; between the two `load` gives w a new value. What is `second`?",
        code=BUILD
        + """x = tf.placeholder(tf.float32, [])
w = tf.Variable(10.0)
y = w + x
with tf.Session() as session:
    session.run(w.initializer)
    first = session.run(y, {x: 1.0})
    w.load(20.0, session)
    second = session.run(y, {x: 2.0})
""",
        choices={
            "11": "That was the first run's result. y is computed in each run.",
            "12": "w has been given another value since.",
            "22": "Each run computes y anew: from what is fed, and from the w of that moment.",
        },
        right="22",
        proof="answer = f'{second:g}'",
    ),
)

probe(
    11,
    "a loop's body runs at each turn",
    before=Ask(
        ask="`turn` is the body of a loop that turns 5 times. How many lines does it print?",
        code=BUILD
        + """def turn(i):
    print("turn", i)
    return i + 1

end = tf.while_loop(lambda i: i < 5, turn, [0])
with tf.Session() as session:
    session.run(end)
""",
        choices={
            "1": "Python runs `turn` once, to build one turn. The session turns what it has built.",
            "5": "The loop turns 5 times. Does Python?",
            "6": "The session runs operations, not Python.",
        },
        right="1",
        proof="""
said = []

def turn(i):
    said.append(i)
    return i + 1

tf.while_loop(lambda i: i < 5, turn, [0])
answer = str(len(said))
""",
    ),
    after=Ask(
        ask="This loop turns 1000 times. How many different random numbers does it add?",
        code=BUILD
        + """import random

def turn(i, total):
    return i + 1, total + random.random()

end = tf.while_loop(lambda i, total: i < 1000, turn, [0, 0.0])
""",
        choices={
            "1": "`random.random()` is Python: it was called once, while one turn was built.",
            "1000": "So it would be if Python ran at each turn. It was called while building: how often is that?",
            "0": "`turn` was called, to build one turn.",
        },
        right="1",
        proof="""
called = []
plain = random.random
random.random = lambda: called.append(0) or 0.5
try:
    tf.while_loop(lambda i, total: i < 1000, turn, [0, 0.0])
finally:
    random.random = plain
answer = str(len(called))
""",
    ),
)

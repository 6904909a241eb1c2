"""Lesson 11, the static graph: `evaluate`, which is what a session does, written by the reader over a tiny graph; then
once for each node and only what is needed; an update that the reader fetches; and a Python `while` that is mended into
a loop of the graph."""

from operator import add, mul, neg, sub

from ..ask import Ask, probe
from ..compare import same
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
    """Nodes of y = (w + x)(w + 1), z = (w + 1) · 2 and some more by name; no value is there yet."""
    called = {
        "one": "1",
        "two": "2",
        "s": "Y + Z",
        "q": "Y · Y",
        "d": "A − B",
        "n": "−A",
        "l": "the largest of A, B, Z",
    }
    called |= {"u": "unnamed", "v": "unnamed", "t": "the difference of two unnamed nodes"}
    nodes: dict[str, Node] = {}
    log: list[str] = []

    def unfed():
        raise ValueError("You must feed a value for placeholder X")

    def node(name, op, *inputs):
        nodes[name] = Node(op, [nodes[each] for each in inputs], called.get(name, name.upper()), log)

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
    node("n", neg, "a")
    node("l", max, "a", "b", "z")
    node("u", add, "a", "b")
    node("v", mul, "a", "b")
    node("t", sub, "u", "v")
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
    yield _asked("n", x=5.0)
    yield _asked("l", x=0.0)
    yield _asked("s", x=float(random.integers(1, 9)), w=float(random.integers(3, 9)))


HEAD = "def evaluate(fetch, feeds):\n"
NAIVE = HEAD + "    if fetch in feeds:\n        return feeds[fetch]\n"
LEAVES = "    if not fetch.inputs:\n        return fetch.op()\n"
VALUES = "    values = [evaluate(node, feeds) for node in fetch.inputs]\n"
NODES = "W X ONE TWO A B Y Z"  # as the lesson's cell calls its own
CELL = f"{', '.join(NODES.split())} = (object() for _ in range(8))"
NODES_AGAIN = {
    "en": "`inputs` are nodes, not numbers. Who turns a node into its number?",
    "zh": "`inputs` 是节点，不是数。谁把节点变成它的数？",
}
ASK_THEM = {
    "en": "The inputs may be neither fed nor ready: each of them may have inputs of its own. Who finds the value of a "
    "node, whichever it is?",
    "zh": "输入可能既没有喂入也没有现成的值：每个输入也可能有自己的输入。谁能求出任何一个节点的值？",
}
ONE_BY_ONE = {
    "en": "`op` wants its numbers one by one: `op(*values)`.",
    "zh": "`op` 要一个一个地得到它的数：`op(*values)`。",
}
NOT_ALWAYS_TWO = {
    "en": "Not every node has two inputs: W reads none, and others read one, or three. `op(*values)` hands over as "
    "many values as there are.",
    "zh": "不是每个节点都有两个输入：W 一个也不读，别的节点会读一个或三个。`op(*values)` 有几个值就交几个。",
}
A_ZERO = {
    "en": "0 is a value, too. Ask whether the node is in the dictionary, not whether its value counts as true.",
    "zh": "0 也是一个值。要问节点是否在字典里，而不是它的值算不算真。",
}
NO_RETURN = {
    "en": "One of your own calls gives back None, and `op` cannot work with that. Does every way through your "
    "function end in a `return`?",
    "zh": "你自己的调用里有一次返回了 None，`op` 没法用它来算。你的函数的每一条路都以 `return` 结束吗？",
}
RETURN_TOO_EARLY = {
    "en": "Your `return` stands inside the loop: it calls `op` when the first value has come. It wants all of them.",
    "zh": "你的 `return` 在循环里面：第一个值一到就调用了 `op`。它要的是全部的值。",
}
ONE_NODE = {
    "en": "`fetch.inputs` is a list, and `evaluate` wants one node: ask it for each.",
    "zh": "`fetch.inputs` 是列表，而 `evaluate` 要的是一个节点：对每个节点问一次。",
}

evaluate = function(
    "evaluate",
    task={
        "en": "Write `evaluate(fetch, feeds)`: the value of the node `fetch`. `feeds` is a dictionary, "
        "`{node: value}`; a node that is fed is not computed. The check has a graph of its own: start from `fetch`.",
        "zh": "写出 `evaluate(fetch, feeds)`：节点 `fetch` 的值。`feeds` 是字典 `{node: value}`；喂入的节点不计算。"
        "检查用的是自己的图：请从 `fetch` 出发。",
    },
    gap=HEAD + "    value = ...\n    return value",
    solution=NAIVE + VALUES + "    return fetch.op(*values)",
    points=_points,
    setup=CELL,
    may_change=True,
    hints=[
        {
            "en": "If the node is fed, what is its value? Begin with that.",
            "zh": "如果这个节点是喂入的，它的值是什么？从这里开始。",
        },
        {
            "en": "Its `op` wants numbers, and `inputs` holds nodes. Which function turns a node into its number? You "
            "are writing it.",
            "zh": "它的 `op` 要的是数，而 `inputs` 里是节点。哪个函数能把节点变成数？就是你正在写的这个。",
        },
        {
            "en": "A list of `evaluate(node, feeds)` for each input; then `fetch.op(*values)`.",
            "zh": "对每个输入求 `evaluate(node, feeds)`，列成表；然后 `fetch.op(*values)`。",
        },
    ],
    wrong=[
        Wrong(
            HEAD + "    if fetch == X:\n        return feeds[X]\n" + VALUES + "    return fetch.op(*values)",
            {
                "en": "Your code asks for a node of the cell above by its name. The check has a graph of its own, with "
                "other nodes: ask whether `fetch` is in `feeds`, whichever node it is.",
                "zh": "你的代码按名字用到了上面单元里的节点。检查用的是自己的图，里面是别的节点："
                "不管是哪个节点，都要问 `fetch` 在不在 `feeds` 里。",
            },
            uses=NODES,
            anyhow=True,
        ),
        Wrong(
            HEAD
            + "    if fetch.name in feeds:\n        return feeds[fetch.name]\n"
            + VALUES
            + "    return fetch.op(*values)",
            {
                "en": "The keys of `feeds` are nodes, not their names.",
                "zh": "`feeds` 的键是节点，而不是节点的名字。",
            },
            uses="name",
        ),
        Wrong(
            HEAD + "    return feeds.get(fetch, fetch.op(*[evaluate(node, feeds) for node in fetch.inputs]))",
            {
                "en": "Python computes both arguments of `get` before it looks: so X is computed, although it is fed. "
                "`if fetch in feeds` asks first.",
                "zh": "Python 在查看之前先算好 `get` 的两个参数：所以 X 虽已喂入，还是被计算了。"
                "`if fetch in feeds` 是先问。",
            },
            uses="get",
        ),
        Wrong(
            HEAD + VALUES + "    return fetch.op(*values)",
            {
                "en": "X is fed, and still it was asked to compute itself. Do you look into `feeds` first, and "
                "`return` what you find there?",
                "zh": "X 已经喂入，却仍被要求计算自己。你是否先查看 `feeds`，并 `return` 找到的值？",
            },
        ),
        Wrong(
            HEAD + VALUES + "    if fetch in feeds:\n        return feeds[fetch]\n    return fetch.op(*values)",
            {
                "en": "What is fed needs nothing: not even its inputs. When do you look into `feeds`, before or after "
                "them?",
                "zh": "喂入的节点什么也不需要，连它的输入也不需要。你查看 `feeds` 是在求输入之前，还是之后？",
            },
        ),
        Wrong(
            HEAD
            + "    if not fetch.inputs and fetch in feeds:\n        return feeds[fetch]\n"
            + VALUES
            + "    return fetch.op(*values)",
            {
                "en": "Any node can be fed, not only a placeholder: then it is not computed.",
                "zh": "任何节点都可以喂入，不只是占位符：喂入了就不计算。",
            },
        ),
        Wrong(
            HEAD + "    if feeds.get(fetch):\n        return feeds[fetch]\n" + VALUES + "    return fetch.op(*values)",
            A_ZERO,
        ),
        Wrong(NAIVE + VALUES + "    fetch.op(*values)", NO_RETURN),
        Wrong(NAIVE + LEAVES + VALUES + "    fetch.op(*values)", NO_RETURN),
        Wrong(
            HEAD
            + "    if fetch in feeds:\n        value = feeds[fetch]\n    else:\n    "
            + VALUES
            + "        value = fetch.op(*values)",
            NO_RETURN,
        ),
        Wrong(
            NAIVE + "    values = []\n    for node in fetch.inputs:\n        values.append(evaluate(node, feeds))\n"
            "        return fetch.op(*values)",
            RETURN_TOO_EARLY,
        ),
        Wrong(
            NAIVE
            + LEAVES
            + "    values = []\n    for node in fetch.inputs:\n        values.append(evaluate(node, feeds))\n"
            "        return fetch.op(*values)",
            RETURN_TOO_EARLY,
        ),
        Wrong(NAIVE + "    return fetch.op(*fetch.inputs)", NODES_AGAIN),
        Wrong(HEAD + "    return fetch.op(*fetch.inputs)", NODES_AGAIN),
        Wrong(
            NAIVE + "    for node in fetch.inputs:\n        evaluate(node, feeds)\n    return fetch.op(*fetch.inputs)",
            {
                "en": "Each input was evaluated, and its number dropped: `op` still got the nodes. Keep the numbers, "
                "in a list.",
                "zh": "每个输入都求了值，数却丢掉了：`op` 得到的仍是节点。把这些数留在一个列表里。",
            },
        ),
        Wrong(NAIVE + "    return fetch.op(*[feeds[node] for node in fetch.inputs])", ASK_THEM),
        Wrong(HEAD + "    return fetch.op(*[feeds[node] for node in fetch.inputs])", ASK_THEM),
        Wrong(NAIVE + "    return fetch.op(*[node.op() for node in fetch.inputs])", ASK_THEM),
        Wrong(
            HEAD + "    values = [feeds[node] if node in feeds else node.op() for node in fetch.inputs]\n"
            "    return fetch.op(*values)",
            ASK_THEM,
        ),
        Wrong(
            NAIVE + "    return fetch.op(*[evaluate(node) for node in fetch.inputs])",
            {
                "en": "Whoever is asked has to know what is fed: hand `feeds` on, `evaluate(node, feeds)`.",
                "zh": "被问到的也要知道喂入了什么：把 `feeds` 传下去，`evaluate(node, feeds)`。",
            },
        ),
        Wrong(NAIVE + "    return fetch.op(evaluate(fetch.inputs, feeds))", ONE_NODE),
        Wrong(
            NAIVE + "    one, other = fetch.inputs\n    return fetch.op(evaluate(one, feeds), evaluate(other, feeds))",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE + "    return fetch.op(*[evaluate(fetch.inputs[i], feeds) for i in (0, 1)])",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE
            + LEAVES
            + "    one, other = fetch.inputs\n    return fetch.op(evaluate(one, feeds), evaluate(other, feeds))",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE + LEAVES + "    return fetch.op(*[evaluate(fetch.inputs[i], feeds) for i in (0, 1)])",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE
            + LEAVES
            + "    if len(fetch.inputs) == 1:\n        return fetch.op(evaluate(fetch.inputs[0], feeds))\n"
            "    return fetch.op(*[evaluate(fetch.inputs[i], feeds) for i in (0, 1)])",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE + LEAVES + "    if len(fetch.inputs) == 2:\n"
            "        return fetch.op(*[evaluate(fetch.inputs[i], feeds) for i in (0, 1)])",
            NOT_ALWAYS_TWO,
        ),
        Wrong(
            NAIVE + VALUES + "    return fetch.op(*reversed(values))",
            {
                "en": "Each value is right, but a − b is not b − a: `op` wants them in the order of `inputs`.",
                "zh": "每个值都对，但 a − b 不是 b − a：`op` 要按 `inputs` 的次序得到它们。",
            },
        ),
        Wrong(NAIVE + VALUES + "    return fetch.op(values)", ONE_BY_ONE),
        Wrong(NAIVE + "    return fetch.op(evaluate(node, feeds) for node in fetch.inputs)", ONE_BY_ONE),
        Wrong(
            HEAD + "    if not fetch.inputs:\n        return feeds[fetch]\n" + VALUES + "    return fetch.op(*values)",
            {
                "en": "W reads nothing, and still nobody feeds it: its `op()` knows its value. Ask what is in `feeds`, "
                "not what has no inputs.",
                "zh": "W 不读取任何节点，也没有人喂它：它的 `op()` 知道自己的值。要问的是什么在 `feeds` 里，"
                "而不是什么没有输入。",
            },
        ),
        Wrong(
            HEAD + "    return feeds[fetch]",
            {
                "en": "That finds what was fed. What is not fed has to be computed from its inputs.",
                "zh": "这样能找到喂入的。没有喂入的要由它的输入算出来。",
            },
        ),
    ],
    because={
        "en": "That is a session's `run`: ask for one node, and it asks for what it needs.",
        "zh": "这就是会话的 `run`：问一个节点，它再去问自己需要的节点。",
    },
)


def _once(torch, random):
    yield _asked("s", x=5.0)
    yield _asked("z", w=float(random.integers(3, 9)))
    yield _asked("q", a=10.0, w=float(random.integers(3, 9)))
    yield _asked("s", x=0.0)
    yield _asked("q", x=-2.0)  # A is 0, and so is Y
    yield _asked("t", x=5.0)
    yield _asked("l", x=0.0)


def _counted(given, torch, fetch, feeds):
    value = given(fetch, feeds)
    ran = sorted(name for name in fetch.log if name not in ("W", "1", "2"))
    for node in feeds:
        feeds[node] = feeds[node] + 1
    return {"value": value, "ran": ran, "second": given(fetch, feeds)}


MEMO = "    if fetch not in {0}:\n        {0}[fetch] = fetch.op(*[evaluate(node, {1}) for node in fetch.inputs])\n"
HELPER = (
    HEAD
    + """
    values = dict(feeds)

    def value(node):
        if {ask}:
            values[node] = node.op(*[value(each) for each in node.inputs])
        {then}

    return value(fetch)
"""
)

evaluate_once = function(
    "evaluate_once",
    task={
        "en": "The same `evaluate(fetch, feeds)`, but each node runs at most once, and only if `fetch` needs it. It "
        "may call a second function of yours. The check has a graph of its own: start from `fetch`, not from W or X.",
        "zh": "同样的 `evaluate(fetch, feeds)`，但每个节点最多运行一次，而且只在 `fetch` 需要时才运行。"
        "可以再写一个函数。检查用的是自己的图：请从 `fetch` 出发，不要用 W 或 X。",
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
        "value": {"en": "the value to be", "zh": "值"},
        "ran": {"en": "these to run, once each:", "zh": "各运行一次的节点"},
        "second": {
            "en": "a second run, with each fed value 1 higher, to give",
            "zh": "第二次运行（每个喂入的值大 1）的结果",
        },
    },
    may_change=True,
    hints=[
        {
            "en": "Two nodes read B. Who remembers its value when the second one asks?",
            "zh": "有两个节点要读 B。第二个来问时，谁还记得它的值？",
        },
        {
            "en": "Keep a dictionary `{node: value}` for the length of one run. What is in it at the beginning? What "
            "was fed.",
            "zh": "在一次运行期间保留一个字典 `{node: value}`。开始时里面有什么？喂入的值。",
        },
        {
            "en": "`values = dict(feeds)`, and inside a function `value(node)`: if `node not in values`, compute it "
            "and put it there; then return `values[node]`.",
            "zh": "`values = dict(feeds)`，再在函数 `value(node)` 里：如果 `node not in values`，就算出来放进去；"
            "然后返回 `values[node]`。",
        },
    ],
    setup=CELL,
    wrong=[
        Wrong(
            HEAD + "    values = dict(feeds)\n    for node in W, X, A, B:\n"
            "        values[node] = node.op(*[values[each] for each in node.inputs])\n    return values[fetch]",
            {
                "en": "Your code goes through nodes of the cell above by their names. The check has a graph of its "
                "own, and so does every user: begin with `fetch`, and go on to its `inputs`.",
                "zh": "你的代码按名字用到了上面单元里的节点。检查用的是自己的图，每个使用者也是："
                "请从 `fetch` 出发，再到它的 `inputs`。",
            },
            uses=NODES,
            anyhow=True,
        ),
        Wrong(
            NAIVE + "    feeds = dict(feeds)\n" + VALUES + "    feeds[fetch] = fetch.op(*values)\n"
            "    return feeds[fetch]",
            {
                "en": "Each call makes a copy of its own, so what one call has written down the others do not see. One "
                "copy for the whole run: who makes it, and who shares it?",
                "zh": "每次调用都复制一份，所以一次调用记下的，别的调用看不到。整次运行只要一份：谁来复制，谁来共用？",
            },
            uses="dict copy deepcopy",
        ),
        Wrong(
            NAIVE + "    values = {}\n    for node in fetch.inputs:\n        if node not in values:\n"
            "            values[node] = evaluate(node, feeds)\n"
            "    return fetch.op(*[values[node] for node in fetch.inputs])",
            {
                "en": "Each call begins with an empty dictionary, so what one call has found the others do not know. "
                "One dictionary for the whole run: who makes it, and who shares it?",
                "zh": "每次调用都从空字典开始，所以一次调用求出的，别的调用不知道。"
                "整次运行只要一个字典：谁来建，谁来共用？",
            },
        ),
        Wrong(
            NAIVE + VALUES + "    return fetch.op(*values)",
            {
                "en": "Right, but a node that two others read ran twice. Where could its value wait for the second "
                "one?",
                "zh": "对，但被两个节点读取的节点运行了两次。它的值可以在哪里等第二个来取？",
            },
        ),
        Wrong(
            "def evaluate(fetch, feeds, memo={}):\n    if fetch in feeds:\n        return feeds[fetch]\n"
            + MEMO.format("memo", "feeds, memo")
            + "    return memo[fetch]",
            {
                "en": "Your memory outlives the run: the second run got what the first one had computed. Begin each "
                "run with a new one.",
                "zh": "你的记忆比运行活得更久：第二次运行得到的是第一次算出来的值。每次运行都从新的开始。",
            },
        ),
        Wrong(
            HEAD + MEMO.format("feeds", "feeds") + "    return feeds[fetch]",
            {
                "en": "You have written into the caller's `feeds`: in the second run all of it counted as fed. Make "
                "one copy, for the whole run.",
                "zh": "你写进了调用者的 `feeds`：第二次运行时其中全部都算作喂入的。请复制一份，供整次运行使用。",
            },
        ),
        Wrong(HELPER.format(ask="not values.get(node)", then="return values[node]"), A_ZERO),
        Wrong(
            HEAD
            + """
    values = {}

    def value(node):
        if node in feeds:
            return feeds[node]
        if not values.get(node):
            values[node] = node.op(*[value(each) for each in node.inputs])
        return values[node]

    return value(fetch)
""",
            A_ZERO,
        ),
        Wrong(
            HEAD
            + """
    values = {node.name: value for node, value in feeds.items()}

    def value(node):
        if node.name not in values:
            values[node.name] = node.op(*[value(each) for each in node.inputs])
        return values[node.name]

    return value(fetch)
""",
            {
                "en": "Two nodes may have the same name, and then the second one is given the value of the first. Keep "
                "a value under the node itself.",
                "zh": "两个节点可以同名，这时第二个会得到第一个的值。请用节点本身作键来保存值。",
            },
        ),
        Wrong(HELPER.format(ask="node not in values", then="values[node]"), NO_RETURN),
        Wrong(HELPER.format(ask="node not in values", then="    return values[node]"), NO_RETURN),
        Wrong(
            HEAD
            + """
    values = dict(feeds)

    def value(node):
        if node in values:
            return values[node]
        values[node] = node.op(*[value(each) for each in node.inputs])

    return value(fetch)
""",
            NO_RETURN,
        ),
        Wrong(
            HEAD
            + """
    values = dict(feeds)

    def value(node):
        if node in values:
            return values[node]
        if not node.inputs:
            return node.op()
        values[node] = node.op(*[value(each) for each in node.inputs])

    return value(fetch)
""",
            NO_RETURN,
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
            {
                "en": "Each node once, yes. But what lies behind a node that is fed is not needed: it must not run, "
                "nor want to be fed.",
                "zh": "每个节点一次，没错。但喂入的节点背后的东西用不着：它们不该运行，也不该要求喂入。",
            },
        ),
    ],
    because={
        "en": "What is fed is known, what is shared is computed once, and nothing else runs. That is what the ring "
        "lit.",
        "zh": "喂入的已知，共用的只算一次，别的都不运行。这正是那个环所照亮的。",
    },
)


GROW = "def grow(session, w, x, y):\n    bigger = w.assign(w + 1.0)\n"
TWICE = GROW + "    session.run(bigger)\n    session.run(bigger)\n"
A_NUMBER = {
    "en": "Here x is one number, of shape (): feed it without brackets, as in `{x: 3.0}`.",
    "zh": "这里 x 是单个数，形状是 ()：喂入时不加方括号，例如 `{x: 3.0}`。",
}
THREE_RUNS = {
    "en": "In one run each operation runs once, however often it is fetched, and y does not wait for the update. How "
    "many runs does it take?",
    "zh": "一次运行里每个操作只运行一次，不管取回几次，而且 y 不会等待更新。需要运行几次？",
}
TOGETHER = {
    "en": "The second update and y were fetched in the same run. y does not wait for the update: give y a run of its "
    "own.",
    "zh": "第二次更新和 y 是在同一次运行里取回的。y 不会等待更新：给 y 单独一次运行。",
}
AT_ONCE = {
    "en": "w has moved by 2 in one run. Two runs were asked for, and 1 in each: how often has `bigger` to be fetched?",
    "zh": "w 在一次运行里增加了 2。要求的是两次运行，每次加 1：`bigger` 要取回几次？",
}
IN_A_LIST = {
    "en": "Whoever fetches a list gets a list. Fetch `y` alone, in a run of its own.",
    "zh": "取回列表，得到的就是列表。单独用一次运行取回 `y`。",
}
NEW_W = {
    "en": "That is w: `bigger` gives what it has assigned. And y?",
    "zh": "这是 w：`bigger` 给出它所赋的值。那么 y 呢？",
}
A_SYMBOL = {
    "en": "`y` is a symbol. Its number comes from a session.",
    "zh": "`y` 是符号。它的数要由会话给出。",
}


def _starts(torch, random):
    yield (2.0,)
    yield (float(random.integers(3, 9)),)


def _grown(given, torch, w):
    """The number that came back, and w after each run that changed it. Where one of them is wrong, also what tells
    apart whose mistake it was: how many updates were built, how many were fetched in one run, and y with them."""
    import minigrad.static as tf

    class Watched(tf.Session):
        def run(self, fetches, feed_dict=None):
            came = super().run(fetches, feed_dict)
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


fetch_it = function(
    "fetch_it",
    task={
        "en": "y is (w + x)(w + 1), and x one number: `{x: 3.0}` would feed 3. Let w grow twice, by 1 in each of two "
        "runs, and then return the number y for x = 5.",
        "zh": "y 是 (w + x)(w + 1)，x 是单个数：`{x: 3.0}` 就是喂入 3。让 w 增加两次，运行两次，每次加 1，"
        "然后返回 x = 5 时 y 的数值。",
    },
    gap=GROW + "    value = ...\n    return value",
    solution=TWICE + "    return session.run(y, {x: 5.0})",
    points=_starts,
    run=_grown,
    parts={
        "value": {"en": "the number y to be", "zh": "y 的数值"},
        "w": {"en": "w, after each run that changed it, to be", "zh": "每次改变 w 的运行之后的 w"},
    },
    setup="import minigrad.static as tf",
    hints=[
        {
            "en": "`bigger` is an operation. Whom do you ask to run it?",
            "zh": "`bigger` 是一个操作。要请谁来运行它？",
        },
        {
            "en": "What you ask a session for, it runs: `session.run(…)`. How often has w to grow?",
            "zh": "向会话要什么，它就运行什么：`session.run(…)`。w 要增加几次？",
        },
        {
            "en": "`session.run(bigger)`, as often as that; then `session.run(y, {x: 5.0})`.",
            "zh": "运行那么多次 `session.run(bigger)`；然后 `session.run(y, {x: 5.0})`。",
        },
    ],
    wrong=[
        Wrong(
            GROW + "    bigger = w.assign(w + 1.0)\n    return session.run(y, {x: 5.0})",
            {
                "en": "w has not moved. That line has built an operation: who fetches it?",
                "zh": "w 没有变。那一行只是建了一个操作：谁来取回它？",
            },
        ),
        Wrong(
            GROW + "    session.run([bigger, bigger])\n    return session.run(y, {x: 5.0})",
            {
                "en": "It has grown once. In one run each operation runs once, however often it is fetched.",
                "zh": "它只增加了一次。一次运行里每个操作只运行一次，不管取回几次。",
            },
        ),
        Wrong(
            GROW + "    session.run(bigger)\n    return session.run(y, {x: 5.0})",
            {
                "en": "It has grown once. One run of `bigger` is one update.",
                "zh": "它只增加了一次。运行一次 `bigger` 就是更新一次。",
            },
        ),
        Wrong(
            GROW + "    bigger = w.assign(w + 1.0)\n    session.run(bigger)\n    return session.run(y, {x: 5.0})",
            {
                "en": "It has grown once. Two updates were built, one of them was fetched: the name `bigger` stands "
                "for the last one.",
                "zh": "它只增加了一次。建了两个更新，只取回了一个：名字 `bigger` 指的是最后一个。",
            },
        ),
        Wrong(
            GROW
            + "    again = w.assign(w + 1.0)\n    session.run([bigger, again])\n    return session.run(y, {x: 5.0})",
            {
                "en": "Two updates in one run: nothing says which comes first, and whether the second one reads what "
                "the first has written. A run for each.",
                "zh": "一次运行里有两个更新：没有规定谁先谁后，也没有规定第二个会不会读到第一个写下的值。"
                "各用一次运行。",
            },
        ),
        Wrong(GROW + "    session.run(w.assign(w + 2.0))\n    return session.run(y, {x: 5.0})", AT_ONCE),
        Wrong(
            "def grow(session, w, x, y):\n    bigger = w.assign(w + 2.0)\n    session.run(bigger)\n"
            "    return session.run(y, {x: 5.0})",
            AT_ONCE,
        ),
        Wrong(
            TWICE + "    session.run(bigger)\n    return session.run(y, {x: 5.0})",
            {
                "en": "It has grown three times. Each fetch of `bigger` in a run of its own is an update.",
                "zh": "它增加了三次。每在一次单独的运行里取回 `bigger`，就更新一次。",
            },
        ),
        Wrong(GROW + "    session.run(bigger)\n    return session.run([bigger, y], {x: 5.0})[1]", TOGETHER),
        Wrong(GROW + "    return session.run([bigger, y], {x: 5.0})[1]", THREE_RUNS),
        Wrong(
            GROW + "    session.run(bigger)\n    value = session.run(y, {x: 5.0})\n    session.run(bigger)\n"
            "    return value",
            {
                "en": "y was fetched between the two updates, so it was computed from the w of that moment.",
                "zh": "y 是在两次更新之间取回的，所以用的是那一刻的 w。",
            },
        ),
        Wrong(
            GROW + "    value = session.run(y, {x: 5.0})\n    session.run(bigger)\n    session.run(bigger)\n"
            "    return value",
            {
                "en": "y was fetched before the updates. A number that has come does not change any more.",
                "zh": "y 是在更新之前取回的。取回来的数不会再变。",
            },
        ),
        Wrong(TWICE + "    return session.run(y, {x: [[5.0]]})", A_NUMBER),
        Wrong(TWICE + "    return session.run(y, {x: [5.0]})", A_NUMBER),
        Wrong(GROW + "    return session.run([bigger, bigger, y], {x: 5.0})", THREE_RUNS),
        Wrong(GROW + "    return session.run([bigger, bigger, y], {x: 5.0})[2]", THREE_RUNS),
        Wrong(GROW + "    return session.run([bigger, y], {x: 5.0})", THREE_RUNS),
        Wrong(GROW + "    return session.run([bigger, bigger])", THREE_RUNS),
        Wrong(TWICE + "    return session.run([y], {x: 5.0})", IN_A_LIST),
        Wrong(GROW + "    session.run(bigger)\n    return session.run([bigger, y], {x: 5.0})", IN_A_LIST),
        Wrong(GROW + "    return session.run(bigger)", NEW_W),
        Wrong(GROW + "    session.run(bigger)\n    return session.run(bigger)", NEW_W),
        Wrong(TWICE + "    return session.run(bigger)", NEW_W),
        Wrong(
            TWICE + "    return session.run(y, {'x': 5.0})",
            {
                "en": "What is fed is named by the placeholder itself, `x`, and not by a text.",
                "zh": "喂入时用占位符 `x` 本身作键，而不是文字。",
            },
        ),
        Wrong(
            TWICE + "    return session.run(y, x=5.0)",
            {
                "en": "What is fed comes in a dictionary, with the placeholder as its key: `{x: …}`.",
                "zh": "喂入的值放在字典里，以占位符为键：`{x: …}`。",
            },
        ),
        Wrong(
            TWICE + "    return session.run(y)",
            {
                "en": "y needs x, too. Feed it: the second argument of `session.run` is `{x: …}`.",
                "zh": "y 还需要 x。喂给它：`session.run` 的第二个参数是 `{x: …}`。",
            },
        ),
        Wrong(TWICE + "    return y", A_SYMBOL),
        Wrong(GROW + "    return y", A_SYMBOL),
    ],
    because={
        "en": "Two runs, two updates; and y was computed from the w of that moment.",
        "zh": "运行两次，更新两次；y 用的是那一刻的 w。",
    },
)


COUNT = "def count(steps):\n    i = tf.constant(0)\n"
COMPARES = "< <= > >= less less_equal greater greater_equal not_equal"
A_QUESTION = {
    "en": "`cond` has to answer yes or no, and yours gives a number. Compare: does it go on?",
    "zh": "`cond` 要回答是或否，你的却给出一个数。比较一下：还继续吗？",
}
TWO_FUNCTIONS = {
    "en": "A formula is a symbol that is there already. The loop wants two functions, `cond` and `body`, which it can "
    "ask to build.",
    "zh": "算式是已经存在的符号。循环要的是两个函数 `cond` 和 `body`，由它来调用，好建图。",
}


def _feeds(torch, random):
    yield (7,)
    yield (0,)
    yield (int(random.integers(8, 40)),)


def _looped(given, torch, steps):
    import minigrad.static as tf

    with tf.Graph().as_default(), tf.Session() as session:
        place = tf.placeholder(tf.int32, [], name="steps")
        end = given(place)
        if end is None:
            return None
        loops = sum(op.type == "While" for op in place.graph.get_operations())
        return {"value": session.run(end, {place: steps}), "loops": loops}


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
        {
            "en": "The first argument answers: does it go on? The second makes one turn. Both are functions of i.",
            "zh": "第一个参数回答：还继续吗？第二个转一次。两者都是 i 的函数。",
        },
        {
            "en": "`lambda i: i < steps` is such a question. And one turn gives the next i.",
            "zh": "`lambda i: i < steps` 就是这样一个问题。而转一次给出下一个 i。",
        },
        {
            "en": "`tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])`. Mind the brackets.",
            "zh": "`tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])`。注意方括号。",
        },
    ],
    wrong=[
        Wrong(
            COUNT + "    for _ in range(5):\n        i = i + 1\n    return i",
            {
                "en": "Python has turned five times while building, so five additions are in the graph, whatever is "
                "fed.",
                "zh": "Python 在建图时转了五次，所以图里有五个加法，不管喂入什么。",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i <= steps, lambda i: i + 1, [i])",
            {
                "en": "One turn too many: does it still go on when i is `steps`?",
                "zh": "多转了一次：i 等于 `steps` 时还继续吗？",
            },
        ),
        Wrong(
            COUNT + "    for _ in range(steps):\n        i = i + 1\n    return i",
            {
                "en": "`range` wants a number now, while the graph is being built. `steps` gets its number in the run.",
                "zh": "`range` 现在就要一个数，而图还在建。`steps` 要到运行时才有数。",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i + 1, lambda i: i < steps, [i])",
            {
                "en": "The question comes first, then the turn: cond, body.",
                "zh": "先是问题，再是转一次：cond，body。",
            },
            uses=COMPARES,
        ),
        Wrong(COUNT + "    return tf.while_loop(lambda i: steps, lambda i: i + 1, [i])", A_QUESTION),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i > steps, lambda i: i + 1, [i])",
            {
                "en": "It never turned. `cond` says when the loop goes on, not when it ends.",
                "zh": "它一次也没转。`cond` 说的是何时继续，不是何时结束。",
            },
            uses="> >= greater greater_equal",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i == steps, lambda i: i + 1, [i])",
            {
                "en": "It never turned. In TensorFlow 1 `==` asks Python whether two symbols are one and the same: "
                "they are not. And `cond` says when the loop goes on.",
                "zh": "它一次也没转。在 TensorFlow 1 里 `==` 问的是两个符号是不是同一个，答案是否。"
                "另外，`cond` 说的是何时继续。",
            },
            uses="==",
        ),
        Wrong(
            COUNT + "    return tf.while_loop(cond, body, [i])",
            {
                "en": "`cond` and `body` stand for two functions that you write: `lambda i: …` will do.",
                "zh": "`cond` 和 `body` 代表由你来写的两个函数：`lambda i: …` 就可以。",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i, n: i < n, lambda i, n: (i + 1, n), [i, steps])",
            {
                "en": "A loop that carries two things gives back two. Which one was asked for?",
                "zh": "带着两个量转的循环也给出两个。要的是哪一个？",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(i < steps, i + 1, [i])",
            TWO_FUNCTIONS,
        ),
        Wrong(COUNT + "    return tf.while_loop(lambda i: i < steps, i + 1, [i])", TWO_FUNCTIONS),
        Wrong(
            COUNT + "    return tf.while_loop(lambda: i < steps, lambda: i + 1, [i])",
            {
                "en": "The loop hands each of the two the i of that turn: they are functions of i, `lambda i: …`.",
                "zh": "循环把那一次的 i 交给这两个：它们是 i 的函数，`lambda i: …`。",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda i: i + 1, i)",
            {
                "en": "Somewhere Python still asks a symbol for its truth: in a `while` or an `if`, or because `i` is "
                "handed over as it is. What is carried comes as a list, `[i]`.",
                "zh": "某处 Python 仍在向符号问真假：在 `while` 或 `if` 里，或者因为 `i` 是直接给出的。"
                "循环变量要放在列表里：`[i]`。",
            },
        ),
        Wrong(
            COUNT
            + "    def body(i):\n        i = i + 1\n\n"
            + "    return tf.while_loop(lambda i: i < steps, body, [i])",
            {
                "en": "One of the two functions gives nothing back: `cond` needs a `return` for its answer, `body` one "
                "for the next i.",
                "zh": "两个函数里有一个什么也没有返回：要 `return`，`cond` 返回它的回答，`body` 返回下一个 i。",
            },
        ),
        Wrong(
            COUNT + "    tf.while_loop(lambda i: i < steps, lambda i: i + 1, [i])\n    return i",
            {
                "en": "The loop is built, but it is not what `count` gives back: `i` is still the constant from before "
                "it.",
                "zh": "循环建好了，但 `count` 返回的不是它：`i` 仍是循环之前的那个常量。",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < 5, lambda i: i + 1, [i])",
            {
                "en": "The loop is there, and it always ends at 5. What should it ask about i?",
                "zh": "循环有了，但总是到 5 就结束。关于 i 它应该问什么？",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda i: i + 2, [i])",
            {
                "en": "How much does one turn add?",
                "zh": "转一次加多少？",
            },
        ),
        Wrong(
            COUNT + "    return steps",
            {
                "en": "That is what was fed, handed back. Where is the loop?",
                "zh": "这是把喂入的值原样交回。循环在哪里？",
            },
        ),
        Wrong(
            COUNT + "    return tf.while_loop(lambda i: i < steps, lambda j: i + 1, [i])",
            {
                "en": "The loop does not come to an end. Does `cond` compare the i that it is given, and does `body` "
                "add to the i that it is given? The one from before the loop stays what it was.",
                "zh": "循环到不了头。`cond` 比较的、`body` 加上去的，是交给它的那个 i 吗？循环之前的那个不会变。",
            },
            endless=True,
        ),
    ],
    because={
        "en": "Now the loop is an operation of the graph, and the feed says how often it turns.",
        "zh": "现在循环是图里的一个操作，转多少次由喂入的值决定。",
    },
)

BUILD = "import minigrad.static as tf  # TensorFlow 1\n\n"

probe(
    11,
    "building is running",
    before=Ask(
        ask={
            "en": "`initializer` gives a variable its first value, `assign` a new one. What is `last`?",
            "zh": "`initializer` 给变量第一个值，`assign` 给它新值。`last` 是多少？",
        },
        code=BUILD
        + """w = tf.Variable(2.0)
with tf.Session() as session:
    session.run(w.initializer)
    bigger = w.assign(3.0)
    last = session.run(w)
""",
        choices={
            "2.0": {
                "en": "`bigger` is an operation, and nobody has fetched it.",
                "zh": "`bigger` 是一个操作，没有人取回它。",
            },
            "3.0": {
                "en": "That line built an operation. Who has run it?",
                "zh": "那一行只是建了一个操作。谁运行了它？",
            },
            "an error": {
                "en": "Building an operation that nobody runs is no error.",
                "zh": "建一个没有人运行的操作不是错误。",
            },
        },
        right="2.0",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = str(float(last))",
    ),
    after=Ask(
        ask={
            "en": "The `for` goes round three times. What is `last`?",
            "zh": "`for` 转三次。`last` 是多少？",
        },
        code=BUILD
        + """count = tf.Variable(0.0)
with tf.Session() as session:
    session.run(count.initializer)
    for _ in range(3):
        more = count.assign(count + 1.0)
    session.run(more)
    last = session.run(count)
""",
        choices={
            "0.0": {
                "en": "`more` was fetched, once.",
                "zh": "`more` 取回了一次。",
            },
            "1.0": {
                "en": "Three operations were built, one of them was fetched, once.",
                "zh": "建了三个操作，取回了其中一个，一次。",
            },
            "3.0": {
                "en": "Three were built. How many of them were run?",
                "zh": "建了三个。其中几个运行了？",
            },
            "4.0": {
                "en": "One of the four comes from `session.run(more)`. Who has run the other three?",
                "zh": "四个里有一个来自 `session.run(more)`。另外三个是谁运行的？",
            },
        },
        right="1.0",
        proof="answer = str(float(last))",
    ),
)

probe(
    11,
    "a symbol keeps its value",
    before=Ask(
        ask={
            "en": "`loss` is fetched twice, and between the two `train` is fetched. What comes the second time?",
            "zh": "`loss` 取回两次，两次之间取回 `train`。第二次得到什么？",
        },
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
            "9": {
                "en": "9 was the result of the first run. `loss` itself is no number: each run computes it.",
                "zh": "9 是第一次运行的结果。`loss` 本身不是数：每次运行都会计算它。",
            },
            "4": {
                "en": "Each run computes it anew, from the w of that moment.",
                "zh": "每次运行都用当时的 w 重新计算。",
            },
            "an error": {
                "en": "A graph may be run as often as you like.",
                "zh": "一张图想运行多少次都可以。",
            },
        },
        right="4",
        labels={"an error": {"en": "an error", "zh": "报错"}},
        proof="answer = f'{second:g}'",
    ),
    after=Ask(
        ask={
            "en": "y is fetched twice, and between the two `bigger` is fetched. What is `second`?",
            "zh": "y 取回两次，两次之间取回 `bigger`。`second` 是多少？",
        },
        code=BUILD
        + """x = tf.placeholder(tf.float32, [])
w = tf.Variable(10.0)
y = w + x
bigger = w.assign(20.0)
with tf.Session() as session:
    session.run(w.initializer)
    first = session.run(y, {x: 1.0})
    session.run(bigger)
    second = session.run(y, {x: 2.0})
""",
        choices={
            "11": {
                "en": "That was the first run's result. y is computed in each run.",
                "zh": "那是第一次运行的结果。每次运行都会计算 y。",
            },
            "12": {
                "en": "w has been given another value since: `bigger` was fetched.",
                "zh": "此后 w 已有了另一个值：取回了 `bigger`。",
            },
            "21": {
                "en": "w is the new one, yes. But what was fed in the first run counts for that run alone.",
                "zh": "w 是新的，没错。但第一次运行喂入的值只在那一次有效。",
            },
            "22": {
                "en": "Each run computes y anew: from what is fed, and from the w of that moment.",
                "zh": "每次运行都重新计算 y：用喂入的值，和当时的 w。",
            },
        },
        right="22",
        proof="answer = f'{second:g}'",
    ),
)

probe(
    11,
    "a loop's body runs at each turn",
    before=Ask(
        ask={
            "en": "`turn` is the body of a loop that turns 5 times. How many lines does it print?",
            "zh": "`turn` 是一个转 5 次的循环的循环体。它打印几行？",
        },
        code=BUILD
        + """def turn(i):
    print("turn", i)
    return i + 1

end = tf.while_loop(lambda i: i < 5, turn, [0])
with tf.Session() as session:
    session.run(end)
""",
        choices={
            "1": {
                "en": "Python runs `turn` once, to build one turn. The session turns what it has built.",
                "zh": "Python 只运行 `turn` 一次，用来建一轮。会话重复的是建好的东西。",
            },
            "5": {
                "en": "The loop turns 5 times. Does Python?",
                "zh": "循环转 5 次。Python 呢？",
            },
            "6": {
                "en": "The session runs operations, not Python.",
                "zh": "会话运行的是操作，不是 Python。",
            },
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
        ask={
            "en": "When it is run, this loop turns 1000 times. How many different random numbers does it add?",
            "zh": "运行时，这个循环转 1000 次。它加了几个不同的随机数？",
        },
        code=BUILD
        + """import random

def turn(i, total):
    return i + 1, total + random.random()

end = tf.while_loop(lambda i, total: i < 1000, turn, [0, 0.0])
""",
        choices={
            "1": {
                "en": "`random.random()` is Python: it was called once, while one turn was built.",
                "zh": "`random.random()` 是 Python：它只在建一轮时被调用了一次。",
            },
            "1000": {
                "en": "So it would be if Python ran at each turn. It was called while building: how often is that?",
                "zh": "如果每一轮 Python 都运行，就会这样。它是在建图时被调用的：那是几次？",
            },
            "0": {
                "en": "`turn` was called, to build one turn.",
                "zh": "为了建一轮，`turn` 被调用了。",
            },
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

"""Lesson 3, "why is my .grad None?": which tensors keep a gradient, as code; the leaves behind a result, found by
walking its graph; and a weight that an operator made, to be mended."""

from ..ask import Ask, probe
from ..task import Wrong, function


class Line:
    """A line of code that makes `t` or `y`; a reader is shown it as it stands."""

    def __init__(self, code: str, shown: str = ""):
        self.code, self.shown = code, shown or code

    def __repr__(self) -> str:
        return self.shown


KINDS = [
    "w",
    "w * 2",
    "x",
    "w * 2; t.retain_grad()",
    "w.detach()",
    "torch.nn.Parameter(x)",
    "w[0]",
    "x * 2",
    "x.clone().requires_grad_()",
    "w.detach().requires_grad_()",
    "w.view(2, 1)",
    "w.view(2, 1); t.retain_grad()",
    "torch.nn.Parameter(x, requires_grad=False)",
    "torch.ones(2, requires_grad=True) * 0.1",
]
UNRECORDED = Line("w * 2; t = torch.no_grad()(lambda: w * 2)()", "w * 2  # under torch.no_grad()")


def _kinds(torch, random):
    for code in KINDS:
        yield (Line(code),)
    yield (UNRECORDED,)


def made(torch, line):
    """The tensor that a line makes, of a leaf w that requires grad and an x that does not."""
    names = {"torch": torch, "w": torch.tensor([2.0, 3.0], requires_grad=True), "x": torch.tensor([5.0, 7.0])}
    exec(f"t = {line.code}", names)
    return names["t"]


def _keeps(given, torch, t):
    return given(made(torch, t))


KEEPS = "def keeps_grad(t):\n    return "

keeps_grad = function(
    "keeps_grad",
    task={
        "en": "Write `keeps_grad(t)`: True if `t` will keep what a backward pass brings to it, else False. `w` is a "
        "leaf that requires grad, `x` one that does not.",
        "zh": "写出 `keeps_grad(t)`：反向带给 `t` 的东西会被它留下，就是 True，否则 False。`w` 是要求梯度的叶子，"
        "`x` 不要求。",
    },
    gap=KEEPS + "...",
    solution=KEEPS + "t.requires_grad and (t.is_leaf or t.retains_grad)",
    points=_kinds,
    run=_keeps,
    hints=[
        {
            "en": "A tensor that does not require grad keeps nothing. Of those that do: which keep it, and which let "
            "it pass?",
            "zh": "不要求梯度的张量什么也不留。要求梯度的里面：哪些留下，哪些让它经过？",
        },
        {
            "en": "Every tensor has `t.requires_grad`, `t.is_leaf` and `t.retains_grad`. Each is True or False.",
            "zh": "每个张量都有 `t.requires_grad`、`t.is_leaf` 和 `t.retains_grad`，各为 True 或 False。",
        },
        {
            "en": "It has to require grad; and besides, be a leaf, or have been told `retain_grad()`.",
            "zh": "它必须要求梯度；此外，要么是叶子，要么被叫过 `retain_grad()`。",
        },
    ],
    wrong=[
        Wrong(
            KEEPS + "t.requires_grad",
            {
                "en": "That is whether gradients reach it. Was it made by you, or by an operator?",
                "zh": "这说的是梯度会不会到它那里。它是你做的，还是算子做的？",
            },
        ),
        Wrong(
            KEEPS + "t.is_leaf",
            {
                "en": "x was made by you, too, and so it is a leaf. Does it require grad?",
                "zh": "x 也是你做的，所以也是叶子。它要求梯度吗？",
            },
        ),
        Wrong(
            KEEPS + "t.requires_grad and t.is_leaf",
            {
                "en": "Right but for those that were told to keep it. A third word tells which: `retains_grad`.",
                "zh": "除了被吩咐留下的，其余都对。第三个词会告诉你是哪些：`retains_grad`。",
            },
        ),
        Wrong(
            KEEPS + "t.retains_grad",
            {
                "en": "That is True only where somebody called `retain_grad()`. Leaves need no telling.",
                "zh": "只有叫过 `retain_grad()` 的才是 True。叶子不用吩咐。",
            },
        ),
        Wrong(
            KEEPS + "t.is_leaf or t.retains_grad",
            {
                "en": "What does not require grad gets none, leaf or not.",
                "zh": "没有要求过梯度的什么也得不到，不管是不是叶子。",
            },
        ),
        Wrong(
            KEEPS + "t.grad is not None",
            {
                "en": "That is whether something has come already. Here nobody has gone backward yet.",
                "zh": "这说的是已经来过没有。这里还没有人反向走过。",
            },
        ),
        Wrong(
            KEEPS + "isinstance(t, torch.nn.Parameter)",
            {
                "en": "Parameters are leaves that require grad, but not the only ones; and a parameter may be frozen.",
                "zh": "参数是要求梯度的叶子，但不只有它们；而且参数也可以冻结。",
            },
        ),
        Wrong(
            KEEPS + "t.grad_fn is not None",
            {
                "en": "The other way round: those let it pass. `grad_fn` is the operator that made a tensor; a "
                "leaf has none.",
                "zh": "正好相反：这些让它经过。`grad_fn` 是做出张量的算子，而叶子没有。",
            },
        ),
        Wrong(
            KEEPS + "t.requires_grad or t.is_leaf",
            {
                "en": "`or` takes whoever has one of the two. Who needs both?",
                "zh": "`or` 只要占一样就算。谁需要两样都有？",
            },
        ),
        Wrong(
            KEEPS + "t.requires_grad and not t.retains_grad",
            {
                "en": "Whom `retain_grad()` was told keeps it. And who else lets it pass?",
                "zh": "被叫过 `retain_grad()` 的会留下。还有谁让它经过？",
            },
        ),
    ],
    because={
        "en": "It has to require grad, and be a leaf or have been told to keep it. A view and a product are no leaves.",
        "zh": "它必须要求梯度，而且是叶子，或者被吩咐留下。视图和乘积都不是叶子。",
    },
)


GRAPHS = [
    "w * 5",
    "w * p",
    "w * x",
    "(w * w + w) * 2",
    "(w * x + p) * q",
    "w.detach() * p + q",
    "((p * q).exp() + x).sin() * w.detach()",
]


def _graphs(torch, random):
    for code in GRAPHS:
        yield (Line(code),)


def _names_found(given, torch, y):
    """The names of what the reader's function finds behind y."""
    leaves = {name: torch.tensor(at, requires_grad=True) for name, at in (("w", 3.0), ("p", 3.0), ("q", 0.5))}
    names = {"torch": torch, "x": torch.tensor(2.0), **leaves}
    exec(f"y = {y.code}", names)
    found = given(names["y"])
    if found is None:
        return None
    called = {id(value): name for name, value in names.items() if name in "wpqxy"}
    return sorted(called.get(id(each), type(each).__name__) for each in found)


LEAVES = """
def leaves_behind(y):
    found, todo = set(), [y.grad_fn]
    while todo:
        node = todo.pop()
        if node is None:  # nothing here requires grad
            continue
        {}
    return found
"""
FURTHER = "todo += [following for following, _ in node.next_functions]"
ONE_STEP = """for following, _ in node.next_functions:
            if hasattr(following, "variable"):
                found.add(following.variable)"""
FOUND = 'if hasattr(node, "variable"):\n            found.add(node.variable)'


def _leaves(*lines: str) -> str:
    return LEAVES.format("\n        ".join(lines))


leaves_behind = function(
    "leaves_behind",
    task={
        "en": "Write `leaves_behind(y)`: all leaves that `y.backward()` would bring something to. `w`, `p` and `q` "
        "require grad, `x` does not.",
        "zh": "写出 `leaves_behind(y)`：`y.backward()` 会带东西给哪些叶子。`w`、`p` 和 `q` 要求梯度，`x` 不要求。",
    },
    gap=_leaves("..."),
    solution=_leaves(FOUND, FURTHER),
    points=_graphs,
    run=_names_found,
    hints=[
        {
            "en": "Two things are to be done at each node: look whether a leaf is here, and go on to those behind it.",
            "zh": "在每个节点要做两件事：看这里是不是叶子，再往它后面走。",
        },
        {
            "en": "`node.next_functions` holds pairs; the first of each pair goes into `todo`. Where there is a leaf, "
            "the node has a `variable`.",
            "zh": "`node.next_functions` 里是一对一对的；每对的第一个放进 `todo`。在叶子那里，节点有 `variable`。",
        },
        {
            "en": '`if hasattr(node, "variable"): found.add(node.variable)`, and then '
            "`for following, _ in node.next_functions: todo.append(following)`.",
            "zh": '`if hasattr(node, "variable"): found.add(node.variable)`，然后 '
            "`for following, _ in node.next_functions: todo.append(following)`。",
        },
    ],
    wrong=[
        Wrong(
            _leaves(FURTHER),
            {
                "en": "You go everywhere, and collect nothing. Who goes into `found`?",
                "zh": "你到处都走到了，却什么也没有收集。谁该放进 `found`？",
            },
            uses="next_functions",
        ),
        Wrong(
            _leaves(ONE_STEP),
            {
                "en": "That looks one step behind y, and no further. Who looks behind the others?",
                "zh": "这只看了 y 后面一步，没有再往后。谁去看其余节点的后面？",
            },
        ),
        Wrong(
            _leaves(FOUND),
            {
                "en": "Nobody was found: you stay at the last operator. Who goes into `todo`?",
                "zh": "一个也没找到：你停在了最后一个算子。谁该放进 `todo`？",
            },
        ),
        Wrong(
            _leaves("found.add(node)", FURTHER),
            {
                "en": "Those are nodes of the graph. The leaf that belongs to one is its `variable`.",
                "zh": "这些是图的节点。属于它的叶子是它的 `variable`。",
            },
        ),
        Wrong(
            _leaves("if node.is_leaf:\n            found.add(node)", FURTHER),
            {
                "en": "A node is no tensor: it has no `is_leaf`. Where a leaf is, the node has a `variable`.",
                "zh": "节点不是张量：它没有 `is_leaf`。在叶子那里，节点有 `variable`。",
            },
        ),
        Wrong(
            _leaves(FOUND.replace("node.variable)", "node.variable.item())"), FURTHER),
            {
                "en": "Those are the numbers in the leaves. The leaves themselves are wanted.",
                "zh": "这些是叶子里的数。要的是叶子本身。",
            },
        ),
        Wrong(
            _leaves(FOUND.replace("node.variable)", "node)"), FURTHER),
            {
                "en": "Those are the nodes where leaves are. The leaf itself is the node's `variable`.",
                "zh": "这些是叶子所在的节点。叶子本身是节点的 `variable`。",
            },
        ),
        Wrong(
            _leaves(FOUND, "todo.append(node.next_functions[0][0] if node.next_functions else None)"),
            {
                "en": "That goes along the first arrow alone. A node may have several.",
                "zh": "这只沿第一条箭头走。一个节点可以有好几条。",
            },
        ),
        Wrong(
            _leaves(FOUND, "todo.append(node.next_functions[-1][0] if node.next_functions else None)"),
            {
                "en": "That goes along the last arrow alone. A node may have several.",
                "zh": "这只沿最后一条箭头走。一个节点可以有好几条。",
            },
        ),
        Wrong(
            _leaves(FOUND, "todo += node.next_functions"),
            {
                "en": "Each entry is a pair, of which the node is the first.",
                "zh": "每一项是一对，节点是其中的第一个。",
            },
        ),
        Wrong(
            _leaves("found.add(node.variable)", FURTHER),
            {
                "en": "Only where a leaf is has the node a `variable`. Ask first: `hasattr`.",
                "zh": "只有叶子那里的节点才有 `variable`。先问一下：`hasattr`。",
            },
        ),
        Wrong(
            _leaves(FOUND + "\n            break", FURTHER),
            {
                "en": "That stops at the first leaf. There may be more.",
                "zh": "这在第一个叶子处就停了。可能还有别的。",
            },
        ),
        Wrong(
            _leaves(FOUND, "todo += [following for following, _ in y.grad_fn.next_functions]"),
            {
                "en": "That begins again at y each time, and never ends. Whose `next_functions` are next?",
                "zh": "这每次都从 y 重新开始，永远走不完。接下来该看谁的 `next_functions`？",
            },
            endless=True,
        ),
    ],
    because={
        "en": "Whoever is in this set gets something at `y.backward()`; for any other leaf `.grad` stays as it is. "
        "(Where a graph forks often, remember which nodes you have seen.)",
        "zh": "在这个集合里的，执行 `y.backward()` 时会得到东西；别的叶子，`.grad` 保持原样。"
        "（图分岔很多时，要记住哪些节点已经看过。）",
    },
)


def _fits(torch, random):
    yield torch.tensor([1.0, 2.0, 3.0]), 4.0
    for _ in range(2):
        yield torch.tensor([float(each) for each in random.uniform(-2, 2, 3)]), float(random.uniform(1, 5))


STEP = """
def first_step(x, target):
    {}
    loss = ((w * x).sum() - target) ** 2
    {}
    return -0.01 * {}
"""


def _step(w: str, backward: str = "loss.backward()", grad: str = "w.grad") -> str:
    return STEP.format(w, backward, grad)


SMALL = "w = torch.ones(3, requires_grad=True) * 0.1"

ONE_NUMBER = {
    "en": "Now w is a leaf, but a single number. It was three.",
    "zh": "现在 w 是叶子了，但只有一个数。原来是三个。",
}

small_start = function(
    "small_start",
    task={
        "en": "Mend `first_step`: `w` is to begin at 0.1, its gradient is to arrive, and the change of `w` is "
        "returned, as it is now.",
        "zh": "改好 `first_step`：`w` 要从 0.1 开始，它的梯度要能到达，返回的仍是 `w` 的改变量。",
    },
    gap=_step(SMALL),
    solution=_step("w = torch.full((3,), 0.1, requires_grad=True)"),
    points=_fits,
    hints=[
        {
            "en": "Who made the tensor that is called w? Put `print(w.grad_fn)` below that line.",
            "zh": "名叫 w 的张量是谁做的？在那一行下面写 `print(w.grad_fn)` 看看。",
        },
        {
            "en": "The leaf is the ones, and nobody has a name for it. Compute first, and let it require grad last.",
            "zh": "叶子是那些 1，而它没有名字。先算好，最后再让它要求梯度。",
        },
        {
            "en": "`w = torch.full((3,), 0.1, requires_grad=True)`, or `w = (torch.ones(3) * 0.1).requires_grad_()`.",
            "zh": "`w = torch.full((3,), 0.1, requires_grad=True)`，或 `w = (torch.ones(3) * 0.1).requires_grad_()`。",
        },
    ],
    wrong=[
        Wrong(
            _step(SMALL + "\n    w.requires_grad_()"),
            {
                "en": "It requires grad already, that is handed on by the ones. What makes it no leaf is the product.",
                "zh": "它已经要求梯度了，那是从那些 1 传来的。让它不是叶子的是乘积。",
            },
            uses="requires_grad_",
        ),
        Wrong(
            _step(SMALL, "w.retain_grad()", "w.grad"),
            {
                "en": "w is told to keep what comes. Who brings it?",
                "zh": "w 被吩咐留下到来的东西。谁把它带来？",
            },
            uses="retain_grad",
        ),
        Wrong(
            _step(SMALL, "loss.backward(retain_graph=True)"),
            {
                "en": "`w.grad` is None still: a product made this w, so the gradient passed through it.",
                "zh": "`w.grad` 还是 None：这个 w 是乘积做出来的，所以梯度只是经过它。",
            },
        ),
        Wrong(
            _step("ones = torch.ones(3, requires_grad=True)\n    w = ones * 0.1", grad="ones.grad"),
            {
                "en": "That is the gradient of the ones: a tenth of w's, for on the way stands × 0.1.",
                "zh": "这是那些 1 的梯度：只有 w 的十分之一，因为路上还有 × 0.1。",
            },
        ),
        Wrong(
            _step("w = torch.ones(3, requires_grad=True)\n    w *= 0.1"),
            {
                "en": "A leaf that requires grad may not be overwritten while all is recorded. Let it require grad "
                "when it is complete.",
                "zh": "要求梯度的叶子在记录时不能被原地改写。等它完成了，再让它要求梯度。",
            },
        ),
        Wrong(
            _step("w = torch.ones(3, requires_grad=True)"),
            {
                "en": "Now w is a leaf, but it begins at 1.",
                "zh": "现在 w 是叶子了，但它从 1 开始。",
            },
        ),
        Wrong(
            _step("w = torch.ones(3) * 0.1"),
            {
                "en": "Now w is a leaf, but it does not require grad any more.",
                "zh": "现在 w 是叶子了，但它不再要求梯度。",
            },
        ),
        Wrong(
            _step("w = torch.tensor(0.1, requires_grad=True)"),
            ONE_NUMBER,
        ),
        Wrong(_step("w = torch.tensor([0.1], requires_grad=True)"), ONE_NUMBER),
        Wrong(
            _step("w = torch.zeros(3, requires_grad=True)"),
            {
                "en": "Now w is a leaf, but it begins at 0.",
                "zh": "现在 w 是叶子了，但它从 0 开始。",
            },
        ),
        Wrong(
            _step(
                "w = torch.full((3,), 0.1, requires_grad=True)", "loss.backward(retain_graph=True)\n    loss.backward()"
            ),
            {
                "en": "w is a leaf that requires grad. But two passes bring twice as much.",
                "zh": "w 是要求梯度的叶子了。但走两遍，带来的就是两倍。",
            },
        ),
        Wrong(
            _step("w = torch.full((3,), 0.1, requires_grad=True)").replace("return -", "return w - "),
            {
                "en": "That is the new place. The change alone is wanted.",
                "zh": "这是新的位置。这里只要改变量。",
            },
        ),
        Wrong(
            _step("w = torch.full((3,), 0.1, requires_grad=True)", grad="w"),
            {
                "en": "w is a leaf that requires grad. But a step goes against its gradient, and that is in `w.grad`.",
                "zh": "w 是要求梯度的叶子了。但一步要逆着它的梯度走，而梯度在 `w.grad` 里。",
            },
        ),
    ],
    because={
        "en": "Now w keeps what arrives.",
        "zh": "现在 w 会留下到来的。",
    },
    remarks={
        "retain_grad": {
            "en": "It was told to by `retain_grad()`: it is still no leaf, and an optimizer would refuse it.",
            "zh": "是 `retain_grad()` 让它留下的：它仍然不是叶子，优化器不会接受它。",
        },
    },
)


probe(
    3,
    "a frozen input blocks the way",
    before=Ask(
        ask={
            "en": "x does not require grad. What is `w.grad`?",
            "zh": "x 不要求梯度。`w.grad` 是什么？",
        },
        code="""
w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0)
y = (w * x) * x
y.backward()
""",
        choices={
            "2": {
                "en": "Two products stand on the way from w to y.",
                "zh": "从 w 到 y 的路上有两个乘积。",
            },
            "4": {
                "en": "2 · 2. x gets no gradient itself, and lets those of others pass.",
                "zh": "2 · 2。x 自己得不到梯度，但不挡别人的。",
            },
            "None": {
                "en": "The way from y to w leads through products, and not through x.",
                "zh": "从 y 到 w 的路经过乘积，而不经过 x。",
            },
        },
        right="4",
        proof='answer = f"{w.grad.item():g}"',
    ),
    after=Ask(
        ask={
            "en": "Two layers, the second frozen. Whose `weight.grad` is a tensor afterwards?",
            "zh": "两层，第二层冻结。之后谁的 `weight.grad` 是张量？",
        },
        code="""
first = torch.nn.Linear(1, 1)
second = torch.nn.Linear(1, 1)
second.requires_grad_(False)
loss = second(first(torch.ones(1, 1))).sum()
loss.backward()
""",
        choices={
            "first": {
                "en": "Gradients pass through a frozen layer; only its own weights get none.",
                "zh": "梯度会穿过冻结的层；只是它自己的权重得不到。",
            },
            "second": {
                "en": "The frozen one requires no grad.",
                "zh": "冻结的那层没有要求。",
            },
            "neither": {
                "en": "Then nobody could train what stands before a frozen layer.",
                "zh": "那样的话，冻结层前面的东西就没法训练了。",
            },
            "both": {
                "en": "The frozen one requires no grad.",
                "zh": "冻结的那层没有要求。",
            },
        },
        right="first",
        labels={
            "first": {"en": "first", "zh": "第一层 first"},
            "second": {"en": "second", "zh": "第二层 second"},
            "neither": {"en": "neither", "zh": "都没有"},
            "both": {"en": "both", "zh": "两层都有"},
        },
        proof="""
has = first.weight.grad is not None, second.weight.grad is not None
answer = {(True, False): "first", (False, True): "second", (False, False): "neither", (True, True): "both"}[has]
""",
    ),
)

probe(
    3,
    "detach kills everything",
    before=Ask(
        ask={
            "en": "What is `w.grad`?",
            "zh": "`w.grad` 是什么？",
        },
        code="""
w = torch.tensor(3.0, requires_grad=True)
y = (w * w).detach() * w
y.backward()
""",
        choices={
            "27": {
                "en": "That is the slope of w · w · w. One of the ways was cut.",
                "zh": "这是 w · w · w 的斜率。有的路被剪断了。",
            },
            "9": {
                "en": "The detached square is a mere 9; the other way is open.",
                "zh": "分离出来的平方只是一个数 9；另一条路是通的。",
            },
            "0": {
                "en": "Only what runs through the square is cut.",
                "zh": "剪断的只是经过平方的那条路。",
            },
            "None": {
                "en": "Only what runs through the square is cut. Is there another way to w?",
                "zh": "剪断的只是经过平方的那条路。到 w 还有别的路吗？",
            },
        },
        right="9",
        proof='answer = f"{w.grad.item():g}"',
    ),
    after=Ask(
        ask={
            "en": "And here, what is `w.grad`?",
            "zh": "那么这里，`w.grad` 是什么？",
        },
        code="""
w = torch.tensor(4.0, requires_grad=True)
v = w.detach()
y = v * w + w
y.backward()
""",
        choices={
            "9": {
                "en": "That is the slope of w · w + w. But v hands nothing on.",
                "zh": "这是 w · w + w 的斜率。但 v 什么也不交下去。",
            },
            "5": {
                "en": "4 through the product, where v is a mere 4, and 1 through the sum.",
                "zh": "经过乘积是 4（那里 v 只是一个数 4），经过加法是 1。",
            },
            "1": {
                "en": "The sum brings 1. The product has an open way to w, too.",
                "zh": "加法带来 1。乘积到 w 也有一条通的路。",
            },
            "None": {
                "en": "v is cut off, w is not: two ways lead to it.",
                "zh": "断开的是 v，不是 w：有两条路通向它。",
            },
        },
        right="5",
        proof='answer = f"{w.grad.item():g}"',
    ),
)

probe(
    3,
    "w = w - lr * g keeps a leaf",
    before=Ask(
        ask={
            "en": "A step by hand, and a second pass. What is `w.grad` now?",
            "zh": "手动走一步，再反向一次。现在 `w.grad` 是什么？",
        },
        code="""
w = torch.tensor(2.0, requires_grad=True)
(w * w).backward()
w = w - 0.1 * w.grad
(w * w).backward()
""",
        choices={
            "3.2": {
                "en": "That is the slope at the new place, 1.6. But the name w stands for a result now.",
                "zh": "这是在新位置 1.6 处的斜率。但名字 w 现在指的是一个算出来的结果。",
            },
            "7.2": {
                "en": "4 and 3.2 would add up in one leaf. The name w stands for another tensor now.",
                "zh": "4 和 3.2 要加在同一个叶子里。名字 w 现在指的是另一个张量。",
            },
            "None": {
                "en": "An operator made this w. It is no leaf, and lets the gradient pass, to the old one.",
                "zh": "这个 w 是算子做出来的。它不是叶子，让梯度经过，传到旧的那个。",
            },
        },
        right="None",
        proof="""
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    answer = str(w.grad)
""",
    ),
    after=Ask(
        ask={
            "en": "What is `w.grad` here?",
            "zh": "这里 `w.grad` 是什么？",
        },
        code="""
w = torch.tensor([2.0], requires_grad=True) / 4
loss = (5 * w).sum()
loss.backward()
""",
        choices={
            "5": {
                "en": "5 passed through w. It did not stay.",
                "zh": "5 经过了 w，没有留下。",
            },
            "1.25": {
                "en": "That is what arrived at the leaf, before the division. It has no name here.",
                "zh": "这是到达叶子的，在除法之前。它在这里没有名字。",
            },
            "None": {
                "en": "A division made w, so the name w does not stand for the leaf.",
                "zh": "w 是除法做出来的，所以名字 w 指的不是叶子。",
            },
        },
        right="None",
        proof="""
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    answer = str(w.grad)
""",
    ),
)

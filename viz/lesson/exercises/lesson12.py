"""Lesson 12, what it costs: an `if` on a number, mended so that a trace can hold it; a pass over a list of operations,
common subexpressions, written by the reader; and the number of calls after which a trace has paid."""

from typing import Any

from ..ask import Ask, probe
from ..task import Wrong, function, value

LEAKY = "def leaky(x):\n    if x.sum() > 0:\n        return x\n    return 0.1 * x"
ASKS_A_NUMBER = {
    "en": "That asks for a number, as the `if` does: to choose, Python has to know it. While f is traced nobody knows "
    "it. Which function of torch chooses, and is itself an operator?",
    "zh": "这和 `if` 一样要问一个数：要选择，Python 得知道它。而追踪时谁也不知道。"
    "torch 里哪个函数会选择，并且本身就是算子？",
}
TRUTH_IS_NO_NUMBER = {
    "en": "True and False can be multiplied, but neither subtracted nor negated: `~` says not. Or let an operator "
    "choose between the two: which function of torch does?",
    "zh": "True 和 False 可以乘，不能减，也不能取负：取反用 `~`。"
    "或者让一个算子在两者之间选：torch 里哪个函数做这件事？",
}


def _rows(torch, random):
    import minigrad
    import minigrad.static  # what a trace needs, loaded before the clock runs

    yield (minigrad.tensor([3.0, -1.0]),)
    yield (minigrad.tensor([-1.0, 3.0]),)
    yield (minigrad.tensor(random.normal(size=3).astype("float32") - 1.5),)


def _traced(given, torch, x):
    """Value and gradient at x, and the value where the sum has the other sign: one trace has to do for both."""
    import minigrad

    fast = minigrad.jit(given)
    x = x.detach().clone().requires_grad_()
    y = fast(x)
    y.sum().backward()
    other = fast((-x).detach().requires_grad_())
    return {"value": y.detach(), "other": other.detach(), "gradient": x.grad, "traces": len(fast.traces)}


leaky = function(
    "if_in_a_trace",
    task={
        "en": "Mend `leaky`, so that it gives the same as before and a trace can hold it: no `if` on a number.",
        "zh": "改好 `leaky`：结果与原来相同，但一次追踪能装下它——不对数值用 `if`。",
    },
    setup="import minigrad as torch",
    warns=True,
    gap=LEAKY,
    solution="def leaky(x):\n    return torch.where(x.sum() > 0, x, 0.1 * x)",
    points=_rows,
    run=_traced,
    parts={
        "value": {"en": "value", "zh": "值"},
        "other": {"en": "value at −x", "zh": "−x 处的值"},
        "gradient": {"en": "gradient", "zh": "梯度"},
        "traces": {"en": "number of traces", "zh": "追踪次数"},
    },
    hints=[
        {
            "en": "Both results can be computed before anybody knows which one is wanted. What chooses afterwards?",
            "zh": "在知道要哪个结果之前，两个都可以先算出来。之后由什么来选？",
        },
        {
            "en": "`torch.where(condition, a, b)` is an operator: a where the condition holds, b elsewhere.",
            "zh": "`torch.where(condition, a, b)` 是一个算子：条件成立处取 a，别处取 b。",
        },
        {
            "en": "The condition is the one of the `if`, unchanged: `x.sum() > 0`.",
            "zh": "条件就是 `if` 里的那个，不变：`x.sum() > 0`。",
        },
    ],
    wrong=[
        Wrong(
            "def leaky(x):\n    return torch.where(x > 0, x, 0.1 * x)",
            {
                "en": "Now each entry decides for itself. In the original one number, the sum, decides for all.",
                "zh": "现在每个元素各自决定。原来是一个数——总和——替所有元素决定。",
            },
        ),
        Wrong(
            "def leaky(x):\n    return torch.where(x.sum() > 0, 0.1 * x, x)",
            {
                "en": "The two are exchanged: first what is taken where the condition holds.",
                "zh": "两个写反了：先写条件成立时取的那个。",
            },
        ),
        Wrong(
            "def leaky(x):\n    return torch.where(x[0] > 0, x, 0.1 * x)",
            {
                "en": "Now the first entry decides for all. In the original it was the sum.",
                "zh": "现在由第一个元素替所有元素决定。原来是总和。",
            },
        ),
        Wrong("def leaky(x):\n    return x if x.sum().item() > 0 else 0.1 * x", ASKS_A_NUMBER),
        Wrong("def leaky(x):\n    return (x.sum() > 0) and x or 0.1 * x", ASKS_A_NUMBER),
        Wrong(
            "def leaky(x):\n    big = x.sum() > 0\n    return big * x + (1 - big) * 0.1 * x",
            TRUTH_IS_NO_NUMBER,
        ),
        Wrong("def leaky(x):\n    big = x.sum() > 0\n    return big * x + -big * 0.1 * x", TRUTH_IS_NO_NUMBER),
        Wrong(
            "def leaky(x):\n    return torch.where(x.sum() > 0, x)",
            {
                "en": "`where` wants three things: the condition, what to take where it holds, and what elsewhere.",
                "zh": "`where` 要三样：条件、条件成立处取什么、别处取什么。",
            },
        ),
        Wrong(
            "def leaky(x):\n    return torch.where(x.sum() > 0, x, 0.1)",
            {
                "en": "Where the condition doesn't hold there stands 0.1 now. It was a tenth of x.",
                "zh": "条件不成立时现在是 0.1。原来是 x 的十分之一。",
            },
        ),
        Wrong(
            "def leaky(x):\n    return x * (x.sum() > 0)",
            {
                "en": "A condition as a factor is 1 or 0: the second branch is lost. What stands there where it is 0?",
                "zh": "条件当因子是 1 或 0：第二个分支丢了。它为 0 时应是什么？",
            },
        ),
        Wrong(
            "def leaky(x):\n    return 0.1 * x",
            {
                "en": "Without the `if` a trace can hold it. But there were two ways, and one of them is gone.",
                "zh": "没有 `if`，追踪确实装得下。但原来有两条路，丢了一条。",
            },
        ),
        Wrong(
            "def leaky(x):\n    return x",
            {
                "en": "And where the sum is negative?",
                "zh": "总和为负时呢？",
            },
        ),
        Wrong(
            "def leaky(x):\n    return torch.where(x.sum() > 0, x, 0.1 * x).detach().requires_grad_()",
            {
                "en": "The value is right, but `detach` has cut the history off: no gradient comes back to x.",
                "zh": "值是对的，但 `detach` 切断了历史：没有梯度回到 x。",
            },
        ),
    ],
    because={
        "en": "One trace holds both ways, and an operator chooses between them by numbers that come later. The price: "
        "both are computed in each call.",
        "zh": "一次追踪装下两条路，由一个算子按以后才来的数来选择。代价是每次调用两条路都要算。",
    },
)


# -- common subexpressions ---------------------------------------------------------------------------

OPS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
}
GIVEN = {"w": 2.0, "x": 5.0, "v": -3.0}


def evaluated(program, result, given):
    """The value of a list of operations; a ValueError that names the line where it can't be had."""
    values = dict(given)
    for name, op, *inputs in program:
        if op not in OPS:
            raise ValueError(f"a line is (name, op, *inputs), and {name!r} has {op!r} where the op goes")
        for each in inputs:
            if not isinstance(each, str):
                raise ValueError(
                    f"a line is (name, op, *inputs), and {name!r} has {each!r} where the name of an input goes"
                )
            if each not in values:
                raise ValueError(f"in your list, {name!r} reads {each!r}, which no line before it makes")
        values[name] = OPS[op](*[values[each] for each in inputs])
    if result not in values:
        raise ValueError(f"the result is {result!r}, which no line of your list makes")
    return values[result]


def shortened(program, result):
    """What the reader is asked to write."""
    short: list[tuple] = []
    first: dict[tuple, str] = {}
    same_as: dict[str, str] = {}
    for name, op, *inputs in program:
        does = (op, *[same_as.get(each, each) for each in inputs])
        if does in first:
            same_as[name] = first[does]
        else:
            first[does] = name
            short.append((name, *does))
    return short, same_as.get(result, result)


def lines_of(*texts):
    """Lines from texts like "a = add w x"."""
    return [(name, *rest.split()) for name, _, rest in (text.partition(" = ") for text in texts)]


def _random_lines(random):
    """A list with many lines that do the same, some of them only once their inputs are known to be the same."""
    lines: list[tuple] = []
    levels = [["w", "x", "v"]]
    for level in range(3):
        made = []
        for _ in range(int(random.integers(2, 5))):
            op = str(random.choice(["add", "sub", "mul", "neg"] if level < 2 else ["add", "sub", "neg"]))
            known = levels[-1] if random.random() < 0.8 else levels[0]
            inputs = [str(random.choice(known)) for _ in range(1 if op == "neg" else 2)]
            copies = 2 if random.random() < 0.5 else 1
            for _ in range(copies):
                name = f"t{len(lines) + 1}"
                lines.append((name, op, *inputs))
                made.append(name)
        levels.append(made)
    result = "y"
    last = levels[-1]
    lines.append((result, "add", last[0], last[-1]))
    return lines, result


def _programs(torch, random):
    yield lines_of("a = add w x", "b = add w x", "y = mul a b"), "y"
    yield lines_of("a = add w x", "b = mul w x", "y = mul a b"), "y"
    yield lines_of("y = sub x w"), "y"
    yield lines_of("a = sub w x", "b = sub x w", "y = mul a w", "z = mul y b"), "z"
    yield lines_of("a = add w x", "b = add w v", "c = add w x", "y = mul b c"), "y"
    yield lines_of("a = mul w x", "b = mul w x", "c = neg a", "d = neg b", "y = add c d"), "y"
    yield lines_of("a = mul w x", "b = mul w x", "c = mul w x", "d = add b c", "y = add a d"), "y"
    yield lines_of("a = mul w x", "y = mul w x"), "y"
    for _ in range(4):
        yield _random_lines(random)


def _shared(given, torch, program, result):
    made = given(program, result)
    if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], list)):
        raise ValueError("`share` returns two things: the shorter list, and the name of the result")
    short, name = made
    few = len(shortened(program, result)[0])
    return {"value": evaluated(short, name, GIVEN), "lines": max(len(short), few)}  # fewer still is as good


HEAD = "def share(program, result):\n"
FILL = "    short, first, same_as = [], {}, {}\n    for name, op, *inputs in program:\n"
RENAME = "        inputs = [same_as.get(each, each) for each in inputs]\n"
MERGE = (
    "        if does in first:\n            same_as[name] = first[does]\n"
    "        else:\n            first[does] = name\n            short.append((name, op, *inputs))\n"
)
GIVE = "    return short, same_as.get(result, result)"

share = function(
    "share",
    task={
        "en": "Write `share(program, result)`: a list in which no two lines do the same, and the name under which the "
        "result is found in it. A line is `(name, op, *inputs)`.",
        "zh": "写出 `share(program, result)`：返回一个没有两行做同样事情的列表，以及结果在其中的名字。"
        "一行是 `(name, op, *inputs)`。",
    },
    gap=HEAD + "    short = []\n    for name, op, *inputs in program:\n        ...\n    return short, ...",
    solution=HEAD + FILL + RENAME + "        does = (op, *inputs)\n" + MERGE + GIVE,
    points=_programs,
    run=_shared,
    parts={"value": {"en": "value", "zh": "值"}, "lines": {"en": "number of lines", "zh": "行数"}},
    hints=[
        {
            "en": "Two lines do the same if their op is the same and so are their inputs, in order. Where could you "
            "note, for what has been done, which name it has?",
            "zh": "算子相同、输入（连同顺序）也相同，两行就做同样的事。已做过的事叫什么名字，可以记在哪里？",
        },
        {
            "en": "When a line is left out, each line that reads its name has to read the first one's. A second "
            "dictionary says which name stands for which.",
            "zh": "省掉一行后，读它名字的行都要改读第一个的名字。用第二个字典记下哪个名字代替哪个。",
        },
        {
            "en": "Rename the inputs first, and only then ask whether this has been done before: so equals of equals "
            "are found, too. At the end, rename the result.",
            "zh": "先给输入改名，再问这件事是否做过：这样相同之物的相同之物也能找到。最后给结果改名。",
        },
    ],
    wrong=[
        Wrong(
            HEAD + "    return program, result",
            {
                "en": "No line has been left out. (Names always differ: compare op and inputs.)",
                "zh": "一行也没省掉。（名字总是不同：要比较 op 和输入。）",
            },
        ),
        Wrong(
            HEAD
            + "    short, first = [], {}\n    for name, op, *inputs in program:\n        does = (op, *inputs)\n"
            + "        if does not in first:\n            first[does] = name\n"
            + "            short.append((name, op, *inputs))\n    return short, result",
            {
                "en": "A line is left out, and others still read its name. What should they read instead?",
                "zh": "省掉了一行，别的行还在读它的名字。它们该改读什么？",
            },
        ),
        Wrong(
            HEAD + FILL + "        does = (op, *inputs)\n" + RENAME + MERGE + GIVE,
            {
                "en": "When b has turned out to be a, a line that reads b and one that reads a may do the same. Do you "
                "rename before you compare?",
                "zh": "既然 b 就是 a，读 b 的一行和读 a 的一行就可能做同样的事。你是先改名再比较吗？",
            },
        ),
        Wrong(  # two things at once: a key made too early, and the result's old name
            HEAD + FILL + "        does = (op, *inputs)\n" + RENAME + MERGE + "    return short, result",
            {
                "en": "Some lines still do the same: of what was left out they read one name, and the others that of "
                "the line that stays. Do you rename before you compare? And the result?",
                "zh": "还有几行在做同样的事：有的读被省掉的名字，有的读留下的名字。你是先改名再比较吗？结果的名字呢？",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = (op, *inputs)\n" + MERGE + "    return short, result",
            {
                "en": "And if the line that is left out is the result itself? Under which name is it found now?",
                "zh": "如果被省掉的正是结果那一行呢？现在它叫什么名字？",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = tuple(inputs)\n" + MERGE + GIVE,
            {
                "en": "`w + x` and `w · x` read the same. Do they do the same?",
                "zh": "`w + x` 和 `w · x` 读的一样。做的也一样吗？",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = op\n" + MERGE + GIVE,
            {
                "en": "Two additions need not add the same. Compare the inputs, too.",
                "zh": "两个加法加的不一定是同样的东西。输入也要比较。",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = (op, *sorted(inputs))\n" + MERGE + GIVE,
            {
                "en": "For an addition the order of the inputs makes no difference. For `w − x` and `x − w` it does.",
                "zh": "加法的输入顺序无所谓。但 `w − x` 和 `x − w` 不同。",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        inputs.sort()\n        does = (op, *inputs)\n" + MERGE + GIVE,
            {
                "en": "Sorted inputs turn `x − w` into `w − x`. Leave them in their order.",
                "zh": "输入一排序，`x − w` 就成了 `w − x`。请保持原来的顺序。",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = (op, inputs[0])\n" + MERGE + GIVE,
            {
                "en": "`w + x` and `w + v` begin alike. Compare all inputs.",
                "zh": "`w + x` 和 `w + v` 只是开头相同。要比较所有输入。",
            },
        ),
        Wrong(
            HEAD
            + "    short, same_as, before = [], {}, None\n    for name, op, *inputs in program:\n"
            + RENAME
            + "        if before and before[1:] == (op, *inputs):\n            same_as[name] = before[0]\n"
            + "        else:\n            before = (name, op, *inputs)\n            short.append(before)\n"
            + GIVE,
            {
                "en": "You compare with the line before. The first one that does the same may stand much further up.",
                "zh": "你只和上一行比较。做同样事情的第一行可能在上面很远。",
            },
        ),
        Wrong(
            HEAD
            + FILL
            + RENAME
            + "        does = (op, *inputs)\n        if does in first:\n            same_as[name] = first[does]\n"
            + "        else:\n            short.append((name, op, *inputs))\n        first[does] = name\n"
            + GIVE,
            {
                "en": "Three lines do the same: the third is said to be the second, but that one has been left out. "
                "Which name stays the first one's?",
                "zh": "三行做同样的事：第三行被记作第二行，可第二行已经省掉了。谁的名字才是第一个的？",
            },
        ),
        Wrong(
            HEAD
            + "    short, first, same_as = [], {}, {}\n    for name, op, a, b in program:\n"
            + "        inputs = [same_as.get(a, a), same_as.get(b, b)]\n        does = (op, *inputs)\n"
            + MERGE
            + GIVE,
            {
                "en": "Not every op reads two: `neg` reads one. `name, op, *inputs` takes as many as there are.",
                "zh": "不是每个 op 都读两个：`neg` 只读一个。`name, op, *inputs` 有几个取几个。",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        first[(op, *inputs)] = (name, op, *inputs)\n"
            "    return list(first.values()), result",
            {
                "en": "A dictionary keeps the last line that is put under a key, so the first one is gone, and others "
                "read its name. Which lines should be left out?",
                "zh": "字典的一个键下只留最后放进去的一行，于是第一行没了，而别的行还在读它的名字。该省掉的是哪些行？",
            },
            uses="values",
        ),
        Wrong(
            HEAD
            + "    short = []\n    for name, op, *inputs in program:\n        does = (op, *inputs)\n"
            + "        if does not in short:\n            short.append(does)\n    return short, result",
            {
                "en": "A line begins with its name: without one nobody can read it.",
                "zh": "一行以名字开头：没有名字，谁也读不到它。",
            },
        ),
        Wrong(
            HEAD
            + FILL
            + "        inputs = [same_as[each] for each in inputs]\n        does = (op, *inputs)\n"
            + MERGE
            + GIVE,
            {
                "en": "`w` stands for itself: only what has been left out has another name. What does a dictionary's "
                "`get` give where there is no such key?",
                "zh": "`w` 就是它自己：只有省掉的才有别的名字。没有这个键时，字典的 `get` 给出什么？",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = (op, *inputs)\n" + MERGE + "    return short, same_as[result]",
            {
                "en": "The result has another name only if its line was left out. And if it was not?",
                "zh": "只有结果那一行被省掉时，它才有别的名字。没省掉呢？",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = [op, *inputs]\n" + MERGE + GIVE,
            {
                "en": "A dictionary's key must be something that can't change: a tuple, `(op, *inputs)`.",
                "zh": "字典的键必须是不会变的东西：元组，`(op, *inputs)`。",
            },
        ),
        Wrong(
            HEAD + FILL + RENAME + "        does = (op, *inputs)\n" + MERGE + "    return short",
            {
                "en": "The list alone is not enough: under which name is the result found in it?",
                "zh": "只有列表还不够：结果在其中叫什么名字？",
            },
        ),
    ],
    because={
        "en": "That is a pass, as compilers have many: a list of operations goes in, a shorter one that gives the same "
        "comes out.",
        "zh": "这就是编译器里众多“趟”中的一趟：进去一个操作列表，出来一个更短而结果相同的列表。",
    },
)


def is_number(given):
    return isinstance(given, int | float)


OTHER_UNIT = {"en": "One time is in ms, the other ones in µs.", "zh": "一个时间是 ms，其余是 µs。"}
MADE_UP = {
    "en": "60 ms are what the trace costs. How much of that does one call save, and how many calls save it all?",
    "zh": "60 ms 是追踪的花费。一次调用省多少？省回全部要多少次？",
}
LEVEL = {
    "en": "Nearly: asked is when they are level, not one call before it or after.",
    "zh": "差一点：问的是两者持平的时候，不是前一次或后一次。",
}

pays = value(
    "pays",
    task={
        "en": "To trace costs 60 ms, once. Then a call costs 200 µs; without a trace it costs 300 µs. After how many "
        "calls have both cost the same?",
        "zh": "追踪一次花 60 ms。之后每次调用 200 µs；不追踪则每次 300 µs。多少次调用之后两者花费相同？",
    },
    gap="answer = ...",
    tell=lambda calls: (
        {"en": f"Not after {calls:g} calls.", "zh": f"不是 {calls:g} 次。"} if is_number(calls) else None
    ),
    solution="answer = 60_000 / (300 - 200)",
    hints=[
        {"en": "How much does one call save?", "zh": "每次调用省多少？"},
        {
            "en": "60 ms are 60 000 µs. How often must the saving come to make up for them?",
            "zh": "60 ms 是 60 000 µs。要省多少次才能补上？",
        },
    ],
    wrong=[
        Wrong(
            "answer = 60_000 / 300",
            {
                "en": "By then calls without a trace have cost 60 ms. But calls with one cost something, too.",
                "zh": "到那时不追踪的调用花了 60 ms。可追踪后的调用也要花时间。",
            },
        ),
        Wrong(
            "answer = 60_000 / 200",
            {
                "en": "So it would be if a call without a trace cost 400 µs. It costs 300: how much does a call save?",
                "zh": "如果不追踪每次 400 µs 才是这样。实际是 300：每次省多少？",
            },
        ),
        Wrong(
            "answer = 60_000 / (300 + 200)",
            {"en": "What counts is the difference: how much does a call save?", "zh": "要看的是差：每次调用省多少？"},
        ),
        *(Wrong(f"answer = {wrong}", OTHER_UNIT) for wrong in ("60 / (300 - 200)", "60_000_000 / (300 - 200)")),
        Wrong(
            "answer = 60_000 / (200 - 300)",
            {
                "en": "No number of calls is negative. Which call is the dearer one?",
                "zh": "次数不会是负数。哪种调用更贵？",
            },
        ),
        *(Wrong(f"answer = {cost}", MADE_UP) for cost in (60, 60_000)),
        *(Wrong(f"answer = {one_off}", LEVEL) for one_off in (599, 601)),
        Wrong(
            "answer = (60_000 - 200) / (300 - 200)",
            {
                "en": "The 60 ms are for the trace alone; the first call comes on top of them, as all others do.",
                "zh": "60 ms 只是追踪的花费；第一次调用和别的一样，另外再算。",
            },
        ),
        Wrong(
            "answer = 300 - 200",
            {
                "en": "So much is saved in each call. How often, until 60 ms are saved?",
                "zh": "这是每次调用省下的。要多少次才省出 60 ms？",
            },
        ),
    ],
    because={
        "en": "The lines are n · 300 and 60 000 + n · 200. Called less often, the trace has cost more than it saved.",
        "zh": "两条线是 n · 300 和 60 000 + n · 200。调用得更少时，追踪花的比省的多。",
    },
)


# -- before and after --------------------------------------------------------------------------------

SLOWER = {"slower": {"en": "slower", "zh": "更慢"}, "faster": {"en": "faster", "zh": "更快"}}

probe(
    12,
    "Python runs at each call",
    before=Ask(
        ask={
            "en": "`minigrad.jit(f)` compiles f. What is `len(runs)`?",
            "zh": "`minigrad.jit(f)` 编译 f。`len(runs)` 是多少？",
        },
        code="""
import minigrad

runs = []

def f(x):
    runs.append("Python was here")
    return x * x

fast = minigrad.jit(f)
for number in 1.0, 2.0, 3.0:
    y = fast(minigrad.tensor(number))
""",
        choices={
            "0": {"en": "`jit` has to call f once, to see what it does.", "zh": "`jit` 得调用一次 f，看它做什么。"},
            "1": {
                "en": "The first call is recorded; afterwards the recording runs, and Python is not asked.",
                "zh": "第一次调用被记录；之后运行的是记录，不再问 Python。",
            },
            "3": {
                "en": "So it is without jit. What was compiled holds operators, and `append` is none.",
                "zh": "没有 jit 才是这样。编译后的东西只装算子，而 `append` 不是算子。",
            },
        },
        right="1",
        proof="answer = str(len(runs))",
    ),
    after=Ask(
        ask={"en": "What is `len(runs)` now?", "zh": "现在 `len(runs)` 是多少？"},
        code="""
import minigrad

runs = []

def f(x):
    runs.append("Python was here")
    return x * x

fast = minigrad.jit(f)
for size in 2, 4, 2, 4:
    y = fast(minigrad.ones(size))
""",
        choices={
            "1": {"en": "A trace is good for one shape. Here are two.", "zh": "一次追踪只适合一种形状。这里有两种。"},
            "2": {"en": "One for each shape; both are kept.", "zh": "每种形状一次；两个都留着。"},
            "4": {"en": "Are the first two thrown away?", "zh": "前两个被扔掉了吗？"},
        },
        right="2",
        proof="answer = str(len(runs))",
    ),
)
probe(
    12,
    "a Python number is read anew",
    before=Ask(
        ask={"en": "What is y?", "zh": "y 是多少？"},
        code="""
import minigrad

settings = {"times": 2}
fast = minigrad.jit(lambda x: x * settings["times"])
fast(minigrad.tensor(3.0))
settings["times"] = 5
y = fast(minigrad.tensor(3.0))
""",
        choices={
            "6": {
                "en": "The trace holds a 2. Python is not asked again, so the dictionary isn't read.",
                "zh": "追踪里装着 2。不再问 Python，也就不再读那个字典。",
            },
            "15": {
                "en": "For that Python would have to look into the dictionary again.",
                "zh": "那样 Python 得再看一次字典。",
            },
            "error": {"en": "There is no error, and that is the trap.", "zh": "并没有报错，陷阱就在这里。"},
        },
        right="6",
        proof="answer = f'{y.item():g}'",
        labels={"error": {"en": "an error", "zh": "报错"}},
    ),
    after=Ask(
        ask={"en": "What is y?", "zh": "y 是多少？"},
        code="""
import minigrad

scale, power = minigrad.tensor(2.0), [2]
fast = minigrad.jit(lambda x: scale * x ** power[0])
fast(minigrad.tensor(3.0))
scale.mul_(10)
power[0] = 3
y = fast(minigrad.tensor(3.0))
""",
        choices={
            "18": {
                "en": "`scale` is a tensor from outside: its numbers are read at each call.",
                "zh": "`scale` 是外面的张量：它的数每次调用都会读。",
            },
            "54": {
                "en": "It is the other way round: which of the two is a tensor?",
                "zh": "正好相反：两者中哪个是张量？",
            },
            "180": {
                "en": "The tensor is read anew, 20; the exponent is Python's and stays 2.",
                "zh": "张量会重新读，是 20；指数是 Python 的，仍是 2。",
            },
            "540": {"en": "The exponent is Python's: it is frozen as 2.", "zh": "指数是 Python 的：冻结为 2。"},
        },
        right="180",
        proof="answer = f'{y.item():g}'",
    ),
)
probe(
    12,
    "compiled is faster",
    before=Ask(
        ask={
            "en": "A call of f takes 700 µs. Compiled, it takes 400 µs; but compiling takes 30 ms, once. You call f "
            "50 times. In all, compiling makes that",
            "zh": "调用一次 f 要 700 µs。编译之后只要 400 µs；但编译本身要 30 ms，一次。"
            "你调用 f 50 次。总的来说，编译使它",
        },
        choices={
            "faster": {
                "en": "Each call is. 50 calls save 15 ms, and 30 were spent.",
                "zh": "单次是的。50 次省 15 ms，却花了 30。",
            },
            "slower": {
                "en": "50 · 300 µs are 15 ms: half of what was spent.",
                "zh": "50 · 300 µs 是 15 ms：只是花费的一半。",
            },
        },
        right="slower",
        proof="answer = 'faster' if 30_000 + 50 * 400 < 50 * 700 else 'slower'",
        labels=SLOWER,
    ),
    after=Ask(
        ask={
            "en": "1000 sentences, each of a length of its own, are read once each. To trace takes 30 ms; then a "
            "call takes 400 µs instead of 700. With traces that is",
            "zh": "1000 个句子，长度各不相同，各读一次。追踪 30 ms；之后每次 400 µs 而不是 700。用追踪会",
        },
        choices={
            "faster": {
                "en": "There are 1000 calls, but how many of them have a length that was there before?",
                "zh": "虽有 1000 次调用，可其中多少次的长度以前出现过？",
            },
            "slower": {
                "en": "Each length wants a trace of its own, which then runs once. Nothing has paid.",
                "zh": "每种长度都要一次追踪，而它只跑一次。都没有赚回来。",
            },
        },
        right="slower",
        proof="answer = 'faster' if 1000 * (30_000 + 400) < 1000 * 700 else 'slower'",
        labels=SLOWER,
    ),
)

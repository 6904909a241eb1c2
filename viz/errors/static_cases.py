"""The errors that everybody meets who builds a graph first and runs it later: what they mean, and what to do.

Their texts are TensorFlow's. Read case.py first; cases.py has those of autograd.
"""

from __future__ import annotations

from .case import Case

STATIC = (
    Case(
        "symbol as truth",
        r"(Using a `tf.Tensor` as a Python `bool`|Iterating over a symbolic `tf.Tensor`) is not allowed",
        {
            "en": "Python had to decide by this value, while the graph was still being built. It is a symbol: its "
            "number "
            "comes in a run.",
            "zh": "Python 要根据这个值作决定，而图还在建造之中。它只是符号：数要到运行时才有。",
        },
        {
            "en": (
                "For a loop: `tf.while_loop(cond, body, [i])` makes the loop itself an operation of the graph. Mind "
                "the brackets: what it carries comes as a list, even if it is one.",
                "For a choice: `tf.cond(x > 0.0, lambda: x, lambda: -x)` puts both ways into the graph.",
            ),
            "zh": (
                "循环：`tf.while_loop(cond, body, [i])` 把循环本身变成图里的一个操作。注意方括号："
                "循环变量要放在列表里，哪怕只有一个。",
                "分支：`tf.cond(x > 0.0, lambda: x, lambda: -x)` 把两条路都放进图里。",
            ),
        },
    ),
    Case(
        "not fed",
        r"You must feed a value for placeholder tensor",
        {
            "en": "What you fetch needs this placeholder, and the run was given no value for it.",
            "zh": "要取回的结果需要这个占位符，而这次运行没有喂给它值。",
        },
        {
            "en": (
                "Feed it, in every run that needs it: `session.run(y, {x: 5.0})`.",
                "Or build with a value that is there: `x = tf.constant(5.0)`, or a `tf.Variable` if it shall change.",
            ),
            "zh": (
                "每次需要它的运行都要喂入：`session.run(y, {x: 5.0})`。",
                "或者用现成的值来建图：`x = tf.constant(5.0)`；要改变它就用 `tf.Variable`。",
            ),
        },
    ),
    Case(
        "not initialized",
        r"Attempting to use uninitialized value",
        {
            "en": "A variable is empty in each new session. What it begins with is written by an operation, and nobody "
            "has "
            "run that one here.",
            "zh": "在每个新会话里变量都是空的。它的初值由一个操作写入，而这里还没有人运行它。",
        },
        {
            "en": (
                "After the session is made: `session.run(tf.global_variables_initializer())`, built beside the graph.",
                "Or that of one variable: `session.run(w.initializer)`.",
            ),
            "zh": (
                "建好会话之后：`session.run(tf.global_variables_initializer())`，它要和图建在一起。",
                "或者只初始化一个变量：`session.run(w.initializer)`。",
            ),
        },
    ),
    Case(
        "another graph",
        r"is not an element of this graph|must be from the same graph as|The Session graph is empty",
        {
            "en": "What is asked for stands in another graph than the one that is used here. Perhaps the session was "
            "opened "
            "beside it; or a cell that ran again has built a new graph, and a name still holds what was in the old "
            "one.",
            "zh": "所要的东西在另一张图里。也许会话开在了别的图上；也许重新运行过的单元建了新图，"
            "而旧的名字还指着旧图里的东西。",
        },
        {
            "en": (
                "Open the session on the graph that the symbol is in: `tf.Session(graph=y.graph)`.",
                "Or run the cells that build it again, all of them, and then this one.",
            ),
            "zh": (
                "用符号所在的图打开会话：`tf.Session(graph=y.graph)`。",
                "或者把建图的单元全部重新运行，再运行这一个。",
            ),
        },
    ),
    Case(
        "no fetch",
        r"^(Fetch argument|Argument `fetch` =) .*"
        r"(has invalid type|Tensor which does not exist|Operation not in the graph)",
        {
            "en": "A session was asked for something that no line has put into its graph: nothing, a number of "
            "Python's, or "
            "a name that is not there.",
            "zh": "向会话索取的东西并不在它的图里：什么也没有，或是 Python 的数，或是不存在的名字。",
        },
        {
            "en": (
                "Fetch what building gave you: `y = w * 2.0`, then `session.run(y)`. A function that builds must "
                "`return` it.",
                "By its name it is fetched as `session.run(y.name)`, which ends in `:0`; a plain number needs no "
                "session.",
            ),
            "zh": (
                "取回建图时得到的东西：`y = w * 2.0`，然后 `session.run(y)`。建图的函数要 `return` 它。",
                "按名字取回用 `session.run(y.name)`，名字以 `:0` 结尾；普通的数用不着会话。",
            ),
        },
    ),
)

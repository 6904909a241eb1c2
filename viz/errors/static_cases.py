"""The common errors with a graph that is built first and run later: what they mean, and what to do.

Their texts are TensorFlow's. Read case.py first; cases.py has those of autograd.
"""

from __future__ import annotations

from .case import Case, tr

STATIC = (
    Case(
        "symbol as truth",
        r"(Using a `tf.Tensor` as a Python `bool`|Iterating over a symbolic `tf.Tensor`) is not allowed",
        tr(
            "Python had to decide by this value, while the graph was still being built. It is a symbol: its number "
            "comes in a run."
        ),
        (
            tr(
                "For a loop: `tf.while_loop(cond, body, [i])` makes the loop itself an operation of the graph. Mind "
                "the brackets: what it carries comes as a list, even if it is one."
            ),
            tr("For a choice: `tf.cond(x > 0.0, lambda: x, lambda: -x)` puts both ways into the graph."),
        ),
    ),
    Case(
        "not fed",
        r"You must feed a value for placeholder tensor",
        tr("What you fetch needs this placeholder, and the run was given no value for it."),
        (
            tr("Feed it, in every run that needs it: `session.run(y, {x: 5.0})`."),
            tr("Or build with a value that is there: `x = tf.constant(5.0)`, or a `tf.Variable` if it shall change."),
        ),
    ),
    Case(
        "not initialized",
        r"Attempting to use uninitialized value",
        tr(
            "A variable is empty in each new session. What it begins with is written by an operation, and nobody has "
            "run that one here."
        ),
        (
            tr("After the session is made: `session.run(tf.global_variables_initializer())`, built beside the graph."),
            tr("Or that of one variable: `session.run(w.initializer)`."),
        ),
    ),
    Case(
        "another graph",
        r"is not an element of this graph|must be from the same graph as|The Session graph is empty",
        tr(
            "What is asked for stands in another graph than the one that is used here. Perhaps the session was opened "
            "beside it; or a cell that ran again has built a new graph, and a name still holds what was in the old one."
        ),
        (
            tr("Open the session on the graph that the symbol is in: `tf.Session(graph=y.graph)`."),
            tr("Or run the cells that build it again, all of them, and then this one."),
        ),
    ),
    Case(
        "no fetch",
        r"^(Fetch argument|Argument `fetch` =) .*"
        r"(has invalid type|Tensor which does not exist|Operation not in the graph)",
        tr(
            "A session was asked for something that no line has put into its graph: nothing, a number of Python's, or "
            "a name that is not there."
        ),
        (
            tr(
                "Fetch what building gave you: `y = w * 2.0`, then `session.run(y)`. A function that builds must "
                "`return` it."
            ),
            tr(
                "By its name it is fetched as `session.run(y.name)`, which ends in `:0`; a plain number needs no "
                "session."
            ),
        ),
    ),
)

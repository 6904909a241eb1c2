"""Whether a hint may be said of an answer: it speaks of the answer's own code, or of the exercise; and what it claims
holds.

A word between backticks is in the answer, or in the exercise (its cell, task, hints or solution), or it is one of
ELSEWHERE: advice, and examples that a hint gives. A word that belongs to a wrong answer alone must be in the answer.

`refuted` holds each hint against CLAIMS, a table of what hints say and how to see whether it is true: that code has a
`return` inside a loop, that a line never runs, that a set is empty. An instruction is a claim, too: the code does not
have what it tells the reader to write.

python -m tests.verdicts.hints              every hint of the corpus with its claims, and how many answers get it
python -m tests.verdicts.hints descend      those of these exercises
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from textwrap import dedent

from viz.lesson.advice import followed
from viz.lesson.reading import WRITTEN, bound, constructs, mentioned
from viz.lesson.task import TASKS, Task, Wrong
from viz.locale import pick

from .corpus import Answer

# What a hint mentions although neither the code nor the exercise has it: each word was read in its sentence.
ELSEWHERE = {
    "both_losses": "data no_grad detach",  # a list of examples
    "clip_by_hand": "net clip_grad_value_",  # where an iterator comes from; what clips in this way
    "cut_the_state": "requires_grad grad_fn not is if with",  # the general rule; what to print; a missing `with`
    "descend": "None",
    "fetch_it": "assign",
    "flat_line": "weight",
    "jacobian": "clone None",
    "ledger": "retain_grad",
    "left_behind": "grad group is p param_groups params if for in",  # a line that shows what the optimizer holds
    "mend_while": "cond body if while lambda",  # the names of the two functions in TensorFlow's documentation
    "own_call": "+ / w no_grad",  # examples of calls
    "own_run": "_grad",
    "rnn_step": "backward",
    "share": "+ w x v neg",  # lines of a program
    "short_memory": "grad requires_grad_",
    "slope_back": "*=",
    "small_start": "loss",
    "three_gradients": "clone requires_grad_",
    "unroll": "squeeze",
    "unseen_weights": "state_dict eval",
}


def unproved(answer: Answer, hint: str) -> set[str]:
    """The words of a hint that nothing in the answer or its exercise accounts for."""
    task = TASKS[answer.name]
    wrongs = [wrong for wrong in task.wrong if pick(wrong.hint, "en") == hint]
    if task.kind == "order" or not wrongs:  # a sentence of the check itself, which names the line
        return set()
    own = constructs(answer.code) | words(answer.code)
    given = (task.solution, task.gap, pick(task.task, "en"), *(pick(each, "en") for each in task.hints))
    known = own | {word for text in given for word in words(text)} | {*ELSEWHERE.get(task.name, "").split()}
    return (mentioned(hint) - known) | min((of_the_mistake(task, wrong, own) for wrong in wrongs), key=len)


def of_the_mistake(task: Task, wrong: Wrong, own: frozenset[str] | set[str]) -> set[str]:
    """The constructs of a mistake that its hint mentions and an answer with these constructs does not have. Of a list
    of examples (`detach`, `.data` or `no_grad`), one is enough."""
    hint = pick(wrong.hint, "en")
    marks = (constructs(wrong.code) - constructs(task.solution) - bound(wrong.code)) & mentioned(hint)
    examples = {"detach", "data", "no_grad"}
    return {mark for mark in marks - own if not (mark in examples and " or `" in hint and examples & own)}


def words(text: str) -> set[str]:
    return {*WRITTEN.findall(text)}


def tree(code: str) -> ast.AST:
    return ast.parse(dedent(code))


def in_a_loop(code: str, kind: type[ast.AST]) -> bool:
    """Whether a `for` or a `while` contains such a statement."""
    loops = [node for node in ast.walk(tree(code)) if isinstance(node, (ast.For, ast.While))]
    return any(isinstance(each, kind) for loop in loops for each in ast.walk(loop))


def line_of(hint: str, code: str) -> str:
    """The line of an answer that a hint names by its number."""
    return code.splitlines()[int(re.search(r"In line (\d+)", hint)[1]) - 1]


def quoted(hint: str) -> str:
    return hint.split("`")[1]


def missing(hint: str) -> str:
    """The call that a hint misses, without the object before it: ".step(" """
    return "." + re.search(r"never calls `(?:\w+\.)*(\w+\()", hint)[1]


# What a hint says (a pattern), and whether that is true: (hint, code, the whole reply) -> bool
CLAIMS: dict[str, Callable[[str, str, str], bool]] = {
    r"In line \d+, `": lambda hint, code, _: quoted(hint).rstrip("…") in line_of(hint, code),
    r"never runs, because it is below a `": lambda hint, code, _: hint.split("`")[3] in code,
    r"only compares two values": lambda hint, code, _: "==" in line_of(hint, code),
    r"it needs brackets, `\(\)`": lambda hint, code, _: f"{quoted(hint)}(" not in line_of(hint, code),
    r"The cell gives the line `": lambda hint, code, _: (
        hint.split("`")[1] not in {line.partition("#")[0].strip() for line in code.splitlines()}
        and hint.split("`")[3] in code
    ),
    r"`return` (is )?inside (the|a) loop": lambda _, code, __: in_a_loop(code, ast.Return),
    r"(set|list|list of losses|result) is empty": lambda _, __, reply: "`[]`" in reply or "`set()`" in reply,
    r"`detach` cuts|clone` makes": lambda hint, code, _: quoted(hint) in code,
    r"sets `leaf.grad` to None": lambda _, code, __: "leaf.grad = None" in code,
    r"never calls `[\w.]+\(\)`": lambda hint, code, _: missing(hint) not in code,
    r"your loop runs zero times": lambda _, code, __: bool(re.search(r"range\((0|-\w+)\)", code)),
    r"`zero_grad` runs between `backward` and `step`": lambda _, code, __: bool(
        re.search(r"\.backward\(.*\.zero_grad\(.*\.step\(", code, re.DOTALL)
    ),
    r"^The gradients have not changed": lambda _, __, reply: "expected gradients" in reply,
    r"^The (weight does not learn|weights do not move)": lambda _, __, reply: "stopped" not in reply,
    r"is None\b.*because `loss` is not a leaf": lambda _, code, __: "loss.grad" in code,
    r"^`torch\.no_grad\(\)` has no effect|^Without `with`, `torch": lambda _, code, __: (
        not re.search(r"with (torch|minigrad)\.no_grad", code)
    ),
}


def refuted(answer: Answer, hint: str, reply: str) -> list[str]:
    """The claims of a hint that are not true of an answer."""
    task = TASKS[answer.name]
    if task.kind == "order" or not hint:
        return []
    found = [said for said, holds in CLAIMS.items() if re.search(said, hint) and not holds(hint, answer.code, reply)]
    wrongs = [wrong for wrong in task.wrong if pick(wrong.hint, "en") == hint]
    if wrongs and all(followed(hint, answer.code) - followed(hint, wrong.code) for wrong in wrongs):
        found.append("the answer has what the hint tells the reader to write")
    return found


def main(names: list[str]) -> int:
    """Print each hint with the number of its answers and its claims; how many claims are not true is returned."""
    import minigrad

    from .corpus import answers
    from .run import names_for, verdict_on

    false = groups = 0
    for name in names or names_for(minigrad):
        found: dict[str, list[tuple[Answer, str]]] = {}
        for answer in answers(name):
            verdict = verdict_on(answer, minigrad)
            if verdict.hint and not verdict.right:
                found.setdefault(verdict.hint, []).append((answer, verdict.text))
        for hint, given in found.items():
            wrong = [(answer, claims) for answer, text in given if (claims := refuted(answer, hint, text))]
            claims = [said for said in CLAIMS if re.search(said, hint)]
            print(f"{name:18} {len(given):4} {len(wrong):4}  {hint}  {claims or ''}", flush=True)
            for answer, said in wrong:
                print(f"    {said}\n        " + answer.code.strip().replace("\n", "\n        "))
            false, groups = false + len(wrong), groups + 1
    print(f"{groups} hints, {false} answers of which a claim is not true")
    return false


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))

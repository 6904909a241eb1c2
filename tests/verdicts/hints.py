"""Whether a hint may be said of an answer: it speaks of the answer's own code, or of the exercise.

A word between backticks is in the answer, or in the exercise (its cell, task, hints or solution), or it is one of
ELSEWHERE: advice, and examples that a hint gives. A word that belongs to a wrong answer alone must be in the answer.
"""

from __future__ import annotations

from viz.lesson.reading import WRITTEN, bound, constructs, mentioned
from viz.lesson.task import TASKS, Task, Wrong
from viz.locale import pick

from .corpus import Answer

# What a hint mentions although neither the code nor the exercise has it: each word was read in its sentence.
ELSEWHERE = {
    "both_losses": "data no_grad detach",  # a list of examples
    "clip_by_hand": "net clip_grad_value_",  # where an iterator comes from; what clips in this way
    "cut_the_state": "requires_grad grad_fn not is if",  # the general rule; what to print
    "descend": "None",
    "fetch_it": "assign",
    "jacobian": "clone None",
    "ledger": "retain_grad",
    "left_behind": "is p param_groups params if for in",  # a line that shows what the optimizer holds
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

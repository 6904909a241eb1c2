"""Every answer of findings.md, answered rightly: on minigrad, and with `-m torch` on PyTorch."""

import re
import shlex
from pathlib import Path

import pytest

import minigrad
from viz.lesson.task import TASKS

from .corpus import Answer, whole
from .run import ON_MINIGRAD, verdict_on

PAGE = Path(__file__).with_name("findings.md").read_text(encoding="utf-8")
FOUND = re.findall(r"^## ([^\n]*)\n\n```python\n(.*?)\n```$", PAGE, flags=re.M | re.S)


@pytest.mark.parametrize(
    ("title", "code"), FOUND, ids=[f"{at}-{title.split()[0]}" for at, (title, _) in enumerate(FOUND)]
)
def test_each_answer_of_the_findings_is_answered_rightly(title, code, torch):
    name, said, *words = shlex.split(title)
    if torch is not minigrad and name in ON_MINIGRAD:
        pytest.skip("minigrad alone has this trace")
    verdict = verdict_on(Answer(name, whole(TASKS[name], code)), torch)
    assert verdict.right == (said == "right"), verdict.text
    unwanted = False
    for word in words:
        if word == "not":
            unwanted = True
            continue
        assert (word in verdict.text) != unwanted, verdict.text
        unwanted = False

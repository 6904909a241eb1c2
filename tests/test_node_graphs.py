"""The graph behind what a layer or a function gives is PyTorch's: the names of its nodes, and their edges.

node_programs.py holds the calls, op_cases.py more of them; nodes.json holds what PyTorch 2.13 gave. `pytest -m torch`
runs them on the installed torch, so that the record is true. What differs for a reason is named in `OTHERWISE`.
"""

import op_cases_of_samples  # noqa: F401  # it adds its cases, and those of layers
import pytest
from goldens.record_nodes import GOLDENS, attempt, of_case
from goldens.telling import record
from node_programs import GRAPHS
from op_cases import CASES
from together import each, grouped

RECORDED = record(GOLDENS)
CALLS = {name: lambda torch, each=each: attempt(torch, *each) for name, each in GRAPHS.items()}
CALLS |= {f"case {name}": lambda torch, case=case: of_case(torch, case) for name, case in CASES.items()}


NUMBER = "its number is an input of the node here, and none in PyTorch: the node has no gradient to send"
EINSUM = "the same products in another order of the operands, or of their axes in memory"
OTHERWISE = {  # what has other nodes behind its own here, and why
    "case floor_divide-28": NUMBER,
    "case floor_divide-29": NUMBER,
    "case sum-24": "sum(dtype=…) is a sum of a copy in that type",
    "case einsum-2": EINSUM,
    "case einsum-6": EINSUM,
    "case setitem-10": "a value with axes of size 1 in front is expanded as it is, and not viewed without them before",
    "case setitem-17": "the same",
}


@pytest.fixture(scope="module", params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def torch(request):
    if request.param == "torch":
        return pytest.importorskip("torch", reason='needs the real PyTorch: pip install "torch==2.13.0"')
    import minigrad

    return minigrad


@pytest.mark.parametrize("names", grouped(CALLS).values(), ids=grouped(CALLS))
def test_the_graph_of_a_call_is_pytorchs(torch, names):
    def check(name):
        found = CALLS[name](torch)
        if name in OTHERWISE and torch.__name__ == "minigrad":
            assert found != RECORDED[name], "it is PyTorch's now: take it off the list"
            assert [text.partition("(")[0] for text in found] == [text.partition("(")[0] for text in RECORDED[name]]
        else:
            assert found == RECORDED[name]

    each(names, check)


def test_the_record_is_of_these_calls():
    assert list(RECORDED) == list(CALLS), "record them anew: python -m tests.goldens nodes"

"""What `help` says: each public name has a docstring, each function an example that runs, and shows its arguments.

In the examples `torch` is minigrad and `F` its nn.functional. argument_names.json holds what PyTorch's functions call
their arguments; `python tests/goldens/record_argument_names.py` records it. `pytest -m torch` sees that this record is
true, and runs the examples on PyTorch too.
"""

import doctest
import inspect
import json
import subprocess
import sys
import warnings
from operator import attrgetter

import pytest
from goldens.record_argument_names import GOLDENS, argument_names, functions
from test_doc_examples import outcome

import minigrad

PLACES = ("", "linalg", "nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.rnn", "nn.parameter", "optim")
PLACES += ("optim.lr_scheduler", "autograd", "autograd.graph", "autograd.functional", "distributions", "random")
PLACES += ("utils.data", "utils.checkpoint", "Tensor", "nn.Module", "optim.Optimizer")
FUNCTIONS = functions(minigrad)
RECORDED = json.loads(GOLDENS.read_text())
NUMPYS = {"axis", "keepdims"}  # which will do, too
NOT_HERE = {"layout", "pin_memory", "memory_format", "names", "sparse_grad", "out_dtype"}
DIFFERENT = {  # function: which names differ, and why
    "det": ({"A", "input"}, "minigrad.linalg's own, which PyTorch calls so there"),
    "inverse": ({"A", "input", "out"}, "minigrad.linalg's own, which PyTorch calls so there"),
    "max": ({"other"}, "the second tensor stands in the place of `dim`"),
    "min": ({"other"}, "the second tensor stands in the place of `dim`"),
    "load": ({"pickle_module"}, "nothing is pickled"),
    "save": (
        {"pickle_module", "pickle_protocol", "_use_new_zipfile_serialization", "_disable_byteorder_record"},
        "nothing is pickled",
    ),
    "norm": ({"dtype"}, "left to linalg.norm"),
    "histogram": ({"out"}, "two results"),
    "split": ({"input", "tensor"}, "`input` as everywhere"),
    "swapaxes": ({"dim0", "dim1", "axis0", "axis1"}, "is transpose"),
    "true_divide": ({"rounding_mode"}, "is div"),
    "moveaxis": ({"out"}, "is movedim"),
    "isin": ({"element", "test_element"}, "one name for a tensor and a number"),
    "hsplit": ({"indices_or_sections", "indices", "sections"}, "one name for both, as in PyTorch's text"),
    "vsplit": ({"indices_or_sections", "indices", "sections"}, "one name for both, as in PyTorch's text"),
    "tensor_split": (
        {"indices_or_sections", "indices", "sections", "tensor_indices_or_sections"},
        "one name for both, as in PyTorch's text",
    ),
    **dict.fromkeys(("index_fill", "roll"), ({"out"}, "takes `out`, too")),
    **dict.fromkeys(
        ("randint", "randperm", "tril_indices", "triu_indices"), ({"requires_grad"}, "integers have no slopes")
    ),
}
ONLY_HERE = {  # function: why its example gives something else in PyTorch
    "set_flush_denormal": "a matter of the processor; NumPy can't ask it",
}


def public():
    """(name, thing) of every public class, function, method and property."""
    for place in PLACES:
        owner = attrgetter(place)(minigrad) if place else minigrad
        for name in dir(owner):
            thing = inspect.getattr_static(owner, name, None) or getattr(owner, name)
            ours = isinstance(thing, property) or "minigrad" in (getattr(thing, "__module__", None) or "minigrad")
            if name[0] != "_" and ours and (callable(thing) or isinstance(thing, property)):
                yield f"{place}.{name}".lstrip("."), thing


def test_every_public_name_says_what_it_is():
    """Itself: a class has not its base's docstring, and an operator not one that says nothing."""
    said = {name: vars(x).get("__doc__") if isinstance(x, type) else x.__doc__ for name, x in public()}
    assert len(said) > 1000
    assert not [name for name, doc in said.items() if not doc or "as in PyTorch. What it computes" in doc]


def example(name):
    """The example in a function's docstring."""
    return doctest.DocTestParser().get_doctest(
        inspect.getdoc(FUNCTIONS[name]) or "", {}, name, inspect.unwrap(FUNCTIONS[name]).__code__.co_filename, 0
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_functions_example_gives_what_it_says(name, doctest_namespace):
    test = example(name)
    assert test.examples, f"{name} has no example: two to four lines that teach something"
    test.globs.update(doctest_namespace)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    with warnings.catch_warnings():
        runner.run(test, out=said.append)
    assert not said, "".join(said)


LOOK = """
import inspect, minigrad as torch
from goldens.record_argument_names import functions
from minigrad.methods import pointwise

x = torch.ones(1, requires_grad=True)
before = {name: str(inspect.signature(f)) for name, f in functions(torch).items()}
for name in pointwise.__all__:
    whole = name.startswith("bitwise")
    given = [x.detach().long() if whole else x] * (1 + ("other" in before[name]))
    getattr(torch, name)(*given)
after = {name: str(inspect.signature(f)) for name, f in functions(torch).items()}
print({name: (before[name], after[name]) for name in before if before[name] != after[name]})
print([name for name, said in before.items() if "params" in said or "*inputs" in said])
print(before["exp"], before["eq"], before["add"])
"""


@pytest.mark.parametrize("fast", ["0", "1"])
def test_arguments_are_shown_before_the_first_call_as_after_it(fast):
    run = subprocess.run(
        [sys.executable, "-c", LOOK],
        **{"capture_output": True, "text": True, "check": False, "cwd": "tests"},
        env={"MINIGRAD_FAST": fast, "PYTHONPATH": ".."},
    )
    signatures = "(input, *, out=None) (input, other, *, out=None) (input, other, *, alpha=1, out=None)"
    assert run.stdout.splitlines() == ["{}", "[]", signatures], run.stderr


def test_the_argument_names_are_those_of_the_record():
    assert [*RECORDED] == [*FUNCTIONS], "record them anew: python tests/goldens/record_argument_names.py"


def test_a_functions_arguments_are_called_as_in_pytorch():
    wrong = {}
    for name, function in FUNCTIONS.items():
        parameters = inspect.signature(function).parameters.values()
        named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)} - NUMPYS
        differ = named ^ ({*RECORDED[name]} - NOT_HERE)
        by_place_alone = any(p.kind is p.POSITIONAL_ONLY for p in parameters)
        if RECORDED[name] and not by_place_alone and differ != DIFFERENT.get(name, (set(),))[0]:
            wrong[name] = differ
    assert not wrong


@pytest.mark.torch
def test_the_record_is_true():
    torch = pytest.importorskip("torch")
    assert {name: argument_names(torch, name) for name in RECORDED} == RECORDED


@pytest.mark.torch
def test_the_examples_give_the_same_in_pytorch():
    torch = pytest.importorskip("torch")
    found = {name: outcome(torch, minigrad, [each.source for each in example(name).examples]) for name in FUNCTIONS}
    assert {name: differs for name, differs in found.items() if differs and name not in ONLY_HERE} == {}

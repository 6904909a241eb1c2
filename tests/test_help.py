"""What `help` says: each public name has a docstring, each function an example that runs, and shows its arguments.

In the examples `torch` is minigrad and `F` its nn.functional. argument_names.json holds what PyTorch's functions call
their arguments; `python tests/goldens/record_argument_names.py` records it. `pytest -m torch` sees that this record is
true, and runs the examples on PyTorch too.
"""

import builtins
import doctest
import inspect
import io
import os
import re
import subprocess
import sys
import warnings
from operator import attrgetter

import pytest
from goldens.record_argument_names import GOLDENS, argument_names, functions
from goldens.telling import record
from test_doc_examples import outcome

import minigrad

PLACES = ("", "linalg", "nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.rnn", "nn.parameter", "optim")
PLACES += ("optim.lr_scheduler", "autograd", "autograd.graph", "autograd.functional", "distributions", "random")
PLACES += ("utils.data", "utils.checkpoint", "Tensor", "nn.Module", "optim.Optimizer")
FUNCTIONS = functions(minigrad)
RECORDED = record(GOLDENS)
NUMPYS = {"axis", "keepdims"}  # which will do, too
NOT_HERE = {"layout", "pin_memory", "memory_format", "names", "sparse_grad", "out_dtype"}
DIFFERENT = {  # function: which names differ, and why
    "det": ({"A", "input"}, "minigrad.linalg's own, which PyTorch calls so there"),
    "inverse": ({"out"}, "see linalg"),
    "svd": ({"out"}, "three results"),
    "max": ({"other"}, "the second tensor stands in the place of `dim`"),
    "min": ({"other"}, "the second tensor stands in the place of `dim`"),
    "load": ({"encoding"}, "in PyTorch among `pickle_load_args`"),
    "norm": ({"dtype"}, "left to linalg.norm"),
    "histogram": ({"out"}, "two results"),
    "split": ({"input", "tensor"}, "`input` as everywhere"),
    "true_divide": ({"rounding_mode"}, "is div"),
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
WRONG = {  # function: a call that raises what its docstring says it raises
    "matmul": "torch.matmul(torch.ones(2,3),torch.ones(2,3))",
    "mv": "torch.mv(torch.ones(2,3),torch.ones(2))",
    "dot": "torch.dot(torch.ones(2),torch.ones(3))",
    "outer": "torch.outer(torch.ones(2,2),torch.ones(3))",
    "addmm": "torch.addmm(torch.ones(3),torch.ones(2,3),torch.ones(3,2))",
    "add": "torch.add(torch.ones(2),torch.ones(3))",
    "sub": "torch.sub(torch.tensor([True]),torch.tensor([True]))",
    "mul": "torch.mul(torch.ones(2),torch.ones(3))",
    "remainder": "torch.remainder(torch.tensor([1]),torch.tensor([0]))",
    "pow": "torch.pow(torch.tensor([2]),-1)",
    "masked_fill": "torch.masked_fill(torch.ones(2),torch.tensor([1,0]),0)",
    "clamp": "torch.clamp(torch.ones(2))",
    "where": "torch.where(torch.ones(2),torch.ones(2),torch.ones(2))",
    "allclose": "torch.allclose(torch.ones(2),torch.ones(2,dtype=torch.float64))",
    "lerp": "torch.lerp(torch.ones(2),torch.ones(2,dtype=torch.float64),0.5)",
    "addcdiv": "torch.addcdiv(torch.tensor([1]),torch.tensor([1]),torch.tensor([1]))",
    "sum": "torch.sum(torch.ones(2),dim=1)",
    "mean": "torch.mean(torch.arange(3))",
    "argmax": "torch.argmax(torch.ones(0))",
    "max": "torch.max(torch.ones(0))",
    "min": "torch.min(torch.ones(0))",
    "topk": "torch.topk(torch.ones(2),3)",
    "var": "torch.var(torch.arange(3))",
    "std": "torch.std(torch.arange(3))",
    "softmax": "torch.softmax(torch.arange(3),0)",
    "reshape": "torch.reshape(torch.arange(6),(4,2))",
    "cat": "torch.cat((torch.ones(2,2),torch.ones(2,3)))",
    "stack": "torch.stack((torch.ones(2),torch.ones(3)))",
    "permute": "torch.permute(torch.ones(2,3),(0,0))",
    "transpose": "torch.transpose(torch.ones(2,3),0,2)",
    "t": "torch.t(torch.ones(2,3,4))",
    "narrow": "torch.narrow(torch.arange(3),0,2,3)",
    "split": "torch.split(torch.arange(5),[1,2])",
    "broadcast_to": "torch.broadcast_to(torch.ones(2),(3,))",
    "select": "torch.select(torch.ones(2),0,5)",
    "unflatten": "torch.unflatten(torch.arange(6),0,(4,2))",
    "trace": "torch.trace(torch.ones(2))",
    "broadcast_shapes": "torch.broadcast_shapes((2,),(3,))",
    "gather": "torch.gather(torch.ones(2),0,torch.tensor([5]))",
    "scatter_add": "torch.scatter_add(torch.ones(2),0,torch.tensor([5]),torch.ones(1))",
    "index_select": "torch.index_select(torch.ones(2),0,torch.tensor([5]))",
    "scatter": "torch.scatter(torch.ones(2),0,torch.tensor([5]),torch.ones(1))",
    "take": "torch.take(torch.ones(2),torch.tensor([5]))",
    "kthvalue": "torch.kthvalue(torch.ones(2),3)",
    "bincount": "torch.bincount(torch.tensor([-1]))",
    "quantile": "torch.quantile(torch.ones(2),2.0)",
    "cross": "torch.cross(torch.ones(2),torch.ones(2),dim=0)",
    "matrix_power": "torch.matrix_power(torch.ones(2,3),2)",
    "linalg.det": "torch.linalg.det(torch.ones(2,3))",
    "linalg.cholesky": "torch.linalg.cholesky(-torch.eye(2))",
    "svd": "torch.svd(torch.ones(2))",
    "linalg.svd": "torch.linalg.svd(torch.ones(2))",
    "linalg.solve": "torch.linalg.solve(torch.zeros(2,2),torch.ones(2))",
    "arange": "torch.arange(0,3,-1)",
    "linspace": "torch.linspace(0,1,-1)",
    "eye": "torch.eye(-1)",
    "randint": "torch.randint(3,3,(2,))",
    "is_nonzero": "torch.is_nonzero(torch.ones(2))",
    "nn.functional.linear": "F.linear(torch.ones(2,3),torch.ones(4,2))",
    "nn.functional.nll_loss": "F.nll_loss(torch.ones(1,2),torch.tensor([5]))",
    "nn.functional.binary_cross_entropy": "F.binary_cross_entropy(torch.tensor([2.0]),torch.tensor([1.0]))",
    "nn.functional.binary_cross_entropy_with_logits": "F.binary_cross_entropy_with_logits(torch.ones(2),torch.ones(3))",
    "nn.functional.embedding": "F.embedding(torch.tensor([5]),torch.ones(2,2))",
    "nn.functional.layer_norm": "F.layer_norm(torch.ones(2,3),(2,))",
    "nn.functional.batch_norm": "F.batch_norm(torch.ones(1,2),None,None,training=True)",
    "nn.functional.dropout": "F.dropout(torch.ones(2),2.0)",
    "nn.functional.pixel_shuffle": "F.pixel_shuffle(torch.ones(1,3,2,2),2)",
    "nn.functional.glu": "F.glu(torch.ones(3))",
    "nn.functional.gelu": 'F.gelu(torch.ones(3),approximate="x")',
    "nn.functional.conv1d": "F.conv1d(torch.ones(1,2,4),torch.ones(1,3,2))",
    "nn.functional.max_pool1d": "F.max_pool1d(torch.ones(1,1,2),5)",
    "nn.functional.avg_pool1d": "F.avg_pool1d(torch.ones(1,1,2),5)",
    "inverse": "torch.inverse(torch.zeros(2, 2))",
    "einsum": "torch.einsum('ij->k', torch.ones(2, 2))",
    "load": "torch.load(io.BytesIO(b'something else'))",
    "save": "torch.save(lambda: 0, io.BytesIO())",
    "set_default_dtype": "torch.set_default_dtype(torch.int64)",
    "set_rng_state": "torch.set_rng_state(torch.ones(2))",
    "set_warn_always": "torch.set_warn_always(1)",
    "tensor": "torch.tensor([[1], [2, 3]])",
}
PICKLED = {"load", "save"}  # in PyTorch, which has other errors for it
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


@pytest.fixture(params=["minigrad", pytest.param("torch", marks=pytest.mark.torch)])
def library(request):
    return pytest.importorskip(request.param)


def test_what_a_docstring_says_is_raised_is_raised(library):
    """Of each text once: aliases share theirs."""
    texts = {inspect.getdoc(function): name for name, function in reversed(FUNCTIONS.items()) if name in WRONG}
    said = {inspect.getdoc(function): name for name, function in FUNCTIONS.items()} | texts
    said = {name: re.findall(r"[Rr]aises (?:LinAlgError, a )?(\w+Error)", text) for text, name in said.items()}
    raising = {name for name, errors in said.items() if errors}
    assert raising == {*WRONG}, f"give WRONG, in this file, a call for each that says it raises: {raising ^ {*WRONG}}"
    space = {"torch": library, "F": library.nn.functional, "io": io}
    for name, call in WRONG.items():
        if library is minigrad or name not in PICKLED:
            with pytest.raises(getattr(builtins, said[name][0])):
                eval(call, space)


LOOK = """
import inspect, minigrad as torch
from goldens.record_argument_names import functions
from minigrad._tensors.methods import pointwise

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
        differ = (named - NOT_HERE) ^ ({*RECORDED[name]} - NOT_HERE)
        by_place_alone = any(p.kind is p.POSITIONAL_ONLY for p in parameters)
        if RECORDED[name] and not by_place_alone and differ != DIFFERENT.get(name, (set(),))[0]:
            wrong[name] = differ
    assert not wrong, "these differ from PyTorch's arguments; `out` is noted: see minigrad/ops/note.py"


@pytest.mark.torch
def test_the_record_is_true():
    torch = pytest.importorskip("torch")
    assert {name: argument_names(torch, name) for name in RECORDED} == RECORDED


@pytest.mark.torch
def test_the_examples_give_the_same_in_pytorch():
    """In a process of its own: some examples change PyTorch's settings."""
    pytest.importorskip("torch")
    environ = {**os.environ, "PYTHONPATH": ".."}
    command = [sys.executable, "-c", "import test_help; print(test_help.differing())"]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, cwd="tests", env=environ)
    assert run.stdout == "{}\n", run.stdout + run.stderr


def differing():
    """The functions whose examples give something else in PyTorch, and what."""
    import torch

    names = [name for name in FUNCTIONS if name not in ONLY_HERE]
    found = {name: outcome(torch, minigrad, [each.source for each in example(name).examples]) for name in names}
    return {name: differs for name, differs in found.items() if differs}

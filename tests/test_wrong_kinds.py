"""A call that PyTorch refuses is refused, and one that it takes is taken: for every parameter, something of each kind.

wrong_calls.json holds PyTorch's verdicts on the calls of wrong_calls.py, and `python tests/test_wrong_kinds.py` prints
how many are accepted wrongly, refused wrongly, and refused with another type of error or in other words.
"""

import json
from collections import Counter

import pytest
from goldens.record_wrong_calls import GOLDENS, recorded
from wrong_calls import calls, everything, outcome

import minigrad as torch

RECORDED = {
    name: {what: said for said, asked in found.items() for what in asked.split("; ")}
    for names, found in json.loads(GOLDENS.read_text(encoding="utf-8")).items()
    for name in names.split()
}
FUNCTIONS = everything()
NONE = "cat concat concatenate stack empty ones zeros rand randn randint_like arange where contiguous "
NONE += "is_contiguous cpu true_divide true_divide_"
ACCEPTED_HERE = {  # function: which wrong calls are accepted here, by a part of what is wrong
    **dict.fromkeys("median nanmedian prod sum where".split(), ("out=None",)),  # without `dim`, and so no form of it
    **dict.fromkeys("argsort index_fill roll".split(), ("out=",)),  # PyTorch's documents name it, its parser does not
    "nansum": ("out=tensor(1)",),
    "baddbmm": ("input=tensor(1)",),
    "norm": ("dim=tensor(1)",),
    "arange": ("step=1",),
    "to": ("other=",),
}
REFUSED_HERE = {  # function: which calls that PyTorch takes are refused here
    **dict.fromkeys(
        "add sub subtract mul multiply div divide true_divide floor_divide normalize".split(), ("out=0.5",)
    ),
    **dict.fromkeys("empty ones zeros rand randn".split(), ("…, True",)),  # a size
    **dict.fromkeys(("hsplit", "vsplit"), ("…, ", "one too many")),  # sizes one by one
    **dict.fromkeys(("moveaxis", "movedim"), ("input=tensor(1)",)),  # of a tensor without axes, the axis 0
    "hinge_embedding_loss": ("True",),
    "bernoulli": ("out=tensor(1)",),
    "broadcast_shapes": ("…, None",),
    "elu_": ("one too many",),
    "randint_like": ("low=tensor(1)",),
    "random_": ("…, tensor(1)",),
    "to": ("…, True", "…, 0.5"),  # a GPU
}


def verdicts(name):
    """{what is wrong: (PyTorch's outcome, ours)}, of the calls that are made in both; nothing if ours is not taken."""
    theirs = RECORDED[name]
    try:
        asked = calls(torch, name, FUNCTIONS[name])
    except KeyError:
        return {}
    if outcome(torch, name, asked["right"]) != "accepted":
        return {}
    return {what: (theirs[what], outcome(torch, name, make)) for what, make in asked.items() if what in theirs}


def is_known(name, what, known):
    """Is it a difference that is left?"""
    short = name.rpartition(".")[2]
    none = known is ACCEPTED_HERE and what.endswith("None") and short in NONE.split()
    return none or any(part in what for part in known.get(short, ()))


@pytest.mark.parametrize("name", RECORDED)
def test_what_pytorch_refuses_is_refused_and_what_it_takes_is_taken(name):
    wrong = {"accepted": [], "refused": []}
    for what, (theirs, ours) in verdicts(name).items():
        if theirs != "accepted" == ours and not is_known(name, what, ACCEPTED_HERE):
            wrong["accepted"].append(f"{what}, of which PyTorch says: {theirs}")
        if theirs == "accepted" != ours and not is_known(name, what, REFUSED_HERE):
            wrong["refused"].append(f"{what}: {ours}")
    assert wrong == {"accepted": [], "refused": []}


def test_nearly_all_functions_are_asked():
    """A new function is asked too, once it is recorded: python -m tests.goldens wrong_calls."""
    assert len(RECORDED) > 600 and sum(map(len, map(verdicts, RECORDED))) > 19_000
    assert not {name for name in RECORDED if name not in FUNCTIONS}


@pytest.mark.torch
def test_the_record_is_true():
    pytest.importorskip("torch")
    now, then = recorded(), json.loads(GOLDENS.read_text(encoding="utf-8"))
    assert set(now) == set(then)
    other = {
        (names, text): (said.get(text), then[names].get(text))
        for names, said in now.items()
        for text in {*said, *then[names]}
        if said.get(text) != then[names].get(text)
    }
    assert other == {}  # {(functions, verdict): (calls today, calls as recorded)}


MAX = "max() received an invalid combination of arguments - got "


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda x: x.max(keepdim=False), MAX + "(keepdim=bool, ), but expected one of:"),
        (lambda x: torch.add(x, x, alpha=[1]), "add(): argument 'alpha' must be Number, not list"),
        (lambda x: x.diagonal(True), "diagonal(): argument 'offset' (position 1) must be int, not bool"),
        (lambda x: x.allclose(x, equal_nan=1), "allclose(): argument 'equal_nan' must be bool, not int"),
        (lambda x: torch.cumsum(x, 0, dtype=x), "cumsum(): argument 'dtype' must be torch.dtype, not Tensor"),
        (lambda x: torch.zeros(2, size=(2,)), "zeros() got multiple values for argument 'size'"),
        (
            lambda x: torch.nn.functional.softplus(x, [1]),
            "softplus(): argument 'beta' (position 2) must be Number, not list",
        ),
    ],
)
def test_in_pytorchs_words(call, text):
    with pytest.raises(TypeError) as error:
        call(torch.ones(2, 2))
    assert str(error.value) == text


def test_a_tensor_without_axes_stands_for_a_number():
    x, one, two = torch.ones(2, 2), torch.tensor(1), torch.tensor(2.0)
    assert torch.add(x, x, alpha=two).tolist() == [[3, 3], [3, 3]]
    assert x.diagonal(one).tolist() == [1]
    assert torch.nn.functional.leaky_relu(-x, two).tolist() == [[-2, -2], [-2, -2]]
    with pytest.raises(TypeError, match="must be int, not Tensor"):
        x.diagonal(two)
    with pytest.raises(TypeError, match="must be Number, not Tensor"):
        torch.add(x, x, alpha=torch.tensor(2.0, requires_grad=True))


if __name__ == "__main__":
    count = Counter()
    for name in RECORDED:
        for theirs, ours in verdicts(name).values():
            kind = "in other words" if ours.partition(":")[0] == theirs.partition(":")[0] else "another type of error"
            kind = "refused here alone" if theirs == "accepted" else kind
            kind = "accepted here alone" if ours == "accepted" else kind
            count["the same" if ours == theirs else kind] += 1
    print(dict(count), count.total())

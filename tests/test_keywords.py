"""Every keyword of PyTorch's functions, classes and methods is taken here, or refused by its name.

keywords.json holds PyTorch's; `python tests/goldens/record_keywords.py` records them. A keyword is refused if the call
says that PyTorch takes it. `python tests/test_keywords.py` prints how many are taken, refused, and neither.
"""

import inspect
import json
import warnings
from collections import Counter

import pytest
from goldens.record_keywords import GOLDENS, REFUSED, lacking, places, public, recorded

import minigrad as torch
from minigrad._messages.names import keywords

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))
OURS = places("minigrad")
LACKING = lacking(RECORDED)
CASES = [(place, name, key) for place, names in LACKING.items() for name, keys in names.items() for key in keys]
SAID = "PyTorch takes it, minigrad does not"
NOT_REALLY = {  # (name, keyword): in PyTorch's stub file, but its function does not take it so, or no program calls it
    *((name, "out") for name in ("add", "floor_divide", "mul", "sub", "true_divide")),  # of the methods
    *(("enable_grad", "orig_func"), ("expand", "implicit"), ("requires_grad_", "mode"), ("random_", "from_")),
    *(("uniform_", "from_"), ("register_hook", "fn"), ("register_prehook", "fn"), ("forward", "run_function")),
}


def outcome(place, name, key):
    """What becomes of the keyword: "refused", "by position", "not really", "taken", or "neither" of them."""
    thing = getattr(OURS[place], name)
    if by_position(thing):
        return "by position"
    first = ()
    if place in ("torch", "torch.linalg", "torch.nn.functional"):
        first = (torch.ones(2),)
    elif place == "torch.Tensor":
        thing = getattr(torch.ones(2), name)
    elif name == "forward" and issubclass(OURS[place], torch.nn.Module):
        thing = OURS[place].__new__(OURS[place])
        torch.nn.Module.__init__(thing)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            thing(*first, **{key: None})
        except Exception as error:
            if SAID in str(error):
                return "refused"
            if "unexpected keyword" in str(error):
                return "not really" if (name, key) in NOT_REALLY else "neither"
    return "taken"


def by_position(thing):
    """Has it arguments without a name? So have PyTorch's then, whatever its stub files call them."""
    return any(p.kind is p.POSITIONAL_ONLY and p.name != "self" for p in inspect.signature(thing).parameters.values())


@pytest.mark.parametrize(("place", "name", "key"), CASES)
def test_a_keyword_that_is_not_taken_is_refused_by_its_name(place, name, key):
    assert outcome(place, name, key) != "neither"


def test_the_record_is_of_what_there_is():
    """A new name of minigrad's is recorded, and what is no longer refused is struck out of _messages/keywords.txt."""
    here = {place: {*public(thing, place)} for place, thing in OURS.items()}
    lost = {f"{place}.{name}" for place, names in RECORDED.items() for name in names if name not in here[place]}
    assert not lost, "record them again: python tests/goldens/record_keywords.py"
    lacking_now = {(name, key) for _, name, key in CASES}
    assert {(name, key) for name, keys in keywords().items() for key in keys} == lacking_now
    assert REFUSED.stat().st_size < 5_000


@pytest.mark.torch
def test_the_record_is_true():
    pytest.importorskip("torch")
    assert recorded() == RECORDED


x = torch.tensor([[1.0, 2.0]], requires_grad=True)
TAKEN = {
    "a gradient penalty": lambda: torch.autograd.grad(x.sum(), x, create_graph=True, only_inputs=True)[0],
    "a loss": lambda: torch.nn.MSELoss()(target=torch.zeros(1, 2), input=x),
    "a loss, half": lambda: torch.nn.CrossEntropyLoss()(x, target=torch.tensor([1])),
    "an activation": lambda: torch.nn.LeakyReLU(0.1)(input=-x),
    "a pool": lambda: torch.nn.MaxPool1d(2)(input=x),
    "max": lambda: torch.max(x, other=2 * x),
    "split": lambda: torch.split(tensor=x, split_size=1, dim=1)[1],
    "to": lambda: x.to(torch.device("cpu"), non_blocking=True) + x.to(other=torch.ones(1, dtype=torch.float64)),
    "copy_": lambda: torch.zeros(1, 2).copy_(x, non_blocking=True),
}


@pytest.mark.parametrize("what", TAKEN)
def test_a_keyword_has_its_meaning(what):
    plain = {
        "a gradient penalty": torch.ones(1, 2),
        "a loss": torch.tensor(2.5),
        "a loss, half": torch.nn.functional.cross_entropy(x, torch.tensor([1])),
        "an activation": -0.1 * x,
        "a pool": torch.tensor([[2.0]]),
        "max": 2 * x,
        "split": torch.tensor([[2.0]]),
        "to": (2 * x).double(),
        "copy_": x,
    }
    assert TAKEN[what]().equal(plain[what])


def test_what_is_refused_says_so():
    end = "PyTorch takes it, minigrad does not: see 'What is not here' in its README"
    for call in (
        lambda: torch.zeros(2, pin_memory=True),
        lambda: torch.tensor([1.0], pin_memory=True),
        lambda: x.clone(memory_format="channels_last"),
        lambda: x.gather(1, torch.tensor([[0]]), sparse_grad=True),
        lambda: torch.autograd.functional.jacobian(torch.exp, x, vectorize=True),
        lambda: torch.autograd.gradcheck(torch.exp, x.double(), check_batched_grad=True),
    ):
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value).endswith(end)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'$"):
        torch.zeros(2, nothing=1)
    with pytest.raises(TypeError, match="MSELoss.forward.. missing a required argument: 'input'"):
        torch.nn.MSELoss()(target=x)


def test_a_keyword_whose_usual_value_alone_is_taken():
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        torch.autograd.grad((x * 2).sum(), x, only_inputs=False)
    with pytest.raises(NotImplementedError, match="PyTorch takes is_grads_batched=True, minigrad does not"):
        torch.autograd.grad(x * 2, x, torch.ones(3, 1, 2), is_grads_batched=True)
    with pytest.raises(NotImplementedError, match="PyTorch takes fast_mode=True, minigrad does not"):
        torch.autograd.gradcheck(torch.exp, x.double(), fast_mode=True)
    assert torch.autograd.gradcheck(torch.exp, x.detach().double().requires_grad_(), fast_mode=False)
    with pytest.warns(FutureWarning, match="`grad_variables` is deprecated"):
        torch.autograd.backward(x * 2, grad_variables=torch.zeros(1, 2))
    x.grad = None


if __name__ == "__main__":
    taken = sum(len(keys.split()) for names in RECORDED.values() for keys in names.values()) - len(CASES)
    count = Counter({"taken": taken})
    for case in CASES:
        count[found := outcome(*case)] += 1
        if found == "neither":
            print(*case)
    print(dict(count))

"""A name that is not here: PyTorch has it and we say so, or it is misspelt and its neighbour is named."""

import copy
import importlib
import inspect
import pickle
import subprocess
import sys
from operator import attrgetter

import pytest
from goldens.record_names import MODULES, NAMES

import minigrad
from minigrad._messages.names import METHODS, pytorchs

ABSENT = "PyTorch has torch.{}, minigrad does not: see 'What is not here' in its README"
# What PyTorch has, and this library will not have; each line of the README's list is here with a name or two.
OUTSIDE = "complex64 sparse vmap func fx compile export quantization fft distributed cuda.Stream special linalg.qr "
OUTSIDE += "distributions.Poisson nn.Conv3d nn.Transformer nn.MultiheadAttention nn.utils.prune utils.tensorboard"


@pytest.mark.parametrize("name", OUTSIDE.split())
def test_what_is_left_out_is_said_to_be(name):
    *path, name = name.split(".")
    place = importlib.import_module(".".join(["minigrad", *path]))
    with pytest.raises(AttributeError) as error:
        getattr(place, name)
    assert str(error.value) == f"module {place.__name__!r} has no attribute {name!r}. " + ABSENT.format(
        ".".join([*path, name])
    )
    assert not hasattr(place, name)


@pytest.mark.parametrize("place", sorted(set(pytorchs()) - {"torch.Tensor"}))
def test_every_module_whose_names_are_recorded_tells_of_them(place):
    module = importlib.import_module("minigrad" + place.removeprefix("torch"))
    for name in pytorchs()[place] - set(dir(module)):
        if not hasattr(module, name):
            with pytest.raises(AttributeError, match=f"PyTorch has {place}.{name}, minigrad does not"):
                getattr(module, name)


@pytest.mark.parametrize(
    ("place", "wrong", "right"),
    [
        ("", "zeroes", "zeros"),
        ("", "manualseed", "manual_seed"),
        ("", "optm", "optim"),
        ("nn", "Liner", "Linear"),
        ("nn", "Sequental", "Sequential"),
        ("nn.functional", "cross_entrpy", "cross_entropy"),
        ("nn.init", "xavier_unifrom_", "xavier_uniform_"),
        ("optim", "SDG", "SGD"),
        ("optim.lr_scheduler", "StepLr", "StepLR"),
        ("autograd", "gradchek", "gradcheck"),
        ("utils.data", "Dataloader", "DataLoader"),
        ("cuda", "is_avaliable", "is_available"),
    ],
)
def test_what_is_misspelt_is_offered_its_neighbour(place, wrong, right):
    module = minigrad
    for part in filter(None, place.split(".")):
        module = getattr(module, part)
    said = f"'{wrong}'. Did you mean: '{right}'?"
    with pytest.raises(AttributeError) as error:
        getattr(module, wrong)
    assert str(error.value) == f"module '{module.__name__}' has no attribute {said}"
    assert error.value.name == wrong and error.value.obj is None  # so that Python adds no guess of its own
    with pytest.raises(ImportError) as error:
        exec(f"from {module.__name__} import {wrong}")
    assert str(error.value) == f"cannot import name '{wrong}' from '{module.__name__}'. Did you mean: '{right}'?"


def test_what_nothing_is_like_is_just_not_there():
    with pytest.raises(AttributeError, match="^module 'minigrad' has no attribute 'xyzzyx'$"):
        minigrad.xyzzyx  # noqa: B018
    with pytest.raises(AttributeError, match="^module 'minigrad' has no attribute '__wrapped__'$"):
        minigrad.__wrapped__  # noqa: B018


def test_importing_what_is_left_out():
    with pytest.raises(ImportError) as error:
        from minigrad import vmap  # noqa: F401
    assert str(error.value) == "cannot import name 'vmap' from 'minigrad'. " + ABSENT.format("vmap")


def test_a_tensors_missing_methods():
    x = minigrad.ones(2)
    with pytest.raises(AttributeError) as error:
        x.to_sparse  # noqa: B018
    assert str(error.value) == "'Tensor' object has no attribute 'to_sparse'. " + ABSENT.format("Tensor.to_sparse")
    with pytest.raises(AttributeError, match="^type object 'Tensor' has no attribute 'to_sparse'. PyTorch has"):
        minigrad.Tensor.to_sparse  # noqa: B018
    with pytest.raises(AttributeError, match="^'Parameter' object has no attribute 'to_sparse'. PyTorch has"):
        minigrad.nn.Parameter(x).to_sparse  # noqa: B018
    assert not hasattr(x, "to_sparse") and not hasattr(minigrad.Tensor, "to_sparse")
    assert "to_sparse" not in dir(x) and "exp" in dir(x)


def test_a_tensors_misspelt_method_is_left_to_python():
    """Which knows the tensor, and so its names, among which none is that we have not."""
    code = "import minigrad as torch; torch.ones(1).recipocal()"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False).stderr
    assert said.rstrip().endswith("'Tensor' object has no attribute 'recipocal'. Did you mean: 'reciprocal'?")


def test_python_adds_nothing_to_what_we_say():
    for code in ("torch.zeroes", "torch.fft", "torch.ones(1).to_sparse", "torch.nn.Liner"):
        program = [sys.executable, "-c", f"import minigrad as torch; {code}"]
        said = (
            subprocess.run(program, capture_output=True, encoding="utf-8", check=False).stderr.rstrip().splitlines()[-1]
        )
        assert said.count("Did you mean") + said.count("PyTorch has") == 1


def test_protocols_ask_for_names_and_are_answered():
    x = minigrad.ones(2)
    for name in ("_repr_html_", "_ipython_display_", "__array_interface__", "__dlpack__", "_ipython_canary_method"):
        assert not hasattr(x, name)
    assert copy.deepcopy(x).equal(x) and copy.copy(minigrad.float32) is minigrad.float32
    assert pickle.loads(pickle.dumps(minigrad.float32)) is minigrad.float32


def test_the_list_is_pytorchs():
    torch = pytest.importorskip("torch", reason="compares with the real PyTorch")
    assert {*pytorchs()} == {"torch.Tensor", *MODULES.split()} and torch.__version__.startswith("2.13")
    assert NAMES.stat().st_size < 30_000


test_the_list_is_pytorchs = pytest.mark.torch(test_the_list_is_pytorchs)


@pytest.mark.parametrize(
    ("make", "name", "place"),
    [
        (lambda: minigrad.nn.LSTM(1, 1), "to_empty", "nn.Module"),
        (lambda: minigrad.nn.Sequential(), "compile", "nn.Module"),
        (lambda: minigrad.distributions.Normal(0.0, 1.0), "icdf", "distributions.Distribution"),
        (lambda: minigrad.optim.SGD([minigrad.ones(1)], 0.1), "register_state_dict_pre_hook", "optim.Optimizer"),
    ],
)
def test_a_missing_method_of_another_class(make, name, place):
    made = make()
    with pytest.raises(
        AttributeError, match=rf"^'{type(made).__name__}' object has no attribute '{name}'. PyTorch has"
    ) as error:
        getattr(made, name)
    assert str(error.value).endswith(ABSENT.format(f"{place}.{name}")) and not hasattr(made, name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'$"):
        made.nothing  # noqa: B018


def test_weights_side_by_side_are_no_matter_here():
    assert minigrad.nn.LSTM(1, 1).flatten_parameters() is None


@pytest.mark.torch
def test_the_missing_methods_are_pytorchs():
    torch = pytest.importorskip("torch")
    for place, methods in METHODS.items():
        theirs, ours = (attrgetter(place.removeprefix("torch."))(library) for library in (torch, minigrad))
        assert {name for name in methods if hasattr(theirs, name)} == methods
        public = {name for name in dir(theirs) if name[0] != "_" and inspect.isroutine(getattr(theirs, name))}
        assert public - {*dir(ours)} - methods <= {"profile_hook_step"}
        assert not methods & {name for name in dir(ours) if hasattr(ours, name)}


def test_importing_all_of_it():
    names = {}
    exec("from minigrad import *", names)
    assert "zeros" in names and "Absent" not in names


def test_a_function_in_place_of_a_module_explains_the_modules_names_and_is_a_function_otherwise():
    told = "^function 'minigrad.jit' has no attribute '{}'. In PyTorch, torch.jit is a module; here, jit is a function"
    for name in ("trace", "script"):
        with pytest.raises(AttributeError, match=told.format(name)):
            getattr(minigrad.jit, name)
    assert not hasattr(minigrad.jit, "trace")
    assert inspect.isroutine(minigrad.jit) and [*inspect.signature(minigrad.jit).parameters] == ["function"]
    assert minigrad.jit.__name__ == "jit" and "Compile a function of tensors" in minigrad.jit.__doc__
    assert pickle.loads(pickle.dumps(minigrad.jit)) is minigrad.jit is copy.deepcopy(minigrad.jit)
    assert repr(minigrad.jit) == "<function minigrad.jit>"

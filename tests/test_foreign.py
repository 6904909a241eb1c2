"""A tensor, a module or a dtype of PyTorch itself that reaches minigrad is named as such, and the cure with it.

In the fast tier a stand-in takes PyTorch's place: classes that say they are from the module `torch`, as PyTorch's do.
`pytest -m torch` asks the same with PyTorch itself.
"""

import inspect
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad._messages.foreign import CURE, is_foreign
from minigrad.nn import functional as F
from minigrad.utils.data import DataLoader, TensorDataset


def stand_in():
    """As much of PyTorch as a wrong import line brings in."""

    def made(name, module, *bases, **names):
        return type(name, bases, {"__module__": module, **names})

    def refused(self, *others):
        return NotImplemented

    operators = {f"__{name}__": refused for name in ("radd", "rmul", "rmatmul", "rpow", "rtruediv", "eq", "add")}
    operators |= {f"__{name}__": lambda self, other: True for name in ("lt", "le", "ge")}
    tensor = made("Tensor", "torch", **operators, __hash__=object.__hash__, __gt__=lambda self, number: self)
    tensor.shape, tensor.ndim, tensor.size, tensor.__iter__ = (2,), 1, lambda self: (2,), lambda self: iter([self])
    tensor.dtype = made("dtype", "torch")()
    parameter = made("Parameter", "torch.nn.parameter", tensor)
    module = made("Module", "torch.nn.modules.module", parameters=lambda self: iter([parameter()]))
    linear = made(
        "Linear", "torch.nn.modules.linear", module, state_dict=lambda self: {"weight": tensor(), "bias": tensor()}
    )
    sgd = made("SGD", "torch.optim.sgd")
    real = types.ModuleType("torch")
    real.Tensor, real.dtype = tensor, made("dtype", "torch")
    real.ones = lambda *size: tensor()
    real.float32, real.device = real.dtype(), lambda kind: made("device", "torch")()
    real.Generator = made("Generator", "torch._C")
    real.nn = types.SimpleNamespace(Parameter=lambda data: parameter(), Linear=lambda *sizes: linear(), Module=module)
    real.optim = types.SimpleNamespace(SGD=lambda params, lr: sgd())
    return real


@pytest.fixture(params=["stand-in", pytest.param("torch", marks=pytest.mark.torch)])
def real(request, monkeypatch):
    if request.param == "torch":
        return pytest.importorskip("torch")
    library = stand_in()
    monkeypatch.setitem(sys.modules, "torch", library)
    return library


class Net(nn.Module):
    def __init__(self, **parts):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


def w():
    return torch.ones(2, requires_grad=True)


CALLS = {
    "a function": lambda real: torch.exp(real.ones(2)),
    "a reduction": lambda real: torch.sum(real.ones(2)),
    "a second argument": lambda real: torch.maximum(w(), real.ones(2)),
    "max": lambda real: torch.max(w(), real.ones(2)),
    "a list": lambda real: torch.cat([w(), real.ones(2)]),
    "where": lambda real: torch.where(real.ones(2), w(), w()),
    "allclose": lambda real: torch.allclose(w(), real.ones(2)),
    "gather": lambda real: w().gather(0, real.ones(1)),
    "einsum": lambda real: torch.einsum("i,i", w(), real.ones(2)),
    "+": lambda real: w() + real.ones(2),
    "+, reflected": lambda real: real.ones(2) + w(),
    "*": lambda real: w() * real.nn.Parameter(real.ones(2)),
    "/": lambda real: w() / real.ones(2),
    "//": lambda real: w() // real.ones(2),
    "**": lambda real: w() ** real.ones(2),
    "%": lambda real: w() % real.ones(2),
    "@": lambda real: w() @ real.ones(2),
    "==": lambda real: w() == real.ones(2),
    "<": lambda real: w() < real.ones(2),
    "+=": lambda real: w().detach().__iadd__(real.ones(2)),
    "add_": lambda real: w().detach().add_(real.ones(2)),
    "copy_": lambda real: w().detach().copy_(real.ones(2)),
    "fill_": lambda real: w().detach().fill_(real.ones(1)),
    "an index": lambda real: w()[real.ones(2) > 0],
    "[] =": lambda real: w().detach().__setitem__(0, real.ones(1)),
    "a linear function": lambda real: F.linear(real.ones(2), torch.ones(2, 2)),
    "a loss": lambda real: F.cross_entropy(torch.ones(2, 2), real.ones(2)),
    "mse_loss": lambda real: F.mse_loss(w(), real.ones(2)),
    "a loss module": lambda real: nn.MSELoss()(w(), real.ones(2)),
    "a layer": lambda real: nn.Linear(2, 2)(real.ones(2)),
    "an lstm": lambda real: nn.LSTM(2, 2)(real.ones(1, 1, 2)),
    "Sequential": lambda real: nn.Sequential(real.nn.Linear(2, 2)),
    "ModuleList": lambda real: nn.ModuleList([real.nn.Linear(2, 2)]),
    "a layer as attribute": lambda real: Net(part=real.nn.Linear(2, 2)),
    "a parameter as attribute": lambda real: Net(part=real.nn.Parameter(real.ones(2))),
    "a tensor as attribute": lambda real: Net(part=real.ones(2)),
    "a net as attribute": lambda real: Net(part=type("Mine", (real.nn.Module,), {})()),
    "a buffer": lambda real: Net().register_buffer("b", real.ones(2)),
    "register_parameter": lambda real: Net().register_parameter("p", real.nn.Parameter(real.ones(2))),
    "a weight": lambda real: setattr(nn.Linear(2, 2), "weight", real.nn.Parameter(real.ones(2, 2))),
    "Parameter": lambda real: nn.Parameter(real.ones(2)),
    "load_state_dict": lambda real: nn.Linear(2, 2).load_state_dict(real.nn.Linear(2, 2).state_dict()),
    "an optimizer": lambda real: torch.optim.SGD(real.nn.Linear(2, 2).parameters(), lr=0.1),
    "an optimizer, of groups": lambda real: torch.optim.Adam([{"params": [real.nn.Parameter(real.ones(2))]}]),
    "a learning rate": lambda real: torch.optim.SGD([w()], lr=real.ones(1)),
    "a scheduler": lambda real: torch.optim.lr_scheduler.StepLR(
        real.optim.SGD([real.nn.Parameter(real.ones(2))], lr=0.1), 1
    ),
    "clip_grad_norm_": lambda real: nn.utils.clip_grad_norm_(real.nn.Linear(2, 2).parameters(), 1.0),
    "clip_grad_value_": lambda real: nn.utils.clip_grad_value_([real.nn.Parameter(real.ones(2))], 1.0),
    "tensor()": lambda real: torch.tensor(real.ones(2)),
    "tensor([])": lambda real: torch.tensor([real.ones(1), real.ones(1)]),
    "as_tensor": lambda real: torch.as_tensor(real.ones(2)),
    "FloatTensor": lambda real: torch.FloatTensor(real.ones(2)),
    "full": lambda real: torch.full((2,), real.ones(1)),
    "from_numpy": lambda real: torch.from_numpy(real.ones(2)),
    "zeros_like": lambda real: torch.zeros_like(real.ones(2)),
    "a dtype": lambda real: torch.zeros(2, dtype=real.float32),
    "to(dtype)": lambda real: w().to(real.float32),
    "to(tensor)": lambda real: w().to(real.ones(2)),
    "a generator": lambda real: torch.randn(2, generator=real.Generator()),
    ".grad": lambda real: setattr(w(), "grad", real.ones(2)),
    ".data": lambda real: setattr(w(), "data", real.ones(2)),
    "backward's gradient": lambda real: (w() * 2).backward(real.ones(2)),
    "autograd.grad": lambda real: torch.autograd.grad(w().sum(), real.ones(2)),
    "autograd.backward": lambda real: torch.autograd.backward([real.ones(2)]),
    "a hook": lambda real: hooked(real.ones(2)),
    "a batch": lambda real: next(iter(DataLoader([(real.ones(2), 1), (real.ones(2), 2)], 2))),
    "a dataset": lambda real: TensorDataset(real.ones(2)),
    "a distribution": lambda real: torch.distributions.Normal(real.ones(2), real.ones(2)),
    "log_prob": lambda real: torch.distributions.Normal(0.0, 1.0).log_prob(real.ones(2)),
    "jacobian": lambda real: torch.autograd.functional.jacobian(lambda x: x, real.ones(2)),
}


def hooked(gradient):
    leaf = w()
    leaf.register_hook(lambda grad: gradient)
    (leaf * 2).sum().backward()


@pytest.mark.parametrize("what", CALLS)
def test_it_is_named_and_the_cure_with_it(what, real):
    with pytest.raises((TypeError, RuntimeError)) as error:
        CALLS[what](real)
    assert "of PyTorch itself" in str(error.value) and str(error.value).rstrip("'").endswith(CURE)


def of_utils(f):
    """A call of it with what it takes: a tensor, or several."""
    matrix = torch.ones(2, 2)
    further = {"clip_grad": (1.0,), "clip_grads": (1.0, matrix), "pack_padded": ([2, 1],)}
    more = next((rest for start, rest in further.items() if f.__name__.startswith(start + "_")), ())
    if f.__name__ == "vector_to_parameters":
        return lambda real: f(torch.ones(2), iter([real.nn.Parameter(real.ones(2))]))
    if f.__name__ == "pad_packed_sequence":
        return lambda real: f(nn.utils.rnn.PackedSequence(real.ones(2), torch.tensor([2])))
    if f.__name__ == "pack_padded_sequence":
        return lambda real: f(real.ones(2), *more)
    return lambda real: f([real.nn.Parameter(real.ones(2))], *more)


INITS = {
    name: f
    for name, f in vars(nn.init).items()
    if inspect.isfunction(f) and f.__module__ == nn.init.__name__ and name not in ("_older", "_kaiming_deviation")
}
del INITS["calculate_gain"]
UTILS = {
    f"{place.__name__}.{name}": f
    for place in (nn.utils, nn.utils.rnn)
    for name, f in vars(place).items()
    if inspect.isfunction(f) and f.__module__ == place.__name__ and name[0] != "_"
}


@pytest.mark.parametrize("name", INITS)
def test_every_function_that_fills_a_tensor_refuses_one(name, real):
    x = real.ones(2)
    more = {"constant_": (1.0,), "constant": (1.0,), "sparse_": (0.5,), "sparse": (0.5,)}.get(name, ())
    with pytest.raises(TypeError, match="of PyTorch itself"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        INITS[name](x, *more)


@pytest.mark.parametrize("name", UTILS)
def test_every_function_of_utils_refuses_them(name, real):
    with pytest.raises(TypeError, match="of PyTorch itself"):
        of_utils(UTILS[name])(real)


def test_what_is_ours_or_pythons_is_never_taken_for_it(real):
    ours = [
        w(),
        nn.Linear(1, 1),
        torch.float32,
        torch.device("cpu"),
        torch.Size([2]),
        torch.Generator(),
        torch.optim.SGD([w()]),
    ]
    for x in [*ours, 1.0, "a", None, [1], np.ones(2), type("Tensor", (), {})()]:
        assert not is_foreign(x)
    assert is_foreign(real.ones(1)) and is_foreign(type("Mine", (real.nn.Module,), {})())


def test_without_pytorch_nothing_is_looked_at():
    assert "torch" not in sys.modules or pytest.skip("PyTorch is loaded")
    with pytest.raises(TypeError, match="must be Tensor, not list$"):
        torch.exp([1.0])


def test_it_says_of_pytorchs_own_functions_what_was_wrong():
    """PyTorch asks each argument that is no tensor of its own for this method."""
    with pytest.raises(TypeError, match="^linear.. of PyTorch itself got a Tensor of minigrad. Objects of the two"):
        torch.Tensor.__torch_function__(F.linear, (torch.Tensor,), (w(),), None)


@pytest.mark.torch
def test_a_tensor_of_ours_that_reaches_pytorch():
    """`import minigrad as torch` with `import torch.nn as nn` left in place: the layer is PyTorch's."""
    real = pytest.importorskip("torch")
    for call in (real.nn.Linear(2, 2), real.nn.ReLU(), real.relu, lambda x: real.nn.MSELoss()(x, x)):
        with pytest.raises(TypeError) as error:
            call(w())
        assert "of PyTorch itself got a Tensor of minigrad" in str(error.value) and str(error.value).endswith(CURE)


@pytest.mark.torch
def test_minigrad_never_imports_pytorch_for_it():
    pytest.importorskip("torch")
    code = (
        "import sys, minigrad as torch\ntry: torch.exp([1.])\nexcept TypeError: pass\nassert 'torch' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

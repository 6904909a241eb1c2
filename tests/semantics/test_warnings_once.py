"""Which warnings come once a process and which each time there is cause, as PyTorch has it.

A process can't be made to forget what it was warned of, so a new one runs these programs.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from saying import says, warns

PREPARED = """
import importlib, json, sys, warnings
import numpy as np
torch = importlib.import_module(sys.argv[1])
nn, F = torch.nn, torch.nn.functional
programs = json.loads(sys.argv[2])
read_only = np.ones(3)
read_only.flags.writeable = False
byte = torch.tensor([1, 0], dtype=torch.uint8)

def w():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

def given(program):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        exec(program, globals())
    return [str(each.message) for each in seen]
"""
COUNTED = "print(json.dumps([[given(program) for _ in range(3)] for program in programs]))"
ONCE = {
    "w().sum().backward(create_graph=True)": "Using backward() with create_graph=True",
    "torch.ones(3).T": "The use of `x.T` on tensors of dimension other than 2",
    "torch.ones(2, 3, 4).T": "",  # was said
    "torch.tensor(1.0).T": "Tensor.T is deprecated on 0-D tensors.",
    "torch.tensor(1.0).mT": "Tensor.mT is deprecated on 0-D tensors.",
    "torch.from_numpy(read_only)": "The given NumPy array is not writable",
    "torch.as_tensor(read_only)": "",
    "torch.where(byte, torch.ones(2), torch.zeros(2))": "where received a uint8 condition tensor",
    "float(w()[0])": "Converting a tensor with requires_grad=True to a scalar",
    "torch.set_default_tensor_type(torch.FloatTensor)": "torch.set_default_tensor_type() is deprecated",
    "torch.cross(torch.ones(2, 3), torch.ones(2, 3))": "Using torch.cross without specifying the dim arg",
    "torch.meshgrid(torch.ones(2), torch.ones(2))": "torch.meshgrid: in an upcoming release",
    "F.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 2), padding='same')": "Using padding='same' with even kernel",
}
EACH_TIME = {
    "(w() * 2).grad": "The .grad attribute of a Tensor that is not a leaf",
    "torch.tensor(torch.ones(2))": "To copy construct from a tensor",
    "torch.ones(2)[byte]": "indexing with dtype torch.uint8 is now deprecated",
    "torch.ones(2, 2)[[[0, 1], [0, 1]]]": "Using a non-tuple sequence for multidimensional indexing",
    "torch.ones(1).var()": "var(): degrees of freedom is <= 0",
    "torch.add(torch.ones(2), 1, out=torch.ones(3))": "An output with one or more elements was resized",
    "torch.ones(1).expand(3).index_put_((torch.tensor([0]),), torch.tensor(1.0))": "Use of index_put_ on expanded",
    "torch.autograd.detect_anomaly()": "Anomaly Detection has been enabled",
    "torch.autograd.gradcheck(lambda x: x * 2, [w()], raise_exception=False)": "Input #0 requires gradient and is not",
    "F.softmax(torch.ones(2, 2))": "Implicit dimension choice for softmax",
    "F.mse_loss(torch.ones(2, 1), torch.ones(2))": "Using a target size",
    "F.mse_loss(torch.ones(2), torch.ones(2), size_average=True)": "size_average and reduce args will be deprecated",
    "F.kl_div(torch.ones(2), torch.ones(2))": "reduction: 'mean' divides the total loss by both",
    "F.dropout2d(torch.ones(2, 2))": "dropout2d: Received a 2-D input",
    "nn.init.kaiming_uniform_(torch.empty(0, 3))": "Initializing zero-element tensors is a no-op",
    "nn.init.uniform(torch.empty(3))": "`nn.init.uniform` is now deprecated",
    "nn.RNN(1, 1, dropout=0.5)": "dropout option adds dropout after all but last recurrent layer",
    "nn.Linear(1, 1).state_dict({}, '', False)": "Positional args are being deprecated",
    "torch.optim.lr_scheduler.StepLR(torch.optim.SGD([w()], lr=0.1), 1).step()": "Detected call of `lr_scheduler.step",
    "torch.utils.data.random_split(range(2), [0.9, 0.1])": "Length of split at index 1 is 0",
}


def in_a_new_process(torch, text, *programs):
    path = os.pathsep.join([str(Path(torch.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-c", PREPARED + text, torch.__name__, json.dumps(programs)],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    return json.loads(run.stdout)


def test_some_come_once_and_others_each_time(torch):
    found = in_a_new_process(torch, COUNTED, *ONCE, *EACH_TIME)
    starts = [[start, "", ""] for start in ONCE.values()] + [[start] * 3 for start in EACH_TIME.values()]
    for program, said, start in zip((*ONCE, *EACH_TIME), found, starts, strict=True):
        assert [len(each) for each in said] == [bool(each) for each in start], program
        assert all(each[0].startswith(text) for each, text in zip(said, start, strict=True) if text), program


def test_all_can_be_had_each_time(torch):
    found = in_a_new_process(torch, "torch.set_warn_always(True)\n" + COUNTED, *ONCE)
    assert [[len(each) for each in said] for said in found] == [[1, 1, 1]] * len(ONCE)


def test_what_was_said_while_all_were_wanted_is_said_again_once_they_are_not(torch):
    text = """
torch.set_warn_always(True)
counts = [len(given(programs[0]))]
torch.set_warn_always(False)
print(json.dumps([*counts, len(given(programs[0])), len(given(programs[0]))]))
"""
    assert in_a_new_process(torch, text, "torch.ones(3).T") == [1, 1, 0]


def test_the_switch_is_a_bool(torch):
    before = torch.is_warn_always_enabled()
    assert torch.set_warn_always(before) is None and torch.is_warn_always_enabled() is before
    with says(RuntimeError, "setWarnOnlyOnce expects a bool, but got int"):
        torch.set_warn_always(1)


@pytest.mark.parametrize(
    "shape, name, text",
    [
        ((), "T", "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases."),
        ((), "mT", "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases."),
        (
            (3,),
            "T",
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
            "throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
            "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
        ),
    ],
)
def test_transposing_what_is_no_matrix_warns(torch, shape, name, text):
    x = torch.ones(shape)
    with warns(text):
        assert getattr(x, name).shape == shape


def test_a_vector_has_no_two_axes_to_exchange(torch):
    with says(RuntimeError, "tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor."):
        torch.ones(3).mT  # noqa: B018

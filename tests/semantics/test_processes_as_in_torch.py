"""`torch.multiprocessing`: the standard library's, with tensors as arguments and results; and tensors in pickles."""

import copy
import importlib
import multiprocessing
import pickle

import pytest


def test_it_is_the_standard_library_s(torch):
    theirs = importlib.import_module(f"{torch.__name__}.multiprocessing")
    assert torch.multiprocessing is theirs and theirs.cpu_count() == multiprocessing.cpu_count()
    assert {*multiprocessing.__all__} <= {*theirs.__all__} and theirs.Process is multiprocessing.Process


def test_a_pool_takes_and_gives_tensors():
    import minigrad as torch

    x = torch.arange(6.0).view(3, 2)
    with torch.multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(x.__getitem__, [0, 2])
    assert [part.tolist() for part in found] == [[0, 1], [4, 5]]


@pytest.mark.parametrize("how", [copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_and_pickles_leave_the_history_behind(torch, how):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    y = w * 2
    view = y[:1]
    y.add_(1)
    w.grad = torch.ones(2)
    w.tag = "mine"
    for x, numbers in [(w, [1, 2]), (y, [3, 5]), (view, [3])]:
        other = how(x)
        assert other.tolist() == numbers and other.is_leaf and other.requires_grad and other.grad is None
        assert other._version == 1 and type(other) is torch.Tensor
    assert how(w).tag == "mine" and how(w.detach()[1:]).tolist() == [2]
    assert how(torch.arange(6).view(2, 3).t()).stride() == (1, 3)


def test_a_pickle_has_numbers_of_its_own_and_a_copy_has_not(torch):
    x = torch.ones(3)
    other, shared, view = pickle.loads(pickle.dumps((x, x.detach(), x[1:])))
    other.zero_()
    assert shared.tolist() == [1, 1, 1] and view.tolist() == [1, 1]
    copy.copy(x[1:])[0] = 5
    assert x.tolist() == [1, 5, 1]


def test_a_module_that_was_used_can_be_pickled(torch):
    model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
    model(torch.ones(3, 2)).sum().backward()
    model[0].weight[0]
    again = pickle.loads(pickle.dumps(model))
    assert type(again[0].weight) is torch.nn.Parameter and again[0].weight.grad is None
    assert torch.equal(again[0].weight, model[0].weight) and [*again.state_dict()] == [*model.state_dict()]

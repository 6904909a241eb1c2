"""A whole module in a file: what comes back, and what must be allowed."""

import io
import pickle
import sys

import pytest


@pytest.fixture
def net(torch, monkeypatch):
    """A module whose class can be found again, as one that a program defines can: in this file, under its name."""
    nn, F = torch.nn, torch.nn.functional

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(2, 2)
            self.all = nn.Sequential(self.first, nn.BatchNorm1d(2))
            self.tied = self.first.weight
            self.act, self.squash, self.last = F.relu, torch.tanh, F.relu
            self.prior = torch.distributions.Normal(torch.zeros(2), torch.ones(2))
            self.sizes, self.names = [1, (2, 3)], {"a", "b"}
            self.register_buffer("scale", torch.tensor(2.0))

        def forward(self, x):
            return self.squash(self.act(self.all(x)) * self.scale)

    Net.__qualname__ = "Net"
    monkeypatch.setattr(sys.modules[__name__], "Net", Net, raising=False)
    torch.manual_seed(0)
    return Net()


def written(torch, thing):
    file = io.BytesIO()
    torch.save(thing, file)
    file.seek(0)
    return file


def test_a_whole_module_comes_back(torch, net):
    again = torch.load(written(torch, net), weights_only=False)
    assert type(again) is type(net) and repr(again) == repr(net)
    assert again.first is again.all[0] and again.tied is again.first.weight is not net.first.weight
    assert (again.sizes, again.names) == (net.sizes, net.names)
    assert (again.act, again.squash, again.last) == (net.act, net.squash, net.last)
    assert repr(again.prior) == repr(net.prior)
    x = torch.rand(4, 2)
    assert torch.equal(net(x), again(x)) and torch.equal(net.all[1].running_mean, again.all[1].running_mean)
    again(x).sum().backward()
    assert again.first.weight.grad.any() and net.first.weight.grad is None
    again.eval()
    assert not again.all.training and net.all.training


def test_a_module_that_stands_twice_is_one_module(torch, net):
    pair, alone = torch.load(written(torch, [(net, net), net.first]), weights_only=False)
    assert pair[0] is pair[1] and pair[0].first is alone


def test_everything_may_stand_twice(torch, net):
    normal = torch.distributions.Normal(0.0, 1.0)
    things = [net, net.first.weight, normal, torch.relu, torch.nn.functional.relu, torch.float32, {1, 2}, [net], (net,)]
    for thing in things:
        one, two = torch.load(written(torch, [thing, thing]), weights_only=False)
        assert one is two or one == two, thing
        assert type(one) is type(thing)


def test_it_must_be_allowed(torch, net):
    for allowed in (True, None):
        with pytest.raises(pickle.UnpicklingError, match=r"^Weights only load failed\. This file can still be loaded"):
            torch.load(written(torch, {"net": net}), weights_only=allowed)


def test_its_class_must_be_there(torch, net, monkeypatch):
    file = written(torch, net)
    monkeypatch.delattr(sys.modules[__name__], "Net")
    with pytest.raises(AttributeError, match=r"^Can't get attribute 'Net' on <module '.*test_whole_modules"):
        torch.load(file, weights_only=False)


def test_a_class_that_cannot_be_found_again_is_not_saved(torch, net):
    type(net).__qualname__ = "somewhere.<locals>.Net"
    with pytest.raises((AttributeError, pickle.PicklingError), match="^Can't (get|pickle) local object"):
        written(torch, net)


def test_the_apply_of_a_function_of_the_programs_own_comes_back(torch, net, monkeypatch):
    class Round(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.round(x)

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    Round.__qualname__ = "Round"
    monkeypatch.setattr(sys.modules[__name__], "Round", Round, raising=False)
    net.round = Round.apply
    file = written(torch, net)
    again = torch.load(file, weights_only=False)
    assert again.round == net.round
    x = torch.rand(3, requires_grad=True)
    again.round(x).sum().backward()
    assert x.grad.tolist() == [1, 1, 1]
    file.seek(0)
    monkeypatch.delattr(sys.modules[__name__], "Round")
    with pytest.raises(AttributeError, match=r"^Can't get attribute 'Round' on <module '.*test_whole_modules"):
        torch.load(file, weights_only=False)

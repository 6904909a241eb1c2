"""observe_operators: what it is told, of what and when, and that it is free and silent when nobody listens."""

import threading

import minigrad as torch
from minigrad.autograd.graph import observe_operators


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        return t + t

    @staticmethod
    def backward(ctx, grad):
        return grad + grad


def heard(program):
    """The names of the operators that `program` runs."""
    told = []
    with observe_operators(lambda name, inputs, outputs: told.append(name)):
        program()
    return told


def test_operators_are_told_in_order_with_what_they_were_given():
    w, told = torch.ones(2, requires_grad=True), []
    with observe_operators(lambda name, inputs, outputs: told.append((name, inputs, outputs))):
        a = w * 3
        b = a.sum()
    assert [name for name, _, _ in told] == ["mul", "sum"]
    (_, inputs, (first,)), (_, _, (second,)) = told
    assert inputs[0] is w and inputs[1] == 3 and first is a and second is b
    w * 2
    assert len(told) == 2


def test_in_place_work_views_and_functions_are_told_too():
    t = torch.zeros(2, 2)
    assert heard(lambda: t.add_(torch.ones(1))) == ["add"]
    assert heard(lambda: t.view(4)) == ["view"]
    assert heard(lambda: Double.apply(t)) == ["add", "Double"]  # what its forward does, then itself


def test_observers_nest_and_belong_to_their_thread():
    t, outer, inner = torch.ones(1), [], []
    with observe_operators(lambda name, *_: outer.append(name)):
        with observe_operators(lambda name, *_: inner.append(name)):
            t.exp()
        other = threading.Thread(target=t.log)
        other.start()
        other.join()
        t.sin()
    assert (outer, inner) == (["exp", "sin"], ["exp"])

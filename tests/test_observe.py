"""observe_operators, observe_backward and note_lines: what is told and noted, when, and that all of it is free else."""

import threading

import minigrad as torch
from minigrad.autograd.graph import Node, note_lines, observe_backward, observe_operators


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


def test_every_pass_is_told_with_its_starts_before_it_runs():
    w, told = torch.ones(2, requires_grad=True), []
    y, z = w.sum(), (w * 2).sum()
    with observe_backward(lambda starts: told.append((*starts, w.grad))):
        y.backward(retain_graph=True)
        torch.autograd.backward([y, z])
        torch.autograd.grad(w.exp().sum(), w)
        other = threading.Thread(target=w.sum().backward)
        other.start()
        other.join()
    w.sum().backward()
    assert [len(each) for each in told] == [2, 3, 2]
    assert told[0][0] is y and told[0][1] is None and told[1][:2] == (y, z) and told[2][0].grad_fn is not None


def test_a_pass_that_fails_is_told_and_raises_what_it_raises_else():
    told = []
    with observe_backward(told.append):
        for wrong in (torch.ones(2), torch.ones(2, requires_grad=True), 3):
            try:
                torch.autograd.backward(wrong)
            except (RuntimeError, TypeError) as error:
                told.append(str(error))
    assert [str(each) for each in told[1:4:2]] == [
        "element 0 of tensors does not require grad and does not have a grad_fn",
        "grad can be implicitly created only for scalar outputs",
    ] and len(told) == 5


def line_of(node, source):
    """The text of the line that made a node, here in this file."""
    filename, number = node.made_at
    assert filename == __file__
    return source[number - 1].strip()


def test_a_node_knows_the_line_that_made_it_through_modules_views_and_functions():
    with open(__file__, encoding="utf-8") as file:
        source = file.read().splitlines()
    layer, w = torch.nn.Linear(2, 2), torch.ones(2, requires_grad=True)
    with note_lines():
        y = layer(w)
        z = Double.apply(y)
        v = z * 1
        v[0] = 5
        (grad,) = torch.autograd.grad((w * w).sum(), w, create_graph=True)
    assert line_of(y.grad_fn, source) == "y = layer(w)" and line_of(z.grad_fn, source) == "z = Double.apply(y)"
    assert line_of(v.grad_fn, source) == "v[0] = 5"
    assert line_of(grad.grad_fn, source).startswith("(grad,) =")


def test_lines_are_noted_by_all_threads_and_only_inside():
    w = torch.ones(1, requires_grad=True)
    assert (w * 1).grad_fn.made_at is None and "__init__" not in vars(Node)
    with note_lines():
        with note_lines():
            pass
        made = []
        other = threading.Thread(target=lambda: made.append(w * 1))
        other.start()
        other.join()
    assert made[0].grad_fn.made_at[0] == __file__
    assert (w * 1).grad_fn.made_at is None and "__init__" not in vars(Node)


def test_anomaly_mode_notes_the_line_as_well():
    w = torch.ones(1, requires_grad=True)
    with torch.autograd.set_detect_anomaly(True):
        y = w * 1
    assert y.grad_fn.made_at[0] == __file__


def test_index_tensors_are_told_as_inputs():
    """x[i] and x[i] = y; afterwards, no other operator has them."""
    x, rows, new = torch.zeros(3, 2), torch.tensor([0, 2]), torch.ones(2, 2)
    told = []
    with observe_operators(lambda name, inputs, outputs: told.append((name, inputs))):
        x[rows]
        x[rows] = new
        x.exp()
    assert [name for name, _ in told] == ["index", "index_put", "exp"]
    given = [[any(each is other for other in (x, rows, new)) for each in inputs] for _, inputs in told]
    assert given == [[True, True], [True, True, True], [True]]

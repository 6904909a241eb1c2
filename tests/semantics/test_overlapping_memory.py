"""What an operator in place may write to and read from: which check comes first, and what passes."""

import pytest
from saying import says, warns

SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
NO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
    "instead."
)
LEAF = "a leaf Variable that requires grad is being used in an in-place operation."
EXPANDED = "Use of {} on expanded tensors is deprecated. Please clone() the tensor before performing this operation. "
PUT = EXPANDED.format("index_put_") + "This also applies to advanced indexing e.g. tensor[indices] = tensor"
FILL = EXPANDED.format("masked_fill_") + "This also applies to advanced indexing e.g. tensor[mask] = scalar"


def run(torch, program):
    *lines, last = program.split("; ")
    space = {"torch": torch, "T": torch.tensor}
    exec("\n".join(lines), space)
    return lambda: exec(last, space), space


@pytest.mark.parametrize(
    "program",
    [
        "x = torch.ones(3); x.index_add_(0, T([0, 1, 2]), x, alpha=2)",
        "x = T([True, False]); x.index_add_(0, T([0, 1]), x, alpha=2)",
        "x = torch.ones(2, 1); x[T([-2, -2])] = x.data",
        "x = T([True, False]); x.scatter_add_(0, T([0, 0]), x.data)",
        "x = T([2.0]); x[..., None, :] = x",
        "x = torch.ones(2, 1); x[None, ::2] = x[0:-1]",
        "x = T([2]); x.copy_(x.select(0, 0))",
        "x = torch.ones(1, 3); x.copy_(x.t())",
        "x = torch.ones(0); x[torch.zeros(0, dtype=torch.bool)] = x",
        "x = torch.ones(0); x[T([True, True])] = x",
        "x = torch.ones(6); x[None, [True, True]] = x",
        "x = T([-1]).expand(3); x.index_put_((T([2, 2, 2]),), x, accumulate=True)",
        "x = torch.ones(3); x[1:] += x[:2]",
    ],
)
def test_it_may_not_read_where_it_writes(torch, program):
    last, _ = run(torch, program)
    with says(RuntimeError, OVERLAP), pytest.warns() if "expand" in program else warns():
        last()


@pytest.mark.parametrize(
    ("program", "right"),
    [
        ("x = T(2.0); x[True] = x", 2.0),
        ("x = T(2.0); x[None] = x", 2.0),
        ("x = T([2.0]); x[[False]] = x", [2.0]),
        ("x = T([2.0]); x[..., T([True])] = x", [2.0]),
        ("x = T([1.0, 2.0, 3.0]); x[[True, False, True]] = x[1]", [2.0, 2.0, 2.0]),
        ("x = T([1.0, 2.0, 3.0]); x[0:3] = x[1]", [2.0, 2.0, 2.0]),
        ("x = T([1.0, 2.0, 3.0]); x[:1:2] = x[1]", [2.0, 2.0, 3.0]),
        ("x = T([1.0, 2.0, 3.0]); x[..., None, :] = x", [1.0, 2.0, 3.0]),
        ("x = T([1.0, 2.0]); y = x.expand(2, 2); y.copy_(y.data)", [1.0, 2.0]),
    ],
)
def test_one_number_goes_anywhere(torch, program, right):
    last, space = run(torch, program)
    last()
    assert space["x"].tolist() == right


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("x = T([[True], [False]]); x.sub_(x.select(1, 0), alpha=2)", RuntimeError, NO_BOOLS),
        ("x = T([True]).expand(2); x -= x", RuntimeError, NO_BOOLS),
        ("x = T(True); x[None] -= x", RuntimeError, NO_BOOLS),
        ("w = torch.ones(2, requires_grad=True); w.index_add_(0, T([0.5]), w)", RuntimeError, LEAF),
        ("w = torch.ones(2, requires_grad=True); w.scatter_add_(0, T([[5]]), torch.ones(2))", RuntimeError, LEAF),
        ("w = torch.ones(2, requires_grad=True); w[T([0, 1])] = torch.ones(2).double()", RuntimeError, LEAF),
        ("w = torch.ones(2, requires_grad=True); w[T([True, True, False])] = 1", RuntimeError, LEAF),
        (
            "x = torch.zeros(3); x[T([1])] = torch.ones(3).double()",
            RuntimeError,
            "shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [1]",
        ),
        (
            "x = torch.ones(2, 4); x.masked_fill_(torch.ones(3, 2) > 0, 0.5)",
            RuntimeError,
            "The size of tensor a (4) must match the size of tensor b (2) at non-singleton dimension 1",
        ),
    ],
)
def test_which_check_comes_first(torch, program, error, text):
    last, _ = run(torch, program)
    with says(error, text):
        last()


def test_a_number_for_a_mask_is_warned_of_twice(torch):
    x = torch.zeros(3).expand(2, 3)
    with warns(PUT, FILL):
        x[x < 1] = 0.5
    assert x.tolist() == [[0.5] * 3] * 2


def test_an_axis_of_length_one_has_the_steps_that_expand_gave_it(torch):
    assert torch.ones(3).expand(1, 3).stride() == (3, 1)
    assert torch.ones(()).expand(1, 1).stride() == (0, 0)
    assert torch.ones(2, 1).expand(1, 2, 4).stride() == (2, 1, 0)
    assert torch.ones(0).stride() == (1,) and torch.ones(2, 0, 3).stride() == (3, 3, 1)


GAPS = {  # memory with gaps is not looked into: each number is read when its turn comes, and may be new by then
    "index_add_ into a part": (
        lambda x: x[:, :-1].index_add_(1, index(x, [1, 1, 1]), x),
        [[0, 4, 2], [3, 19, 5], [6, 34, 8]],
    ),
    "index_add_ from a part": (
        lambda x: x.index_add_(1, index(x, [2, 1]), x[:, 1:]),
        [[0, 4, 3], [3, 13, 9], [6, 22, 15]],
    ),
    "a row less a column": (lambda x: x[::2].sub_(x[:, 0]), [[0, -2, -4], [3, 4, 5], [6, 4, 2]]),
    "every second": (lambda x: x.view(-1)[1::2].__isub__(x.view(-1)[1:2]), [[0, 0, 2], [3, 4, 5], [6, 7, 8]]),
    "turned": (lambda x: x.t()[::2].mul_(x[1]), [[0, 1, 6], [12, 4, 20], [120, 7, 160]]),
}


def index(x, places):
    return x.new_tensor(places).long()


@pytest.mark.parametrize("kind", ["int64", "float32"])
@pytest.mark.parametrize("name", GAPS)
def test_with_gaps_each_number_is_read_in_its_turn(torch, name, kind):
    program, right = GAPS[name]
    x = torch.arange(9).reshape(3, 3).to(getattr(torch, kind))
    program(x)
    assert x.tolist() == right


def test_without_grad_the_history_of_what_is_read_is_not_looked_at(torch):
    """It can't be followed, and need not be."""
    first, second = (torch.ones(2, 3, requires_grad=True) * 1).t()[::2].unbind(1)
    with torch.no_grad():
        second.mul_(2)
        second -= first
    assert second.tolist() == [1, 1]


@pytest.mark.parametrize("spread", [True, False])
def test_what_cannot_be_written_is_refused_before_anything_is_computed(torch, spread):
    memory = torch.tensor([3, 3, -2, 0, 5, 0, 1, 2], dtype=torch.int16)
    target, other = (memory[:4].expand(2, 4), memory[:4]) if spread else (memory[::2], memory[:4])
    text = "more than one element of the written-to tensor" if spread else "result type Float can't be cast"
    with pytest.raises(RuntimeError, match=text):
        target.div_(other)
    assert memory.tolist() == [3, 3, -2, 0, 5, 0, 1, 2]

"""deepcopy, copy, pickle, and save with load: who shares memory afterwards, and what of a leaf is lost."""

import copy
import io
import pickle
import warnings

import pytest
from saying import says, warns


def through_file(torch, x):
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    return torch.load(file)


WAYS = {
    "deepcopy": lambda torch, x: copy.deepcopy(x),
    "copy": lambda torch, x: copy.copy(x),
    "save": through_file,
    "pickle": lambda torch, x: pickle.loads(pickle.dumps(x)),
}
ways = pytest.mark.parametrize("way", WAYS)
SHARES = {"deepcopy", "save"}  # pickle writes the memory once for each tensor


@pytest.fixture
def again(torch, way):
    """A copy of its argument, made in that way."""
    return lambda x: WAYS[way](torch, x)


PAIRS = {
    "two views": lambda t: (b := t.arange(6.0), [b[:4], b[2:]])[1],
    "a tensor and its view": lambda t: (b := t.arange(6.0), [b, b[2:]])[1],
    "a view and its base": lambda t: (b := t.arange(6.0), [b[2:], b])[1],
    "a matrix and its transpose": lambda t: (b := t.arange(6.0).view(2, 3), [b, b.t()])[1],
    "a vector and one spread out": lambda t: (b := t.ones(1), [b, b.expand(3)])[1],
    "windows": lambda t: (b := t.arange(6.0), [b, b.unfold(0, 2, 1)])[1],
    "an element": lambda t: (b := t.arange(3.0), [b, b[1]])[1],
    "every other": lambda t: (b := t.arange(6), [b[::2], b[1::2], b])[1],
    "detach": lambda t: (b := t.ones(2, requires_grad=True), [b.detach(), b.detach()])[1],
    "data": lambda t: (b := t.ones(2), [b, b.data, b.data[1:]])[1],
    "integers": lambda t: (b := t.arange(4, dtype=t.int32), [b, b.view(2, 2)])[1],
    "pieces": lambda t: [*t.arange(6.0).chunk(2)],
}


def memory_of(tensors):
    """For each pair of tensors, at how many elements they meet: told by changing each in turn."""
    found = []
    for x in tensors:
        before = [each.clone() for each in tensors]
        x.data.copy_(x.data + 100) if 0 not in x.stride() else x.data[:1].add_(100)
        found.append([int((a != b).sum()) for a, b in zip(tensors, before, strict=True)])
    return found


@pytest.mark.parametrize("way", ["deepcopy", "save", "pickle"])
@pytest.mark.parametrize("name", PAIRS)
def test_who_shares_memory_shares_it_afterwards(torch, again, way, name):
    tensors = PAIRS[name](torch)
    new = again(tensors)
    assert [x.tolist() for x in new] == [x.tolist() for x in tensors]
    assert [x.stride() for x in new] == [x.stride() for x in tensors]
    assert all(not x._is_view() and x.is_leaf for x in new)
    before = [x.tolist() for x in tensors]
    found = memory_of(new)
    assert before == [x.tolist() for x in tensors]  # nothing with the old ones
    if way in SHARES:
        assert found == memory_of(tensors)
    else:
        assert all(not n for i, row in enumerate(found) for j, n in enumerate(row) if i != j)


@ways
def test_arrays_of_numpy_are_memory_of_their_own(torch, again, way):
    import numpy as np

    n = np.arange(6.0, dtype="float32")
    x, y = again([torch.from_numpy(n), torch.from_numpy(n[2:])])
    if way != "copy":  # of a list: the tensors are the same ones
        assert not memory_of([x, y])[0][1] and n.tolist() == [0, 1, 2, 3, 4, 5]


@ways
def test_tied_weights(torch, again, way):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    net[1].weight = net[0].weight
    if way != "save":
        new = again(net)
        assert new[0].weight is new[1].weight and len(list(new.parameters())) == 3
    a, _, b, _ = again(dict(net.state_dict())).values()
    assert a is not b and not a.requires_grad and type(a) is torch.Tensor
    a[0, 0] = 99
    assert (b[0, 0] == 99) == (way != "pickle")


def test_a_buffer_that_is_a_view_of_another(torch):
    net = torch.nn.BatchNorm1d(2)
    net.register_buffer("alias", net.running_mean[:1])
    new = copy.deepcopy(net)
    new.running_mean[0] = 5
    assert new.alias.item() == 5 and net.alias.item() == 0


@ways
def test_an_optimizers_state(torch, again, way):
    p = torch.nn.Parameter(torch.ones(2))
    optimizer = torch.optim.Adam([p], lr=0.1)
    p.sum().backward()
    optimizer.step()
    state = again(optimizer.state_dict())["state"][0]
    assert state["step"].item() == 1 and state["exp_avg"].tolist() == pytest.approx([0.1, 0.1])
    if way != "save":
        q, new = again([p, optimizer])
        assert new.param_groups[0]["params"][0] is q and [*new.state] == [q]
        assert (q.grad is None) == (way != "copy")


@ways
def test_a_leaf(torch, again, way):
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    x.name_of_mine = "x"
    y = again(x)
    assert y.requires_grad and y.is_leaf and type(y) is torch.Tensor and y._version == 1 and y.name_of_mine == "x"
    if way == "deepcopy":
        assert y.grad.tolist() == [2, 2] and y.grad is not x.grad
    else:
        assert y.grad is None
    with torch.no_grad():
        y[0] = 7
    assert x.tolist() == ([7, 1] if way == "copy" else [1, 1])


@ways
def test_a_parameter(torch, again, way):
    x = torch.nn.Parameter(torch.ones(2))
    (x * 2).sum().backward()
    x.name_of_mine = "x"
    y = again(x)
    assert repr(y) == repr(x) and type(y) is torch.nn.Parameter and y.is_leaf and y.grad is None
    assert y._version == (way in ("save", "pickle")) and hasattr(y, "name_of_mine") == (way != "deepcopy")
    assert not again(torch.nn.Parameter(torch.ones(1), requires_grad=False)).requires_grad


def test_a_copied_parameter_has_memory_of_its_own(torch):
    p = torch.nn.Parameter(torch.ones(2))
    x, y, z = copy.deepcopy([p, p.data, p.detach()])
    y[0] = 9
    assert x.tolist() == [1, 1] and z.tolist() == [9, 1]
    x, y = through_file(torch, [p, p.data])
    y[0] = 9
    assert x.tolist() == [9, 1]


@ways
def test_a_tensor_with_a_history(torch, again, way):
    x = torch.ones(2, requires_grad=True)
    for y in (x * 2, x[:1]):
        if way == "deepcopy":
            with says(RuntimeError, None) as caught:
                again(y)
            text = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol"
            assert str(caught.value).startswith(text)
        else:
            z = again(y)
            assert z.is_leaf and z.requires_grad and z.tolist() == y.tolist()
    with torch.no_grad():
        assert again(x[:1]).requires_grad  # as its base does


def triple(grad):
    return grad * 3


@ways
def test_hooks_stay_behind(torch, again, way):
    x = torch.ones(2, requires_grad=True)
    x.register_hook(triple)
    text = f"backward hook {triple!r} on tensor will not be serialized.  If this is expected, you can decorate the "
    text += "function with @torch.utils.hooks.unserializable_hook to suppress this warning"
    with warns(*([] if way == "deepcopy" else [text])):
        y = again(x)
    y.sum().backward()
    assert y.grad.tolist() == [1, 1]
    with warns():
        p = torch.nn.Parameter(torch.ones(2))
        p.register_hook(triple)
        again(p)


@ways
def test_a_tensor_that_occurs_twice(torch, again, way):
    x = torch.ones(2, requires_grad=True)
    x.sum().backward()
    y, z = again([x, x])
    assert y is z
    if way == "deepcopy":
        for first, second in (([x, x.grad], (0, 1)), ([x.grad, x], (1, 0))):
            new = again(first)
            assert new[second[0]].grad is new[second[1]]


@ways
def test_how_a_tensor_lies_in_memory(torch, again, way):
    for x in (
        torch.arange(6.0).view(2, 3).t(),
        torch.ones(1).expand(3),
        torch.arange(6.0)[::2],
        torch.arange(24.0).view(2, 3, 4).permute(1, 2, 0),
        torch.zeros(0, 3),
        torch.tensor(2.0),
        torch.tensor([True, False])[1:],
        torch.arange(4, dtype=torch.float16)[2:],
    ):
        y = again(x)
        assert y.stride() == x.stride() and y.tolist() == x.tolist() and y.dtype == x.dtype


@ways
def test_inference_mode(torch, again, way):
    with torch.inference_mode():
        x = torch.ones(2)
        assert again(torch.ones(2)).is_inference()
    assert not again(x).is_inference()


@ways
def test_a_count_of_changes_begins_anew(torch, again, way):
    x = torch.ones(2)
    x.add_(1).add_(1)
    assert again(x)._version == 1 and x._version == 2


def test_a_copied_gradient_with_a_history(torch):
    x = torch.ones(2, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x**3).sum().backward(create_graph=True)
    with says(RuntimeError, None):
        copy.deepcopy(x)
    assert pickle.loads(pickle.dumps(x)).grad is None


def test_keywords_of_a_file_that_change_nothing(torch):
    file = io.BytesIO()
    torch.save({"x": torch.ones(1)}, file, pickle_protocol=4, pickle_module=pickle, _disable_byteorder_record=True)
    file.seek(0)
    assert torch.load(file, encoding="utf-8", mmap=None, weights_only=False)["x"].item() == 1
    file.seek(0)
    with says(RuntimeError, "Can not safely load weights when explicit pickle_module is specified"):
        torch.load(file, pickle_module=pickle, weights_only=True)
    file = io.BytesIO()
    torch.save(torch.ones(1), file, _use_new_zipfile_serialization=False)
    file.seek(0)
    assert torch.load(file).item() == 1

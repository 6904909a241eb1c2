"""`x.storage()`, the memory behind a tensor, and `resize_` and `resize_as_`, which read it in another size."""

import numpy as np
import pytest
from saying import says


@pytest.fixture(autouse=True)
def quiet(recwarn):
    """PyTorch warns, once a process, that `storage()` is deprecated; what it says is tested below."""


def test_a_storage_is_a_list_of_the_numbers_in_memory(torch):
    points = torch.tensor([[4.0, 1.0], [5.0, 3.0]])
    storage = points.t().storage()
    lines = " 4.0\n 1.0\n 5.0\n 3.0\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 4]"
    assert repr(storage) == str(storage) == lines and repr(type(storage)) == "<class 'torch.storage.TypedStorage'>"
    assert (
        len(storage) == storage.size() == 4 and storage[1] == 1.0 and storage[-1] == 3.0 and type(storage[0]) is float
    )
    assert list(storage) == storage.tolist() == [4, 1, 5, 3] and storage.data_ptr() == points.data_ptr()
    assert points[1].storage().tolist() == [4, 1, 5, 3] and points[1].storage_offset() == 2
    assert storage.dtype is torch.float32 and storage.device == torch.device("cpu")
    assert repr(torch.tensor([True]).storage()).startswith(" True\n") and torch.tensor(3).storage().tolist() == [3]
    assert repr(torch.empty(0).storage())[:2] == " \n" and torch.ones(2).expand(3, 2).storage().size() == 2


def test_writing_into_a_storage_writes_into_the_tensor(torch):
    points = torch.tensor([[4.0, 1.0], [5.0, 3.0]], requires_grad=True)
    points.storage()[1] = 2
    points.storage()[2:] = 7.0
    assert points.tolist() == [[4, 2], [7, 7]] and points._version == 0
    base = torch.tensor([1.0, 2.0])
    torch.Tensor(base.storage())[0] = 9.0
    assert base.tolist() == [9, 2] and torch.FloatTensor(base.storage()).tolist() == [9, 2]


def test_what_a_storage_refuses(torch):
    storage = torch.arange(4.0).storage()
    for index in 4, -5:
        with says(IndexError, f"index {index} out of range for storage of size 4"):
            storage[index]
    with says(IndexError, "index 9 is out of bounds for dimension 0 with size 4"):
        storage[9] = 1.0
    with says(RuntimeError, "slices are only supported in UntypedStorage.__getitem__"):
        storage[:2]
    with says(RuntimeError, "can't index a <class 'torch.storage.TypedStorage'> with <class 'str'>"):
        storage["a"]
    with says(TypeError, "can't index a <class 'torch.storage.TypedStorage'> with <class 'bool'>"):
        storage[True]
    with says(RuntimeError, "can't index a <class 'torch.storage.TypedStorage'> with <class 'float'>"):
        storage[1.5] = 1.0
    with says(TypeError, "can't assign a str to a torch.FloatTensor"):
        storage[0] = "a"
    said = "Expected a Storage of type Long or an UntypedStorage, but got type Float for argument 1 'storage'"
    with says(RuntimeError, said):
        torch.LongTensor(storage)


def test_storage_says_once_that_it_is_deprecated(torch, recwarn):
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        torch.ones(1).storage()
    finally:
        torch.set_warn_always(before)
    if torch.__name__ == "minigrad":  # PyTorch's own note of having warned is in Python, and does not ask that switch
        assert str(recwarn.pop(UserWarning).message).startswith("TypedStorage is deprecated. It will be removed in ")


def test_resize_reads_the_same_memory_in_another_size(torch):
    x = torch.arange(6.0)
    place = x.data_ptr()
    assert x.resize_(2, 3) is x and x.tolist() == [[0, 1, 2], [3, 4, 5]] and x._version == 1
    assert x.resize_((2, 3))._version == 1  # it has that size already
    assert x.resize_(2).tolist() == [0, 1] and x.storage().size() == 6 and x.data_ptr() == place
    assert x.resize_([3, 2]).tolist() == [[0, 1], [2, 3], [4, 5]] and x._version == 3
    assert x.resize_as_(torch.ones(2, 1, dtype=torch.int64)).tolist() == [[0], [1]] and x.dtype is torch.float32
    assert (
        x.resize_(()).shape == () and x.resize_(2, 0).shape == (2, 0) and x.resize_(size=(6,)).tolist() == [*range(6)]
    )
    assert torch.ones(4).resize_as_(the_template=torch.ones(2, 2).t()).stride() == (2, 1)
    turned = torch.arange(6).view(2, 3).clone().t_()
    assert turned.resize_(6).tolist() == [0, 1, 2, 3, 4, 5]  # as they lie in memory


def test_resize_to_more_elements_keeps_the_first(torch):
    x = torch.tensor([1.0, 2.0])
    assert x.resize_(2, 2)[0].tolist() == [1, 2] and x.storage().size() == 4
    x[1] = 5.0
    assert x.resize_(1).resize_(3).tolist() == [1, 2, 5] and x.resize_(7)[:4].tolist() == [1, 2, 5, 5]
    assert torch.ones(2).new().resize_as_(torch.ones(2, 3)).zero_().tolist() == [[0] * 3] * 2
    assert torch.FloatTensor().resize_(3, 2).fill_(1).sum() == 6


def test_a_tensor_with_views_may_be_resized_to_as_many_elements(torch):
    x, w = torch.ones(4), torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    view = x[1]
    x.resize_(2, 2)
    x.mul_(w)
    assert view.item() == 2 and view.grad_fn.name() == "AsStridedBackward0"
    view.backward()
    assert w.grad.tolist() == [[0, 1], [0, 0]]


def test_what_resize_refuses(torch):
    w = torch.ones(3, requires_grad=True)
    with says(RuntimeError, "cannot resize variables that require grad"), torch.no_grad():
        w.resize_(2)
    with says(RuntimeError, "cannot resize variables that require grad"):
        (w * 2).resize_as_(torch.ones(3))
    with says(RuntimeError, "numel: integer multiplication overflow"):
        torch.ones(3).resize_(3, -1)
    with says(TypeError, "resize_(): argument 'size' (position 1) must be tuple of ints, not float"):
        torch.ones(3).resize_(2.0)
    with says(TypeError, 'resize_() missing 1 required positional arguments: "size"'):
        torch.ones(3).resize_()
    with says(TypeError, "resize_as_(): argument 'the_template' (position 1) must be Tensor, not int"):
        torch.ones(3).resize_as_(3)
    array = np.arange(3.0)
    with pytest.raises(RuntimeError, match="^Trying to resize storage that is not resizable"):
        torch.from_numpy(array).resize_(5)
    x, u = torch.ones(3, requires_grad=True), torch.ones(3)
    product = u * x
    u.resize_(2)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        product.sum().backward()


def test_what_pytorch_resizes_and_minigrad_does_not():
    import minigrad as torch

    x = torch.ones(3)
    view = x[1:]
    for tensor in x, view:
        with pytest.raises(RuntimeError, match="to a view, or to a tensor that has views, minigrad does not"):
            tensor.resize_(1)
    y = torch.ones(3)
    shared = y.detach()
    with pytest.raises(RuntimeError, match="memory that another tensor or a NumPy array shares"):
        shared.resize_(9)
    assert x.tolist() == shared.tolist() == [1, 1, 1] and view.shape == (2,)


def test_a_trace_holds_neither_a_storage_nor_resize(recwarn):
    import minigrad as torch

    assert torch.jit(lambda x: x * x.storage()[1])(torch.tensor([1.0, 2.0])).tolist() == [2, 4]
    assert torch.jit(lambda x: x.resize_(1) * 2)(torch.ones(3)).tolist() == [2]
    said = [str(warning.message) for warning in recwarn if "runs uncompiled" in str(warning.message)]
    assert "it reads the numbers of a tensor" in said[0] and "it changes a tensor in place" in said[1]

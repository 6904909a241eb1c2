"""dtypes and promotion, one memory with NumPy, conversions to Python's own types, and the factories."""

import copy
import math
import pickle

import numpy as np
import pytest
from saying import says, warns


def dtype_of(tensor):
    return str(tensor.dtype).removeprefix("torch.").removeprefix("minigrad.")


@pytest.mark.parametrize(
    "expected, make",
    [
        ("int64", lambda t: t.tensor(3)),
        ("float32", lambda t: t.tensor(3.0)),
        ("bool", lambda t: t.tensor(True)),
        ("float32", lambda t: t.tensor([1, 2.0])),
        ("int64", lambda t: t.tensor([True, 1])),
        ("float32", lambda t: t.tensor([True, 1.0])),
        ("float32", lambda t: t.tensor([])),
        ("float64", lambda t: t.tensor(np.float64(3))),
        ("float64", lambda t: t.tensor([np.float64(3)])),
        ("float64", lambda t: t.tensor(np.array([1.0]))),
        ("int32", lambda t: t.tensor(np.array([1], dtype=np.int32))),
        ("int64", lambda t: t.arange(3)),
        ("float32", lambda t: t.arange(3.0)),
        ("float32", lambda t: t.arange(0, 1, 0.25)),
        ("int64", lambda t: t.full((2,), 3)),
        ("bool", lambda t: t.full((2,), True)),
        ("float32", lambda t: t.full((2,), 3.0)),
        ("float32", lambda t: t.ones(2)),
        ("float32", lambda t: t.linspace(0, 1, 3)),
        ("float32", lambda t: t.eye(2)),
        ("int64", lambda t: t.randint(3, (2,))),
        ("int64", lambda t: t.randperm(3)),
        ("int64", lambda t: t.zeros_like(t.tensor([1]))),
        ("int64", lambda t: t.ones_like(t.ones(1), dtype=t.int64)),
    ],
)
def test_the_dtype_that_a_factory_chooses(torch, expected, make):
    assert dtype_of(make(torch)) == expected


@pytest.mark.parametrize(
    "expected, expression",
    [
        ("float32", lambda t: t.tensor([1]) + 1.5),
        ("float32", lambda t: t.tensor([1]) + t.tensor(1.5)),
        ("float32", lambda t: t.tensor([1]) * t.tensor([1.5])),
        ("float32", lambda t: t.tensor([1.0]) + t.tensor(1.5, dtype=t.float64)),
        ("float64", lambda t: t.tensor([1.0]) + t.tensor([1.5], dtype=t.float64)),
        ("float64", lambda t: t.tensor(1.0) + t.tensor(1.5, dtype=t.float64)),
        ("float64", lambda t: t.tensor([1]) + t.tensor(1.5, dtype=t.float64)),
        ("float16", lambda t: t.tensor([1.0], dtype=t.float16) * 2.5),
        ("float16", lambda t: t.tensor([1.0], dtype=t.float16) * t.tensor([2])),
        ("float32", lambda t: t.tensor([1.0], dtype=t.float16) * t.tensor([2.0])),
        ("int32", lambda t: t.tensor([1], dtype=t.int32) + 1),
        ("int32", lambda t: t.tensor([1], dtype=t.int32) + t.tensor(1)),
        ("int64", lambda t: t.tensor([1], dtype=t.int32) + t.tensor([1])),
        ("int16", lambda t: t.tensor([1], dtype=t.uint8) + t.tensor([1], dtype=t.int8)),
        ("float32", lambda t: t.tensor([1], dtype=t.int32) * 2.5),
        ("float32", lambda t: t.tensor([1]) / 2),
        ("float32", lambda t: t.tensor([4]) / t.tensor([2])),
        ("int64", lambda t: t.tensor([1]) // 2),
        ("float32", lambda t: t.tensor([1.0]) // 2),
        ("bool", lambda t: t.tensor([True]) + t.tensor([True])),
        ("int64", lambda t: t.tensor([True]) * 3),
        ("float32", lambda t: t.tensor([True]) + 1.0),
        ("int64", lambda t: t.tensor(1) + t.tensor([True])),
        ("int64", lambda t: t.tensor([2]) ** 2),
        ("float32", lambda t: t.tensor([2]) ** 0.5),
        ("int64", lambda t: 2 ** t.tensor([3])),
        ("float32", lambda t: t.tensor([1]).exp()),
        ("float32", lambda t: t.tensor([True]).sin()),
        ("float32", lambda t: t.tensor([4]).sqrt()),
        ("bool", lambda t: t.tensor([1]) > 0.5),
        ("int64", lambda t: t.tensor([1, 2], dtype=t.int32).sum()),
        ("int64", lambda t: t.tensor([True, True]).sum()),
        ("int64", lambda t: t.tensor([1, 2], dtype=t.uint8).prod()),
        ("float64", lambda t: t.ones(2).sum(dtype=t.float64)),
        ("float32", lambda t: t.tensor([1, 2]).mean(dtype=t.float32)),
        ("int64", lambda t: t.ones(2).argmax()),
        ("float32", lambda t: t.where(t.tensor([True]), t.tensor([1.0]), 0)),
        ("float64", lambda t: t.where(t.tensor([True]), t.tensor([1.0]), t.tensor([1.0], dtype=t.float64))),
        ("float32", lambda t: t.cat([t.tensor([1]), t.tensor([1.0])])),
        ("float64", lambda t: t.cat([t.ones(2), t.ones(0, dtype=t.float64)])),
        ("float32", lambda t: t.cat([t.tensor([[1]]), t.ones(0)])),
        ("float32", lambda t: t.stack([t.tensor([True]), t.tensor([1.0])])),
        ("float32", lambda t: t.ones(2) * np.float64(2)),
        ("float32", lambda t: np.float64(2) * t.ones(2)),
        ("float32", lambda t: t.tensor([1]) * np.float32(2)),
        ("float32", lambda t: t.ones(2).clamp(min=0)),
        ("float32", lambda t: t.tensor([1]).clamp(min=0.5)),
    ],
)
def test_promotion(torch, expected, expression):
    assert dtype_of(expression(torch)) == expected


def test_gradients_have_each_inputs_own_dtype(torch):
    a = torch.ones(2, dtype=torch.float64, requires_grad=True)
    b = torch.ones(2, requires_grad=True)
    (a * b).sum().backward()
    assert a.grad.dtype == torch.float64 and b.grad.dtype == torch.float32


@pytest.mark.parametrize(
    "expected, expression",
    [
        ([-1], lambda t: t.tensor([-1]) // 2),
        ([-4], lambda t: t.tensor([-7.0]) // 2),
        ([2], lambda t: t.tensor([-7]) % 3),
        ([-2], lambda t: t.tensor([7.0]) % -3),
        ([44], lambda t: t.tensor([200], dtype=t.uint8) + 100),
        ([1, -1], lambda t: t.tensor([1.7, -1.7]).long()),
        ([False, True], lambda t: t.tensor([0.0, 2.0]).bool()),
        ([-2], lambda t: ~t.tensor([1])),
        ([1], lambda t: t.tensor([5]) & t.tensor([3])),
        ([7], lambda t: t.tensor([5]) | 3),
        ([True], lambda t: t.tensor([True]) ^ t.tensor([False])),
        ([True], lambda t: t.tensor([True]) | t.tensor([False])),
    ],
)
def test_integers_round_as_pytorchs_do(torch, expected, expression):
    assert expression(torch).tolist() == expected


@pytest.mark.parametrize(
    "expected, expression",
    [
        ([1.0, 0.0], lambda t: t.tensor([True, False]).clamp(t.zeros(2), t.ones(2))),
        ([1.0, 1.0], lambda t: t.tensor([True, False]).clamp(min=t.ones(2))),
        ([True, False], lambda t: t.tensor([True, False]).clamp(max=t.tensor([True, False]))),
        ([300], lambda t: t.tensor([1], dtype=t.uint8).clamp(min=t.tensor([300]))),
        ([math.inf], lambda t: t.tensor([math.inf]).clamp(min=t.zeros(1))),
    ],
)
def test_limits_may_be_tensors_of_another_type(torch, expected, expression):
    assert str(expression(torch).tolist()) == str(expected)


@pytest.mark.parametrize(
    "alias, name",
    [("float", "float32"), ("double", "float64"), ("half", "float16"), ("long", "int64"), ("int", "int32")],
)
def test_dtypes_have_old_names(torch, alias, name):
    assert getattr(torch, alias) is getattr(torch, name) and str(getattr(torch, alias)) == f"torch.{name}"
    converted = getattr(torch.ones(2), alias)()
    assert converted.dtype is getattr(torch, name)


def test_a_tensor_tells_its_type(torch):
    assert torch.ones(1).type() == "torch.FloatTensor" and torch.tensor([1]).type() == "torch.LongTensor"
    assert torch.ones(1).type(torch.float64).dtype == torch.float64
    assert torch.ones(1).is_floating_point() and not torch.is_floating_point(torch.tensor(1))
    assert torch.get_default_dtype() == torch.float32


def test_a_device_reads_as_in_pytorch(torch):
    device = torch.device("cpu")
    assert repr(device) == "device(type='cpu')" and str(device) == device.type == "cpu"
    assert torch.ones(1).device == device and torch.ones(1, device="cpu").to(device).device == device


def test_a_size_is_a_tuple(torch):
    size = torch.ones(2, 3).shape
    assert isinstance(size, tuple) and isinstance(size, torch.Size) and size == (2, 3) == torch.ones(2, 3).size()
    assert repr(size) == "torch.Size([2, 3])" and size.numel() == 6 and size[-1] == torch.ones(2, 3).size(-1) == 3
    assert repr(size[1:]) == "torch.Size([3])" and repr(size + (1,)) == "torch.Size([2, 3, 1])"


# NumPy


def test_numpy_and_from_numpy_share_memory_both_ways(torch):
    array = np.zeros(3)
    x = torch.from_numpy(array)
    array += 1
    x.add_(1)
    assert x.tolist() == [2, 2, 2] == array.tolist() and x.dtype == torch.float64
    assert x.numpy() is not array and np.shares_memory(x.numpy(), array)


def test_as_tensor_shares_and_tensor_copies(torch):
    array = np.zeros(2)
    shared, copied = torch.as_tensor(array), torch.tensor(array)
    array[0] = 5
    assert shared.tolist() == [5, 0] and copied.tolist() == [0, 0]


def test_as_tensor_of_a_tensor_is_that_tensor(torch, w):
    assert torch.as_tensor(w) is w


def test_a_transposed_view_writes_into_numpys_memory(torch):
    array = np.zeros((2, 3), dtype=np.float32)
    torch.from_numpy(array).t()[0].fill_(7)
    assert array.tolist() == [[7, 0, 0], [7, 0, 0]]


def test_numpy_of_0_d_is_an_array(torch):
    assert isinstance(torch.tensor(3.0).numpy(), np.ndarray) and torch.tensor(3.0).numpy().shape == ()


def test_numpy_of_what_requires_grad_is_refused_in_every_form(torch, w):
    text = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
    for call in (w.numpy, (w * 2).numpy, lambda: np.asarray(w), lambda: np.sin(w)):
        with says(RuntimeError, text):
            call()
    assert w.detach().numpy().tolist() == w.data.numpy().tolist() == [1, 2, 3]


def test_numpy_reads_a_tensor(torch):
    assert np.asarray(torch.ones(2)).dtype == np.float32 and np.asarray(torch.arange(2)).tolist() == [0, 1]


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"])
def test_every_dtype_crosses_over(torch, dtype):
    array = np.ones(2, dtype=dtype)
    x = torch.from_numpy(array)
    assert dtype_of(x) == dtype and x.numpy().dtype == dtype


@pytest.mark.parametrize("make", [lambda torch: torch.from_numpy, lambda torch: torch.tensor])
def test_negative_strides_are_refused(torch, make):
    text = (
        "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
        "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
    )
    with says(ValueError, text):
        make(torch)(np.ones(3)[::-1])


def test_text_cannot_become_a_tensor(torch):
    with says(TypeError):
        torch.from_numpy(np.array(["a"]))


def test_a_read_only_array_warns(torch):
    array = np.ones(3)
    array.flags.writeable = False
    text = (
        "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means "
        "writing to this tensor will result in undefined behavior. You may want to copy the array to protect "
        "its data or make it writable before converting it to a tensor. This type of warning will be "
        "suppressed for the rest of this program."
    )
    with warns(text):
        torch.from_numpy(array)


# Python


def test_scalars_become_pythons_own(torch):
    assert type(torch.tensor(2.5).item()) is float and type(torch.tensor(2).item()) is int
    assert type(torch.tensor(True).item()) is bool and type(torch.ones(1, 1).tolist()[0][0]) is float
    assert (int(torch.tensor(2.7)), float(torch.tensor([2])), bool(torch.tensor(0.0))) == (2, 2.0, False)
    assert [10, 20, 30][torch.tensor(1)] == 20 and list(range(torch.tensor(3))) == [0, 1, 2]


def test_pythons_own_functions_take_tensors(torch):
    a, b = torch.tensor(1.0), torch.tensor(2.0)
    assert max(a, b) is b and sum([a, b]).item() == 3 and sorted([b, a])[0] is a
    assert abs(-b).item() == 2 and pow(b, 3).item() == 8 and (+b).item() == 2 and math.sqrt(torch.tensor(4.0)) == 2
    assert [x.item() for x in torch.tensor([1.0, 2.0])] == [1, 2] and sum(torch.tensor([1.0, 2.0])).item() == 3
    first, second = torch.tensor([1.0, 2.0])
    assert second.item() == 2 and 2 in torch.tensor([1, 2]) and 5 not in torch.tensor([1, 2])
    assert len(torch.ones(3, 2)) == 3 and len({a, b, a}) == 2


def test_a_number_formats_as_a_number_and_a_tensor_as_its_repr(torch):
    assert f"{torch.tensor(1.5):.3f} {torch.tensor(2):d} {torch.tensor(1.5)}" == "1.500 2 1.5"
    assert f"{torch.tensor(1.5, requires_grad=True):.2f}" == "1.50"
    assert "%.2f" % torch.tensor(1.5) == "1.50"  # noqa: UP031
    assert f"{torch.ones(2)}" == "tensor([1., 1.])"


def test_item_is_silent_and_float_of_what_requires_grad_warns(torch, w):
    with warns():
        w.sum().item()
        w.tolist()
    text = (
        "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using "
        "tensor.detach() first."
    )
    with warns(text):
        assert float(w[0]) == 1


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_keep_value_dtype_and_requires_grad(torch, how):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = how(x)
    assert y.tolist() == [1, 2] and y.dtype == x.dtype and y.requires_grad and y is not x


def test_a_tensor_compares_elementwise_and_is_true_alone(torch):
    assert (torch.tensor([1, 2]) == torch.tensor([1, 3])).tolist() == [True, False]
    assert torch.tensor(1) == 1 and not torch.tensor(1) == 2
    assert torch.equal(torch.tensor([1]), torch.tensor([1])) and not torch.equal(torch.ones(2), torch.ones(3))
    assert torch.allclose(torch.tensor([1.0]), torch.tensor([1.0 + 1e-9]))


def test_results_with_two_parts_have_names(torch):
    result = torch.tensor([[3, 1, 2]]).max(1)
    values, indices = result
    assert result.values is result[0] and values.tolist() == [3] and indices.tolist() == [0]
    assert repr(result) == "torch.return_types.max(\nvalues=tensor([3]),\nindices=tensor([0]))"


# Factories


@pytest.mark.parametrize(
    "expected, make",
    [
        ([0, 1, 2], lambda t: t.arange(3)),
        ([1, 3], lambda t: t.arange(1, 5, 2)),
        ([5, 4, 3], lambda t: t.arange(5, 2, -1)),
        ([0, 0.25, 0.5, 0.75, 1], lambda t: t.linspace(0, 1, 5)),
        ([0], lambda t: t.linspace(0, 1, 1)),
        ([[1, 0, 0], [0, 1, 0]], lambda t: t.eye(2, 3)),
        ([[3, 3]], lambda t: t.full((1, 2), 3)),
        ([[0, 0]], lambda t: t.zeros((1, 2))),
        ([[0, 0]], lambda t: t.zeros([1, 2])),
        ([[0, 0]], lambda t: t.zeros(t.Size([1, 2]))),
        ([0, 0], lambda t: t.zeros(size=(2,))),
        (0, lambda t: t.zeros(())),
        ([], lambda t: t.zeros(0)),
        ([1, 2], lambda t: t.Tensor([1, 2])),
        ([1, 2], lambda t: t.FloatTensor([1, 2])),
        ([1, 2], lambda t: t.LongTensor([1, 2])),
        ([0, 0], lambda t: t.ones(1).new_zeros(2)),
        ([1, 2], lambda t: t.ones(1).new_tensor([1, 2])),
        ([7, 7], lambda t: t.ones(1).new_full((2,), 7)),
    ],
)
def test_factories(torch, expected, make):
    assert make(torch).tolist() == expected


@pytest.mark.parametrize("kind", ["float16", "float32", "int64", "bool"])
@pytest.mark.parametrize(
    "data",
    [np.array([1.5, 0]), np.array([1, 0], "float32"), np.array([2, 0]), np.array([True, False]), [1.0, 0], [1, 0]],
)
def test_new_tensor_has_the_type_of_the_tensor_and_not_of_the_data(torch, kind, data):
    kind = getattr(torch, kind)
    new = torch.ones(2, dtype=kind).new_tensor(data)
    assert new.dtype is kind and new.equal(torch.tensor(data, dtype=kind))
    assert torch.ones(1).new_tensor(data, dtype=torch.int32).dtype is torch.int32


def test_a_seed_can_be_read_back_and_repeats(torch):
    torch.manual_seed(3)
    first = torch.randn(4)
    torch.manual_seed(3)
    assert torch.initial_seed() == 3 and torch.equal(first, torch.randn(4))


def test_strides_tell_how_memory_is_laid_out(torch):
    x = torch.zeros(2, 3)
    assert x.stride() == (3, 1) and x.t().stride() == (1, 3) and x.stride(0) == 3
    assert x.is_contiguous() and not x.t().is_contiguous() and x.t().contiguous().stride() == (2, 1)
    assert x[1].storage_offset() == 3 and x[1].data_ptr() == x.data_ptr() + 3 * x.element_size()
    assert x.expand(4, 2, 3).stride() == (0, 3, 1)
    assert (x.dim(), x.ndim, x.numel(), torch.numel(x)) == (2, 2, 6, 6)


def test_under_no_grad_what_requires_grad_becomes_numpy(torch, w):
    with torch.no_grad():
        assert w.numpy().tolist() == [1, 2, 3] and np.asarray(w).tolist() == [1, 2, 3]
    with torch.inference_mode():
        assert w.numpy().tolist() == [1, 2, 3]
    with says(RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."):
        w.numpy()


def test_types_print_as_pytorchs(torch, w):
    class Mine(torch.nn.Parameter):
        pass

    things = [w, w * 2, (w * 2)[0], w.dtype, w.shape, w.device, torch.nn.Parameter(w.detach())]
    assert [str(type(thing)) for thing in things] == [
        *["<class 'torch.Tensor'>"] * 3,
        "<class 'torch.dtype'>",
        "<class 'torch.Size'>",
        "<class 'torch.device'>",
        "<class 'torch.nn.parameter.Parameter'>",
    ]
    assert repr(Mine).endswith("test_types_print_as_pytorchs.<locals>.Mine'>")

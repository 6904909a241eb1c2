"""`out=`, the old types of tensors, and numbers beyond a type's range."""

import pytest
from saying import says, warns

NO_GRADIENT = (
    "add(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
    "requires grad."
)


# out=


@pytest.mark.parametrize(
    "call",
    [
        lambda t, out: t.add(t.ones(2), 1, out=out),
        lambda t, out: t.sub(t.ones(2), t.ones(2), alpha=3, out=out),
        lambda t, out: t.exp(t.ones(2), out=out),
        lambda t, out: t.clamp(t.tensor([1.0, 5.0]), max=2, out=out),
        lambda t, out: t.matmul(t.ones(2, 3), t.ones(3), out=out),
        lambda t, out: t.sum(t.ones(2, 3), 1, out=out),
        lambda t, out: t.mean(t.ones(2, 3), 1, out=out),
        lambda t, out: t.maximum(t.ones(2), t.zeros(2), out=out),
        lambda t, out: t.eq(t.ones(2), t.ones(2), out=out),
        lambda t, out: t.cat([t.ones(1), t.zeros(1)], out=out),
        lambda t, out: t.stack([t.tensor(1.0), t.tensor(2.0)], out=out),
        lambda t, out: t.zeros(2, out=out),
        lambda t, out: t.ones(2, out=out),
        lambda t, out: t.full((2,), 3, out=out),
        lambda t, out: t.arange(2, out=out),
        lambda t, out: t.linspace(0, 1, 2, out=out),
        lambda t, out: t.cumsum(t.ones(2), 0, out=out),
        lambda t, out: t.atan2(t.ones(2), t.ones(2), out=out),
        lambda t, out: t.where(t.tensor([True, False]), t.ones(2), t.zeros(2), out=out),
    ],
)
def test_out_takes_the_result_and_is_returned(torch, call):
    out = torch.full((2,), -7.0)
    fresh = torch.empty(0)
    version = out._version
    assert call(torch, out) is out and out._version > version
    assert call(torch, fresh).tolist() == out.tolist()


def test_randn_draws_in_the_type_of_out(torch):
    out = torch.zeros(2, dtype=torch.float64)
    torch.manual_seed(0)
    torch.randn(2, out=out)
    torch.manual_seed(0)
    assert torch.randn(2, dtype=torch.float64).equal(out)


def test_out_of_another_size_warns_and_takes_it(torch):
    out = torch.zeros(3)
    text = (
        "An output with one or more elements was resized since it had shape [3], which does not match the required "
        "output shape [2]. This behavior is deprecated, and in a future PyTorch release outputs will not be resized "
        "unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero "
        "elements with t.resize_(0)."
    )
    with warns(text):
        torch.add(torch.ones(2), 1, out=out)
    assert out.tolist() == [2, 2]


def test_out_that_can_not_hold_the_result(torch):
    with says(RuntimeError, "result type Float can't be cast to the desired output type Long"):
        torch.exp(torch.ones(2), out=torch.zeros(2, dtype=torch.int64))
    with says(RuntimeError, "Expected out tensor to have dtype float, but got double instead"):
        torch.mm(torch.ones(2, 2), torch.ones(2, 2), out=torch.zeros(2, 2, dtype=torch.float64))
    with says(RuntimeError, "dtype Float does not match dtype of out parameter (Long)"):
        torch.ones(2, dtype=torch.float32, out=torch.zeros(2, dtype=torch.int64))


def test_out_and_gradients_do_not_go_together(torch):
    w = torch.ones(2, requires_grad=True)
    with says(RuntimeError, NO_GRADIENT):
        torch.add(w, 1, out=torch.zeros(2))
    with says(RuntimeError, NO_GRADIENT):
        torch.add(torch.ones(2), 1, out=w)
    with torch.no_grad():
        torch.add(torch.ones(2), 1, out=w)
    assert w.tolist() == [2, 2] and w.requires_grad


def test_out_as_a_view_writes_into_its_base(torch):
    base = torch.zeros(4)
    torch.add(torch.ones(2), 1, out=base[1:3])
    assert base.tolist() == [0, 2, 2, 0]


def test_what_is_overwritten_counts_a_version(torch):
    x, w = torch.ones(2), torch.ones(2, requires_grad=True)
    y = (w * x).sum()
    torch.add(torch.ones(2), 1, out=x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


# The old types


@pytest.mark.parametrize(
    "name, dtype",
    [
        *(("Float", "float32"), ("Double", "float64"), ("Half", "float16"), ("Long", "int64"), ("Int", "int32")),
        *(("Short", "int16"), ("Char", "int8"), ("Byte", "uint8"), ("Bool", "bool")),
    ],
)
def test_an_old_type_makes_tensors_and_knows_them(torch, name, dtype):
    old, dtype = getattr(torch, name + "Tensor"), getattr(torch, dtype)
    assert old(2, 3).shape == (2, 3) and old(2, 3).dtype is dtype and old([1, 0]).tolist() == [1, 0]
    assert old(torch.Size([2])).shape == (2,) and old().shape == (0,)
    x = torch.zeros(2, dtype=dtype)
    assert isinstance(x, old) and isinstance(x, torch.Tensor) and old.dtype is dtype
    assert not isinstance(x, torch.FloatTensor if name != "Float" else torch.LongTensor)
    assert x.type() == f"torch.{name}Tensor" and repr(old) == f"<class 'torch.{name}Tensor'>"
    for kind in (old, f"torch.{name}Tensor", dtype):
        assert torch.ones(2).type(kind).dtype is dtype


def test_what_an_old_type_refuses(torch):
    with says(TypeError, "new(): data must be a sequence (got float)"):
        torch.FloatTensor(3.5)
    with says(ValueError, "invalid type: 'foo'"):
        torch.ones(2).type("foo")


@pytest.mark.filterwarnings("ignore:torch.set_default_tensor_type")
def test_the_default_type_by_its_old_name(torch):
    torch.set_default_tensor_type(torch.DoubleTensor)
    try:
        assert torch.tensor(0.5).dtype is torch.float64
    finally:
        torch.set_default_tensor_type("torch.FloatTensor")
    assert torch.tensor(0.5).dtype is torch.float32


# Numbers beyond a type's range


@pytest.mark.parametrize(
    "call, right",
    [
        (lambda t: t.tensor([-3], dtype=t.uint8), [253]),
        (lambda t: t.tensor([[1, -2]], dtype=t.uint8), [[1, 254]]),
        (lambda t: t.as_tensor([-1], dtype=t.uint8), [255]),
        (lambda t: t.full((1,), -3, dtype=t.uint8), [253]),
        (lambda t: t.ones(1, dtype=t.uint8).fill_(-3), [253]),
        (lambda t: t.ones(1, dtype=t.uint8).clamp(min=-5), [251]),
        (lambda t: t.ones(1, dtype=t.uint8) + 300, [45]),
        (lambda t: t.ones(1, dtype=t.uint8) % 300, [1]),
        (lambda t: t.tensor([1e300]), [float("inf")]),
    ],
)
def test_a_number_that_wraps_around(torch, call, right):
    assert call(torch).tolist() == right


@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda t: t.tensor([300], dtype=t.uint8), "uint8"),
        (lambda t: t.tensor([-300], dtype=t.uint8), "uint8"),
        (lambda t: t.tensor([300.5], dtype=t.int8), "int8"),
        (lambda t: t.tensor([2**31], dtype=t.int32), "int32"),
        (lambda t: t.tensor([float("nan")], dtype=t.int64), "int64"),
        (lambda t: t.full((2,), 300, dtype=t.uint8), "uint8_t"),
        (lambda t: t.full((2,), 1e300), "float"),
        (lambda t: t.ones(2, dtype=t.float16).fill_(1e30), "c10::Half"),
        (lambda t: t.ones(2, dtype=t.uint8).clamp(-5, 300), "uint8_t"),
        (lambda t: t.ones(2, dtype=t.uint8) ** 300, "uint8_t"),
        (lambda t: t.where(t.tensor([True]), t.ones(1, dtype=t.uint8), 300), "uint8_t"),
    ],
)
def test_a_number_that_a_type_can_not_hold(torch, call, kind):
    with says(RuntimeError, f"value cannot be converted to type {kind} without overflow"):
        call(torch)


# What a type can hold, ranges, and NumPy's names for parameters


def test_the_limits_of_types(torch):
    assert torch.finfo(torch.float16).max == 65504 and torch.iinfo(torch.uint8).max == 255
    assert repr(torch.iinfo(torch.int32)) == "iinfo(min=-2.14748e+09, max=2.14748e+09, dtype=int32)"
    assert repr(torch.finfo(torch.float16)).startswith("finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562")
    assert torch.result_type(torch.ones(2, dtype=torch.int8), 300) is torch.int8
    assert not torch.can_cast(torch.float32, torch.int32) and torch.can_cast(torch.float64, torch.float32)
    assert torch.is_tensor(torch.ones(1)) and not torch.is_tensor(3) and not torch.is_nonzero(torch.zeros(1))


def test_numbers_evenly_apart(torch):
    assert torch.logspace(0, 2, 3).tolist() == [1, 10, 100] and torch.scalar_tensor(3).dtype is torch.float32
    assert torch.ones(2, dtype=torch.int64).new(3).dtype is torch.int64 and torch.ones(2).new([1, 2]).tolist() == [1, 2]


def test_numpys_names_for_parameters(torch):
    x = torch.ones(2, 3)
    assert torch.cumsum(x, axis=0).shape == (2, 3) and x.argmax(axis=1).shape == (2,)
    assert x.std(axis=1, keepdims=True).shape == (2, 1) and torch.cat([x, x], axis=1).shape == (2, 6)


def test_the_old_constructor_makes_tensors_on_the_cpu(torch):
    assert torch.Tensor([1, 2], device="cpu").equal(torch.tensor([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="^legacy constructor expects device type: cpu but device type: cuda was pa"):
        torch.Tensor([1], device="cuda")


def test_logspace_of_whole_numbers_starts_and_ends_at_whole_powers(torch):
    assert torch.logspace(0.9, 3.9, 5, dtype=torch.int64).tolist() == [1, 5, 31, 177, 1000]
    assert torch.logspace(0, 4, 4, base=2.5, dtype=torch.int64).tolist() == [1, 3, 11, 39]


@pytest.mark.parametrize("name", ["Tensor", "FloatTensor", "LongTensor"])
def test_the_old_constructor_takes_a_size_by_its_name(torch, name):
    old = getattr(torch, name)
    assert old(size=(2, 3)).shape == (2, 3) and old(size=[2]).shape == (2,) and old(size=torch.Size([4])).shape == (4,)
    for wrong in (lambda: old(size=2), lambda: old(2, size=(3,))):
        with pytest.raises(TypeError, match="received an invalid combination of arguments"):
            wrong()

"""minigrad.random against the numbers that PyTorch drew, and against PyTorch itself where it is installed."""

import json
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from goldens.record_random import CALLS, FILLS, GOLDENS, TENSORS, in_torch, some
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
from minigrad import random

RECORDED = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def default_generator():
    """Nobody else's numbers depend on these tests."""
    yield
    random.seed()


def drawn(call):
    """What the default generator draws; the counterpart of `in_torch`."""
    name, *arguments = call
    out = getattr(random, name)(*arguments)
    if name == "manual_seed":
        return np.empty(0)
    assert type(out) is np.ndarray
    return out


def assert_same(ours, theirs, call):
    """Bit for bit, but for logarithms, sines and cosines, and for float64's fused multiplication.

    That is so where PyTorch has its vector kernels (x86 with AVX2); elsewhere it rounds a little differently itself.
    """
    kind = ours.dtype.name
    if call[0] == "normal" or (call[0] == "uniform" and kind == "float64"):
        bound = {"float16": 2**-10, "float32": 4 * 2**-23, "float64": 4 * 2**-52}[kind]
        np.testing.assert_allclose(some(ours), theirs, rtol=bound, atol=bound, err_msg=str(call))
    else:
        np.testing.assert_array_equal(some(ours), theirs, err_msg=str(call))


# -- what PyTorch drew ---------------------------------------------------------------------------


def test_one_stream_of_calls():
    assert len(CALLS) == len(RECORDED["drawn"]), "run tests/goldens/record_random.py"
    for call, theirs in zip(CALLS, RECORDED["drawn"], strict=True):
        assert_same(drawn(call), theirs, call)


def assert_same_numbers(library):
    """The programs of TENSORS, one after the other, on this library: bit for bit, or to the last bits of a float."""
    for program, theirs in zip(TENSORS, RECORDED["tensors"], strict=True):
        ours = eval(program, {"torch": library}).numpy()
        bound = {"float16": 2**-10, "float32": 4 * 2**-23, "float64": 8 * 2**-52}.get(ours.dtype.name, 0)
        np.testing.assert_allclose(some(ours), theirs, rtol=bound, atol=bound, err_msg=program)


def test_one_stream_of_tensors():
    assert_same_numbers(minigrad)


# -- generators ----------------------------------------------------------------------------------


def test_generators_do_not_disturb_each_other():
    random.manual_seed(0)
    expected = random.uniform((4,))
    random.manual_seed(0)
    random.uniform((100,), generator=random.Generator())
    np.testing.assert_array_equal(random.uniform((4,)), expected)


def test_a_new_seed_forgets_the_kept_normal_number():
    generator = random.Generator().manual_seed(0)
    first = random.normal((3,), generator=generator)
    np.testing.assert_array_equal(random.normal((3,), generator=generator.manual_seed(0)), first)


def test_seeds():
    generator = random.Generator()
    assert generator.initial_seed() == 67280421310721
    assert generator.manual_seed(-5).initial_seed() == 2**64 - 5
    assert generator.manual_seed(2**64 - 1).initial_seed() == 2**64 - 1
    assert random.manual_seed(True) is random.default_generator
    assert random.initial_seed() == 1
    assert random.manual_seed("7").initial_seed() == 7


def test_nobody_foresees_a_seed():
    assert random.seed() == random.initial_seed() != random.seed()
    assert random.Generator().seed() != random.Generator().seed()
    code = "from minigrad import random; print(random.initial_seed())"
    seeds = {subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)}
    assert len(seeds) == 2


def test_numpy_is_not_disturbed():
    np.random.seed(0)
    expected = np.random.rand(3)
    np.random.seed(0)
    random.manual_seed(1)
    random.normal((20,))
    np.testing.assert_array_equal(np.random.rand(3), expected)


def test_threads_share_a_stream(monkeypatch):
    """Each normal number is drawn once, whichever thread gets it; a kept one is neither lost nor handed out twice."""
    generator, numbers, threads = random.Generator(), [], 4
    start = threading.Barrier(threads)

    def draw_three():
        for _ in range(3):
            numbers.append(random.normal((), "float64", generator=generator))

    def slow_unit(words, dtype, unit=random.unit):
        time.sleep(0.002)  # in the middle of a pair: the other threads' chance
        return unit(words, dtype)

    generator.manual_seed(3)
    for _ in range(threads):
        draw_three()
    expected = sorted(numbers)
    numbers.clear()
    generator.manual_seed(3)
    monkeypatch.setattr(random, "unit", slow_unit)
    workers = [threading.Thread(target=lambda: (start.wait(), draw_three())) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(numbers) == expected


# -- wrong calls ---------------------------------------------------------------------------------

WRONG = [
    (ValueError, "Overflow when unpacking long long", lambda: random.manual_seed(2**64)),
    (ValueError, "Overflow when unpacking long long", lambda: random.manual_seed(-(2**63) - 1)),
    (RuntimeError, "manual_seed expected a long, but got float", lambda: random.Generator().manual_seed(1.5)),
    (RuntimeError, "manual_seed expected a long, but got bool", lambda: random.Generator().manual_seed(True)),
    (
        RuntimeError,
        "uniform_ expects to return a [from, to) range, but found from=2 > to=1",
        lambda: random.uniform((3,), low=2, high=1),
    ),
    (NotImplementedError, "\"check_uniform_bounds\" not implemented for 'Long'", lambda: random.uniform((3,), int)),
    (NotImplementedError, "\"normal_kernel_cpu\" not implemented for 'Int'", lambda: random.normal((3,), "int32")),
    (RuntimeError, "normal expects std >= 0.0, but found std -1", lambda: random.normal((3,), std=-1)),
    (
        RuntimeError,
        "random_ expects 'from' to be less than 'to', but got from=5 >= to=5",
        lambda: random.randint(5, 5, (3,)),
    ),
    (RuntimeError, "to - 1 is out of bounds for unsigned char", lambda: random.randint(0, 300, (3,), "uint8")),
    (RuntimeError, "from is out of bounds for unsigned char", lambda: random.randint(-1, 3, (3,), "uint8")),
    (RuntimeError, "to - 1 is out of bounds for short int", lambda: random.randint(0, 2**15 + 1, (3,), "int16")),
    (RuntimeError, "to - 1 is out of bounds for bool", lambda: random.randint(0, 3, (3,), "bool")),
    (ValueError, "Overflow when unpacking long long", lambda: random.randint(0, 2**63, (3,))),
    (RuntimeError, "Trying to create tensor with negative dimension -1: [-1]", lambda: random.randperm(-1)),
    (
        ValueError,
        "dropout probability has to be between 0 and 1, but got 1.5",
        lambda: random.dropout_mask((3,), 1.5),
    ),
]


@pytest.mark.parametrize("kind, text, wrong", WRONG, ids=[text[:40] for _, text, _ in WRONG])
def test_a_wrong_call_gets_pytorchs_error(kind, text, wrong):
    with pytest.raises(kind) as error:
        wrong()
    assert str(error.value) == text


def test_whole_floats_are_never_rounded():
    """PyTorch warns here and gives rounded numbers; its warning says that it will become an error."""
    with pytest.raises(RuntimeError, match="to - 1 is out of bounds for float"):
        random.randint(0, 2**24 + 2, (3,), "float32")


def test_a_wrong_call_draws_nothing():
    random.manual_seed(0)
    first = random.normal((3,))
    random.manual_seed(0)
    for _, _, wrong in WRONG:
        with pytest.raises(Exception, match="."):
            wrong()
    np.testing.assert_array_equal(random.normal((3,)), first)


# -- beside PyTorch itself -----------------------------------------------------------------------

SIZES = st.integers(0, 70)
FLOATS = st.sampled_from(["float32", "float64", "float16"])


def calls():
    return st.one_of(
        st.tuples(st.just("uniform"), st.tuples(SIZES), FLOATS, st.floats(-8, 0, width=16), st.floats(0, 8, width=16)),
        st.tuples(st.just("normal"), st.tuples(SIZES), FLOATS),
        st.tuples(st.just("randint"), st.integers(-(2**63), -1), st.integers(0, 2**63 - 1), st.tuples(SIZES)),
        st.tuples(st.just("randint"), st.integers(-100, -1), st.integers(0, 2**29), st.tuples(SIZES)),
        st.tuples(st.just("randperm"), SIZES),
        st.tuples(st.just("dropout_mask"), st.tuples(SIZES), st.floats(0, 0.9)),
    )


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="compares with the real PyTorch")


@pytest.mark.torch
@settings(deadline=None, max_examples=300)
@given(seed=st.integers(-(2**63), 2**64 - 1), sequence=st.lists(calls(), max_size=12))
def test_same_stream_as_torch(seed, sequence):
    torch = pytest.importorskip("torch", reason="compares with the real PyTorch")
    for call in [("manual_seed", seed), ("uniform", (1,)), *sequence, ("normal", (1,)), ("uniform", (1,))]:
        assert_same(drawn(call), some(in_torch(call)), call)
    assert random.initial_seed() == torch.initial_seed() % 2**64


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", ["uniform", "normal"])
def test_every_size_up_to_100_and_a_million(torch, name, dtype):
    for size in (*range(101), 10**6 + 7):
        for call in [("manual_seed", size), (name, (size,), dtype), ("randint", 0, 2**27, (2,))]:
            ours, theirs = drawn(call), in_torch(call)
            np.testing.assert_allclose(ours, theirs, atol=5e-7 if dtype != "float16" else 2e-3, rtol=0)


@pytest.mark.torch
def test_recorded_numbers_are_still_what_torch_draws(torch):
    for call, recorded in zip(CALLS, RECORDED["drawn"], strict=True):
        theirs = in_torch(call)
        assert_same(theirs, recorded, call)
    assert_same_numbers(torch)


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("fill", [*FILLS, "normal_", "uniform_"])
def test_a_million_of_each(torch, fill, dtype):
    fill = fill if fill.endswith(")") else fill + "()"
    ours, theirs = (
        eval(f"torch.empty(10**6, dtype=torch.{dtype}).{fill}", {"torch": library.manual_seed(4) and library}).numpy()
        for library in (minigrad, torch)
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-5 if "cauchy" in fill and dtype == "float32" else 1e-6, atol=1e-6)

"""Two arguments share a trace only if they are of the same type and have the same bits, wherever they stand.

Python calls `0.0 == -0.0` and `1 == True`, and equal objects have equal hashes: a table of traces that went by `==`
would hand the second one what was compiled for the first.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import re
import struct
import uuid
from collections import OrderedDict, namedtuple
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch


@dataclasses.dataclass(frozen=True)
class Setting:
    scale: object


@dataclasses.dataclass(frozen=True)
class Other(Setting):
    pass


@dataclasses.dataclass(frozen=True)
class Hidden:
    scale: object = dataclasses.field(compare=False)


class Kind(enum.IntEnum):
    ONE = 1
    TWO = 2


class Rounds:
    """Equal to whatever rounds to the same number."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return round(self.number) == round(other.number)

    def __hash__(self):
        return hash(round(self.number))

    def __repr__(self):
        return f"Rounds({self.number})"


class Named(str):
    __slots__ = ()


Pair, Couple = namedtuple("Pair", "a b"), namedtuple("Couple", "a b")
UTC, CET = datetime.UTC, datetime.timezone(datetime.timedelta(hours=1))
PAYLOAD = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0]
NUMBERS = [0, False, 0.0, -0.0, 0j, complex(-0.0, 0), complex(0, -0.0), complex(-0.0, -0.0)]
NUMBERS += [decimal.Decimal(0), decimal.Decimal("-0"), decimal.Decimal("0.0"), fractions.Fraction(0)]
NUMBERS += [np.float32(0), np.float32(-0.0), np.float64(0), np.float64(-0.0), np.float16(0), np.int64(0), np.int32(0)]
NUMBERS += [np.uint8(0), np.False_, np.complex64(0), np.longdouble(0)]
ALIKE = [  # of each row, no two are the same, though most are equal
    NUMBERS,
    [1, True, 1.0, 1 + 0j, np.int64(1), np.True_, Kind.ONE, fractions.Fraction(1), decimal.Decimal(1)],
    [math.nan, -math.nan, PAYLOAD, np.float64("nan"), np.float32("nan"), complex(math.nan, 0), complex(0, math.nan)],
    ["a", Named("a"), np.str_("a"), b"a", bytearray],
    ["", b"", (), [], {}, frozenset(), None, False, torch.Size([]), OrderedDict(), range(0), slice(0)],
    [range(0), range(1, 1), range(0, 0, 2)],
    [range(2), range(0, 2), range(True, 2), range(0, 2, 1), range(0, 2, 3)][::2] + [range(0, 3, 3)],
    [slice(0, 1), slice(0, True), slice(0.0, 1), slice(-0.0, 1), slice(0, 1, None), slice(None, 1)][:4],
    [(1, 2), [1, 2], Pair(1, 2), Couple(1, 2), torch.Size([1, 2]), Pair(True, 2), Pair(1, 2.0)],
    [{1: 2, 3: 4}, {3: 4, 1: 2}, OrderedDict({1: 2, 3: 4}), {True: 2, 3: 4}, {1: 2, 3.0: 4}, {1: 2, 3: 4.0}],
    [{0.0: 1}, {-0.0: 1}, {0: 1}, {False: 1}, {(0.0,): 1}, {(-0.0,): 1}],
    [frozenset({1}), frozenset({True}), frozenset({1.0}), frozenset({(1,)}), frozenset({(True,)})],
    [frozenset({8, 0}), frozenset({0.0, 8}), frozenset({-0.0, 8})],
    [Setting(0.0), Setting(-0.0), Setting(0), Setting((0.0,)), Setting((-0.0,)), Other(0.0)],
    [Hidden(1), Hidden(2), Hidden(1.0)],
    [Rounds(1.0), Rounds(1.2), Rounds(1)],
    [np.dtype("f4"), np.dtype("f8"), np.dtype(">f4"), np.float32, torch.float32, torch.float64, "float32"],
    [torch.device("cpu"), torch.device("cpu", 0), "cpu"],
    [pathlib.PurePosixPath("a"), pathlib.PureWindowsPath("a"), pathlib.PureWindowsPath("A"), "a"],
    [datetime.datetime(2026, 1, 1, 12, tzinfo=UTC), datetime.datetime(2026, 1, 1, 13, tzinfo=CET)],
    [datetime.datetime(2026, 1, 1), datetime.datetime(2026, 1, 1, fold=1), datetime.date(2026, 1, 1)],
    [datetime.timedelta(0), datetime.timedelta(1), 0],
    [np.datetime64(0, "s"), np.datetime64(0, "ms"), np.timedelta64(0, "s"), np.timedelta64(0, "ms")],
    [re.compile("a"), re.compile("a", re.I), re.compile(b"a")],
    [uuid.UUID(int=1), uuid.UUID(int=2), 1],
    [math.sin, np.sin, torch.sin, len, str.upper, "a".upper, "b".upper],
    [partial(max, 0.0), partial(max, -0.0)],
    [int, bool, float, list[int], list[bool], tuple[int, bool]],
    [..., None, NotImplemented],
    [torch.ones(2), torch.ones(2).double(), torch.ones(2, requires_grad=True), torch.ones(2, 1), np.float32(1)],
]


def key_of(*args, **kwargs):
    return torch.jit(lambda *args, **kwargs: torch.ones(1)).signature(args, kwargs)


def same(a, b):
    """Would the second call find the trace of the first?"""
    return key_of(a) in {key_of(b): 0}


def a_pair():
    """Two arguments that are not the same."""
    return st.sampled_from(ALIKE).flatmap(lambda row: st.permutations(row).map(lambda r: (r[0], r[1])))


WRAPS = {  # around each of the two, the same
    "nothing": lambda x: x,
    "a list": lambda x: [x],
    "a tuple": lambda x: (1, x),
    "a named tuple": lambda x: Pair(x, 0),
    "a dict": lambda x: {"a": x, "b": 0},
    "a key": lambda x: {x: 0},
    "a frozenset": lambda x: frozenset({x}),
    "a dataclass": lambda x: Setting(x),
    "a hidden field": lambda x: Hidden(x),
    "a slice": lambda x: slice(x),
}


@settings(max_examples=600, deadline=None)
@given(a_pair(), st.lists(st.sampled_from(sorted(WRAPS)), max_size=3))
def test_what_is_equal_but_not_the_same_has_another_key(pair, around):
    try:
        for name in around:
            pair = [WRAPS[name](x) for x in pair]
        a, b = map(key_of, pair)
    except TypeError:
        return  # such an argument cannot be hashed: it runs without a trace
    assert a not in {b: 0}


@pytest.mark.parametrize("row", ALIKE, ids=lambda row: repr(row)[:40])
def test_each_is_the_same_as_itself_and_as_no_other(row):
    for i, a in enumerate(row):
        for j, b in enumerate(row):
            assert same(a, b) == (i == j), (a, b)
    texts = repr([key_of(x) for x in row])
    assert texts  # a key can be printed


MADE_AGAIN = [
    *(lambda: math.nan, lambda: float("nan"), lambda: -0.0, lambda: 2.5e-3, lambda: "ab" * 2, lambda: 10**30),
    *(
        lambda: (1, [2.0, {"a": None}]),
        lambda: frozenset({1, (2.0, -0.0)}),
        lambda: range(1, 5),
        lambda: slice(1, None),
    ),
    *(lambda: Setting((0.0, "a")), lambda: Pair(1, [2]), lambda: decimal.Decimal("1.0"), lambda: Rounds(1.2)),
    *(lambda: np.float32(1.5), lambda: torch.device("cpu"), lambda: np.dtype("f4"), lambda: pathlib.PurePath("a/b")),
    *(lambda: torch.ones(2, 3), lambda: torch.Size([2, 3]), lambda: complex(0, -0.0), lambda: OrderedDict(a=1)),
    lambda: datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC),
]


@pytest.mark.parametrize("make", MADE_AGAIN, ids=lambda make: repr(make())[:40])
def test_what_is_made_again_in_the_same_way_finds_its_trace(make):
    assert same(make(), make())
    assert key_of(a=make()) in {key_of(a=make()): 0}


def test_the_calls_of_the_issue():
    divided = torch.jit(lambda x, s: x / s)
    x = torch.tensor([1.0])
    assert [divided(x, s).item() for s in (0.0, -0.0, 0.0)] == [math.inf, -math.inf, math.inf]
    assert len(divided.traces) == 2
    counted = torch.jit(lambda x, s: x * len([e for e in s if e is True]))
    assert [counted(x, frozenset({e})).item() for e in (1, True)] == [0, 1]
    scaled = torch.jit(lambda x, s: x / s.scale)
    assert [scaled(x, Setting(z)).item() for z in (0.0, -0.0)] == [math.inf, -math.inf]
    assert "(float32[1], -0.0)" in repr(divided.traces) and "Setting(scale=-0.0)" in repr(scaled.traces)


def test_a_nan_that_is_made_anew_is_no_new_argument():
    scaled = torch.jit(lambda x, s: x * s)
    for _ in range(5):
        assert scaled(torch.ones(1), float("nan")).isnan().all()
    assert len(scaled.traces) == 1


def test_a_tensor_in_an_object_is_compared_by_identity():
    """It is no argument of the trace: its numbers come from outside, and another tensor has others."""
    scaled = torch.jit(lambda x, s: x * s.scale)
    for n in (2.0, 3.0):
        assert scaled(torch.ones(1), Setting(torch.tensor([n]))).item() == n
    held = Setting(torch.tensor([5.0]))
    assert scaled(torch.ones(1), held).item() == 5
    held.scale.fill_(6.0)
    assert scaled(torch.ones(1), held).item() == 6 and len(scaled.traces) == 3


def test_attributes_of_a_list_of_ones_own_are_not_lost():
    """The trace gets the list anew, and that would have the attributes of the class."""

    class Weights(list):
        scale = 1.0

    mine = Weights([2.0])
    scaled = torch.jit(lambda x, w: x * w[0] * w.scale)
    assert scaled(torch.ones(1), mine).item() == 2
    mine.scale = 3.0
    with pytest.warns(UserWarning, match="of type Weights, which has attributes of its own"):
        assert scaled(torch.ones(1), mine).item() == 6


def test_a_list_that_holds_itself_runs_as_it_is():
    loop = [2.0]
    loop.append(loop)
    with pytest.warns(UserWarning, match="runs uncompiled"):
        assert torch.jit(lambda x, w: x * w[0])(torch.ones(1), loop).item() == 2


LAYOUTS = {
    "stride": lambda x: x * x.stride(0),
    "is_contiguous": lambda x: x * 2 if x.is_contiguous() else x * 3,
    "of a view": lambda x: x * x.t().stride(0),
    "of a result": lambda x: (x + 1) * (x + 1).stride(0),
    "view": lambda x: x.view(9) * 2,
}


def outcome(call, *args):
    try:
        return call(*args).tolist()
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_function_that_looks_how_a_tensor_lies_in_memory_has_a_trace_for_each(name):
    f, x = LAYOUTS[name], torch.arange(9.0).view(3, 3)
    fast = torch.jit(f)
    for each in (x, x.clone(), x.t(), x, x.t()):
        assert outcome(fast, each) == outcome(f, each)
    assert len(fast.traces) == 2 - (name == "view")  # where it raises there is nothing to compile


@pytest.mark.parametrize("name", ["of a view", "of a result"])
def test_so_has_one_that_looks_at_a_tensor_from_outside(name):
    f, x = LAYOUTS[name], torch.arange(9.0).view(3, 3)
    fast, other = torch.jit(lambda: f(x)), x.t().data
    for each in (x.data, other, other.clone(), x.data):
        x.data = each
        assert outcome(fast) == outcome(f, x)


def test_a_function_that_does_not_look_has_one_trace():
    fast, x = torch.jit(lambda x: (x * 2).exp().sum(0)), torch.arange(9.0).view(3, 3)
    for each in (x, x.t(), x[::2], x[:2], x):
        assert fast(each).allclose((each * 2).exp().sum(0))
    assert len(fast.traces) == 2

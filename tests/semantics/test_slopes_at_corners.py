"""Slopes where mathematics leaves a choice: at kinks, at ties, at the edge of a domain."""

import math

import pytest

inf, nan = math.inf, math.nan


@pytest.mark.parametrize(
    "point, slope, function",
    [
        ([0.0], [0], lambda t, x: x.abs()),
        ([0.0], [0], lambda t, x: x.relu()),
        ([0.0], [0], lambda t, x: t.nn.functional.relu(x)),
        ([0.0], [1], lambda t, x: x.clamp(min=0)),
        ([0.0], [1], lambda t, x: x.clamp_min(0)),
        ([0.0, 1.0], [1, 1], lambda t, x: x.clamp(0, 1)),
        ([0.0], [0.5], lambda t, x: t.maximum(x, t.zeros(1))),
        ([0.0], [0.5], lambda t, x: t.minimum(x, t.zeros(1))),
        ([0.0], [0.5], lambda t, x: t.max(x, t.zeros(1))),
        ([0.0], [1], lambda t, x: t.maximum(x, x)),
        ([3.0, 3.0, 1.0], [0.5, 0.5, 0], lambda t, x: x.max()),
        ([3.0, 1.0, 1.0], [0, 0.5, 0.5], lambda t, x: x.min()),
        ([3.0, 3.0, 1.0], [0.5, 0.5, 0], lambda t, x: x.amax()),
        ([3.0, 3.0, 1.0], [0.5, 0.5, 0], lambda t, x: x.amax(0)),
        ([3.0, 3.0, 1.0], [1, 0, 0], lambda t, x: x.max(0).values),
        ([3.0, 1.0, 1.0], [0, 1, 0], lambda t, x: x.min(0).values),
        ([0.0], [inf], lambda t, x: x.sqrt()),
        ([-1.0], [nan], lambda t, x: x.sqrt()),
        ([0.0], [inf], lambda t, x: x.log()),
        ([0.0], [-inf], lambda t, x: 1 / x),
        ([0.0], [0], lambda t, x: x**2),
        ([0.0], [1], lambda t, x: x**1),
        ([0.0], [0], lambda t, x: x**0),
        ([0.0], [inf], lambda t, x: x**0.5),
        ([0.0], [0], lambda t, x: x.sign()),
        ([1.5], [0], lambda t, x: x.floor()),
        ([2.5], [0], lambda t, x: x.round()),
        ([0.0, 0.0], [0, 0], lambda t, x: x.norm()),
        ([0.0, 2.0], [2, 0], lambda t, x: x.prod()),
        ([0.0, 0.0, 5.0], [0, 0, 0], lambda t, x: x.prod()),
        ([0.0, 2.0], [0, 1], lambda t, x: x.norm(1)),
        ([1.0, 1.0], [0, 0], lambda t, x: x.var()),
        ([1.0, 1.0], [0, 0], lambda t, x: x.std()),
        ([inf, 0.0], [nan, nan], lambda t, x: x.softmax(0)[0]),
        ([1.0], [nan], lambda t, x: (x * 0).sqrt() * 0),
        ([-1.0], [0], lambda t, x: t.nn.functional.leaky_relu(x, 0.0)),
        ([7.0, -7.0], [1, 1], lambda t, x: x % 3),
        ([0.0], [0.5], lambda t, x: t.nn.functional.leaky_relu(x, 0.5)),
        ([0.0], [1.5], lambda t, x: t.nn.functional.elu(x, 1.5)),
        ([-1.0, 2.0], [0, 0], lambda t, x: t.nn.functional.hardtanh(x, -1, 2)),
        ([2.0], [0.9820138], lambda t, x: t.nn.functional.softplus(x, 2, 4)),
        ([1.0], [1], lambda t, x: x.clamp(max=1)),
        ([1.0], [1], lambda t, x: x.clamp_max(1)),
        ([1.0], [1], lambda t, x: x.clamp(min=t.ones(1))),
        ([1.0], [1], lambda t, x: x.clamp(max=t.ones(1))),
        ([1.0, 2.0], [1, 1], lambda t, x: x.clamp(t.ones(1), t.ones(1) * 2)),
        ([1.0], [0], lambda t, x: t.ones(1).clamp(min=x)),
        ([1.0], [0], lambda t, x: t.ones(1).clamp(max=x)),
        ([1.0], [0], lambda t, x: t.ones(1).clamp(x, t.ones(1) * 2)),
        ([1.0], [0], lambda t, x: t.ones(1).clamp(t.zeros(1), x)),
        ([2.0], [0], lambda t, x: t.ones(1).clamp(x, t.ones(1) * 2)),
        ([0.0], [1], lambda t, x: t.ones(1).clamp(t.ones(1), x)),
        ([1.0], [1], lambda t, x: x.clamp_min(t.ones(1))),
        ([1.0], [1], lambda t, x: x.clamp_max(t.ones(1))),
        ([1.0], [0], lambda t, x: t.ones(1).clamp_min(x)),
        ([1.0], [0], lambda t, x: t.ones(1).clamp_max(x)),
        ([0.0, 0.5], [0, 0], lambda t, x: t.zeros(2) ** x),
        ([0.0, 0.5, -1.0], [0, 0, -inf], lambda t, x: 0**x),
        ([0.0, 1.0, -1.0, nan], [nan, nan, nan, nan], lambda t, x: (-2.0) ** x),
        ([nan, -1.0, 0.0], [1, 0, 0], lambda t, x: x.relu()),
        ([nan, -1.0, 1.0], [1, 0, 0], lambda t, x: t.nn.functional.hardtanh(x)),
        ([nan, 1.0], [1, 1], lambda t, x: t.nn.functional.elu(x)),
        ([nan], [0], lambda t, x: x.clamp(0, 1)),
        ([nan], [0.01], lambda t, x: t.nn.functional.leaky_relu(x)),
        ([nan, 2.0], [1, 0.5], lambda t, x: t.maximum(x, t.ones(2) * 2)),
        ([nan, 1.0, nan], [0.5, 0, 0.5], lambda t, x: x.max()),
        ([nan, 1.0, nan], [0.5, 0, 0.5], lambda t, x: x.min()),
        ([nan, 1.0], [nan, nan], lambda t, x: x.amax()),
        ([nan, 1.0], [1, 0], lambda t, x: x.max(0).values),
        ([0.0, 1.0], [0, 1], lambda t, x: x.norm(0.5)),
        ([0.0, 0.0], [0, 0], lambda t, x: x.norm(0.5)),
        ([0.0, 1.0], [0, 0], lambda t, x: x.norm(-1)),
        (
            [0.5, 0.5],
            [inf, -inf],
            lambda t, x: t.nn.functional.binary_cross_entropy(t.tensor([0.0, 1.0]), x, reduction="sum"),
        ),
    ],
)
def test_the_slope_at_this_point_is(torch, point, slope, function):
    x = torch.tensor(point, requires_grad=True)
    function(torch, x).sum().backward()
    assert x.grad.tolist() == pytest.approx(slope, nan_ok=True)


def test_both_sides_of_a_tie_share(torch):
    a, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    torch.maximum(a, b).backward()
    assert a.grad.item() == b.grad.item() == 0.5


def test_a_masked_where_can_leak_nan(torch):
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    torch.where(x > 0, x.sqrt(), torch.zeros(2)).sum().backward()
    assert math.isnan(x.grad[0].item()) and x.grad[1].item() == 0.25


def test_masking_the_argument_too_does_not(torch):
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    positive = torch.where(x > 0, x, torch.ones(2))
    torch.where(x > 0, positive.sqrt(), torch.zeros(2)).sum().backward()
    assert x.grad.tolist() == [0, 0.25]


def test_the_slope_of_a_power_by_its_exponent(torch):
    base, exponent = torch.tensor([0.0, 2.0]), torch.tensor([2.0, 3.0], requires_grad=True)
    (base**exponent).sum().backward()
    assert exponent.grad.tolist() == pytest.approx([0, 8 * math.log(2)])


def test_division_by_zero_gives_nan_slopes_not_errors(torch):
    a, b = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    (a / b).backward()
    assert a.grad.item() == inf and math.isnan(b.grad.item())


def test_softmax_of_large_numbers_does_not_overflow(torch):
    x = torch.tensor([1000.0, 0.0], requires_grad=True)
    torch.nn.functional.cross_entropy(x[None], torch.tensor([1])).backward()
    assert x.grad.tolist() == [1, -1]


def test_sigmoid_of_large_numbers_does_not_overflow(torch):
    x = torch.tensor([-1000.0, 1000.0], requires_grad=True)
    y = x.sigmoid()
    y.sum().backward()
    assert y.tolist() == [0, 1] and x.grad.tolist() == [0, 0]


def test_median_ties_and_sort_are_stable_enough(torch):
    x = torch.tensor([2.0, 1.0, 2.0], requires_grad=True)
    values, indices = x.sort()
    (values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert values.tolist() == [1, 2, 2] and indices.tolist() == [1, 0, 2] and x.grad.tolist() == [10, 1, 100]

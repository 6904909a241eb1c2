"""torch.distributions: the same draws for the same seed, log-probabilities and their gradients, texts of errors."""

import importlib

import pytest
from saying import says


@pytest.fixture
def dist(torch):
    torch.manual_seed(3)
    return importlib.import_module(f"{torch.__name__}.distributions")


def near(torch, found, expected):
    assert torch.allclose(found, torch.tensor(expected), atol=1e-4), found


def test_categorical_draws_and_says_how_likely(torch, dist):
    probs = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], requires_grad=True)
    classes = dist.Categorical(probs)
    assert repr(classes) == "Categorical(probs: torch.Size([2, 3]))"
    assert classes.sample().tolist() == [0, 2] and classes.sample((2,)).tolist() == [[0, 2], [1, 2]]
    assert classes.batch_shape == (2,) and classes.event_shape == () and classes.param_shape == (2, 3)
    assert classes.mode.tolist() == [2, 2]
    log = classes.log_prob(torch.tensor([0, 2]))
    assert repr(log) == "tensor([-1.6094, -0.2231], grad_fn=<SqueezeBackward1>)"
    near(torch, classes.entropy(), [1.0297, 0.6390])
    near(torch, classes.perplexity(), [2.8001, 1.8946])
    (-log.sum()).backward()
    near(torch, probs.grad, [[-4.0, 1.0, 1.0], [1.0, 1.0, -0.25]])
    assert repr(classes) == "Categorical(probs: torch.Size([2, 3]), logits: torch.Size([2, 3]))"


def test_categorical_by_logits(torch, dist):
    classes = dist.Categorical(logits=torch.tensor([1.0, 2.0, 3.0]))
    near(torch, classes.probs, [0.0900, 0.2447, 0.6652])
    near(torch, classes.log_prob(torch.tensor([[0], [1]])), [[-2.4076], [-1.4076]])
    assert classes.sample((2, 5)).shape == (2, 5) and classes.sample().dtype is torch.int64


def test_normal_draws_with_and_without_gradients(torch, dist):
    loc, scale = torch.tensor([0.0, 1.0], requires_grad=True), torch.tensor([1.0, 2.0], requires_grad=True)
    normal = dist.Normal(loc, scale)
    assert repr(normal) == "Normal(loc: torch.Size([2]), scale: torch.Size([2]))"
    assert not normal.sample((3,)).requires_grad and normal.sample((3,)).shape == (3, 2)
    near(torch, normal.log_prob(torch.tensor(0.5)), [-1.0439, -1.6433])
    near(torch, normal.entropy(), [1.4189, 2.1121])
    near(torch, normal.cdf(torch.tensor(0.3)), [0.6179, 0.3632])
    assert normal.variance.tolist() == [1, 4] and normal.mean is loc and normal.stddev is scale
    torch.manual_seed(3)
    drawn = normal.rsample((2,))
    torch.manual_seed(3)
    noise = torch.randn(2, 2)
    near(torch, drawn, (loc + noise * scale).tolist())
    drawn.sum().backward()
    near(torch, loc.grad, [2.0, 2.0])
    near(torch, scale.grad, noise.sum(0).tolist())


def test_numbers_make_a_distribution_of_one_number(torch, dist):
    assert repr(dist.Normal(0, 1)) == "Normal(loc: 0.0, scale: 1.0)"
    assert dist.Normal(0.0, 1.0).sample().shape == () and dist.Normal(torch.zeros(20), 1.0).sample().shape == (20,)
    assert repr(dist.Bernoulli(logits=torch.tensor(0.5))) == "Bernoulli(logits: 0.5)"


def test_bernoulli_uniform_and_multinomial(torch, dist):
    coin = dist.Bernoulli(torch.tensor([0.25, 0.5]))
    near(torch, coin.log_prob(torch.tensor([1.0, 0.0])), [-1.3863, -0.6931])
    near(torch, coin.entropy(), [0.5623, 0.6931])
    near(torch, coin.logits, [-1.0986, 0.0])
    near(torch, coin.variance, [0.1875, 0.25])
    assert coin.sample((3,)).shape == (3, 2)
    uniform = dist.Uniform(0.0, torch.tensor([4.0, 2.0]))
    assert repr(uniform) == "Uniform(low: torch.Size([2]), high: torch.Size([2]))"
    near(torch, uniform.log_prob(torch.tensor(1.0)), [-1.3863, -0.6931])
    near(torch, uniform.variance, [1.3333, 0.3333])
    torch.manual_seed(3)
    drawn = uniform.sample()
    torch.manual_seed(3)
    near(torch, drawn, (torch.rand(2) * torch.tensor([4.0, 2.0])).tolist())
    counts = dist.Multinomial(10, torch.tensor([1.0, 2.0, 3.0]))
    assert counts.sample().sum() == 10 and counts.sample((2,)).shape == (2, 3)
    near(torch, counts.mean, [1.6667, 3.3333, 5.0])
    assert repr(counts) == "Multinomial()" and counts.event_shape == (3,)


def test_divergences(torch, dist):
    of = dist.kl_divergence
    near(torch, of(dist.Normal(0.0, 1.0), dist.Normal(1.0, 2.0)), 0.4431)
    near(torch, of(dist.Bernoulli(0.2), dist.Bernoulli(0.5)), 0.1927)
    near(torch, of(dist.Categorical(torch.ones(3)), dist.Categorical(torch.tensor([1.0, 2.0, 3.0]))), 0.0959)
    with pytest.raises(NotImplementedError):
        of(dist.Normal(0.0, 1.0), dist.Bernoulli(0.5))


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("Categorical()", "Either `probs` or `logits` must be specified, but not both."),
        ("Categorical(tensor(1.0))", "`probs` parameter must be at least one-dimensional."),
        (
            "Categorical(tensor([-1.0, 2.0]))",
            "Expected parameter probs (Tensor of shape (2,)) of distribution Categorical(probs: torch.Size([2])) to "
            "satisfy the constraint Simplex(), but found invalid values:\ntensor([-1.,  2.])",
        ),
        (
            "Normal(0.0, -1.0)",
            "Expected parameter scale (Tensor of shape ()) of distribution Normal(loc: 0.0, scale: -1.0) to satisfy "
            "the constraint GreaterThan(lower_bound=0.0), but found invalid values:\n-1.0",
        ),
        (
            "Uniform(1.0, 0.0)",
            "Expected parameter low (Tensor of shape ()) of distribution Uniform(low: 1.0, high: 0.0) to satisfy the "
            "constraint LessThan(upper_bound=0.0), but found invalid values:\n1.0",
        ),
        (
            "Bernoulli(tensor([0.25])).log_prob(tensor(0.5))",
            "Expected value argument (Tensor of shape ()) to be within the support (Boolean()) of the distribution "
            "Bernoulli(probs: tensor([0.2500])), but found invalid values:\n0.5",
        ),
        ("Normal(0.0, 1.0).log_prob(2)", "The value argument to log_prob must be a Tensor"),
    ],
)
def test_what_is_wrong_is_said(torch, dist, program, text):
    with pytest.raises(ValueError) as error:
        eval(program, {**vars(dist), "tensor": torch.tensor})
    assert str(error.value) == text
    if program.startswith("Normal(0.0, -1"):
        assert dist.Normal(0.0, -1.0, validate_args=False).scale == -1


# A parametrization that is computed when it is first asked for must not depend on who asks first.
FIRST_ASKED = {
    "sampled": lambda torch, d: d.sample(),
    "printed after a look": lambda torch, d: (d.probs, d.logits, repr(d)),
    "its mean": lambda torch, d: d.mean,
    "its entropy": lambda torch, d: d.entropy(),
}


@pytest.mark.parametrize("how", FIRST_ASKED)
@pytest.mark.parametrize("given", ["probs", "logits"])
@pytest.mark.parametrize("kind", ["Categorical", "Bernoulli"])
def test_what_is_computed_late_is_not_computed_in_the_mode_of_the_first_question(torch, dist, kind, given, how):
    def gradients(before):
        numbers = torch.tensor([0.2, 0.3, 0.5], requires_grad=True)
        made = getattr(dist, kind)(**{given: numbers})
        with torch.no_grad():
            before(torch, made)
        (made.entropy().sum() + made.probs[0] + made.logits[1]).backward()
        return numbers.grad

    assert gradients(FIRST_ASKED[how]).tolist() == gradients(lambda torch, made: None).tolist()


def test_an_entropy_bonus_trains_the_policy(torch, dist):
    logits = torch.tensor([0.1, 0.2, 1.5], requires_grad=True)
    policy = dist.Categorical(logits=logits)
    policy.sample()
    policy.entropy().backward()
    near(torch, logits.grad, [0.1525, 0.1506, -0.3031])


def test_mean_and_variance_of_counts_have_gradients_after_a_sample(torch, dist):
    logits = torch.tensor([0.2, 0.3, 0.5], requires_grad=True)
    counts = dist.Multinomial(3, logits=logits)
    counts.sample()
    counts.variance.sum().backward()
    near(torch, logits.grad, [0.0856, 0.0362, -0.1218])


COVARIANCE = [[2.0, 0.5], [0.5, 1.0]]
COVARIANCES = [COVARIANCE, [[1.0, 0.2], [0.2, 3.0]]]


def test_a_normal_vector_draws_and_says_how_likely(torch, dist):
    loc, covariance = torch.tensor([1.0, -1.0], requires_grad=True), torch.tensor(COVARIANCE, requires_grad=True)
    normal = dist.MultivariateNormal(loc, covariance)
    assert repr(normal) == "MultivariateNormal(loc: torch.Size([2]), covariance_matrix: torch.Size([2, 2]))"
    assert normal.batch_shape == () and normal.event_shape == (2,)
    log = normal.log_prob(torch.tensor([[0.0, 0.0], [1.0, -1.0]]))
    near(torch, log, [-3.2605, -2.1177])
    log.sum().backward()
    near(torch, loc.grad, [-0.8571, 1.4286])
    near(torch, covariance.grad, [[-0.2041, -0.3265], [-0.3265, -0.1224]])
    near(torch, normal.entropy(), 3.1177)
    near(torch, normal.variance, [2.0, 1.0])
    near(torch, normal.precision_matrix, [[0.5714, -0.2857], [-0.2857, 1.1429]])
    assert not normal.sample((3,)).requires_grad and normal.sample((3,)).shape == (3, 2)
    torch.manual_seed(3)
    drawn = normal.rsample((2,))
    torch.manual_seed(3)
    near(torch, drawn, (loc + torch.randn(2, 2) @ torch.linalg.cholesky(covariance).mT).tolist())


def test_the_three_ways_to_give_the_matrix_of_normal_vectors_agree(torch, dist):
    covariance, x = torch.tensor(COVARIANCES), torch.tensor([[0.5, -0.5], [1.0, 2.0]])
    triangle = torch.linalg.cholesky(covariance)
    ways = {"covariance_matrix": covariance, "precision_matrix": torch.linalg.inv(covariance), "scale_tril": triangle}
    for name, matrix in ways.items():
        normal = dist.MultivariateNormal(torch.zeros(2), **{name: matrix})
        assert normal.batch_shape == (2,) and normal.mean.shape == (2, 2)
        near(torch, normal.log_prob(x), [-2.4034, -3.4278])
        for asked, expected in ways.items():
            near(torch, getattr(normal, asked), expected.tolist())
        assert set(normal.__dict__) >= {"loc", *ways}  # kept


def test_the_distance_of_normal_vectors(torch, dist):
    p = dist.MultivariateNormal(torch.tensor([1.0, 0.0]), torch.tensor(COVARIANCE))
    q = dist.MultivariateNormal(torch.zeros(2), torch.tensor(COVARIANCES))
    near(torch, dist.kl_divergence(p, q), [0.2857, 0.9182])
    with pytest.raises(ValueError, match="different event shapes cannot be computed"):
        dist.kl_divergence(p, dist.MultivariateNormal(torch.zeros(3), torch.eye(3)))


def test_what_normal_vectors_refuse(torch, dist):
    with says(ValueError, "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."):
        dist.MultivariateNormal(torch.zeros(2))
    with says(ValueError, "loc must be at least one-dimensional."):
        dist.MultivariateNormal(torch.tensor(0.0), torch.eye(2))
    with says(ValueError, "scale_tril matrix must be at least two-dimensional, with optional leading batch dimensions"):
        dist.MultivariateNormal(torch.zeros(2), scale_tril=torch.zeros(2))
    for given, constraint in [({"covariance_matrix": -torch.eye(2)}, "PositiveDefinite()"),
                              ({"covariance_matrix": torch.ones(2, 2).tril()}, "PositiveDefinite()"),
                              ({"scale_tril": torch.ones(2, 2)}, "LowerCholesky()")]:  # fmt: skip
        (name,) = given
        with pytest.raises(ValueError) as caught:
            dist.MultivariateNormal(torch.zeros(2), **given)
        assert f"{name}: torch.Size([2, 2])) to satisfy the constraint {constraint}, but found" in str(caught.value)
    normal = dist.MultivariateNormal(torch.zeros(5, 2), torch.eye(2))
    with says(ValueError, "The right-most size of value must match event_shape: torch.Size([3]) vs torch.Size([2])."):
        normal.log_prob(torch.zeros(3))
    with says(
        ValueError, "Value is not broadcastable with batch_shape+event_shape: torch.Size([3, 2]) vs torch.Size([5, 2])."
    ):
        normal.log_prob(torch.zeros(3, 2))
    with says(
        ValueError, "Value is not broadcastable with batch_shape+event_shape: torch.Size([3]) vs torch.Size([5])."
    ):
        dist.Normal(torch.zeros(5), 1.0).log_prob(torch.zeros(3))


class Flow:
    """Made a Transform of vectors by `flow`: y = x · eʷ."""

    bijective = True

    def __init__(self, w):
        super().__init__()
        self.w = w

    def _call(self, x):
        return x * self.w.exp()

    def _inverse(self, y):
        return y * (-self.w).exp()

    def log_abs_det_jacobian(self, x, y):
        return self.w.sum()


def flow(dist, w):
    space = dist.constraints.real_vector
    return type("Flow", (Flow, dist.Transform), {"domain": space, "codomain": space})(w)


def test_a_uniform_distribution_becomes_a_logistic_one(torch, dist):
    low = torch.tensor([0.0, 0.1], requires_grad=True)
    logistic = dist.TransformedDistribution(dist.Uniform(low, torch.ones(2)), dist.SigmoidTransform().inv)
    assert repr(logistic) == "TransformedDistribution()" and logistic.has_rsample
    assert logistic.batch_shape == (2,) and logistic.event_shape == ()
    near(torch, logistic.log_prob(torch.tensor([0.0, 2.0])), [-1.3863, -2.1485])
    near(torch, logistic.log_prob(torch.tensor([[0.0, 2.0]] * 3)), [[-1.3863, -2.1485]] * 3)
    assert logistic.sample((3,)).shape == (3, 2) and not logistic.sample().requires_grad
    torch.manual_seed(3)
    drawn = logistic.rsample((2,))
    torch.manual_seed(3)
    near(torch, drawn, torch.logit(low + torch.rand(2, 2) * (1 - low)).tolist())
    drawn.sum().backward()
    assert low.grad.gt(0).all()


def test_a_flow_of_one_s_own_learns(torch, dist):
    w = torch.tensor([0.1, 0.2], requires_grad=True)
    base = dist.Normal(torch.zeros(5, 2), torch.ones(2))
    flows = dist.TransformedDistribution(base, [flow(dist, w), dist.SigmoidTransform()])
    assert flows.batch_shape == (5,) and flows.event_shape == (2,) and flows.sample((3,)).shape == (3, 5, 2)
    assert repr(flows.base_dist) == "Independent(Normal(loc: torch.Size([5, 2]), scale: torch.Size([5, 2])), 1)"
    log = flows.log_prob(torch.tensor([0.3, 0.7]))
    near(torch, log, [0.4489] * 5)
    log.sum().backward()
    near(torch, w.grad, [-2.0611, -2.5938])
    vectors = dist.MultivariateNormal(torch.zeros(2), torch.eye(2))
    near(
        torch, dist.TransformedDistribution(vectors, dist.SigmoidTransform()).log_prob(torch.tensor([0.3, 0.7])), 0.5655
    )


def test_composed_transforms(torch, dist):
    sigmoid, own = dist.SigmoidTransform(), flow(dist, torch.tensor([0.1, 0.2]))
    both = dist.ComposeTransform([sigmoid, sigmoid.inv, own])
    names = "SigmoidTransform()", "_InverseTransform(SigmoidTransform())", "Flow()"
    assert repr(both) == "ComposeTransform(\n    " + ",\n    ".join(names) + "\n)"
    assert both.inv.inv is both and repr(both.inv.parts[0]) == "_InverseTransform(Flow())"
    assert repr(both.domain) == repr(both.codomain) == "IndependentConstraint(Real(), 1)" and both.event_dim == 1
    assert both.bijective and dist.ComposeTransform([sigmoid, sigmoid.inv]).sign == 1
    x = torch.ones(3, 2)
    near(torch, both.inv(both(x)), x.tolist())
    near(torch, both.log_abs_det_jacobian(x, both(x)), [0.3] * 3)
    none = dist.ComposeTransform([])
    assert none.log_abs_det_jacobian(x, x).tolist() == [[0, 0]] * 3 and repr(none.domain) == "Real()"


def test_which_transforms_are_equal_and_what_they_keep(torch, dist):
    sigmoid = dist.SigmoidTransform
    assert sigmoid() == sigmoid() and sigmoid().inv == sigmoid().inv and sigmoid() != sigmoid().inv
    assert sigmoid().inv.domain is dist.constraints.unit_interval and sigmoid().inv.sign == 1
    assert dist.ComposeTransform([sigmoid()]) == dist.ComposeTransform([sigmoid()])
    x, keeps = torch.tensor(3.0), sigmoid(cache_size=1)
    y = keeps(x)
    assert keeps.inv(y) is x and keeps(x) is y and keeps.with_cache(1) is keeps and sigmoid().inv(y) is not x
    assert dist.ComposeTransform([sigmoid()], cache_size=1).parts[0]._cache_size == 1
    assert sigmoid()(torch.tensor([200.0, -200.0])).tolist() == [
        1 - torch.finfo(x.dtype).eps,
        torch.finfo(x.dtype).tiny,
    ]


def test_what_transforms_refuse(torch, dist):
    normal, own = dist.Normal(torch.zeros(2), torch.ones(2)), flow(dist, torch.zeros(2))
    with says(ValueError, "transforms must be a Transform or list, but was 3"):
        dist.TransformedDistribution(normal, 3)
    with says(ValueError, "transforms must be a Transform or a list of Transforms"):
        dist.TransformedDistribution(normal, [3])
    with says(ValueError, "base_distribution needs to have shape with size at least 1, but got torch.Size([])."):
        dist.TransformedDistribution(dist.Normal(0.0, 1.0), own)
    with says(ValueError, "cache_size must be 0 or 1"):
        dist.SigmoidTransform(2)
    with pytest.raises(NotImplementedError, match="Flow'>.with_cache is not implemented"):
        own.with_cache()
    squashed = dist.TransformedDistribution(normal, dist.SigmoidTransform())
    with pytest.raises(ValueError) as caught:
        squashed.log_prob(torch.tensor([1.5, 0.5]))
    within = (
        "within the support (Interval(lower_bound=0.0, upper_bound=1.0)) of the distribution TransformedDistribution()"
    )
    assert within in str(caught.value)
    for name in "mean", "variance", "stddev":
        with pytest.raises(NotImplementedError):
            getattr(squashed, name)
    with pytest.raises(NotImplementedError):
        dist.Transform()(torch.ones(1))
    with pytest.raises(AttributeError, match="'Transform' object has no attribute 'domain'"):
        dist.TransformedDistribution(normal, dist.Transform())


def test_independent_numbers_as_one_draw(torch, dist):
    base = dist.Normal(torch.zeros(4, 3, 2), torch.ones(2))
    both = dist.Independent(base, 2)
    assert both.batch_shape == (4,) and both.event_shape == (3, 2) and both.has_rsample
    assert both.mean.shape == both.stddev.shape == both.mode.shape == (4, 3, 2) and both.sample((7,)).shape == (
        7,
        4,
        3,
        2,
    )
    near(torch, both.log_prob(torch.ones(3, 2)), [-8.5136] * 4)
    near(torch, both.entropy(), [8.5136] * 4)
    with says(ValueError, "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual 1 vs 0"):
        dist.Independent(dist.Normal(0.0, 1.0), 1)


def test_constraints_say_what_is_allowed(torch, dist):
    allowed = dist.constraints
    assert repr(allowed.independent(allowed.positive, 2)) == "IndependentConstraint(GreaterThan(lower_bound=0.0), 2)"
    assert allowed.positive.check(torch.tensor([0.0, 1.0])).tolist() == [False, True]
    assert allowed.unit_interval.check(torch.tensor([0.0, 1.0, 2.0])).tolist() == [True, True, False]
    assert allowed.real_vector.check(torch.tensor([[1.0, float("nan")], [1.0, 2.0]])).tolist() == [False, True]
    with says(ValueError, "Expected value.dim() >= 1 but got 0"):
        allowed.real_vector.check(torch.tensor(1.0))

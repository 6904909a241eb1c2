"""What random calls promise besides their numbers (those are in ../test_random.py): errors, graphs, generators."""

import copy
import pickle
import re

import pytest
from saying import says

NEGATIVE = "probability tensor contains either `inf`, `nan` or element < 0"
NO_WEIGHT = "invalid multinomial distribution (sum of probabilities <= 0)"
SPREAD_OUT = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
WRONG = [
    ("torch.multinomial(torch.tensor([1.0, -1]), 1)", RuntimeError, NEGATIVE),
    ("torch.multinomial(torch.tensor([1.0, torch.inf]), 1)", RuntimeError, NEGATIVE),
    ("torch.multinomial(torch.zeros(2), 1)", RuntimeError, NO_WEIGHT),
    ("torch.multinomial(torch.zeros(2), 2, True)", RuntimeError, NO_WEIGHT),
    (
        "torch.multinomial(torch.tensor([1, torch.nan]), 2, True)",
        RuntimeError,
        "invalid multinomial distribution (encountering probability entry < 0)",
    ),
    (
        "torch.multinomial(f, 4)",
        RuntimeError,
        "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
    ),
    (
        "torch.multinomial(i, 1)",
        RuntimeError,
        "multinomial only supports floating-point dtypes for input, got: Long",
    ),
    ("torch.multinomial(torch.tensor(1.0), 1)", RuntimeError, "prob_dist must be 1 or 2 dim"),
    ("torch.multinomial(f, 0)", RuntimeError, "cannot sample n_sample <= 0 samples"),
    (
        "torch.multinomial(f, 2.5)",
        TypeError,
        "multinomial(): argument 'num_samples' (position 2) must be int, not float",
    ),
    (
        "torch.multinomial(f, 2, 1)",
        TypeError,
        "multinomial(): argument 'replacement' (position 3) must be bool, not int",
    ),
    ("torch.bernoulli(i)", NotImplementedError, "\"bernoulli_tensor_cpu_p_\" not implemented for 'Long'"),
    (
        "torch.bernoulli(f * 2)",
        RuntimeError,
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If so, "
        "please report an enhancement request to PyTorch.)",
    ),
    ("torch.bernoulli(f, 1.5)", RuntimeError, "bernoulli_ expects p to be in [0, 1], but got p=1.5"),
    ("f.bernoulli_(-1)", RuntimeError, "bernoulli_ expects p to be in [0, 1], but got p=-1"),
    (
        "f.bernoulli_(torch.ones(2))",
        RuntimeError,
        "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  Target "
        "sizes: [3].  Tensor sizes: [2]",
    ),
    ("i.uniform_()", NotImplementedError, "\"check_uniform_bounds\" not implemented for 'Long'"),
    ("i.normal_()", NotImplementedError, "\"normal_kernel_cpu\" not implemented for 'Long'"),
    (
        "i.exponential_()",
        RuntimeError,
        "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
        "specified Long",
    ),
    (
        "i.cauchy_()",
        RuntimeError,
        "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
        "specified long int",
    ),
    ("i.log_normal_()", NotImplementedError, "\"log_normal_cpu\" not implemented for 'Long'"),
    ("f.geometric_(0)", RuntimeError, "geometric_ expects p to be in (0, 1), but got p=0"),
    ("f.exponential_(-1)", RuntimeError, "exponential_ expects lambda > 0.0, but found lambda=-1"),
    ("f.log_normal_(1, 0)", RuntimeError, "log_normal_ expects std > 0.0, but found std=0"),
    ("f.cauchy_(0, -1)", RuntimeError, "cauchy_ expects sigma > 0.0, but found sigma=-1"),
    ("f.normal_(0, -1)", RuntimeError, "normal expects std >= 0.0, but found std -1"),
    ("f.uniform_(2, 1)", RuntimeError, "uniform_ expects to return a [from, to) range, but found from=2 > to=1"),
    ("f.uniform_(0, 1, 2)", TypeError, "uniform_() takes from 0 to 2 positional arguments but 3 were given"),
    ("f.uniform_(generator=3)", TypeError, "uniform_(): argument 'generator' must be torch.Generator, not int"),
    ("f.random_(0)", RuntimeError, "random_ expects 'from' to be less than 'to', but got from=0 >= to=0"),
    ("torch.zeros(2, dtype=torch.uint8).random_(300)", RuntimeError, "to - 1 is out of bounds for unsigned char"),
    ("f[:1].expand(3).uniform_()", RuntimeError, SPREAD_OUT),
    (
        "torch.ones(3, requires_grad=True).normal_()",
        RuntimeError,
        "a leaf Variable that requires grad is being used in an in-place operation.",
    ),
    ("torch.normal(f, -1.0)", RuntimeError, "normal expects std >= 0.0, but found std -1"),
    ("torch.normal(f, -f)", RuntimeError, "normal expects all elements of std >= 0.0"),
    ("torch.normal(i, 1.0)", NotImplementedError, "\"normal_kernel_cpu\" not implemented for 'Long'"),
    ("torch.normal(2.0)", TypeError, "normal(): argument 'mean' (position 1) must be Tensor, not float"),
    ("torch.rand_like(i)", NotImplementedError, "\"check_uniform_bounds\" not implemented for 'Long'"),
    ("torch.set_rng_state(f)", TypeError, "RNG state must be a torch.ByteTensor"),
    ("torch.set_rng_state(3)", TypeError, "expected a torch.ByteTensor, but got int"),
    (
        "torch.set_rng_state(torch.zeros(5, dtype=torch.uint8))",
        RuntimeError,
        "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 5",
    ),
    ("torch.set_rng_state(torch.zeros(5056, dtype=torch.uint8))", RuntimeError, "Invalid mt19937 state"),
]


@pytest.mark.parametrize("wrong, kind, text", WRONG, ids=[wrong for wrong, _, _ in WRONG])
def test_a_wrong_call_says_what_is_wrong_and_draws_nothing(torch, wrong, kind, text):
    names = {"torch": torch, "f": torch.ones(3), "i": torch.arange(3)}
    before = torch.get_rng_state()
    with says(kind, text):
        eval(wrong, names)
    if "multinomial" not in wrong and "f * 2" not in wrong:  # PyTorch may draw before it looks at the weights
        assert torch.get_rng_state().equal(before)


@pytest.mark.parametrize(
    ("fill", "node"),
    {
        "uniform_()": "UniformBackward0",
        "normal_()": "NormalBackward0",
        "exponential_()": "ExponentialBackward0",
        "geometric_(0.5)": "GeometricBackward0",
        "cauchy_()": "CauchyBackward0",
        "log_normal_()": "LogNormalBackward0",
        "random_()": "RandomBackward2",
        "random_(7)": "RandomBackward1",
        "random_(-7, 7)": "RandomBackward0",
        "bernoulli_()": "BernoulliBackward2",
        "bernoulli_(x)": "BernoulliBackward1",
        "bernoulli()": "BernoulliBackward0",
    }.items(),
)
def test_what_is_drawn_over_gets_a_slope_of_zero(torch, fill, node):
    w = torch.full((3,), 0.5, requires_grad=True)
    y = w * 1
    y = eval(f"y.{fill}", {"y": y, "x": torch.full((3,), 0.5)})
    assert type(y.grad_fn).__name__ == node
    y.sum().backward()
    assert w.grad.tolist() == [0, 0, 0]


def test_normal_of_tensors_is_a_node_too(torch):
    w = torch.ones(3, requires_grad=True)
    nodes = [type(y.grad_fn).__name__ for y in (torch.normal(w, 1.0), torch.normal(1.0, w), torch.normal(w, w))]
    assert nodes == ["NormalBackward1", "NormalBackward2", "NormalBackward3"]
    torch.normal(torch.ones(2, 1), w).sum().backward()
    assert w.grad.tolist() == [0, 0, 0]


def test_normal_into_a_tensor(torch):
    out = torch.empty(3)
    assert torch.normal(torch.zeros(3), 0.0, out=out) is out and out.tolist() == [0, 0, 0]


def test_a_fill_counts_a_version_and_gives_its_tensor(torch):
    x = torch.zeros(3)
    assert x.uniform_() is x and x._version == 1
    assert x.bernoulli_(0.3) is x and x._version == 2


def test_numbers_go_on_from_a_state(torch):
    torch.manual_seed(1)
    torch.randn(3)
    state = torch.get_rng_state()
    a = torch.randn(2), torch.rand(700)
    torch.set_rng_state(state)
    b = torch.randn(2), torch.rand(700)
    assert all(x.equal(y) for x, y in zip(a, b, strict=True))
    assert state.dtype is torch.uint8 and state.shape == (5056,)


def test_generators_are_copied_and_pickled_where_they_stand(torch):
    generator = torch.Generator().manual_seed(7)
    torch.rand(5, generator=generator)
    others = [copy.deepcopy(generator), pickle.loads(pickle.dumps(generator)), generator.clone_state()]
    right = torch.rand(3, generator=generator)
    assert all(torch.rand(3, generator=other).equal(right) and other.initial_seed() == 7 for other in others)


def test_generators_live_on_the_cpu(torch):
    assert str(torch.Generator().device) == str(torch.Generator(device="cpu").device) == "cpu"
    with pytest.raises(RuntimeError):
        torch.Generator("cuda")


def test_manual_seed_gives_the_default_generator(torch):
    assert torch.manual_seed(1) is torch.default_generator
    assert torch.initial_seed() == torch.random.initial_seed() == torch.default_generator.initial_seed() == 1


def test_a_generator_prints_where_it_is_from(torch):
    """A notebook cell that ends with `torch.manual_seed(0)` shows it."""
    generator = torch.manual_seed(0)
    assert re.sub("0x[0-9a-f]+", "…", repr(generator)) == "<torch._C.Generator object at …>"
    assert repr(type(generator)) == "<class 'torch._C.Generator'>"


def test_a_forked_stream_leaves_no_trace(torch):
    torch.manual_seed(0)
    with torch.random.fork_rng():
        torch.manual_seed(5)
        torch.rand(10)
    a = torch.rand(1)
    torch.manual_seed(0)
    assert torch.rand(1).equal(a)
    with torch.random.fork_rng(enabled=False):
        b = torch.rand(1)
    assert not torch.rand(1).equal(b)


def test_randint_takes_the_size_by_its_name(torch):
    torch.manual_seed(0)
    drawn = torch.randint(3, (4,))
    torch.manual_seed(0)
    assert torch.randint(3, size=(4,)).equal(drawn)
    torch.manual_seed(0)
    assert torch.randint(high=3, size=(4,)).equal(drawn)
    torch.manual_seed(0)
    assert torch.randint(0, 3, size=(4,)).equal(drawn) and torch.randint(low=1, high=2, size=(2,)).tolist() == [1, 1]


LAID_OUT = {  # a tensor, and the order of its axes in memory, the outermost first
    "turned": (lambda torch: torch.ones(3, 4).t(), (1, 0)),
    "with gaps": (lambda torch: torch.ones(4, 6)[:, ::2].t(), (1, 0)),
    "three axes": (lambda torch: torch.ones(4, 3, 2).permute(2, 0, 1), (1, 2, 0)),
    "axes of one": (lambda torch: torch.ones(1, 4, 1, 3).permute(3, 2, 1, 0), (3, 2, 1, 0)),
    "expanded in front": (lambda torch: torch.ones(1, 4).expand(3, 4), (0, 1)),
    "expanded and turned": (lambda torch: torch.ones(4, 1).expand(4, 3).t(), (0, 1)),
    "expanded between": (lambda torch: torch.ones(2, 1, 3).expand(2, 4, 3).transpose(0, 2), (2, 1, 0)),
}
DRAWS = {
    "rand_like": lambda torch, x: torch.rand_like(x),
    "dropout": lambda torch, x: torch.nn.functional.dropout(x),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
@pytest.mark.parametrize(("make", "order"), LAID_OUT.values(), ids=LAID_OUT)
def test_numbers_are_drawn_in_the_order_in_which_elements_lie_in_memory(torch, make, order, draw):
    x = make(torch)
    torch.manual_seed(0)
    found = draw(torch, x)
    torch.manual_seed(0)
    in_a_row = draw(torch, torch.ones(x.numel())).view([x.shape[axis] for axis in order])
    assert found.tolist() == in_a_row.permute([order.index(axis) for axis in range(x.dim())]).tolist()


def test_a_generator_is_a_generator(torch):
    x = torch.ones(2)
    calls = [
        lambda: torch.rand(2, generator=3),
        lambda: torch.randn(2, generator=3),
        lambda: torch.rand_like(x, generator=3),
        lambda: torch.randint(3, (2,), generator=3),
        lambda: torch.randperm(3, generator=3),
        lambda: torch.normal(0.0, 1.0, (2,), generator=3),
        lambda: x.normal_(generator=3),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="enerator"):
            call()


def test_a_generator_prints_as_in_torch(torch):  # a cell that ends with `torch.manual_seed(42)` shows it
    generator = torch.Generator()
    assert repr(generator.manual_seed(42)) == f"<torch._C.Generator object at {id(generator):#x}>"

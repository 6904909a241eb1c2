"""`optim`: what an optimizer changes, refuses and leaves alone. Its arithmetic is held to PyTorch's by "
"test_optim_golden.py."""

import copy
import importlib
import re

import pytest
from saying import says, warns


@pytest.fixture
def p(torch):
    return torch.tensor([1.0, -2.0], requires_grad=True)


def steps(p, optimizer, count=3):
    for _ in range(count):
        optimizer.zero_grad()
        (p**2).sum().backward()
        optimizer.step()
    return p.tolist()


def test_a_step_changes_the_parameter_itself_and_counts_a_version(torch, p):
    steps(p, torch.optim.SGD([p], lr=0.1), 1)
    assert p.is_leaf and p.requires_grad and p._version == 1


def test_a_step_skips_what_has_no_gradient(torch, p):
    other = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.Adam([p, other], lr=0.1)
    steps(p, optimizer, 1)
    assert other.item() == 1 and len(optimizer.state) == 1


def test_a_tensor_that_needs_no_gradient_may_be_given(torch):
    x = torch.ones(1)
    torch.optim.SGD([x], lr=0.1).step()
    assert x.item() == 1


def test_zero_grad_sets_none(torch, p):
    optimizer = torch.optim.SGD([p], lr=0.1)
    p.sum().backward()
    optimizer.zero_grad()
    assert p.grad is None


def test_zero_grad_can_zero_instead(torch, p):
    optimizer = torch.optim.SGD([p], lr=0.1)
    p.sum().backward()
    grad = p.grad
    optimizer.zero_grad(set_to_none=False)
    assert p.grad is grad and grad.tolist() == [0, 0]


def test_step_takes_a_closure(torch, p):
    optimizer = torch.optim.SGD([p], lr=0.1)

    def closure():
        assert torch.is_grad_enabled()
        optimizer.zero_grad()
        loss = (p**2).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 5 and p.tolist() == pytest.approx([0.8, -1.6])


def test_groups_have_their_own_settings(torch, p):
    q = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([{"params": [p]}, {"params": q, "lr": 0.5}], lr=0.1)
    (p.sum() + q).backward()
    optimizer.step()
    assert p.tolist() == pytest.approx([0.9, -2.1]) and q.item() == 0.5
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, 0.5]


def test_the_learning_rate_can_be_changed_on_the_way(torch, p):
    optimizer = torch.optim.SGD([p], lr=0.1)
    for group in optimizer.param_groups:
        group["lr"] = 0.5
    assert steps(p, optimizer, 1) == [0, 0]


def test_parameters_may_come_from_a_generator(torch):
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    assert [id(x) for x in optimizer.param_groups[0]["params"]] == [id(x) for x in model.parameters()]


@pytest.mark.parametrize(
    "error, text, make",
    [
        (ValueError, "optimizer got an empty parameter list", lambda t, p: t.optim.SGD([], lr=0.1)),
        (ValueError, "can't optimize a non-leaf Tensor", lambda t, p: t.optim.SGD([p * 2], lr=0.1)),
        (
            TypeError,
            "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
            "torch.FloatTensor",
            lambda t, p: t.optim.SGD(p, lr=0.1),
        ),
        (
            TypeError,
            "optimizer can only optimize Tensors, but one of the params is int",
            lambda t, p: t.optim.SGD([3], lr=0.1),
        ),
        (ValueError, "Invalid learning rate: -1", lambda t, p: t.optim.SGD([p], lr=-1)),
        (ValueError, "Invalid momentum value: -1", lambda t, p: t.optim.SGD([p], lr=1, momentum=-1)),
        (ValueError, "Invalid weight_decay value: -1", lambda t, p: t.optim.SGD([p], lr=1, weight_decay=-1)),
        (
            ValueError,
            "Nesterov momentum requires a momentum and zero dampening",
            lambda t, p: t.optim.SGD([p], lr=1, nesterov=True),
        ),
        (
            ValueError,
            "Nesterov momentum requires a momentum and zero dampening",
            lambda t, p: t.optim.SGD([p], lr=1, momentum=0.5, dampening=0.5, nesterov=True),
        ),
        (ValueError, "Invalid learning rate: -1", lambda t, p: t.optim.Adam([p], lr=-1)),
        (ValueError, "Invalid beta parameter at index 0: 1", lambda t, p: t.optim.Adam([p], betas=(1, 0))),
        (ValueError, "Invalid epsilon value: -1", lambda t, p: t.optim.Adam([p], eps=-1)),
        (
            ValueError,
            "some parameters appear in more than one parameter group",
            lambda t, p: t.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1),
        ),
    ],
)
def test_what_an_optimizer_refuses(torch, p, error, text, make):
    with says(error, text):
        make(torch, p)


def test_a_parameter_given_twice_warns(torch, p):
    text = (
        "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
        "github.com/pytorch/pytorch/issues/40967 for more information"
    )
    with warns(text):
        torch.optim.SGD([p, p], lr=0.1)


def test_the_learning_rate_has_pytorchs_default(torch, p):
    assert torch.optim.SGD([p]).param_groups[0]["lr"] == torch.optim.Adam([p]).param_groups[0]["lr"] == 0.001


def test_an_optimizers_state_can_be_carried_over(torch, p):
    twin = p.detach().clone().requires_grad_()
    first, second = torch.optim.Adam([p], lr=0.1), torch.optim.Adam([twin], lr=0.7)
    steps(p, first, 2)
    with torch.no_grad():
        twin.copy_(p)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    assert steps(p, first, 1) == steps(twin, second, 1)


def test_loading_a_state_forgets_the_one_before(torch, p):
    fresh, used = torch.optim.Adam([p], lr=0.1), torch.optim.Adam([p], lr=0.1)
    steps(p, used)
    used.load_state_dict(fresh.state_dict())
    assert len(used.state) == 0


def test_a_state_that_does_not_fit_is_refused(torch, p):
    one, two = torch.optim.SGD([p], lr=0.1), torch.optim.SGD([p, torch.ones(1)], lr=0.1)
    text = "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
    with says(ValueError, text):
        one.load_state_dict(two.state_dict())


def test_a_reader_can_write_a_scheduler(torch, p):
    class Falling(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [lr / (1 + self.last_epoch) for lr in self.base_lrs]

    optimizer = torch.optim.SGD([p], lr=1.0)
    scheduler = Falling(optimizer)
    steps(p, optimizer, 1)
    scheduler.step()
    assert scheduler.get_last_lr() == [0.5] == [group["lr"] for group in optimizer.param_groups]
    assert "optimizer" not in scheduler.state_dict() and scheduler.state_dict()["last_epoch"] == 1


def test_a_scheduler_that_steps_too_early_warns_once(torch, p):
    text = "Detected call of `lr_scheduler.step()` before `optimizer.step()`."
    scheduler = torch.optim.lr_scheduler.ExponentialLR(torch.optim.SGD([p], lr=1.0), 0.5)
    with pytest.warns(UserWarning, match=re.escape(text)):
        scheduler.step()
    with warns():
        scheduler.step()
    assert scheduler.get_last_lr() == [0.25]


def test_hooks_run_before_and_after_a_step_those_of_all_optimizers_outside(torch, p):
    optimizer, told = torch.optim.SGD([p], lr=1.0), []
    steps = importlib.import_module(f"{torch.__name__}.optim.optimizer")
    handles = [
        optimizer.register_step_pre_hook(lambda o, args, kwargs: told.append(("pre", o is args[0], kwargs))),
        optimizer.register_step_post_hook(lambda o, args, kwargs: told.append(("post", o is optimizer))),
        steps.register_optimizer_step_pre_hook(lambda o, *_: told.append("pre of all")),
        steps.register_optimizer_step_post_hook(lambda o, *_: told.append("post of all")),
    ]
    p.grad = torch.ones(2)
    optimizer.step()
    assert told == ["pre of all", ("pre", True, {}), ("post", True), "post of all"] and p.tolist() == [0.0, -3.0]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(told) == 4


def test_a_hook_before_a_step_may_give_it_other_arguments(torch, p):
    optimizer = torch.optim.SGD([p], lr=1.0)
    with optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, lambda: torch.tensor(5.0)), kwargs)):
        assert optimizer.step() == 5
    optimizer.register_step_pre_hook(lambda o, args, kwargs: "two")
    with pytest.raises(RuntimeError, match=r"must return None or a tuple of \(new_args, new_kwargs\), but got two\."):
        optimizer.step()


ALL = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD", "LBFGS"]


@pytest.mark.parametrize("name", ALL)
def test_settings_are_listed_in_pytorchs_order(torch, name):
    kept = getattr(torch.optim, name)([torch.ones(2, requires_grad=True)], lr=0.1)
    assert [*kept.param_groups[0]][:2] == ["params", "lr"]
    listed = [*kept.state_dict()["param_groups"][0]]
    assert listed == [*[*kept.param_groups[0]][1:], "params"]


@pytest.mark.parametrize("name", ALL)
def test_named_parameters(torch, name):
    layer = torch.nn.Linear(2, 1)
    kept = getattr(torch.optim, name)(layer.named_parameters(), lr=0.1)
    assert [*kept.param_groups[0]][:3] == ["params", "param_names", "lr"]
    assert kept.param_groups[0]["params"] == [layer.weight, layer.bias]
    group = kept.state_dict()["param_groups"][0]
    assert group["param_names"] == ["weight", "bias"] and group["params"] == [0, 1]
    assert "    param_names: ['weight', 'bias']" in repr(kept)


def test_named_parameters_in_groups_and_those_that_miss_a_name(torch):
    def w():
        return torch.ones(2, requires_grad=True)

    SGD = torch.optim.SGD
    named = SGD([{"params": [("a", w())], "lr": 0.5}, {"params": [("b", w())]}], lr=0.1)
    assert [g["param_names"] for g in named.param_groups] == [["a"], ["b"]]
    assert [g["lr"] for g in named.param_groups] == [0.5, 0.1]
    with says(ValueError, "all optimizer params should be with/without names. Some param names are missing"):
        SGD([w(), ("a", w())], lr=0.1)
    text = "all optimizer param groups should be with/without names. cannot add param group {} names to the optimizer"
    with says(ValueError, text.format("without")):
        named.add_param_group({"params": w()})
    with says(ValueError, text.format("with")):
        SGD([w()], lr=0.1).add_param_group({"params": [("a", w())]})
    with says(TypeError, "optimizer can only optimize Tensors, but one of the params is int"):
        SGD([("a", 1)], lr=0.1)


def test_names_go_with_what_is_loaded(torch):
    layer = torch.nn.Linear(1, 1)
    plain, named = torch.optim.SGD(layer.parameters(), lr=0.2), torch.optim.SGD(layer.named_parameters(), lr=0.1)
    plain.load_state_dict(named.state_dict())
    assert plain.state_dict() == named.state_dict()


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam"])
def test_a_learning_rate_may_be_a_tensor(torch, name):
    def trained(lr):
        p = torch.tensor([1.0, -2.0], requires_grad=True)
        kept = getattr(torch.optim, name)([p], lr=lr)
        for _ in range(3):
            kept.zero_grad()
            (p * p).sum().backward()
            kept.step()
        assert kept.param_groups[0]["lr"] is lr
        return p

    assert torch.allclose(trained(torch.tensor(0.1)), trained(0.1), atol=1e-6)


def test_a_learning_rate_that_is_a_tensor_is_scheduled_and_checked(torch):
    p = torch.ones(2, requires_grad=True)
    kept = torch.optim.SGD([p], lr=torch.tensor(0.1))
    scheduler = torch.optim.lr_scheduler.StepLR(kept, 1, 0.5)
    p.sum().backward()
    kept.step()
    scheduler.step()
    assert kept.param_groups[0]["lr"].item() == pytest.approx(0.05)
    with says(ValueError, "Tensor lr must be 1-element"):
        torch.optim.SGD([p], lr=torch.tensor([0.1, 0.2]))
    with says(ValueError, "lr as a Tensor is not supported for capturable=False and foreach=True"):
        torch.optim.Adam([p], lr=torch.tensor(0.1), foreach=True)

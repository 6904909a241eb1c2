"""More programs, as in nn_programs.py: modules as containers, hooks, optimizers as objects.

Importing this file adds them to `PROGRAMS`. Read next: nn_wrong_programs.py.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from typing import Any

from nn_programs import program


def net(torch: Any) -> Any:
    """A module of modules, with a parameter, buffers and a shared part."""
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(OrderedDict(first=nn.Linear(2, 3), act=nn.ReLU(inplace=True)))
            self.scale = nn.Parameter(torch.ones(1))
            self.parts = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3), nn.Dropout(0.1)])
            self.named = nn.ModuleDict({"norm": nn.BatchNorm1d(3)})
            self.again = self.parts[0]
            self.register_buffer("seen", torch.zeros(1))
            self.register_buffer("temporary", torch.zeros(2), persistent=False)
            self.register_buffer("nothing", None)
            self.register_parameter("missing", None)

        def forward(self, x: Any) -> Any:
            x = self.body(x)
            for part in self.parts:
                x = part(x)
            return self.named["norm"](x) * self.scale

        def extra_repr(self) -> str:
            return "hello\nworld"

    torch.manual_seed(0)
    return Net()


def names(pairs: Any) -> list[str]:
    return [name for name, _ in pairs]


program("module text", lambda t: repr(net(t)))
program("parameter text", lambda t: (repr(t.nn.Parameter(t.ones(2, 2))), repr(t.nn.Parameter(t.ones(1), False))))
program("module list text", lambda t: repr(t.nn.ModuleList([t.nn.ReLU(), t.nn.Linear(1, 1), t.nn.Linear(1, 1)])))
program("empty texts", lambda t: [repr(c()) for c in (t.nn.Sequential, t.nn.ModuleList, t.nn.ModuleDict)])
program("named_parameters", lambda t: names(net(t).named_parameters()))
program("named_parameters of its own", lambda t: names(net(t).named_parameters("net", recurse=False)))
program("named_parameters with repeats", lambda t: names(net(t).named_parameters(remove_duplicate=False)))
program("named_buffers", lambda t: names(net(t).named_buffers()))
program("named_modules", lambda t: names(net(t).named_modules()))
program("named_children", lambda t: names(net(t).named_children()))
program("state_dict", lambda t: {key: value for key, value in net(t).state_dict().items()})
program("state_dict prefix", lambda t: list(net(t).state_dict(prefix="net.")))
program("hasattr", lambda t: [hasattr(net(t), n) for n in ("scale", "body", "seen", "missing", "other")])
program("missing attribute", lambda t: net(t).other)
program("container indexing", lambda t: [repr(net(t).body[-1]), repr(net(t).parts[1:]), len(net(t).parts)])
program("container out of range", lambda t: net(t).body[2])


def contained(torch: Any) -> Any:
    nn = torch.nn
    parts = nn.ModuleDict({"a": nn.ReLU()})
    parts["b"] = nn.Tanh()
    said = [len(parts), list(parts), "a" in parts, "c" in parts, list(parts.keys()), repr(parts["b"])]
    said += [[repr(module) for module in parts.values()], [name for name, _ in parts.items()]]
    row = nn.Sequential(*parts.values())
    row[-1] = nn.Sigmoid()
    return said, repr(row.append(nn.Identity())), repr(row[1:]), repr(nn.ModuleList(row).extend(parts.values()))


program("containers", contained)


def trained(torch: Any) -> Any:
    module = net(torch)
    modes = [[m.training for m in module.modules()]]
    module.eval()
    modes.append([m.training for m in module.modules()])
    module.parts.train()
    modes.append([m.training for m in module.modules()])
    visited: list[str] = []
    module.apply(lambda m: visited.append(type(m).__name__))
    return modes, visited


program("train, eval, apply", trained)


def gradients(torch: Any) -> Any:
    module = net(torch)
    module(torch.ones(4, 2)).sum().backward()
    had = [p.grad is not None for p in module.parameters()]
    module.zero_grad(set_to_none=False)
    zeros = [p.grad for p in module.body.parameters()]
    module.zero_grad()
    none = [p.grad is None for p in module.parameters()]
    module.requires_grad_(False)
    return had, zeros, none, module(torch.ones(4, 2)).requires_grad


program("zero_grad, requires_grad_", gradients)


def converted(torch: Any) -> Any:
    module = torch.nn.BatchNorm1d(2)
    module(torch.ones(3, 2)).sum().backward()
    parameters = list(module.parameters())
    module.double()
    out = [module.weight, module.weight.grad, module.running_mean, module.num_batches_tracked]
    out += [all(p is q for p, q in zip(parameters, module.parameters(), strict=True)), module.to(torch.float32).weight]
    out.append(module.to(torch.ones(1, dtype=torch.float64)).bias)
    return [*out, module.to("cpu", torch.float64).bias, module.float().bias, module.cpu() is module]


program("to, double, float", converted)
program("to an integer type", lambda t: t.nn.Linear(1, 1).to(t.int64))


def deeply(torch: Any) -> Any:
    module = net(torch)
    other = copy.deepcopy(module)
    with torch.no_grad():
        other.scale.add_(1)
    return module.scale, other.scale, other.again is other.parts[0], type(other.scale).__name__


program("deepcopy", deeply)


def loading(change: Any, **options: Any) -> Any:
    def run(torch: Any) -> Any:
        torch.manual_seed(0)
        source, target = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        with torch.no_grad():
            source.weight.fill_(2.0), source.bias.fill_(3.0)
        state = source.state_dict()
        change(torch, state)
        answer = target.load_state_dict(state, **options)
        return repr(answer), list(answer.missing_keys), target.weight, target.bias

    return run


program("load_state_dict", loading(lambda t, state: None))
program("load_state_dict with a key missing", loading(lambda t, state: state.pop("bias")))
program("load_state_dict with a key too much", loading(lambda t, state: state.update(more=t.ones(1))))
program("load_state_dict not strict", loading(lambda t, state: (state.pop("bias"), state.update(x=1)), strict=False))
program("load_state_dict of another size", loading(lambda t, state: state.update(weight=t.ones(3, 2), y=t.ones(1))))
program("load_state_dict of no tensor", loading(lambda t, state: state.update(bias=[1.0, 2.0])))
program("load_state_dict of another type", loading(lambda t, state: state.update(bias=t.ones(2, dtype=t.float64))))
program("load_state_dict assigned", loading(lambda t, state: state.update(bias=t.zeros(2)), assign=True))
program("load_state_dict of a list", lambda t: t.nn.Linear(1, 1).load_state_dict([1]))


# -- assigning ----------------------------------------------------------------------------------


def assigning(name: str, change: Any) -> None:
    def run(torch: Any) -> Any:
        module = torch.nn.Linear(1, 1)
        module.register_buffer("buffer", torch.zeros(1))
        module.child = torch.nn.ReLU()
        change(torch, module)
        return sorted(module._parameters), sorted(module._modules), sorted(module._buffers)

    program(f"assign {name}", run)


assigning(
    "a parameter over a plain attribute", lambda t, m: (setattr(m, "x", 1), setattr(m, "x", t.nn.Parameter(t.ones(1))))
)
assigning("None to a parameter", lambda t, m: setattr(m, "bias", None))
assigning("a tensor to a parameter", lambda t, m: setattr(m, "bias", t.ones(1)))
assigning("a number to a parameter", lambda t, m: setattr(m, "bias", 3))
assigning("a number to a child", lambda t, m: setattr(m, "child", 3))
assigning("None to a child", lambda t, m: setattr(m, "child", None))
assigning("a tensor to a buffer", lambda t, m: setattr(m, "buffer", t.ones(3)))
assigning("a number to a buffer", lambda t, m: setattr(m, "buffer", 3.5))
assigning("a parameter to a child", lambda t, m: setattr(m, "child", t.nn.Parameter(t.ones(1))))
assigning("nothing: delete a parameter", lambda t, m: delattr(m, "bias"))
assigning("nothing: delete a child", lambda t, m: delattr(m, "child"))
assigning("nothing: delete what is not there", lambda t, m: delattr(m, "other"))
assigning("a name with a dot", lambda t, m: m.register_parameter("a.b", None))
assigning("an empty name", lambda t, m: m.register_buffer("", None))
assigning("a child with a dot", lambda t, m: m.add_module("a.b", None))
assigning("a known name", lambda t, m: m.register_buffer("weight", None))
assigning("an attribute's name", lambda t, m: m.add_module("in_features", t.nn.ReLU()))
assigning("a number for a name", lambda t, m: m.register_parameter(3, None))
assigning("no module", lambda t, m: m.add_module("x", 3))
assigning("no parameter", lambda t, m: m.register_parameter("x", t.ones(1)))
assigning("no tensor", lambda t, m: m.register_buffer("x", 3))


def too_early(make: Any) -> Any:
    def run(torch: Any) -> Any:
        class Net(torch.nn.Module):
            def __init__(self) -> None:
                self.x = make(torch)

        return Net()

    return run


program("a parameter before __init__", too_early(lambda t: t.nn.Parameter(t.ones(1))))
program("a module before __init__", too_early(lambda t: t.nn.ReLU()))
program("a number before __init__", lambda t: too_early(lambda t: 3)(t).x)
program("no forward", lambda t: t.nn.Module()(1))
program("train with a number", lambda t: t.nn.Module().train(1))
program("a parameter of integers", lambda t: t.nn.Parameter(t.tensor([1])))

# -- hooks --------------------------------------------------------------------------------------


def hooked(torch: Any) -> Any:
    said: list[Any] = []
    module = torch.nn.Linear(2, 1, bias=False)
    torch.nn.init.ones_(module.weight)

    def say(name: str) -> Any:
        return lambda *args: said.append([name, *[a for a in args[1:]]])

    handles = [
        module.register_forward_pre_hook(say("before")),
        module.register_forward_hook(say("after")),
        module.register_full_backward_pre_hook(say("backward before")),
        module.register_full_backward_hook(say("backward after")),
    ]
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    module(x).sum().backward()
    for handle in handles:
        handle.remove()
    module(x)
    return said, x.grad


program("hooks", hooked)


def replacing(torch: Any) -> Any:
    module = torch.nn.Identity()
    module.register_forward_pre_hook(lambda m, args: args[0] * 2)
    module.register_forward_hook(lambda m, args, out: out + args[0])
    module.register_full_backward_pre_hook(lambda m, grads: (grads[0] * 3,))
    module.register_full_backward_hook(lambda m, inputs, outputs: (inputs[0] + outputs[0],))
    x = torch.ones(2, requires_grad=True)
    y = module(x)
    y.sum().backward()
    return y, x.grad


program("hooks that replace", replacing)


def no_input_grad(torch: Any) -> Any:
    said: list[Any] = []
    module = torch.nn.Linear(1, 1)
    torch.nn.init.ones_(module.weight)
    module.register_full_backward_hook(lambda m, inputs, outputs: said.append([list(inputs), list(outputs)]))
    module(torch.ones(1, 1)).sum().backward()
    return said


program("a backward hook without a gradient of the input", no_input_grad)

# -- optimizers as objects ----------------------------------------------------------------------

OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")


def weight(torch: Any) -> Any:
    return torch.nn.Parameter(torch.ones(2))


def state_of(name: str, **options: Any) -> Any:
    def run(torch: Any) -> Any:
        a, b, unused = weight(torch), weight(torch), weight(torch)
        optimizer = getattr(torch.optim, name)([{"params": [a, unused]}, {"params": b, "lr": 0.5}], lr=0.1, **options)
        for _ in range(2):
            (a.sum() + (b * b).sum()).backward()
            optimizer.step()
        state = optimizer.state_dict()
        other = getattr(torch.optim, name)([{"params": [a, unused]}, {"params": b, "lr": 0.5}], lr=9.0, **options)
        other.load_state_dict(copy.deepcopy(state))  # PyTorch's would share the tensors
        other.zero_grad()
        (a.sum() + (b * b).sum()).backward()
        other.step()
        groups = [dict(sorted(group.items())) for group in state["param_groups"]]
        state = {
            number: kept for number, kept in state["state"].items() if number != 1
        }  # PyTorch's Adagrad starts early
        return repr(optimizer), state, groups, a, b, unused

    return run


for name in OPTIMIZERS:
    program(f"{name} text", lambda t, n=name: repr(getattr(t.optim, n)([weight(t)])))
    program(f"{name} state", state_of(name))
    program(f"{name} of nothing", lambda t, n=name: getattr(t.optim, n)([]))
    program(f"{name} lr", lambda t, n=name: getattr(t.optim, n)([weight(t)], lr=-1.0))
    program(f"{name} weight_decay", lambda t, n=name: getattr(t.optim, n)([weight(t)], weight_decay=-1))
program("SGD momentum state", state_of("SGD", momentum=0.9))
program("Adam amsgrad state", state_of("Adam", amsgrad=True))
program("RMSprop all state", state_of("RMSprop", momentum=0.9, centered=True))


def closure(torch: Any) -> Any:
    p = weight(torch)
    optimizer = torch.optim.SGD([p], lr=0.1)

    def loss() -> Any:
        optimizer.zero_grad()
        value = (p * p).sum()
        value.backward()
        return value

    with torch.no_grad():
        first = optimizer.step(loss)
    version = p._version
    optimizer.zero_grad(set_to_none=False)
    return first, p, p.grad, version, optimizer.step()


program("a closure", closure)


def rates(torch: Any) -> Any:
    optimizer = torch.optim.SGD([{"params": weight(torch)}, {"params": weight(torch), "lr": 1.0}], lr=0.1)
    schedule = torch.optim.lr_scheduler
    both = [schedule.StepLR(optimizer, 2), schedule.ExponentialLR(optimizer, 0.9)]
    seen = []
    for _ in range(5):
        optimizer.step()
        for scheduler in both:
            scheduler.step()
        seen.append(both[1].get_last_lr())
    later = schedule.StepLR(optimizer, 2)
    later.load_state_dict(both[0].state_dict())
    return seen, later.last_epoch, later.get_last_lr(), repr(optimizer)


program("two schedulers at once", rates)

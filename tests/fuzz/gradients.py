"""Statements about gradients: modes, flags, hooks, Functions, backward in every form, modules and optimizers.

Read next: run.py, which runs a program in two libraries.
"""

from __future__ import annotations

from .helpers import ONE_IN
from .program import FLOATS, Program, Var, broadcast
from .values import fitting, target, word


def wanted(p: Program) -> Var | None:
    """A tensor that requires grad; seldom one that does not."""
    return p.var(lambda v: v.grad or (v.floats and p.chance(0.04)))


def leaf_of(p: Program) -> Var | None:
    return p.var(lambda v: v.grad and v.leaf) or wanted(p)


# -- modes and flags


@word("mode", 0.6)
def switch(p: Program) -> None:
    p.say(p.pick(("torch.set_grad_enabled(False)", "torch.set_grad_enabled(True)", "torch.set_grad_enabled(True)")))


@word("mode", 2)
def under_a_mode(p: Program) -> None:
    if x := p.var(lambda v: v.floats):
        mode = p.pick(("no_grad()", "no_grad()", "inference_mode()", "enable_grad()", "set_grad_enabled(False)"))
        made = p.pick(
            ("{x} * 2", "{x}.view(-1)", "{x}.detach()", "{x}.clone()", "{x}[...]", "torch.ones(3)", "{x}.t()")
        )
        name = p.name()
        p.say(f"with torch.{mode}:\n    {name} = {made.format(x=x.name)}")
        p.vars.append(Var(name, x.size, x.dtype))


@word("mode", 1.5)
def changed_under_a_mode(p: Program) -> None:
    if x := p.var(lambda v: v.floats):
        mode = p.pick(("no_grad()", "no_grad()", "no_grad()", "inference_mode()"))
        change = p.pick(("{x} *= 2", "{x}.zero_()", "{x}.add_(1)", "{x}.requires_grad_()", "{x}.copy_({x} + 1)"))
        inner = change.format(x=x.name)
        if x.ndim and p.chance(0.3):
            inner = f"{x.name}[0] = 1.5"
        p.say(f"with torch.{mode}:\n    {inner}")


@word("flag", 2)
def flags(p: Program) -> None:
    if x := p.var(lambda v: v.floats or p.chance(0.05)):
        r = p.random()
        if r < 0.35:
            p.say(f"{x.name}.requires_grad_({p.pick(('', '', 'False'))})")
            x.grad = x.floats
        elif r < 0.55:
            p.say(f"{x.name}.requires_grad = {p.pick(('True', 'False'))}")
            x.grad = x.floats
        elif r < 0.75:
            p.let(
                f"{x.name}.detach(){p.pick(('', '.requires_grad_()', '.clone().requires_grad_()'))}",
                x.size,
                x.dtype,
                True,
            )
        elif r < 0.9:
            p.say(f"{x.name}.detach_()")
            x.grad, x.leaf = False, True
        else:
            p.let(f"{x.name}.data", x.size, x.dtype)


@word("flag", 1.5)
def keep_grad(p: Program) -> None:
    if x := p.var(lambda v: v.grad and (not v.leaf or p.chance(0.1))):
        p.say(f"{x.name}.retain_grad()")


@word("flag", 0.7)
def data_changed(p: Program) -> None:
    if x := p.var(lambda v: v.floats):
        p.say(
            p.pick(("{x}.data.add_(1)", "{x}.data *= 2", "{x}.detach().mul_(2)", "{x}.data = {x}.data * 2")).format(
                x=x.name
            )
        )


@word("flag", 0.7)
def copied(p: Program) -> None:
    if x := p.var():
        text = p.pick(
            (
                "copy.deepcopy({x})",
                "torch.tensor({x})",
                "torch.as_tensor({x})",
                "torch.from_numpy({x}.detach().numpy())",
                "{x}.clone()",
            )
        )
        p.let(text.format(x=x.name), x.size, x.dtype, "deepcopy" in text and x.grad)


@word("flag", 0.6)
def reshaped_in_place(p: Program) -> None:
    if x := target(p):
        n = x.ndim
        kind = p.pick(("t_()", "transpose_(0, -1)", "squeeze_()", "unsqueeze_(0)"))
        if kind == "t_()" and n > 2:
            return
        x.size = x.size[::-1] if kind == "t_()" or (n == 2 and kind[0] == "t") else x.size
        x.size = (1, *x.size) if kind == "unsqueeze_(0)" else x.size
        x.size = tuple(k for k in x.size if k != 1) if kind == "squeeze_()" else x.size
        p.say(f"{x.name}.{kind}")


@word("grad", 3)
def edit_grad(p: Program) -> None:
    if x := leaf_of(p):
        text = p.pick(
            (
                "{x}.grad.zero_()",
                "{x}.grad = None",
                "{x}.grad[0] = 5",
                "{x}.grad.add_(1)",
                "{x}.grad *= 0.5",
                "{x}.grad = None",
            )
            + (
                "{x}.grad = {x}.detach().clone()",
                "{x}.grad.detach_()",
                "{x}.grad = torch.ones_like({x})",
                "{x}.grad.fill_(2)",
            )
            + (
                "{x}.grad.requires_grad_()",
                "{x}.grad.clamp_(-1, 1)",
                "{x}.grad.data.zero_()",
                "del {x}.grad",
                "{x}.grad = 3.0",
            )
            + (
                "{x}.grad = torch.zeros(2)",
                "torch.nn.utils.clip_grad_norm_([{x}], 1.0)",
                "{x}.grad = {x}.grad * 2",
                "{x}.grad = {x}",
            )
        )
        p.say(text.format(x=x.name))


@word("grad", 1.5)
def take_grad(p: Program) -> None:
    if x := leaf_of(p):
        text = p.pick(
            ("{x}.grad", "{x}.grad.clone()", "{x}.grad.detach()", "{x}.grad[0]", "{x}.grad * {x}", "{x}.grad.view(-1)")
        )
        p.let(text.format(x=x.name), x.size, x.dtype, letter="g")


@word("grad", 1)
def step_by_hand(p: Program) -> None:
    if x := leaf_of(p):
        text = p.pick(
            (
                "{x} -= 0.5 * {x}.grad",
                "{x}.sub_({x}.grad)",
                "{x}.add_({x}.grad, alpha=-0.5)",
                "{x}.copy_({x} - {x}.grad)",
            )
        )
        text = text.format(x=x.name)
        p.say(f"with torch.no_grad():\n    {text}" if p.chance(0.8) else text)


# -- hooks

HOOKS = (
    "lambda g: g * 2",
    "lambda g: g - 2",
    "lambda g: print('hook', g)",
    "lambda g: None",
    "lambda g: g.clone()",
    "lambda g: g.mul_(2)",
    "lambda g: g.sum()",
    "lambda g: 3",
    "lambda g: (g,)",
    "lambda g: torch.zeros_like(g)",
    "lambda g: print('hook', g)",
    "lambda g: g * 2",
    "lambda g: g.double()",
    "lambda g: g + g",
)
NODE_HOOKS = (
    "register_hook(lambda gi, go: print('node', gi, go))",
    "register_prehook(lambda go: print('pre', go))",
    "register_hook(lambda gi, go: tuple(None if g is None else g * 2 for g in gi))",
    "register_prehook(lambda go: tuple(None if g is None else g * 3 for g in go))",
    "register_hook(lambda gi, go: gi[0])",
    "register_hook(lambda gi, go: gi + (None,))",
)
AFTER = (
    "lambda p: print('after', p, p.grad)",
    "lambda p: p.sub_(p.grad)",
    "lambda p: p.grad.add_(0.5)",
    "lambda p: p.data.sub_(p.grad)",
    "lambda p: setattr(p, 'grad', None)",
    "lambda p: 3",
    "lambda p: p.grad.mul_(2)",
    "lambda p: print('after', p.requires_grad, p.grad)",
)


def handle(p: Program, text: str) -> None:
    name = p.name("h")
    p.handles.append(name)
    p.say(f"{name} = {text}")


@word("hook", 3)
def tensor_hook(p: Program) -> None:
    if x := wanted(p):
        handle(p, f"{x.name}.register_hook({p.pick(HOOKS)})")


@word("hook", 1.3)
def node_hook(p: Program) -> None:
    if x := p.var(lambda v: v.grad and not v.leaf):
        handle(p, f"{x.name}.grad_fn.{p.pick(NODE_HOOKS)}")


@word("hook", 1.3)
def accumulator_hook(p: Program) -> None:
    if x := leaf_of(p):
        name = p.name("a")
        p.say(f"{name} = {x.name}.{p.pick(('view_as', 'expand_as'))}({x.name}).grad_fn.next_functions[0][0]")
        text = p.pick(
            ("register_prehook(lambda g: (g[0] / 5,))", "register_prehook(lambda g: print('pre', g))", NODE_HOOKS[0])
        )
        handle(p, f"{name}.{text}")


@word("hook", 1.3)
def post_accumulate_hook(p: Program) -> None:
    if x := leaf_of(p):
        handle(p, f"{x.name}.register_post_accumulate_grad_hook({p.pick(AFTER)})")


@word("hook", 1)
def remove_hook(p: Program) -> None:
    if p.handles:
        p.say(f"{p.pick(p.handles)}.remove()")


@word("hook", 0.4)
def hook_on_several(p: Program) -> None:
    if (x := wanted(p)) and (y := wanted(p)):
        mode = p.pick(("", "", ", mode='any'"))
        handle(
            p,
            f"torch.autograd.graph.register_multi_grad_hook([{x.name}, {y.name}], lambda g: print('several', g){mode})",
        )


@word("hook", 1)
def saved(p: Program) -> None:
    if (x := wanted(p)) and (y := fitting(p, x)):
        hooks = p.pick(("pack, unpack", "copied, unpack", "pack, doubled", "as_array, from_array", "pack, unpack"))
        name = p.name()
        made = p.pick(
            (
                "{x} * {y}",
                "{x} * 2",
                "({x} * {y}).exp()",
                "{x}.exp()",
                "{x} / {y}",
                "{x} ** 2",
                "{x}.sin().tanh()",
                "{x} * {x}",
            )
        )
        text = made.format(x=x.name, y=y.name)
        p.say(f"with torch.autograd.graph.saved_tensors_hooks({hooks}):\n    {name} = {text}")
        p.vars.append(Var(name, broadcast(x.size, y.size) or x.size if "{y}" in made else x.size, x.dtype, True, False))


# -- Functions of one's own


@word("function", 3)
def own_function(p: Program) -> None:
    if x := p.var(lambda v: v.floats and (v.grad or p.chance(0.2))):
        r = p.random()
        if r < 0.5:
            name = p.pick(ONE_IN)
            size = () if name == "Summed" else (x.numel,) if name == "Looked" else x.size
            p.let(f"{name}.apply({x.name})", size, x.dtype, x.grad, False)
        elif r < 0.6:
            p.let(f"Scale.apply({x.name}, {p.number()})", x.size, x.dtype, x.grad, False)
        elif r < 0.8:
            if y := fitting(p, x):
                size = broadcast(x.size, y.size) or x.size
                p.let(f"{p.pick(('Mul', 'Nothing'))}.apply({x.name}, {y.name})", size, x.dtype, x.grad or y.grad, False)
        else:
            a, b = p.name(), p.name()
            p.say(f"{a}, {b} = {p.pick(('Two', 'TwoBare', 'Rounded'))}.apply({x.name})")
            p.vars += [Var(a, x.size, x.dtype, x.grad, False), Var(b, x.size, x.dtype, x.grad, False)]


# -- backward


@word("backward", 6)
def backward(p: Program) -> None:
    if not (x := wanted(p)):
        return
    options = []
    if p.chance(0.4):
        options.append("retain_graph=True")
    if p.chance(0.15):
        options.append("create_graph=True")
    if p.chance(0.12) and (y := wanted(p)):
        options.append(f"inputs=[{y.name}]")
    r = p.random()
    if x.size == () or r < 0.05:
        head = x.name
    elif r < 0.45:
        head = f"{x.name}.sum()"
    elif r < 0.6:
        head = f"({x.name} ** 2).sum()"
    elif r < 0.65:
        head = f"{x.name}.mean()"
    elif r < 0.7 and (y := fitting(p, x)):
        head = f"({x.name} * {y.name}).sum()"
    else:
        head = x.name
        grad = p.pick((f"torch.ones_like({x.name})", f"torch.full({x.size}, 0.5)", f"{x.name}", f"{x.name}.detach()"))
        if grad == x.name and p.chance(0.7):
            grad = f"torch.ones_like({x.name})"
        if p.chance(0.04):
            grad = "torch.ones(7)"
        options.insert(0, grad)
    p.say(f"{head}.backward({', '.join(options)})")


@word("backward", 0.7)
def backward_of_several(p: Program) -> None:
    if (x := wanted(p)) and (y := wanted(p)):
        retain = p.pick(("", ", retain_graph=True"))
        p.say(f"torch.autograd.backward([{x.name}.sum(), {y.name}.sum()]{retain})")


@word("backward", 3)
def gradients(p: Program) -> None:
    x, y = wanted(p), wanted(p)
    if not x or not y:
        return
    options = ""
    if p.chance(0.35):
        options += ", create_graph=True"
    elif p.chance(0.4):
        options += ", retain_graph=True"
    r = p.random()
    options += ", allow_unused=True" if r < 0.4 else ", materialize_grads=True" if r < 0.55 else ""
    head = p.pick(
        ("{x}.sum()", "({x} ** 2).sum()", "({x} * {x}).sum()", "{x}.exp().sum()", "{x}.sum()", "({x} * {y}).sum()")
    )
    if p.chance(0.15):
        head, options = "{x}", f", torch.ones_like({x.name})" + options
    head = head.format(x=x.name, y=y.name)
    if p.chance(0.35) and (z := wanted(p)):
        a, b = p.name("g"), p.name("g")
        p.say(f"{a}, {b} = torch.autograd.grad({head}, [{y.name}, {z.name}]{options})")
        p.vars += [
            Var(a, y.size, y.dtype, "create" in options, False),
            Var(b, z.size, z.dtype, "create" in options, False),
        ]
    else:
        p.let(f"torch.autograd.grad({head}, {y.name}{options})[0]", y.size, y.dtype, "create" in options, False, "g")


@word("backward", 0.5)
def functional(p: Program) -> None:
    if x := p.var(lambda v: v.floats and v.numel < 7):
        f = p.pick(
            (
                "lambda x: x * x",
                "lambda x: (x ** 3).sum()",
                "torch.exp",
                "lambda x: x.sum() * x",
                "lambda x: torch.ones(2)",
            )
        )
        kind = p.pick(("jacobian", "jacobian", "hessian"))
        f = "lambda x: (x ** 3).sum()" if kind == "hessian" else f
        more = p.pick(("", "", ", create_graph=True", ", strict=True"))
        p.let(f"torch.autograd.functional.{kind}({f}, {x.name}{more})", (2, 2), x.dtype, letter="g")


# -- modules and optimizers

SEQUENCE = "Sequential(torch.nn.Linear({a}, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))"


@word("module", 1.5)
def module(p: Program) -> None:
    name, a, b = p.name("m"), p.int(1, 3), p.int(1, 3)
    p.say(f"torch.manual_seed({p.int(0, 9)})\n{name} = torch.nn.Linear({a}, {b}{p.pick(('', '', ', bias=False'))})")
    p.modules.append((name, a))
    p.vars.append(Var(f"{name}.weight", (b, a), "float32", True))


@word("module", 0.6)
def other_module(p: Program) -> None:
    name, a = p.name("m"), p.int(1, 3)
    made = p.pick(("LayerNorm({a})", "BatchNorm1d({a})", "RNNCell({a}, 2)", "GRUCell({a}, 2)", SEQUENCE, SEQUENCE))
    p.say(f"torch.manual_seed({p.int(0, 9)})\n{name} = torch.nn.{made.format(a=a)}")
    p.modules.append((name, a))


@word("module", 2.5)
def call(p: Program) -> None:
    if p.modules:
        name, takes = p.pick(p.modules)
        x = p.var(lambda v: v.ndim > 0 and v.size[-1] == takes and (v.dtype == "float32" or p.chance(0.05)))
        text = x.name if x else f"torch.ones(2, {takes})"
        size = ((*x.size[:-1], 1)) if x else (2, 1)
        p.let(f"{name}({text})", size, "float32", True, False)


@word("module", 2.5)
def functional_call(p: Program) -> None:
    if x := p.var(lambda v: v.floats and (v.ndim > 0 or p.chance(0.2))):
        d = p.int(-x.ndim, max(x.ndim - 1, 0))
        text = p.pick(
            (
                "relu({x})",
                "softmax({x}, {d})",
                "log_softmax({x}, {d})",
                "gelu({x})",
                "elu({x})",
                "silu({x})",
                "softplus({x})",
            )
            + (
                "selu({x})",
                "celu({x})",
                "leaky_relu({x}, 0.1)",
                "hardtanh({x})",
                "logsigmoid({x})",
                "softsign({x})",
                "normalize({x}, dim={d})",
            )
            + (
                "layer_norm({x}, {last})",
                "pad({x}, (1, 1))",
                "dropout({x}, 0.5, training=False)",
                "tanh({x})",
                "sigmoid({x})",
            )
        )
        p.let(
            "torch.nn.functional." + text.format(x=x.name, d=d, last=list(x.size[-1:])), x.size, x.dtype, x.grad, False
        )


@word("module", 2)
def loss(p: Program) -> None:
    if x := p.var(lambda v: v.floats):
        y = p.var(lambda v: v.size == x.size and v.dtype == x.dtype) or p.var() or x
        name = p.pick(("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits"))
        more = p.pick(("", "", ", reduction='sum'", ", reduction='none'"))
        if x.ndim == 2 and p.chance(0.3):
            to = f"torch.tensor({[p.int(0, max(x.size[1] - 1, 0)) for _ in range(x.size[0])]})"
            p.let(f"torch.nn.functional.cross_entropy({x.name}, {to}{more})", (), x.dtype, x.grad, False)
        else:
            p.let(
                f"torch.nn.functional.{name}({x.name}, {y.name}{more})",
                x.size if "none" in more else (),
                x.dtype,
                x.grad,
                False,
            )


@word("module", 0.6)
def distribution(p: Program) -> None:
    """Draw, then ask: what is computed for the draw must keep its history."""
    if x := p.var(lambda v: v.floats and v.ndim > 0 and v.numel > 0):
        kind, name = p.pick(("Categorical", "Bernoulli")), p.name("d")
        p.say(f"{name} = torch.distributions.{kind}(logits={x.name})\n{name}.sample()")
        p.let(f"{name}.entropy()", x.size[:-1] if kind == "Categorical" else x.size, x.dtype, x.grad, False)


OPTIMIZERS = (
    "SGD({}, lr=0.1)",
    "SGD({}, lr=0.1, momentum=0.9)",
    "SGD({}, lr=0.5, momentum=0.9, nesterov=True, weight_decay=0.1)",
    "SGD({}, lr=0.1, maximize=True)",
    "Adam({}, lr=0.1)",
    "Adam({}, lr=0.1, amsgrad=True)",
    "AdamW({}, lr=0.1)",
    "RMSprop({}, lr=0.1)",
    "Adagrad({}, lr=0.5)",
)


@word("module", 1.2)
def optimizer(p: Program) -> None:
    if x := leaf_of(p):
        name = p.name("o")
        given = f"[{x.name}]"
        if p.modules and p.chance(0.5):
            given = f"{p.pick(p.modules)[0]}.parameters()"
        elif (y := leaf_of(p)) and y is not x:
            given = f"[{x.name}, {y.name}]"
        kind = p.pick(OPTIMIZERS)
        p.say(f"{name} = torch.optim.{kind.format(given)}")
        p.optimizers.append(name)


@word("module", 3)
def step(p: Program) -> None:
    if p.optimizers:
        p.say(f"{p.pick(p.optimizers)}.{p.pick(('step()', 'step()', 'zero_grad()', 'zero_grad(set_to_none=False)'))}")


__all__ = ["FLOATS"]

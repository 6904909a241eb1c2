"""`tf.train`: optimizers. The update is part of the graph: `minimize` returns an operation that makes one step.

Imports gradients and variables. Read next: session.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._compiler.build import build
from .._messages.names import missing as _missing
from .convert import constant, convert
from .gradients import gradients
from .graph import get_default_graph
from .math import cast, sqrt
from .variables import Variable, group, trainable_variables


class Optimizer:
    """Base class of the optimizers: computes gradients of a loss, and builds the updates of the variables."""

    def __init__(self, name: str):
        self.name = name
        self.slots: dict[tuple[Variable, str], Variable] = {}

    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, name: str | None = None, grad_loss: Any = None
    ) -> Any:
        """The operation that makes one step towards a smaller `loss`; a loss fetched with it is the one before."""
        pairs = self.compute_gradients(loss, var_list, grad_loss)
        if all(grad is None for grad, _ in pairs):
            names = [str(variable) for _, variable in pairs]
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {names} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss: Any, var_list: Any = None, grad_loss: Any = None) -> list[tuple[Any, Variable]]:
        """Pairs of a gradient (None where unconnected) and a variable, by default for all trainable variables."""
        variables = list(var_list) if var_list is not None else trainable_variables()
        if not variables:
            raise ValueError("No variables to optimize.")
        grads = gradients(loss, variables, None if grad_loss is None else [grad_loss])
        return list(zip(grads, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """The operation that updates the variables by their gradients, and increments `global_step`."""
        pairs = [(convert(g), v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable.")
        graph = get_default_graph()
        with graph.control_dependencies(None):
            self.prepare([v for _, v in pairs])
        with graph.name_scope(name or self.name) as scope:
            updates = []
            for grad, variable in pairs:
                with graph.name_scope(f"update_{variable.op.name}"):
                    updates += self.update(grad, variable)
            updates += self.finish()
            if global_step is not None:
                with graph.control_dependencies(updates):
                    return global_step.assign_add(constant(1, global_step.dtype)).op
            return group(*updates, name=scope)

    def slot(self, variable: Variable, name: str, first: str = "zeros_like") -> Variable:
        """A variable of the optimizer for one of the model's variables, by default initialised to zeros."""
        if (variable, name) not in self.slots:
            with get_default_graph().name_scope(None):
                start = build(first, variable.initial_value)
                self.slots[variable, name] = Variable(start, trainable=False, name=f"{variable.op.name}/{name}")
        return self.slots[variable, name]

    def prepare(self, variables: list[Variable]) -> None:
        """Create the optimizer's own variables."""

    def update(self, grad: Any, variable: Variable) -> list[Any]:
        raise NotImplementedError

    def finish(self) -> list[Any]:
        return []


class GradientDescentOptimizer(Optimizer):
    """w - learning_rate * gradient.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     w = tf.Variable(1.0)
    ...     step = tf.train.GradientDescentOptimizer(0.1).minimize(w * w)
    ...     session.run(tf.global_variables_initializer())
    ...     session.run(step)
    ...     print(session.run(w))
    0.8
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"):
        super().__init__(name)
        self.learning_rate = learning_rate

    def update(self, grad: Any, variable: Variable) -> list[Any]:
        return [variable.assign_sub(grad * cast_to(self.learning_rate, grad))]


class MomentumOptimizer(Optimizer):
    """Momentum: total = momentum * total + gradient; w - learning_rate * total.

    `use_nesterov` evaluates one step ahead (Sutskever et al. 2013). Creates a slot `w/Momentum` for each variable:
    build it before the initializer.

    >>> import minigrad.static as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     w = tf.Variable(1.0)
    ...     step = tf.train.MomentumOptimizer(0.25, 0.5).minimize(w * w)
    ...     session.run(tf.global_variables_initializer())
    ...     print(*[(session.run(step), session.run(w))[1] for _ in range(3)])
    0.5 0.0 -0.25
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ):
        super().__init__(name)
        self.learning_rate, self.momentum, self.use_nesterov = learning_rate, momentum, use_nesterov

    def prepare(self, variables: list[Variable]) -> None:
        for variable in variables:
            self.slot(variable, self.name)

    def update(self, grad: Any, variable: Variable) -> list[Any]:
        slot = self.slot(variable, self.name)
        rate, momentum = cast_to(self.learning_rate, grad), cast_to(self.momentum, grad)
        total = slot.assign(slot * momentum + grad)
        step = grad * rate + total * momentum * rate if self.use_nesterov else total * rate
        return [variable.assign_sub(step), total]


class RMSPropOptimizer(Optimizer):
    """Steps by the gradient, divided by the root of a running mean of its square (Hinton 2012).

    `centered` divides by the root of an estimate of the variance instead: it subtracts the squared running mean of
    the gradient. As in TensorFlow, the running mean of squares starts at 1, epsilon is inside the root, and the
    learning rate is inside the momentum. Creates the slots `w/RMSProp` and `w/RMSProp_1` (and `_2` if centered) for
    each variable: build it before the initializer.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ):
        super().__init__(name)
        self.learning_rate, self.decay, self.momentum, self.epsilon = learning_rate, decay, momentum, epsilon
        self.centered = centered

    def prepare(self, variables: list[Variable]) -> None:
        for variable in variables:
            self.slot(variable, self.name, "ones_like")
            for number in range(2 if self.centered else 1):
                self.slot(variable, f"{self.name}_{number + 1}")

    def update(self, grad: Any, variable: Variable) -> list[Any]:
        square, *means, moving = (slot for (whose, _), slot in self.slots.items() if whose is variable)
        rate, decay = cast_to(self.learning_rate, grad), cast_to(self.decay, grad)
        spread = under_root = square.assign(square + (grad * grad - square) * (1.0 - decay))
        made = [spread]
        for slot in means:  # one item if centered, else none
            mean = slot.assign(slot + (grad - slot) * (1.0 - decay))
            under_root = spread - mean * mean
            made.append(mean)
        step = grad * rate / sqrt(under_root + cast_to(self.epsilon, grad))
        moved = moving.assign(moving * cast_to(self.momentum, grad) + step)
        return [variable.assign_sub(moved), moved, *made]


class AdamOptimizer(Optimizer):
    """Steps of about `learning_rate`, from running means of the gradient and of its square (Kingma and Ba 2015).

    Creates slots `w/Adam` and `w/Adam_1` for each variable, and two powers of the betas: build it before the
    initializer. As in TensorFlow, epsilon is added to the *uncorrected* root, so the first steps for tiny gradients
    are smaller than in PyTorch.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ):
        super().__init__(name)
        self.learning_rate, self.beta1, self.beta2, self.epsilon = learning_rate, beta1, beta2, epsilon
        self.powers: list[Variable] = []

    def prepare(self, variables: list[Variable]) -> None:
        if not self.powers:
            for name, beta in (("beta1_power", self.beta1), ("beta2_power", self.beta2)):
                with get_default_graph().name_scope(None):
                    self.powers.append(Variable(beta, trainable=False, name=name))
        for variable in variables:
            self.slot(variable, self.name), self.slot(variable, self.name + "_1")  # TensorFlow's names of both slots

    def update(self, grad: Any, variable: Variable) -> list[Any]:
        mean, spread = self.slot(variable, self.name), self.slot(variable, self.name + "_1")
        power1, power2 = (cast(power, grad.dtype) for power in self.powers)
        beta1, beta2 = np.float32(self.beta1), np.float32(self.beta2)  # 1 - 0.999 is 0.00099998713 in float32
        rate = cast_to(self.learning_rate, grad) * sqrt(1.0 - power2) / (1.0 - power1)
        m = mean.assign(mean + (grad - mean) * (1 - beta1))
        v = spread.assign(spread + (grad * grad - spread) * (1 - beta2))
        epsilon = cast_to(self.epsilon, grad)
        return [variable.assign_sub(rate * m / (sqrt(v) + epsilon)), m, v]

    def finish(self) -> list[Any]:
        return [power.assign(power * beta) for power, beta in zip(self.powers, (self.beta1, self.beta2), strict=True)]


def cast_to(rate: Any, like: Any) -> Any:
    """A learning rate, a number or a tensor, in the dtype of a gradient."""
    return cast(convert(rate, name="learning_rate"), like.dtype)


__getattr__ = _missing(__name__, place="tf.train")

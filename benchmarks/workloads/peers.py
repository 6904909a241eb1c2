"""How NumPy, MyGrad and autograd train: on plain arrays, with `slopes(params, *data)`.

`slopes` gives a loss, whatever else must be kept (a hidden state), and the gradients. For NumPy it is
written by hand; for the others a `loss(xp, params, *data)` suffices, with `xp` their version of NumPy.
Read next: two_layer.py, which uses all three.
"""


def sides(train, by_hand, loss):
    """The three sides of a workload; `train(slopes)` makes one."""
    return {
        "numpy": lambda size: train(by_hand, size),
        "mygrad": lambda size: train(mygrad_slopes(loss), size),
        "autograd": lambda size: train(autograd_slopes(loss), size),
    }


def descent(numbers, rate):
    """Plain gradient descent, `size` iterations a run. `numbers()` gives the data and the parameters."""

    def train(slopes, size):
        data, params = numbers()

        def run():
            losses = []
            for _ in range(size):
                loss, _, grads = slopes(params, *data)
                for param, grad in zip(params, grads, strict=True):
                    param -= rate * grad
                losses.append(loss)
            return losses

        return run

    return train


def mygrad_slopes(loss):
    import mygrad

    def slopes(params, *data):
        tensors = [mygrad.tensor(array, copy=False) for array in params]
        value, kept = loss(mygrad, tensors, *data)
        value.backward()
        return value.item(), getattr(kept, "data", None), [tensor.grad for tensor in tensors]

    return slopes


def autograd_slopes(loss):
    import autograd.numpy
    from autograd import value_and_grad

    def slopes(params, *data):
        kept = None

        def of(params):
            nonlocal kept
            value, kept = loss(autograd.numpy, params, *data)
            return value

        value, grads = value_and_grad(of)(params)
        return float(value), getattr(kept, "_value", None), grads

    return slopes

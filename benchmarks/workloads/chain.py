"""Long chains: y = y·1.0001 + w repeated (`size` operators), and y = y·w for the memory of a node.

micrograd sorts its graph by recursion, so its backward fails on the long chain. Read next: two_layer.py.
"""

import numpy as np


def torch(torch, size):
    w = torch.tensor([1.0], requires_grad=True)

    def run():
        w.grad = None
        y = w
        for _ in range(size // 2):
            y = y * 1.0001 + w
        y.backward()
        return [y.item(), w.grad.item()]

    return run


def minigrad_without_gc(size):
    """The long chain without Python's garbage collection: the difference is the cost of that collection."""
    import gc

    import minigrad

    gc.disable()
    return torch(minigrad, size)


def numpy(size):
    w = np.ones(1, np.float32)

    def run():
        y = w
        for _ in range(size // 2):
            y = y * 1.0001 + w
        grad_y, grad_w = np.ones(1, np.float32), np.zeros(1, np.float32)
        for _ in range(size // 2):
            grad_w += grad_y
            grad_y = grad_y * 1.0001
        grad_w += grad_y
        return [y.item(), grad_w.item()]

    return run


def micrograd(size):
    from micrograd.engine import Value

    w = Value(1.0)

    def run():
        w.grad = 0
        y = w
        for _ in range(size // 2):
            y = y * 1.0001 + w
        y.backward()
        return [y.data, w.grad]

    return run


def mygrad(size):
    import mygrad

    w = mygrad.tensor([1.0], dtype=np.float32)

    def run():
        y = w
        for _ in range(size // 2):
            y = y * 1.0001 + w
        y.backward()
        return [y.item(), w.grad.item()]

    return run


def autograd(size):
    from autograd import value_and_grad

    def chain(w):
        y = w
        for _ in range(size // 2):
            y = y * 1.0001 + w
        return y

    slopes, w = value_and_grad(chain), np.ones(1, np.float32)

    def run():
        y, grad_w = slopes(w)
        return [y.item(), grad_w.item()]

    return run


def multiply(w, size):
    y = w
    for _ in range(size):
        y = y * w
    return y


def torch_multiplications(torch, size):
    w = torch.tensor([1.0], requires_grad=True)
    return lambda: [multiply(w, size).item()]


def micrograd_multiplications(size):
    from micrograd.engine import Value

    return lambda: [multiply(Value(1.0), size).data]


def mygrad_multiplications(size):
    import mygrad

    w = mygrad.tensor([1.0], dtype=np.float32)
    return lambda: [multiply(w, size).item()]


def autograd_multiplications(size):
    from autograd import make_vjp

    record = make_vjp(lambda w: multiply(w, size))
    return lambda: [record(np.ones(1, np.float32))[1].item()]


others = {"numpy": numpy, "micrograd": micrograd, "mygrad": mygrad, "autograd": autograd}
others_multiplications = {
    "micrograd": micrograd_multiplications,
    "mygrad": mygrad_multiplications,
    "autograd": autograd_multiplications,
}

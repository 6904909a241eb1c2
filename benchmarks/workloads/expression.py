"""y = (w + x)(w + 1) at w = 1, x = 2: the smallest graph in which two paths meet. It shows the cost of an operator.

Each side evaluates it `size` times. Read next: chain.py.
"""

import numpy as np


def torch(torch, size):
    w = torch.tensor([1.0], requires_grad=True)
    x = torch.tensor([2.0], requires_grad=True)

    def run():
        for _ in range(size):
            w.grad = x.grad = None
            y = (w + x) * (w + 1)
            y.backward()
        return [y.item(), w.grad.item(), x.grad.item()]

    return run


def numpy(size):
    w, x, one = np.array([1.0], np.float32), np.array([2.0], np.float32), np.ones(1, np.float32)

    def run():
        for _ in range(size):
            a = w + x
            b = w + 1
            y = a * b
            grad_a = one * b
            grad_w = grad_a + one * a
        return [y.item(), grad_w.item(), grad_a.item()]

    return run


def micrograd(size):
    from micrograd.engine import Value

    w, x = Value(1.0), Value(2.0)

    def run():
        for _ in range(size):
            w.grad = x.grad = 0
            y = (w + x) * (w + 1)
            y.backward()
        return [y.data, w.grad, x.grad]

    return run


def mygrad(size):
    import mygrad

    w, x = mygrad.tensor([1.0], dtype=np.float32), mygrad.tensor([2.0], dtype=np.float32)

    def run():
        for _ in range(size):
            y = (w + x) * (w + 1)  # this also clears the old gradients
            y.backward()
        return [y.item(), w.grad.item(), x.grad.item()]

    return run


def autograd(size):
    from autograd import value_and_grad

    slopes = value_and_grad(lambda w, x: (w + x) * (w + 1), argnum=(0, 1))
    w, x = np.array([1.0], np.float32), np.array([2.0], np.float32)

    def run():
        for _ in range(size):
            y, (grad_w, grad_x) = slopes(w, x)
        return [y.item(), grad_w.item(), grad_x.item()]

    return run


def torch_no_grad(torch, size):
    w = torch.tensor([1.0], requires_grad=True)
    x = torch.tensor([2.0], requires_grad=True)

    def run():
        with torch.no_grad():
            for _ in range(size):
                y = (w + x) * (w + 1)
        return [y.item()]

    return run


def numpy_forward(size):
    w, x = np.array([1.0], np.float32), np.array([2.0], np.float32)

    def run():
        for _ in range(size):
            y = (w + x) * (w + 1)
        return [y.item()]

    return run


def mygrad_no_autodiff(size):
    import mygrad

    w, x = mygrad.tensor([1.0], dtype=np.float32), mygrad.tensor([2.0], dtype=np.float32)

    def run():
        with mygrad.no_autodiff:
            for _ in range(size):
                y = (w + x) * (w + 1)
        return [y.item()]

    return run


others = {"numpy": numpy, "micrograd": micrograd, "mygrad": mygrad, "autograd": autograd}
others_no_grad = {"numpy": numpy_forward, "mygrad": mygrad_no_autodiff}

"""y = (w + x)(w + 1): which of its tensors are leaves, keep a gradient, and have a grad_fn."""

import minigrad as torch

w = torch.tensor([1.0], requires_grad=True)
x = torch.tensor([2.0], requires_grad=True)

a = w + x
a.retain_grad()
b = w + 1
y = a * b

y.backward()
print(w.is_leaf, x.is_leaf, a.is_leaf, b.is_leaf, y.is_leaf)
print(w.grad, x.grad, a.grad, b.grad, y.grad)
print(y.grad_fn)
print(a.grad_fn)
print(w.grad_fn)

# A graph, and its gradients step by step
import torch

w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor(3.0, requires_grad=True)

y = (w + x) * (w + 1)
y.backward()

print("dy/dw =", w.grad, "  dy/dx =", x.grad)

"""Gradient descent by hand: where is (a - 3)² + 10 (b + 1)² smallest?"""

import minigrad as torch

a = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)


def height(a, b):
    return (a - 3) ** 2 + 10 * (b + 1) ** 2


for _ in range(100):
    height(a, b).backward()
    with torch.no_grad():
        a = a - 0.04 * a.grad
        b = b - 0.04 * b.grad
        a.grad.zero_()
        b.grad.zero_()
print(f"a = {a.item():.3f}, b = {b.item():.3f}")

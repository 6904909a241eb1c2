# A plot that follows the loop
import torch
import viz

w = torch.tensor(-4.0, requires_grad=True)
with viz.live() as plot:
    for step in range(60):
        loss = (w - 1) ** 2 + torch.sin(3 * w)
        loss.backward()
        with torch.no_grad():
            w -= 0.05 * w.grad
            w.grad = None
        plot.update(loss=loss, w=w)

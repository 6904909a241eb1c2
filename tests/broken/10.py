"""A net is trained, and tried on other points after every ten epochs."""

import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
x, x_new = torch.rand(60, 1) * 4 - 2, torch.rand(20, 1) * 4 - 2
y, y_new = torch.cos(2 * x), torch.cos(2 * x_new)
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)


def tried():
    torch.set_grad_enabled(False)
    net.eval()
    error = (net(x_new) - y_new).abs().mean()
    net.train()
    return error.item()


for epoch in range(200):
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, on new points off by {tried():.3f}")

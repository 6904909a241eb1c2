"""A line is fitted to measured points: y = 3 x - 1, with some noise."""

import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 50)
y = 3 * x - 1 + 0.05 * torch.randn(50)
net = nn.Linear(1, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(200):
    prediction = net(x.unsqueeze(1))
    loss = (prediction - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"y = {net.weight.item():.2f} x + {net.bias.item():.2f}, loss {loss.item():.4f}")

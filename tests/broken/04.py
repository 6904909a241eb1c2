"""Two classes of points in the plane, told apart by a small net."""

import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
points = torch.randn(200, 2)
inside = (points.pow(2).sum(1) < 1.2).long()
net = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
loss_function = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
optimizer.zero_grad()
for _ in range(100):
    loss = loss_function(net(points), inside)
    loss.backward()
    optimizer.step()
right = (net(points).argmax(1) == inside).float().mean()
print(f"loss {loss.item():.3f}, right: {100 * right.item():.0f} %")

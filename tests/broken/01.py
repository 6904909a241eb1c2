"""A net with a shortcut learns the sine of x."""

import minigrad as torch
from minigrad import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.widen = nn.Linear(1, 16)
        self.mix = nn.Linear(16, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        wide = torch.tanh(self.widen(x))
        mixed = torch.tanh(self.mix(wide))
        mixed += wide
        return self.out(mixed)


torch.manual_seed(0)
x = torch.linspace(-3, 3, 64).unsqueeze(1)
y = torch.sin(x)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(300):
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss at the end:", loss.item())

"""A small convolutional net tells crosses from squares, 8 by 8 pixels each."""

import minigrad as torch
from minigrad import nn


def picture(cross):
    image = 0.1 * torch.randn(1, 8, 8)
    i = torch.arange(1, 7)
    if cross:
        image[0, i, i] += 1
        image[0, i, 7 - i] += 1
    else:
        image[0, 1, 1:7] += 1
        image[0, 6, 1:7] += 1
        image[0, 1:7, 1] += 1
        image[0, 1:7, 6] += 1
    return image


torch.manual_seed(0)
images = torch.stack([picture(i % 2 == 0) for i in range(40)])
labels = torch.tensor([i % 2 for i in range(40)])
net = nn.Sequential(
    nn.Conv2d(1, 4, 3),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(4 * 4 * 4, 8),
    nn.ReLU(),
    nn.Linear(8, 2),
)
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
for _ in range(30):
    loss = nn.functional.cross_entropy(net(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss at the end:", loss.item())

"""The calls that a beginner meets: train and eval, no_grad, detach, zero_grad, views, NumPy's memory."""

import numpy as np

import minigrad as torch
from minigrad import nn
from minigrad.autograd import Variable

torch.manual_seed(3)
model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.5), nn.Linear(6, 2))
x = torch.randn(5, 4)
model.train()
model(x).sum().backward()
model.zero_grad()
model.eval()
with torch.no_grad():
    print(model(x).requires_grad)
    print(model(x))

v = Variable(torch.ones(3), requires_grad=True)  # the old name of a Tensor
y = v * 2
y.backward(torch.tensor([1.0, 10.0, 100.0]))
print(v.grad, y.detach().requires_grad)

if torch.cuda.is_available():
    x = x.cuda()

z = torch.arange(12).view(3, 4)
print(z.narrow(1, 1, 2), z.t(), z.transpose(0, 1), z.permute(1, 0), sep="\n")
print(nn.Embedding(10, 3)(torch.tensor([[1, 2, 3, 4], [4, 5, 6, 9]])).shape)
print(torch.stack([torch.ones(5) for _ in range(10)], dim=0).shape)
print(torch.zeros(10, 1, 5).squeeze().shape, torch.ones(3).div(2))

a = torch.ones(5)
b = a.numpy()
a.add_(1)
print(b)  # one memory for both
n = np.zeros(5)
t = torch.from_numpy(n)
n += 1
print(t)
i = 0
while i < 3:  # Python's own loop
    i += 1

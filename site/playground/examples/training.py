# Training, with a plot
import torch
import matplotlib.pyplot as plt

torch.manual_seed(0)
x = torch.linspace(-3, 3, 60).unsqueeze(1)
target = torch.sin(x)
net = torch.nn.Sequential(torch.nn.Linear(1, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)

losses = []
for step in range(150):
    loss = ((net(x) - target) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())

print("loss", losses[0], "->", losses[-1])
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
left.plot(losses)
left.set(title="Loss", xlabel="step", yscale="log")
right.plot(x, target, label="sin")
right.plot(x, net(x).detach(), label="net")
right.legend()
plt.show()

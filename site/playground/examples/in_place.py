# An error, and what it means
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
a = w * 2
loss = (a * a).sum()
a += 1  # a was saved for the backward pass

loss.backward()

"""A recurrent net reads a long series in pieces, and guesses the next number each time."""

import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
series = torch.sin(torch.arange(0.0, 60.0, 0.2)).reshape(1, -1, 1)
rnn, out = nn.RNN(1, 16, batch_first=True), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*rnn.parameters(), *out.parameters()], lr=0.01)


def guesses(piece, state):
    hidden, state = rnn(piece, state)
    return out(hidden), state


losses = []
for _ in range(5):
    state = None
    for start in range(0, 290, 10):
        piece, following = series[:, start : start + 10], series[:, start + 1 : start + 11]
        guess, state = guesses(piece, state)
        loss = (guess - following[:, : guess.shape[1]]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
print("loss at the end:", sum(losses[-29:]) / 29)

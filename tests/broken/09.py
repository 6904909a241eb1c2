"""A generator and a judge, in turn: the generator's numbers are to look like those around 4."""

import minigrad as torch
from minigrad import nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
judge = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
step_generator = torch.optim.Adam(generator.parameters(), lr=0.01)
step_judge = torch.optim.Adam(judge.parameters(), lr=0.01)
binary = nn.BCEWithLogitsLoss()
yes, no = torch.ones(32, 1), torch.zeros(32, 1)
for _ in range(300):
    real = 4 + 0.5 * torch.randn(32, 1)
    fake = generator(torch.randn(32, 2))
    verdict = judge(fake)

    judge_loss = binary(judge(real), yes) + binary(verdict, no)
    step_judge.zero_grad()
    judge_loss.backward(retain_graph=True)
    step_judge.step()

    generator_loss = binary(verdict, yes)
    step_generator.zero_grad()
    generator_loss.backward()
    step_generator.step()
print(f"the generator's mean: {generator(torch.randn(500, 2)).mean().item():.2f}")

"""Hundred steps of every optimizer, recorded from PyTorch: python tests/goldens/record_optim.py

Each minimises the same bumpy function of four numbers, in double precision. Writes optim.json beside this file: where
the numbers are after some of the steps. Read next: ../test_optim_golden.py.
"""

import json
from pathlib import Path

GOLDENS = Path(__file__).with_name("optim.json")
STEPS = (1, 2, 3, 10, 100)

OPTIMIZERS = {
    "SGD": dict(lr=0.05),
    "SGD momentum": dict(lr=0.02, momentum=0.9),
    "SGD dampening": dict(lr=0.02, momentum=0.9, dampening=0.5),
    "SGD nesterov": dict(lr=0.02, momentum=0.8, nesterov=True),
    "SGD weight decay": dict(lr=0.05, weight_decay=0.1),
    "SGD all": dict(lr=0.02, momentum=0.9, nesterov=True, weight_decay=0.1),
    "SGD maximize": dict(lr=0.001, maximize=True),
    "Adam": dict(lr=0.05),
    "Adam default": dict(),
    "Adam betas": dict(lr=0.05, betas=(0.8, 0.95), eps=1e-4),
    "Adam weight decay": dict(lr=0.05, weight_decay=0.1),
    "Adam amsgrad": dict(lr=0.05, amsgrad=True),
    "AdamW": dict(lr=0.05),
    "AdamW weight decay": dict(lr=0.05, weight_decay=0.3),
    "AdamW maximize": dict(lr=0.001, maximize=True),
    "RMSprop": dict(lr=0.01),
    "RMSprop momentum": dict(lr=0.01, alpha=0.9, momentum=0.5, weight_decay=0.1),
    "RMSprop centered": dict(lr=0.01, centered=True),
    "RMSprop eps": dict(lr=0.01, eps=0.1),
    "Adagrad": dict(lr=0.1),
    "Adagrad decay": dict(lr=0.1, lr_decay=0.01, weight_decay=0.1, eps=1e-6),
    "Adagrad start": dict(lr=0.1, initial_accumulator_value=0.5, eps=0.1),
}
SCHEDULERS = {
    "StepLR": dict(step_size=3, gamma=0.5),
    "ExponentialLR": dict(gamma=0.9),
    "CosineAnnealingLR": dict(T_max=7, eta_min=0.01),
    "CosineAnnealingLR up and down": dict(T_max=2),
}


def path(torch, name: str) -> list[list[float]]:
    """Where the four numbers are after each of STEPS."""
    w = torch.tensor([1.5, -0.7, 0.3, -2.1], dtype=torch.float64, requires_grad=True)
    scale = torch.tensor([1.0, 3.0, 0.2, 1.5], dtype=torch.float64)
    optimizer = getattr(torch.optim, name.split()[0])([w], **OPTIMIZERS[name])
    places = []
    for step in range(1, max(STEPS) + 1):
        optimizer.zero_grad()
        (scale * w**2 + (3 * w).sin()).sum().backward()
        optimizer.step()
        if step in STEPS:
            places.append(w.tolist())
    return places


def rates(torch, name: str) -> list[float]:
    """The learning rate in each of 20 epochs."""
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.8)
    scheduler = getattr(torch.optim.lr_scheduler, name.split()[0])(optimizer, **SCHEDULERS[name])
    seen = []
    for _ in range(20):
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    assert scheduler.get_last_lr() == [optimizer.param_groups[0]["lr"]]
    return seen


if __name__ == "__main__":
    import torch

    recorded = {"paths": {name: path(torch, name) for name in OPTIMIZERS}}
    recorded["rates"] = {name: rates(torch, name) for name in SCHEDULERS}
    GOLDENS.write_text(json.dumps(recorded, indent=0) + "\n")

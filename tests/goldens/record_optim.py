"""Hundred steps of every optimizer, recorded from PyTorch: python tests/goldens/record_optim.py

Each minimises the same bumpy function of the numbers in a vector, and then in a matrix, which some optimizers treat in
another way; in double precision. Writes optim.json beside this file: where the numbers are after some of the steps.
Read next: ../test_optim_golden.py.
"""

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from goldens.telling import answers

GOLDENS = Path(__file__).with_name("optim.json")
STEPS = (1, 2, 3, 10, 100)
VECTOR = [1.5, -0.7, 0.3, -2.1], [1.0, 3.0, 0.2, 1.5]  # where it begins, and how steep each number's valley is
MATRIX = [[1.5, -0.7, 0.3], [-2.1, 0.9, 0.0]], [[1.0, 3.0, 0.2], [1.5, 0.5, 2.0]]

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
    "Adadelta": dict(),
    "Adadelta rho": dict(lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1),
    "Adamax": dict(lr=0.05),
    "Adamax maximize": dict(lr=0.001, maximize=True, weight_decay=0.1),
    "NAdam": dict(lr=0.05),
    "NAdam decoupled": dict(lr=0.05, weight_decay=0.1, momentum_decay=0.1, decoupled_weight_decay=True),
    "RAdam": dict(lr=0.05),
    "RAdam early": dict(lr=0.05, betas=(0.9, 0.9), weight_decay=0.1),
    "Rprop": dict(),
    "Rprop steps": dict(lr=0.1, etas=(0.4, 1.5), step_sizes=(1e-3, 0.2)),
    "ASGD": dict(lr=0.05),
    "ASGD averaging": dict(lr=0.05, lambd=0.01, t0=2, weight_decay=0.1),
    "LBFGS": dict(lr=0.1, max_iter=4),
    "LBFGS short history": dict(lr=0.2, max_iter=3, history_size=2),
    "LBFGS strong_wolfe": dict(max_iter=2, line_search_fn="strong_wolfe"),
}
SCHEDULERS = {
    "StepLR": dict(step_size=3, gamma=0.5),
    "ExponentialLR": dict(gamma=0.9),
    "CosineAnnealingLR": dict(T_max=7, eta_min=0.01),
    "CosineAnnealingLR up and down": dict(T_max=2),
    "MultiStepLR": dict(milestones=[2, 5, 5, 11], gamma=0.5),
    "LambdaLR": dict(lr_lambda=lambda epoch: 0.9**epoch),
    "MultiplicativeLR": dict(lr_lambda=lambda epoch: 1 - epoch / 30),
    "ConstantLR": dict(factor=0.5, total_iters=4),
    "LinearLR": dict(start_factor=0.25, total_iters=6),
    "LinearLR down": dict(start_factor=1.0, end_factor=0.1, total_iters=9),
    "PolynomialLR": dict(total_iters=9, power=2.0),
    "CosineAnnealingWarmRestarts": dict(T_0=3, T_mult=2, eta_min=0.1),
    "OneCycleLR": dict(max_lr=2.0, total_steps=20),
    "OneCycleLR three phases": dict(
        max_lr=2.0, epochs=5, steps_per_epoch=5, three_phase=True, anneal_strategy="linear"
    ),
    "ReduceLROnPlateau": dict(patience=2, factor=0.5, cooldown=1),
    "ReduceLROnPlateau max": dict(mode="max", patience=0, threshold=0.1, threshold_mode="abs", min_lr=0.05),
}
MADE_OF_OTHERS = {  # given the library's schedulers and an optimizer
    "SequentialLR": lambda s, o: s.SequentialLR(
        o, [s.ConstantLR(o, 0.1, 2), s.LinearLR(o, 0.5, total_iters=4), s.ExponentialLR(o, 0.9)], [3, 9]
    ),
    "ChainedScheduler": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 4), s.ExponentialLR(o, 0.9)]),
}
STARTS = (-1, 0, 3)  # what `last_epoch` a scheduler is made with, on an optimizer that has run for so long


def path(torch, name: str, start: tuple = VECTOR) -> list[list[float]]:
    """Where the numbers are after each of STEPS."""
    w = torch.tensor(start[0], dtype=torch.float64, requires_grad=True)
    scale = torch.tensor(start[1], dtype=torch.float64)
    optimizer = getattr(torch.optim, name.split()[0])([w], **OPTIMIZERS[name])
    places = []
    for step in range(1, max(STEPS) + 1):

        def closure():
            optimizer.zero_grad()
            loss = (scale * w**2 + (3 * w).sin()).sum()
            loss.backward()
            return loss

        optimizer.step(closure)
        if step in STEPS:
            places.append(w.flatten().tolist())
    return places


def made(torch, name: str, optimizer, **more):
    """The scheduler of this name."""
    module = torch.optim.lr_scheduler
    if name in MADE_OF_OTHERS:
        return MADE_OF_OTHERS[name](module, optimizer)
    return getattr(module, name.split()[0])(optimizer, **SCHEDULERS[name], **more)


def walk(optimizer, scheduler, epochs: range) -> list[float]:
    """The learning rate in each of these epochs."""
    seen, measured = [], type(scheduler).__name__ == "ReduceLROnPlateau"
    for epoch in epochs:
        seen.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step(*[abs(epoch - 8) / 8] * measured)
    assert scheduler.get_last_lr() == [optimizer.param_groups[0]["lr"]]
    return seen


def rates(torch, name: str) -> list[float]:
    """The learning rate in each of 20 epochs."""
    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.8, momentum=0.5)
    return walk(optimizer, made(torch, name, optimizer), range(20))


def resumed(torch, name: str) -> dict[str, list[float]]:
    """Rates after five epochs: of a scheduler that another one's state was loaded into, and of new ones."""
    out = {}
    for start in ("loaded", *(() if name in MADE_OF_OTHERS or name.startswith("Reduce") else STARTS)):
        optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.8, momentum=0.5)
        scheduler = made(torch, name, optimizer)
        walk(optimizer, scheduler, range(5))
        if start == "loaded":
            other = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1, momentum=0.5)
            new = made(torch, name, other)
            other.load_state_dict(optimizer.state_dict())
            new.load_state_dict(scheduler.state_dict())
            optimizer, scheduler = other, new
        else:
            scheduler = made(torch, name, optimizer, last_epoch=start)
        out[str(start)] = walk(optimizer, scheduler, range(5, 11))
    return out


if __name__ == "__main__":
    import torch

    recorded = {"paths": answers(OPTIMIZERS, lambda name: path(torch, name))}
    recorded["of a matrix"] = answers(OPTIMIZERS, lambda name: path(torch, name, MATRIX))
    recorded["rates"] = {name: rates(torch, name) for name in [*SCHEDULERS, *MADE_OF_OTHERS]}
    recorded["resumed"] = {name: resumed(torch, name) for name in [*SCHEDULERS, *MADE_OF_OTHERS]}
    GOLDENS.write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")

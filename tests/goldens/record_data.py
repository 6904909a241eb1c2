"""Programs with datasets, samplers and loaders, and how to record what PyTorch hands out: python record_data.py

Each is a function of the library under test, and gives lists of numbers. Writes data.json beside this file.
Read next: ../test_data.py.
"""

import json
from pathlib import Path

DATA = Path(__file__).with_name("data.json")
PROGRAMS = {}


def program(function):
    """Enter a program under its name."""
    PROGRAMS[function.__name__] = function
    return function


def plain(thing):
    """Batches as lists of numbers."""
    if hasattr(thing, "tolist"):
        return thing.tolist()
    if isinstance(thing, dict):
        return {str(key): plain(value) for key, value in thing.items()}
    return [plain(part) for part in thing] if isinstance(thing, list | tuple) else thing


def loaders(torch):
    """Every way to say how to load nine examples, by name."""
    data = torch.utils.data
    rows = data.TensorDataset(torch.arange(18.0).reshape(9, 2), torch.arange(9))

    def own():
        return torch.Generator().manual_seed(11)

    weights = torch.arange(9.0)
    return {
        "plain": lambda: data.DataLoader(rows),
        "batches": lambda: data.DataLoader(rows, batch_size=4),
        "shuffled": lambda: data.DataLoader(rows, batch_size=4, shuffle=True),
        "shuffled_whole": lambda: data.DataLoader(rows, batch_size=9, shuffle=True, drop_last=True),
        "drop_last": lambda: data.DataLoader(rows, batch_size=4, shuffle=True, drop_last=True),
        "single": lambda: data.DataLoader(rows, batch_size=None, shuffle=True),
        "own": lambda: data.DataLoader(rows, batch_size=4, shuffle=True, generator=own()),
        "workers": lambda: data.DataLoader(rows, batch_size=2, shuffle=True, num_workers=2),
        "sampler": lambda: data.DataLoader(rows, batch_size=2, sampler=data.SubsetRandomSampler([8, 1, 5])),
        "own_sampler": lambda: data.DataLoader(rows, sampler=data.SubsetRandomSampler([8, 1, 5], generator=own())),
        "weighted": lambda: data.DataLoader(rows, batch_size=5, sampler=data.WeightedRandomSampler(weights, 12)),
        "weighted_once": lambda: data.DataLoader(rows, sampler=data.WeightedRandomSampler(weights, 5, False)),
        "again": lambda: data.DataLoader(rows, batch_size=8, sampler=data.RandomSampler(rows, True, 70)),
        "more": lambda: data.DataLoader(rows, batch_size=8, sampler=data.RandomSampler(rows, num_samples=21)),
        "fewer": lambda: data.DataLoader(rows, batch_size=8, sampler=data.RandomSampler(rows, num_samples=4)),
        "own_again": lambda: data.DataLoader(rows, sampler=data.RandomSampler(rows, True, 5, generator=own())),
        "batch_sampler": lambda: data.DataLoader(
            rows, batch_sampler=data.BatchSampler(data.RandomSampler(rows), 4, False)
        ),
        "lists": lambda: data.DataLoader(rows, batch_sampler=[[3, 1], [0]]),
        "split": lambda: data.DataLoader(data.random_split(rows, [6, 3])[0], batch_size=4, shuffle=True),
        "concatenated": lambda: data.DataLoader(rows + rows, batch_size=7, shuffle=True),
        "stacked": lambda: data.DataLoader(data.StackDataset(a=rows, b=range(9)), batch_size=5, shuffle=True),
        "collated": lambda: data.DataLoader(range(9), batch_size=4, shuffle=True, collate_fn=lambda batch: sum(batch)),
    }


@program
def two_epochs_of_every_loader(torch):
    """And a number drawn after each, which tells whether one too many was drawn."""
    out = {}
    for name, make in loaders(torch).items():
        torch.manual_seed(5)
        loader = make()
        epochs = [[plain(batch) for batch in loader] for _ in range(2)]
        out[name] = [epochs, torch.randint(1000, (1,)).item(), len(loader)]
    return out


@program
def half_an_epoch(torch):
    torch.manual_seed(6)
    loader = torch.utils.data.DataLoader(range(100), batch_size=3, shuffle=True)
    first = next(iter(loader)).tolist()
    epoch = iter(loader)
    return [first, next(epoch).tolist(), torch.rand(1).item(), next(epoch).tolist(), len(epoch)]


@program
def splits(torch):
    torch.manual_seed(7)
    split, out = torch.utils.data.random_split, []
    for parts in ([3, 7], [0.5, 0.5], [0.33, 0.33, 0.34], [0.15, 0.85], [10], [1.0]):
        out.append([[*part] for part in split(range(10), parts)])
        out.append([[*part] for part in split(range(10), parts, generator=torch.Generator().manual_seed(42))])
    return [*out, torch.randint(1000, (1,)).item()]


@program
def workers_that_draw(torch):
    """Each worker has random numbers of its own, and goes on with them."""
    import random

    class Noise(torch.utils.data.Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, i):
            worker = torch.utils.data.get_worker_info()
            return i, worker.id, worker.num_workers, torch.rand(1).item(), random.randrange(1000)

    torch.manual_seed(8)
    loader = torch.utils.data.DataLoader(Noise(), batch_size=2, shuffle=True, num_workers=2)
    out = [plain(batch) for batch in loader]
    return [*out, torch.rand(1).item(), torch.utils.data.get_worker_info()]


@program
def workers_on_a_stream(torch):
    """Each worker goes through all of it, unless it is told which part is its own."""

    class Stream(torch.utils.data.IterableDataset):
        start, end = 3, 10

        def __iter__(self):
            return iter(range(self.start, self.end))

    def divide(number):
        info = torch.utils.data.get_worker_info()
        step = -(-(info.dataset.end - info.dataset.start) // info.num_workers)
        info.dataset.start += number * step
        info.dataset.end = min(info.dataset.start + step, info.dataset.end)

    load = torch.utils.data.DataLoader
    return [
        [plain(batch) for batch in load(Stream(), batch_size=3, **options)]
        for options in (
            {},
            {"drop_last": True},
            {"num_workers": 2},
            {"num_workers": 3, "worker_init_fn": divide},
            {"num_workers": 2, "worker_init_fn": divide, "drop_last": True},
        )
    ]


if __name__ == "__main__":
    import torch

    assert torch.__version__.startswith("2.13")
    lines = ",\n ".join(f'"{name}": {json.dumps(run(torch))}' for name, run in PROGRAMS.items())
    DATA.write_text(f"{{{lines}}}\n", encoding="utf-8")

"""Batches of examples: a Dataset returns each example, a Sampler gives their order, a DataLoader makes the batches.

    from minigrad.utils.data import DataLoader, TensorDataset

For the same seed, the order is PyTorch's. Read next: dataset.py, sampler.py, dataloader.py.
"""

from ..._messages.names import missing as _missing
from .collate import default_collate, default_convert
from .dataloader import DataLoader
from .dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from .worker import get_worker_info

__all__ = ["BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset"]
__all__ += ["RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler"]
__all__ += ["TensorDataset", "WeightedRandomSampler"]
__all__ += ["default_collate", "default_convert", "get_worker_info", "random_split"]

__getattr__ = _missing(__name__)

"""Datasets, samplers and loaders: what they refuse, what forms they keep. Their order is tested in ../test_data.py."""

import collections

import numpy as np
import pytest
from saying import says, warns

Point = collections.namedtuple("Point", "x y")


@pytest.fixture
def data(torch):
    return torch.utils.data


COUNT = "num_samples should be a positive integer value, but got num_samples="
UNKNOWN = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
WRONG = [
    (
        "data.DataLoader(rows, num_workers=-1)",
        "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
    ),
    ("data.DataLoader(rows, timeout=-1)", "timeout option should be non-negative"),
    (
        "data.DataLoader(rows, prefetch_factor=2)",
        "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
        "multiprocessing, otherwise set prefetch_factor to None.",
    ),
    ("data.DataLoader(rows, num_workers=1, prefetch_factor=-2)", "prefetch_factor option should be non-negative"),
    ("data.DataLoader(rows, persistent_workers=True)", "persistent_workers option needs num_workers > 0"),
    (
        "data.DataLoader(rows, multiprocessing_context='fork')",
        "multiprocessing_context can only be used with multi-process loading (num_workers > 0), but got num_workers=0",
    ),
    ("data.DataLoader(rows, shuffle=True, sampler=[0])", "sampler option is mutually exclusive with shuffle"),
    (
        "data.DataLoader(rows, batch_size=2, batch_sampler=[[0]])",
        "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last",
    ),
    (
        "data.DataLoader(rows, batch_size=None, drop_last=True)",
        "batch_size=None option disables auto-batching and is mutually exclusive with drop_last",
    ),
    ("data.DataLoader(rows, batch_size=0)", "batch_size should be a positive integer value, but got batch_size=0"),
    ("data.DataLoader(rows, batch_size=2.0)", "batch_size should be a positive integer value, but got batch_size=2.0"),
    (
        "data.DataLoader(stream, shuffle=True)",
        "DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle=True",
    ),
    (
        "data.DataLoader(stream, sampler=[0])",
        "DataLoader with IterableDataset: expected unspecified sampler option, but got sampler=[0]",
    ),
    (
        "data.DataLoader(stream, batch_sampler=[0])",
        "DataLoader with IterableDataset: expected unspecified batch_sampler option, but got batch_sampler=[0]",
    ),
    (
        "setattr(data.DataLoader(rows), 'batch_size', 3)",
        "batch_size attribute should not be set after DataLoader is initialized",
    ),
    ("data.DataLoader([], shuffle=True)", COUNT + "0"),
    ("data.RandomSampler(rows, num_samples=0)", COUNT + "0"),
    ("data.WeightedRandomSampler([1.0], True)", COUNT + "True"),
    ("data.WeightedRandomSampler([1.0], 2, 1)", "replacement should be a boolean value, but got replacement=1"),
    ("data.WeightedRandomSampler([[1.0]], 2)", "weights should be a 1d sequence but given weights have shape (1, 1)"),
    ("data.BatchSampler(rows, 2, 1)", "drop_last should be a boolean value, but got drop_last=1"),
    ("data.random_split(rows, [3, 3])", "Sum of input lengths does not equal the length of the input dataset!"),
    ("data.random_split(rows, [1.5, -0.5])", "Fraction at index 0 is not between 0 and 1"),
    ("data.ConcatDataset([rows])[-6]", "absolute value of index should not exceed dataset length"),
    ("data.StackDataset()", "At least one dataset should be passed"),
    ("data.StackDataset(rows, [1])", "Size mismatch between datasets"),
    (
        "data.StackDataset(rows, a=rows)",
        "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both types are "
        "given.",
    ),
    (
        TypeError,
        "data.RandomSampler(rows, replacement=1)",
        "replacement should be a boolean value, but got replacement=1",
    ),
    (AssertionError, "data.TensorDataset(torch.ones(2), torch.ones(3))", "Size mismatch between tensors"),
    (AssertionError, "data.ConcatDataset([])", "datasets should not be an empty iterable"),
    (AssertionError, "data.ConcatDataset([stream])", "ConcatDataset does not support IterableDataset"),
    (AssertionError, "[*data.ChainDataset([rows])]", "ChainDataset only supports IterableDataset"),
    (NotImplementedError, "data.Dataset()[0]", "Subclasses of Dataset should implement __getitem__."),
    (IndexError, "data.ConcatDataset([rows])[5]", "list index out of range"),
    (TypeError, "len(data.DataLoader(stream))", "object of type 'Stream' has no len()"),
    (TypeError, "[*data.DataLoader([{1}])]", UNKNOWN + "<class 'set'>"),
    (TypeError, "[*data.DataLoader([np.array(['a'])])]", UNKNOWN + "<U1"),
    (
        RuntimeError,
        "[*data.DataLoader([[1], [1, 2]], batch_size=2)]",
        "each element in list of batch should be of equal size",
    ),
    (
        RuntimeError,
        "[*data.DataLoader([torch.ones(2), torch.ones(3)], batch_size=2)]",
        "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1",
    ),
]
WRONG = [(ValueError, *case) if len(case) == 2 else case for case in WRONG]


@pytest.mark.parametrize("kind, wrong, text", WRONG, ids=[wrong for _, wrong, _ in WRONG])
def test_what_is_wrong_is_said_as_in_pytorch(torch, data, kind, wrong, text):
    class Stream(data.IterableDataset):
        def __iter__(self):
            return iter(range(4))

    with says(kind, text):
        eval(wrong, {"torch": torch, "data": data, "rows": [0, 1, 2, 3, 4], "stream": Stream(), "np": np})


def test_a_subset_that_overrides_half_is_refused(data):
    class Half(data.Subset):
        def __getitem__(self, i):
            return 0

    with pytest.raises(NotImplementedError, match="overrides __getitem__ but not __getitems__"):
        Half([1], [0])


EXAMPLES = [
    "[1, 2]",
    "[0.5, 1]",
    "[True, False]",
    "['a', 'b']",
    "[b'a', b'b']",
    "[(1, 0.5), (2, 1.5)]",
    "[[1, 'a'], [2, 'b']]",
    "[Point(1, 2.0), Point(3, 4.0)]",
    "[{'a': 1, 'b': (2, 3)}, {'a': 4, 'b': (5, 6)}]",
    "[collections.OrderedDict(a=1), collections.OrderedDict(a=2)]",
    "[np.ones(2), np.zeros(2)]",
    "[np.float32(1), np.float32(2)]",
    "[np.int64(1), np.int64(2)]",
    "[np.ones((), 'int16'), np.ones((), 'int16')]",
    "[torch.ones(2), torch.zeros(2)]",
    "[(torch.ones(1), [1, {'x': 0.5}]), (torch.zeros(1), [2, {'x': 1.5}])]",
    "[collections.UserList([1, 2]), collections.UserList([3, 4])]",
    "[range(2), range(2)]",
]
COLLATED = [
    "tensor([1, 2])",
    "tensor([0.5000, 1.0000], dtype=torch.float64)",
    "tensor([ True, False])",
    "['a', 'b']",
    "[b'a', b'b']",
    "[tensor([1, 2]), tensor([0.5000, 1.5000], dtype=torch.float64)]",
    "[tensor([1, 2]), ('a', 'b')]",
    "Point(x=tensor([1, 3]), y=tensor([2., 4.], dtype=torch.float64))",
    "{'a': tensor([1, 4]), 'b': [tensor([2, 5]), tensor([3, 6])]}",
    "OrderedDict([('a', tensor([1, 2]))])",
    "tensor([[1., 1.], [0., 0.]], dtype=torch.float64)",
    "tensor([1., 2.])",
    "tensor([1, 2])",
    "tensor([1, 1], dtype=torch.int16)",
    "tensor([[1., 1.], [0., 0.]])",
    "[tensor([[1.], [0.]]), [tensor([1, 2]), {'x': tensor([0.5000, 1.5000], dtype=torch.float64)}]]",
    "[tensor([1, 3]), tensor([2, 4])]",
    "[tensor([0, 0]), tensor([1, 1])]",
]


@pytest.mark.parametrize("examples, batch", [*zip(EXAMPLES, COLLATED, strict=True)])
def test_a_batch_keeps_the_form_of_its_examples(torch, data, examples, batch):
    examples = eval(examples, {"torch": torch, "np": np, "Point": Point, "collections": collections})
    printed = repr(data.default_collate(examples))
    assert (
        " ".join(printed.split()).replace("OrderedDict({'a': tensor([1, 2])})", "OrderedDict([('a', tensor([1, 2]))])")
        == batch
    )


def test_single_examples_are_converted_and_no_more(torch, data):
    rows = [{"x": np.ones(2), "y": (1, "a", np.float32(2)), "z": np.array(["s"])}]
    (batch,) = data.DataLoader(rows, batch_size=None)
    assert batch["x"].tolist() == [1, 1] and batch["y"][:2] == [1, "a"] and batch["y"][2].dtype is torch.float32
    assert isinstance(batch["z"], np.ndarray)


def test_a_batch_of_numpy_arrays_is_new_memory_and_a_single_one_is_not(torch, data):
    array = np.zeros(2)
    (batch,), (single,) = data.DataLoader([array]), data.DataLoader([array], batch_size=None)
    array += 1
    assert batch.tolist() == [[0, 0]] and single.tolist() == [1, 1]


def test_datasets_have_types_lengths_and_sums(torch, data):
    class Ints(data.Dataset[int]):
        def __len__(self):
            return 2

        def __getitem__(self, i):
            return i

    class Stream(data.IterableDataset):
        def __iter__(self):
            return iter("ab")

        def __len__(self):
            return 2

    both, chain = Ints() + Ints(), Stream() + Stream()
    assert type(both) is data.ConcatDataset and [both[i] for i in range(-4, 4)] == [0, 1, 0, 1] * 2
    assert type(chain) is data.ChainDataset and [*chain] == [*"abab"] and len(chain) == 4
    assert (
        len(data.DataLoader(both, batch_size=3)) == 2 and len(data.DataLoader(both, batch_size=3, drop_last=True)) == 1
    )
    assert data.Subset(both, [3, 0])[1] == 0 and len(data.Subset(both, [3])) == 1
    assert issubclass(data.RandomSampler, data.Sampler) and data.Sampler[int]


def test_several_examples_are_asked_for_at_once_where_there_is_a_way(data):
    asked = []

    class AtOnce(data.Dataset):
        def __len__(self):
            return 4

        def __getitem__(self, i):
            raise AssertionError

        def __getitems__(self, indices):
            asked.append(indices)
            return indices

    assert [batch.tolist() for batch in data.DataLoader(data.Subset(AtOnce(), [3, 1, 2]), batch_size=2)] == [
        [3, 1],
        [2],
    ]
    assert asked == [[3, 1], [2]]


def test_a_stream_longer_than_it_said_is_warned_of(data):
    class Stream(data.IterableDataset):
        def __iter__(self):
            return iter(range(3))

        def __len__(self):
            return 2

        def __repr__(self):
            return "<Stream>"

    loader = data.DataLoader(Stream(), batch_size=None)
    with warns():
        assert len([*loader]) == 3  # nobody has asked how long it is
    assert len(loader) == 2
    text = "Length of IterableDataset {} was reported to be 2(when accessing len(dataloader)), but 3 "
    text += "samples have been fetched. "
    with warns(text.format("<Stream>")):
        assert len([*loader]) == 3


def test_an_empty_split_is_warned_of(data):
    with warns("Length of split at index 1 is 0. This might result in an empty dataset."):
        data.random_split([1], [0.5, 0.5])


def test_memory_is_never_pinned_without_a_gpu(torch, data):
    loader = data.DataLoader([1], pin_memory=True)
    if not torch.cuda.is_available():
        with warns(
            "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used."
        ):
            assert len([*loader]) == 1

"""Wrong calls of nn and optim, and odd ones, as programs (nn_programs.py): each gets PyTorch's error or warning.

Importing this file adds them to `PROGRAMS`. Read next: goldens/record_nn.py.
"""

from __future__ import annotations

from typing import Any

from nn_programs import program


def weight(torch: Any) -> Any:
    return torch.nn.Parameter(torch.ones(2))


WRONG = {
    "Linear sizes": lambda t: t.nn.Linear(3, 4)(t.zeros(2, 5)),
    "Linear sizes of more axes": lambda t: t.nn.Linear(3, 4)(t.zeros(2, 5, 5)),
    "Linear types": lambda t: t.nn.Linear(3, 4)(t.zeros(2, 3, dtype=t.float64)),
    "Linear integers": lambda t: t.nn.Linear(3, 4)(t.zeros(2, 3, dtype=t.int64)),
    "Linear scalar": lambda t: t.nn.Linear(3, 4)(t.tensor(1.0)),
    "Linear of a number": lambda t: t.nn.Linear(3, 4)(3),
    "RNN input size": lambda t: t.nn.RNN(1, 4)(t.zeros(5, 1, 2)),
    "RNN hidden size": lambda t: t.nn.RNN(1, 4)(t.zeros(5, 1, 1), t.zeros(1, 2, 4)),
    "RNN axes": lambda t: t.nn.RNN(1, 4)(t.zeros(1)),
    "RNN types": lambda t: t.nn.RNN(1, 4)(t.zeros(5, 1, 1, dtype=t.float64)),
    "RNN hidden axes": lambda t: t.nn.RNN(1, 4)(t.zeros(5, 1), t.zeros(1, 1, 4)),
    "RNN hidden axes of a batch": lambda t: t.nn.RNN(1, 4)(t.zeros(5, 1, 1), t.zeros(1, 4)),
    "RNN no steps": lambda t: t.nn.RNN(1, 4)(t.zeros(0, 1, 1)),
    "RNN nonlinearity": lambda t: t.nn.RNN(1, 4, nonlinearity="x"),
    "RNN dropout of one layer": lambda t: repr(t.nn.RNN(1, 4, dropout=0.3)),
    "RNN size type": lambda t: t.nn.RNN(1.5, 4),
    "RNN no layers": lambda t: t.nn.RNN(1, 4, 0),
    "RNN dropout above 1": lambda t: t.nn.RNN(1, 4, 2, dropout=1.5),
    "LSTM axes": lambda t: t.nn.LSTM(1, 4)(t.zeros(1)),
    "LSTM hidden size": lambda t: t.nn.LSTM(1, 4)(t.zeros(5, 1, 1), (t.zeros(1, 2, 4), t.zeros(1, 1, 4))),
    "LSTM cell size": lambda t: t.nn.LSTM(1, 4)(t.zeros(5, 1, 1), (t.zeros(1, 1, 4), t.zeros(1, 2, 4))),
    "LSTM hidden axes": lambda t: t.nn.LSTM(1, 4)(t.zeros(5, 1, 1), (t.zeros(1, 4), t.zeros(1, 4))),
    "RNNCell input size": lambda t: t.nn.RNNCell(3, 4)(t.zeros(2, 5)),
    "RNNCell batch": lambda t: t.nn.RNNCell(3, 4)(t.zeros(2, 3), t.zeros(3, 4)),
    "RNNCell hidden size": lambda t: t.nn.RNNCell(3, 4)(t.zeros(2, 3), t.zeros(2, 5)),
    "RNNCell axes": lambda t: t.nn.RNNCell(3, 4)(t.zeros(2, 2, 3)),
    "packing unsorted": lambda t: t.nn.utils.rnn.pack_padded_sequence(t.zeros(3, 2), [1, 2]),
    "packing an empty one": lambda t: t.nn.utils.rnn.pack_padded_sequence(t.zeros(3, 2), [1, 0]),
    "packing too many": lambda t: t.nn.utils.rnn.pack_padded_sequence(t.zeros(3, 2), [3, 2, 1]),
    "padding too short": lambda t: t.nn.utils.rnn.pad_packed_sequence(
        t.nn.utils.rnn.pack_sequence([t.ones(3)]), total_length=2
    ),
    "MSELoss sizes": lambda t: t.nn.MSELoss()(t.zeros(3), t.zeros(3, 1)),
    "MSELoss sizes that do not broadcast": lambda t: t.nn.MSELoss()(t.zeros(3), t.zeros(2)),
    "L1Loss sizes": lambda t: t.nn.L1Loss()(t.zeros(3), t.zeros(3, 1)),
    "MSELoss reduction": lambda t: t.nn.MSELoss(reduction="x")(t.zeros(3), t.zeros(3)),
    "MSELoss number": lambda t: t.nn.MSELoss()(t.zeros(3), 3),
    "MSELoss types": lambda t: t.nn.MSELoss()(t.zeros(3), t.zeros(3, dtype=t.float64)),
    "CrossEntropyLoss class": lambda t: t.nn.CrossEntropyLoss()(t.zeros(2, 3), t.tensor([0, 3])),
    "CrossEntropyLoss negative": lambda t: t.nn.CrossEntropyLoss()(t.zeros(2, 3), t.tensor([0, -1])),
    "CrossEntropyLoss batch": lambda t: t.nn.CrossEntropyLoss()(t.zeros(2, 3), t.tensor([0])),
    "CrossEntropyLoss floats": lambda t: t.nn.CrossEntropyLoss()(t.zeros(2, 3), t.tensor([0.0, 1.0])),
    "CrossEntropyLoss all ignored": lambda t: t.nn.CrossEntropyLoss()(t.zeros(2, 3), t.tensor([-100, -100])),
    "CrossEntropyLoss weights": lambda t: t.nn.CrossEntropyLoss(weight=t.ones(2))(t.zeros(2, 3), t.tensor([0, 1])),
    "BCELoss sizes": lambda t: t.nn.BCELoss()(t.zeros(2, 3), t.zeros(2)),
    "BCELoss range": lambda t: t.nn.BCELoss()(t.zeros(2) + 2, t.zeros(2)),
    "BCELoss at the border": lambda t: t.nn.BCELoss()(t.zeros(2), t.ones(2)),
    "BCELoss types": lambda t: t.nn.BCELoss()(t.zeros(2), t.ones(2, dtype=t.int64)),
    "BCEWithLogitsLoss sizes": lambda t: t.nn.BCEWithLogitsLoss()(t.zeros(2, 3), t.zeros(2)),
    "BCEWithLogitsLoss far out": lambda t: t.nn.BCEWithLogitsLoss()(t.tensor([1e4, -1e4]), t.tensor([0.0, 1.0])),
    "Embedding index": lambda t: t.nn.Embedding(3, 2)(t.tensor([3])),
    "Embedding floats": lambda t: t.nn.Embedding(3, 2)(t.tensor([1.0])),
    "Embedding padding_idx": lambda t: t.nn.Embedding(3, 2, padding_idx=5),
    "Dropout p": lambda t: t.nn.Dropout(1.5),
    "BatchNorm1d size": lambda t: t.nn.BatchNorm1d(3)(t.zeros(2, 4)),
    "BatchNorm1d one value": lambda t: t.nn.BatchNorm1d(3)(t.zeros(1, 3)),
    "BatchNorm1d axes": lambda t: t.nn.BatchNorm1d(3)(t.zeros(3)),
    "BatchNorm2d axes": lambda t: t.nn.BatchNorm2d(3)(t.zeros(3)),
    "LayerNorm size": lambda t: t.nn.LayerNorm(3)(t.zeros(2, 4)),
    "Conv2d channels": lambda t: t.nn.Conv2d(1, 2, 3)(t.zeros(1, 2, 5, 5)),
    "Conv2d axes": lambda t: t.nn.Conv2d(1, 2, 3)(t.zeros(5, 5)),
    "Conv2d too small": lambda t: t.nn.Conv2d(1, 2, 3)(t.zeros(1, 1, 2, 2)),
    "Conv2d types": lambda t: t.nn.Conv2d(1, 2, 3)(t.zeros(1, 1, 5, 5, dtype=t.float64)),
    "Conv2d in groups": lambda t: t.nn.Conv2d(3, 2, 3, groups=2),
    "Conv2d out groups": lambda t: t.nn.Conv2d(2, 3, 3, groups=2),
    "Conv2d same with stride": lambda t: t.nn.Conv2d(2, 3, 3, padding="same", stride=2),
    "MaxPool2d axes": lambda t: t.nn.MaxPool2d(2)(t.zeros(4)),
    "MaxPool2d too small": lambda t: t.nn.MaxPool2d(2)(t.zeros(1, 1, 1, 1)),
    "MaxPool2d padding": lambda t: t.nn.MaxPool2d(2, padding=2)(t.zeros(1, 1, 4, 4)),
    "one_hot negative": lambda t: t.nn.functional.one_hot(t.tensor([-1])),
    "one_hot too few": lambda t: t.nn.functional.one_hot(t.tensor([3]), 2),
    "one_hot floats": lambda t: t.nn.functional.one_hot(t.tensor([3.0])),
    "softmax without dim": lambda t: t.nn.functional.softmax(t.zeros(2, 2)),
    "gelu approximate": lambda t: t.nn.functional.gelu(t.zeros(2), approximate="x"),
    "pad too much": lambda t: t.nn.functional.pad(t.zeros(2), (1, 1, 1, 1)),
    "pad odd": lambda t: t.nn.functional.pad(t.zeros(2), (1,)),
    "pad mode": lambda t: t.nn.functional.pad(t.zeros(1, 1, 2), (1, 1), mode="x"),
    "init of a vector": lambda t: t.nn.init.xavier_uniform_(t.zeros(3)),
    "init mode": lambda t: t.nn.init.kaiming_normal_(t.zeros(3, 3), mode="x"),
}
for name, call in WRONG.items():
    program(f"wrong {name}", call)

WRONG_OPTIMIZERS = {
    "a tensor": lambda t: t.optim.SGD(weight(t), lr=0.1),
    "a number": lambda t: t.optim.SGD([3], lr=0.1),
    "a non-leaf": lambda t: t.optim.SGD([weight(t) * 2], lr=0.1),
    "twice": lambda t, w=weight: (lambda p: repr(t.optim.SGD([p, p], lr=0.1)))(w(t)),
    "in two groups": lambda t, w=weight: (lambda p: t.optim.SGD([{"params": p}, {"params": [p]}], lr=0.1))(w(t)),
    "no group": lambda t: t.optim.SGD([weight(t)]).add_param_group(3),
    "a set": lambda t: t.optim.SGD([{"params": {weight(t)}}]),
    "nesterov": lambda t: t.optim.SGD([weight(t)], nesterov=True),
    "momentum": lambda t: t.optim.SGD([weight(t)], momentum=-1),
    "betas": lambda t: t.optim.Adam([weight(t)], betas=(0.9, 1.0)),
    "eps": lambda t: t.optim.Adam([weight(t)], eps=-1),
    "alpha": lambda t: t.optim.RMSprop([weight(t)], alpha=-1),
    "lr_decay": lambda t: t.optim.Adagrad([weight(t)], lr_decay=-1),
    "groups": lambda t: t.optim.SGD([weight(t)]).load_state_dict({"state": {}, "param_groups": []}),
    "group sizes": lambda t: t.optim.SGD([weight(t)]).load_state_dict(
        {"state": {}, "param_groups": [{"params": [0, 1]}]}
    ),
    "a scheduler of no optimizer": lambda t: t.optim.lr_scheduler.StepLR(3, 3),
    "a scheduler's early step": lambda t: t.optim.lr_scheduler.StepLR(t.optim.SGD([weight(t)]), 3).step(),
    "a scheduler resumed from nothing": lambda t: t.optim.lr_scheduler.StepLR(
        t.optim.SGD([weight(t)]), 3, last_epoch=2
    ),
}
for name, call in WRONG_OPTIMIZERS.items():
    program(f"optimize {name}", call)

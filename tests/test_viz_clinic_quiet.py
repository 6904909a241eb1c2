"""The clinic cries no wolf: right programs and lessons hear nothing from it."""

from pathlib import Path

import pytest
from goldens.record_seeds import PROGRAMS, run
from lessons import Lesson

import viz
from viz.errors.clinic import Clinic

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
WANTED = {
    "03_why_is_my_grad_none": {"not a leaf"},  # of the cell to be mended, which stops
    "05_two_layers": {"zero_grad"},  # of the loop that forgets it, over which the reader draws a curve
    "10_error_clinic": {"spread", "zero_grad"},  # of five silent faults, those that it can be sure of
}
LIBRARIES = ["minigrad", pytest.param("torch", marks=pytest.mark.torch)]


@pytest.fixture
def told(monkeypatch):
    """The kinds of faults that it has told of, without being asked."""
    kinds = []
    monkeypatch.setattr(Clinic, "_tell", lambda self, inquiry, *_: kinds.append((inquiry.case.name, inquiry.met)))
    yield kinds
    viz.clinic.off()


@pytest.mark.parametrize("framework", LIBRARIES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_seeds_hear_nothing(program, framework, told):
    pytest.importorskip(framework)
    with viz.clinic():
        run(program, framework)
    assert told == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_lessons_hear_nothing(path, told):
    with Lesson(path).open() as lesson:
        lesson._shell.run_cell("import minigrad, viz\nviz.clinic()")
        lesson.run_all()
    assert {kind for kind, _ in told} == WANTED.get(path.stem, set())


RIGHT = {  # programs that come near one of the faults that raise nothing, and are right
    "gradients of several batches are added up before a step": """
for _ in range(3):
    optimizer.zero_grad()
    for _ in range(2):
        net(x).pow(2).mean().backward()
    optimizer.step()
""",
    "zeros in place": """
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    net(x).pow(2).mean().backward()
    optimizer.step()
""",
    "zeros through .data": """
for _ in range(3):
    net(x).pow(2).mean().backward()
    optimizer.step()
    for p in net.parameters():
        p.grad.data.zero_()
""",
    "gradients that are written by hand": """
for _ in range(3):
    grads = torch.autograd.grad(net(x).pow(2).mean(), list(net.parameters()))
    for p, grad in zip(net.parameters(), grads):
        p.grad = grad if p.grad is None else p.grad.copy_(grad)
    optimizer.step()
""",
    "a gradient that is zero": """
for _ in range(3):
    (0 * net(x)).mean().backward()
    optimizer.step()
""",
    "a game of two nets": """
other = nn.Linear(1, 1)
others = torch.optim.SGD(other.parameters(), lr=0.1)
for _ in range(3):
    others.zero_grad()
    other(net(x).detach()).mean().backward()
    others.step()
    optimizer.zero_grad()
    other(net(x)).mean().backward()
    optimizer.step()
""",
    "steps before there are gradients, to look at a schedule": """
for _ in range(3):
    optimizer.step()
""",
    "a step of one optimizer, while another one's tensors have gradients": """
other = nn.Linear(1, 1)
others = torch.optim.SGD(other.parameters(), lr=0.1)
other(torch.ones(1)).backward()
optimizer.step()
""",
    "a last step for the rest of the gradients, when there are none": """
for _ in range(3):
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
optimizer.step()
""",
    "a temperature that is not learnt, with a gradient of 1": """
offset = torch.tensor(0.5, requires_grad=True)
for _ in range(3):
    optimizer.zero_grad()
    (net(x).mean() + offset).backward()
    optimizer.step()
""",
    "a softmax whose logarithm is taken by hand": """
wide = nn.Linear(2, 3)
optimizer = torch.optim.SGD(wide.parameters(), lr=0.1)
loss = -torch.log(torch.softmax(wide(x), 1)[:, 0]).mean()
loss.backward()
optimizer.step()
""",
    "a head that is trained while its body is not frozen": """
body = nn.Linear(2, 2)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.tanh(body(x))).pow(2).mean().backward()
    optimizer.step()
""",
    "parts of one model in two optimizers, one of which begins later": """
model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
first = torch.optim.SGD(model[0].parameters(), lr=0.1)
later = torch.optim.SGD(model[2].parameters(), lr=0.1)
for i in range(4):
    loss = model(x).pow(2).mean()
    model.zero_grad()
    loss.backward()
    first.step()
    if i > 1:
        later.step()
""",
    "a part that this loss does not use": """
parts = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)})
optimizer = torch.optim.SGD(parts.parameters(), lr=0.1)
parts["a"](x).pow(2).mean().backward()
optimizer.step()
""",
    "all pairs, laid out": """
points = torch.ones(4)
scale = torch.ones(1, requires_grad=True)
loss = ((scale * points)[:, None] - points).pow(2).mean() + net(x).mean()
loss.backward()
optimizer.step()
""",
    "predictions for a row of targets that was asked for": """
target = torch.ones(1, 4)
loss = (net(x) - target).pow(2).mean()
loss.backward()
optimizer.step()
""",
    "an input whose gradient is wanted, and layers that are frozen": """
x.requires_grad_()
for p in net.parameters():
    p.requires_grad_(False)
net(x).sum().backward()
optimizer.step()
""",
    "a loss of the right shape, beside a flat tensor of that size": """
flat = torch.ones(4)
loss = (net(x) - flat.unsqueeze(1)).pow(2).mean()
loss.backward()
optimizer.step()
""",
}


def train(library, program):
    """Run a few lines of training with the clinic switched on."""
    torch = pytest.importorskip(library)
    names = {"torch": torch, "nn": torch.nn, "__name__": "program"}
    start = "x = torch.ones(4, 2)\nnet = nn.Linear(2, 1)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    with viz.clinic():
        exec(compile(start + program, "program.py", "exec"), names)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", RIGHT)
def test_what_only_looks_like_a_fault_hears_nothing(name, library, told):
    train(library, RIGHT[name])
    assert told == []


WRONG = {  # the kind of fault, and a program that has it
    "cleared": """
older = nn.Linear(1, 1)
older(torch.ones(1)).backward()
for _ in range(3):
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
""",
    "wrapped loss": """
for _ in range(3):
    optimizer.zero_grad()
    loss = torch.tensor(net(x).pow(2).mean().item(), requires_grad=True)
    loss.backward()
    optimizer.step()
""",
    "twice normalised": """
loss = nn.BCEWithLogitsLoss()(torch.sigmoid(net(x)), torch.ones(4, 1))
loss.backward()
optimizer.step()
""",
    "nan gradient": """
for _ in range(3):
    optimizer.zero_grad()
    (0 * net(x)).sum().sqrt().backward()
    optimizer.step()
""",
    "old part": """
model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model[2] = nn.Linear(2, 1)
model(x).pow(2).mean().backward()
optimizer.step()
""",
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_a_fault_hears_its_name_once(name, library, told):
    train(library, WRONG[name])
    assert {kind for kind, _ in told} == {name}


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_optimizer_is_watched_for_a_few_steps_only(library, told):
    torch = pytest.importorskip(library)
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    with viz.clinic():
        for step in range(9):
            if step < 6:
                optimizer.zero_grad()
            (w * w).sum().backward()
            optimizer.step()
        assert not viz.clinic._watch.summed
    assert told == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_error_of_its_own_stops_no_program(library, monkeypatch, capsys):
    torch = pytest.importorskip(library)
    monkeypatch.setattr("viz.errors.watch.spread_loss", lambda frame: 1 / 0)
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    with viz.clinic():
        for _ in range(2):
            (w * w).sum().backward()
            optimizer.step()
    said = capsys.readouterr().err
    assert said == "The error clinic itself failed. ZeroDivisionError: division by zero\n"

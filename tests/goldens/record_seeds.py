"""The programs in tests/seeds, how to run one, and how to record what it prints on PyTorch: python record_seeds.py

A program is written for minigrad. Its text with other import lines is the same program for PyTorch. Writes seeds.json
beside this file: for each program what it printed and warned of, and for each draw of parameters a few of its numbers.
Read next: ../test_seeds.py.
"""

import contextlib
import io
import json
import re
import warnings
from pathlib import Path

GOLDENS = Path(__file__).with_name("seeds.json")
PROGRAMS = sorted(path.stem for path in (GOLDENS.parent.parent / "seeds").glob("*.py") if path.stem != "conftest")
IMPORTS = re.compile(r"^(import|from) minigrad( as torch|)(?=[. \n])", flags=re.MULTILINE)


def source(program: str, framework: str) -> str:
    """The program's text, with import lines for `framework`."""
    text = (GOLDENS.parent.parent / "seeds" / f"{program}.py").read_text(encoding="utf-8")
    return text if framework == "minigrad" else IMPORTS.sub(rf"\1 {framework}", text)


def run(program: str, framework: str) -> dict[str, list[str]]:
    """What the program prints, line by line, and the texts of its warnings."""
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("Agg")  # draws without a screen
    pyplot.close("all")  # as in a process of its own: a figure of another program would be warned of
    code = compile(source(program, framework), f"seeds/{program}.py", "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        exec(code, {"__name__": "__main__"})
    texts = [re.sub(r" \(Triggered internally at .*", "", str(w.message), flags=re.DOTALL) for w in warned]
    lines = re.sub(r"0x[0-9a-f]+", "ADDRESS", printed.getvalue()).splitlines()
    return {"printed": lines, "warned": texts}


def drawn(torch) -> dict[str, list[float]]:
    """A few numbers of every parameter that the programs draw, before any training."""
    nn = torch.nn
    torch.manual_seed(1)
    recurrent, out = nn.RNN(1, 32, 1, batch_first=True), nn.Linear(32, 1)
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.5), nn.Linear(6, 2))
    inputs, dropped = torch.randn(5, 4), nn.Dropout(0.5)(torch.ones(20))
    torch.manual_seed(0)
    two_layer = [torch.randn(*shape) for shape in ((64, 1000), (64, 10), (1000, 100), (100, 10))]
    tensors = {"calls x": inputs, "calls dropout": dropped, "calls embedding": nn.Embedding(10, 3).weight}
    tensors |= {f"two_layer {name}": tensor for name, tensor in zip(("x", "y", "w1", "w2"), two_layer, strict=True)}
    for name, module in (("dynamic_rnn rnn", recurrent), ("dynamic_rnn out", out), ("calls", model)):
        tensors |= {f"{name}.{key}": parameter for key, parameter in module.named_parameters()}
    return {name: few(tensor.detach().double()) for name, tensor in tensors.items()}


def few(tensor) -> list[float]:
    """The first and last three numbers, the sum and the sum of squares."""
    flat = tensor.reshape(-1)
    return [*flat[:3].tolist(), *flat[-3:].tolist(), flat.sum().item(), (flat * flat).sum().item()]


if __name__ == "__main__":
    import torch

    recorded = {"programs": {name: run(name, "torch") for name in PROGRAMS}, "drawn": drawn(torch)}
    GOLDENS.write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")
    print(f"{len(PROGRAMS)} programs, {GOLDENS.stat().st_size // 1000} kB")

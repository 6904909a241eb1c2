"""Run every call of the three files op_cases*.py, and record what PyTorch saves and where bad numbers spread.

python tests/goldens/record_gradients.py writes gradients.json beside this file. For each case: where a nan, or an
infinity, at one place of the gradient that arrives ends up in the inputs' gradients; what forward packs under
`saved_tensors_hooks`, in its order; and what a pass under create_graph packs. Read next: ../test_gradients_golden.py.
"""

import json
import re
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from goldens.record_ops import uneven
from goldens.telling import answers

GOLDENS = Path(__file__).with_name("gradients.json")
ARRIVING = [(bad, place) for bad in (np.nan, np.inf) for place in (0, -1)]


def attempt(torch, case) -> list:
    """[where bad numbers end up, what forward packs, what backward packs], each a text, or "error"."""
    out = []
    for question in (spread, packed, packed_by_backward):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                out.append(question(torch, case))
        except (RuntimeError, TypeError, ValueError, IndexError):
            out.append("error")
    return out


def tensors_of(torch, case) -> list:
    return [torch.tensor(array, requires_grad=array.dtype.kind == "f") for array in case.inputs]


def spread(torch, case) -> str:
    """For each of ARRIVING, for each input: a sign for each element of its gradient: n, + or - for nan and ±inf."""
    passes = []
    for bad, place in ARRIVING:
        tensors = tensors_of(torch, case)
        result = case.function(torch, *tensors)
        roots = [t for t in (result if isinstance(result, (tuple, list)) else [result]) if t.requires_grad]
        inputs = [t for t in tensors if t.requires_grad]
        if not roots or not inputs:
            return ""
        starts = [uneven(root) for root in roots]
        if starts[0].size:
            starts[0].reshape(-1)[place] = bad
        starts = [torch.tensor(start, dtype=root.dtype) for start, root in zip(starts, roots, strict=True)]
        passes.append("|".join(map(signs, torch.autograd.grad(roots, inputs, starts, allow_unused=True))))
    return " ".join(passes)


def signs(grad) -> str:
    if grad is None:
        return "None"
    numbers = grad.detach().numpy(force=True).reshape(-1).astype(float)
    return "".join("n" if n != n else "+" if n == np.inf else "-" if n == -np.inf else "." for n in numbers)


def packed(torch, case) -> str:
    """Of each packed tensor: which input it is, or who made it; its size, and its type where that is not float32."""
    tensors = tensors_of(torch, case)
    with packing(torch, tensors) as seen:
        case.function(torch, *tensors)
    return " ".join(seen)


def packed_by_backward(torch, case) -> str:
    """The same of a pass under create_graph, but not who made it: there nodes may have names of their own."""
    tensors = tensors_of(torch, case)
    result = case.function(torch, *tensors)
    roots = [t for t in (result if isinstance(result, (tuple, list)) else [result]) if t.requires_grad]
    inputs = [t for t in tensors if t.requires_grad]
    if not roots or not inputs:
        return ""
    with packing(torch, tensors) as seen:
        torch.autograd.grad(
            roots, inputs, [torch.ones_like(root) for root in roots], allow_unused=True, create_graph=True
        )
    return " ".join(re.sub(r"^\w+Backward\d*\[", "made[", each) for each in seen)


@contextmanager
def packing(torch, tensors):
    """What is packed inside, each as a text."""
    seen: list[str] = []

    def pack(tensor):
        given = next((f"input{i}" for i, t in enumerate(tensors) if t is tensor), None)
        maker = tensor.grad_fn and tensor.grad_fn.name().removeprefix("torch::autograd::")
        size, kind = "x".join(map(str, tensor.shape)), str(tensor.dtype).removeprefix("torch.")
        seen.append(given or f"{maker or 'constant'}[{size}]{'' if kind == 'float32' else kind}")
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield seen


if __name__ == "__main__":
    import op_cases_of_samples  # noqa: F401  (it adds its cases to those of op_cases)
    import torch
    from op_cases import CASES

    torch.set_num_threads(1)
    recorded = answers(CASES, lambda name: attempt(torch, CASES[name]))
    lines = [f"{json.dumps(name)}:{json.dumps(result, separators=(',', ':'))}" for name, result in recorded.items()]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(recorded)} cases, {GOLDENS.stat().st_size // 1000} kB")

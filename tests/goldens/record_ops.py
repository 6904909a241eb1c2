"""Run every call of op_cases.py, op_cases_nn.py and op_cases_of_samples.py, and record what PyTorch gives.

Run it by `python tests/goldens/record_ops.py`.

Writes ops.json beside this file. For each case: dtype, shape, numbers and grad_fn of each output, and each input's
gradient; the gradient at the outputs is no constant, so that a transposed or reversed slope shows. Of what PyTorch
refuses, the error and the first line of its text.
Read next: ../test_ops_golden.py.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
from goldens.telling import answers

GOLDENS = Path(__file__).with_name("ops.json")


def attempt(torch, case) -> dict:
    """What a case gives, or {"error": [type, text]}."""
    try:
        return run(torch, case)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        return {"error": [type(error).__name__, str(error).partition("\n")[0]]}


def run(torch, case) -> dict:
    """What a case gives: {"out": [[dtype, shape, numbers, grad_fn], …], "grad": [numbers or None, …]}."""
    tensors = [torch.tensor(array, requires_grad=array.dtype.kind == "f") for array in case.inputs]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # only errors and results are compared here
        result = case.function(torch, *tensors)
    outputs = list(result) if isinstance(result, (tuple, list)) else [result]
    roots = [output for output in outputs if output.requires_grad]
    inputs = [tensor for tensor in tensors if tensor.requires_grad]
    grads = iter(())
    if roots and inputs:
        starts = [torch.tensor(uneven(root), dtype=root.dtype) for root in roots]
        grads = iter(torch.autograd.grad(roots, inputs, starts, allow_unused=True))
    gradients = [next(grads, None) if tensor.requires_grad else None for tensor in tensors]
    for tensor, gradient in zip(tensors, gradients, strict=True):
        assert gradient is None or (gradient.dtype == tensor.dtype and gradient.shape == tensor.shape)
    return {
        "out": [[str(o.dtype)[6:], list(o.shape), numbers(o), o.grad_fn and o.grad_fn.name()] for o in outputs],
        "grad": [None if gradient is None else numbers(gradient) for gradient in gradients],
    }


def uneven(tensor) -> np.ndarray:
    return (np.arange(tensor.numel()) % 7 * 0.5 - 1.25).reshape(tuple(tensor.shape))


def numbers(tensor) -> list:
    """All numbers, floats as the shortest text that reads back as the same float of that dtype."""
    array = tensor.detach().numpy(force=True).reshape(-1)  # PyTorch may know that all are 0, and hold none
    return [float(str(number)) for number in array] if array.dtype.kind == "f" else array.tolist()


if __name__ == "__main__":
    import op_cases_of_samples  # noqa: F401  (it adds its cases to those of op_cases)
    import torch
    from op_cases import CASES

    recorded = answers(CASES, lambda name: attempt(torch, CASES[name]))
    lines = [f"{json.dumps(name)}:{json.dumps(result, separators=(',', ':'))}" for name, result in recorded.items()]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(recorded)} cases, {GOLDENS.stat().st_size // 1000} kB")

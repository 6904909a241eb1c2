"""What types PyTorch's layers, losses and reductions take, and give: python tests/goldens/record_types.py

Writes types.json beside this file: for each call of type_programs.py and each type the types of the results, or the
error; of halves also some numbers, of the results and of the gradients. Read next: ../test_types_of_layers.py.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

GOLDENS = Path(__file__).with_name("types.json")


def made(torch: Any, wanted: Any, dtype: Any) -> Any:
    """An input: of a size, small numbers; what a function makes, in the type if it is of floats."""
    if callable(wanted):
        tensor = wanted(torch).detach()
        return tensor.to(dtype) if tensor.is_floating_point() else tensor
    count = 1
    for n in wanted:
        count *= n
    numbers = [((5 * i) % 7 - 1) / 2 for i in range(count)]
    return torch.tensor(numbers, dtype=torch.float32).reshape(wanted).abs().to(dtype)


def attempt(torch: Any, run: Any, inputs: tuple[Any, ...], types: tuple[str, ...]) -> dict[str, Any]:
    """For each type, with all inputs of it, and with the first alone, if there are several: what comes."""
    found = {}
    for name in types:
        for first in (False, True):
            torch.manual_seed(0)
            dtypes = [getattr(torch, name) if not (first and i) else torch.float32 for i in range(len(inputs))]
            given = [made(torch, wanted, dtype) for wanted, dtype in zip(inputs, dtypes, strict=True)]
            if not first or sum(x.is_floating_point() for x in given[1:]):
                found[name + " first" * first] = outcome(torch, run, given)
    return found


def outcome(torch: Any, run: Any, given: list[Any], all_of_them: bool = True) -> Any:
    """What a call gives, or its error. Of halves, the first or all of them ask for gradients."""
    halves = [x for x in given if x.dtype == torch.float16]
    for x in halves:
        x.requires_grad_(all_of_them or x is given[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = run(torch, *given)
            outputs = result if isinstance(result, tuple | list) else [result]
        except Exception as error:
            text = str(error).partition("\n")[0]
            if halves and all_of_them and "cannot have requires_grad" in text:
                return outcome(torch, run, given, False)
            return f"{type(error).__name__}: {text}"
    types = " ".join(str(out.dtype)[6:] for out in outputs)
    if not halves:
        return types
    floats = [out for out in outputs if out.is_floating_point()]
    grads = []
    asked = [x for x in given if x.dtype == torch.float16 and x.requires_grad]
    loss = sum((out.double() * (1 + 0.1 * i)).sum() for i, out in enumerate(floats)) if floats else None
    if loss is not None and loss.requires_grad:
        try:
            grads = torch.autograd.grad(loss, asked, allow_unused=True)
        except Exception as error:
            grads = [f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"]
    return [types, *map(numbers, floats), *map(numbers, grads)]


def numbers(tensor: Any) -> Any:
    """The first numbers, or the text of an error."""
    if not hasattr(tensor, "dtype"):
        return tensor
    return [str(tensor.dtype)[6:], *(float(f"{x:.5g}") for x in tensor.detach().reshape(-1)[:6].tolist())]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    import torch
    from type_programs import CALLS, TYPES

    recorded = {name: attempt(torch, *each, TYPES) for name, each in CALLS.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(result, ensure_ascii=False)}" for name, result in recorded.items()]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

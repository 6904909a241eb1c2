"""What PyTorch makes of the programs in nn_*programs.py: python tests/goldens/record_nn.py

Writes nn.json beside this file: for each program its result with six digits, or its error, and its warnings.
Read next: ../test_nn_goldens.py.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from pathlib import Path
from typing import Any

GOLDENS = Path(__file__).with_name("nn.json")


def plain(thing: Any) -> Any:
    """Tensors, numbers and texts as JSON has them; a tensor is a text such as "torch.float32 2x1: 0.5 1".

    Of many numbers only three sums are kept, each with other weights.
    """
    if hasattr(thing, "detach"):
        numbers = thing.detach().reshape(-1).tolist()
        if len(numbers) > 10 and thing.is_floating_point():
            numbers = [sum(x * math.cos(k * i) for i, x in enumerate(numbers)) for k in (1, 2, 3)]
        return f"{thing.dtype} {'x'.join(map(str, thing.shape))}: {' '.join(f'{x:.6g}' for x in numbers)}"
    if isinstance(thing, dict):
        return {str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [plain(part) for part in thing]
    return thing


def attempt(torch: Any, run: Any) -> Any:
    """What a program gives, or how it fails, and what it warns of."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\b")  # as the package itself does
        try:
            result = {"result": plain(run(torch))}
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"}
    texts = [f"{w.category.__name__}: {w.message}" for w in warned]
    return result | ({"warnings": texts} if texts else {})


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    import nn_api_programs  # noqa: F401  # it adds its programs
    import nn_more_programs  # noqa: F401  # and so does this
    import nn_wrong_programs  # noqa: F401  # and so does this
    import torch
    from nn_programs import PROGRAMS

    recorded = {name: attempt(torch, run) for name, run in PROGRAMS.items()}
    GOLDENS.write_text(
        "{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in recorded.items()) + "\n}\n", encoding="utf-8"
    )

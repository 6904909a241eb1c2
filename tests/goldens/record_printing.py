"""The tensors whose text is pinned down, and how to record what PyTorch prints: python record_printing.py

CASES is what both sides print: an array, what format_tensor is told besides, the print options. Writes
printing.json beside this file: name -> text. Read next: ../test_printing.py.
"""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

GOLDENS = Path(__file__).with_name("printing.json")
nan, inf = np.nan, np.inf
Case = tuple[np.ndarray, dict[str, Any], dict[str, Any]]


def case(values: Any, dtype: str = "float32", told: dict[str, Any] | None = None, **options: Any) -> Case:
    return np.asarray(values).astype(dtype), told or {}, options


def ramp(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape)).reshape(shape)


WAVE = np.sin(ramp(30, 7)) * 3
MUL: dict[str, Any] = {"grad_fn_name": "MulBackward0", "requires_grad": True}
LEAF: dict[str, Any] = {"requires_grad": True}

CASES: dict[str, Case] = {
    # which format
    "whole": case([1, 2, 3]),
    "whole, wide": case([1, -20, 300]),
    "decimals": case([0.5, -1.25, 100]),
    "rounded": case([0.00005, 0.12345, 0.99999]),
    "tiny": case([0.00001, 0.00002]),
    "small": case([0.00005, 0.00006]),
    "not quite small": case([0.0001, 0.0002], "float64"),
    "scientific by ratio": case([0.5, 501]),
    "not quite a ratio of 1000": case([0.5, 500]),
    "scientific whole by ratio": case([1, 1001]),
    "whole ratio of 1000": case([1, 1000]),
    "large": case([1e8, 1e8]),
    "too large": case([1.5e8, 2e8]),
    "too large, float64": case([123456789.0], "float64"),
    "huge and tiny": case([1e300, 1e-300], "float64"),
    "denormal": case([1e-45, 0]),
    "zeros": case([0, 0]),
    "minus zero": case([-0.0, 1]),
    "minus zero, decimals": case([-0.0, 1.5]),
    "nan and inf": case([nan, inf, -inf]),
    "nan and inf, whole": case([nan, inf, -inf, 1, 20]),
    "nan and inf, decimals": case([nan, inf, -inf, 0.5]),
    "nan and inf, scientific": case([nan, inf, -inf, 1e-9]),
    "nan and zero": case([nan, 0]),
    "half": case([0.1, 65504], "float16"),
    "half, whole": case([1, 2048], "float16"),
    "double": case([0.1, 1 / 3], "float64"),
    "int": case([1, -10, 100], "int64"),
    "int32": case([1, -10, 100], "int32"),
    "int extremes": case([-(2**63), 2**63 - 1], "int64"),
    "uint8": case([0, 255], "uint8"),
    "int8": case([-128, 127], "int8"),
    "int16": case([-128, 127], "int16"),
    "bool": case([True, False], "bool"),
    "bool, all false": case([False, False], "bool"),
    # shapes
    "0-d": case(3.14159),
    "0-d whole": case(2),
    "0-d scientific": case(1e-7),
    "0-d nan": case(nan),
    "0-d int": case(-7, "int64"),
    "0-d bool": case(True, "bool"),
    "0-d int32": case(-7, "int32"),
    "1-d of one": case([2]),
    "2-d": case([[1, 2.5], [-3, 1 / 3]]),
    "3-d": case(ramp(2, 3, 4), "int64"),
    "4-d": case(ramp(2, 2, 2, 3) / 7),
    "column": case([[0.5], [1.5]]),
    "empty": case([]),
    "empty int": case([], "int64"),
    "empty bool": case([], "bool"),
    "empty 2-d": case(np.zeros((0, 3))),
    "empty 3-d int": case(np.zeros((2, 0, 3)), "int64"),
    "empty double": case(np.zeros((2, 0)), "float64"),
    "empty, needs grad": case(np.zeros((0, 3)), told=LEAF),
    # lines
    "long int": case(ramp(60), "int64"),
    "long float": case(WAVE[:3].ravel()),
    "long bool": case(ramp(30) % 3 == 0, "bool"),
    "long scientific": case(10.0 ** (ramp(20) - 10)),
    "long rows": case(ramp(2, 30) / 7),
    "long rows, 3-d": case(ramp(2, 2, 25), "int64"),
    "narrow": case(ramp(12), "int64", linewidth=30),
    "narrower than a number": case(ramp(3) / 3, linewidth=5),
    # summaries
    "1000, whole": case(ramp(1000), "int64"),
    "1001": case(ramp(1001), "int64"),
    "1001 decimals": case(ramp(1001) / 7),
    "summary, 2-d": case(ramp(40, 30)),
    "summary, 2-d wide middle": case(np.where((ramp(40, 30) > 400) & (ramp(40, 30) < 500), 1e9, 0.5)),
    "summary, few rows": case(ramp(2, 600), "int64"),
    "summary, few columns": case(ramp(600, 2), "int64"),
    "summary, six": case(ramp(6, 200), "int64"),
    "summary, seven": case(ramp(7, 200), "int64"),
    "summary, 3-d": case(ramp(10, 11, 12) / 3),
    "summary, needs grad": case(ramp(40, 30) / 7, told=MUL),
    "threshold": case(ramp(10), "int64", threshold=5),
    "edgeitems": case(ramp(10, 10), "int64", threshold=5, edgeitems=1),
    "no edgeitems": case(ramp(10, 10), "int64", threshold=5, edgeitems=0),
    "no edgeitems, 1-d": case(ramp(10), "int64", threshold=5, edgeitems=0),
    "no edgeitems, no summary": case(ramp(3), "int64", edgeitems=0),
    # options
    "precision": case(WAVE[0], precision=2),
    "precision 0": case(WAVE[0], precision=0),
    "precision, scientific": case([1e-9, 1.5], precision=8),
    "short": case(WAVE, profile="short", threshold=100),
    "full": case(ramp(1001) % 2, "int64", profile="full"),
    "sci_mode on": case([0.5, 1.5, nan], sci_mode=True),
    "sci_mode on, whole": case([1, 2], sci_mode=True),
    "sci_mode on, zeros": case([0, nan], sci_mode=True),
    "sci_mode on, int": case([1, 2], "int64", sci_mode=True),
    "sci_mode off": case([1e-9, 1e9], sci_mode=False),
    "sci_mode off, whole": case([1, 1e9], sci_mode=False),
    # what stands behind
    "needs grad": case([1, 2], told=LEAF),
    "grad_fn": case([0.5, 2], told=MUL),
    "grad_fn, 0-d": case(6, told=MUL),
    "grad_fn, double": case([0.5, 2], "float64", told=MUL),
    "grad_fn, 2-d": case(WAVE[:2], told=MUL),
    "behind, next line": case(WAVE[0, :6], told=MUL),
    "behind, double, next line": case(WAVE[0], "float64", told=MUL),
    "behind, narrow": case([0.5, 2], "float64", told=MUL, linewidth=40),
    "device": case([1, 2], told={"device": "cpu"}),
    "device and all": case(WAVE[0], "float64", told={"device": "cpu", **MUL}),
    "device, empty": case(np.zeros((0, 3)), "int32", told={"device": "cpu"}),
    "default double": case([0.5], "float64", told={"default_dtype": "torch.float64"}),
    "default double, not so": case([0.5], told={"default_dtype": "torch.float64"}),
    "default double, empty": case([], told={"default_dtype": "torch.float64"}),
}
# where the dtype fits on the line, and where it does not
CASES |= {f"dtype behind {n}": case([0.5] * n, "float64") for n in (6, 7, 8, 9)}
CASES |= {f"grad behind {n}": case(ramp(n), told=LEAF) for n in (12, 13, 14, 15)}


def in_torch(array: np.ndarray, told: dict[str, Any], options: dict[str, Any]) -> str:
    """What PyTorch prints."""
    from unittest.mock import patch

    import torch

    with ExitStack() as stack:
        tensor = torch.from_numpy(array.copy())
        if "requires_grad" in told:
            tensor.requires_grad_()
        if "grad_fn_name" in told:
            tensor = tensor * 1
            assert tensor.grad_fn.name() == told["grad_fn_name"]
        if "device" in told:  # PyTorch names the device when it is not the default one
            stack.enter_context(patch("torch._C._get_default_device", lambda: "cuda"))
        if "default_dtype" in told:
            stack.callback(torch.set_default_dtype, torch.get_default_dtype())
            torch.set_default_dtype(torch.float64)
        stack.callback(torch.set_printoptions, profile="default")
        torch.set_printoptions(**options)
        return repr(tensor)


if __name__ == "__main__":
    GOLDENS.write_text(json.dumps({name: in_torch(*CASES[name]) for name in CASES}, indent=1) + "\n", encoding="utf-8")

"""What graphs PyTorch makes of the calls in node_programs.py and op_cases.py: python tests/goldens/record_nodes.py

Writes nodes.json beside this file: for each call the graph behind each of its outputs, as a text.
Read next: ../test_node_graphs.py.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

GOLDENS = Path(__file__).with_name("nodes.json")


def text_of(node: Any, seen: dict[Any, int], leaves: dict[int, str]) -> str:
    """A node and all behind it: "AddmmBackward0(b, x0, TBackward0(w))". A node that was met before is its number."""
    if node is None:
        return "-"
    if (name := node.name().replace("torch::autograd::", "")) == "AccumulateGrad":
        return leaves.get(id(node.variable), f"leaf{'x'.join(map(str, node.variable.shape))}")
    if node in seen:
        return f"#{seen[node]}"
    seen[node] = len(seen)
    behind = [text_of(n, seen, leaves) + (f":{i}" if i else "") for n, i in node.next_functions]
    return f"{name}({', '.join(behind)})"


def graphs(torch: Any, run: Any, inputs: list[Any]) -> list[str]:
    """The graph behind each output, or the error."""
    leaves = {id(x): f"x{i}" for i, x in enumerate(inputs)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = run(torch, *inputs)
        except Exception as error:
            return [f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"]
    outputs = result if isinstance(result, tuple | list) else [result]
    seen: dict[Any, int] = {}
    return [text_of(out.grad_fn, seen, leaves) if hasattr(out, "grad_fn") else repr(out) for out in outputs]


def attempt(torch: Any, run: Any, inputs: tuple[Any, ...]) -> dict[str, list[str]]:
    """The graphs of a call, for each choice of the inputs that require grad: all, none, each alone."""
    made = {}
    floats = None
    for chosen in (None, (), *range(len(inputs))):
        torch.manual_seed(0)
        given = [i(torch) if callable(i) else torch.randn(i, requires_grad=True) for i in inputs]
        floats = [i for i, x in enumerate(given) if x.requires_grad]
        if isinstance(chosen, int) and (chosen >= len(floats) or len(floats) < 2):
            break
        if chosen == () and not floats:
            continue
        asked = floats if chosen is None else [] if chosen == () else [floats[chosen]]
        for i in floats:
            given[i].requires_grad_(i in asked)
        made[" ".join(f"x{i}" for i in asked)] = graphs(torch, run, given)
    return made


def of_case(torch: Any, case: Any) -> list[str]:
    """The graphs of a call in op_cases.py."""
    return graphs(torch, case.function, [torch.tensor(a, requires_grad=a.dtype.kind == "f") for a in case.inputs])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    import op_cases_of_samples  # noqa: F401  # it adds its cases, and those of layers
    import torch
    from goldens.telling import answers
    from node_programs import GRAPHS
    from op_cases import CASES

    recorded = answers(GRAPHS, lambda name: attempt(torch, *GRAPHS[name]))
    recorded |= {f"case {name}": of_case(torch, case) for name, case in CASES.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(result, ensure_ascii=False)}" for name, result in recorded.items()]
    GOLDENS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

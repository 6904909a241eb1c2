"""The text of a compiled call: what a call does besides its arithmetic, written out for one trace.

Two functions: `takes(args)` says whether arguments are as they were, `run(again, tensors)` calls forward and makes the
node. They are text because they have no loops then: in a small function a call's own work takes longer than its
arithmetic. Imports core. Read next: signature.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend import SILENT
from ..core.node import next_number, pack
from ..core.tensor import wrap

COMMON = {"ndarray": np.ndarray, "SILENT": SILENT, "next_number": next_number, "pack": pack, "wrap": wrap}


def calls(of: Any, node: Any) -> tuple[Any, Any]:
    """`takes` and `run` for a trace; `node` is the class of nodes."""
    scope = dict(COMMON, of=of, Node=node, forward=of.forward, classes=of.classes)
    scope |= {f"type_{i}": dtype for i, (_, dtype, _) in enumerate(of.specs)}
    scope |= {f"t{of.arguments + i}": tensor for i, tensor in enumerate(of.outside)}
    exec(compile(text(of), "<minigrad jit>", "exec"), scope)  # made from the trace alone
    return scope["takes"], scope["run"]


def text(of: Any) -> str:
    """Of input i, t_i is the tensor and a_i its array; inputs from outside stand beside the text."""
    count, given = len(of.specs), range(of.arguments)
    unpacked = "".join(f"t{i}, " for i in given)
    fits = [
        f"a{i}.__class__ is ndarray and a{i}.shape == {shape!r} and a{i}.dtype is type_{i} "
        f"and t{i}._requires_grad is {asks}" + f" and t{i}.__class__ in classes" * (i < of.arguments)
        for i, (shape, _, asks) in enumerate(of.specs)
    ]
    arrays = [f"    a{i} = t{i}._data" for i in range(count)]
    takes = [
        "def takes(args):",
        *([f"    {unpacked}= args"] if of.arguments else []),
        *arrays,
        f"    return {' and '.join(fits) or True}",
    ]
    run = [
        "def run(again, tensors):",
        *([f"    {unpacked}= tensors"] if of.arguments else []),
        f"    values = SILENT.run(forward, {', '.join(f't{i}._data' for i in range(count))})",
        *(f"    values[{i}] = values[{i}].copy()" for i in of.twice),
        "    of.runs += 1",
    ]
    results = of.program.results
    for i in range(results):
        run.append(f"    r{i} = " + (f"t{of.given[i]}" if i in of.given else f"wrap(values[{i}])"))
    if of.backward is not None:
        saved = "".join(f"t{i} if (v := t{i}._versions) is None else (t{i}, v, v[0]), " for i in of.program.saved)
        run += [
            "    node = Node()",
            "    node.of, node.again, node.outputs = of, again, " + str(results),
            f"    node.inputs = ({''.join(f't{i}, ' for i in of.program.wanted)})",
            f"    node.edges = ({''.join(f't{i}._fn or t{i}, ' for i in of.program.wanted)})",
            f"    node.saved_inputs = ({saved})",
            f"    node.saved_kept = values[{results}:]",
            "    node._shape, node._dtype = of.shape, of.dtype",
            "    node._number = next_number()",
            *(
                f"    r{i}._fn = {f'(node, {i})' if results > 1 else 'node'}; r{i}._requires_grad = True"
                for i in of.asked
            ),
        ]
        for k, i in of.kept_results.items():  # the reader may change it: backward will look
            run.append(f"    r{i}.versions(); node.saved_kept[{k}] = pack(r{i}, own=True)")
    run.append("    return " + ("r0" if of.single else f"[{', '.join(f'r{i}' for i in of.order)}]"))
    return "\n".join([*takes, "", *run, ""])

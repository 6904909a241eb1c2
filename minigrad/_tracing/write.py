"""The text of a compiled call: all steps of a call besides its arithmetic, generated for one trace.

There are five functions. `fits(args)` tests whether the arguments fit, and `still()` whether all other inputs do;
`run(again, tensors)` runs forward and makes the node; `back(node, grad)` runs backward; `whole(node, grad, retain)`
is a backward pass from the node to leaves, as core/engine.py does it. Generated text avoids loops: for a small
function, the steps of a call take longer than its arithmetic.
Imports accumulate and core. Read next: signature.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._engine.accumulate import GROWING
from .._engine.watched import arrive_leaves
from .._machine.backend import SILENT
from ..core.engine import fit
from ..core.forms import RAW
from ..core.node import next_number, pack, unpack
from ..core.tensor import wrap

HELD = ("_parameters", "_buffers", "_modules")  # a module's tensors and modules


def calls(of: Any, node: Any, modules: list[Any]) -> list[Any]:
    """The five functions for a trace; `node` is its class of nodes, `modules` are the modules that it used."""
    scope = dict(COMMON, of=of, Node=node, forward=of.forward, backward=of.backward, classes=of.classes)
    scope |= {f"type_{i}": dtype for i, (_, dtype, _) in enumerate(of.specs)}
    scope |= {f"t{of.arguments + i}": tensor for i, tensor in enumerate(of.outside)}
    exec(compile(text(of, guards(modules, scope)), "<minigrad jit>", "exec"), scope)  # the text uses only the trace
    return [scope[name] for name in ("fits", "still", "run", "back", "whole")]


def text(of: Any, modules: list[str]) -> str:
    """The source. For input i, t_i is the tensor and a_i its array; inputs from outside are in the scope."""
    given, outside = range(of.arguments), range(of.arguments, len(of.specs))
    unpacked = "".join(f"t{i}, " for i in given)
    kind = [
        f"a{i}.__class__ is ndarray and a{i}.shape == {shape!r} and a{i}.dtype is type_{i} "
        f"and t{i}._requires_grad is {asks}" + (f" and a{i}.strides == {of.layouts[i]}" if i in of.layouts else "")
        for i, (shape, _, asks) in enumerate(of.specs)
    ]
    still = [kind[i] for i in outside] + modules
    fits = [f"t{i}.__class__ in classes and {kind[i]}" for i in given] + still
    return "\n".join(
        [
            "def fits(args):",
            "    try:",
            f"        {unpacked}= args" if unpacked else "        if args: return False",
            *(f"        a{i} = t{i}._data" for i in (*given, *outside)),
            f"        return {' and '.join(fits) or True}",
            "    except (AttributeError, ValueError, LookupError):",  # a number, too many arguments, a missing entry
            "        return False",
            "",
            "def still():",
            "    try:",
            *(f"        a{i} = t{i}._data" for i in outside),
            f"        return {' and '.join(still) or True}",
            "    except LookupError:",
            "        return False",
            "",
            *running(of),
            "",
            "def back(node, grad):",
            *(gradients(of) if of.backward is not None else []),
            "    return grads",
            "",
            *passing(of),
            "",
        ]
    )


def guards(modules: list[Any], scope: dict[str, Any]) -> list[str]:
    """Conditions that modules have the same modes, tensors and modules as now. The objects in the conditions are added
    to `scope`."""
    asked: list[str] = []
    known: dict[int, str] = {}
    names: dict[str, str] = {}

    def called(thing: Any) -> str:
        return known.setdefault(id(thing), f"m{len(known)}") if thing is not None else "None"

    for module in dict.fromkeys(inner for outer in modules for inner in outer.modules()):
        me = called(module)
        scope |= {me: module, f"{me}_training": module.training}
        asked.append(f"{me}.training is {me}_training")
        for field in HELD:
            held = getattr(module, field)
            asked.append(f"len({me}.{field}) == {len(held)}" if held else f"not {me}.{field}")
            for name, thing in held.items():
                if thing is not None:
                    scope[called(thing)] = thing
                scope[names.setdefault(name, f"name_{len(names)}")] = name
                asked.append(f"{me}.{field}[{names[name]}] is {called(thing)}")
    return asked


def running(of: Any) -> list[str]:
    """The text of `run`."""
    results = of.program.results
    run = [
        "def run(again, tensors):",
        *([f"    {''.join(f't{i}, ' for i in range(of.arguments))}= tensors"] if of.arguments else []),
        f"    values = SILENT.run(forward, {', '.join(f't{i}._data' for i in range(len(of.specs)))})",
        *(f"    values[{i}] = values[{i}].copy()" for i in of.twice),
        "    of.runs += 1",
    ]
    for i in range(results):
        run.append(f"    r{i} = " + (f"t{of.given[i]}" if i in of.given else f"wrap(values[{i}])"))
    if of.backward is not None:
        wanted = of.program.wanted
        saved = "".join(f"t{i} if (v := t{i}._versions) is None else (t{i}, v, v[0]), " for i in of.program.saved)
        run += [
            "    node = Node()",
            "    node.again = again",
            f"    node.inputs = ({''.join(f't{i}, ' for i in wanted)})",
            f"    node.edges = ({''.join(f't{i}._fn or t{i}, ' for i in wanted)})",
            f"    node.straight = {results == 1 and 'not (' + ' or '.join(f't{i}._fn' for i in wanted) + ')'}",
            f"    node.saved_inputs = ({saved})",
            f"    node.saved_kept = values[{results}:]",
            "    node._number = next_number()",
            *(
                f"    r{i}._fn = {f'(node, {i})' if results > 1 else 'node'}; r{i}._requires_grad = True"
                for i in of.asked
            ),
        ]
        for k, i in of.kept_results.items():  # the user may change the result in place: backward then raises
            run.append(f"    r{i}.versions(); node.saved_kept[{k}] = pack(r{i}, own=True)")
    run.append("    return " + ("r0" if of.single else f"[{', '.join(f'r{i}' for i in of.order)}]"))
    return run


def gradients(of: Any) -> list[str]:
    """Lines that compute `grads`, the inputs' gradients, from `grad`, the gradient (or gradients) of the result."""
    inputs, kept = range(len(of.program.saved)), range(len(of.program.kept))
    lines = []
    if inputs:
        lines.append(f"    {''.join(f's{i}, ' for i in inputs)}= node.saved_inputs")
    if kept:
        lines.append(f"    {''.join(f'k{i}, ' for i in kept)}= node.saved_kept")
    arrays = [f"unpack(s{i}, node)" for i in inputs]
    arrays += [f"unpack(k{i}, node)" if i in of.kept_results else f"k{i}" for i in kept]
    if of.program.results > 1:
        lines.append("    shapes, types = node._shape, node._dtype")
        arrays += [f"zeros(shapes[{i}], types[{i}]) if grad[{i}] is None else grad[{i}]" for i in of.asked]
    else:
        arrays.append("grad")
    lines.append(f"    grads = backward({', '.join(arrays)})")
    return lines + [f"    grads[{i}] = grads[{i}].copy()" for i in of.again]


def passing(of: Any) -> list[str]:
    """The text of `whole`: False means that the engine must do the pass. `arrive_leaves` handles rare cases."""
    if of.backward is None or of.program.results > 1:
        return ["def whole(node, grad, retain):", "    return False"]
    leaves = [(i, *of.specs[i][:2]) for i in of.program.wanted]
    ends, grads = ("".join(f"{letter}{i}, " for i, *_ in leaves) for letter in "eg")
    text = [
        "def whole(node, grad, retain):",
        "    if not node.straight or node.watched or node.saved_kept is None: return False",
        f"    {ends}= node.edges",
        *([f"    if len({{{ends}}}) < {len(leaves)}: return False"] if len(leaves) > 1 else []),
        *gradients(of),
        f"    {grads}= grads",
        *(f"    a{i} = e{i}._data" for i, *_ in leaves),
        f"    if not ({' and '.join(f'a{i}.shape == {shape} and a{i}.dtype is type_{i}' for i, shape, _ in leaves)}):",
        f"        fitted(({ends}), grads, None if retain else node)",
        "        return True",
        "    if not retain: node.release()",
        "    rest = {}",
        "    with GROWING:",
    ]
    for i, shape, _ in leaves:
        in_order = f" or g{i}.strides != a{i}.strides" if len(shape) > 1 else ""
        text += [
            f"        if e{i}._grad is not None or e{i}._watched or g{i}.base is not None{in_order}: rest[e{i}] = g{i}",
            f"        else: e{i}._grad = wrap(g{i})",
        ]
    return [*text, "    if rest: arrive_leaves(rest, RAW)", "    return True"]


def fitted(leaves: Any, grads: list[Any], done: Any) -> None:
    """The engine's steps if the data of some leaves have been replaced since; the node `done` is then released."""
    pairs = zip(leaves, grads, strict=True)
    fitting = {leaf: fit(RAW.F, g, leaf._data.shape, leaf._data.dtype) for leaf, g in pairs}
    if done is not None:
        done.release()
    arrive_leaves(fitting, RAW)


COMMON = {  # the names in the generated texts
    "ndarray": np.ndarray,
    "zeros": np.zeros,
    "SILENT": SILENT,
    "GROWING": GROWING,
    "RAW": RAW,
    "next_number": next_number,
    "pack": pack,
    "unpack": unpack,
    "wrap": wrap,
    "arrive_leaves": arrive_leaves,
    "fitted": fitted,
}

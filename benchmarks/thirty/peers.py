"""The pictures of torchview, TorchVista and torchviz, and the arrows that they show.

A function draws an example into a file, and returns a function that reads the arrows of the picture. torchview and
TorchVista draw modules, so their arrows are compared between the innermost modules, inputs and results. torchviz draws
the operators of autograd. The tools are installed for these measurements only:
`pip install torchview torchvista torchviz`.
Imports registry, trace, and a tool where it is used. Read measure.py next.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .registry import Example
from .trace import Arrows, Trace, as_identifier, behind, between, numbered, operator


class Calls:
    """The calls of modules in one run, in order: the module's class and its name. inner: the innermost modules."""

    def __init__(self, model: Any, run: Callable[[], Any]):
        self.made: list[tuple[str, str]] = []
        outer: set[str] = set()
        running: list[str] = []
        names = {id(part): name for name, part in model.named_modules()}

        def enter(part: Any, _: Any) -> None:
            outer.update(running)
            running.append(names[id(part)])
            self.made.append((type(part).__name__, names[id(part)]))

        def leave(*_: Any) -> None:
            running.pop()

        parts = [part for _, part in model.named_modules()]
        handles = [each for part in parts for each in (part.register_forward_pre_hook(enter),)]
        handles += [part.register_forward_hook(leave) for part in parts]
        run()
        for handle in handles:
            handle.remove()
        self.inner = {name for _, name in self.made} - outer


def positional(example: Example) -> tuple[Any, ...]:
    """The arguments without names: not every tool takes names."""
    signature = inspect.signature(example.model.forward)
    return tuple(signature.bind(*example.args, **example.kwargs).arguments.values())


def truth(trace: Trace | None, by_hand: Arrows, calls: Calls) -> tuple[Arrows, set[str]]:
    """The true arrows between modules, and the names of these modules."""
    if trace is not None:
        return trace.modules(calls.inner), calls.inner
    return set(by_hand), {name for arrow in by_hand for name in arrow}


def by_torchview(example: Example, path: Path) -> Any:
    from torchview import draw_graph

    drawn = draw_graph(example.model, input_data=positional(example), depth=10, expand_nested=True)
    path.write_bytes(drawn.visual_graph.pipe(format="svg"))

    def read(inputs: list[str], calls: Calls) -> Any:
        names = {id(part): name for name, part in example.model.named_modules()}
        given = dict(zip(map(id, drawn.root_container), inputs, strict=False))

        def label(node: Any) -> str | None:
            kind = type(node).__name__
            if kind == "TensorNode":
                main = node.main_node if node.is_aux else node
                return given.get(id(main)) or ("output" if "output" in node.name else None)
            return names.get(node.compute_unit_id) if kind == "ModuleNode" else None

        def key(node: Any) -> int:
            return id(node.main_node) if getattr(node, "is_aux", False) else id(node)

        nodes = {key(node): label(node) for edge in drawn.edge_list for node in edge}
        return nodes, [(key(a), key(b)) for a, b in drawn.edge_list]

    return read


def by_torchvista(example: Example, path: Path) -> Any:
    import torchvista.tracer as tracer

    taken: list[Any] = []
    plot = tracer.plot_graph

    def keep(*args: Any, **kwargs: Any) -> None:
        taken.extend(args)
        plot(*args, **kwargs)

    tracer.plot_graph = keep
    try:
        tracer.trace_model(example.model, positional(example), export_path=str(path))
    finally:
        tracer.plot_graph = plot

    def read(inputs: list[str], calls: Calls) -> Any:
        known = taken[0]
        made: dict[str, list[str]] = {}
        for kind, name in calls.made[1:]:  # the first call is that of the model itself
            made.setdefault(kind, []).append(name)
        every = [*known, *(name for name in taken[1] if name not in known)]  # closed boxes are no nodes, but count
        seen: dict[str, list[str]] = {}
        for name in sorted(every, key=lambda name: int(name.rpartition("_")[2]) if name[-1].isdigit() else -1):
            kind, _, number = name.rpartition("_")
            if number.isdigit() and kind in made:
                seen.setdefault(kind, []).append(name)
        nodes: dict[str, str | None] = dict.fromkeys(known)
        for kind, names in seen.items():
            nodes |= dict(zip(names, made[kind], strict=False))
        given = [name for name, node in known.items() if node["node_type"] == "Input"]
        nodes |= dict(zip(given, inputs, strict=False))
        nodes |= {name: "output" for name in known if name.startswith("output")}
        return nodes, [(name, edge["target"]) for name, node in known.items() for edge in node["edges"]]

    return read


def between_modules(nodes: dict[Any, str | None], arrows: Iterable[tuple[Any, Any]], kept: set[str]) -> Arrows:
    """The arrows between the modules, inputs and results in `kept`. What is inside of a module has its name."""

    def home(name: str | None) -> str | None:
        if name is None or name in kept:
            return name
        parts = name.split(".")
        return next((path for i in range(len(parts)) if (path := ".".join(parts[: i + 1])) in kept), None)

    labels = {node: home(name) for node, name in nodes.items()}
    arrows = list(arrows)
    here = behind([node for node, name in labels.items() if name == "output"], arrows)
    pairs = between(list(nodes), arrows, lambda node: labels.get(node) is not None)
    pairs = {(a, b) for a, b in pairs if b in here}  # some draw what no result needs, too
    return {(str(labels[a]), str(labels[b])) for a, b in pairs if labels[a] != labels[b]}


def by_torchviz(example: Example, path: Path) -> Any:
    from torchviz import make_dot  # it takes a tensor or a tuple of tensors

    from viz.graph.module import tensors_in

    out = example.model(*example.args, **example.kwargs)
    results = tuple(each for each in tensors_in(out) if each.requires_grad)
    steps: dict[str, Any] = {}  # the operators by id, alive, so that no id is used twice
    todo = [each.grad_fn for each in results if each.grad_fn is not None]
    while todo:
        fn = todo.pop()
        if str(id(fn)) not in steps:
            steps[str(id(fn))] = fn
            todo += [each for each, _ in fn.next_functions if each is not None]
    dot = make_dot(results, params=dict(example.model.named_parameters()))
    path.write_bytes(dot.pipe(format="svg"))

    def read(recorded: dict[str, list[str]]) -> Arrows:
        """recorded: the labels of the operators that carry a gradient, in order, by the name of the operator."""
        told = re.findall(r'^\s*(\d+) \[label=(?:"([^"\n]*)|(\w+)\])', dot.source, re.M)
        names = {node: quoted.strip() or bare for node, quoted, bare in told}
        order = sorted(
            (node for node in names if node in steps and names[node] != "AccumulateGrad"),
            key=lambda node: steps[node]._sequence_nr(),
        )
        labels = {
            node: recorded[name][int(number)]
            for node, label in numbered((node, operator(names[node])) for node in order).items()
            for name, _, number in [label.partition(" ")]
            if name in recorded and int(number) < len(recorded[name])
        }
        known = {name for name, _ in example.model.named_parameters()}
        labels |= {node: as_identifier(name) for node, name in names.items() if name in known}
        ends = {str(id(each)) for each in results}
        labels |= dict.fromkeys(ends, "output")
        arrows = re.findall(r"^\s*(\d+) -> (\d+)$", dot.source, re.M)  # a dotted one leads from a base to its view
        pairs = between([*names], arrows, labels.__contains__)
        return {(labels[a], labels[b]) for a, b in pairs}

    return read


TOOLS = {"torchview": by_torchview, "torchvista": by_torchvista, "torchviz": by_torchviz}

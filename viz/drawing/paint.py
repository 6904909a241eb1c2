"""From a graph to its SVG: shapes, their places from Graphviz, arrows, and the style that follows the theme.

The picture must be right in four places, and one string does it. *In a page* (JupyterLab) its colours are the page's
own, through CSS variables. *Alone* (an image, a file) it follows the system, since only there the svg is `:root`. *In
print* it is light. *Without styles* (a preview that strips them, our PNG) every element has its light colour as an
attribute. All rules and ids begin with a hash of the graph, so two pictures in one page keep apart.

Imports boxes, layout, legend, svg. Read picture.py next.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2s

from ..graph.model import Graph, Node
from .boxes import NUMBER, Box, Circle, colours, text, text_width
from .layout import MARGIN, Arrow, Geometry, Size, lay_out
from .legend import DARK, JUPYTER, LIGHT
from .svg import Element, element, number, path

MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SANS = "system-ui,'Segoe UI','DejaVu Sans',sans-serif"
CROWD = 12  # operators; where there are more, circles are small and arrows carry no values


def is_crowd(graph: Graph) -> bool:
    return sum(node.kind == "operator" for node in graph.nodes) > CROWD


def shapes_of(graph: Graph, lang: str) -> dict[str, Box | Circle]:
    """A shape for each node, by id."""
    small = is_crowd(graph)
    return {node.id: Circle(node, lang, small) if node.kind == "operator" else Box(node, lang) for node in graph.nodes}


def place(graph: Graph, lang: str) -> Geometry:
    """Where everything in `graph` goes."""
    shapes = shapes_of(graph, lang)
    arrows: list[tuple[str, str, Size | None]] = []
    for edge in graph.edges:
        room = (text_width(edge.value, NUMBER, mono=True) + 8, 26.0)
        arrows.append((edge.source, edge.target, room if edge.value and not is_crowd(graph) else None))
    geometry = lay_out(
        {id_: (shape.width, shape.height) for id_, shape in shapes.items()},
        {id_ for id_, shape in shapes.items() if shape.round},
        arrows,
    )
    width, height = geometry.size
    lowest = max(geometry.centres[id_][1] + shape.below for id_, shape in shapes.items())  # drawers hang below circles
    return replace(geometry, size=(width, max(height, lowest + MARGIN)))


def paint(graph: Graph, geometry: Geometry, *, title: str, alt: str, lang: str = "en", styled: bool = True) -> str:
    """The SVG of `graph`; not `styled`, it has the light colours only."""
    shapes = shapes_of(graph, lang)
    prefix = "g" + blake2s(repr((graph, lang)).encode(), digest_size=4).hexdigest()
    width, height = (round(length) for length in geometry.size)
    body = [element("rect", width=width, height=height, rx=8, **colours("paper"))]
    for i, (edge, arrow) in enumerate(zip(graph.edges, geometry.arrows, strict=True)):
        body.append(element("g", *draw_arrow(arrow, edge.value), id=f"{prefix}-e{i}"))
    for node in graph.nodes:
        x, y = geometry.centres[node.id]
        parts = [element("title", tooltip(node)), *shapes[node.id].draw()]
        where = {"id": f"{prefix}-{node.id}", "transform": f"translate({number(x)} {number(y)})"}
        body.append(element("g", *parts, class_=f"mg-{node.kind}", **where))
    head = [element("title", title), element("desc", alt)]
    if styled:
        head.append(Element(f"<style>{style(prefix)}</style>"))
    return element(
        "svg",
        *head,
        *body,
        xmlns="http://www.w3.org/2000/svg",
        class_=prefix,
        role="img",
        width=width,
        height=height,
        viewBox=f"0 0 {width} {height}",
        font_family="sans-serif",
    )


def draw_arrow(arrow: Arrow, value: str) -> list[Element]:
    """A line with a filled head, and the value that travels on it."""
    start, *rest = arrow.points
    (x, y), (tip_x, tip_y) = arrow.points[-1], arrow.tip
    along = (tip_x - x, tip_y - y)
    half = 0.45
    head = [
        (tip_x, tip_y),
        (x - half * along[1], y + half * along[0]),
        (x + half * along[1], y - half * along[0]),
    ]
    drawn = [
        element("path", d=path("M", *start, "C", *(c for point in rest for c in point)), **colours("none", "ink", 1.5)),
        element("path", d=path("M", *head[0], "L", *head[1], "L", *head[2], "z"), **colours("ink")),
    ]
    if value and arrow.label:
        drawn.append(text(value, arrow.label[0], arrow.label[1] + 6, NUMBER, "ink", at="middle", mono=True))
    return drawn


def tooltip(node: Node) -> str:
    """What the mouse finds on a node: PyTorch's words, in every language."""
    if node.kind == "operator":
        saved = ", ".join(f"{name} = {what}" if what else name for name, what in node.saved)
        return node.name + (f"\nsaved: {saved}" if saved else "")
    return f"{node.name}\nshape {node.shape}, {node.dtype}".strip() if node.dtype else node.kind


def style(prefix: str) -> str:
    """The rules of one picture."""

    def theme(colours: dict[str, str]) -> str:
        return "".join(f"--mg-{name}:{colour};" for name, colour in colours.items())

    page = {name: f"var({variable},{LIGHT[name]})" for name, variable in JUPYTER.items()}
    rules = [
        f".{prefix}{{{theme(page)}font-family:{SANS};max-width:none}}",
        f"@media screen and (prefers-color-scheme:dark){{:root.{prefix}{{{theme(DARK)}}}}}",
        f"@media print{{.{prefix}{{{theme(LIGHT)}}}}}",
        f".{prefix} [font-family=monospace]{{font-family:{MONO}}}",
    ]
    for name in LIGHT:
        rules.append(f".{prefix} .mg-{name}{{fill:var(--mg-{name})}}")
        rules.append(f".{prefix} .mg-{name}-line{{stroke:var(--mg-{name})}}")
    return "".join(rules)

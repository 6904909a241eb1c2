"""Turns a graph into an SVG: shapes, their positions from Graphviz, arrows, and the style that follows the theme.

One string must look right in four places. *In a page* (JupyterLab), it uses the page's own colours through CSS
variables. *Alone* (an image, a file), it follows the system, since only then is the svg `:root`. *In print*, it is
light. *Without styles* (a preview that strips them, our PNG), each element has its light colour as an attribute. All
rules and ids begin with a hash of the graph, so two pictures in one page do not interfere.

Imports arrows, boxes, circles, layout, legend, letters, svg. Read picture.py next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2s

from ..graph.model import Cluster, Graph, Node, shape_text
from ..graph.order import carried, gradients
from ..graph.static import LOOP
from .arrows import BACKWARD, draw_arrow, ends_apart, label_of, moved_to
from .boxes import Box
from .circles import Circle
from .layout import Frame, Geometry, Plan, Point, Size
from .legend import DARK, FRAME, JUPYTER, LABELS, LIGHT, PURPLE, RINGS, SHOWN
from .letters import CAPTION, NUMBER, WORD, colours, rect, text, text_width
from .page import narrowest
from .svg import Element, element, number, path

MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SANS = "system-ui,'Segoe UI','DejaVu Sans',sans-serif"
CROWD = 12  # operators; in a larger graph, circles are small and arrows carry no values
SCISSORS = "✂ ✂"  # this text has the width that the scissors need on an arrow
MOST = 12  # operators of a folded box that its tooltip names
OCTAGON, RINGED = 32, 20  # pixels added to the width and height of a guilty node, and of a node with a ring
LATER = "later"  # class of elements that have not appeared yet


def is_crowd(graph: Graph) -> bool:
    return sum(node.kind == "operator" for node in graph.nodes) > CROWD


def shapes_of(
    graph: Graph, lang: str, show: tuple[str, ...] = SHOWN, *, crowd: bool | None = None
) -> dict[str, Box | Circle]:
    """A shape for each node, by id. crowd: use small circles; None: only if there are many operators."""
    small = is_crowd(graph) if crowd is None else crowd
    return {
        node.id: Circle(node, lang, small, show) if node.kind == "operator" else Box(node, lang, show)
        for node in graph.nodes
    }


def labels_of(graph: Graph, show: tuple[str, ...], backward: bool, *, crowd: bool | None = None) -> list[str]:
    """The label of each arrow; in a crowd, and for gradients, labels have no values."""
    without = backward or (is_crowd(graph) if crowd is None else crowd)
    return ["" if without and not edge.operator else label_of(edge, show) for edge in graph.edges]


def plan(
    graph: Graph,
    lang: str,
    show: tuple[str, ...] = SHOWN,
    *,
    backward: bool = False,
    shapes: dict[str, Box | Circle] | None = None,
    under: Mapping[str, float] | None = None,
    down: bool = False,
    crowd: bool | None = None,
) -> Plan:
    """The input of a layout. shapes: replace the usual ones. down: from top to bottom. crowd: no values on arrows;
    None: only if there are many operators.

    under: pixels below nodes, by id, that no arrow and no other node may use. A drawer's space is always free.
    """
    shapes = shapes or shapes_of(graph, lang, show, crowd=crowd)
    below = {id_: max(shape.below - shape.height / 2, (under or {}).get(id_, 0)) for id_, shape in shapes.items()}
    arrows: list[tuple[str, str, Size | None]] = []
    cuts = ["detach" in (edge.kind, way) for edge, way in zip(graph.edges, carried(graph), strict=True)]
    for edge, label, cut in zip(graph.edges, labels_of(graph, show, backward, crowd=crowd), cuts, strict=True):
        room = (text_width(label or SCISSORS * cut, NUMBER, mono=True) + 8, 26.0)
        arrows.append((edge.source, edge.target, room if room[0] > 8 else None))
    clusters = [
        (cluster.nodes, cluster.parent, (text_width(frame_label(cluster, lang), WORD, bold=True) + beside, 22.0))
        for cluster in graph.clusters
        for beside in [72 if cluster.label == LOOP[0] else 8]  # an arrow passes beside a loop condition's label
    ]
    return Plan(
        {
            node.id: (shapes[node.id].width + room, shapes[node.id].height + room)
            for node in graph.nodes
            for room in [OCTAGON if node.mark == "guilty" else RINGED if node.mark in RINGS else 0]
        },
        {id_ for id_, shape in shapes.items() if shape.round},
        arrows,
        clusters,
        {i for i, edge in enumerate(graph.edges) if edge.kind == "next"},
        {id_: pixels for id_, pixels in below.items() if pixels},
        {id_: shape.drawer.width for id_, shape in shapes.items() if shape.drawer},
        down=down,
    )


def paint(
    graph: Graph,
    geometry: Geometry,
    *,
    title: str,
    alt: str,
    lang: str,
    show: tuple[str, ...] = SHOWN,
    backward: bool = False,
    styled: bool = True,
    shown: tuple[int, int] | None = None,
) -> str:
    """The SVG of `graph`; without `styled`, only in light colours. shown: width and height, if not its own."""
    shapes = shapes_of(graph, lang, show)
    prefix = prefix_of(graph, lang, show, backward)
    labels = labels_of(graph, show, backward)
    ways: list[str] = [*gradients(graph)] if backward else ways_of(graph)
    body = drawn(graph, geometry, shapes, labels, ways, prefix, lang)
    return framed(body, geometry, prefix, title=title, alt=alt, styled=styled, shown=shown)


def ways_of(graph: Graph) -> list[str]:
    """The style of each arrow in forward: a key of LINES."""
    return [edge.kind or way or "forward" for edge, way in zip(graph.edges, carried(graph), strict=True)]


def prefix_of(graph: Graph, lang: str, show: tuple[str, ...] = SHOWN, backward: bool = False) -> str:
    """The prefix of all ids and rules of the picture."""
    looks = [(node.id, node.records, node.in_place) for node in graph.nodes if node.in_place or not node.records]
    told = repr((graph, lang, show, backward)) + repr(looks) * bool(looks)
    return "g" + blake2s(told.encode(), digest_size=4).hexdigest()


def framed(
    body: Iterable[Element],
    geometry: Geometry,
    prefix: str,
    *,
    title: str,
    alt: str,
    styled: bool,
    later: bool = False,
    shown: tuple[int, int] | None = None,
) -> str:
    """The SVG around the elements of `drawn`: paper, title, text alternative, rules. later: add `later_rules`."""
    width, height = (round(length) for length in geometry.size)
    left, top = geometry.origin
    rules = (style(prefix) + fitting(prefix, width)) * styled + later_rules(prefix, styled) * later
    far = geometry.beyond
    size = {"x": left - far or None, "y": top - far or None, "width": width + 2 * far, "height": height + 2 * far}
    paper = element("rect", **size, rx=8, **colours("paper"))
    view = f"{left:g} {top:g} {width} {height}"
    return root([paper, *body], prefix, shown or (width, height), view, title=title, alt=alt, rules=rules)


def root(
    body: Iterable[Element],
    prefix: str,
    size: tuple[float, float],
    view: str,
    *,
    title: str,
    alt: str,
    rules: str,
    **more: object,
) -> Element:
    """An SVG with these elements, its title, the same in words, and its rules. view: the part of the plane it shows."""
    return element(
        "svg",
        element("title", title),
        element("desc", alt),
        *([Element(f"<style>{rules}</style>")] if rules else []),
        *body,
        xmlns="http://www.w3.org/2000/svg",
        class_=prefix,
        role="img",
        **more,
        width=size[0],
        height=size[1],
        viewBox=view,
        font_family="sans-serif",
    )


def drawn(
    graph: Graph,
    geometry: Geometry,
    shapes: dict[str, Box | Circle],
    labels: Sequence[str],
    ways: Sequence[str],
    prefix: str,
    lang: str,
    later: Collection[str] = (),
) -> list[Element]:
    """The nodes, arrows and frames of `graph` at their places, with ids that begin with `prefix`.

    later: ids of nodes (n3) and arrows (e2) that have not appeared yet; see `later_rules`.
    """
    body = []
    marks = {node.id: node.mark for node in graph.nodes}
    for i, frame in enumerate(geometry.frames):
        (x, y), (w, h) = frame.corner, frame.size
        name, look = f"{prefix}-c{i}", colours("none", "muted", FRAME)
        body.append(element("rect", x=x, y=y, width=w, height=h, rx=10, id=name, **look))
    back = [i for i, way in enumerate(ways) if way in BACKWARD and not graph.edges[i].operator]
    heights = [shapes[graph.edges[i].source].height for i in back]
    ends = {back[at]: end for at, end in ends_apart([geometry.arrows[i] for i in back], heights).items()}
    for i, (edge, arrow) in enumerate(zip(graph.edges, geometry.arrows, strict=True)):
        arrow = moved_to(arrow, ends[i]) if i in ends else arrow
        faded = 0.3 if "rests" in (marks[edge.source], marks[edge.target]) else None
        parts = draw_arrow(arrow, edge, labels[i], way=ways[i])
        if edge.operator:
            parts.insert(0, element("title", edge.operator))
        waits = LATER if f"e{i}" in later else None
        body.append(element("g", *parts, class_=waits, id=f"{prefix}-e{i}", opacity=faded))
    if graph.clusters:
        course, boxes = in_the_way(geometry, shapes)
    for cluster, frame in zip(graph.clusters, geometry.frames, strict=True):  # drawn over arrows, which may pass there
        words = frame_label(cluster, lang)
        x, y = label_place(frame, text_width(words, WORD, bold=True), course, boxes)
        body.append(text(words, x, y + 5, WORD, "muted", bold=True, halo=True))
    for node in graph.nodes:
        x, y = geometry.centres[node.id]
        around = ring(node, shapes[node.id], lang)
        # The ring first, so that an octagon does not cross the node's drawer
        parts = [element("title", tooltip(node)), *around[:1], *shapes[node.id].draw(), *around[1:]]
        where: dict[str, object] = {"id": f"{prefix}-{node.id}", "transform": f"translate({number(x)} {number(y)})"}
        where["opacity"] = 0.3 if node.mark == "rests" else None
        waits = f" {LATER}" if node.id in later else ""
        body.append(element("g", *parts, class_=f"mg-{node.kind}{waits}", **where))
    return body


def in_the_way(
    geometry: Geometry, shapes: Mapping[str, Box | Circle]
) -> tuple[list[Point], list[tuple[float, float, float, float]]]:
    """What a frame's label must not cover: points along arrows; boxes, each by its middle and half its sides."""
    course = [point for arrow in geometry.arrows for point in (*arrow.course(), arrow.tip)]
    middles = geometry.centres.items()
    return course, [(*middle, shapes[id_].width / 2, shapes[id_].height / 2) for id_, middle in middles]


def label_place(
    frame: Frame, width: float, course: Sequence[Point], boxes: Sequence[tuple[float, float, float, float]]
) -> Point:
    """The beginning of a frame's label: the left end of the frame's upper edge, or the first place along its edges that
    is free of `course` (points along arrows) and `boxes` (middle, half of width and height). Else a place inside.
    """
    (left, top), (wide, high) = frame.corner, frame.size
    first, last = left + 12, max(left + 12, left + wide - 6 - width)
    edges, inside = [frame.label[1], top + high - 13], range(round(frame.label[1]) + 6, round(top + high) - 19, 6)
    for rows, step, apart in ((edges, 8, 6), (edges, 3, 3), (inside, 3, 6)):
        for y in rows:
            points = [px for px, py in course if abs(py - y) < 12]
            near = [(bx, w) for bx, by, w, h in boxes if abs(by - y) < 10 + h]
            for x in (first + n for n in range(0, max(1, int(last - first) + 1), step)):
                crossed = any(x - apart < px < x + width + apart for px in points)
                if not crossed and not any(x - apart - w < bx < x + width + apart + w for bx, w in near):
                    return x, y
    return first, frame.label[1]


def frame_label(cluster: Cluster, lang: str) -> str:
    """A scope's name, or the part of a loop or branch that the frame shows, in the language of the picture."""
    return LABELS[lang].get(cluster.label, cluster.label)


def ring(node: Node, shape: Box | Circle, lang: str) -> list[Element]:
    """The mark of a node: a ring around it, and a word on its upper border if there is one."""
    if node.mark not in RINGS:
        return []
    colour, dashes = RINGS[node.mark]
    w, h, far = shape.width / 2 + 5, shape.height / 2 + 5, 5
    corner = h if node.kind == "operator" else 10
    paint = colours("none", colour, 4)
    if node.mark == "guilty":
        w, h, far = w + 6, h + 6, -1  # an octagon must not cut off the corners of a box
        cut, side = (0.586 * h, 0.828 * h) if node.kind == "operator" else (16, 2 * h - 32)
        across = 2 * (w - cut)
        steps = ("h", across, "l", cut, cut, "v", side, "l", -cut, cut, "h", -across, "l", -cut, -cut, "v", -side, "z")
        drawn = [element("path", d=path("M", cut - w, -h, *steps), **paint)]
    else:
        drawn = [element("rect", x=-w, y=-h, width=2 * w, height=2 * h, rx=corner, stroke_dasharray=dashes, **paint)]
    line = LABELS[lang]["in line"].format(node.line) if node.line else ""
    if word := f"{LABELS[lang].get(node.mark, '')} {line}".strip():
        half = text_width(word, CAPTION, bold=True) / 2 + 6
        x = max(0.0, min(14.0, w - half)) if shape.round else 0.0  # arrows end on the slanted left side
        drawn.append(rect(x - half, -h - far - 4, 2 * half, 18, "paper", colour, 2))
        drawn.append(text(word, x, -h - far + 9, CAPTION, "ink", at="middle", bold=True))
    return drawn


def tooltip(node: Node) -> str:
    """The tooltip of a node: PyTorch's words, in every language."""
    saved = ", ".join(f"{name} = {what}" if what else name for name, what in node.saved)
    saved = f"\nsaved: {saved}" if saved else ""
    if node.kind == "operator":
        return f"{node.name} {node.type}".strip() + saved
    if node.kind == "folded":
        return f"{node.name}\n{node.count} × {', '.join(node.holds[:MOST])}{', …' * (len(node.holds) > MOST)}"
    return (f"{node.name}\nshape {shape_text(node.shape)}, {node.dtype}".strip() if node.dtype else node.kind) + saved


def style(prefix: str) -> str:
    """The style rules of one picture."""

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


def fitting(prefix: str, width: int) -> str:
    """The rule of a picture inside a page: it shrinks with a narrower page, but stays readable; below that size it
    scrolls. A picture inside a picture keeps its size."""
    return f".{prefix}:not(:root,svg *){{max-width:100%;min-width:{min(width, narrowest(width))}px;height:auto}}"


def later_rules(prefix: str, styled: bool) -> str:
    """The style of elements that have not appeared yet: dashed, with secondary text. Not paler, to stay readable."""
    colour = {name: f"var(--mg-{name})" if styled else LIGHT[name] for name in ("muted", "paper")}
    waits = f".{prefix} .{LATER}"
    return (
        f"{waits}>rect,{waits}>path{{fill:{colour['paper']};stroke:{colour['muted']};stroke-width:1.5px;"
        f"stroke-dasharray:5 4}}{waits}>[fill='none']{{fill:none}}"
        f"{waits}>text{{fill:{colour['muted']}}}"
        f"{waits}>[stroke='{PURPLE}'],{waits}>[stroke='{PURPLE}']+text{{display:none}}"  # nothing is saved yet
    )

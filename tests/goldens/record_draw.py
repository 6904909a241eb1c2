"""Three graphs and all that README shows, how to record them: python tests/goldens/record_draw.py --overwrite

Writes draw_*.svg, steps.svg, which moves, and lessons/*.svg beside this file, laid out by the pinned engine. Open them
in a browser before you commit them: a test can tell that a picture has changed, but not that it is beautiful. Without
--overwrite it only says which differ.
Read next: lesson_cards.py, ../test_viz_draw.py.
"""

import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from goldens.lesson_cards import cards  # noqa: E402  (tests/ is no package)


def product(torch):
    """y = (w + x)(w + 1), with a retained, after backward; README shows it: not at the numbers of lesson 1."""
    w = torch.tensor([4.0], requires_grad=True)
    x = torch.tensor([-1.0], requires_grad=True)
    a = w + x
    a.retain_grad()
    b = w + 1
    y = a * b
    y.backward()
    return y, {"w": w, "x": x, "a": a, "b": b, "y": y}


def steps(torch):
    """y = (w + x)(w + 1) once more, and its backward, a step at a time: README begins with it."""
    import viz

    with viz.record() as tape:
        w = torch.tensor([4.0], requires_grad=True)
        x = torch.tensor([-1.0], requires_grad=True)
        a = w + x
        b = w + 1
        y = a * b
        y.backward()
    return viz.step(tape)


def two_layers(torch):
    """A net with a constant input, values without a name, and saved tensors, before backward."""
    x = torch.ones(64, 1000)
    w1 = torch.ones(1000, 100, requires_grad=True)
    w2 = torch.ones(100, 10, requires_grad=True)
    hidden = (x @ w1).clamp(min=0)
    loss = ((hidden @ w2 - 1) ** 2).sum() * 0.5
    return loss, {"x": x, "w1": w1, "w2": w2, "loss": loss}


def cut(torch):
    """A value that is detached, and a loop that folds."""
    w = torch.tensor([3.0], requires_grad=True)
    square = w * w
    detached = square.detach()
    y = detached * w
    for _ in range(3):
        y = (y * w).tanh()
    return y, {"w": w, "square": square, "cut": detached, "y": y}


GRAPHS = {  # file name: the program, and what `draw` is told besides
    "draw_product.svg": (product, {}),
    "draw_two_layers.svg": (two_layers, {}),
    "draw_cut_backward.svg": (cut, {"direction": "backward", "fold": True, "show": ("values", "saved", "storage")}),
}


def pictures(torch):
    """Pairs (file name, SVG), with the layout of the engine that $MINIGRAD_DOT names."""
    import viz

    for name, (make, options) in GRAPHS.items():
        tensor, names = make(torch)
        yield name, viz.draw(tensor, names=names, **options).svg
    yield "steps.svg", steps(torch).animation()
    yield from cards()


if __name__ == "__main__":
    import minigrad

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--overwrite", action="store_true", help="write the pictures")
    overwrite = parser.parse_args().overwrite
    os.environ["MINIGRAD_DOT"] = "graphviz-pure"
    different = 0
    for name, svg in pictures(minigrad):
        path = HERE / name
        same = path.exists() and path.read_text(encoding="utf-8") == svg
        different += not same
        if overwrite:
            path.write_text(svg, encoding="utf-8", newline="\n")
        print(f"{name}: {'the same' if same else 'written' if overwrite else 'differs'}, {len(svg.encode())} bytes")
    sys.exit(0 if overwrite else different)

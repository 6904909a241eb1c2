"""Python's side of the playground: it runs one program and says what there is to show.

worker.js calls `get_ready` once and `run` once, for a program has its Python to itself; afterwards `show`, for another
tensor's graph. Everything goes out through one function, `say(kind, JSON)`, in the order in which it happens. The page
takes nothing of it for HTML: text is text, a picture is shown as an image.

outputs.py    pictures, plots and `display`
errors.py     an error in words: the reader's part of the traceback, and what the clinic says
"""

from __future__ import annotations

import ast
import builtins
import json
import linecache
import re
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import minigrad
import viz
from viz.graph.names import has_readable_history, is_tensor, named

from . import errors, outputs

FILE = "program.py"
MAGIC = re.compile(r"(\s*)[%!].*")  # a notebook's own commands, such as %matplotlib inline and !pip install
NO_KEYBOARD = "The playground can't ask while a program runs. Write the value into the program instead of input()."
MANY_NAMES = 60  # tensors that are offered in the menu
LONG_STEPS = 3_000_000  # characters of a stepper's data; a browser moves smoothly up to there

say: Callable[[str, str], None]
main = types.ModuleType("__main__")
starts: list[Any] = []  # the tensors from which the last backward pass started
at_the_end: dict[str, Any] = {}  # the graph that the page has shown first
ends_there: list[Any] = []  # the tensors that it ends in


def get_ready(tell: Callable[[str, str], None], lang: str, practise: bool) -> None:
    """Prepare this Python for a program. practise: draw once, since the first picture takes longest."""
    global say
    say = tell
    if lang in viz.locale.languages():
        viz.speak(lang)
    outputs.get_ready(tell)
    builtins.input = no_input
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]  # Python's own come with a terminal
    minigrad.install_as_torch()
    viz.clinic()
    if practise:
        w = minigrad.tensor(2.0, requires_grad=True)
        with viz.record(names={"w": w}) as tape:
            (w * w).backward()
        json.dumps(viz.step(tape).data)
        minigrad.manual_seed(minigrad.initial_seed())


def no_input(prompt: object = "", /) -> str:
    print(prompt, end="", flush=True)
    raise EOFError(NO_KEYBOARD)


def run(source: str) -> None:
    """Run the program, and say what it printed, where it stopped, and what its graph looks like."""
    ended: dict[str, Any] = {}
    sys.modules["__main__"] = main
    main.__file__ = FILE
    tape = viz.record(names=lambda: dict(named(vars(main))), last_turn=True, quiet=True)
    last = None
    try:
        program, value = compiled(source)
        with minigrad.autograd.graph.observe_backward(noted), tape:
            exec(program, vars(main))
            if value is not None:
                last = eval(value, vars(main))
        if last is not None:
            outputs.display(last)
    except SystemExit as error:
        code = 0 if error.code is None else error.code
        ended["exit"] = code if isinstance(code, int) else 1
        if not isinstance(code, int):
            print(code, file=sys.stderr)
    except BaseException as error:
        ended |= errors.told(error, FILE)
        tape.stopped(error, ended["line"])
        starts[:] = errors.roots(error) or starts
    outputs.at_the_end()
    sys.stdout.flush()
    sys.stderr.flush()
    say("ran", json.dumps(ended))
    with suppress(Exception):  # the text is out; without a picture the page stays as it is
        say("graph", json.dumps(graph_of_the_end(tape)))


def compiled(source: str) -> tuple[types.CodeType, types.CodeType | None]:
    """The program, and the expression in its last line, whose value is shown as in a notebook.

    If Python can't read a line that only notebooks know, the line is left out and a note says so.
    """
    left_out: list[int] = []
    while True:
        lines = source.splitlines(keepends=True)
        linecache.cache[FILE] = len(source), None, lines, FILE
        try:
            tree = ast.parse(source, FILE)
            break
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not 0 <= at < len(lines) or not MAGIC.fullmatch(lines[at].rstrip("\n")):
                raise
            left_out.append(at + 1)
            lines[at] = MAGIC.sub(r"\1pass", lines[at].rstrip("\n")) + "\n"
            source = "".join(lines)
    if left_out:
        places = ", ".join(map(str, left_out))
        print(f"Left out: line {places}. Only a notebook knows such commands.", file=sys.stderr)
    value = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        final = tree.body.pop()
        value = compile(ast.Expression(final.value), FILE, "eval", dont_inherit=True)  # type: ignore[attr-defined]
    return compile(tree, FILE, "exec", dont_inherit=True), value


def noted(tensors: tuple[Any, ...]) -> None:
    starts[:] = tensors


# -- the graph ------------------------------------------------------------------------------------


def with_graph() -> dict[str, Any]:
    """The program's tensors that an operator has made, by name."""
    found = {}
    for name, tensor in named(vars(main)):
        if len(found) < MANY_NAMES and has_readable_history(tensor) and tensor.grad_fn is not None:
            found[name] = tensor
    return found


def graph_of_the_end(tape: Any) -> dict[str, Any]:
    """The graph of the last backward pass, else of the last tensor that has one; with the names of all that have."""
    names = with_graph()
    ends = [t for t in starts if is_tensor(t) and t.grad_fn is not None]
    chosen = next((name for name, tensor in names.items() if any(tensor is end for end in ends)), "")
    if not ends and names:
        chosen = list(names)[-1]
        ends = [names[chosen]]
    shown: dict[str, Any] = {"names": list(names), "chosen": chosen, "backward": bool(starts)}
    if tape.too_many:
        shown["no_steps"] = "too many"
    shown["turns_left_out"] = tape.turns_left_out
    ends_there[:] = ends
    at_the_end.update(shown | drawn(ends, tape if tape.script and not tape.too_many else None))
    return at_the_end


def show(name: str, unfold: str = "") -> None:
    """Say what the graph of another tensor looks like; or again that of the end, with the steps of the run. unfold: as
    JSON, the names of boxes; then the picture alone, with these boxes open."""
    is_the_end = name == at_the_end.get("chosen")
    if name and is_the_end and not unfold:
        return say("graph", json.dumps(at_the_end))
    tensor = with_graph().get(name)
    ends = ends_there if is_the_end else [tensor] if tensor is not None else []
    if unfold:
        return say("graph", json.dumps(pictured(ends, json.loads(unfold))))
    say("graph", json.dumps({"chosen": name} | drawn(ends, tensor)))


def pictured(ends: list[Any], opened: list[str]) -> dict[str, Any]:
    """A picture of the graph behind `ends`, with its folded boxes as [name, left, top, width, height]."""
    try:
        picture = viz.draw(*ends, names=dict(named(vars(main))), unfold=opened)
        return {"svg": picture.svg, "alt": picture.alt, "doors": picture.doors(), "opened": opened}
    except Exception as error:  # a graph that is too large says what else to do
        return {"no_picture": str(error), "opened": opened}


def drawn(ends: list[Any], steps: Any) -> dict[str, Any]:
    """A picture of the graph behind `ends`, and the steps through it."""
    shown: dict[str, Any] = pictured(ends, []) if ends else {}
    names = dict(named(vars(main)))
    if steps is not None:
        try:
            data = json.dumps((viz.step(steps, names=names) if is_tensor(steps) else viz.step(steps)).data)
            shown |= {"steps": data} if len(data) < LONG_STEPS else {"no_steps": "too long"}
        except Exception as error:
            shown["no_steps"] = str(error)
    return shown

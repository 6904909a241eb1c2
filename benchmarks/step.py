"""What the stepper costs: `python -m benchmarks.step`; with --write, the table is stored in README.md.

A chain of 250 and 1,000 times z = tanh(z), recorded with its backward, has 500 and 2,000 steps. The kernel
records, writes the script, lays the graph out and paints it once for all steps. After that, the browser makes
every step from the data that it received. Its time is measured on the exported page in headless Chromium, with style
and layout, where playwright is installed.
Imports minigrad, viz; playwright if it is there. Read next: ../viz/stepper/player.js.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import minigrad as torch
import viz

from .report import machine, seconds, size, table

BEGIN, END = "<!-- stepper: begin -->", "<!-- stepper: end -->"
ROUNDS = 3
IN_THE_BROWSER = """async ([count]) => {
    const box = document.querySelector('.viz-step'), slider = box.querySelector('input[type=range]');
    const frame = () => new Promise(done => { document.body.offsetHeight; done(); });
    const key = name => box.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true}));
    const timed = async (act, times) => {
        const took = [];
        for (let i = 0; i < times; i++) {
            const began = performance.now();
            act(i);
            await frame();
            took.push(performance.now() - began);
        }
        return took.sort((a, b) => a - b)[Math.floor(took.length / 2)];
    };
    key('Home');
    const step = await timed(() => key('ArrowRight'), Math.min(count, 200));
    const jump = await timed(i => { slider.value = i % 2 ? 0 : count; slider.dispatchEvent(new Event('input')); }, 20);
    return [step, jump];
}"""


def chain(links: int, recorded: bool) -> Any:
    """The measured program: a chain forward and backward, inside `viz.record` or not."""
    z = torch.tensor([0.9], requires_grad=True)
    with viz.record(names={}) if recorded else nullcontext() as tape:
        for _ in range(links):
            z = z.tanh()
        z.backward()
    return tape


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    """Call `act` ROUNDS times; return the median seconds and the last result."""
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        result = act()
        took.append(time.perf_counter() - began)
    return median(took), result


def in_the_browser(page: str, steps: int) -> tuple[float, float]:
    """Seconds of one step forward, and of a jump from one end to the other."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))
    import labdriver

    with labdriver.chromium() as browser, tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "step.html")
        file.write_text(page, encoding="utf-8")
        opened = browser.new_page(viewport={"width": 1280, "height": 900})
        opened.goto(file.as_uri())
        step, jump = opened.evaluate(IN_THE_BROWSER, [steps])
    return step / 1e3, jump / 1e3


def main() -> None:
    with_browser = find_spec("playwright") is not None
    rows = []
    for links in (250, 1000):
        alone, _ = timed(lambda links=links: chain(links, recorded=False))
        recorded, tape = timed(lambda links=links: chain(links, recorded=True))
        painted, data = timed(lambda tape=tape: viz.step(tape).data)
        steps = len(data["events"])
        row = [f"{steps:,}", seconds(alone), seconds(recorded), seconds(painted), size(len(json.dumps(data)))]
        if with_browser:
            row += map(seconds, in_the_browser(viz.step(tape).html, steps - 1))
        rows.append(row)
    head = ["steps", "the program", "recorded", "laid out and painted", "sent"]
    if with_browser:
        head += ["a step", "a jump from end to end"]
    else:
        print("left out: the browser (pip install playwright)", file=sys.stderr)
    figures = f"{table(head, rows)}\n\n{machine(['numpy'], (0.0, 0.0)).partition(' Load')[0]}"
    print(figures)
    if "--write" in sys.argv:
        readme = Path(__file__).parent / "README.md"
        before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
        readme.write_text(f"{before}{BEGIN}\n{figures}\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()

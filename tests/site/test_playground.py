"""The playground in Chromium: programs, errors, plots, links, and that everybody can use it.

Each page is served by a plain static server under a path, and may ask it alone. The build's own tests are at the end.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from tests.site.playing import Play, link, unpacked

pytestmark = pytest.mark.site
ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "goldens" / "draw_product.svg"
PRODUCT = """import torch
w = torch.tensor([4.0], requires_grad=True)
x = torch.tensor([-1.0], requires_grad=True)
a = w + x
a.retain_grad()
b = w + 1
y = a * b
y.backward()
print(w.grad, x.grad)
"""
STEPPED = "program.py: 4 a = w + x program.py: 6 b = w + 1 program.py: 7 y = a * b"
IN_PLACE = """import torch

w = torch.tensor([1.0], requires_grad=True)
a = w * 2
loss = (a * a).sum()
a += 1
loss.backward()"""
LEAF = "import torch\nw = torch.ones(2, requires_grad=True)\nw += 1"
PLOTS = """import matplotlib.pyplot as plt
import torch
x = torch.linspace(0, 1, 9, requires_grad=True)
plt.plot((x ** 2).detach()); plt.title('Square'); plt.yscale('log'); plt.show()
plt.plot([1, 2]); plt.xlabel('second');
"""
# Keeps every picture that the page makes, since their addresses are given back at once
KEEP = """(() => { const make = URL.createObjectURL; window.made = [];
  URL.createObjectURL = (blob) => { made.push(blob); return make(blob); }; })()"""


# -- a program ---------------------------------------------------------------------------------------


def test_a_program_is_printed_drawn_and_stepped_through(play, snap):
    page = play(code=PRODUCT).page
    opened = Play(page)
    opened.wait("Done in")
    assert opened.printed == "tensor([8.]) tensor([5.])\n"
    steps = page.frame_locator("iframe.steps")
    steps.locator(".viz-step-count").wait_for()
    assert steps.locator(".viz-step-words").inner_text() == "Done. w.grad = 8, x.grad = 5, a.grad = 5."
    assert (
        steps.locator(".viz-step-code").inner_text().split()
        == "program.py: 4 a = w + x program.py: 6 b = w + 1 program.py: 7 y = a * b".split()
    )
    steps.locator(".viz-step-bar button").first.click()
    assert "Step 0 of" in steps.locator(".viz-step-count").inner_text()
    page.get_by_role("button", name="Whole graph").click()
    picture = page.locator(".graph img")
    picture.wait_for()
    assert picture.get_attribute("alt").startswith("y = MulBackward0 of a and b; b = ")
    assert picture.evaluate("(img) => img.naturalWidth") > 300


def test_the_picture_is_the_same_byte_for_byte_as_anywhere(browser, served, has_playground):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(KEEP)
    page.goto(f"{served}play/{link(PRODUCT + 'import viz' + chr(10) + 'viz.draw(y)')}")
    opened = Play(page)
    opened.wait("Done in")
    page.locator(".picture img").wait_for()
    svg = page.evaluate("() => made.find((blob) => blob.type === 'image/svg+xml').text()")
    context.close()
    assert svg == GOLDEN.read_text(encoding="utf-8")


def test_torch_and_its_modules_are_minigrad(play):
    code = (
        "import torch, minigrad\nimport torch.nn as nn\nfrom torch.optim import SGD\nprint(torch is minigrad, nn, SGD)"
    )
    opened = play(code=code)
    opened.wait("Done")
    assert opened.printed.startswith("True <module 'minigrad.nn'")


def test_another_tensors_graph_is_chosen_in_a_menu(play):
    opened = play(code=PRODUCT)
    opened.wait("Done in")
    menu = opened.page.locator(".graph select")
    assert menu.evaluate("(menu) => [...menu.options].map((one) => one.value)") == ["a", "b", "y"]
    assert menu.input_value() == "y"
    menu.select_option("a")
    opened.page.get_by_role("button", name="Whole graph").click()
    opened.wait_for(lambda: "a = AddBackward0" in (opened.page.get_attribute(".graph img", "alt") or ""))
    assert opened.page.locator(".graph select").input_value() == "a"
    opened.page.locator(".graph select").select_option("b")  # in the same view
    opened.wait_for(lambda: (opened.page.get_attribute(".graph img", "alt") or "").startswith("b = AddBackward0"))


def test_back_at_the_first_tensor_the_steps_of_the_run_are_shown_again(play):
    """A pass through a graph whose saved values are freed can't be shown: a reader saw that in place of theirs."""
    opened = play(code=PRODUCT)
    opened.wait("Done in")
    page = opened.page

    def steps():
        return page.frame_locator("iframe.steps").locator("input[type=range]").get_attribute("max")

    first = steps()
    page.locator(".graph select").select_option("a")
    opened.wait_for(lambda: steps() != first)
    page.locator(".graph select").select_option("y")
    opened.wait_for(lambda: steps() == first)


def test_a_program_without_a_graph_says_so(play):
    opened = play(code="x = 1")
    opened.wait("Done")
    opened.wait_for(lambda: "no tensor has a graph" in opened.page.inner_text("#shown"))


def test_what_a_notebook_allows_works(play):
    code = "%matplotlib inline\n!pip install torch\nimport torch\nfrom IPython.display import display\n"
    code += "w = torch.ones(2, requires_grad=True)\ndisplay('shown')\nw.sum() * 2"
    opened = play(code=code)
    opened.wait("Done")
    assert opened.printed.split("\n") == [
        "Left out: line 1, 2. Only a notebook knows such commands.", "shown", "tensor(4., grad_fn=<MulBackward0>)", "",
    ]  # fmt: skip


def test_a_long_loop_shows_its_last_turn(play):
    code = "import torch\nw = torch.tensor(0.0, requires_grad=True)\nfor i in range(300):\n    loss = (w - 1) ** 2\n"
    code += "    loss.backward()\n    w.data -= 0.1 * w.grad\n    w.grad = None"
    opened = play(code=code)
    opened.wait("Done")
    opened.page.frame_locator("iframe.steps").locator(".viz-step-words").wait_for()
    assert re.search(r"last turn; \d+ turns before it", opened.page.inner_text(".graph"))


# -- errors ------------------------------------------------------------------------------------------


def test_an_error_has_its_line_and_the_clinics_words(play, snap):
    opened = play(code=IN_PLACE)
    assert opened.wait("in line") == "RuntimeError in line 7."
    page = opened.page
    first = 'Traceback (most recent call last):\n  File "program.py", line 7'
    assert page.locator(".error > pre").inner_text().startswith(first)
    assert "overwrote the tensor before backward() read it" in page.inner_text(".clinic")
    assert page.locator(".clinic code").first.inner_text() == "backward()"
    assert page.locator(".mark-line-error").inner_text().startswith("loss.backward()")
    parts = page.locator(".mark-line-part").all_text_contents()
    assert parts == ["loss = (a * a).sum()saved it here", "a += 1changed it here"]
    page.locator(".clinic img").wait_for()
    last = page.frame_locator("iframe.steps").locator(".viz-step-words")
    assert last.inner_text() == "Line 7 stops with an error: RuntimeError." and "Done" not in opened.status
    opened.write("print(1)")
    assert page.locator(".mark-line-error, .mark-line-part").count() == 0  # after an edit, a line may have moved


def test_after_an_edit_the_results_are_marked_as_earlier_ones(play, snap):
    opened = play(code="print('before')")
    opened.wait("Done")
    page, note = opened.page, opened.page.locator("#stale")
    assert not note.is_visible()
    page.click(".cm-content")
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("  # edited")
    assert note.inner_text() == "The program has changed since this run: press Run."
    assert page.locator("#results.stale").count() == 1 and opened.printed == "before\n"
    snap(page, "play-stale")
    page.keyboard.press("ControlOrMeta+z")
    opened.wait_for(lambda: opened.code == "print('before')")
    assert not note.is_visible()  # undone: they are right again
    opened.write("print('after')")
    assert note.is_visible()
    opened.run("print('after')")
    assert not note.is_visible() and opened.printed == "after\n"
    opened.write("import time\ntime.sleep(2)\n1 / 0")
    page.click("#run")
    opened.wait("Running")
    opened.write("print('while it runs')")
    opened.wait("in line 3")
    assert note.is_visible() and page.locator(".mark-line-error").count() == 0  # no line of the new program


@pytest.mark.parametrize(
    "code, status, told",
    [
        ("x = 1\nif x\n", "SyntaxError in line 2.", "expected ':'"),
        ("def f():\n    return [][1]\n\nf()", "IndexError in line 2.", 'line 4, in <module>'),
        ("import torchvision", "ModuleNotFoundError in line 1.", "NumPy, matplotlib, and minigrad as torch"),
        ("import torch\ntorch.fft", "AttributeError in line 2.", "torch.fft"),
        ("import torch\ntorch.ones(2, 3) @ torch.ones(2, 3)", "RuntimeError in line 2.", "mat1 and mat2 shapes"),
        ("def f(): f()\nf()", "RecursionError in line 1.", "Previous line repeated"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt in line 1.", ""),
    ],
)  # fmt: skip
def test_errors_name_the_line(play, code, status, told):
    opened = play(code=code)
    opened.wait("in line")
    assert opened.status == status
    assert told in opened.page.inner_text(".error") and "_playground" not in opened.page.inner_text(".error")
    line = int(status.split()[-1].rstrip("."))
    assert opened.page.locator(".mark-line-error").inner_text().startswith(code.split("\n")[line - 1])


def test_input_and_exits(play):
    opened = play(code="name = input('Your name? ')")
    assert opened.wait("in line") == "EOFError in line 1."
    assert opened.printed == "Your name? " and "Write the value into the program" in opened.page.inner_text(".error")
    assert (
        opened.run("import sys\nprint('before')\nsys.exit(3)\nprint('after')")
        == "The program ended itself, with exit code 3."
    )
    assert opened.printed == "before\n"
    assert opened.run("exit('enough')") == "The program ended itself, with exit code 1."
    assert opened.printed == "enough\n"
    opened.run("import os\nos._exit(1)", "Done|ended Python itself|exit code")
    assert opened.run("print('again')").startswith("Done") and opened.printed == "again\n"


# -- plots -------------------------------------------------------------------------------------------


def test_plots_are_shown_and_matplotlib_comes_only_when_it_is_imported(play):
    opened = play(code="print(1)", complains=True)
    asked = []
    opened.page.on("request", lambda request: asked.append(request.url))
    opened.wait("Done")
    assert not [url for url in asked if "plots." in url]
    opened.run(PLOTS)
    opened.wait_for(lambda: opened.page.locator("img.plot").count() == 2)
    assert [image.get_attribute("alt") for image in opened.page.locator("img.plot").all()] == [
        "Figure. Square (1 lines)", "Figure. x: second (1 lines)",
    ]  # fmt: skip
    assert opened.page.locator("img.plot").first.evaluate("(img) => img.naturalWidth") > 600
    assert opened.printed == ""  # no complaint about fonts
    assert len([url for url in asked if "plots." in url]) == 1


def test_a_live_plot_follows_the_loop(play):
    code = "import torch, viz, time\nwith viz.live() as plot:\n    for i in range(1, 400):\n"
    code += "        plot.update(loss=1 / i)\n        time.sleep(0.02)"
    opened = play("?limit=90", code=code)
    opened.wait("Running")
    frames = set()

    def two_frames():
        for image in opened.page.locator("img.plot").all():
            frames.add(image.get_attribute("src"))
        return len(frames) >= 2

    opened.wait_for(two_frames)
    assert "Running" in opened.status
    opened.wait("Done")
    opened.wait_for(
        lambda: opened.page.get_attribute("img.plot", "alt") == "live plot. loss: 399 points, from 1 to 0.0025."
    )


# -- links -------------------------------------------------------------------------------------------


def test_a_shared_link_opens_cold_and_runs(play, browser, served):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    first = Play(context.new_page())
    first.page.goto(f"{served}play/")
    first.wait("Done")
    code = "print('äöü 工具 🙂')\n" + "# " + "x" * 3000
    first.run(code)
    first.page.click("#share")
    first.wait("Link copied")
    address = first.page.evaluate("() => navigator.clipboard.readText()")
    context.close()
    assert unpacked(address) == code and address.startswith(f"{served}play/#c=") and len(address) < 300
    opened = play(code=unpacked(address))
    opened.wait("Done")
    assert opened.printed == "äöü 工具 🙂\n" and opened.code.startswith("print('äöü 工具 🙂')")


def test_the_question_that_a_program_is_from_is_one_click_away(play, served):
    code = (
        (ROOT / "site" / "gallery" / "why-is-grad-none.md").read_text("utf-8").split("```")[1].removeprefix("python\n")
    )
    opened = play("?from=why-is-grad-none", code=code)
    opened.wait("Done")
    page = opened.page
    back = page.locator("#from")
    assert back.inner_text() == "← Why is .grad None?"
    opened.run(code + "print(2)")
    assert unpacked(page.url) == code + "print(2)" and "?from=why-is-grad-none#c=" in page.url
    page.reload()  # the address holds the program that was run
    opened.wait("Done")
    opened.wait_for(lambda: opened.printed.endswith("2\n"))
    back.click()
    page.wait_for_url(f"{served}gallery/why-is-grad-none.html")
    assert page.locator("h1").inner_text() == "Why is .grad None?"
    page.go_back()
    opened.wait_for(lambda: page.locator("#status").count() == 1 and opened.printed.endswith("2\n"))
    page.select_option("#examples", label="What does detach cut?")
    assert back.inner_text() == "← What does detach cut?" and "?from=what-does-detach-cut" in page.url
    page.select_option("#examples", index=1)
    assert not back.is_visible() and "from=" not in page.url
    for unknown in ("nothing", "../../x", "%3Cb%3E"):
        assert not play(f"?from={unknown}", code="1").page.locator("#from").is_visible()


def test_the_menu_names_the_example_that_is_in_the_editor(play):
    opened = play()
    menu = opened.page.locator("#examples")
    assert menu.input_value() == "0"
    opened.write("print(1)")
    assert menu.input_value() == ""
    menu.select_option("0")  # the same example again, after an edit
    opened.wait_for(lambda: "(w + x) * (w + 1)" in opened.code)
    menu.select_option("")  # the reader's own program is not lost
    opened.wait_for(lambda: opened.code.strip() == "print(1)")
    assert menu.input_value() == ""


def test_a_damaged_link_says_so_and_runs_nothing(play):
    for damaged in ("#c=AAAA", "#c=%%%", "#c=S0", "#c=" + link("print(1)")[3:-4]):
        opened = play(damaged)
        opened.page.wait_for_timeout(300)
        assert "This link is damaged" in opened.code or opened.code == "", damaged
        assert opened.printed == ""


def test_a_link_that_unpacks_to_very_much_is_refused(play):
    opened = play(code="#" * 50_000_000)
    opened.page.wait_for_timeout(500)
    assert "This link is damaged" in opened.code


def test_an_embedded_page_is_small_and_starts_nothing_until_it_is_asked(play):
    opened = play("?embed=1", code="print('embedded')", complains=True, height=420)
    asked = []
    opened.page.on("request", lambda request: asked.append(request.url))
    opened.page.wait_for_timeout(500)
    assert not asked and opened.code == "print('embedded')"
    visible = {name: opened.page.locator(name).is_visible() for name in ("#run", "#open", "#examples", "#share", "h1")}
    assert visible == {"#run": True, "#open": True, "#examples": False, "#share": False, "h1": False}
    opened.page.click("#run")
    opened.wait("Done")
    assert opened.printed == "embedded\n"
    with opened.page.context.expect_page() as other:
        opened.page.click("#open")
    assert unpacked(other.value.url) == "print('embedded')" and "embed" not in other.value.url


def test_every_example_of_the_menu_is_in_it(play):
    opened = play()
    titles = opened.page.locator("#examples option").all_inner_texts()
    assert titles[0] == "Your program" and len(titles) >= 5
    opened.page.select_option("#examples", index=2)
    opened.wait("RuntimeError in line")
    assert "a += 1" in opened.code


# -- everybody ---------------------------------------------------------------------------------------


def test_by_keyboard_alone(play):
    opened = play(code="print(1)")
    opened.wait("Done")
    page = opened.page
    page.keyboard.press("Tab")
    page.focus(".cm-content")
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("\nprint(2)")
    page.keyboard.press("ControlOrMeta+Enter")
    opened.wait("Done")
    opened.wait_for(lambda: opened.printed == "1\n2\n")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")  # leaves the editor
    assert page.evaluate("() => !document.activeElement.closest('.cm-editor')")


@pytest.mark.parametrize(
    "width, scheme", [(390, "light"), (390, "dark"), (800, "light"), (1280, "light"), (1280, "dark")]
)
def test_it_is_usable_by_everybody_at_every_width(visit, has_playground, snap, width, scheme):
    import axe_playwright_python

    axe = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
    settings = dict(width=width, height=844 if width == 390 else 800, color_scheme=scheme, bypass_csp=True)
    for name, code, status in (("run", PRODUCT, "Done"), ("error", LEAF, "in line")):
        opened = Play(visit("play/" + link(code), **settings))
        opened.wait(status)
        if name == "run":
            opened.page.frame_locator("iframe.steps").locator(".viz-step-words").wait_for()
        opened.page.wait_for_timeout(700)
        snap(opened.page, f"play-{name}-{width}-{scheme}", full_page=width < 860)
        assert opened.page.evaluate("() => document.documentElement.scrollWidth") <= width
        dark = opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 17)"
        assert dark == (scheme == "dark")
        if width == 390:
            small = "(all) => all.filter((one) => one.getBoundingClientRect().height < 43).map((one) => one.outerHTML)"
            assert not opened.page.locator("button:visible, select:visible").evaluate_all(small)
        opened.page.evaluate(axe)
        found = opened.page.evaluate("axe.run({ resultTypes: ['violations'] }).then((told) => told.violations)")
        assert not [
            f"{one['id']}: {node['html'][:150]} {node['failureSummary'][:200]}"
            for one in found
            for node in one["nodes"]
        ]


def test_it_speaks_chinese(play):
    opened = play("?lang=zh", code=LEAF)
    assert opened.wait("第 3 行") == "第 3 行：RuntimeError。"
    assert "怎么办" in opened.page.inner_text(".clinic") and opened.page.inner_text("#run") == "运行"


# -- the build ---------------------------------------------------------------------------------------


def test_it_is_small_enough(site, has_playground):
    """Bytes over the wire, of any static server: the large files are compressed by the build."""
    play = site / "play"
    plots = sum(path.stat().st_size for path in (play / "files").glob("plots.*.bin"))
    everything = sum(path.stat().st_size for path in play.rglob("*") if path.is_file())
    assert everything - plots <= 14_000_000 and everything <= 18_000_000 and plots


def test_the_pages_name_no_other_server(site, has_playground):
    for path in (site / "play").glob("*.*"):
        if path.suffix in (".html", ".css"):
            text = path.read_text("utf-8").replace("http://www.w3.org/", "")
            assert "http:" not in text and "https:" not in text, path.name


def test_a_runtime_that_is_none_is_told_in_a_sentence(tmp_path):
    spec = importlib.util.spec_from_file_location("playground_build", ROOT / "site" / "playground" / "build.py")
    build = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = build
    spec.loader.exec_module(build)
    told = build.build(tmp_path, runtime=tmp_path)
    assert told == [f"the playground, because {tmp_path} is no Pyodide runtime: it has no pyodide.mjs"]
    (tmp_path / "pyodide-lock.json").write_text(
        json.dumps({"packages": {"numpy": {"file_name": "n.whl", "sha256": "0", "depends": []}}}), encoding="utf-8"
    )
    runtime = build.runtime_module.Runtime(tmp_path)
    (tmp_path / "n.whl").write_bytes(b"not the wheel")
    with pytest.raises(build.runtime_module.Missing, match="its hash differs"):
        runtime.wheel("numpy")

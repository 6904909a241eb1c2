"""What each widget gives to a page: itself where it can live, elsewhere its first picture and why nothing moves.

The table MAKERS names every widget of viz; a test finds those that are missing in it. Read next: viz/front.py.
"""

import ast
import sys
import types
from base64 import b64decode
from pathlib import Path

import anywidget
import pytest
from test_stored_outputs import Sanitised

import minigrad as torch
import viz
from viz.front import VIEW, WHY
from viz.training.live import LivePlot, Output

VIZ = Path(viz.__file__).parent


def product():
    w, x = (torch.tensor([value], requires_grad=True) for value in (2.0, 5.0))
    return (w + x) * (w + 1)


def train(rate):
    while True:
        yield {"loss": rate}


def compiled():
    fast = torch.jit(lambda a: (a * 2 + 0).exp().sum())
    fast(torch.ones(3, requires_grad=True))
    return fast


def static_graph():
    import minigrad.static as tf

    graph = tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, name="x")
        tf.identity(x * 2.0, name="y")
    return graph


def machine(lang):
    import minigrad.static as tf

    with tf.Graph().as_default():
        _, y = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, h * 0.5), [0, 0.5])
    return viz.explore.machine(lambda T: product(), lambda T: (y, T), T=(1, 8, 1, 3), lang=lang)


MAKERS = {  # class: a function of a language that makes one
    "Step": lambda lang: viz.step(product(), lang=lang),
    "Trainer": lambda lang: viz.trainer(train, dict(rate=(1, 9, 1, 2)), lang=lang),
    "Loop": lambda lang: Looping(lang),
    "Exercise": lambda lang: viz.exercise("relu_backward", lang=lang),
    "Questions": lambda lang: viz.before(1, lang=lang),
    "Prediction": lambda lang: viz.predict("What is 1 + 1?", 2, lang=lang),
    "Rerun": lambda lang: viz.rerun(lambda w: viz.draw(product()), w=(1, 3, 1, 2)),
    "Nudge": lambda lang: viz.explore.nudge(lang=lang),
    "Rectangle": lambda lang: viz.explore.rectangle(lang=lang),
    "Descent": lambda lang: viz.explore.descent(lang=lang),
    "Slots": lambda lang: viz.explore.slots(lang=lang),
    "Kink": lambda lang: viz.explore.kink(lang=lang),
    "Ledger": lambda lang: viz.explore.ledger(lang=lang),
    "Memory": lambda lang: viz.explore.memory(lang=lang),
    "RowAndColumn": lambda lang: viz.explore.row_and_column(lang=lang),
    "DrawCurve": lambda lang: viz.explore.draw_curve(forgets=[9.0, 5.0], clears=[9.0, 7.0], lang=lang),
    "Scissors": lambda lang: viz.explore.scissors(lang=lang),
    "Storages": lambda lang: viz.explore.storages(torch.ones(2), lang=lang),
    "Shelf": lambda lang: viz.explore.shelf(lang=lang),
    "Unrolled": lambda lang: viz.explore.unrolled(lang=lang),
    "Machine": machine,
    "Passes": lambda lang: viz.passes(compiled(), lang=lang),
    "Race": lambda lang: viz.explore.race(lambda item: item, lambda: lambda item: item, range(3), lang=lang),
    "Ring": lambda lang: viz.explore.ring(static_graph(), "y", lang=lang),
}
WORDS_ONLY = {"Exercise", "Questions", "Prediction"}  # their first picture is a text
ENGLISH_ONLY = {"Rerun"}
PARTS = {"Ask", "About", "Guess", "Recorded"}  # they stand in a panel, or are recorded for a page: never alone


class Looping:
    """The panel of a loop that is being plotted, as a cell shows it while the loop runs."""

    def __init__(self, lang):
        self.shown = []
        output = Output()
        output._put = lambda data, metadata: self.shown.append((data, metadata))
        plot = LivePlot(output, lang=lang)
        for step in plot.over(range(3)):
            plot.update(loss=step)
            plot._paint_now()

    def _repr_mimebundle_(self):
        return self.shown[0]


def test_the_table_names_every_widget():
    """A class has a widget if it defines or assigns `widget`, or is a kind of one that does."""
    found, kinds = set(), {}
    for file in VIZ.rglob("*.py"):
        for part in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(part, ast.ClassDef):
                kinds[part.name] = {base.id for base in part.bases if isinstance(base, ast.Name)}
                found |= {part.name for each in ast.walk(part) if has_widget(each)}
    for _ in kinds:
        found |= {name for name, bases in kinds.items() if bases & found}
    assert found - {"Panel", "Panelled", *PARTS} == set(MAKERS)  # those two are what others inherit


def has_widget(part):
    made = isinstance(part, ast.FunctionDef) and part.name == "widget"
    return made or isinstance(part, ast.Attribute) and part.attr == "widget" and isinstance(part.ctx, ast.Store)


@pytest.fixture(scope="module")
def made():
    return {}


def bundle(name, lang, made):
    if (name, lang) not in made:
        one = MAKERS[name](lang)
        made[name, lang] = one, one._repr_mimebundle_()
    return made[name, lang]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", MAKERS)
def test_a_page_without_widgets_shows_the_first_picture_and_one_sentence(name, lang, made):
    if name in ENGLISH_ONLY and lang != "en":
        pytest.skip("it says nothing in Chinese")
    one, (data, metadata) = bundle(name, lang, made)
    left = Sanitised(data["text/html"])
    assert left.words.count(WHY.into(lang)) == 1
    if name in WORDS_ONLY:
        assert data["text/plain"] in left.words
    else:
        (picture,) = left.pictures
        assert len(picture["alt"]) > 5 and int(picture["width"]) > 50
        assert b64decode(picture["src"].partition(",")[2]).startswith(b"\x89PNG")
        assert metadata["image/png"]["width"] == int(picture["width"])
    assert WHY.into(lang) not in data["text/plain"]
    assert set(data) <= {VIEW, "text/plain", "text/html", "image/png"}


@pytest.mark.parametrize("name", MAKERS)
def test_the_language_may_be_chosen_once_for_all(name, made):
    """What `viz.speak("zh")` makes of a call without `lang=` is what `lang="zh"` makes of it."""
    spoken = bundle(name, "zh", made)[1][0]
    try:
        viz.speak("zh")
        data = MAKERS[name](None)._repr_mimebundle_()[0]
    finally:
        viz.speak("en")
    why = [Sanitised(each["text/html"]).words.count(WHY.into("zh")) for each in (data, spoken)]
    assert why == [1, 0 if name in ENGLISH_ONLY else 1]
    assert name in ENGLISH_ONLY or data["text/plain"] == spoken["text/plain"]


@pytest.mark.parametrize("name", MAKERS)
def test_a_page_with_widgets_is_given_the_widget_by_the_documented_type(name, made):
    """ipywidgets 7 and 8 show their widgets by different methods; neither is called."""
    _, (data, _) = bundle(name, "en", made)
    view = data[VIEW]
    assert set(view) == {"version_major", "version_minor", "model_id"} and view["version_major"] == 2


def everything(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from everything(child)


@pytest.mark.parametrize("name", sorted(set(MAKERS) - {"Loop"}))
def test_the_sentence_stands_above_a_widget_whose_script_does_not_arrive_and_is_hidden_by_the_script(name, made):
    one, (data, _) = bundle(name, "en", made)
    scripts = [each for each in everything(one.widget) if isinstance(each, anywidget.AnyWidget)]
    if not scripts:
        assert data[VIEW]["model_id"] == one.widget.model_id  # ipywidgets' own: their script is there with ipywidgets
        return
    outer = one.widget._viz_waiting
    assert data[VIEW]["model_id"] == outer.model_id and outer.children[1] is one.widget
    asleep = outer.children[0].value
    assert WHY.into("en") in asleep and 'class="viz-asleep"' in asleep and "max-height: 0" in asleep
    assert all(".viz-asleep { display: none !important; }" in str(each._css) for each in scripts)
    assert one._repr_mimebundle_()[0][VIEW] == data[VIEW]  # shown twice, it is one widget


def test_what_waits_above_a_widget_is_closed_with_it():
    question = viz.predict("What is 2 + 2?", 4)
    question._repr_mimebundle_()
    outer = question.widget._viz_waiting
    question.widget.close()
    assert outer.comm is None and outer.children[0].comm is None


def test_on_colab_the_page_is_told_which_program_loads_the_script(monkeypatch):
    """Colab runs scripts that are not ipywidgets' own only where a program of its own is switched on; anywidget does
    that, and what it writes into the metadata has to arrive. Imitated: two names of Colab's module."""
    output = types.ModuleType("google.colab.output")
    switched = []
    output._widgets = types.SimpleNamespace(_installed_url="https://colab.example/manager.js")
    output.enable_custom_widget_manager = lambda: switched.append(True)
    monkeypatch.setitem(sys.modules, "google.colab.output", output)
    anywidget._util.enable_custom_widget_manager_once.cache_clear()
    try:
        for one in (viz.predict("What is 3 + 3?", 6), viz.step(product()), viz.explore.nudge()):
            _, metadata = one._repr_mimebundle_()
            assert metadata[VIEW]["colab"]["custom_widget_manager"]["url"] == "https://colab.example/manager.js"
    finally:
        anywidget._util.enable_custom_widget_manager_once.cache_clear()
    assert switched


def test_no_other_file_knows_how_a_widget_is_shown():
    for file in VIZ.rglob("*.py"):
        if file.name != "front.py":
            text = file.read_text(encoding="utf-8")
            assert "widget._repr_mimebundle_" not in text and "jupyter.widget-view" not in text, file

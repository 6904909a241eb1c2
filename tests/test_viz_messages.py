"""Do widgets answer to what a page sends? A kernel of this environment, and the messages of ipywidgets' protocol.

It is what a browser's tests see, without a browser: so it runs with every version of ipywidgets and ipykernel, Colab's
among them (.ci/colab.py). Read next: browser/, where the page is a real one.
"""

import gc
import time
import warnings

import pytest
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, RunningKernel

PATIENCE = 120  # seconds, on a busy machine


class Page:
    """What a front end knows: the widgets that the kernel has opened, with their state; and what cells have shown."""

    def __init__(self, kernel):
        self.client = kernel.kc
        self.models, self.outputs, self.order, self.errors = {}, [], [], []

    def run(self, source, wait=True):
        """Run a cell; without `wait`, only send it."""
        self.outputs = []
        request = self.client.execute(source)
        if wait:
            self.until(lambda: request in self.done)
            assert not self.errors, self.errors
        return request

    done: set = set()

    def until(self, found):
        """Read what the kernel says until `found()`."""
        end = time.monotonic() + PATIENCE
        while not found():
            assert time.monotonic() < end, f"the kernel said no more; widgets: {self.models}"
            try:
                self.hear(self.client.get_iopub_msg(timeout=1))
            except Exception as error:
                if type(error).__name__ != "Empty":
                    raise

    def hear(self, message):
        kind, content = message["msg_type"], message["content"]
        if kind == "comm_open":
            self.models[content["comm_id"]] = dict(content["data"]["state"])
            self.order.append(content["comm_id"])
        elif kind == "comm_msg" and content["data"].get("method") in ("update", "echo_update"):
            if content["comm_id"] in self.models:  # else it is one of an earlier test's
                self.models[content["comm_id"]].update(content["data"]["state"])
        elif kind == "comm_close":
            self.models.pop(content["comm_id"], None)
        elif kind in ("display_data", "execute_result", "update_display_data"):
            self.outputs.append(content["data"])
        elif kind == "stream":
            self.outputs.append({"text/plain": content["text"]})
        elif kind == "error":
            self.errors.append(content["evalue"])
        elif kind == "status" and content["execution_state"] == "idle":
            self.done = self.done | {message["parent_header"].get("msg_id")}

    def find(self, **traits):
        """The id of the newest widget whose state has these values, as description="Start"."""
        found = [
            one
            for one in self.order
            if one in self.models and all(self.models[one].get(name) == value for name, value in traits.items())
        ]
        assert found, f"no widget with {traits}"
        return found[-1]

    def send(self, one, **data):
        message = self.client.session.msg("comm_msg", {"comm_id": one, "data": data})
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def press(self, one):
        return self.send(one, method="custom", content={"event": "click"})

    def set(self, one, **state):
        return self.send(one, method="update", state=state, buffer_paths=[])

    def all_text(self):
        """What stands on all HTML widgets."""
        return "\n".join(str(state.get("value", "")) for state in self.models.values())


@pytest.fixture(scope="module")
def kernel(request):
    kernel = RunningKernel(CURRENT_ENV_KERNEL_NAME, str(request.config.rootpath))
    yield kernel
    kernel.stop()
    del kernel
    with warnings.catch_warnings():  # nbval leaves the file open that takes the kernel's stderr
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def page(kernel):
    page = Page(kernel)
    page.run("import minigrad as torch\nimport viz")
    return page


def test_a_slider_that_is_moved_runs_the_code_again(page):
    page.run(
        """def product(w):
    a = torch.tensor([float(w)], requires_grad=True)
    return viz.draw(a * a)
viz.rerun(product, w=(1, 5, 1, 2))"""
    )
    assert "application/vnd.jupyter.widget-view+json" in page.outputs[-1]
    page.set(page.find(description="w"), value=4)
    page.until(lambda: "product(w=4)" in page.all_text())


def test_an_exercise_gives_hints_and_judges(page):
    page.run("q = viz.exercise('relu_backward')\nq")
    panel = page.find(_view_name="AnyView")
    page.send(panel, method="custom", content={"do": "hint"})
    page.until(lambda: len(page.models[panel]["state"]["hints"]) == 1)
    page.run("q.check(3)")
    page.until(lambda: page.models[panel]["state"]["kind"] not in ("untried", "right"))


def test_a_question_and_a_prediction_are_answered(page):
    page.run("viz.before(1)")
    panel = page.find(_view_name="AnyView")
    page.send(panel, method="custom", content={"number": 1, "choice": "?"})
    page.until(lambda: page.models[panel]["state"]["given"][0] == "?")
    page.run("viz.predict('How much is 2 + 3?', 5, {6: 'One too many.'})")
    field = page.find(_view_name="AnyView")
    page.set(field, value="6")
    page.until(lambda: "One too many." in page.all_text())
    page.set(field, value="5")
    page.until(lambda: page.models[field]["state"]["right"])
    page.press(page.find(description="Show me"))
    page.until(lambda: "✓ 5" in page.all_text())


def test_a_button_of_an_explorer_changes_what_it_shows(page):
    page.run("scissors = viz.explore.scissors()\nscissors")
    page.set(page.find(description="✂ 1 | 2"), value=True)
    page.run("print('cuts', [toggle.value for toggle in scissors.toggles])")
    page.until(lambda: any("cuts [True, False, False]" in each.get("text/plain", "") for each in page.outputs))


def test_a_trainer_starts_pauses_and_is_reset(page):
    page.run(
        """def train(rate):
    while True:
        yield {"loss": rate}
panel = viz.trainer(train, dict(rate=(1, 9, 1, 2)), per_second=200, max_iterations=100_000)
panel"""
    )
    page.press(page.find(description="Start"))
    page.until(lambda: "Training" in page.all_text())
    page.press(page.find(description="Pause"))
    page.until(lambda: "Paused after iteration" in page.all_text())
    page.set(page.find(description="rate"), value=5)
    page.until(lambda: "loss 5" in page.all_text())
    page.run("print('other cells run', panel.iteration)")


def test_a_plotted_loop_ends_whatever_is_pressed_and_says_what_the_kernel_can(page):
    """ipykernel 6 reads no button while a cell runs: then there is none, and a sentence says what to do."""
    page.run(
        """from viz.training.loop import hears_buttons
import time
print("hears", hears_buttons())"""
    )
    page.until(lambda: page.outputs)
    hears = "True" in page.outputs[0]["text/plain"]
    request = page.run(
        """with viz.live() as plot:
    for step in plot.over(range(40)):
        plot.update(loss=step)
        time.sleep(0.02)
print("the end")""",
        wait=False,
    )
    page.until(lambda: any("application/vnd.jupyter.widget-view+json" in each for each in page.outputs))
    shown = next(each for each in page.outputs if "application/vnd.jupyter.widget-view+json" in each)
    assert "Nothing moves here" in shown["text/html"]
    box = page.models[shown["application/vnd.jupyter.widget-view+json"]["model_id"]]
    controls = page.models[box["children"][0].removeprefix("IPY_MODEL_")]
    named = [page.models[each.removeprefix("IPY_MODEL_")].get("description") for each in controls["children"]]
    assert ("Stop" in named) == hears
    assert ("interrupt the kernel" in page.all_text()) == (not hears)
    page.press(page.find(description="Stop"))  # as an impatient reader's page may do: nothing may wait for it
    page.until(lambda: request in page.done)
    page.until(lambda: any("the end" in each.get("text/plain", "") for each in page.outputs))
    assert "image/png" in page.outputs[-2] and not page.errors

"""Which Graphviz lays out, and that a picture comes, or one clear sentence, however the engine behaves.

The engines of a machine are imitated by small programs: one answers graph by graph and waits for its reader, others
hang, crash, complain, or answer something else. What a real `dot` must do besides runs where one is installed.
"""

import multiprocessing
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import minigrad as torch
import viz
from viz.drawing import engine, layout, png
from viz.drawing.engine import PINNED, NoGraphviz, find_engine
from viz.drawing.layout import Plan, lay_out

POSIX = sys.platform != "win32"

# Lays every graph out in one line, and answers a graph as soon as it is read, as `dot` does
ANSWERS = r"""
import json, re, sys
source, answer = "", lambda text: None
for line in sys.stdin:
    source += line
    if line.strip() == "}" and source.count("{") - source.count("<") == source.count("}"):
        nodes = re.findall(r"^(\w+) \[width=([\d.]+) height=([\d.]+)", source, re.M)
        edges = re.findall(r"^(\w+) -> (\w+) \[id=(\d+)", source, re.M)
        objects = [{"name": n, "width": w, "height": h, "pos": f"{50 * i},0"} for i, (n, w, h) in enumerate(nodes)]
        edges = [{"id": id_, "pos": "e,9,0 0,0 3,0 6,0 9,0"} for _, _, id_ in edges]
        print(json.dumps({"bb": "0,0,100,100", "objects": objects, "edges": edges, "room": "x" * ROOM}), flush=True)
        source = ""
"""


def program(folder, name, code):
    """A command of this name that runs the Python code; its path."""
    script = folder / f"{name}.py"
    script.write_text(f"ROOM = 0\n{code}", encoding="utf-8")
    if POSIX:
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{script}" "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    else:
        command = folder / f"{name}.bat"
        command.write_text(f'@"{sys.executable}" -I -S "{script}" %*\n', encoding="utf-8")
    return str(command)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """What an engine did in another test does not count here."""
    monkeypatch.setattr(engine, "left_out", {})


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """asked(code): the engine that $MINIGRAD_DOT names runs this Python code; its path."""

    def asked(code):
        path = program(tmp_path, "imitation", code)
        monkeypatch.setenv("MINIGRAD_DOT", path)
        return path

    return asked


PLAN = Plan({"n0": (40, 30), "n1": (30, 30)}, {"n1"}, [("n0", "n1", None)])


def three():
    """A picture of three nodes."""
    w = torch.tensor([2.0], requires_grad=True)
    return viz.draw(w * w + w, names={"w": w})


# -- much at once --------------------------------------------------------------------------------


def test_two_hundred_sources_are_written_while_answers_are_read(asked):
    """Both pipes fill; to write all sources before the first answer is read was to wait for ever."""
    asked(ANSWERS.replace("ROOM", "100_000"))
    assert len(lay_out([PLAN] * 200)) == 200


def test_a_real_engine_gets_more_than_a_pipe_holds(each_engine):
    chain = Plan({f"n{i}": (40, 30) for i in range(30)}, set(), [(f"n{i}", f"n{i + 1}", None) for i in range(29)])
    found = lay_out([chain] * 80)
    assert len(chain.source) * 80 > 65536 * 2 and len(found) == 80 and not engine.left_out
    assert all(geometry == found[0] for geometry in found)


def test_complaints_that_fill_a_pipe_and_come_with_an_answer_are_not_told(asked, capfd):
    asked(f"import sys; sys.stderr.write('Warning: no font\\n' * 100_000)\n{ANSWERS}")
    assert lay_out([PLAN])[0].centres["n1"] == (54, 104)
    assert capfd.readouterr() == ("", "")


# -- engines that fail ---------------------------------------------------------------------------

FAILING = {
    "crashes": ("import os; os.abort()", r"ended with"),
    "crashes in its answer": ("import os; os.write(1, b'{\"bb\": '); os.abort()", r"ended with"),
    "no plugins": (
        "import sys; sys.exit('Format: \"json0\" not recognized. Use one of:')",
        r'Format: "json0" not recognized',
    ),
    "loses an edge": (ANSWERS.replace("edges = [{", "edges = [] and [{"), r"no layout in JSON"),
    "another graph": ("""print('{"bb": "0,0,1,1", "objects": [{"name": "a", "pos": "0,0"}]}')""", r"no layout in JSON"),
    "text": ("print('Usage: dot')", r"no layout in JSON"),
    "nothing": ("", r"no layout in JSON"),
    "no tables": (
        f"import sys; sys.stderr.write('Warning: Not built with libexpat. Table formatting is not available.\\n')\n"
        f"{ANSWERS}",
        r"Not built with libexpat",
    ),
    "sizes in another unit": (ANSWERS.replace('"width": w', '"width": "0"'), r"no layout in JSON"),
    "no UTF-8": ("import sys; sys.stdout.buffer.write(bytes(range(128, 256)))", r"no layout in JSON"),
}


@pytest.mark.parametrize("failing", FAILING)
def test_where_an_engine_fails_the_pinned_one_does_the_work_and_a_sentence_says_so(asked, capfd, failing):
    code, why = FAILING[failing]
    path = asked(code)
    drawn = three()
    assert drawn.svg and not drawn.geometry.frames
    out, told = capfd.readouterr()
    assert out == "" and re.fullmatch(rf"{re.escape(path)} gave no layout \(.*{why}.*\)\. From now on, .*\n", told)
    assert PINNED in told
    assert three().svg == drawn.svg
    assert capfd.readouterr() == ("", "")  # it is told once


@pytest.mark.parametrize("failing", FAILING)
def test_where_every_engine_fails_the_error_names_each_and_says_what_to_do(asked, monkeypatch, failing):
    code, why = FAILING[failing]
    path = asked(code)
    monkeypatch.setattr(engine, "PINNED", path)
    with pytest.raises(NoGraphviz, match=rf"{re.escape(path)}: .*{why}.*pip install") as caught:
        three().svg  # noqa: B018
    assert "\n" not in str(caught.value) and not engine.left_out


@pytest.mark.skipif(not POSIX, reason="Windows starts by the ending of a name")
@pytest.mark.parametrize("bytes_", [b"\x7fELF of another machine", b"#!/no/such/interpreter\n"])
def test_a_program_that_does_not_start(monkeypatch, tmp_path, capfd, bytes_):
    path = tmp_path / "dot"
    path.write_bytes(bytes_)
    path.chmod(0o755)
    monkeypatch.setenv("MINIGRAD_DOT", str(path))
    assert three().svg
    assert f"{path} gave no layout (it did not start: " in capfd.readouterr().err


def test_an_engine_that_hangs_is_stopped_and_left_out(asked, monkeypatch, capfd):
    path, run = asked("import sys, time; sys.stdin.read(); time.sleep(1000)"), engine.run

    def impatient(at, source, patience):
        return run(at, source, 0.2 if at == path else patience)

    monkeypatch.setattr(engine, "run", impatient)
    assert three().svg
    assert f"{path} gave no layout (no answer within 0 seconds)." in capfd.readouterr().err
    monkeypatch.setattr(engine, "run", lambda at, *args: run(at, *args) if at != path else pytest.fail("asked again"))
    assert three().svg


def test_large_graphs_get_more_time():
    """It is never less than thirty times what they usually need."""
    chain = Plan({f"n{i}": (40, 30) for i in range(999)}, set(), [(f"n{i}", f"n{i + 1}", None) for i in range(998)])
    assert chain.seconds == pytest.approx(0.12, abs=0.01)
    assert layout.PATIENCE >= 30 and layout.SLOWER >= 30


# -- what is stopped is gone ---------------------------------------------------------------------

WRAPPER = """
import subprocess, sys
subprocess.call([sys.executable, "-c", {code!r}, sys.argv[0] + ".lock"])
"""
HOLDER = """
import fcntl, os, signal, sys, time
lock = open(sys.argv[1], "w"); fcntl.flock(lock, fcntl.LOCK_EX)
open(sys.argv[1] + ".held", "w").close()
time.sleep(1000)
"""


def wait_for(what):
    until = time.monotonic() + 60
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


def is_free(path):
    import fcntl

    with open(path, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


@pytest.mark.skipif(not POSIX, reason="uses locks as POSIX has them")
def test_what_a_wrapper_script_has_started_is_stopped_with_it(monkeypatch, tmp_path):
    """A script of snap's or conda's starts the real program: to kill the script alone would leave that running."""
    path = program(tmp_path, "wrapper", WRAPPER.format(code=HOLDER))
    lock = Path(f"{path}.py.lock")

    def time_is_over(process, *_, **options):
        wait_for(Path(f"{lock}.held").exists)
        raise subprocess.TimeoutExpired(process.args, options["timeout"])

    monkeypatch.setattr(subprocess.Popen, "communicate", time_is_over)
    with pytest.raises(engine.Failed, match="no answer within"):
        engine.run(path, PLAN.source, 3)
    wait_for(lambda: is_free(lock))


INTERRUPTED = """
import gc, os, sys
from viz.drawing import engine
folder = sys.argv[2]
before = sorted(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else []
for _ in range(3):
    try:
        engine.run(sys.argv[1], "digraph {}", 600)
    except KeyboardInterrupt:
        print("interrupted")
after = sorted(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else []
assert before == after, (before, after)
try:
    print(os.waitpid(-1, os.WNOHANG))
except ChildProcessError:
    print("no child")
"""


@pytest.mark.skipif(not POSIX, reason="sends a signal as POSIX has them")
def test_ctrl_c_stops_the_engine_and_leaves_no_process_and_no_file_open(tmp_path):
    holder = HOLDER.replace("time.sleep", "os.kill(int(sys.argv[2]), signal.SIGINT); time.sleep")
    code = (
        WRAPPER.format(code=holder).replace('".lock"]', '".lock", str(os.getppid())]').replace("import", "import os,")
    )
    path = program(tmp_path, "wrapper", code)
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", INTERRUPTED, path, str(tmp_path)],
        capture_output=True, timeout=120, encoding="utf-8", env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("interrupted\n" * 3 + "no child\n", "")
    assert is_free(f"{path}.py.lock")


@pytest.mark.skipif(not POSIX, reason="sends a signal as POSIX has them")
def test_ctrl_c_while_the_engine_starts_leaves_no_process(monkeypatch, tmp_path):
    """On a busy machine the engine runs before Popen has returned."""
    started = []

    class Slow(subprocess.Popen):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Slow)
    path = program(tmp_path, "dot", "import time; time.sleep(1000)")
    with pytest.raises(KeyboardInterrupt):
        engine.run(path, "digraph {}", 600)
    (process,) = started
    assert process.returncode == -signal.SIGKILL and process.stdin.closed


def test_engines_leave_no_file_open(each_engine):
    """An answer, a failure and a program that does not start."""
    if not os.path.exists("/proc/self/fd"):
        pytest.skip("counts open files in /proc")
    before = len(os.listdir("/proc/self/fd"))
    for source in ("digraph {}", "digraph {", "digraph { a -> b }") * 3:
        engine.run(each_engine, source, 60)
        with pytest.raises(engine.Failed):
            engine.run(each_engine + " is not here", source, 60)
    assert len(os.listdir("/proc/self/fd")) == before


# -- surroundings --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["C", "C.UTF-8", "de_DE.UTF-8", "zh_CN.GB18030"])
def test_another_locale(each_engine, monkeypatch, language):
    expected = lay_out([PLAN])
    for variable in ("LC_ALL", "LC_NUMERIC", "LANG"):
        monkeypatch.setenv(variable, language)
    assert lay_out([PLAN]) == expected and not engine.left_out


def test_numbers_are_asked_for_with_points(asked):
    """A `dot` that reads and writes its numbers as the locale says makes 0,5 of 0.5."""
    asked(f"import os, sys\nif os.environ.get('LC_ALL') != 'C': sys.exit('bb = 0,0,1,5,2,5')\n{ANSWERS}")
    assert lay_out([PLAN]) and not engine.left_out


def test_no_home_and_no_place_to_write(each_engine, monkeypatch):
    expected = lay_out([PLAN])
    for variable in ("HOME", "XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(variable, "/nonexistent")
    assert lay_out([PLAN]) == expected
    monkeypatch.delenv("HOME")
    assert lay_out([PLAN]) == expected and not engine.left_out


SAVES = "import sys, viz, minigrad as torch; w = torch.ones(1, requires_grad=True); viz.draw(w * 2).save(sys.argv[1])"


@pytest.mark.skipif(not POSIX, reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize("closed", ["<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams(tmp_path, closed):
    """A process may have taken the numbers 0, 1 and 2 for its own pipes."""
    path = tmp_path / "picture.svg"
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", SAVES, str(path)]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=environ, timeout=120, check=False).returncode == 0
    assert path.read_text(encoding="utf-8").startswith("<svg")


def test_on_threads(each_engine):
    """As callbacks of widgets do."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(lay_out([PLAN] * 5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [lay_out([PLAN] * 5)] * 8 and not engine.left_out


def test_without_fork(each_engine, monkeypatch):
    monkeypatch.delattr(os, "fork", raising=False)
    assert lay_out([PLAN])


def lay_out_elsewhere(put):
    put(lay_out([PLAN]))


def test_in_a_process_that_was_spawned(each_engine):
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=lay_out_elsewhere, args=[queue.put])
    process.start()
    assert queue.get() == lay_out([PLAN])
    process.join()


def test_a_path_with_a_space_and_chinese(monkeypatch, tmp_path, capfd):
    folder = tmp_path / "my tools 工具"
    folder.mkdir()
    monkeypatch.setenv("MINIGRAD_DOT", program(folder, "dot", ANSWERS))
    assert lay_out([PLAN])[0].size == (108, 108)
    assert capfd.readouterr().err == ""


def test_a_folder_that_is_gone(each_engine, monkeypatch, tmp_path):
    expected = lay_out([PLAN])
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    if POSIX:
        (tmp_path / "gone").rmdir()
    assert lay_out([PLAN]) == expected
    monkeypatch.undo()


# -- in a browser --------------------------------------------------------------------------------


class OneGraph:
    """The WebAssembly engine: like the real one, it reads the first graph of its source and overlooks the others."""

    def __init__(self):
        self.asked, self.answers = [], subprocess.check_output

    def layout(self, source):
        self.asked.append(source)
        return self.answers([engine.path_of(PINNED), "-Tjson0"], input=source.encode()).decode()


@pytest.fixture
def in_browser(monkeypatch):
    """Python in a browser: no processes, and a module graphviz_wasm."""
    one = OneGraph()
    monkeypatch.setattr(engine.sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, engine.IN_BROWSER, one)
    monkeypatch.setattr(engine, "run", lambda *_: pytest.fail("a browser starts no process"))
    return one


def test_a_browsers_engine_gets_one_graph_at_a_time(in_browser):
    others = [Plan({"n0": (40, 30), "n1": (30, 30)}, set(), [("n0", "n1", None)], [(["n0"], None, (9, 9))]), PLAN]
    found = lay_out([PLAN, *others])
    assert find_engine() == engine.IN_BROWSER
    assert [source.count("digraph") for source in in_browser.asked] == [1, 1, 1]
    assert found[0] == found[2] != found[1] and len(found[1].frames) == 1


def test_a_browsers_engine_draws_what_the_pinned_one_draws(monkeypatch, in_browser):
    there = three().svg
    monkeypatch.undo()
    monkeypatch.setenv("MINIGRAD_DOT", PINNED)
    assert there == three().svg


def test_what_a_browsers_engine_says_is_told(in_browser):
    def refuse(_):
        raise RuntimeError("Graphviz is still being loaded")

    in_browser.layout = refuse
    with pytest.raises(NoGraphviz, match=r"graphviz_wasm: Graphviz is still being loaded\). Draw less\.") as told:
        three().svg  # noqa: B018
    assert "pip" not in str(told.value)


def test_a_browser_without_the_engine(monkeypatch):
    monkeypatch.setattr(engine.sys, "platform", "emscripten")
    with pytest.raises(NoGraphviz, match="this page brings no graphviz_wasm"):
        three().svg  # noqa: B018


def test_a_picture_without_resvg_has_its_svg_and_no_png(monkeypatch):
    """As in a browser. What is shown otherwise stays."""
    before = three()._repr_mimebundle_()[0]
    monkeypatch.setattr(png, "find_spec", lambda name: None)
    png.can_make.cache_clear()
    try:
        assert three()._repr_mimebundle_()[0] == {kind: before[kind] for kind in before if kind != "image/png"}
        with pytest.raises(ModuleNotFoundError, match="resvg-py, which is not installed; .svg works"):
            three().png()
    finally:
        monkeypatch.undo()
        png.can_make.cache_clear()
    assert "image/png" in three()._repr_mimebundle_()[0]


# -- which Graphviz ------------------------------------------------------------------------------


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """machine("dot", …) is a machine with these commands, and nothing in the environment."""
    if not POSIX:
        pytest.skip("makes commands as POSIX has them")

    def machine(*commands):
        monkeypatch.delenv("MINIGRAD_DOT", raising=False)
        for command in commands:
            (tmp_path / command).write_text("#!/bin/sh\n", encoding="utf-8")
            (tmp_path / command).chmod(stat.S_IRWXU)
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(engine.sysconfig, "get_path", lambda _: str(tmp_path / "nothing"))
        monkeypatch.setattr(engine.sys, "executable", str(tmp_path / "nothing" / "python"))
        return lambda: Path(find_engine()).name

    return machine


def test_the_systems_dot_comes_first_then_the_one_from_pip(machine):
    assert machine(PINNED)() == PINNED
    assert machine("dot", PINNED)() == "dot"
    assert [Path(path).name for path in engine.engines()] == ["dot", PINNED]


def test_a_machine_may_name_its_engine_and_ci_is_a_machine_as_any_other(machine, monkeypatch):
    found = machine("dot", PINNED)
    monkeypatch.setenv("CI", "true")
    assert found() == "dot"
    monkeypatch.setenv("MINIGRAD_DOT", PINNED)
    assert found() == PINNED


def test_the_one_from_pip_is_found_outside_the_path(machine, monkeypatch, tmp_path):
    found = machine(PINNED)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoGraphviz):
        found()
    monkeypatch.setattr(engine.sys, "executable", str(tmp_path / "python"))
    assert found() == PINNED


def test_one_sentence_when_nothing_can_lay_out(machine, monkeypatch):
    found = machine()
    with pytest.raises(NoGraphviz, match=r"pip install 'minigrad-course\[viz\]'"):
        found()
    monkeypatch.setenv("MINIGRAD_DOT", "dotty")
    with pytest.raises(NoGraphviz, match="'dotty', which was not found"):
        found()
    drawn = three()
    assert "AddBackward0" in drawn.alt  # words need no layout
    with pytest.raises(NoGraphviz):
        drawn.svg  # noqa: B018


def test_pictures_need_no_package_for_graphviz(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    assert three().svg

"""The progress file: no note is lost, whatever the file holds, wherever it lies, and however many kernels write to it.

As a program it does the same at length: `python tests/test_progress_file.py 2000` mutates a full file 2,000 times.
"""

import contextlib
import copy
import errno
import io
import json
import os
import random
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import viz
from viz.lesson import alone, ask, progress, stored
from viz.lesson.ask import PROBES, UNKNOWN
from viz.lesson.exercises import load
from viz.lesson.task import TASKS

load()
POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions, and links only for some")


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "progress.json"
    path.parent.mkdir()
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(path))
    monkeypatch.setattr(progress, "_told", set())
    monkeypatch.setattr(progress, "_slow", False)
    monkeypatch.setattr(progress, "_later", lambda: None)  # else a test would depend on the time it takes
    yield path
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(path))
    progress.forget()


def full():
    """What the file of a reader who has answered everything holds."""
    exercises = {name: {"right": True, "tries": 3, "hints": 1} for name in TASKS}
    questions = {}
    for probes in PROBES.values():
        for each in probes:
            facts = questions[f"{each.lesson}: {each.belief}"] = {}
            for when in ("before", "after"):
                question = getattr(each, when)
                wrong = next(choice for choice in question.choices if choice != question.right)
                facts |= {when: wrong, f"{when} right": False, f"{when} place": ask.place_of(question, wrong)}
            facts["after first"] = facts["after"]
    return {"exercises": exercises, "questions": questions}


def read_everything(writes=True):
    """Every public function that reads the file, and those that write it."""
    viz.course().html(Path())
    repr(viz.course(lang="zh"))
    lesson = random.choice(sorted(PROBES))
    for make in (viz.before, viz.after):
        questions = make(lesson)
        questions._state()
        repr(questions)
    exercise = viz.exercise(random.choice(sorted(TASKS)))
    exercise._state()
    viz.blind({"a": 1, "b": 2})
    if writes:
        question = PROBES[lesson][0]
        viz.before(lesson).answer(1, UNKNOWN)
        viz.after(lesson).answer(1, question.after.right)
        progress.note("exercises", exercise.task.name, until="right", right=True, tries=1)
        known = progress.known()
        assert known["questions"][f"{lesson}: {question.belief}"]["after right"] is True
        assert known["exercises"][exercise.task.name]["right"] is True


# -- what may be in the file ------------------------------------------------------------------------

ODD = [
    None,
    True,
    0,
    -1,
    1.5,
    10**30,
    "",
    "?",
    "\ud800",
    "🙂\0",
    [],
    [1],
    {},
    {"a": 1},
    [[[[]]]],
    {"right": {"right": 1}},
]


def mutated(content, rng):
    """A full file with one thing in it changed: as a value somewhere in it, or as bytes."""
    content = copy.deepcopy(content)
    if rng.random() < 0.6:
        for _ in range(rng.randint(1, 4)):
            holder = content
            for _level in range(rng.randint(0, 2)):
                inner = [value for value in holder.values() if isinstance(value, dict) and value]
                holder = rng.choice(inner) if inner else holder
            key = rng.choice([*holder, "a part of tomorrow", "\udfff", ""]) if holder else "new"
            if rng.random() < 0.3:
                holder.pop(key, None)
            else:
                holder[key] = copy.deepcopy(rng.choice(ODD))
        return json.dumps(content).encode()
    data = bytearray(json.dumps(content, indent=rng.choice([None, 1])).encode())
    change = rng.choice(["cut", "flip", "insert", "twice", "encoding", "whole"])
    at = rng.randrange(len(data))
    if change == "cut":
        del data[at:]
    elif change == "flip":
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
    elif change == "insert":
        data[at:at] = rng.choice([b"NaN", b"Infinity", b"1e999", b"9" * 5000, b"[" * 3000, b"\xff\xfe", b"\0", b'"'])
    elif change == "twice":
        data += bytes(data)
    elif change == "encoding":
        name = rng.choice(["utf-8-sig", "utf-16", "utf-32", "utf-16-le", "latin-1", "gb18030"])
        return bytes(data).decode().replace("right", rng.choice(["right", "né"])).encode(name)
    else:
        return rng.choice(
            [b"", b"\0" * 80, b"null", b"[]", b"3", b'"x"', b"{", b"[" * 9999, b"{}" * 2, b"\xef\xbb\xbf"]
        )
    return bytes(data)


def missing(before, after, path=""):
    """What of `before` is not in `after`, besides facts of ours, which a note may change."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if key not in after:
                yield f"{path}/{key}"
            elif key not in progress.KINDS:
                yield from missing(value, after[key], f"{path}/{key}")
    elif repr(before) != repr(after):
        yield path


def check_mutations(file, count, seed=0):
    """Mutate a full file so many times; after each everything is read and written. What was lost: nothing."""
    rng, content, copies = random.Random(seed), full(), 0
    random.seed(seed)
    for number in range(count):
        data = mutated(content, rng)
        file.write_bytes(data)
        old, whole = stored.parsed(data)
        with contextlib.redirect_stderr(io.StringIO()):
            read_everything(writes=False)
            assert file.read_bytes() == data, f"mutation {number}: reading has changed the file"
            read_everything()
        new = json.loads(file.read_bytes())
        kept = [each.read_bytes() for each in file.parent.glob("progress.damaged-*")]
        copies += bool(kept)
        if not whole and data.strip(b"\0"):
            assert data in kept, f"mutation {number}: damaged, and not kept"
        lost = set.intersection(
            *({*missing(old, stored.parsed(each)[0])} for each in (json.dumps(new).encode(), *kept))
        )
        assert not lost, f"mutation {number}: lost {lost}"
        assert {each.name for each in file.parent.iterdir()} - {file.name} == {
            each.name for each in file.parent.glob("progress.damaged-*")
        }
        progress.forget()
        assert not [*file.parent.iterdir()], "forgotten, and no copy left"
    return copies


def test_no_mutation_of_the_file_raises_or_loses_anything(file):
    copies = check_mutations(file, 120)
    assert 5 < copies < 115, "both kinds were met: what can be read, and what is kept as a copy"


@pytest.mark.parametrize(
    "data", [b"{", b"\xff\xfe\xfd", b"[" * 5000, b'{"a": 1}x', b"[1]", b"0" * stored.LARGEST + b"0"]
)
def test_a_damaged_file_is_kept_beside_and_the_reader_hears_it_once(file, data, capsys):
    file.write_bytes(data)
    assert progress.known() == {} and file.read_bytes() == data, "reading changes nothing"
    progress.note("exercises", "relu", right=True)
    (kept,) = file.parent.glob("progress.damaged-*.json")
    assert kept.read_bytes() == data and progress.known() == {"exercises": {"relu": {"right": True}}}
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(kept) in said
    file.write_bytes(data)
    progress.note("exercises", "relu", right=True)
    assert [*file.parent.glob("progress.damaged-*.json")] == [kept] and not capsys.readouterr().err


def test_what_a_newer_version_has_written_survives_an_older_one_and_the_other_way_round(file):
    newer = full() | {"version": 7, "plan": ["monday"], "scores": {"relu": {"points": 9.5, "by": {"whom": None}}}}
    newer["exercises"]["relu_backward"]["seconds"] = [1, 2, {"x": float("nan")}]
    file.write_text(json.dumps(newer), encoding="utf-8")
    progress.note("exercises", "relu_backward", tries=9)
    newer["exercises"]["relu_backward"]["tries"] = 9
    assert repr(json.loads(file.read_text(encoding="utf-8"))) == repr(newer) and [*file.parent.iterdir()] == [file]
    older = full()
    for facts in older["questions"].values():
        del facts["before place"], facts["after place"]
    file.write_text(json.dumps(older), encoding="utf-8")
    read_everything()
    assert viz.after(7)._state()["given"][-1] == older["questions"][f"7: {PROBES[7][-1].belief}"]["after"]


def reworded(question):
    return ask.Ask(
        ask=question.ask,
        choices={f"now {choice}": said for choice, said in question.choices.items()},
        right=f"now {question.right}",
        proof=question.proof,
    )


@pytest.mark.parametrize("lesson", sorted(PROBES))
def test_an_answer_is_found_again_when_the_choices_are_worded_differently(file, lesson, monkeypatch):
    first = PROBES[lesson][0]
    wrong = next(choice for choice in first.after.choices if choice != first.after.right)
    viz.after(lesson).answer(1, wrong)
    changed = ask.Probe(lesson, first.belief, reworded(first.before), reworded(first.after))
    monkeypatch.setitem(PROBES, lesson, [changed, *PROBES[lesson][1:]])
    state = viz.after(lesson)._state()
    assert state["given"][0] == f"now {wrong}" and state["said"][0].startswith("✗ now")
    fewer = ask.Ask(ask="", choices={"a": "", "b": "", "c": "", "d": "", "e": ""}, right="a", proof="")
    monkeypatch.setitem(PROBES, lesson, [ask.Probe(lesson, first.belief, fewer, fewer), *PROBES[lesson][1:]])
    assert viz.after(lesson)._state()["given"][0] == "", "another question: nothing is taken for its answer"
    swapped = dict(reversed(reworded(first.after).choices.items()))
    if len(swapped) == 2:
        other = ask.Ask(ask="", choices=swapped, right=f"now {first.after.right}", proof="")
        monkeypatch.setitem(PROBES, lesson, [ask.Probe(lesson, first.belief, other, other), *PROBES[lesson][1:]])
        assert viz.after(lesson)._state()["given"][0] == ""


def test_a_note_that_needs_the_place_of_something_else_keeps_a_copy(file):
    file.write_text('{"exercises": [1, 2], "questions": {"x": 3}}', encoding="utf-8")
    progress.note("exercises", "relu", right=True)
    (kept,) = file.parent.glob("progress.damaged-*.json")
    assert kept.read_text(encoding="utf-8") == '{"exercises": [1, 2], "questions": {"x": 3}}'
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "exercises": {"relu": {"right": True}},
        "questions": {"x": 3},
    }


def test_right_stays_right_and_the_first_answer_the_first_also_between_kernels(file):
    progress.note("exercises", "relu", until="right", right=True, tries=1)
    progress.note("exercises", "relu", until="right", right=False, tries=2)
    assert progress.known()["exercises"]["relu"] == {"right": True, "tries": 1}
    progress.note("questions", "q", first={"after first": "a"}, after="a")
    progress.note("questions", "q", first={"after first": "b"}, after="b")
    assert progress.known()["questions"]["q"] == {"after first": "a", "after": "b"}


# -- where the file may lie -------------------------------------------------------------------------


@POSIX
def test_a_link_stays_a_link_and_its_target_is_written(file, tmp_path):
    target = tmp_path / "elsewhere" / "mine.json"
    target.parent.mkdir()
    file.symlink_to(target)
    for name in ("relu", "step"):
        progress.note("exercises", name, right=True)
        assert file.is_symlink() and not target.is_symlink()
    assert set(json.loads(target.read_text(encoding="utf-8"))["exercises"]) == {"relu", "step"}
    assert [*target.parent.iterdir()] == [target] and [*file.parent.iterdir()] == [file]
    target.write_text("{", encoding="utf-8")
    progress.note("exercises", "relu", right=True)
    assert file.is_symlink() and len([*target.parent.iterdir()]) == 2
    progress.forget()
    assert not target.exists() and not [*target.parent.iterdir()], "what is forgotten is deleted, and not its link"


@POSIX
def test_permissions_stay_and_a_write_protected_file_is_left_alone(file):
    progress.note("exercises", "relu", right=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    progress.note("exercises", "step", right=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def cannot(kind, file, tmp_path, monkeypatch):
    if kind == "a folder in its place":
        file.mkdir()
    elif kind == "a file for a folder":
        (tmp_path / "x").write_text("", encoding="utf-8")
        monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "x" / "progress.json"))
    elif kind == "a pipe":
        os.mkfifo(file)
    elif kind == "nowhere":
        monkeypatch.setenv("MINIGRAD_PROGRESS", os.devnull)
    elif kind == "no path":
        monkeypatch.setenv("MINIGRAD_PROGRESS", "a\ud800b" if os.name == "nt" else "x" * 300)
    elif kind == "links in a circle":
        file.symlink_to(file.name)
    elif kind == "no home":
        for name in ("MINIGRAD_PROGRESS", "XDG_DATA_HOME", "LOCALAPPDATA"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(Path, "home", classmethod(lambda _: (_ for _ in ()).throw(RuntimeError("no home"))))
    else:
        number = {"disk full": errno.ENOSPC, "not allowed": errno.EACCES, "read-only": errno.EROFS}[kind]

        def refuse(*_args, **_options):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync" if kind == "disk full" else "open", refuse)


KINDS = "a folder in its place,a file for a folder,nowhere,no path,no home,disk full,not allowed,read-only".split(",")
KINDS += [pytest.param(each, marks=POSIX) for each in ("a pipe", "links in a circle")]


@pytest.mark.parametrize("kind", KINDS)
def test_where_nothing_can_be_written_notes_stay_and_are_written_when_they_can(file, kind, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        cannot(kind, file, tmp_path, patch)
        patch.setattr(progress, "PATIENCE", 0.05)
        progress.note("exercises", "relu", right=True)
        progress.note("exercises", "step", right=False)
        progress.note("exercises", "step", right=True)
        assert progress.known()["exercises"] == {"relu": {"right": True}, "step": {"right": True}}
        read_everything()
        if kind in ("disk full", "not allowed", "read-only"):
            patch.undo()
            monkeypatch.setenv("MINIGRAD_PROGRESS", str(file))
            progress.note("exercises", "third", right=True)
            assert {"relu", "step", "third"} <= set(json.loads(file.read_text(encoding="utf-8"))["exercises"]), (
                "merged later"
            )
            assert not progress._notes
        progress.forget()
        assert progress.known() == {}
        if kind in ("a pipe", "nowhere"):
            assert not stat.S_ISREG(os.stat(os.environ["MINIGRAD_PROGRESS"]).st_mode), "a device was deleted"


def test_a_full_disk_leaves_a_damaged_file_as_it_was(file, monkeypatch):
    file.write_bytes(b"{ damaged")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        progress.note("exercises", "relu", right=True)
        assert file.read_bytes() == b"{ damaged" and [*file.parent.iterdir()] == [file]
    progress.note("exercises", "step", right=True)
    assert set(progress.known()["exercises"]) == {"relu", "step"} and len([*file.parent.iterdir()]) == 2


# -- several who write ------------------------------------------------------------------------------

WRITER = """
import sys, time
from viz.lesson import progress
name, count = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
for number in range(count):
    progress.note("exercises", f"{name} {number}", right=True)
"""


def writers(names, count):
    """So many processes that write at once, each `count` notes."""
    command = [sys.executable, "-c", WRITER]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    processes = [subprocess.Popen([*command, name, str(count)], **pipes) for name in names]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    return processes


def finished(processes):
    for process in processes:
        process.communicate(timeout=120)
        assert process.returncode == 0


def test_two_kernels_write_four_hundred_notes_at_once_and_none_is_lost(file):
    finished(writers("ab", 200))
    assert len(progress.known()["exercises"]) == 400
    assert [*file.parent.iterdir()] == [file]


def test_threads_lose_nothing(file):
    def write(name):
        for number in range(25):
            progress.note("exercises", f"{name} {number}", right=True)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    progress.note("exercises", "last", right=True)
    assert len(json.loads(file.read_text(encoding="utf-8"))["exercises"]) == 201 and not progress._notes


def test_where_a_disk_knows_no_locks_the_file_itself_is_the_lock(file, monkeypatch):
    monkeypatch.setattr(alone, "_lock", lambda _: (_ for _ in ()).throw(OSError(errno.ENOLCK, "No locks available")))
    test_threads_lose_nothing(file)
    assert [*file.parent.iterdir()] == [file]
    left = file.parent / f"{alone.NAME}ed"
    left.write_text("", encoding="utf-8")  # its kernel was killed
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    progress.note("exercises", "waits", right=True)
    assert "waits" in progress._notes.__repr__() and "waits" in progress.known()["exercises"]
    monkeypatch.setattr(alone, "STALE", -1)
    progress.note("exercises", "goes on", right=True)
    progress.note("exercises", "goes on", right=True)
    assert {"waits", "goes on"} <= set(json.loads(file.read_text(encoding="utf-8"))["exercises"]) and not left.exists()


HOLDER = """
import sys
from pathlib import Path
from viz.lesson.alone import alone
with alone(Path(sys.argv[1]), 5) as ours:
    print(ours, flush=True)
    sys.stdin.readline()
"""


def test_a_kernel_that_hangs_holds_up_no_lesson(file, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.2)
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(file.parent)], **pipes)
    try:
        assert holder.stdout.readline() == "True\n"
        tries = []
        monkeypatch.setattr(time, "sleep", lambda seconds, sleep=time.sleep: (tries.append(seconds), sleep(seconds)))
        progress.note("exercises", "first", right=True)
        waited = len(tries)
        progress.note("exercises", "second", right=True)
        assert waited and len(tries) <= waited + 1, "it waits for a hung kernel once"
        assert set(progress.known()["exercises"]) == {"first", "second"} and not file.exists()
        holder.kill()  # as a kernel's restart does
        holder.wait()
        progress.note("exercises", "third", right=True)
        assert set(json.loads(file.read_text(encoding="utf-8"))["exercises"]) == {"first", "second", "third"}
    finally:
        holder.kill()
        holder.communicate()


LATER = progress._later


def test_what_waits_is_written_a_little_later_without_another_note(file, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left on device")))
        progress.note("exercises", "relu", right=True)
    assert not file.exists()
    monkeypatch.setattr(progress, "_later", LATER)
    LATER(0.01)
    progress._timer.join(60)
    assert (
        json.loads(file.read_text(encoding="utf-8")) == {"exercises": {"relu": {"right": True}}} and not progress._notes
    )


def test_what_waits_is_written_when_the_kernel_ends(file):
    program = """
import os
from viz.lesson import progress
real, os.fsync = os.fsync, None
class Full:
    def __call__(self, *_): raise OSError(28, "full")
os.fsync = Full()
progress.note("exercises", "relu", right=True)
os.fsync = real
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    assert progress.known() == {"exercises": {"relu": {"right": True}}}


def test_python_without_locks_of_its_own_writes_all_the_same(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "msvcrt" if os.name == "nt" else "fcntl", None)  # as in a browser
    progress.note("exercises", "relu", right=True)
    assert json.loads(file.read_text(encoding="utf-8")) == {"exercises": {"relu": {"right": True}}} and [
        *file.parent.iterdir()
    ] == [file]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "progress.json"
        os.environ["MINIGRAD_PROGRESS"] = str(path)
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
        copies = check_mutations(path, count, seed=int(sys.argv[2]) if len(sys.argv) > 2 else 1)
        print(f"{count:,} mutations: no exception, no note lost; {copies} times a copy was kept")
        finished(writers("ab", 200))
        print(f"two processes wrote 400 notes at once: {len(progress.known()['exercises'])} are there")

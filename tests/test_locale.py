"""Other languages: English stands in the source, the rest in catalogues, which are in step with it and safe to show."""

from __future__ import annotations

import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad as torch
import viz
from viz import locale
from viz.locale import extract, language, languages, pick, po, room

VIZ = Path(viz.__file__).parent
CATALOGUES = sorted((VIZ / "locale").glob("*/LC_MESSAGES/*.po"))
FILES = sorted(VIZ.rglob("*.py"))


def name_of(file):
    return file.relative_to(VIZ).as_posix()


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch):
    monkeypatch.setattr(locale, "_spoken", "")


# The source


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_the_source_is_english(file):
    """No table by language, and no Chinese sentence: they would be out of a translator's sight."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            assert "zh" not in keys, f"line {node.lineno}: a translation belongs in a catalogue"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "doctest" not in str(file):
            said = re.search("[\u4e00-\u9fff]{2}", node.value)
            assert not said or ">>> " in node.value, f"line {node.lineno}: {said[0]} belongs in a catalogue"


def test_every_file_looks_for_its_words_in_its_own_catalogue():
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "room":
                name = node.args[0]
                if isinstance(name, ast.Constant) and name.value:
                    assert name.value == extract.room_of(file, VIZ), f"{file}, line {node.lineno}"


# The catalogues


def test_every_language_has_a_catalogue_for_every_room_and_no_other():
    rooms = {name for name, files in extract.sources().items() if extract.found_in(files)}
    assert languages() == ["en", "zh"]
    assert {file.stem for file in CATALOGUES} == rooms


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_a_catalogue_is_in_step_with_the_source(file):
    source = [(each.context, each.english) for each in extract.found_in(extract.sources()[file.stem])]
    entries = list(po.entries(file.read_text(encoding="utf-8")))
    assert [entry[:2] for entry in entries] == source, "bring it in step: python -m viz.locale update"


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_a_translation_has_the_english_names_and_code(file):
    for _context, english, translated, fuzzy in po.entries(file.read_text(encoding="utf-8")):
        if translated and not fuzzy:
            assert po.places(english) == po.places(translated), english
            codes = [sorted(re.findall(r"`[^`]+`", text)) for text in (english, translated)]
            assert codes[0] == codes[1], english


# Which language


def test_a_language_is_chosen_once_and_lang_goes_first(monkeypatch):
    assert language() == "en"
    monkeypatch.setenv("MINIGRAD_LANG", "zh")
    assert language() == "zh" and language("en") == "en"
    viz.speak("en")
    assert language() == "en"
    viz.speak("zh")
    w = torch.tensor([2.0], requires_grad=True)
    assert "叶子" in viz.draw(w * 2).svg and "LEAF" in viz.draw(w * 2, lang="en").svg
    assert repr(viz.course()).startswith("课程") and "选项" in repr(viz.before(1))
    assert viz.step(w * 2).script.lang == "zh"


def test_the_clinic_speaks_the_language_of_the_moment():
    w = torch.tensor([2.0], requires_grad=True)
    y = w * w
    y.backward()
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    with viz.clinic():
        viz.speak("zh")
        assert str(viz.clinic.explain(caught.value)).startswith("发生了什么")
    with viz.clinic(lang="en"):
        assert str(viz.clinic.explain(caught.value)).startswith("What happened")


@pytest.mark.parametrize("lang", ["fr", "", "ZH", "zh.po"])
def test_a_language_without_catalogues_is_refused(lang, monkeypatch):
    with pytest.raises(
        ValueError, match=f"^lang must be one of 'en', 'zh', but got {lang!r}\nA language of a folder of your own"
    ):
        viz.speak(lang)
    if lang:
        monkeypatch.setenv("MINIGRAD_LANG", lang)
        with pytest.raises(ValueError, match="^MINIGRAD_LANG must be one of 'en', 'zh'"):
            language()


def test_every_function_that_takes_a_language_takes_the_chosen_one_by_default():
    functions = [each for space in (viz, viz.explore) for name, each in vars(space).items() if not name.startswith("_")]
    defaults = [
        parameter.default
        for each in [*functions, viz.clinic.__call__, viz.Picture]
        if callable(each) and not isinstance(each, type(viz.clinic))
        for name, parameter in inspect.signature(each).parameters.items()
        if name == "lang" and each is not viz.speak
    ]
    assert len(defaults) > 18 and set(defaults) == {None}


# A catalogue as an editor may leave it

WRAPPED = """\ufeff# A translator's own note
msgid ""
msgstr ""
"Language: zh\\n"
"X-Generator: Poedit 3.4\\n"

#. a comment for the translator
#: viz/front.py:3
#, python-brace-format
msgctxt "a key"
msgid ""
"first line\\n"
"with \\"quotes\\" and a \\\\"
msgstr ""
"第一行\\n"
"“引号”和 \\\\"
msgid "no empty line above"
msgstr "上面没有空行"

#, fuzzy, c-format
#| msgid "old"
msgid "changed"
msgstr "旧的"

msgid "not yet"
msgstr ""

msgid "{n} names"
msgstr "{m} 个"

#~ msgid "gone"
#~ msgstr "没了"
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_catalogue_is_read_as_editors_write_it(end, tmp_path):
    file = tmp_path / "zh" / "LC_MESSAGES" / "mine.po"
    file.parent.mkdir(parents=True)
    file.write_bytes(WRAPPED.replace("\n", end).encode("utf-8"))
    mine = room("mine", tmp_path)
    assert mine('first line\nwith "quotes" and a \\', "a key").into("zh") == "第一行\n“引号”和 \\"
    assert mine("no empty line above").into("zh") == "上面没有空行"
    for text in ("changed", "not yet", "{n} names", "gone", "unheard of"):
        assert mine(text).into("zh") == text  # English, until there is a confirmed translation
    locale._folders.remove(tmp_path)


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_our_reader_finds_what_babel_finds(file):
    read_po = pytest.importorskip("babel.messages.pofile", reason="Babel is in the extra `test`").read_po
    with file.open("rb") as stream:
        theirs = {
            (each.context or "", each.id): each.string
            for each in read_po(stream, abort_invalid=True)
            if each.id and each.string and not each.fuzzy
        }
    assert po.read(file.read_text(encoding="utf-8")) == theirs


def test_values_are_filled_in_and_texts_in_texts_are_translated():
    advice = room("errors").table("own_words")
    both = advice.text("both", one="`a`").filled(other="`{b}`")
    data = advice.text("convert", several=both)
    assert data.into("en") == "Convert the data: write `a` and `{b}`, or create the data with `np.float32`."
    assert data.into("zh") == "转换数据：`a` 和 `{b}`，或在产生的地方写 `np.float32`。"
    assert pick("a teacher's own", "zh") == "a teacher's own"
    with pytest.raises(TypeError):
        "as if it were a str: " + data


# A catalogue is read when a text of it is shown

LAZY = """
import sys
import minigrad as torch, viz
from viz import locale
y = torch.tensor([2.0], requires_grad=True) * 2
viz.draw(y).svg, viz.step(y).html, repr(viz.course())
assert locale._catalogue.cache_info().misses == 0, "English needs no catalogue"
assert "babel" not in sys.modules and "viz.locale.update" not in sys.modules
viz.speak("zh")
viz.draw(y).svg
viz.draw(y * 2).svg
assert locale._catalogue.cache_info().misses == 1, "one room, once"
"""


def python(code, **environment):
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", **environment)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_a_catalogue_is_read_when_it_is_needed_and_once():
    python(LAZY)


# A language more

SPANISH = {
    "start": "Antes del primer operador: las hojas tienen sus valores y no hay nada más.",
    "forward": "{what}.",
    "seed 1": "Backward empieza en {name} con gradiente 1, la derivada de {name} respecto a sí mismo.",
    "hands": "{sign} entrega a {target}: {amount}.",
    "product": "gradiente {gradient} × pendiente {slope} = {result}",
    "rule": "La pendiente para {target} es {rule}.",
    "sum": "{target} tiene ahora {before} + {result} = {total}",
    "grad": "{target}.grad = {after}",
    "freed": "Se libera lo que {sign} había guardado.",
    "done": "Listo.",
    "rehearsed": "(Un ensayo: tus tensores siguen como estaban.)",
    "constant": "constante",
    "play": "Reproducir",
    "pause": "Pausa",
    "back": "Paso atrás",
    "next": "Paso adelante",
    "restart": "Desde el principio",
    "speed": "Velocidad",
    "step": "Paso",
    "of": "de",
}
IN_SPANISH = """
import minigrad as torch, viz
w = torch.tensor([3.0], requires_grad=True)
y = w * w
one = viz.step(y, lang="es")
assert one.events[0]["words"] == "Antes del primer operador: las hojas tienen sus valores y no hay nada más."
assert one.events[-1]["words"].startswith("Listo. w.grad = 6. (Un ensayo"), one.events[-1]
assert '"back": "Paso atr\\\\u00e1s"' in one.html or '"back": "Paso atrás"' in one.html
assert "Check" in one.html and 'lang="es"' in one.html  # what has no translation is English
assert viz.step(y).events[0]["words"].startswith("Before")
viz.speak("es")
assert viz.step(y).events[0]["words"].startswith("Antes")
assert "LEAF" in viz.draw(y).svg and repr(viz.course()).startswith("The course")
try:
    viz.speak("fr")
except ValueError as error:
    print(error)
"""


def test_a_language_is_added_by_one_catalogue_and_nothing_else(tmp_path, monkeypatch):
    from viz.stepper.words import PLAYER, WORDS

    assert len(SPANISH) == 20
    words = PLAYER.english | WORDS.english
    blocks = [f'msgctxt "{key}"\nmsgid "{words[key]}"\nmsgstr "{text}"\n' for key, text in SPANISH.items()]
    shutil.copytree(VIZ, tmp_path / "viz", ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = tmp_path / "viz" / "locale" / "es" / "LC_MESSAGES" / "stepper.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text("\n".join(blocks), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(VIZ.parent)]))
    assert python(IN_SPANISH, cwd=tmp_path) == "lang must be one of 'en', 'es', 'zh', but got 'fr'\n"


# Keeping catalogues

SOURCE = """
tr = room("mine")
TEXTS = [tr("{first}", "task"), tr("Is it {{n}} here?"), tr("Gone tomorrow.")]
# Translators: on a button
WORDS = tr.table({{"go": "Go on"}})
"""


@pytest.fixture
def mine(tmp_path):
    pytest.importorskip("babel", reason="Babel is in the extra `test`")
    (tmp_path / "mine.py").write_text(SOURCE.format(first="Write the slope."), encoding="utf-8")
    yield tmp_path
    locale._folders[:] = locale._folders[:1]


def run(folder, *arguments):
    from viz.locale.__main__ import main

    return main(["--folder", str(folder), *arguments])


def translate(file, **pairs):
    text = file.read_text(encoding="utf-8")
    for english, translated in pairs.items():
        english = english.replace("_", " ")
        text = re.sub(f'(msgid "{re.escape(english)}.*"\nmsgstr) ".*"', rf'\1 "{translated}"', text)
    file.write_text(text, encoding="utf-8")


def test_a_changed_english_text_is_fuzzy_until_the_translation_is_kept(mine, capsys):
    file = mine / "locale" / "zh" / "LC_MESSAGES" / "mine.po"
    assert run(mine, "update", "zh") == 0 and "4 texts, 4 missing" in capsys.readouterr().out
    assert "#. Translators: on a button" in file.read_text(encoding="utf-8")
    translate(file, Write="写出斜率。", Is_it="这里有 {n} 个吗？", Gone="明天就没了。", Go_on="继续")
    tr = room("mine", mine / "locale")
    assert run(mine) == 0 and "4 texts, complete" in capsys.readouterr().out
    assert tr("Write the slope.", "task").into("zh") == "写出斜率。"

    changed = SOURCE.format(first="Write down the derivative of this.").replace('"Gone tomorrow."', '"Gone!"')
    changed = changed.replace("Is it {{n}} here?", "Is it {{n}} here?").replace('{"go"', '{"new": "New", "go"')
    (mine / "mine.py").write_text(changed, encoding="utf-8")
    assert run(mine) == 1 and "out of date" in capsys.readouterr().out
    assert run(mine, "update") == 0 and "5 texts, 1 missing, 2 fuzzy" in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    assert '#, fuzzy\n#| msgid "Write the slope."\nmsgctxt "task"\nmsgid "Write down the derivative of this."' in text
    assert run(mine) == 0 and "fuzzy: [task] 'Write down" in capsys.readouterr().out
    assert tr("Write down the derivative of this.", "task").into("zh") == "Write down the derivative of this."
    assert tr("Go on", "go").into("zh") == "继续"

    assert run(mine, "update") == 0 and file.read_text(encoding="utf-8") == text  # a second update changes nothing
    assert run(mine, "keep", "mine", "--containing", "derivative") == 0
    assert "Write the slope." not in file.read_text(encoding="utf-8"), "the old English is left behind as a comment"
    assert "1 taken over" in capsys.readouterr().out
    tr = room("mine", mine / "locale")
    assert tr("Write down the derivative of this.", "task").into("zh") == "写出斜率。"
    assert tr("Gone!").into("zh") == "Gone!"
    assert run(mine, "keep") == 0 and run(mine, "update") == 0
    assert "fuzzy" not in file.read_text(encoding="utf-8")


def test_a_translation_comes_back_with_its_english_and_is_not_kept_for_other_names(mine, capsys):
    file = mine / "locale" / "zh" / "LC_MESSAGES" / "mine.po"
    run(mine, "update", "zh")
    translate(file, Gone="明天就没了。", Is_it="这里有 {n} 个吗？")
    whole = (mine / "mine.py").read_text(encoding="utf-8")
    (mine / "mine.py").write_text(whole.replace(', tr("Gone tomorrow.")', ""), encoding="utf-8")
    run(mine, "update")
    assert '#~ msgid "Gone tomorrow."' in file.read_text(encoding="utf-8")
    (mine / "mine.py").write_text(whole.replace("Is it {n} here?", "Is it {m} here?"), encoding="utf-8")
    run(mine, "update")
    assert '\nmsgid "Gone tomorrow."\nmsgstr "明天就没了。"' in file.read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(mine, "keep") == 1 and "the names in braces differ" in capsys.readouterr().out


def test_when_every_english_text_is_rewritten_its_translation_is_found_again():
    """The words of our longest rooms, three in ten of them others, some texts gone and some new."""
    pytest.importorskip("babel", reason="Babel is in the extra `test`")
    from random import Random

    from viz.locale.update import Entry, paired, read

    for file in CATALOGUES:
        random, old = Random(file.stem), read(file)
        vocabulary = sorted({word for each in old for word in re.findall(r"\w+", each.english)})
        new, was = [], {}
        for each in old:
            if random.random() < 0.02:
                continue
            if random.random() < 0.02:
                new.append(Entry("", " ".join(random.choices(vocabulary, k=12))))
            words = [random.choice(vocabulary) if random.random() < 0.3 else word for word in each.english.split()]
            new.append(Entry(each.context, " ".join(words)))
            was[new[-1].key] = each
        found = paired(old, new)
        right = sum(found.get(key) == each for key, each in was.items())
        assert right >= 0.98 * len(was), f"{file.stem}: {right} of {len(was)}"


def test_a_text_that_moves_to_another_room_brings_its_translation_along(mine):
    run(mine, "update", "zh")
    translate(mine / "locale" / "zh" / "LC_MESSAGES" / "mine.po", Gone="明天就没了。")
    (mine / "mine.py").write_text("", encoding="utf-8")
    (mine / "other.py").write_text(SOURCE.format(first="New."), encoding="utf-8")
    run(mine, "update")
    assert room("other", mine / "locale")("Gone tomorrow.").into("zh") == "明天就没了。"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('tr(f"Is it {name}?")', "line 2: `f'Is it {name}?'` must be a string that is not empty"),
        ('tr("")', "line 2: `''` must be a string that is not empty"),
        ('tr("Yes", context)', "line 2: `context` must be a string that is not empty"),
        ("tr.table(WORDS)", "line 2: `tr.table` takes a dict that is written out, or the name of a file"),
        ("tr.table({**MORE})", "line 2: `tr.table` takes a dict that is written out, or the name of a file"),
    ],
)
def test_a_text_that_no_catalogue_can_hold_is_named_with_file_and_line(line, why, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(f'{file}, {why}')}$"):
        extract.found_in([file], tmp_path)


def test_a_table_in_a_file_is_read_found_and_translated():
    from viz.explore.words import NUDGE

    file = VIZ / "explore" / "texts" / "nudge.toml"
    found = {each.context: each.english for each in extract.found_in([file])}
    assert found == NUDGE["en"] and found["through"] == "through {}" and NUDGE["zh"]["through"] != "through {}"


@pytest.mark.parametrize("text", ['key = "a', "key = 3", '[part]\nkey = "a"', 'key = """a\nb"""', "key", 'key = ""'])
def test_a_line_of_a_table_that_is_no_text_is_named(tmp_path, text):
    file = tmp_path / "words.toml"
    file.write_text(f"# a comment\n\n{text}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"words.toml, line 3: a text is written key = "):
        extract.found_in([file], tmp_path)


def test_babel_extracts_the_same_texts():
    babel = pytest.importorskip("babel.messages.extract", reason="Babel is in the extra `test`")
    file = VIZ / "stepper" / "words.py"
    with file.open("rb") as stream:
        theirs = [each[1] for each in babel.extract(extract.python, stream, {"pgettext": ((1, "c"), 2)})]
    ours = [each.english for each in extract.found_in([file])]
    assert [each if isinstance(each, str) else each[-1] for each in theirs] == ours


@pytest.mark.parametrize("line", ['msgid "open', 'msgstr "he said "yes" to it"', "msgid yes", "<<<<<<< HEAD"])
def test_a_file_that_is_no_catalogue_is_named_with_its_line(line, mine, capsys):
    file = mine / "locale" / "zh" / "LC_MESSAGES" / "mine.po"
    run(mine, "update", "zh")
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}\n{line}\n", encoding="utf-8")
    capsys.readouterr()
    number = len(text.splitlines()) + 2
    assert run(mine) == 2 and capsys.readouterr().err.startswith(f"{file}, line {number}: `{line}`")


def test_a_folder_lists_its_own_languages_and_its_own_command(mine, capsys):
    assert run(mine) == 0
    assert f"python -m viz.locale --folder {mine} update es" in capsys.readouterr().out
    run(mine, "update", "es")
    (mine / "mine.py").write_text(SOURCE.format(first="Another text."), encoding="utf-8")
    capsys.readouterr()
    assert run(mine) == 1
    told = capsys.readouterr().out
    assert f"(out of date: python -m viz.locale --folder {mine} update)" in told and "zh" not in told


def test_one_catalogue_is_updated_and_a_folder_may_hold_one_of_the_package(mine, capsys):
    catalogues = mine / "locale" / "es" / "LC_MESSAGES"
    assert run(mine, "update", "es", "lesson") == 0
    assert [each.name for each in catalogues.iterdir()] == ["lesson.po"]
    translate(catalogues / "lesson.po", Try_once_first="Primero prueba una vez.")
    assert run(mine, "update", "es") == 0  # the package's catalogue stays, and is kept in step with the package
    assert {each.name for each in catalogues.iterdir()} == {"lesson.po", "mine.po"}
    text = (catalogues / "lesson.po").read_text(encoding="utf-8")
    assert "Primero prueba una vez." in text and "#~" not in text
    assert run(mine) == 0 and "es lesson: " in capsys.readouterr().out
    assert run(mine, "update", "es", "lesn") == 2
    assert "'lesn' is no language such as es, and no catalogue" in capsys.readouterr().err


def test_a_list_may_be_cut_by_head(mine):
    run(mine, "update", "es")
    program = (
        "import os, sys; from viz.locale.__main__ import main; r, w = os.pipe(); os.close(r); os.dup2(w, 1); "
        f"code = main(['--folder', {str(mine)!r}]); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1 and done.stderr == ""

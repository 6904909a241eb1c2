"""Questions that the reader answers: with words to choose from, with typed words and numbers, in two languages."""

import warnings

import pytest

import viz


def test_a_choice_is_checked_when_it_is_made():
    question = viz.predict("Up or down?", lambda: "up", {"down": "Look again."}, choices=["up", "down"])
    assert question.field.value is None and question.feedback.value == "" and question.show.disabled
    question.field.value = "down"
    assert "✗ down. Look again." in question.feedback.value and not question.show.disabled
    question.field.value = "up"
    assert "✓ up." in question.feedback.value


def test_something_may_happen_when_it_is_answered_right_or_wrong():
    happened = []
    question = viz.predict("1 + 1?", 2, then=lambda: happened.append(question.tried[-1]))
    question.check("3")
    question.check("2")
    assert happened == ["3", "2"]


def test_a_typed_word_may_have_an_article_and_a_number_no_zero():
    assert viz.predict("?", lambda: "error").check("An error.").startswith("✓")
    assert viz.predict("?", lambda: 0.5).check(".5").startswith("✓")


def test_what_python_writes_with_a_capital_is_told_so():
    for word in ("None", "True", "False"):
        question = viz.predict("?", word)
        assert question.check(word.lower()) == question.reveal() == f"✓ {word}."
        assert viz.predict(f"{word}, unasked?", word).reveal() == f"The answer: {word}."


def test_a_small_number_is_written_without_an_exponent():
    assert viz.predict("How small?", 0.000001).check("1e-6") == "✓ 0.000001."


def test_its_buttons_speak_chinese(monkeypatch):
    monkeypatch.setattr(viz.lesson.predict.Prediction, "given", {})
    question = viz.predict("1 + 1 = ?", lambda: 2, lang="zh")
    assert question.check("") == "请先写下你的预测。" and question.show.disabled
    assert question.check("two") == "✗ two. 请填一个数。"
    assert question.reveal() == "答案：2。"


def test_who_reads_only_words_can_answer_too():
    question = viz.predict("Which is it?", "B", choices=["A", "B"])
    assert repr(question) == "predict: Which is it? (run this cell, then answer)\n  choices: A / B"
    lines = repr(viz.before(1)).splitlines()
    assert "   choices: 2 / 5 / 7 / 10" in lines and "     y = w * 10" in lines
    assert "   选项: 2 / 5 / 7 / 10" in repr(viz.before(1, lang="zh"))


def test_it_may_ask_something_else_and_forgets_what_was_said_to_the_first(monkeypatch):
    monkeypatch.setattr(viz.lesson.predict.Prediction, "given", {})
    question = viz.predict("1 + 1?", 2)
    question.field.value = "3"
    question.ask("2 + 2?", 4, {3: "One less."})
    assert question.field.value is None and question.feedback.value == "" and "2 + 2?" in repr(question)
    question.field.value = "3"
    assert "✗ 3. One less." in question.feedback.value


def test_thousands_may_be_set_apart_where_the_answer_has_some():
    question = viz.predict("How many weights?", 101000)
    for text in ("101000", "101,000", "101 000", "101_000"):
        assert question.check(text).startswith("✓"), text
    assert question.check("101").startswith("✗")
    assert viz.predict("A half of 0.25?", 0.125).check("0,125").startswith("✓")


def test_what_a_library_says_of_its_own_future_is_not_called_a_warning_of_pytorch(capsys):
    """matplotlib 3.10 with today's pyparsing: "PyTorch warns here, too: 'oneOf' deprecated" stood in lesson 5."""

    class Both(UserWarning, DeprecationWarning):
        """As pyparsing's are."""

    with viz.folded("the proof"):
        warnings.warn("'oneOf' deprecated - use 'one_of'.", Both, stacklevel=1)
        warnings.warn("it will change.", FutureWarning, stacklevel=1)
        warnings.warn("The .grad of a tensor that is not a leaf. And so on.", UserWarning, stacklevel=1)
    assert capsys.readouterr().out == (
        "folded: the proof\nPyTorch warns here, too: The .grad of a tensor that is not a leaf.\n\n"
    )


@pytest.mark.parametrize("typed", ["(4, 4)", "(4,4)", "4,4", "4 x 4", "4×4", "[4, 4]", "torch.Size([4, 4])", "(4, 4)."])
def test_a_shape_may_be_written_in_any_way(typed):
    question = viz.predict("What is the shape of `p - t`?", "(4, 4)", {"(4,)": "four", 16: "sixteen"})
    assert question.check(typed).startswith("✓")
    assert question.check("(4,)") == "✗ (4,). four" and question.check("16") == "✗ 16. sixteen"
    assert question.check("(4, 1)").startswith("✗")


@pytest.mark.parametrize("typed", ["101000", "101,000", "101.000", "101 000", "101'000", "1.01e5"])
def test_a_large_number_may_be_grouped_in_any_way(typed):
    assert viz.predict("How many?", 101000).check(typed).startswith("✓")


def test_a_point_with_three_digits_stays_a_decimal_point_in_small_numbers_and_after_four_digits():
    assert viz.predict("How many?", 1234.5).check("1234.500").startswith("✓")
    assert viz.predict("How much?", 0.125).check("0.125").startswith("✓")
    assert viz.predict("How many?", 101000).check("101.0").startswith("✗")

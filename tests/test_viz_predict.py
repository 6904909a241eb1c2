"""Questions that the reader answers: with words to choose from, with typed words and numbers, in two languages."""

import warnings

import pytest

import minigrad as torch
import viz
from viz.lesson.typed import computed, plain

UNREADABLE = "I can't read `{}` as a number. Type one such as 6, 0.5, 1e-3 or 1/10."


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
    assert question.check("two") == "`two` 无法读成一个数。请填一个数，例如 6、0.5、1e-3 或 1/10。"
    assert question.check("None") == "✗ None. 请填一个数。"
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


@pytest.mark.parametrize("stops", [ValueError, KeyboardInterrupt])
def test_what_was_printed_before_an_error_or_an_interrupt_stays_folded(capsys, stops):
    """A loop that never ended was interrupted, and the reader saw nothing of what it had printed."""
    with pytest.raises(stops), viz.folded("the proof", empty="Nothing."):
        print("2 + 3 =", 2 + 3)
        raise stops
    with pytest.raises(stops), viz.folded("a second proof", empty="Nothing."):
        raise stops
    assert capsys.readouterr().out == "folded: the proof\n2 + 3 = 5\n\n"


def test_a_print_of_the_readers_does_not_stand_for_an_opinion(capsys):
    """Below `torch.Size([5, 5])`, nothing said that the clinic had found nothing."""
    with viz.folded("a second opinion", empty="Nothing is found."):
        print(5)
    assert capsys.readouterr().out == "folded: a second opinion\n5\nNothing is found.\n\n"


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
    assert viz.predict("How many?", 101000, {101001: "One too many."}).check("101001") == "✗ 101001. One too many."


def test_a_belief_may_be_a_function_of_the_number():
    beliefs = {0.02: "one step", lambda rate: rate <= 0: "uphill", lambda rate: rate > 0.04: "too large"}
    question = viz.predict("Which rate?", 0.04, beliefs | {lambda rate: True: "too small"})
    for typed, reply in {"0.02": "one step", "0": "uphill", "7": "too large", "1/30 = 0.0333333": "too small"}.items():
        assert question.check(typed.partition(" =")[0]) == f"✗ {typed}. {reply}"
    assert question.check("a lot") == UNREADABLE.format("a lot") and question.check("1/25").startswith("✓")


SUMS = {
    "7+7": 14,
    "9 + 1 + 4": 14,
    "2 * 7": 14,
    "2×7": 14,
    "2 · 7": 14,
    "28 ÷ 2": 14,
    "28/2": 14,
    "(3 + 4) * 2": 14,
    "16 − 2": 14,
    "-(2 - 16)": 14,
    "2**4 - 2": 14,
    "2^4 - 2": 14,
    "2² + 10": 14,
    "13,5 + 0,5": 14,
    "７＋７": 14,
    "w.grad = 7 + 7": 14,
    "7 + 7 = 14": 14,
    "1.4e1": 14,
    "07 + 07": 14,
    "it is 14": 14,
}


@pytest.mark.parametrize("typed", SUMS)
def test_a_sum_of_numbers_is_an_answer_and_the_reply_says_what_it_was_read_as(typed):
    question = viz.predict("?", 14, {15: "One less."})
    written = typed in ("7 + 7 = 14", "1.4e1", "it is 14")  # nothing has to be computed
    assert question.check(typed) == ("✓ 14." if written else f"✓ {typed} = 14.")
    assert question.reveal() == "✓ 14."
    assert viz.predict("?", 13, {14: "One less."}).check(typed).endswith("One less.")
    assert viz.predict("?", "error").check(typed).startswith("✗")


UNREAD = [
    "9**9**9**9",
    "10**400",
    "1/0",
    "(-8)**(1/2)",
    "2 + j",
    "1j + 1",
    "max(1, 2) + 11",
    "__import__('os').getcwd() + 1",
    "[1][0] + 13",
    "7 // 2 + 11",
    "7 +",
    "(" * 90 + "7" + ")" * 90 + "+ 7",
    "1" + "+1" * 60,
    "(4,4)",
    "1e999",
    "1e-999999999 + 1e999999999",
    "nan",
    "inf",
]


@pytest.mark.parametrize("typed", UNREAD)
def test_what_is_no_sum_of_numbers_is_not_computed(typed):
    assert computed(typed) is None and isinstance(plain(typed), str)
    asked = UNREADABLE if typed not in ("nan", "inf") else "✗ {}. A number, please."
    assert viz.predict("?", 14).check(typed) == asked.format(typed)


def test_a_sum_is_shown_as_the_number_that_it_gives():
    assert viz.predict("?", 1 / 18).check("1/18") == "✓ 1/18 = 0.0555556."
    assert viz.predict("?", 0.1001).check("1/10") == "✓ 0.1001 (1/10 = 0.1)."
    assert viz.predict("?", 10.0, {6.0: "That is 4 + 2."}).check("4+2") == "✗ 4+2 = 6. That is 4 + 2."
    assert viz.predict("How many?", 101000).check("1000*100 + 100*10") == "✓ 1000*100 + 100*10 = 101000."
    assert viz.predict("How many?", 101000).check("100,000 + 1,000").startswith("✓")
    assert viz.predict("?", 2e6).check("1000*1000") == "✗ 1000*1000 = 1000000. That is not it. Try again."


def test_a_product_of_sizes_is_a_shape_where_a_shape_is_the_answer_and_a_choice_stays_as_it_is():
    question = viz.predict("Which shape?", "(4, 4)", {"(4, 1)": "One column.", 4: "Four."})
    assert question.check("4*4") == "✓ (4, 4)." == question.reveal()
    assert question.check("4*1") == "✗ 4*1. One column."
    choice = viz.predict("Which?", "2 * 3", choices=["2 * 3", "7"])
    assert choice.check("2 * 3") == "✓ 2 * 3."


@pytest.mark.parametrize(
    "typed", ["RuntimeError", "exception", "crash", "an error", "a crash", "it crashes", "ValueError"]
)
def test_an_error_may_be_called_otherwise(typed):
    for name in ("error", "an error", "RuntimeError"):
        question = viz.predict("What happens?", name, {7: "A number."})
        assert question.check(typed).startswith("✓ ") and question.reveal().startswith("✓ "), name
        assert viz.predict("What happens?", 7, {name: "It works."}).check(typed) == f"✗ {typed}. It works."
    assert viz.predict("What happens?", 7).check(typed) == f"✗ {typed}. A number, please."


@pytest.mark.parametrize("typed", ["nothing", "empty", "null", "no", "no gradient", "w.grad is None", "none", "None."])
def test_none_may_be_called_otherwise_where_it_is_meant(typed):
    for none in ("None", None):
        question = viz.predict("What is `w.grad`?", none, {7: "A number.", 0: "Not zero."})
        assert question.check(typed) == question.reveal() == "✓ None."
        assert viz.predict("What is `w.grad`?", 7, {none: "It is a leaf."}).check(typed) == f"✗ {typed}. It is a leaf."


def test_a_word_that_the_question_knows_means_itself():
    question = viz.predict("Did it work?", "yes", {"no": "It did.", "None": "Not that."}, choices=["yes", "no", "None"])
    assert question.check("no") == "✗ no. It did."
    assert viz.predict("?", "error").check("no error").startswith("✗")
    assert viz.predict("?", 0, {"None": "A leaf has one."}).check("0") == "✓ 0."


READ = {  # typed -> (the right answer, whether it is right)
    "tensor([6.], grad_fn=<MulBackward0>)": (6, True),
    "tensor(6., grad_fn=<SumBackward0>)": (6, True),
    "tensor(6.)": (6, True),
    "tensor([[6.]])": (6, True),
    "tensor([6.], dtype=torch.float64, requires_grad=True)": (6, True),
    "Parameter containing:\ntensor([6.], requires_grad=True)": (6, True),
    "torch.tensor(6)": (6, True),
    "Tensor(6.0)": (6, True),
    "Tensor([6.])": (6, True),
    "array([6.])": (6, True),
    "array([6.], dtype=float32)": (6, True),
    "np.float64(6.0)": (6, True),
    "np.float32(6.0)": (6, True),
    "w.grad = tensor([6.])": (6, True),
    "tensor([-0.2500])": (-0.25, True),
    "tensor([1.0000e-03])": (0.001, True),
    "tensor([7.], grad_fn=<MulBackward0>)": (6, False),
    "tensor([6., 7.])": (6, None),
    "154 nodes": (154, True),
    "154 nodes.": (154, True),
    "154 backward nodes": (154, True),
    "155 nodes": (154, False),
    "20 steps": (20, True),
    "0.5 s": (0.5, True),
    "about 6": (6, True),
    "~6": (6, True),
    "line 4": (4, True),
    ">>> 6": (6, True),
    "= 6": (6, True),
    "6.": (6, True),
    "6.0": (6, True),
    "+6": (6, True),
    "−6": (-6, True),
    "–6": (-6, True),
    "1e-3": (0.001, True),
    "1E-3": (0.001, True),
    "10^-3": (0.001, True),
    "10⁻³": (0.001, True),
    "2·10⁻³": (0.002, True),
    "1/1000": (0.001, True),
    "1 1/2": (1.5, True),
    "½": (0.5, True),
    "0,5": (0.5, True),
    "1.234,5": (1234.5, True),
    "1,234.5": (1234.5, True),
    "101.000": (101000, True),
    "101.000 ": (101, True),
    "1,000,000": (1e6, True),
    "50%": (0.5, True),
    "50 %": (50, True),
    "(4,4)": ("(4, 4)", True),
    "4 x 4": ("(4, 4)", True),
    "4-by-4": ("(4, 4)", True),
    "torch.Size([4])": ("(4,)", True),
    "torch.Size([])": ("()", True),
    "torch.Size([4, 1])": ("(4, 4)", False),
    "no": ("None", True),
    "No.": ("no", True),
    "None.": ("None", True),
    "False": ("no", True),
    "yes": ("True", True),
    "154 个": (154, True),
    "z[1,1]": ("z[1, 1]", True),
    "5 million": (5, None),
    "2 w": (2, None),
    "6 or 7": (6, None),
    "not 6": (6, None),
    "six-ish": (6, None),
    "asdf": (6, None),
    "four by four": ("(4, 4)", None),
    "10⁻³ ": (7, False),
}


@pytest.mark.parametrize("typed", READ)
def test_what_people_type_is_read_and_what_nobody_can_read_is_asked_again(typed):
    right, fits = READ[typed]
    question = viz.predict(f"{typed}?", right)
    told = question.check(typed)
    assert told.startswith({True: "✓", False: "✗", None: "I can't read"}[fits]), told
    assert len(question.tried) == (fits is not None) and question.show.disabled == (fits is not False)


def test_yes_and_no_are_read_in_chinese():
    assert viz.predict("对吗？", "no", lang="zh").check("不").startswith("✓")
    assert viz.predict("w.grad 是什么？", "None", lang="zh").check("没有。").startswith("✓")
    assert viz.predict("会怎样？", "error", lang="zh").check("报错").startswith("✓")


def test_a_wrong_number_is_told_as_it_was_read():
    beliefs = {155: "One more."}
    assert viz.predict("?", 154, beliefs).check("155 nodes") == "✗ 155 nodes (read as 155). One more."
    assert viz.predict("?", 101000, {1100: "A sum."}).check("1.100").startswith("✗ 1.100 (read as 1100). A sum.")
    printed = "tensor([155.], grad_fn=<AddBackward0>)"
    assert viz.predict("?", 154, beliefs).check(printed) == f"✗ {printed} (read as 155). One more."
    assert viz.predict("?", 154).check("0,5").startswith("✗ 0,5. ")
    assert viz.predict("?", 154).check("???") == "Type your prediction first."


@pytest.mark.parametrize("answer", [[-1.0, 0.5], (1, 2), {"w": 1}, torch.tensor([1.0, 2.0]), object()])
def test_an_answer_that_cannot_be_judged_is_refused_where_it_is_written(answer):
    with pytest.raises(TypeError, match="the answer of a prediction must be a number, a word, or a function"):
        viz.predict("What is `w.grad`?", answer)


@pytest.mark.parametrize("answer", [None, True, 3, "[-1, 0.5]", torch.tensor([2.0]), lambda: [1, 2]])
def test_an_answer_that_can_be_judged_is_taken(answer):
    assert viz.predict("What is it?", answer)

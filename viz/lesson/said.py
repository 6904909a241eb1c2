"""What exercises and questions say, in English and Chinese, and how they pick a text in one of the two.

Imports the standard library alone. Read next: exercise.py.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from .. import locale

WORDS = {
    "en": {
        "label": "Exercise",
        "check": "Check",
        "hint": "Hint",
        "solution": "Solution",
        "hide": "Hide the solution",
        "again": "Run this cell to check (Shift+Enter)",
        "untried": "Not tried yet. Fill in the `...` and run this cell.",
        "untried order": "Not tried yet. Put the lines in order, then press Check.",
        "untried mend": "Not mended yet. Change the cell until it runs.",
        "untried silent": "Not mended yet. It runs, and that is the trouble: change what it does.",
        "untried warns": "Not mended yet. It runs, but with a warning: change the cell until there is none.",
        "right": "✓ Right.",
        "first": "Try once first, or take a hint.",
        "no more": "That was the last hint.",
        "hint n": "Hint {n} of {all}: {hint}",
        "away": "The solutions are left out here.",
        "kept": "Going on with your {name}.",
        "ours": "Going on with our {name}, until yours is right.",
        "at": "At {point}: ",
        "on": "{where}: ",
        "with": "{name} = {value}",
        "expected": "expected {wanted}, your code gave {given}.",
        "part": "expected {part} {wanted}, your code gave {given}.",
        "expected order": "expected {wanted}, your order gives {given}.",
        "part order": "expected {part} {wanted}, your order gives {given}.",
        "missing": "your code gave no {part}.",
        "None": "your function gave back None. Does it `return` its result?",
        "return": "Does your function `return` it?",
        "printed": "your function printed {printed} and returned nothing. `return` it instead of printing it.",
        "type": "expected {wanted}, your code gave {given}.",
        "shape": "expected the shape {wanted}, your code gave the shape {given}.",
        "changed": "the answer is right, but your code changed {name}, which belongs to the caller: it was {before}, "
        "now it is {after}. Make a new one instead.",
        "raised": "your code stopped {place}: {error}",
        "raised outside": "your code stopped: {error}",
        "in line": "in line {line}, `{text}`",
        "in another cell": "in `{name}`, line {line} of another cell, `{text}`",
        "in row": "in row {row}, `{text}`",
        "in frame": "at `{text}`",
        "unmade": "`{name}` is used there, but no line above it has made it",
        "numpy": "Use `torch.…`, as in `torch.sin(h)`: it takes a tensor and gives one. NumPy gives an array, and "
        "`math` takes one number only.",
        "loop": "after {seconds:g} s your code was still running, {place}. What would end it?",
        "loop outside": "after {seconds:g} s your code was still running. What would end it?",
        "busy": "This computer is too busy to try your code: our own solution was still running. Wait a moment, and "
        "run the cell again.",
        "an error": "an error ({name})",
        "left": "There is still a `...` to fill in.",
        "callable": "Give the check the {kind} itself: `check({name})`, without brackets after it.",
        "class": "A class was expected, with `forward` and `backward`: `check({name})`.",
        "arguments": "`{name}` is called with {count}: {point}. Yours takes {takes}.",
        "said": "Your code printed:",
        "order": "An order is the letters of all lines, each once: {letters}.",
        "yours": "what your code draws",
        "asked": "what was asked for",
        "up": "Move up",
        "down": "Move down",
        "line": "line {letter}, place {place} of {all}",
        "lines": "Lines to put in order: Alt with the arrow keys moves one",
    },
    "zh": {
        "label": "练习",
        "check": "检查",
        "hint": "提示",
        "solution": "答案",
        "hide": "收起答案",
        "again": "运行本单元即可检查（Shift+Enter）",
        "untried": "还没有尝试。填好 `...`，然后运行本单元。",
        "untried order": "还没有尝试。把各行排好，再按“检查”。",
        "untried mend": "还没有改好。修改本单元，直到它能运行。",
        "untried silent": "还没有改好。它能运行，麻烦就在这里：请改变它做的事。",
        "untried warns": "还没有改好。它能运行，但有警告：修改本单元，直到不再警告。",
        "right": "✓ 正确。",
        "first": "先试一次，或者先看一个提示。",
        "no more": "提示已经全部给出。",
        "hint n": "提示 {n}/{all}：{hint}",
        "away": "这里没有附上答案。",
        "kept": "接下来用你的 {name}。",
        "ours": "在你写对之前，先用我们的 {name}。",
        "at": "当 {point} 时：",
        "on": "{where}：",
        "with": "{name} = {value}",
        "expected": "应为 {wanted}，你的代码给出 {given}。",
        "part": "{part} 应为 {wanted}，你的代码给出 {given}。",
        "expected order": "应为 {wanted}，你排的顺序给出 {given}。",
        "part order": "{part} 应为 {wanted}，你排的顺序给出 {given}。",
        "missing": "你的代码没有给出 {part}。",
        "None": "你的函数返回了 None。它 `return` 结果了吗？",
        "return": "你的函数 `return` 它了吗？",
        "printed": "你的函数打印了 {printed}，却什么也没有返回。请用 `return` 返回它，而不是打印。",
        "type": "应为{wanted}，你的代码给出{given}。",
        "shape": "形状应为 {wanted}，你的代码给出的形状是 {given}。",
        "changed": "结果是对的，但你的代码改动了调用者的 {name}：原来是 {before}，现在是 {after}。请另建一个新的。",
        "raised": "你的代码停在{place}：{error}",
        "raised outside": "你的代码中断了：{error}",
        "in line": "第 {line} 行，`{text}`",
        "in another cell": "另一个单元的 `{name}`，第 {line} 行，`{text}`",
        "in row": " {row} 行，`{text}`",
        "in frame": " `{text}` ",
        "unmade": "这里用到了 `{name}`，而上面没有哪一行给出它",
        "numpy": "请用 `torch.…`，例如 `torch.sin(h)`：它接受张量，给出张量。NumPy 给出数组，`math` 只接受一个数。",
        "loop": "过了 {seconds:g} 秒，你的代码仍在运行，停在{place}。什么会让它结束？",
        "loop outside": "过了 {seconds:g} 秒，你的代码仍在运行。什么会让它结束？",
        "busy": "这台电脑现在太忙，没法试你的代码：连我们自己的答案都还没算完。请稍等，再运行一次这个单元格。",
        "an error": "一个错误（{name}）",
        "left": "还有 `...` 没有填。",
        "callable": "请把{kind}本身交给检查：`check({name})`，后面不要加括号。",
        "class": "这里需要一个带有 `forward` 和 `backward` 的类：`check({name})`。",
        "arguments": "检查时会用{count}调用 `{name}`：{point}。你的函数接受{takes}。",
        "said": "你的代码打印了：",
        "order": "顺序由所有行的字母组成，每个字母一次：{letters}。",
        "yours": "你的代码画出的",
        "asked": "要求的",
        "up": "上移",
        "down": "下移",
        "line": "行 {letter}，第 {place} 位，共 {all} 位",
        "lines": "待排序的各行：Alt 加方向键移动一行",
    },
}

KINDS = {
    "en": {
        "None": "None",
        "number": "a number",
        "truth": "True or False",
        "tensor": "a tensor",
        "symbol": "a symbol",
        "array": "a NumPy array",
        "text": "text",
        "list": "a list",
        "tuple": "a tuple",
        "dict": "a dict",
        "class": "a class",
        "function": "a function",
    },
    "zh": {
        "None": " None",
        "number": "一个数",
        "truth": "True 或 False",
        "tensor": "一个张量",
        "symbol": "一个符号",
        "array": "一个 NumPy 数组",
        "text": "文字",
        "list": "一个列表",
        "tuple": "一个元组",
        "dict": "一个字典",
        "class": "一个类",
        "function": "一个函数",
    },
}


EQUALS = re.compile(r"(?<=[\w)\]]) = (?=[\w(\[−-])")


def pick(text: Any, lang: str) -> str:
    """The text in this language, or in English while it has no translation."""
    return text.get(lang, text["en"]) if isinstance(text, Mapping) else locale.pick(text, lang)


def kind_in_words(kind: str, lang: str) -> str:
    """A kind that compare.kind names, or the name of a type."""
    return KINDS[lang].get(kind, f"{kind}")


def counted(count: int, lang: str) -> str:
    """So many arguments, in words."""
    if lang == "zh":
        return f" {count} 个参数"
    return {0: "no argument", 1: "1 argument"}.get(count, f"{count} arguments")


def marked(text: str) -> str:
    """Escaped for a page, with `code` between backticks set as code. No line ends at the = in "w = 2".

    >>> marked("w = 2, and `y = w`")
    'w\\xa0=\\xa02, and <code>y = w</code>'
    """
    parts = html.escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if i % 2 else EQUALS.sub("\u00a0=\u00a0", part) for i, part in enumerate(parts)
    )

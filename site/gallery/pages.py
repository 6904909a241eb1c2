"""The pages of the gallery, as HTML. All text that is not ours to write as markup is escaped.

Imports viz's page, which all saved pictures share, and Pygments. Read page.css and page.js next.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from viz.beside import edges
from viz.drawing.page import THEME, narrowest, page
from viz.lesson.said import marked

from .pictures import Shown
from .source import GROUPS, Question

HERE = Path(__file__).resolve().parent
MOST = 150_000  # bytes of a page
WIDTH, GAP = 1144, 35  # pixels of a page's two columns on a screen of 1280 pixels, and between them
LEAST, LETTER = 448, 8.75  # pixels: the least width of the left column, and the width of a letter in it
AROUND = 64  # pixels in the left column that are no letters: line numbers and edges
LONG = 160  # characters: of a longer line of output, only the first sentence is shown at once
FRAME, NARROW = 144, 320  # pixels: height of a card's picture, and width of a narrow card
HERO = "how-do-gradients-add-up"
SAME = "Every program of the gallery prints the same on PyTorch 2.13."
NAME, MOTTO = "minigrad", "the autograd you can see"
MARK = (  # a picture for the window's tab: two paths that meet
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cg fill='none' "
    "stroke-width='4'%3E%3Cpath d='M5 16C11 16 11 7 17 7s6 9 10 9' stroke='%230072B2'/%3E%3Cpath d='M5 16c6 0 6 9 12 "
    "9s6-9 10-9' stroke='%23D55E00'/%3E%3C/g%3E%3C/svg%3E"
)
ROLES = {"play": "Playground", "lab": "Lessons", "docs": "Documentation"}


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def themes() -> str:
    """The colours of a page for a reader who has chosen light or dark with the button: those of THEME and page.css."""
    light = dark = ""
    for style in (THEME, text_of("page.css")):
        light += re.findall(r"^:root \{(.*?)\}", style, re.DOTALL | re.MULTILINE)[0]
        dark += re.findall(r"prefers-color-scheme: dark\) \{ :root \{(.*?)\} \}", style, re.DOTALL)[0]
    light = re.sub(r"color-scheme: [^;]*;", "", light)
    return (
        f':root[data-theme="light"] {{ color-scheme: light; {light} }}\n'
        f':root[data-theme="dark"] {{ color-scheme: dark; {dark} }}'
    )


def head(title: str, told: str, address: str, path: str, picture: str) -> str:
    """What a page says of itself to search engines and to programs that show a link."""
    lines = [
        f'<meta name="description" content="{html.escape(told)}">',
        f'<link rel="icon" href="{MARK}">',
        f'<meta property="og:title" content="{html.escape(title)}">',
        f'<meta property="og:description" content="{html.escape(told)}">',
        '<meta property="og:type" content="article">',
        f'<meta property="og:site_name" content="{NAME}">',
    ]
    if address:  # a preview needs whole addresses
        lines += [
            f'<meta property="og:image" content="{address}{picture}">',
            '<meta property="og:image:width" content="1200">',
            '<meta property="og:image:height" content="630">',
            f'<meta property="og:image:alt" content="{html.escape(title)}">',
            '<meta name="twitter:card" content="summary_large_image">',
            f'<meta property="og:url" content="{address}{path}">',
            f'<link rel="canonical" href="{address}{path}">',
        ]
    # The theme and the frame are chosen before the first paint
    lines.append(f"<script>{text_of('early.js')}</script>")
    return "\n".join(lines) + "\n"


def top(home: str, parts: set[str], more: str = "") -> str:
    """The header of each page."""
    links = "".join(f'<a href="{home}{part}/">{ROLES[part]}</a>' for part in ROLES if part in parts)
    return (
        f'<header class="top"><a class="home" href="{home}index.html"><img src="{MARK}" alt="" width="28" height="28">'
        f'{NAME}</a><nav aria-label="Site">{links}{more}</nav>'
        '<button type="button" class="theme" aria-label="Dark theme" aria-pressed="false" hidden>◐</button></header>'
    )


def question_page(shown: Shown, around: tuple[Question, Question], address: str, parts: set[str]) -> str:
    """The page of one question, between the one before and the one after."""
    one, least = shown.question, narrowest(shown.size[0])
    path = f"gallery/{one.slug}"
    letters = longest(one.code)
    left = max(LEAST, round(letters * LETTER + AROUND))
    # A picture that can't shrink to the space beside the program is below it
    kind = "explorer" if shown.panel else "wide" if left + GAP + least > WIDTH else "beside"
    play = f"../play/?from={one.slug}#{one.fragment}"
    edit = f'<a class="button first" href="{play}">Edit this</a>' if "play" in parts else ""
    before, after = (
        f'<a rel="{rel}" href="{each.slug}.html"><small>{way}</small> {marked(each.title)}</a>'
        for each, rel, way in zip(around, ("prev", "next"), ("Previous", "Next"), strict=True)
    )
    made = "This program made the printed text and the picture."
    if shown.panel:
        made = f"This program made the printed text, and <code>{html.escape(one.picture)}</code> the picture."
    live = f"""<section class="live" aria-label="Picture" style="--least: {least}px">
<script>{script()}
{f"sways({json.dumps(one.sways)})" if one.sways else f"lines({json.dumps(shown.places)})"};</script>
{shown.live}
</section>"""
    body = f"""{top("../", parts)}
<main data-address="{html.escape(address and f"{address}{path}.html")}">
<h1>{marked(one.title)}</h1>
<div class="columns {kind}" style="--left: {left}px; --letters: {letters}">
{live if kind == "explorer" else ""}
<div class="left">
<section class="code-of" aria-label="Program">{code_of(one.code)}</section>
{printed(shown)}
</div>
<div class="right">
<section class="answer" aria-label="Answer"><p>{marked(one.answer)}</p>
<div class="actions">{edit}<button type="button" class="embeds" aria-expanded="false" hidden>Embed</button>
<a class="whole button" href="{one.slug}.html" target="_blank" rel="noopener">Open the page</a></div>
<div class="embedding" hidden><label>Copy this line into a page of yours:<textarea readonly rows="4"></textarea></label>
<button type="button" class="copy">Copy</button> <span role="status"></span></div>
</section>
{live if kind == "beside" else ""}
</div>
{live if kind == "wide" else ""}
</div>
<nav class="around" aria-label="Questions">{before}<a class="all" href="../index.html">All questions</a>{after}</nav>
</main>
<footer>{made} {SAME}</footer>"""
    said = head(one.plain, plain(one.answer), address, f"{path}.html", f"{path}.png")
    return page(f"{one.plain} · {NAME}", body, "en", f"{said}<style>{styles()}</style>\n")


def printed(shown: Shown) -> str:
    """What the program prints, and how it ends."""
    stops = shown.ran.error is not None
    says = ("It prints, then stops:" if shown.ran.printed else "It stops:") if stops else "It prints:"
    return (
        f'<section class="prints" aria-label="Output"><p class="says">{says}</p>'
        f'<div class="output{" stops" * stops}">{"".join(map(line_of, shown.question.output.split(chr(10))))}</div>'
        "</section>"
    )


def line_of(line: str) -> str:
    """A printed line. A long warning is folded after its first sentence, so that it hides nothing that follows it."""
    first, stop, rest = line.partition(". ")
    if len(line) <= LONG or not rest:
        return f"<p>{html.escape(line) or ' '}</p>"
    return f"<details><summary>{html.escape(first + stop.rstrip())}</summary><p>{html.escape(rest)}</p></details>"


def longest(code: str) -> int:
    """The number of characters in the longest line of a program."""
    return max(map(len, code.splitlines()))


def styles() -> str:
    """The style sheet of all pages of the gallery."""
    return f"{text_of('page.css')}\n{themes()}"


def script() -> str:
    """The script of a page with a picture."""
    return edges()[1] + text_of("page.js")


def plain(text: str) -> str:
    return text.replace("`", "")


def code_of(code: str) -> str:
    """The program, coloured, a line each, so that the line of a step can be marked."""
    coloured = highlight(code.rstrip("\n"), PythonLexer(), HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    lines = "".join(f'<span class="line">{line or " "}\n</span>' for line in coloured)
    return f'<pre class="code" tabindex="0" role="region" aria-label="Code"><code>{lines}</code></pre>'


def first_page(shown: list[Shown], address: str, parts: set[str]) -> str:
    """The site's first page: a picture that plays, and a card for each question."""
    hero = next(each for each in shown if each.question.slug == HERO)
    groups = []
    for group, name in GROUPS.items():
        cards = "".join(card(each) for each in shown if each.question.group == group)
        groups.append(f'<section class="group"><h2>{name}</h2><ul>{cards}</ul></section>')
    told = f"{len(shown)} questions about PyTorch's autograd, each answered by a picture that plays."
    ways = "".join(
        f'<a class="button{" first" * (i == 0)}" href="{part}/">{ROLES[part]}</a>'
        for i, part in enumerate(part for part in ROLES if part in parts)
    )
    body = f"""{top("", parts)}
<main class="first">
<h1>The autograd you can see</h1>
<p class="lead">{told} The pages need no installation: they run without Python.</p>
<p class="actions ways">{ways}</p>
<div class="find" role="search" hidden><label>Find a question <input type="search" autocomplete="off" spellcheck="false"
placeholder="detach, nan, or your error text"></label> <span role="status"></span></div>
<div class="columns" style="--left: {LEAST}px; --letters: {longest(hero.question.code)}">
<section class="code-of" aria-label="Program">{code_of(hero.question.code)}
<p class="hero"><a href="gallery/{HERO}.html">{marked(hero.question.title)}</a></p></section>
<section class="live" aria-label="Picture" style="--least: {narrowest(hero.size[0])}px">
<script>{script()}
lines({json.dumps(hero.places)});</script>
{hero.live}
</section>
</div>
<section class="group found" aria-label="Questions found" hidden><ul></ul></section>
{"".join(groups)}
<p class="none" hidden>No question has these words. Try one of them alone.</p>
</main>
<footer>{NAME} is an autograd in NumPy with PyTorch's behaviour. {SAME}</footer>
<script>{text_of("first.js")}</script>"""
    said = head(f"{NAME}: {MOTTO}", told, address, "", f"gallery/{HERO}.png")
    return page(f"{NAME}: {MOTTO}", body, "en", f"{said}<style>{styles()}\n{text_of('first.css')}</style>\n")


def card(shown: Shown) -> str:
    """A question on the first page. Its picture is shown as large as its letters need, and cut off on the right."""
    one, (width, height) = shown.question, shown.size
    scale = max(0.3, min(0.62, FRAME / height))
    moving = f' data-moving="gallery/{one.slug}.moving.svg"' if shown.moving else ""
    known = [one.plain, one.words, plain(one.answer), GROUPS[one.group], *one.output.split("\n")]
    words, code = (html.escape(text.lower()) for text in (" ".join(known), " ".join(one.code.split())))
    cut = "cut" * (width * scale > NARROW) + " tall" * (height * scale > FRAME)
    return (
        f'<li data-words="{words}" data-code="{code}" class="{cut.strip()}">'
        f'<a href="gallery/{one.slug}.html"><span class="frame">'
        f'<img src="gallery/{one.slug}.svg" alt="" loading="lazy" width="{width * scale:.0f}" '
        f'height="{height * scale:.0f}"{moving}></span><span class="title">{marked(one.title)}</span></a></li>'
    )

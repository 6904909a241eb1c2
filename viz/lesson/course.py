"""`viz.course()`: the map of the course for the start page, with this reader's progress.

It is a table, so it is readable where styles and scripts are removed: a row for each lesson, a column each for the two
routes, for the exercises done, and for the questions before and after. Its text form shows the lessons and
routes only, and nothing about the reader, because a stored notebook keeps that text.
Imports ask.py, progress.py, exercises/. Read next: progress.py.
"""

from __future__ import annotations

import html
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..beside import text_of
from ..locale import Text, language
from . import progress
from .ask import UNKNOWN
from .exercises import asked, asking, lesson_of, pages
from .said import tr
from .threads import one_thread


@dataclass(frozen=True)
class Stop:
    """A lesson on the map."""

    number: int
    title: Text
    extra: bool = False  # an elective


TITLES = tr.table("lessons")
ELECTIVES = (11, 12)
LESSONS = [Stop(number, TITLES.text(str(number)), number in ELECTIVES) for number in range(1, 14)]
ROUTES = {"core": (1, 2, 5, 6, 9), "builder": (1, 2, 4, 7, 13)}

SAID = tr.table("course")


def course(*, lang: str | None = None) -> Course:
    """The map of the course with your progress; lessons in the notebook's folder are links.

    lang: a language that has catalogues; without it, the one that `viz.speak` has set.

    >>> course()
    The course: 1 y = (w + x)(w + 1): slopes that multiply; 2 What backward does; ... Core route: 1, 2, 5, 6, 9. ...
    """
    lang = language(lang)
    one_thread()
    return Course(lang)


class Course:
    """What `course` returns: the map, computed when it is shown."""

    def __init__(self, lang: str):
        self.lang, self.words = lang, SAID[lang]

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        return {"text/html": self.html(), "text/plain": repr(self)}

    def html(self, folder: Path | None = None) -> str:
        """The map as a table; lessons are looked for in `folder`, by default the notebook's own."""
        words, done = self.words, progress.known()
        lessons = {int(file.name[:2]): file.name for file in sorted((folder or Path()).glob("[0-9][0-9]_*.ipynb"))}
        head = "".join(
            f'<th scope="col"{extra}>{words[name]}</th>'
            for name, extra in (
                ("core", ' class="viz-track"'),
                ("builder", ' class="viz-track"'),
                ("lesson", ' class="viz-title"'),
                ("exercises", ""),
                ("before", ""),
                ("after", ""),
            )
        )
        rows = "".join(self._row(stop, lessons.get(stop.number), done) for stop in LESSONS)
        hidden = "".join(f"<p><b>{words['hides'].format(file=html.escape(file))}</b></p>" for file in hiding())
        table = f"{hidden}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        style = text_of("lesson/course.css")
        return f'<style>\n{style}</style><div class="viz-course" lang="{self.lang}">{table}{self._answers(done)}</div>'

    def _row(self, stop: Stop, file: str | None, done: dict[str, Any]) -> str:
        words = self.words
        exercises = [name for name, file in pages().items() if lesson_of(file) == stop.number]
        right = sum(bool(done.get("exercises", {}).get(name, {}).get("right")) for name in exercises)
        finished = bool(exercises) and right == len(exercises)
        title = html.escape(stop.title.into(self.lang))
        if file:
            title = f'<a href="{html.escape(file)}">{title}</a>'
        else:
            title = f'<span class="viz-muted">{title} · {words["later"]}</span>'
        if stop.extra:
            title += f' <span class="viz-muted">({words["extra"]})</span>'
        kind = "viz-later" if not file else "viz-done" if finished else "viz-there"
        tracks = [self._track(route, stops, stop.number, kind) for route, stops in ROUTES.items()]
        title = f'<span class="viz-number">{stop.number}</span> {title}'
        counted = words["of"].format(done=right, all=len(exercises)) if exercises and file else ""
        counted += f' <span title="{words["finished"]}">✓</span>' if finished else ""
        answered = [done.get("questions", {}).get(f"{stop.number}: {each.belief}", {}) for each in asked(stop.number)]
        before = " ".join(_verdict(facts, "before") for facts in answered)
        after = " ".join(_verdict(facts, "after") for facts in answered)
        cells = f'<td class="viz-title">{title}</td>' + "".join(f"<td>{cell}</td>" for cell in (counted, before, after))
        return f"<tr>{''.join(tracks)}{cells}</tr>"

    def _track(self, route: str, stops: tuple[int, ...], number: int, kind: str) -> str:
        """A piece of a route: the line, where it runs, and the lesson's stop, if the route has one."""
        on = stops[0] <= number <= stops[-1]
        ends = "viz-first" * (number == stops[0]) + "viz-last" * (number == stops[-1])
        classes = f"viz-track viz-{route} {'viz-line' * on} {ends}"
        stop = f'<span class="viz-stop {kind}">{number}</span>' if number in stops else ""
        return f'<td class="{classes}">{stop}</td>'

    def _answers(self, done: dict[str, Any]) -> str:
        """The reader's answers to each question, before and after; nothing for questions without both answers."""
        words = self.words
        lines = []
        for lesson in asking():
            for probe in asked(lesson):
                facts = done.get("questions", {}).get(f"{lesson}: {probe.belief}", {})
                if facts.get("before") and facts.get("after"):
                    before, after = (words["unknown"] if facts[w] == UNKNOWN else facts[w] for w in ("before", "after"))
                    told = words["one"].format(
                        belief=probe.belief,
                        lesson=lesson,
                        before=f"“{before}”",
                        after=f"“{after}” {_verdict(facts, 'after')}",
                    )
                    lines.append(f"<li>{html.escape(told)}</li>")
        listed = f"<details><summary>{words['answers']}</summary><ul>{''.join(lines)}</ul></details>" if lines else ""
        return f'<p class="viz-muted">{words["key"]}</p>{listed}'

    def __repr__(self) -> str:
        return self.words["map"].format(
            lessons=self.words["next"].join(f"{stop.number} {stop.title.into(self.lang)}" for stop in LESSONS),
            extra=_listed([stop.number for stop in LESSONS if stop.extra]),
            **{route: _listed(stops) for route, stops in ROUTES.items()},
        )


def hiding() -> list[str]:
    """Files of the reader that Python finds in place of minigrad. A viz.py of theirs would hide this package, too."""
    found = importlib.util.find_spec("minigrad")
    return [found.origin] if found and found.origin and found.submodule_search_locations is None else []


def _listed(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def _verdict(facts: dict[str, Any], when: str) -> str:
    """The sign for the answer before or after the lesson. The first one is judged after the lesson, not before."""
    if not facts.get(when):
        return "·"
    if facts[when] == UNKNOWN:
        return "?"
    if when == "before" and not facts.get("after"):
        return "●"
    return "✓" if facts.get(f"{when} right") else "✗"

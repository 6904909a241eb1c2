"""What a reader can read in an SVG or a page: texts, tooltips and alternatives, without coordinates, ids and styles.

A test that looks for a number or a word in the whole markup finds the coordinate 240.03 when it looks for 0.03.
Imports the standard library alone.
"""

from html.parser import HTMLParser

INLINE = {"a", "b", "code", "em", "i", "small", "span", "strong", "sub", "sup", "tspan"}
SAID = {"alt", "aria-label", "aria-description", "placeholder", "title"}  # attributes that are shown or read aloud
UNREAD = {"script", "style"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.unread = 0

    def handle_starttag(self, tag, attrs):
        self.unread += tag in UNREAD
        said = [f"\n{value}\n" for name, value in attrs if name in SAID and value]
        self.parts += [*said, *([] if tag in INLINE else ["\n"])]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.unread -= tag in UNREAD

    def handle_endtag(self, tag):
        self.unread -= tag in UNREAD
        self.parts += [] if tag in INLINE else ["\n"]

    def handle_data(self, data):
        self.parts += [] if self.unread else [data]


def readable(markup: str) -> str:
    """All that can be read in an SVG or in HTML, a line for each piece."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    lines = (line.strip() for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)

"""A strict reader of the HTML page: it accepts well-formed HTML only, and collects what the tests need."""

from collections import defaultdict
from html.parser import HTMLParser

from groundwire.sanitize import sanitize

VOID = {"meta", "br", "input", "img"}


def as_shown(text: str) -> str:
    """Return *text* as the page shows it: hidden characters spelled out, line ends as LF."""
    return sanitize(text.replace("\r\n", "\n").replace("\r", "\n"))


class Page(HTMLParser):
    """Collects the elements, ids, links, marks and texts of the page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.marked: dict[int, str] = defaultdict(str)
        self.lines: dict[str, str] = {}
        self.listed: dict[str, str] = defaultdict(str)
        self.feed(html)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"repeated attribute in {tag}"
        self.elements.append((tag, attributes))
        if attributes.get("id"):
            self.ids.append(attributes["id"] or "")
        if tag == "a":
            self.links.append((attributes.get("id") or self._inside("id"), attributes["href"] or ""))
        if tag not in VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        opened, _ = self.open.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"

    def handle_data(self, data: str) -> None:
        classes = " ".join(attributes.get("class") or "" for _, attributes in self.open).split()
        if "ref" in classes:
            return
        if "line" in classes:
            line = self._inside("data-line")
            self.lines[line] = self.lines.get(line, "") + data
        for quote in self._inside("data-quotes").split():
            self.marked[int(quote)] += data
        if "blockquote" in [tag for tag, _ in self.open] and "passage" not in classes:
            self.listed[self._inside("id")] += data

    def _inside(self, attribute: str) -> str:
        """Return the value of *attribute* at the nearest open element that has it."""
        values = (attributes.get(attribute) for _, attributes in reversed(self.open))
        return next((value for value in values if value), "")


class RowsPage(Page):
    """Reads a page of rows, with the texts and marks of each."""

    def __init__(self, html: str) -> None:
        self.said: dict[str, str] = {}
        self.marks: list[tuple[str, str, str]] = []
        super().__init__(html)

    def handle_data(self, data: str) -> None:
        classes = [(attributes.get("class") or "").split() for _, attributes in self.open]
        if any("said" in each for each in classes) and not any("about" in each for each in classes):
            row = self._inside("id")
            self.said[row] = self.said.get(row, "") + data
        if self.open and self.open[-1][0] == "mark":
            self.marks.append((self._inside("id"), self.open[-1][1]["class"] or "", data))

#!/usr/bin/env python3
"""
Draw the pictures of the concept pages.

    python tools/concept_pictures.py    # writes docs/concepts/*.svg
"""

from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "concepts"

INK, SOFT, LINE, PAPER = "#1c2b2d", "#4f6367", "#8fa3a6", "#ffffff"
GREEN, AMBER, RED, BLUE, GREY = "#d9f0e3", "#fdeec7", "#f9d9d6", "#dbe9f8", "#eceff0"


class Picture:
    """An SVG that grows by boxes, texts and arrows."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._size = (width, height)
        self._title = title
        self._parts: list[str] = []

    def box(self, x: int, y: int, width: int, height: int, fill: str, *lines: str) -> None:
        """Draw a box with centred lines of text, the first one bold."""
        self._parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{LINE}"/>'
        )
        top = y + height / 2 - (len(lines) - 1) * 9 + 5
        for number, line in enumerate(lines):
            self.text(x + width // 2, top + 18 * number, line, bold=number == 0, anchor="middle")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        bold: bool = False,
        anchor: str = "start",
        mono: bool = False,
        color: str = INK,
        size: int = 14,
    ) -> None:
        """Write *words* with their base line at *y*."""
        family = ' font-family="monospace" xml:space="preserve"' if mono else ""
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}{family}>'
            f"{escape(words)}</text>"
        )

    def arrow(self, x1: int, y1: int, x2: int, y2: int, words: str = "") -> None:
        """Draw an arrow, with *words* beside its middle."""
        self._parts.append(
            f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{SOFT}" stroke-width="1.5" fill="none" marker-end="url(#tip)"/>'
        )
        if words:
            self.text((x1 + x2) / 2 + 6, (y1 + y2) / 2 - 5, words, color=SOFT, size=12)

    def mark(self, x: float, y: int, width: float, height: int, fill: str) -> None:
        """Mark a span of text."""
        self._parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3" fill="{fill}"/>')

    def write(self, name: str) -> None:
        """Write the picture to docs/concepts/."""
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(self._title)}">\n'
            "<!-- python tools/concept_pictures.py -->\n"
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{SOFT}"/></marker></defs>\n'
            f'<rect width="{width}" height="{height}" rx="10" fill="{PAPER}"/>\n'
        )
        (FOLDER / name).write_text(head + "\n".join(self._parts) + "\n</svg>\n", encoding="utf-8")


def characters(picture: Picture, x: int, y: int, words: str, step: int = 12) -> None:
    """Write *words* with one cell for each character."""
    for number, character in enumerate(words):
        picture.text(x + step * number, y, character, mono=True, size=17)


def normalisation() -> None:
    """Draw how a text is normalised, with the way back."""
    picture = Picture(720, 250, "A text and its normalised form, with lines from each part back to the original")
    picture.text(20, 30, "Your text", bold=True)
    picture.mark(20, 44, 12 * 31, 26, AMBER)
    characters(picture, 20, 63, "I can’t  sleep <sighs> at night")
    picture.text(20, 194, "Normalised, for the search", bold=True)
    picture.mark(20, 144, 12 * 22, 26, GREEN)
    characters(picture, 20, 163, "i can't sleep at night")
    for low, high in ((0, 0), (5, 5), (8, 9), (14, 23), (21, 30)):
        picture.arrow(26 + 12 * low, 142, 26 + 12 * high, 76)
    picture.text(430, 62, "case, quotation marks, spaces and", color=SOFT)
    picture.text(430, 82, "tags do not count", color=SOFT)
    picture.text(430, 162, "every character knows where it", color=SOFT)
    picture.text(430, 182, "comes from", color=SOFT)
    picture.text(20, 228, "A match is found below and reported above: the span is always one of your text.", color=SOFT)
    picture.write("normalisation.svg")


def spans() -> None:
    """Draw a span over a text with positions."""
    picture = Picture(720, 210, "A text with numbered characters and a span from 6 to 13")
    words = "Anna: I can’t sleep."
    picture.mark(30 + 30 * 6 - 6, 44, 30 * 7, 34, AMBER)
    for number, character in enumerate(words):
        picture.text(38 + 30 * number, 68, character, mono=True, anchor="middle", size=18)
        picture.text(38 + 30 * number, 100, str(number), anchor="middle", size=11, color=SOFT)
    picture.arrow(218, 146, 218, 108)
    picture.arrow(428, 146, 428, 108)
    picture.text(218, 166, "start = 6", bold=True, anchor="middle")
    picture.text(428, 166, "end = 13, not included", bold=True, anchor="middle")
    picture.text(30, 196, 'text[6:13] == "I can’t"', mono=True)
    picture.write("spans.svg")


def verdicts() -> None:
    """Draw the questions that lead to a verdict."""
    picture = Picture(720, 470, "Five questions in order, each of which can decide the verdict")
    steps = (
        ("Does it have words?", "no", "blank", GREY),
        ("Are its words in the source?", "yes", "exact, normalized", GREEN),
        ("Are its parts in the source, in order?", "yes", "elided or altered", GREEN),
        ("Is a passage similar enough?", "no", "absent", RED),
        ("Does a difference change the meaning?", "yes", "altered", RED),
    )
    for number, (question, answer, verdict, color) in enumerate(steps):
        y = 20 + 76 * number
        picture.box(30, y, 330, 48, BLUE, question)
        picture.arrow(360, y + 24, 468, y + 24, answer)
        picture.box(472, y, 210, 48, color, verdict)
        picture.arrow(195, y + 48, 195, y + 74, "yes" if answer == "no" else "no")
    picture.box(30, 400, 330, 48, GREEN, "near")
    picture.text(380, 420, "The speaker and the source that a quote names", color=SOFT)
    picture.text(380, 440, "are checked as well.", color=SOFT)
    picture.write("verdicts.svg")


def risk() -> None:
    """Draw how three layers make a level and an action."""
    picture = Picture(720, 300, "Rules, support and judge each find reasons; the highest level decides the action")
    layers = (
        ("Rules", "Are the citations real?"),
        ("Support", "Do the passages support it?"),
        ("Judge", "optional, a model"),
    )
    for number, lines in enumerate(layers):
        picture.box(20, 24 + 90 * number, 200, 66, BLUE, *lines)
        picture.arrow(220, 57 + 90 * number, 286, 147)
    picture.box(290, 110, 140, 74, GREY, "The highest", "level counts")
    actions = (("low", "accept", GREEN), ("moderate", "refine_search", AMBER), ("high", "reject", RED))
    for number, (level, action, color) in enumerate(actions):
        picture.arrow(430, 147, 496, 57 + 90 * number)
        picture.box(500, 24 + 90 * number, 200, 66, color, level, action)
    picture.write("risk.svg")


def tiers() -> None:
    """Draw how a claim for the memory gets its tier."""
    picture = Picture(720, 330, "A claim passes five checks; a table of rules turns them into one of three tiers")
    picture.box(20, 130, 110, 60, GREY, "Claim")
    checks = ("Hedges", "Duplicates, conflicts", "Citations exist", "Citations support it", "Source, quote, parents")
    for number, check in enumerate(checks):
        picture.box(180, 16 + 60 * number, 190, 44, BLUE, check)
        picture.arrow(130, 160, 176, 38 + 60 * number)
        picture.arrow(370, 38 + 60 * number, 414, 160)
    picture.box(418, 130, 90, 60, GREY, "First rule", "decides")
    ends = (
        ("approve", "becomes a memory", GREEN),
        ("review", "waits for a person", AMBER),
        ("block", "is not stored", RED),
    )
    for number, (tier, words, color) in enumerate(ends):
        picture.arrow(508, 160, 550, 60 + 100 * number)
        picture.box(554, 30 + 100 * number, 150, 60, color, tier, words)
    picture.write("tiers.svg")


def support() -> None:
    """Draw the scale of support with its levels."""
    picture = Picture(720, 230, "A scale from 0 to 1 with four levels of support")
    levels = (
        (0.0, 0.4, RED, "UNSUPPORTED", "no evidence"),
        (0.4, 0.6, AMBER, "WEAK", "related"),
        (0.6, 0.8, GREEN, "MODERATE", "reworded"),
        (0.8, 1.0, GREEN, "STRONG", "said so"),
    )
    for low, high, color, name, words in levels:
        x, width = 40 + round(640 * low), round(640 * (high - low))
        picture.box(x, 50, width, 70, color, name, words)
        picture.text(x, 142, f"{low:g}", anchor="middle", color=SOFT)
    picture.text(680, 142, "1", anchor="middle", color=SOFT)
    picture.text(40, 32, "Confidence that a source supports the claim", bold=True)
    picture.arrow(424, 182, 424, 150)
    picture.text(434, 180, "threshold: supported from here on")
    picture.text(40, 214, "A contradiction sets the confidence to 0, whatever else was found.", color=SOFT)
    picture.write("support.svg")


if __name__ == "__main__":
    for draw in (normalisation, spans, verdicts, risk, tiers, support):
        draw()

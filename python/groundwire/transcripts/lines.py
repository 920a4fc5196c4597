"""Lines of a text, where they stand in it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["TextLine", "line_spans", "numbered_lines"]

# The line ends of files. str.splitlines() knows more, and some of those stand inside of speech.
_LINE_END = re.compile(r"\r\n|\n|\r")


class TextLine(NamedTuple):
    """One line: its number from 1, and its text without the line end."""

    number: int
    text: str


def line_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each line of *text* starts and ends, line ends left out; nothing after the last line end."""
    start = 0
    for line_end in _LINE_END.finditer(text):
        yield start, line_end.start()
        start = line_end.end()
    if start < len(text):
        yield start, len(text)


def numbered_lines(text: str) -> Iterator[TextLine]:
    """Yield the lines of *text*, without a byte order mark at its start."""
    for number, (start, end) in enumerate(line_spans(text), 1):
        yield TextLine(number, text[start:end].removeprefix("\ufeff") if start == 0 else text[start:end])

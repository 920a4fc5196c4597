"""The claims of a note in Markdown: its paragraphs and list items."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from groundwire.prose import LINE_END, Prose

__all__ = ["claims_of_note"]

# What many programs keep at the head of a note: keys and values between two lines of dashes.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?$", re.M | re.S)
_NOT_LINE_END = re.compile(r"[^\r\n]")
# The target of a link, which stands by itself.
_DEFINITION = re.compile(r"\[[^\]\n]+\]:.*")


def claims_of_note(text: str) -> Iterator[tuple[int, str]]:
    """
    Yield line, from 1, and text of each paragraph, those of lists and block quotes too.

    Headings, code, HTML, front matter and the targets of links claim nothing. A paragraph
    is on one line, without the marks of lists before it; what marks links and emphasis
    stays. Where lists or block quotes are nested so deep that nobody reads them, each
    line is a paragraph.
    """
    # Blanked out, so that lines keep their numbers.
    body = _FRONT_MATTER.sub(lambda head: _NOT_LINE_END.sub("", head[0]), text, count=1)
    ends = [line.end() for line in LINE_END.finditer(body)]
    prose = Prose(body)
    for block in prose.blocks:
        lines = prose.text[block.start : block.end].split("\n")
        if block.kind == "paragraph":
            lines = [" ".join(lines)]
        elif block.kind:
            continue
        place = block.start
        for line in lines:
            if block.kind or (any(map(str.isalnum, line)) and not _DEFINITION.fullmatch(line)):
                yield 1 + bisect_right(ends, prose.original(place, place + 1)[0]), line
            place += len(line) + 1

"""The claims of a note in Markdown: its paragraphs and list items."""

import re
from collections.abc import Iterator

__all__ = ["claims_of_note"]

# What many programs keep at the head of a note: keys and values between two lines of dashes.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.M | re.S)
_NOT_LINE_END = re.compile(r"[^\r\n]")
# Deeper lists and block quotes are read as text. The parser's time is lines times depth at worst.
_MAX_NESTING = 20


def claims_of_note(text: str) -> Iterator[tuple[int, str]]:
    """
    Yield line, from 1, and text of each paragraph, those of lists and block quotes too.

    Headings, code, HTML and front matter claim nothing. A paragraph is on one line,
    without the marks of lists before it; what marks links and emphasis stays.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).disable("reference")
    # Blocks alone: what stands inside of them is for others to read.
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Blanked out, so that lines keep their numbers.
    body = _FRONT_MATTER.sub(lambda head: _NOT_LINE_END.sub("", head[0]), text, count=1)
    is_heading = False
    for token in parser.parse(body):
        is_heading = token.type == "heading_open" or (is_heading and token.type != "heading_close")
        if token.type == "inline" and token.map is not None and not is_heading:
            yield token.map[0] + 1, " ".join(token.content.split("\n"))

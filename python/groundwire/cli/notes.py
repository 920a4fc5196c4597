"""The claims of a note in Markdown: its paragraphs and list items."""

import re
from collections.abc import Iterator, Sequence

__all__ = ["claims_of_note"]

# What many programs keep at the head of a note: keys and values between two lines of dashes.
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*\r?$", re.M | re.S)
_NOT_LINE_END = re.compile(r"[^\r\n]")
# Where markdown-it-py ends a line.
_LINE_END = re.compile(r"\r\n?|\n")
# What lists, block quotes and headings put before a line, or below it.
_MARKS = re.compile(r"\A(?:[\s>*+=#-]|\d{1,9}[.)])*+")
# The targets of links, which stand by themselves.
_DEFINITIONS = re.compile(r"(?:\[[^\]\n]+\]:[^\n]*(?:\n|\Z))+")
_LEAVES = frozenset({"inline", "fence", "code_block", "html_block", "hr"})
# The parser's time is lines times depth at worst.
_MAX_NESTING = 20


def claims_of_note(text: str) -> Iterator[tuple[int, str]]:
    """
    Yield line, from 1, and text of each paragraph, those of lists and block quotes too.

    Headings, code, HTML, front matter and the targets of links claim nothing. A paragraph
    is on one line, without the marks of lists before it; what marks links and emphasis
    stays. Where lists or block quotes are nested so deep that nobody reads them, each
    line is a paragraph.
    """
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).disable("reference")
    # Blocks alone: what stands inside of them is for others to read.
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Blanked out, so that lines keep their numbers.
    body = _FRONT_MATTER.sub(lambda head: _NOT_LINE_END.sub("", head[0]), text, count=1)
    lines = _LINE_END.split(body)
    read, is_heading = 0, False
    for token in parser.parse(body):
        is_heading = token.type == "heading_open" or (is_heading and token.type != "heading_close")
        if token.map is None or token.type not in _LEAVES:
            continue
        yield from _passed_over(lines, read, token.map[0])
        if token.type == "inline" and not is_heading and not _DEFINITIONS.fullmatch(token.content):
            yield token.map[0] + 1, " ".join(token.content.split("\n"))
        read = token.map[1]
    yield from _passed_over(lines, read, len(lines))


def _passed_over(lines: Sequence[str], first: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the lines [first, end) that say something: the parser found them to be nested too deep."""
    for number in range(first, end):
        if content := _MARKS.sub("", lines[number], count=1).rstrip():
            yield number + 1, content

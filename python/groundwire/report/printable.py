"""Text on one line, with everything hidden spelled out."""

import re

from groundwire.sanitize import sanitize

__all__ = ["one_line"]

_LINE_END = re.compile(r"\r\n|\r|\n")


def one_line(text: str, *, limit: int | None = None) -> str:
    """
    Return *text* sanitized and on one line: ` ↵ ` for a line end, a space for a tab.

    With *limit*, a longer result keeps that many characters, half from either
    end, around an ellipsis.
    """
    first, *rest = _LINE_END.split(text)
    if rest:
        *middle, last = rest
        parts = [first.rstrip(" \t"), *(line.strip(" \t") for line in middle), last.lstrip(" \t")]
        text = " ↵ ".join(parts)
    line = sanitize(text.replace("\t", " "))
    if limit is None or len(line) <= limit:
        return line
    half = limit // 2
    return f"{line[:half].rstrip()} … {line[-half:].lstrip()}"

"""
What a page says, without its markup.

It is read as far as comparing words needs it; time is linear in the length, whatever
a stranger's page holds.
"""

import re
from collections.abc import Iterator

__all__ = ["text_of_page"]

# Where markup begins: `<` before anything else is a character of the text.
_MARKUP = re.compile(r"<(?:!--|(script|style|template|noscript|svg)\b|[a-zA-Z/!?])", re.IGNORECASE)
_LOOKS_LIKE_MARKUP = re.compile(r"\s*<[a-zA-Z!?]")
_ENDS = {name: re.compile(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style", "template", "noscript", "svg")}


def text_of_page(body: bytes) -> str | None:
    """Return the text of a page in HTML, or of a plain one; None if it is no text in UTF-8, or says nothing."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if _LOOKS_LIKE_MARKUP.match(text):
        from html import unescape

        text = unescape("".join(_pieces(text)))
    return text if text.strip() else None


def _pieces(page: str) -> Iterator[str]:
    """Yield what stands between the markup; what is not closed ends the page."""
    position = 0
    while markup := _MARKUP.search(page, position):
        yield page[position : markup.start()]
        end = _end(page, markup)
        if end is None:
            return
        # Words on both sides of a tag are two words.
        yield " "
        position = end
    yield page[position:]


def _end(page: str, markup: re.Match[str]) -> int | None:
    """Return where what *markup* opens is over; None if it is nowhere."""
    start, closing = markup.end(), "-->" if markup[0] == "<!--" else ">"
    if markup[1]:
        found = _ENDS[markup[1].lower()].search(page, start)
        if found is None:
            return None
        start = found.end()
    end = page.find(closing, start)
    return None if end < 0 else end + len(closing)

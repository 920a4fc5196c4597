"""Text inside HTML: everything escaped, hidden characters spelled out and marked as such."""

import html
import re

from groundwire.sanitize import replace_hidden, sanitize, spelled_out

_LINE_END = re.compile(r"\r\n|\r")


def markup(text: str) -> str:
    """
    Return *text* for use between tags.

    Line ends become LF, as a browser would read them. Hidden characters stand
    as `\\x1b` inside `<span class="hidden">`, so that they cannot be taken for
    a backslash of the text's own.
    """
    # No character that HTML escapes is hidden, or decides whether one beside it is.
    escaped = html.escape(_LINE_END.sub("\n", text))
    return replace_hidden(escaped, lambda character: f'<span class="hidden">{spelled_out(character)}</span>')


def attribute(text: str) -> str:
    """Return *text* for use between the double quotes of an attribute."""
    return html.escape(sanitize(text))

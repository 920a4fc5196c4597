"""Text inside HTML: everything escaped, hidden characters spelled out and marked as such."""

import html
import re

from groundwire.report.printable import HIDDEN, escape_of, printable

_LINE_END = re.compile(r"\r\n|\r")


def markup(text: str) -> str:
    """
    Return *text* for use between tags.

    Line ends become LF, as a browser would read them. Hidden characters stand
    as `\\x1b` inside `<span class="hidden">`, so that they cannot be taken for
    a backslash of the text's own.
    """
    escaped = html.escape(_LINE_END.sub("\n", text))
    return HIDDEN.sub(lambda match: f'<span class="hidden">{escape_of(match)}</span>', escaped)


def attribute(text: str) -> str:
    """Return *text* for use between the double quotes of an attribute."""
    return html.escape(printable(text))

"""Text that is safe to show: what cannot be seen, or lies to the eye, is spelled out."""

import re

# Control characters could drive a terminal, bidirectional overrides reorder
# what is read, lone surrogates have no UTF-8 form, and HTML forbids
# noncharacters. Tab and line ends stay; U+2028 and U+2029 are no line ends in
# most places, so they are spelled out too.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
    + "]"
)
_BREAKS = re.compile(r"[ \t]*(?:\r\n|\r|\n)[ \t]*")


def escape_of(match: re.Match[str]) -> str:
    """Return the one character of *match* as Python would write it: `\\x1b`, `\\ud800`."""
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def printable(text: str) -> str:
    """Return *text* with every hidden character spelled out; tabs and line ends stay."""
    return HIDDEN.sub(escape_of, text)


def one_line(text: str, *, limit: int | None = None) -> str:
    """
    Return *text* printable and on one line: ` ↵ ` for a line end, a space for a tab.

    With *limit*, a longer result keeps that many characters, half from either
    end, around an ellipsis.
    """
    line = printable(_BREAKS.sub(" ↵ ", text).replace("\t", " "))
    if limit is None or len(line) <= limit:
        return line
    half = limit // 2
    return f"{line[:half].rstrip()} … {line[-half:].lstrip()}"

"""
Where the quotation marks of a text stand: code, links, tags, apostrophes and inches are passed over.

Every pattern reads on from where it stands and never comes back further than the
piece it looks at, so the time is linear in the text whatever is in it.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Mark", "has_only_apostrophes", "marks_in"]


class Mark(NamedTuple):
    """A quotation mark: its character, and [start, end) with a backslash before it."""

    char: str
    start: int
    end: int


_CHARS = "\"'“”„‟‘’‚‛«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟＂＇"

_HAS_MARK = re.compile(f"[{_CHARS}]")

# Marks that are part of a word wherever they stand, and the sign of a block quote.
_SINGLE = "'’‘‛"
_NO_APOSTROPHE = re.compile(
    rf"[{_CHARS.translate(dict.fromkeys(map(ord, _SINGLE)))}>]|(?<![A-Za-z0-9])[{_SINGLE}]|[{_SINGLE}](?![A-Za-z0-9])"
)

_TICKS = re.compile("`++")

# An attribute of a tag as CommonMark has it; what has been read is never given back.
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s"'=<>`]++)"""
_TAG = rf"</?+[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+{_VALUE})?+)*+\s*+/?+>"
_AUTOLINK = r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>"
_LINK_TITLE = r"""(?:"[^"]*+"|'[^']*+'|\([^()]*+\))"""
_LINK_TARGET = rf"\]\(\s*+(?:<[^<>\n]*+>|[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*+)(?:\s++{_LINK_TITLE})?+\s*+\)"
# A line `[label]: target "title"`; what looks like no address makes it a note with a quotation in it.
_LINK_DEFINITION = rf"^[ \t]*+\[[^\]\[\n^][^\]\[\n]*+\]:[ \t]*+(?=<|[^\s\"“]*?[/#:.]\S)\S++[ \t]++{_LINK_TITLE}[ \t]*+$"

# Letters that were left out: 'tis, rock 'n' roll, the '90s, in '68, Dutch 's morgens, German 'ne. Not 'cause and
# 'round, which are words as well. A closing mark right behind makes it a word in quotation marks.
_ELISION = (
    r"(?<!\w)['’‘](?:n['’](?!\w)|\d0s(?![\w'’])|(?:(?<= in.)|(?<= of.)|(?<=ince.))\d\d(?![\w%'’])|"
    r"[b-df-hj-np-tv-z](?![\w'’])|"
    r"(?i:tis|twas|twere|twill|em|til|coz|cuz|cos|neath|nother|nuff|ne[mnrs]?)(?![\w'’]))"
)
_FEET = r"\d['’′]\s?+\d++(?:[.,]\d++)?+\s?+(?:[\"”″]|''|’’)"

_TOKEN = re.compile(
    rf"(?P<passed>{_TAG}|{_AUTOLINK}|{_LINK_TARGET}|{_LINK_DEFINITION}|{_ELISION}|{_FEET})"
    rf"|(?P<mark>\\?[{_CHARS}])|(?P<ticks>`++)|(?P<comment><!--)|\\[!-/:-@\[-`{{-~]",
    re.MULTILINE,
)


def has_only_apostrophes(text: str) -> bool:
    """Say whether all marks of *text* stand within words: then it quotes nothing. Looks at letters without accents."""
    return _NO_APOSTROPHE.search(text) is None


def marks_in(text: str, start: int, end: int) -> Iterator[Mark]:
    """Yield the characters of the block [start, end) of *text* that may be quotation marks, from left to right."""
    if _HAS_MARK.search(text, start, end) is None:
        return
    runs: dict[int, list[int]] | None = None
    place = start
    comments_end = end
    while (token := _TOKEN.search(text, place, end)) is not None:
        place = token.end()
        if token["mark"]:
            yield Mark(token["mark"][-1], token.start(), place)
        elif token["ticks"]:
            if runs is None:
                runs = _runs_of_ticks(text, place, end)
            place = _after_code(runs, len(token["ticks"]), place)
        elif token["comment"] and place < comments_end:
            close = text.find("-->", place, end)
            # Without an end it is no comment, nor is any after it.
            place, comments_end = (place, place) if close < 0 else (close + 3, comments_end)


def _runs_of_ticks(text: str, start: int, end: int) -> dict[int, list[int]]:
    """Return where the runs of backticks in [start, end) begin, by their length."""
    runs = defaultdict(list)
    for run in _TICKS.finditer(text, start, end):
        runs[len(run[0])].append(run.start())
    return runs


def _after_code(runs: dict[int, list[int]], length: int, place: int) -> int:
    """Return where code that *length* backticks before *place* open ends; *place* if they open none."""
    closing = runs.get(length, [])
    at = bisect_left(closing, place)
    return closing[at] + length if at < len(closing) else place

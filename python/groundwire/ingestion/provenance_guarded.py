"""
Citations by rulings C8 and C9: what looks like one, without what only resembles it.

Most claims cite nothing, so each pattern is tried only where a character or a word
of it stands in the text at all; that test is a fraction of the pattern's cost.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter

from groundwire.ingestion.provenance import Citation, CitationType

__all__ = ["detect"]

_START = attrgetter("start")

# Word boundaries are those of ASCII: in Chinese text a citation stands between
# letters, and is none the less one. What may not stand before a pattern is asked
# behind its first letters: a pattern that begins with them is found by a scan.
_ADR = re.compile(r"ADR(?<![A-Za-z0-9_]ADR)[-\s\u2010\u2011\u2013]?([0-9]{1,9})(?![A-Za-z0-9_])(?!\.[0-9])")
_GH = re.compile(r"GH-(?<![A-Za-z0-9_-]GH-)([0-9]{1,9})(?![A-Za-z0-9_])")
_NUMBER_SIGN = re.compile(r"#([0-9]{1,9})(?![A-Za-z0-9_])(?!-[A-Za-z])")
_DIGIT = re.compile("[0-9]")

# What ends a URL: white space, quotation marks, CJK's brackets and stops, and
# characters that turn the direction of writing.
_NOT_IN_URLS = (
    r"\s<>\"`{}|\\^\x00-\x20\x7f\u0085\u00a0\u00ab\u00bb\u1680\u2000-\u200f\u2018-\u201f"
    r"\u2028-\u202f\u205f-\u206f\u3000-\u3003\u3008-\u301f\ufeff\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f"
)
_URL_REST = re.compile(rf"[^{_NOT_IN_URLS}]+")
_SCHEME = re.compile(r"(?<![A-Za-z0-9])https?\Z", re.IGNORECASE)
_SCHEME_MAX_CHARS = len("https")
_DOI = re.compile(rf"10\.(?<![A-Za-z0-9_.]10\.)[0-9]{{4,9}}/[^{_NOT_IN_URLS}]+")
_OPENERS = {")": "(", "]": "["}
_TRAILING = frozenset(".,;:!?'*_~…")
_CUT = _TRAILING | _OPENERS.keys()

# Ruling C8: a run of hex digits with a letter and a digit, or after a word that says what it is.
# A run is taken as far as it goes, and what follows is asked after that: else a long run costs its square.
_HEX = re.compile(r"[0-9a-f][0-9a-f]{6,}")
_HEX_FROM_DIGIT = re.compile(r"[0-9][0-9a-f]*")
_HEX_LETTERS = "abcdef"
_HEX_CHARS = frozenset({*range(7, 41), 64})
_BEFORE_NO_COMMIT = re.compile(r"[A-Za-z0-9_#-]")
_WORD = re.compile(r"[A-Za-z0-9_]")
_UUID_REST = re.compile(r"-[0-9A-Fa-f]{4}-")
_COMMIT_WORD = re.compile(
    r"(?:(?<![A-Za-z0-9_])(?:commits?|rev|revision|sha|sha-?1|sha-?256|changeset|fixed\s+in)|提交|修订版?)"
    r"[\s:=`'\"(\[]{0,4}\Z",
    re.IGNORECASE,
)
# The longest of these words, with blanks and marks.
_COMMIT_WORD_CHARS = 24

# Six hex digits after `#` are a colour, as printed (ruling C9).
_COLOUR_DIGITS = 6
# Right before `#` a repository may stand: `owner/repo`, on GitLab with groups.
_PATH_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/"
_PATH = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.-]*[A-Za-z0-9_-])+")
_PATH_MAX_CHARS = 255
# `&#39;` is a character, `C#7` a language, `##7` a heading, `/#7` and `](#7` anchors.
_BEFORE_NO_ISSUE = frozenset(_PATH_CHARS + "&#%=?")


def detect(text: str) -> list[Citation]:
    """Return the citations of *text* by start; of two that would overlap, the kind that is asked for first stays."""
    has_digit = _DIGIT.search(text) is not None
    found = list(_urls(text)) if "://" in text else []
    if has_digit:
        if "10." in text:
            found = _merged(found, _dois(text))
        if "ADR" in text:
            found = _merged(found, _records(text))
        if "#" in text:
            found = _merged(found, _issues(text))
        if "GH-" in text:
            found = _merged(found, _github_issues(text))
    if has_digit or _may_say_commit(text):
        found = _merged(found, _commits(text))
    return found


def _merged(found: list[Citation], more: Iterator[Citation]) -> list[Citation]:
    """Return *found* with those of *more* that lie outside of them; all by start."""
    if not found:
        return list(more)
    starts = [citation.start for citation in found]
    outside: list[Citation] = []
    for citation in more:
        place = bisect_right(starts, citation.start)
        begins_inside = place > 0 and found[place - 1].end > citation.start
        if not begins_inside and (place == len(found) or citation.end <= starts[place]):
            outside.append(citation)
    # Sorting two lists that are in order is merging them.
    return sorted(found + outside, key=_START) if outside else found


def _may_say_commit(text: str) -> bool:
    """Tell whether a part of a word of `_COMMIT_WORD` is in *text*, in the ways in which people write it."""
    # One expression with `|` takes ten times as long as these.
    return (
        "ommit" in text
        or "rev" in text
        or "Rev" in text
        or "sha" in text
        or "SHA" in text
        or "hangeset" in text
        or "ixed" in text
        or "提交" in text
        or "修订" in text
    )


def _blanked(text: str, citations: list[Citation]) -> str:
    """Return *text* with blanks in the place of *citations*, which are in order."""
    pieces: list[str] = []
    end = 0
    for citation in citations:
        pieces += text[end : citation.start], " " * (citation.end - citation.start)
        end = citation.end
    return "".join([*pieces, text[end:]])


def _urls(text: str) -> Iterator[Citation]:
    place = text.find("://")
    while place >= 0:
        end = place + len("://")
        scheme = _SCHEME.search(text[max(0, place - _SCHEME_MAX_CHARS - 1) : place])
        if scheme and (rest := _URL_REST.match(text, end)):
            end = rest.end()
            # Something has to stand behind the slashes.
            if value := _without_trailing(rest[0]):
                url = f"{scheme[0]}://{value}"
                start = place - len(scheme[0])
                yield Citation(CitationType.URL, url, start, start + len(url))
        place = text.find("://", end)


def _dois(text: str) -> Iterator[Citation]:
    for match in _DOI.finditer(text):
        value = _without_trailing(match[0])
        if not value.endswith("/"):
            yield Citation(CitationType.DOI, value, match.start(), match.start() + len(value))


def _without_trailing(value: str) -> str:
    """Return *value* without the punctuation of the sentence, and without brackets that open outside of it."""
    if value[-1] not in _CUT:
        return value
    surplus = {closer: value.count(closer) - value.count(opener) for closer, opener in _OPENERS.items()}
    end = len(value)
    while end:
        last = value[end - 1]
        if surplus.get(last, 0) > 0:
            surplus[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return value[:end]


def _records(text: str) -> Iterator[Citation]:
    for match in _ADR.finditer(text):
        start, end = match.span()
        if text[start - 1 : start] == "[" and text[end : end + 1] == "]":
            start, end = start - 1, end + 1
        yield Citation(CitationType.ADR, match[1], start, end)


def _github_issues(text: str) -> Iterator[Citation]:
    return (Citation(CitationType.ISSUE, match[1], *match.span()) for match in _GH.finditer(text))


def _issues(text: str) -> Iterator[Citation]:
    done = 0
    for match in _NUMBER_SIGN.finditer(text):
        start, end = match.span()
        # The path of a repository begins behind the issue before it.
        before = text[max(done, start - _PATH_MAX_CHARS - 1) : start]
        path = before[len(before.rstrip(_PATH_CHARS)) :]
        if "/" in path and _PATH.fullmatch(path) and len(path) <= _PATH_MAX_CHARS:
            yield Citation(CitationType.ISSUE, f"{path}#{match[1]}", start - len(path), end)
            done = end
        elif before[-1:] not in _BEFORE_NO_ISSUE and before[-2:] != "](" and len(match[1]) != _COLOUR_DIGITS:
            yield Citation(CitationType.ISSUE, match[1], start, end)
            done = end


def _commits(text: str) -> Iterator[Citation]:
    for start, end in _hex_runs(text) if _may_say_commit(text) else _hex_runs_with_digit(text):
        if end - start not in _HEX_CHARS or _BEFORE_NO_COMMIT.match(text[start - 1 : start]) or _WORD.match(text, end):
            continue
        value = text[start:end]
        if (_is_mixed(value) and not _UUID_REST.match(text, end)) or _follows_commit_word(text, start):
            yield Citation(CitationType.COMMIT, value, start, end)


def _hex_runs(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _HEX.finditer(text))


def _hex_runs_with_digit(text: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of hex digits that have one of 0 to 9, which is quicker: few words of a claim do."""
    for match in _HEX_FROM_DIGIT.finditer(text):
        start, end = match.span()
        letters = text[max(0, start - max(_HEX_CHARS)) : start]
        yield start - len(letters) + len(letters.rstrip(_HEX_LETTERS)), end


def _is_mixed(value: str) -> bool:
    """Tell whether a run of hex digits has a letter and a digit: neither a word nor a number."""
    return not value.isdigit() and not value.isalpha()


def _follows_commit_word(text: str, start: int) -> bool:
    return _COMMIT_WORD.search(text[max(0, start - _COMMIT_WORD_CHARS) : start]) is not None

"""
What an answer puts in quotation marks, or in a block quote.

An answer is plain text or Markdown. What it says in somebody's words is what has
to be checked, so these passages are pulled out, with their places. Apostrophes,
inches, code, the targets of links and the attributes of tags are no quotations;
《…》 and 〈…〉 are not either, for they name books and songs.

The engine says what is a paragraph, a list, a block quote or code. What stands in a
paragraph is read by patterns that never come back further than the piece they look
at, so the time is linear in the text. A mark's character says what it can be, and
what stands beside it says what it is: `"` opens before a word and closes behind one,
`»` opens in German and closes in French. An opening mark waits on a stack for its
closing one. A quotation that its paragraph leaves open goes on in the next one if
that begins with the same mark again.
"""

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple
from unicodedata import category

from groundwire.language import one_of, word_list
from groundwire.prose import Block, Prose

__all__ = ["QuotedSpan", "has_only_apostrophes", "quotes_in"]

_EMPHASIS = "*_~"

_HAS_LETTER = re.compile(r"[^\W_]")

# A note box of GitHub's Markdown is written as a block quote, but quotes nobody.
_NOTE_BOX = re.compile(r"\[![A-Za-z]+\]")

# The last line of a block quote that says whose words they are.
_SIGNATURE = re.compile(r"[*_~]*+(?:—|–|―|--)\s*\S")

# What may stand between a closing mark and the end of a block quote: references, then a name behind a dash.
_AFTER_QUOTE = re.compile(r"[*_~]*+(?:\s*+(?:\[[^\]\n]*+\]|\([^()\n]*+\)))*+[*_~]*+[\s,]*+(?:(?:—|–|―|--?)[^\n]*+)?")

# Numbers in brackets behind the last word: a reference. They are looked for in so many last characters.
_REFERENCES = re.compile(r"(?:\s*\[\^?\d[\d,\s–-]*\])+$")
_REFERENCES_MAX_CHARS = 60

_CHARS = "\"'“”„‟‘’‚‛«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟＂＇"

_HAS_MARK = re.compile(f"[{_CHARS}]")

# Marks that are part of a word wherever they stand, and the sign of a block quote.
_SINGLE = "'’‘‛"
_NO_APOSTROPHE = re.compile(
    rf"[{_CHARS.translate(dict.fromkeys(map(ord, _SINGLE)))}>]|(?<![A-Za-z0-9])[{_SINGLE}]|[{_SINGLE}](?![A-Za-z0-9])"
)

_LINK_TITLE = r"""(?:"[^"]*+"|'[^']*+'|\([^()]*+\))"""
# A line `[label]: target "title"`; what looks like no address makes it a note with a quotation in it.
_LINK_DEFINITION = rf"^[ \t]*+\[[^\]\[\n^][^\]\[\n]*+\]:[ \t]*+(?=<|[^\s\"“]*?[/#:.]\S)\S++[ \t]++{_LINK_TITLE}[ \t]*+$"

_FEET = r"\d['’′]\s?+\d++(?:[.,]\d++)?+\s?+(?:[\"”″]|''|’’)"

# Single marks, also those that open alone.
_SINGLE_MARKS = frozenset("'’‘‚‛")
# A mark, and what it may close. Swedish and Finnish open with ” and ’; German closes with “ and ‘; some set »…« or „…".
_CLOSING = """
""„ ”“„‟” “„” ‟„ ''‚ ’‘‚’‛ ‘‚ »«» «» ›‹› ‹› 」「 』『 ｣｢ ﹂﹁ ﹄﹃ 〞〝 〟〝 ＂＂ ＇＇
"""
_CLOSES = {marks[0]: marks[1:] for marks in _CLOSING.split()}
# Half typed, half set by a word processor: “so" and "so”, where nothing else waits for the mark.
_CLOSES_MIXED = {'"': "“", "”": '"'}
_OPENING_ONLY = frozenset("„‚‛「『｢﹁﹃〝")
# These open wherever they stand, if they do not close: French sets a space behind them, Chinese none before.
_OPENS_ANYWHERE = frozenset("“‟«‹")
_LEFT_OPEN = frozenset("([{<>—–-―/*_~=:…¿¡|") | frozenset(_CLOSES) | _OPENING_ONLY

# Of more opening marks the outermost are forgotten: the passages inside each other are text that is returned so often.
_MAX_DEPTH = 16

# Scripts that set no spaces between words, as ranges of code points.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F))
_UNSPACED_WIDE = ((0xFF00, 0xFFEF), (0x20000, 0x3FFFF))
_HEBREW = ((0x0590, 0x05FF), (0xFB1D, 0xFB4F))
# Arabic writes "and" and "for" onto the next word, whatever mark that begins with.
_ARABIC = ((0x0600, 0x08FF),)


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """
    A passage that a text quotes.

    Attributes:
        text: The passage, without marks, spaces and emphasis around it. It is the slice [start, end)
            of the text that was read, unless it spans lines: then line ends are LF, what Markdown
            puts before the lines of a block is left out, and so is a quotation mark that is repeated
            where a paragraph begins.
        start, end: Its place, in code points of the text that was read.
        marks: The marks around it, as written; of a block quote without any (">", "").
        kind: "inline" within quotation marks, "block" for a block quote. A block quote
            that is all in quotation marks is one span, of kind "block".
        depth: How many other spans it stands in.
    """

    text: str
    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]
    depth: int


@dataclass(frozen=True, slots=True)
class _Span:
    """The characters [start, end) of a `Prose` that are quoted."""

    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]


class _Mark(NamedTuple):
    """A quotation mark: its character, and [start, end) with a backslash before it."""

    char: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two marks: [start, inside) is the opening one, [outside, end) the closing one."""

    start: int
    inside: int
    outside: int
    end: int
    marks: tuple[str, str]


@dataclass(slots=True)
class _Open:
    """An opening mark that waits, and the apostrophe that will do as its end if no better comes."""

    mark: _Mark
    fallback: _Mark | None = None


class _Pairing:
    """
    The marks of prose that belong together.

    An apostrophe looks like a closing single mark. It closes nothing inside a word or across an open double mark;
    behind a plural (`the dogs' bowls`) only if nothing better follows.

    Attributes:
        pairs: By where they end. They hold each other or are apart.
        repeated: The marks [start, end) that paragraphs of one quotation begin with, in order.
    """

    def __init__(self, prose: Prose) -> None:
        self.pairs: list[_Pair] = []
        self.repeated: list[tuple[int, int]] = []
        self._text = prose.masked
        self._stack: deque[_Open] = deque()
        self._waiting: Counter[str] = Counter()
        container: int | None = None
        for block in prose.blocks:
            marks = list(_marks_in(self._text, block))
            # A quotation that is left open may go on in the same block quote or item.
            read = self._resume(marks, block.start) if block.container == container else 0
            if read == 0:
                self._drop()
            for mark in marks[read:]:
                self._take(mark)
            container = block.container
        self._drop()

    def _take(self, mark: _Mark) -> None:
        before = self._text[mark.start - 1] if mark.start else " "
        after = self._text[mark.end] if mark.end < len(self._text) else " "
        if _is_inside_word(mark.char, before, after):
            return
        openers = self._openers(mark.char, before, after)
        if self._closes(mark, openers, before, after):
            self._close(mark, openers, after)
        elif self._opens(mark.char, before, after):
            self._push(mark)

    def _openers(self, char: str, before: str, after: str) -> str:
        """Return the marks that *char* may close here."""
        openers = _CLOSES.get(char, "")
        # Behind a number it is inches.
        if char in _CLOSES_MIXED and not before.isdigit() and not _can_follow_opening(after):
            return openers if any(self._waiting[opener] for opener in openers) else _CLOSES_MIXED[char]
        return openers

    def _closes(self, mark: _Mark, openers: str, before: str, after: str) -> bool:
        if mark.char in _SINGLE_MARKS:
            # An apostrophe cannot end what is around an open double mark.
            is_awaited = bool(self._stack) and self._stack[-1].mark.char in openers
        else:
            is_awaited = any(self._waiting[opener] for opener in openers)
        if not is_awaited:
            return False
        if not before.isspace():
            return True
        # « Bonjour » and " bonjour " have spaces inside; a mark before a word opens another one.
        return after.isspace() or mark.char in "»›" or not _can_follow_opening(after)

    def _opens(self, char: str, before: str, after: str) -> bool:
        if char in _OPENING_ONLY or char in _OPENS_ANYWHERE:
            return True
        if char == "‘":
            return not _is_word(before)
        if char == "’" and self._stack and self._stack[-1].mark.char in "‘‚":
            return False
        if after.isspace():
            return char == '"' and before.isspace()
        if char in "」』｣﹂﹄〞〟":
            return False
        if before.isspace() or before in _LEFT_OPEN:
            return True
        return char not in "'’" and _takes_marks(before)

    def _push(self, mark: _Mark) -> None:
        if self._stack and self._stack[-1].fallback is not None and mark.char in _SINGLE_MARKS:
            self._pop()
        if len(self._stack) == _MAX_DEPTH:
            self._settle(self._stack.popleft())
        self._stack.append(_Open(mark))
        self._waiting[mark.char] += 1

    def _close(self, mark: _Mark, openers: str, after: str) -> None:
        while self._stack[-1].mark.char not in openers:
            self._pop()
        top = self._stack[-1]
        if mark.char in "'’" and self._may_be_possessive(mark, after):
            top.fallback = top.fallback or mark
            return
        top.fallback = mark
        self._pop()

    def _may_be_possessive(self, mark: _Mark, after: str) -> bool:
        """Tell whether *mark* looks like that of `the dogs' bowls` or `talkin' about`."""
        word = self._text[max(0, mark.start - 2) : mark.start]
        is_ending = word[-1:] in ("s", "x", "z", "S", "X", "Z") or word == "in"
        return is_ending and after == " " and _is_word(self._text[mark.end + 1 : mark.end + 2] or " ")

    def _pop(self) -> None:
        self._settle(self._stack.pop())

    def _settle(self, waited: _Open) -> None:
        """Do with an opening mark that waits no longer; with what will do as its end it is a pair."""
        self._waiting[waited.mark.char] -= 1
        if waited.fallback is not None:
            opening, closing = waited.mark, waited.fallback
            marks = (opening.char, closing.char)
            self.pairs.append(_Pair(opening.start, opening.end, closing.start, closing.end, marks))

    def _drop(self) -> None:
        """Give up all open marks."""
        while self._stack:
            self._pop()

    def _resume(self, marks: list[_Mark], start: int) -> int:
        """Return how many of *marks* only repeat, at the beginning of a paragraph, what is open."""
        leading = self._leading(marks, start)
        chars = [open_mark.mark.char for open_mark in self._stack]
        first = next((at for at, char in enumerate(chars) if leading and _repeats(leading[0].char, char)), len(chars))
        count = 0
        for mark, char in zip(leading, chars[first:], strict=False):
            if not _repeats(mark.char, char):
                break
            count += 1
        if count:
            # With the space that French sets behind it.
            ends = [*(mark.start for mark in leading[1:count]), self._word_after(leading[count - 1])]
            self.repeated += zip((mark.start for mark in leading[:count]), ends, strict=True)
            while len(self._stack) > first + count:
                self._pop()
        return count

    def _word_after(self, mark: _Mark) -> int:
        place = mark.end
        while self._text[place : place + 1].isspace():
            place += 1
        return place

    def _leading(self, marks: list[_Mark], start: int) -> list[_Mark]:
        leading: list[_Mark] = []
        for mark in marks:
            if self._text[start : mark.start].strip():
                break
            leading.append(mark)
            start = mark.end
        return leading


def quotes_in(text: str, *, min_chars: int = 1) -> list[QuotedSpan]:
    """
    Return the passages that *text* quotes.

    Quotation marks are those of European and East Asian languages, straight ones
    included, in each direction that a language uses them. A mark that is never
    closed quotes nothing, unless the next paragraph begins with it again. An
    apostrophe behind a plural ends a quotation in single marks only if nothing
    else does: `'The dogs' bowls are empty.'` is one passage.

    Args:
        text: Plain text or Markdown.
        min_chars: Leave out passages of fewer characters. A passage without a letter
            or digit is always left out.

    Returns:
        The passages by where they start, outer ones before those in them. They
        hold each other or are apart.

    Raises:
        TypeError: *text* is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}")
    prose = Prose(text)
    pairing = _Pairing(prose)
    inline = {
        pair.start: _trimmed(prose.text, _Span(pair.inside, pair.outside, pair.marks, "inline"))
        for pair in pairing.pairs
    }
    ends = {pair.start: pair.end for pair in pairing.pairs}
    found = [*_block_spans(prose, inline, ends), *inline.values()]
    return list(_placed(prose, pairing, found, min_chars))


def has_only_apostrophes(text: str) -> bool:
    """Say whether all marks of *text* stand within words: then it quotes nothing. Looks at letters without accents."""
    return _NO_APOSTROPHE.search(text) is None


def _trimmed(text: str, span: _Span) -> _Span:
    """Return *span* without the spaces and the emphasis around its words."""
    start, end = span.start, span.end
    while start < end:
        if text[start].isspace():
            start += 1
        elif text[end - 1].isspace():
            end -= 1
        elif text[start] == text[end - 1] and text[start] in _EMPHASIS and end - start > 1:
            start, end = start + 1, end - 1
        else:
            break
    return replace(span, start=start, end=end)


def _block_spans(prose: Prose, inline: dict[int, _Span], ends: dict[int, int]) -> Iterator[_Span]:
    """Yield the block quotes; take out of *inline* the passage that is all of one."""
    seen = set()
    # From the inside: of two block quotes around the same words the inner one stays.
    for first, end in reversed(prose.quotations):
        if first == end or (first, end) in seen:
            continue
        seen.add((first, end))
        span = _Span(prose.blocks[first].start, prose.blocks[end - 1].end, (">", ""), "block")
        if _NOTE_BOX.match(prose.text, span.start) is None:
            span = _unsigned(prose.text, span)
            opening = span.start + _emphasis_chars(prose.text, span)
            if opening in inline and _AFTER_QUOTE.fullmatch(prose.text, ends[opening], span.end):
                yield replace(inline.pop(opening), kind="block")
            else:
                yield span


def _unsigned(text: str, span: _Span) -> _Span:
    """Return a block quote without the line that says whose it is, and without references at its end."""
    span = _trimmed(text, span)
    line = text.rfind("\n", span.start, span.end) + 1
    if line > 0 and _SIGNATURE.match(text, line, span.end):
        span = _trimmed(text, replace(span, end=line))
    tail = max(span.start, span.end - _REFERENCES_MAX_CHARS)
    references = _REFERENCES.search(text, tail, span.end)
    return span if references is None else _trimmed(text, replace(span, end=references.start()))


def _emphasis_chars(text: str, span: _Span) -> int:
    """Return how many signs of emphasis *span* begins with."""
    words = text[span.start : span.end]
    return len(words) - len(words.lstrip(_EMPHASIS))


def _placed(prose: Prose, pairing: _Pairing, spans: list[_Span], min_chars: int) -> Iterator[QuotedSpan]:
    """Yield *spans* with their words, their places in the original and their depth."""
    around: list[int] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        words = _words(prose, pairing, span)
        if len(words) < min_chars or not _HAS_LETTER.search(words):
            continue
        while around and around[-1] <= span.start:
            around.pop()
        start, end = prose.original(span.start, span.end)
        yield QuotedSpan(words, start, end, span.marks, span.kind, depth=len(around))
        around.append(span.end)


def _words(prose: Prose, pairing: _Pairing, span: _Span) -> str:
    """Return the text of *span* without the marks that its paragraphs repeat."""
    parts = []
    place = span.start
    repeated = pairing.repeated
    for start, end in repeated[bisect_left(repeated, (span.start, 0)) : bisect_left(repeated, (span.end, 0))]:
        parts.append(prose.text[place:start])
        place = end
    return "".join([*parts, prose.text[place : span.end]])


def _repeats(char: str, opening: str) -> bool:
    """Tell whether a paragraph that begins with *char* goes on with what *opening* opened; French does it with »."""
    return char == opening or (opening, char) in (("«", "»"), ("‹", "›"))


@cache
def _token() -> re.Pattern[str]:
    """
    A mark, or what has the form of one and is none.

    That is letters that were left out: 'tis, rock 'n' roll, the '90s, in '68, Dutch 's morgens. A closing
    mark right behind makes these a word in quotation marks.
    """
    elided = (
        r"(?<!\w)['’‘](?:n['’](?!\w)|\d0s(?![\w'’])|(?:(?<= in.)|(?<= of.)|(?<=ince.))\d\d(?![\w%'’])|"
        rf"[b-df-hj-np-tv-z](?![\w'’])|(?i:{one_of(word_list('en', 'elisions', 'words'))})(?![\w'’]))"
    )
    passed_over = rf"{_LINK_DEFINITION}|{elided}|{_FEET}|\\(?![{_CHARS}])[!-/:-@\[-`{{-~]"
    return re.compile(rf"{passed_over}|(?P<mark>\\?[{_CHARS}])", re.MULTILINE)


def _marks_in(text: str, block: Block) -> Iterator[_Mark]:
    """Yield the characters of *block* of *text* that may be quotation marks, from left to right."""
    if _HAS_MARK.search(text, block.start, block.end) is None:
        return
    for token in _token().finditer(text, block.start, block.end):
        if token["mark"]:
            yield _Mark(token["mark"][-1], token.start(), token.end())


def _is_inside_word(char: str, before: str, after: str) -> bool:
    """Tell whether a mark is part of a word: don't, l’amour, צה"ל."""
    if char in "'’‘‛":
        return _is_word(before) and _is_word(after)
    return char == '"' and _is_in(before, _HEBREW) and _is_in(after, _HEBREW)


def _can_follow_opening(char: str) -> bool:
    """Tell whether *char* may be the first of a quotation."""
    return not char.isspace() and char not in ".,;:!?)]}"


def _is_word(char: str) -> bool:
    """Tell whether *char* is of a word that has spaces around it."""
    if char.isascii():
        return char.isalnum()
    return (char.isalnum() or category(char)[0] == "M") and not _is_unspaced(char)


def _takes_marks(char: str) -> bool:
    """Tell whether an opening mark may stand right behind *char*, a letter: Chinese has no space before it."""
    return _is_unspaced(char) or _is_in(char, _ARABIC)


def _is_unspaced(char: str) -> bool:
    return char >= "\u0e00" and (_is_in(char, _UNSPACED) or _is_in(char, _UNSPACED_WIDE))


def _is_in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in ranges)

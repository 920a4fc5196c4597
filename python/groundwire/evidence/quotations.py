"""
Extracts quotations from an answer in plain text or Markdown: words in quotation marks, and block quotes.

Apostrophes, inches, code, link targets and attributes of tags are no quotations; neither are 《…》 and
〈…〉, which enclose titles.

The engine finds paragraphs, lists, block quotes and code. Within a paragraph, patterns with bounded backtracking find
the marks, so the time is linear in the text. The character of a mark and its neighbours decide whether it opens or
closes: `"` opens before a word and closes after one, `»` opens in German and closes in French. An opening mark waits on
a stack for its closing mark. A quotation that a paragraph leaves open continues in the next one if that begins with the
same mark, and in the next item of a list if that closes it before it opens another one.
"""

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, NamedTuple
from unicodedata import category

from groundwire.language import one_of, word_list
from groundwire.prose import BLANK_LINE_AT_END, Block, Prose

__all__ = ["QuotedSpan", "complete_quotes", "has_only_apostrophes", "may_end_quote", "quotes_in", "start_of_rest"]

_EMPHASIS = "*_~"

_HAS_LETTER = re.compile(r"[^\W_]")

# An alert of GitHub's Markdown has the form of a block quote, but is no quotation.
_NOTE_BOX = re.compile(r"\[![A-Za-z]+\]")

# The last line of a block quote that names its author.
_SIGNATURE = re.compile(r"[*_~]*+(?:—|–|―|--)\s*\S")

# Text allowed between a closing mark and the end of a block quote: references, then a name after a dash.
_AFTER_QUOTE = re.compile(r"[*_~]*+(?:\s*+(?:\[[^\]\n]*+\]|\([^()\n]*+\)))*+[*_~]*+[\s,]*+(?:(?:—|–|―|--?)[^\n]*+)?")

# A reference is a number in brackets after the last word, within this many last characters.
_REFERENCES = re.compile(r"(?:\s*\[\^?\d[\d,\s–-]*\])+$")
_REFERENCES_MAX_CHARS = 60

_CHARS = "\"'“”„‟‘’‚‛«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟＂＇"

_HAS_MARK = re.compile(f"[{_CHARS}]")

# Markup that more text may complete, so that marks after it quote nothing: code, links and their definitions, tags.
_OPEN_MARKUP = re.compile(r"`|\]\(|<[A-Za-z/!?]|<\Z|^[ \t]*\[", re.MULTILINE)
_HAS_LINE_END = re.compile(r"[\r\n]")
# Plain text up to a word on the same line. A short word may change what a mark after it means: in ’68.
_REST = re.compile(rf"(?:[^\r\n<`\[\]{_CHARS}]|\[\d{{1,4}}\](?!\())*?(?<= )(?=[A-Za-z]{{3}})")

# Marks that can be part of a word, and the sign of a block quote.
_SINGLE = "'’‘‛"
_OTHERS = _CHARS.translate(dict.fromkeys(map(ord, _SINGLE)))
_MAY_END = re.compile(rf"(?<!\s)(?:[{_OTHERS}]|[{_SINGLE}](?![A-Za-z0-9]))|[{_CHARS}](?=\s)|>")
_NO_APOSTROPHE = re.compile(rf"[{_OTHERS}>]|(?<![A-Za-z0-9])[{_SINGLE}]|[{_SINGLE}](?![A-Za-z0-9])")

_LINK_TITLE = r"""(?:"[^"]*+"|'[^']*+'|\([^()]*+\))"""
# A line `[label]: target "title"`. If the target does not look like an address, the line is a note with a quotation.
_LINK_DEFINITION = rf"^[ \t]*+\[[^\]\[\n^][^\]\[\n]*+\]:[ \t]*+(?=<|[^\s\"“]*?[/#:.]\S)\S++[ \t]++{_LINK_TITLE}[ \t]*+$"

_FEET = r"\d['’′]\s?+\d++(?:[.,]\d++)?+\s?+(?:[\"”″]|''|’’)"

# Single marks, including those that only open.
_SINGLE_MARKS = frozenset("'’‘‚‛")
# Each mark with the marks that it may close. Swedish and Finnish open with ” and ’; German closes with “ and ‘; some
# texts have »…« or „…".
_CLOSING = """
""„ ”“„‟” “„” ‟„ ''‚ ’‘‚’‛ ‘‚ »«» «» ›‹› ‹› 」「 』『 ｣｢ ﹂﹁ ﹄﹃ 〞〝 〟〝 ＂＂ ＇＇
"""
_CLOSES = {marks[0]: marks[1:] for marks in _CLOSING.split()}
# Pairs half typed and half set by a word processor: “so" and "so”, if no other opening mark waits.
_CLOSES_MIXED = {'"': "“", "”": '"'}
_OPENING_ONLY = frozenset("„‚‛「『｢﹁﹃〝")
# These marks open at any position where they do not close: French has a space after them, Chinese none before.
_OPENS_ANYWHERE = frozenset("“‟«‹")
_LEFT_OPEN = frozenset("([{<>—–-―/*_~=:…¿¡|") | frozenset(_CLOSES) | _OPENING_ONLY

# Maximum depth of nesting; beyond it, the outermost marks are dropped, because each level returns its text again.
_MAX_DEPTH = 16

# Scripts without spaces between words, as ranges of code points.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xA4CF), (0xF900, 0xFAFF), (0xFE30, 0xFE4F))
_UNSPACED_WIDE = ((0xFF00, 0xFFEF), (0x20000, 0x3FFFF))
_HEBREW = ((0x0590, 0x05FF), (0xFB1D, 0xFB4F))
# Arabic joins "and" and "for" to the next word, even before a mark.
_ARABIC = ((0x0600, 0x08FF),)


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """
    Holds a passage that a text quotes.

    Attributes:
        text: The passage, without surrounding marks, spaces and emphasis. It is the slice [start, end)
            of the text. If it spans lines, line ends are LF, and Markdown's prefixes of lines and
            quotation marks repeated at the start of a paragraph are removed.
        start, end: Offsets in the text, in code points.
        marks: The surrounding marks as written; (">", "") for a block quote without marks.
        kind: "inline" for quotation marks, "block" for a block quote. A block quote
            that is entirely in quotation marks is one span of kind "block".
        depth: Number of spans around it.
    """

    text: str
    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]
    depth: int


@dataclass(frozen=True, slots=True)
class _Span:
    """Holds the quoted characters [start, end) of a `Prose`."""

    start: int
    end: int
    marks: tuple[str, str]
    kind: Literal["inline", "block"]


class _Mark(NamedTuple):
    """Holds a quotation mark: its character, and [start, end) including a backslash before it."""

    char: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Pair:
    """Holds a pair of marks: [start, inside) opens, [outside, end) closes."""

    start: int
    inside: int
    outside: int
    end: int
    marks: tuple[str, str]


@dataclass(slots=True)
class _Open:
    """Holds a waiting opening mark, and the apostrophe that closes it if nothing better follows."""

    mark: _Mark
    fallback: _Mark | None = None


class _Pairing:
    """
    Pairs the quotation marks of prose.

    An apostrophe looks like a closing single mark. It closes nothing inside a word or across an open double mark. After
    a plural (`the dogs' bowls`), it closes only if nothing better follows.

    Attributes:
        pairs: Pairs, sorted by their ends. Any two are nested or disjoint.
        final: Number of pairs that no text after the prose can change.
        is_open: Whether a mark waits for its closing mark at the end of the prose.
        is_resumed: Whether the last block continues a quotation of the block before it.
        repeated: The marks [start, end) repeated at the start of a quotation's paragraphs, in order.
    """

    def __init__(self, prose: Prose) -> None:
        self.pairs: list[_Pair] = []
        self.final = 0
        self.is_open = False
        self.is_resumed = False
        self.repeated: list[tuple[int, int]] = []
        self._text = prose.masked
        self._stack: deque[_Open] = deque()
        self._waiting: Counter[str] = Counter()
        previous: Block | None = None
        for block in prose.blocks:
            marks = list(_marks_in(self._text, block))
            # An open quotation may continue in the same block quote or list item.
            is_inside = previous is None or block.container == previous.container
            read = self._resume(marks, block.start) if is_inside else 0
            self.is_resumed = read > 0 or (previous is not None and self._goes_on_in_list(previous, block, marks))
            if not self.is_resumed:
                self._drop()
            for mark in marks[read:]:
                self._take(mark)
            previous = block
        self.final, self.is_open = len(self.pairs), bool(self._stack)
        self._drop()

    def _goes_on_in_list(self, previous: Block, block: Block, marks: list[_Mark]) -> bool:
        """Tell whether a quotation that a list item leaves open is not yet closed, or closed by the first mark here."""
        is_next_item = block.container != previous.container and block.list_around == previous.list_around is not None
        # An apostrophe would close a single mark.
        if not is_next_item or not self._stack or self._stack[-1].mark.char in _SINGLE_MARKS:
            return False
        for mark in marks:
            before, after = self._around(mark)
            if _is_inside_word(mark.char, before, after):
                continue
            if self._closes(mark, self._openers(mark.char, before, after), before, after):
                return True
            if self._opens(mark.char, before, after):
                return False
        return True

    def _around(self, mark: _Mark) -> tuple[str, str]:
        """Return the characters before and after *mark*; a space at the ends of the text."""
        before = self._text[mark.start - 1] if mark.start else " "
        return before, self._text[mark.end] if mark.end < len(self._text) else " "

    def _take(self, mark: _Mark) -> None:
        before, after = self._around(mark)
        if _is_inside_word(mark.char, before, after):
            return
        openers = self._openers(mark.char, before, after)
        if self._closes(mark, openers, before, after):
            self._close(mark, openers, after)
        elif self._opens(mark.char, before, after):
            self._push(mark)

    def _openers(self, char: str, before: str, after: str) -> str:
        """Return the marks that *char* may close at this position."""
        openers = _CLOSES.get(char, "")
        # After a number it means inches.
        if char in _CLOSES_MIXED and not before.isdigit() and not _can_follow_opening(after):
            return openers if any(self._waiting[opener] for opener in openers) else _CLOSES_MIXED[char]
        return openers

    def _closes(self, mark: _Mark, openers: str, before: str, after: str) -> bool:
        if mark.char in _SINGLE_MARKS:
            # An apostrophe cannot close a mark outside of an open double mark.
            is_awaited = bool(self._stack) and self._stack[-1].mark.char in openers
        else:
            is_awaited = any(self._waiting[opener] for opener in openers)
        if not is_awaited:
            return False
        if not before.isspace():
            return True
        # « Bonjour » and " bonjour " have inner spaces; a mark directly before a word opens another quotation.
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
        """Tell whether *mark* may be an apostrophe, as in `the dogs' bowls` or `talkin' about`."""
        word = self._text[max(0, mark.start - 2) : mark.start]
        is_ending = word[-1:] in ("s", "x", "z", "S", "X", "Z") or word == "in"
        return is_ending and after == " " and _is_word(self._text[mark.end + 1 : mark.end + 2] or " ")

    def _pop(self) -> None:
        self._settle(self._stack.pop())

    def _settle(self, waited: _Open) -> None:
        """Remove a waiting opening mark; if it has a possible end, record a pair."""
        self._waiting[waited.mark.char] -= 1
        if waited.fallback is not None:
            opening, closing = waited.mark, waited.fallback
            marks = (opening.char, closing.char)
            self.pairs.append(_Pair(opening.start, opening.end, closing.start, closing.end, marks))

    def _drop(self) -> None:
        """Remove all waiting marks."""
        while self._stack:
            self._pop()

    def _resume(self, marks: list[_Mark], start: int) -> int:
        """Return how many of *marks* only repeat open marks at the beginning of a paragraph."""
        leading = self._leading(marks, start)
        chars = [open_mark.mark.char for open_mark in self._stack]
        first = next((at for at, char in enumerate(chars) if leading and _repeats(leading[0].char, char)), len(chars))
        count = 0
        for mark, char in zip(leading, chars[first:], strict=False):
            if not _repeats(mark.char, char):
                break
            count += 1
        if count:
            # Includes the space that French has after the mark.
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

    Recognises the quotation marks of European and East Asian languages, including
    straight ones, in every direction of use. An unclosed mark quotes nothing, unless
    the next paragraph begins with the same mark, or the next item of a list closes
    it. An apostrophe after a plural closes single marks only if nothing else does:
    `'The dogs' bowls are empty.'` is one passage.

    Args:
        text: Plain text or Markdown.
        min_chars: Minimum number of characters of a passage. Passages without letters
            or digits are always skipped.

    Returns:
        The passages in order of their start, outer ones before inner ones. Any two
        are nested or disjoint.

    Raises:
        TypeError: *text* is not a str.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {type(text).__name__}")
    prose = Prose(text)
    pairing = _Pairing(prose)
    inline = _inline_spans(prose, pairing.pairs)
    ends = {pair.start: pair.end for pair in pairing.pairs}
    found = [*_block_spans(prose, inline, ends), *inline.values()]
    return list(_placed(prose, pairing, found, min_chars))


class CompleteQuotes(NamedTuple):
    """
    Holds what the beginning of a text quotes.

    Attributes:
        spans: The passages that no continuation can change, in order of their start. Their depth counts only the
            passages around them that are complete.
        done: Length of the text before its last block, if that block can be read alone; otherwise 0.
        rest: End of the text, if nothing before it has an influence on the words after it; otherwise None.
        has_others: Whether the text quotes more, unless its continuation changes that.
    """

    spans: list[QuotedSpan]
    done: int
    rest: int | None
    has_others: bool


def complete_quotes(text: str, *, min_chars: int = 1) -> CompleteQuotes:
    """
    Return the passages that *text* quotes, whatever follows it.

    `quotes_in` returns each of them for every continuation of the text.

    Args:
        text: The beginning of a text, up to a white space.
        min_chars: See `quotes_in`.
    """
    prose = Prose(text)
    if not prose.blocks:
        return CompleteQuotes([], 0, None, has_others=False)
    pairing = _Pairing(prose)
    limit = _certain_end(prose, text)
    pairs = [pair for pair in pairing.pairs[: pairing.final] if pair.end <= limit]
    inline = _inline_spans(prose, pairs)
    block_spans = list(_block_spans(prose, inline, {pair.start: pair.end for pair in pairing.pairs}))
    complete = [span for span in block_spans if span.end <= limit]
    spans = list(_placed(prose, pairing, [*complete, *inline.values()], min_chars))
    has_others = len(pairs) < len(pairing.pairs) or len(complete) < len(block_spans)
    block = prose.blocks[-1]
    is_on_last_line = not _HAS_LINE_END.search(text, prose.original(block.start, block.end)[1])
    is_alone = block.kind == "paragraph" and block.container is None and limit == block.end and is_on_last_line
    return CompleteQuotes(
        spans=spans,
        done=0 if pairing.is_resumed else prose.start_of_last_block(),
        rest=len(text) if is_alone and not (has_others or pairing.is_open) else None,
        has_others=has_others,
    )


def _inline_spans(prose: Prose, pairs: Iterable[_Pair]) -> dict[int, _Span]:
    """Return the passages inside *pairs*, by the start of the pair."""
    return {pair.start: _trimmed(prose.text, _Span(pair.inside, pair.outside, pair.marks, "inline")) for pair in pairs}


def _certain_end(prose: Prose, text: str) -> int:
    """Return the end of the prose whose marks cannot become part of code, a link, a tag or a block quote."""
    block = prose.blocks[-1]
    # A comment or a script does not end at a blank line.
    if block.kind != "html" and BLANK_LINE_AT_END.search(text):
        return len(prose.text)
    # A passage in quotation marks that fills a block quote is one passage with it.
    open_quotes = [prose.blocks[first].start for first, end in prose.quotations if first < end == len(prose.blocks)]
    open_markup = _OPEN_MARKUP.search(prose.masked, block.start, block.end)
    starts = [block.start] if block.kind == "html" else [] if open_markup is None else [open_markup.start()]
    # Whether a mark is the apostrophe of a plural depends on the next word.
    is_apostrophe = prose.masked[block.end - 1 : block.end] in ("'", "’")
    return min([block.end - is_apostrophe, *open_quotes, *starts])


def has_only_apostrophes(text: str) -> bool:
    """Tell whether all marks of *text* are inside words, so that it quotes nothing. Only unaccented letters count."""
    return _NO_APOSTROPHE.search(text) is None


def start_of_rest(text: str, start: int) -> int:
    """
    Return the start of a word at or after *start* from which *text* can be read alone; 0 if there is none.

    Args:
        text: The beginning of a text.
        start: `CompleteQuotes.rest`.
    """
    word = _REST.match(text, start)
    return 0 if word is None else word.end()


def may_end_quote(text: str, start: int, end: int) -> bool:
    """Tell whether a quotation may end, or a block quote begin, at one of the characters [start, end)."""
    return _MAY_END.search(text, start, end) is not None


def _trimmed(text: str, span: _Span) -> _Span:
    """Return *span* without surrounding spaces and emphasis."""
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
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _block_spans(prose: Prose, inline: dict[int, _Span], ends: dict[int, int]) -> Iterator[_Span]:
    """Yield the block quotes, and remove from *inline* a passage that fills one of them."""
    seen = set()
    # Inner ones first: of two block quotes around the same words, the inner one is kept.
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
    """Return a block quote without the line that names its author, and without references at its end."""
    span = _trimmed(text, span)
    line = text.rfind("\n", span.start, span.end) + 1
    if line > 0 and _SIGNATURE.match(text, line, span.end):
        span = _trimmed(text, replace(span, end=line))
    tail = max(span.start, span.end - _REFERENCES_MAX_CHARS)
    references = _REFERENCES.search(text, tail, span.end)
    return span if references is None else _trimmed(text, replace(span, end=references.start()))


def _emphasis_chars(text: str, span: _Span) -> int:
    """Return the number of emphasis characters at the start of *span*."""
    words = text[span.start : span.end]
    return len(words) - len(words.lstrip(_EMPHASIS))


def _placed(prose: Prose, pairing: _Pairing, spans: list[_Span], min_chars: int) -> Iterator[QuotedSpan]:
    """Yield *spans* with their text, their offsets in the original, and their depth."""
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
    """Return the text of *span* without the marks repeated by its paragraphs."""
    parts = []
    place = span.start
    repeated = pairing.repeated
    for start, end in repeated[bisect_left(repeated, (span.start, 0)) : bisect_left(repeated, (span.end, 0))]:
        parts.append(prose.text[place:start])
        place = end
    return "".join([*parts, prose.text[place : span.end]])


def _repeats(char: str, opening: str) -> bool:
    """Tell whether a paragraph that begins with *char* continues the quotation of *opening*; in French, » does too."""
    return char == opening or (opening, char) in (("«", "»"), ("‹", "›"))


@cache
def _token() -> re.Pattern[str]:
    """
    Return a pattern for a mark, or for an apostrophe that only looks like one.

    Such an apostrophe replaces letters: 'tis, rock 'n' roll, the '90s, in '68, Dutch 's morgens. A closing mark
    directly after it makes the word a quotation.
    """
    elided = (
        r"(?<!\w)['’‘](?:n['’](?!\w)|\d0s(?![\w'’])|(?:(?<= in.)|(?<= of.)|(?<=ince.))\d\d(?![\w%'’])|"
        rf"[b-df-hj-np-tv-z](?![\w'’])|(?i:{one_of(word_list('en', 'elisions', 'words'))})(?![\w'’]))"
    )
    escaped = rf"\\(?![{_CHARS}])[!-/:-@\[-`{{-~]"
    # The lookahead rejects most characters at once.
    token = rf"(?=[\d\\{_CHARS}])(?:{elided}|{_FEET}|{escaped}|(?P<mark>\\?[{_CHARS}]))"
    return re.compile(rf"{_LINK_DEFINITION}|{token}", re.MULTILINE)


def _marks_in(text: str, block: Block) -> Iterator[_Mark]:
    """Yield the possible quotation marks of *block* in *text*, left to right."""
    if _HAS_MARK.search(text, block.start, block.end) is None:
        return
    for token in _token().finditer(text, block.start, block.end):
        if token.lastgroup:
            yield _Mark(token[0][-1], token.start(), token.end())


def _is_inside_word(char: str, before: str, after: str) -> bool:
    """Tell whether a mark is part of a word: don't, l’amour, צה"ל."""
    if char in "'’‘‛":
        return _is_word(before) and _is_word(after)
    return char == '"' and not before.isascii() and _is_in(before, _HEBREW) and _is_in(after, _HEBREW)


def _can_follow_opening(char: str) -> bool:
    """Tell whether *char* may begin a quotation."""
    return not char.isspace() and char not in ".,;:!?)]}"


def _is_word(char: str) -> bool:
    """Tell whether *char* belongs to a script with spaces between words."""
    if char.isascii():
        return char.isalnum()
    return (char.isalnum() or category(char)[0] == "M") and not _is_unspaced(char)


def _takes_marks(char: str) -> bool:
    """Tell whether an opening mark may directly follow the letter *char*, as in Chinese, which has no spaces."""
    return _is_unspaced(char) or _is_in(char, _ARABIC)


def _is_unspaced(char: str) -> bool:
    return char >= "\u0e00" and (_is_in(char, _UNSPACED) or _is_in(char, _UNSPACED_WIDE))


def _is_in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in ranges)

"""
Which quotation marks belong together.

A mark's character says what it can be, and what stands beside it says what it is:
`"` opens before a word and closes behind one, `»` opens in German and closes in
French. An opening mark waits on a stack for its closing one. Within a paragraph
that is all; a quotation that its paragraph leaves open goes on in the next one if
that begins with the same mark again.

An apostrophe looks like a closing single mark. It closes nothing inside a word or
across an open double mark; behind a plural (`the dogs' bowls`) only if nothing
better follows.
"""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from groundwire.evidence.prose_blocks import Block
from groundwire.evidence.prose_characters import can_follow_opening, is_inside_word, is_word, takes_marks
from groundwire.evidence.prose_tokens import Mark, marks_in

__all__ = ["Pair", "Pairing", "pair_marks"]

# What each mark may close. Swedish and Finnish open with ” and ’; German closes with “ and ‘; some set »…« or „…".
_CLOSES = {
    '"': '"„',
    "”": "“„‟”",
    "“": "„”",
    "‟": "„",
    "'": "'‚",
    "’": "‘‚’‛",
    "‘": "‚",
    "»": "«»",
    "«": "»",
    "›": "‹›",
    "‹": "›",
    "」": "「",
    "』": "『",
    "｣": "｢",
    "﹂": "﹁",
    "﹄": "﹃",
    "〞": "〝",
    "〟": "〝",
    "＂": "＂",
    "＇": "＇",
}
# Half typed, half set by a word processor: “so" and "so”, where nothing else waits for the mark.
_CLOSES_MIXED = {'"': "“", "”": '"'}
_OPENING_ONLY = frozenset("„‚‛「『｢﹁﹃〝")
# These open wherever they stand, if they do not close: French sets a space behind them, Chinese none before.
_OPENS_ANYWHERE = frozenset("“‟«‹")
_SINGLE = frozenset("'’‘‚‛")
_LEFT_OPEN = frozenset("([{<>—–-―/*_~=:…¿¡|") | frozenset(_CLOSES) | _OPENING_ONLY

# Of more opening marks the outermost are forgotten: the passages inside each other are text that is returned so often.
_MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class Pair:
    """Two marks: [start, inside) is the opening one, [outside, end) the closing one."""

    start: int
    inside: int
    outside: int
    end: int
    marks: tuple[str, str]


@dataclass(slots=True)
class _Open:
    """An opening mark that waits, and the apostrophe that will do as its end if no better comes."""

    mark: Mark
    fallback: Mark | None = None


@dataclass(slots=True)
class Pairing:
    """
    The marks of a text that belong together.

    Attributes:
        pairs: By where they end. They hold each other or are apart.
        repeated: The marks [start, end) that paragraphs of one quotation begin with, in order.
    """

    text: str
    pairs: list[Pair] = field(default_factory=list)
    repeated: list[tuple[int, int]] = field(default_factory=list)
    _stack: deque[_Open] = field(default_factory=deque)
    _waiting: Counter[str] = field(default_factory=Counter)

    def read(self, block: Block, *, goes_on: bool) -> None:
        """Pair the marks of *block*; *goes_on* tells that a quotation left open may continue here."""
        marks = list(marks_in(self.text, block.start, block.end))
        read = self._resume(marks, block.start) if goes_on else 0
        if read == 0:
            self._drop()
        for mark in marks[read:]:
            self._take(mark)

    def finish(self) -> None:
        """Give up what is still open."""
        self._drop()

    def _take(self, mark: Mark) -> None:
        before = self.text[mark.start - 1] if mark.start else " "
        after = self.text[mark.end] if mark.end < len(self.text) else " "
        if is_inside_word(mark.char, before, after):
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
        if char in _CLOSES_MIXED and not before.isdigit() and not can_follow_opening(after):
            return openers if any(self._waiting[opener] for opener in openers) else _CLOSES_MIXED[char]
        return openers

    def _closes(self, mark: Mark, openers: str, before: str, after: str) -> bool:
        if mark.char in _SINGLE:
            # An apostrophe cannot end what is around an open double mark.
            is_awaited = bool(self._stack) and self._stack[-1].mark.char in openers
        else:
            is_awaited = any(self._waiting[opener] for opener in openers)
        if not is_awaited:
            return False
        if not before.isspace():
            return True
        # « Bonjour » and " bonjour " have spaces inside; a mark before a word opens another one.
        return after.isspace() or mark.char in "»›" or not can_follow_opening(after)

    def _opens(self, char: str, before: str, after: str) -> bool:
        if char in _OPENING_ONLY or char in _OPENS_ANYWHERE:
            return True
        if char == "‘":
            return not is_word(before)
        if char == "’" and self._stack and self._stack[-1].mark.char in "‘‚":
            return False
        if after.isspace():
            return char == '"' and before.isspace()
        if char in "」』｣﹂﹄〞〟":
            return False
        if before.isspace() or before in _LEFT_OPEN:
            return True
        return char not in "'’" and takes_marks(before)

    def _push(self, mark: Mark) -> None:
        if self._stack and self._stack[-1].fallback is not None and mark.char in _SINGLE:
            self._pop()
        if len(self._stack) == _MAX_DEPTH:
            self._settle(self._stack.popleft())
        self._stack.append(_Open(mark))
        self._waiting[mark.char] += 1

    def _close(self, mark: Mark, openers: str, after: str) -> None:
        while self._stack[-1].mark.char not in openers:
            self._pop()
        top = self._stack[-1]
        if mark.char in "'’" and self._may_be_possessive(mark, after):
            top.fallback = top.fallback or mark
            return
        top.fallback = mark
        self._pop()

    def _may_be_possessive(self, mark: Mark, after: str) -> bool:
        """Tell whether *mark* looks like that of `the dogs' bowls` or `talkin' about`."""
        word = self.text[max(0, mark.start - 2) : mark.start]
        is_ending = word[-1:] in ("s", "x", "z", "S", "X", "Z") or word == "in"
        return is_ending and after == " " and is_word(self.text[mark.end + 1 : mark.end + 2] or " ")

    def _pop(self) -> None:
        self._settle(self._stack.pop())

    def _settle(self, waited: _Open) -> None:
        """Do with an opening mark that waits no longer; with what will do as its end it is a pair."""
        self._waiting[waited.mark.char] -= 1
        if waited.fallback is not None:
            opening, closing = waited.mark, waited.fallback
            marks = (opening.char, closing.char)
            self.pairs.append(Pair(opening.start, opening.end, closing.start, closing.end, marks))

    def _drop(self) -> None:
        """Give up all open marks."""
        while self._stack:
            self._pop()

    def _resume(self, marks: list[Mark], start: int) -> int:
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

    def _word_after(self, mark: Mark) -> int:
        place = mark.end
        while self.text[place : place + 1].isspace():
            place += 1
        return place

    def _leading(self, marks: list[Mark], start: int) -> list[Mark]:
        leading: list[Mark] = []
        for mark in marks:
            if self.text[start : mark.start].strip():
                break
            leading.append(mark)
            start = mark.end
        return leading


def pair_marks(text: str, blocks: Iterable[Block]) -> Pairing:
    """Return the quotation marks of *blocks* of *text* that belong together. Linear in the text."""
    pairing = Pairing(text)
    container: int | None = None
    for block in blocks:
        pairing.read(block, goes_on=block.container == container)
        container = block.container
    pairing.finish()
    return pairing


def _repeats(char: str, opening: str) -> bool:
    """Tell whether a paragraph that begins with *char* goes on with what *opening* opened; French does it with »."""
    return char == opening or (opening, char) in (("«", "»"), ("‹", "›"))

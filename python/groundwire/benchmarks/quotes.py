"""
Quotes as models give them: said with slips, said almost, not said at all.

Which of the three a quote is, is found out before anything is timed.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from random import Random
from string import ascii_lowercase

from groundwire import normalize, partial_ratio, partial_ratio_many
from groundwire.benchmarks.texts import Text

__all__ = ["CUTOFF", "Kind", "Quotes"]

CUTOFF = 85.0
"""What tells a quote that is there from one that is not, 0 to 100."""

# The best score of a near miss is at least this.
_NEAR = 70.0

# Share of the characters that a slip of the pen changes.
_SLIPS = 0.05

# So many quotes are drawn at a time, until there are enough of each kind.
_DRAWN = 64


class Kind(StrEnum):
    """How a quote comes to be, and what it scores."""

    VERBATIM = "verbatim"
    """A passage as it is."""
    TYPOS = "typos"
    """A passage with some characters changed, dropped or added: 85 or more."""
    NEAR = "near"
    """A passage with so many changes that it scores 70 to 84."""
    ABSENT = "absent"
    """A passage of another text, below 85."""

    @property
    def is_there(self) -> bool:
        """Whether such quotes score 85 or more."""
        return self in (Kind.VERBATIM, Kind.TYPOS)


@dataclass(frozen=True, slots=True)
class Quotes:
    """
    Quotes for a text, from a seed.

    Quotes are normalised, like the texts that they come from, so that a quote has one score
    whether it is compared as it is or by a `Source`.

    Attributes:
        text: Where they are looked for, normalised.
        other: Where absent ones come from, normalised.
        count: How many there are.
        chars: How long they are: the first as the first of these says, and so on, and again.
        kinds: Of which kind: with the first length all the kinds in turn, then with the next.
    """

    text: Text
    other: Text
    count: int
    chars: tuple[int, ...]
    kinds: tuple[Kind, ...] = (Kind.TYPOS, Kind.NEAR, Kind.ABSENT)

    def read(self) -> tuple[str, ...]:
        """
        Return the quotes; they are made once.

        Raises:
            ValueError: One of the texts is not normalised.
        """
        return _drawn(self)

    def kind(self, at: int) -> Kind:
        """Return the kind of the quote at *at*."""
        return self.kinds[at % len(self.kinds)]

    def length(self, at: int) -> int:
        """Return the number of characters of the quote at *at*."""
        return self.chars[at // len(self.kinds) % len(self.chars)]


@cache
def _drawn(quotes: Quotes) -> tuple[str, ...]:
    for text in (quotes.text, quotes.other):
        # A text that was cut off may end with a blank.
        if normalize(text.read()) != text.read().strip():
            raise ValueError(f"quotes need a normalised text, got {text.name}")
    sorts = [(quotes.kind(at), quotes.length(at)) for at in range(quotes.count)]
    pools = {sort: _of_sort(quotes, *sort, sorts.count(sort)) for sort in dict.fromkeys(sorts)}
    return tuple(pools[sort].pop() for sort in sorts)


def _of_sort(quotes: Quotes, kind: Kind, chars: int, count: int) -> list[str]:
    """Return *count* different quotes of one kind and length."""
    random = Random(f"{kind} {chars}")
    text = quotes.text.read()
    found: dict[str, None] = {}
    while len(found) < count:
        drawn = [_draw(quotes, kind, chars, random) for _ in range(min(_DRAWN, 2 * count))]
        scores = partial_ratio_many(drawn, text, score_cutoff=CUTOFF)
        found |= {quote: None for quote, score in zip(drawn, scores, strict=True) if (score > 0) == kind.is_there}
    return [*found][:count]


def _draw(quotes: Quotes, kind: Kind, chars: int, random: Random) -> str:
    """Return a quote that is of *kind* as far as its own passage goes."""
    text = (quotes.other if kind is Kind.ABSENT else quotes.text).read()
    while True:
        start = int(max(0, len(text) - 2 * chars) * random.random())
        passage = text[start : start + 2 * chars]
        quote = passage[:chars] if kind in (Kind.VERBATIM, Kind.ABSENT) else _changed(passage, kind, chars, random)
        # A slip that drops a word of one letter leaves two blanks.
        if quote is not None and quote == normalize(quote):
            return quote


def _changed(passage: str, kind: Kind, chars: int, random: Random) -> str | None:
    """Return the first *chars* characters of *passage* with slips; None: not what *kind* should score."""
    quote = passage
    for _ in range(max(1, round(chars * _SLIPS))):
        quote = _slip(quote, chars, random)
    while kind is Kind.NEAR and partial_ratio(quote[:chars], passage) >= CUTOFF:
        quote = _slip(quote, chars, random)
    # A passage that is a whole text may have become too short.
    quote = quote[:chars].ljust(chars, "x")
    low, high = (_NEAR, CUTOFF) if kind is Kind.NEAR else (CUTOFF, 101.0)
    return quote if low <= partial_ratio(quote, passage) < high else None


def _slip(quote: str, chars: int, random: Random) -> str:
    """Return *quote* with one of its first *chars* characters changed, dropped or doubled by another."""
    at = int(chars * random.random())
    letter = ascii_lowercase[int(26 * random.random())]
    written, resumed = ((letter, at + 1), ("", at + 1), (letter, at))[int(3 * random.random())]
    return quote[:at] + written + quote[resumed:]

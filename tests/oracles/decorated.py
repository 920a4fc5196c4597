"""Build texts from segments whose normalised form is known, so that every origin is known too."""

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st


class Piece(NamedTuple):
    """Holds a text, its normalised form, and characters after it that normalisation drops."""

    original: str
    normalized: str
    tail: str = ""


LETTERS = [
    Piece("a", "a"),
    Piece("B", "b"),
    Piece("b", "b", "\u200b"),
    Piece("c", "c", "\u200d\ufeff"),
    Piece("\u2019", "'"),
    Piece("\u201c", '"'),
    Piece("e\u0301", "\u00e9"),
    Piece("\u00e9", "\u00e9"),
    Piece("\u00df", "\u00df"),
    Piece("\u0130", "i\u0307"),
    Piece("\u00bd", "1\u20442"),
    Piece("\ufb01", "fi"),
    Piece("\u2026", "..."),
    Piece("\uff21", "a"),
    Piece("\u0416", "\u0436"),
    Piece("\u4e2d", "\u4e2d"),
    Piece("\u1100\u1161", "\uac00"),
    Piece("\uff8a\uff9e", "\u30d0"),
    Piece("\ufacf", "\U0002284a"),
    Piece("\U0001d504", "a"),
    Piece("\U00010400", "\U00010428"),
    Piece("\U0001f600", "\U0001f600"),
    Piece("\ud800", "\ud800"),
]
SPACES = [
    Piece(" ", " "),
    Piece("\n", " ", "\t \x1c"),
    Piece("\u3000", " "),
    Piece(" ", " ", "<laughter>\u00a0"),
    Piece("<b>", " ", " "),
    Piece("\uff1ci\uff1e", " "),
]


class Decorated:
    """Holds a text, its normalised form, and the origin of each normalised character."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.text = "".join(piece.original + piece.tail for piece in pieces)
        self.normalized = "".join(piece.normalized for piece in pieces)
        self._origins: list[tuple[int, int]] = []
        start = 0
        for piece in pieces:
            self._origins += [(start, start + len(piece.original))] * len(piece.normalized)
            start += len(piece.original) + len(piece.tail)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the shortest span of the text that contains the normalised characters *start* to *end*."""
        return (self._origins[start][0], self._origins[end - 1][1]) if start < end else (0, 0)

    def __repr__(self) -> str:
        return f"Decorated({self.text!a})"


words = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=6)
decorated = st.lists(st.tuples(words, st.sampled_from(SPACES)), min_size=1, max_size=12).map(
    lambda pairs: Decorated([piece for word, space in pairs for piece in [*word, space]][:-1])
)

"""Words of a quote that have letters of its author in brackets: [un]happy, walk[ed]."""

import re
from bisect import bisect_right

from groundwire.evidence.wording.spans import Span
from groundwire.evidence.wording.tokens import UNSPACED, Token

__all__ = ["BracketedWords"]

_MAX_WORD_CHARS = 64
_LETTER = rf"[^\W\d_{UNSPACED}]"
# Only where a word begins, and possessive, so that no row of letters is gone through twice.
_WORD = re.compile(rf"(?<!{_LETTER}){_LETTER}*+(?:\[{_LETTER}++\]{_LETTER}*+)++")
_BRACKETS = re.compile(r"\[[^\]]*\]")


class BracketedWords:
    """The places of such words in a quote. Brackets around whole words, and around several, are none."""

    __slots__ = ("_starts", "_words")

    def __init__(self, quote: str) -> None:
        places = (match.span() for match in _WORD.finditer(quote) if _BRACKETS.sub("", match[0]))
        self._words: list[Span] = [(start, end) for start, end in places if end - start <= _MAX_WORD_CHARS]
        self._starts = [start for start, _ in self._words]

    def around(self, start: int, end: int) -> Span:
        """Return the span with the whole of the words that it begins or ends inside."""
        first, last = self._at(start), self._at(end)
        return (first[0] if first else start), (last[1] if last else end)

    def _at(self, place: int) -> Span | None:
        """The word that goes on at *place*."""
        number = bisect_right(self._starts, place) - 1
        if number < 0 or not self._words[number][0] < place < self._words[number][1]:
            return None
        return self._words[number]

    def join(self, tokens: list[Token]) -> list[Token]:
        """Return *tokens* of the quote with each of these words as one."""
        joined: list[Token] = []
        word: Span | None = None
        for token in tokens:
            if word and token.end <= word[1]:
                joined[-1] = Token(joined[-1].text + token.text, joined[-1].start, token.end)
            else:
                joined.append(token)
                word = self._at(token.end)
        return joined

"""One quote against its source: the kind of each edit."""

from collections.abc import Container

from groundwire import normalize
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
from groundwire.evidence.wording.changes import Edit, letters
from groundwire.evidence.wording.marks import MarkNames, has_mark
from groundwire.evidence.wording.meanings import MeaningChanges
from groundwire.evidence.wording.slips import distance_within
from groundwire.evidence.wording.tokens import Token

__all__ = ["READ_CHARS", "Comparison"]

READ_CHARS = 5_000
"""So many characters that differ are read for one quote, those of both texts together."""

_REPEATED_WORDS = 8
# A longer row of words that one side lacks is one difference.
_SPLIT_WORDS = 100
_SIGHT_CHARS = 24


class Comparison(MeaningChanges):
    """A quote and its source, and what their words mean in the quote's language."""

    __slots__ = ("_chars_left",)

    def __init__(self, quote: str, source: str, vocabulary: Container[str], marks: MarkNames) -> None:
        super().__init__(quote, source, vocabulary, marks)
        self._chars_left = READ_CHARS

    def differences(self, quote_start: int, quote_end: int, source_start: int, source_end: int) -> list[Difference]:
        """Return the differences of one edit, at least one."""
        edit = (quote_start, quote_end, source_start, source_end)
        kind = _kind_of_form(self.quote[quote_start:quote_end], self.source[source_start:source_end], self.marks)
        if kind is not None:
            return [self._difference(kind, edit)]
        self._chars_left -= quote_end - quote_start + source_end - source_start
        if self._chars_left < 0:
            return [self._difference(DifferenceKind.UNREAD, edit)]
        read = self.whole_words(edit)
        quoted = self.tokens(self.quote, *read[:2])
        sourced = self.tokens(self.source, *read[2:])
        kind = self._kind(read, quoted, sourced)
        if read == edit and len(quoted) + len(sourced) > 1:
            if not quoted or not sourced:
                return self._split_one_side(kind, edit, quoted, sourced)
            if _SPLIT_WORDS >= len(quoted) == len(sourced) > 1 and kind in MEANING:
                return self._split_pairs(kind, edit, quoted, sourced)
        return [self._difference(kind, edit)]

    def _difference(self, kind: DifferenceKind, edit: Edit) -> Difference:
        quote_start, quote_end, source_start, source_end = edit
        return Difference(
            kind,
            self.quote[quote_start:quote_end],
            self.source[source_start:source_end],
            (quote_start, quote_end),
            (source_start, source_end),
        )

    def _kind(self, edit: Edit, quoted: list[Token], sourced: list[Token]) -> DifferenceKind:
        """The kind of an edit as a whole: meaning before form."""
        if self.may_mean(edit, quoted, sourced):
            meant, is_same = self.kind_of_meaning(edit, quoted, sourced)
            if meant is not None and not self._is_repeated(meant, edit, quoted, sourced):
                is_slip = self.is_cut_word(quoted, sourced) or self.is_slip(quoted, sourced, 2)
                return DifferenceKind.SPELLING if is_slip else meant
            if is_same and not self.is_opposite_term(edit):
                return self._kind_of_same(edit)
        if not quoted and not sourced:
            return DifferenceKind.PUNCTUATION
        if quoted and sourced and (self.is_opposite(quoted, sourced) or self.is_opposite_term(edit)):
            return DifferenceKind.NEGATION
        if self.changes_name(quoted, sourced):
            is_slip = self.is_cut_word(quoted, sourced) or self.is_slip(quoted, sourced, 1)
            return DifferenceKind.SPELLING if is_slip else DifferenceKind.NAME
        return _kind_of_words(quoted, sourced)

    def _kind_of_same(self, edit: Edit) -> DifferenceKind:
        """The kind of a change that keeps the meaning of all words: 5mg, 10000, fifteen or can't."""
        written = self.quote[edit[0] : edit[1]].lower()
        meant = self.source[edit[2] : edit[3]].lower()
        if "".join(written.split()) == "".join(meant.split()):
            return DifferenceKind.WHITESPACE
        return DifferenceKind.PUNCTUATION if letters(written) == letters(meant) else DifferenceKind.SPELLING

    def _is_repeated(self, kind: DifferenceKind, edit: Edit, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether the words of one side only repeat their neighbours, as speakers do; repeated digits count."""
        tokens, text = (sourced, self.source) if sourced else (quoted, self.quote)
        if (quoted and sourced) or kind is DifferenceKind.NUMBER or not 0 < len(tokens) <= _REPEATED_WORDS:
            return False
        start, end = edit[2:] if sourced else edit[:2]
        words = [token.text for token in tokens]
        if len(set(words)) == 1:
            del words[1:]
        low, high = max(0, 2 * start - end - _SIGHT_CHARS), min(len(text), 2 * end - start + _SIGHT_CHARS)
        if words[0] not in text[low:start].lower() and words[0] not in text[end:high].lower():
            return False
        before = [token.text for token in self.tokens(text, low, start)]
        return before[-len(words) :] == words or [t.text for t in self.tokens(text, end, high)][: len(words)] == words

    def _split_one_side(
        self, kind: DifferenceKind, edit: Edit, quoted: list[Token], sourced: list[Token]
    ) -> list[Difference]:
        """Words that only one side has, apart by kind."""
        if len(quoted or sourced) > _SPLIT_WORDS:
            return [self._difference(kind, edit)]
        rows: list[tuple[DifferenceKind, Edit]] = []
        for token in quoted or sourced:
            start, end = token.start, token.end
            part = (start, end, *edit[2:]) if quoted else (*edit[:2], start, end)
            own = self._kind(part, [token] if quoted else [], [] if quoted else [token])
            if rows and rows[-1][0] is own:
                first = rows[-1][1]
                rows[-1] = (own, (first[0], end, *edit[2:]) if quoted else (*edit[:2], first[2], end))
            else:
                rows.append((own, part))
        # A phrase can mean more than its words, and a repeated row less.
        if len(rows) == 1 or (kind in MEANING) != any(own in MEANING for own, _ in rows):
            return [self._difference(kind, edit)]
        return [self._difference(own, part) for own, part in rows]

    def _split_pairs(
        self, kind: DifferenceKind, edit: Edit, quoted: list[Token], sourced: list[Token]
    ) -> list[Difference]:
        """As many words on both sides: each against its own."""
        found = []
        for written, meant in zip(quoted, sourced, strict=True):
            if written.text != meant.text:
                part = (written.start, written.end, meant.start, meant.end)
                found.append(self._difference(self._kind(part, [written], [meant]), part))
        return found if any(difference.kind in MEANING for difference in found) else [self._difference(kind, edit)]


def _kind_of_form(written: str, meant: str, marks: MarkNames) -> DifferenceKind | None:
    """The kind where both sides are the same but for their form, else None."""
    if written.split() == meant.split():
        return DifferenceKind.WHITESPACE
    written, meant = written.lower(), meant.lower()
    if written.split() == meant.split():
        return DifferenceKind.CASE
    both = written + meant
    if both.isalnum() and both.isascii():
        return None
    if both.isascii() and "-" not in both and not has_mark(both, marks):
        return None
    is_same = _normalized(written, marks) == _normalized(meant, marks)
    return DifferenceKind.PUNCTUATION if is_same else None


def _normalized(text: str, marks: MarkNames) -> str:
    return normalize(text, profile="typographic", marks=marks)


def _kind_of_words(quoted: list[Token], sourced: list[Token]) -> DifferenceKind:
    """The kind of a change that touches no meaning."""
    if not quoted or not sourced:
        return DifferenceKind.WORD_ADDED if quoted else DifferenceKind.WORD_DROPPED
    written = "".join(token.text for token in quoted)
    meant = "".join(token.text for token in sourced)
    if distance_within(written, meant, 1 if len(meant) < 5 else 2):
        return DifferenceKind.PUNCTUATION if written == meant else DifferenceKind.SPELLING
    return DifferenceKind.WORD_REPLACED

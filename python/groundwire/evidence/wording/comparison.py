"""One quote against its source: the kind of each edit."""

from collections.abc import Container

from groundwire import normalize
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
from groundwire.evidence.wording.changes import Edit, WordChanges, letters
from groundwire.evidence.wording.marks import MarkNames, has_mark
from groundwire.evidence.wording.numerals import read_roman
from groundwire.evidence.wording.readings import Reading
from groundwire.evidence.wording.slips import distance_within
from groundwire.evidence.wording.spans import glued_span, touches_digit, wider_span
from groundwire.evidence.wording.tokens import Token, fold, is_unspaced, tokenize

__all__ = ["READ_CHARS", "Comparison"]

READ_CHARS = 5_000
"""So many characters that differ are read for one quote, those of both texts together."""

_REPEATED_WORDS = 8
# A longer row of words that one side lacks is one difference.
_SPLIT_WORDS = 100
_SIGHT_CHARS = 24

Words = list[str]


class Comparison(WordChanges):
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
        quoted = self._tokens(self.quote, quote_start, quote_end)
        sourced = self._tokens(self.source, source_start, source_end)
        kind = self._kind(edit, quoted, sourced)
        if len(quoted) + len(sourced) > 1:
            if not quoted or not sourced:
                return self._split_one_side(kind, edit, quoted, sourced)
            if _SPLIT_WORDS >= len(quoted) == len(sourced) > 1 and kind in MEANING:
                return self._split_pairs(kind, edit, quoted, sourced)
        return [self._difference(kind, edit)]

    def _tokens(self, text: str, start: int, end: int) -> list[Token]:
        return tokenize(text, start, end, self.marks)

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
        if self._may_mean(edit, quoted, sourced):
            quote_words = self._words(self.quote, quoted)
            source_words = self._words(self.source, sourced)
            meant, is_same = self._kind_of_meaning(edit, quote_words, source_words)
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

    def _may_mean(self, edit: Edit, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether the edit has to be read at all: most words are in no list."""
        if not quoted and not sourced:
            return touches_digit(self.quote, *edit[:2]) or touches_digit(self.source, *edit[2:])
        languages = self.languages
        for tokens in (quoted, sourced):
            text = self.quote if tokens is quoted else self.source
            for word, start, end in tokens:
                lexicon = languages.of(word)
                telling = lexicon.telling if len(tokens) == 1 else lexicon.telling_in_rows
                if word in telling or not word.isalpha() or lexicon.terms or word[0] in lexicon.joined:
                    return True
                # One letter of an abbreviation (p.m.), or a Roman numeral.
                if len(word) == 1 and text[end : end + 1] == ".":
                    return True
                if text[start].isupper() and read_roman(text[start:end]):
                    return True
        return False

    def _kind_of_meaning(
        self, edit: Edit, quote_words: Words, source_words: Words
    ) -> tuple[DifferenceKind | None, bool]:
        """
        The kind of meaning that differs, and whether no word does.

        Digits and unspaced scripts are read with what they are glued to.
        """
        is_punctuation = not quote_words and not source_words
        in_quote, in_source = glued_span(self.quote, *edit[:2]), glued_span(self.source, *edit[2:])
        if in_quote != edit[:2] or in_source != edit[2:]:
            quote_words = self._words(self.quote, self._tokens(self.quote, *in_quote))
            source_words = self._words(self.source, self._tokens(self.source, *in_source))
        read = self._read(self.quote, in_quote[0], quote_words)
        meant = self._read(self.source, in_source[0], source_words)
        kind = _compare(read, meant)
        if kind is None and self._is_only_negation(edit):
            return DifferenceKind.NEGATION, False
        if is_punctuation and kind not in (DifferenceKind.NUMBER, DifferenceKind.DATE):
            return None, False
        is_same = kind is DifferenceKind.NUMBER and self._is_same_amount(in_quote, in_source, with_units=False)
        if is_same:
            kind = _compare(read, meant, with_numbers=False)
        if kind is DifferenceKind.UNIT and self._is_same_amount(in_quote, in_source, with_units=True):
            return None, True
        if is_same:
            return kind, True
        return kind, kind is None and bool(quote_words and source_words) and read.others == meant.others

    def _is_only_negation(self, edit: Edit) -> bool:
        """Whether just a negation of an unspaced script is added or dropped, be it out of an idiom: not [not] bad."""
        changed = self.quote[edit[0] : edit[1]] + self.source[edit[2] : edit[3]]
        if not changed or not is_unspaced(changed[0]) or (edit[0] < edit[1] and edit[2] < edit[3]):
            return False
        if changed not in self.languages.of(changed).negations:
            return False
        # Next to where it was dropped it may have been added again.
        quote_start, quote_end = glued_span(self.quote, *edit[:2])
        start, end = glued_span(self.source, *edit[2:])
        return self.quote.count(changed, quote_start, quote_end) != self.source.count(changed, start, end)

    def _kind_of_same(self, edit: Edit) -> DifferenceKind:
        """The kind of a change that keeps the meaning of all words: 5mg, 10000, fifteen or can't."""
        written = self.quote[edit[0] : edit[1]].lower()
        meant = self.source[edit[2] : edit[3]].lower()
        if "".join(written.split()) == "".join(meant.split()):
            return DifferenceKind.WHITESPACE
        return DifferenceKind.PUNCTUATION if letters(written) == letters(meant) else DifferenceKind.SPELLING

    def _read(self, text: str, start: int, words: Words) -> Reading:
        # Only a short word can be a unit after a number and nothing elsewhere.
        after_number = any(len(word) <= 3 for word in words) and self._is_after_number(text, start)
        return self.languages.read(words, after_number=after_number)

    def _is_after_number(self, text: str, start: int) -> bool:
        before = text[max(0, start - _SIGHT_CHARS) : start].rsplit(None, 1)
        return bool(before) and self._is_number(before[-1])

    def _stands_by_number(self, text: str, start: int, end: int) -> bool:
        """Whether the word before or after is a number too, so that it may be a part of this one."""
        words = text[max(0, start - _SIGHT_CHARS) : start].split()[-1:] + text[end : end + _SIGHT_CHARS].split()[:1]
        return any(self._is_number(word) for word in words)

    def _is_number(self, word: str) -> bool:
        folded = fold(word).strip(".,;:!?-\"'")
        return folded[-1:].isdigit() or self.languages.latin.meanings.get(folded, ("",))[0] in ("number", "scale")

    def _is_same_amount(self, in_quote: tuple[int, int], in_source: tuple[int, int], *, with_units: bool) -> bool:
        """Whether it is the same together with the words around: 2 [million] and 2[,000,000], $5 and 5 dollars."""
        stands_by_number = self._stands_by_number(self.quote, *in_quote)
        if not (with_units or stands_by_number or self._stands_by_number(self.source, *in_source)):
            return False
        quoted = self._tokens(self.quote, *wider_span(self.quote, *in_quote))
        sourced = self._tokens(self.source, *wider_span(self.source, *in_source))
        read = self.languages.read(self._words(self.quote, quoted))
        meant = self.languages.read(self._words(self.source, sourced))
        return read.numbers == meant.numbers and (not with_units or read.units == meant.units)

    def _words(self, text: str, tokens: list[Token]) -> Words:
        """The folded words; one that is a date only with its capital keeps it, and a Roman numeral is in digits."""
        capitalised = self.languages.latin.capitalised_dates
        words = []
        for word, start, end in tokens:
            if not text[start].isupper():
                words.append(word)
            elif word in capitalised:
                words.append(word.capitalize())
            else:
                words.append(read_roman(text[start:end]) or word)
        return words

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
        before = [token.text for token in self._tokens(text, low, start)]
        return before[-len(words) :] == words or [t.text for t in self._tokens(text, end, high)][: len(words)] == words

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


def _compare(read: Reading, meant: Reading, *, with_numbers: bool = True) -> DifferenceKind | None:
    """The first kind of meaning in which two readings differ."""
    if with_numbers and read.numbers != meant.numbers:
        is_article = (read.is_single and not meant.numbers) or (meant.is_single and not read.numbers)
        if not is_article:
            return DifferenceKind.DATE if _are_years(read, meant) else DifferenceKind.NUMBER
    if sorted(read.units) != sorted(meant.units):
        return DifferenceKind.UNIT
    if sorted(read.dates) != sorted(meant.dates):
        return DifferenceKind.DATE
    if read.negations != meant.negations:
        return DifferenceKind.NEGATION
    if sorted(read.modals) != sorted(meant.modals):
        return DifferenceKind.MODAL
    return None


def _are_years(read: Reading, meant: Reading) -> bool:
    """Whether only years differ: whole numbers from 1100 to 2100."""
    if len(read.numbers) != len(meant.numbers):
        return False
    pairs = zip(read.numbers, meant.numbers, strict=True)
    return all(_is_year(ours) and _is_year(theirs) for ours, theirs in pairs if ours != theirs)


def _is_year(value: object) -> bool:
    return isinstance(value, int | float) and 1100 <= value <= 2100 and value == int(value)


def _kind_of_words(quoted: list[Token], sourced: list[Token]) -> DifferenceKind:
    """The kind of a change that touches no meaning."""
    if not quoted or not sourced:
        return DifferenceKind.WORD_ADDED if quoted else DifferenceKind.WORD_DROPPED
    written = "".join(token.text for token in quoted)
    meant = "".join(token.text for token in sourced)
    if distance_within(written, meant, 1 if len(meant) < 5 else 2):
        return DifferenceKind.PUNCTUATION if written == meant else DifferenceKind.SPELLING
    return DifferenceKind.WORD_REPLACED

"""What an edit changes of numbers, units, dates, negations and modals: both sides read with what they are glued to."""

from collections.abc import Container

from groundwire.evidence.differences import DifferenceKind
from groundwire.evidence.wording.brackets import BracketedWords
from groundwire.evidence.wording.changes import Edit, WordChanges
from groundwire.evidence.wording.marks import MarkNames
from groundwire.evidence.wording.numerals import read_roman
from groundwire.evidence.wording.readings import Reading
from groundwire.evidence.wording.spans import glued_span, letters_span, touches_digit, wider_span
from groundwire.evidence.wording.tokens import Token, fold, is_unspaced, tokenize

__all__ = ["MeaningChanges"]

_SIGHT_CHARS = 24

Words = list[str]


class MeaningChanges(WordChanges):
    """A quote and its source, and the kinds of meaning in which they differ."""

    __slots__ = ("bracketed",)

    def __init__(self, quote: str, source: str, vocabulary: Container[str], marks: MarkNames) -> None:
        super().__init__(quote, source, vocabulary, marks)
        self.bracketed = BracketedWords(quote) if "[" in quote and "brackets" not in marks else None

    def tokens(self, text: str, start: int, end: int) -> list[Token]:
        """Return the tokens of `text[start:end]`; a word of the quote with letters in brackets is one."""
        tokens = tokenize(text, start, end, self.marks)
        return self.bracketed.join(tokens) if self.bracketed and text is self.quote else tokens

    def whole_words(self, edit: Edit) -> Edit:
        """Return *edit* with the whole of a word that has letters in brackets, on both sides: [un]happy, happy."""
        if not self.bracketed:
            return edit
        quote_start, quote_end, source_start, source_end = edit
        start, end = self.bracketed.around(quote_start, quote_end)
        has_before = any(map(str.isalpha, self.quote[start:quote_start]))
        has_after = any(map(str.isalpha, self.quote[quote_end:end]))
        return start, end, *letters_span(self.source, source_start, source_end, before=has_before, after=has_after)

    def may_mean(self, edit: Edit, quoted: list[Token], sourced: list[Token]) -> bool:
        """Say whether the edit has to be read at all: most words are in no list."""
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

    def kind_of_meaning(
        self, edit: Edit, quoted: list[Token], sourced: list[Token]
    ) -> tuple[DifferenceKind | None, bool]:
        """
        Return the kind of meaning that differs, and whether no word does.

        Digits and unspaced scripts are read with what they are glued to.
        """
        is_punctuation = not quoted and not sourced
        quote_words, source_words = self._words(self.quote, quoted), self._words(self.source, sourced)
        in_quote, in_source = glued_span(self.quote, *edit[:2]), glued_span(self.source, *edit[2:])
        if in_quote != edit[:2] or in_source != edit[2:]:
            quote_words = self._words(self.quote, self.tokens(self.quote, *in_quote))
            source_words = self._words(self.source, self.tokens(self.source, *in_source))
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
        quoted = self.tokens(self.quote, *wider_span(self.quote, *in_quote))
        sourced = self.tokens(self.source, *wider_span(self.source, *in_source))
        read = self.languages.read(self._words(self.quote, quoted))
        meant = self.languages.read(self._words(self.source, sourced))
        return read.numbers == meant.numbers and (not with_units or read.units == meant.units)


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

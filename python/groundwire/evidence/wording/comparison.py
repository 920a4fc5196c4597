"""One quote against its source: the kind of each edit."""

from collections.abc import Container

from groundwire import normalize
from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
from groundwire.evidence.wording.names import bare_name, is_name
from groundwire.evidence.wording.readings import Languages, Reading, is_unspaced
from groundwire.evidence.wording.slips import distance_within, occurs_as_word
from groundwire.evidence.wording.tokens import Token, fold, tokenize

__all__ = ["Comparison"]

_MEANT_PAIRS_WORDS = 4
_REPEATED_WORDS = 8
_GLUED_CHARS = 24
_UNSPACED_SIGHT_CHARS = 4

Edit = tuple[int, int, int, int]


class Comparison:
    """A quote and its source, and what their words mean in the quote's language."""

    __slots__ = ("_languages", "quote", "source", "vocabulary")

    def __init__(self, quote: str, source: str, vocabulary: Container[str]) -> None:
        self.quote = quote
        self.source = source
        self.vocabulary = vocabulary
        self._languages: Languages | None = None

    @property
    def languages(self) -> Languages:
        """The word lists, chosen when the first words are compared."""
        if self._languages is None:
            self._languages = Languages(self.quote)
        return self._languages

    def differences(self, quote_start: int, quote_end: int, source_start: int, source_end: int) -> list[Difference]:
        """Return the differences of one edit, at least one."""
        edit = (quote_start, quote_end, source_start, source_end)
        kind = _kind_of_form(self.quote[quote_start:quote_end], self.source[source_start:source_end])
        if kind is not None:
            return [self._difference(kind, edit)]
        quoted = tokenize(self.quote, quote_start, quote_end)
        sourced = tokenize(self.source, source_start, source_end)
        kind = self._kind(edit, quoted, sourced)
        if len(quoted) + len(sourced) > 1:
            if not quoted or not sourced:
                return self._split_one_side(kind, edit, quoted, sourced)
            if len(quoted) == len(sourced) and kind in MEANING:
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
        quote_words = self._words(self.quote, quoted)
        source_words = self._words(self.source, sourced)
        meant, is_same = self._kind_of_meaning(edit, quote_words, source_words)
        if meant is not None and not self._is_repeated(meant, edit, quoted, sourced):
            return DifferenceKind.SPELLING if self._is_slip(quoted, sourced) else meant
        if quoted and sourced and self._is_opposite(quote_words, source_words):
            return DifferenceKind.NEGATION
        if is_same:
            return self._kind_of_same(edit)
        if self._changes_name(quoted, sourced):
            return DifferenceKind.SPELLING if self._is_slip(quoted, sourced, 1) else DifferenceKind.NAME
        return _kind_of_words(quoted, sourced)

    def _kind_of_same(self, edit: Edit) -> DifferenceKind:
        """The kind of a change that keeps the meaning of all words: 5mg, 10000, fifteen or can't."""
        written = self.quote[edit[0] : edit[1]].lower()
        meant = self.source[edit[2] : edit[3]].lower()
        if "".join(written.split()) == "".join(meant.split()):
            return DifferenceKind.WHITESPACE
        if _letters(written) == _letters(meant):
            return DifferenceKind.PUNCTUATION
        return DifferenceKind.SPELLING

    def _kind_of_meaning(
        self, edit: Edit, quote_words: list[str], source_words: list[str]
    ) -> tuple[DifferenceKind | None, bool]:
        """
        The kind of meaning that differs, and whether no word does.

        Digits and unspaced scripts are read with what they are glued to.
        """
        quote_start, quote_end, source_start, source_end = edit
        is_punctuation = not quote_words and not source_words
        in_quote = _glued_span(self.quote, quote_start, quote_end)
        in_source = _glued_span(self.source, source_start, source_end)
        if in_quote != (quote_start, quote_end) or in_source != (source_start, source_end):
            quote_words = self._words(self.quote, tokenize(self.quote, *in_quote))
            source_words = self._words(self.source, tokenize(self.source, *in_source))
        read = self._read(self.quote, in_quote[0], quote_words)
        meant = self._read(self.source, in_source[0], source_words)
        kind = _compare(read, meant)
        if is_punctuation and kind not in (DifferenceKind.NUMBER, DifferenceKind.DATE):
            return None, False
        if kind is DifferenceKind.NUMBER and self._is_same_amount(in_quote, in_source):
            return _compare(read, meant, with_numbers=False), True
        return kind, kind is None and bool(quote_words and source_words) and read.others == meant.others

    def _read(self, text: str, start: int, words: list[str]) -> Reading:
        after_number = any(len(word) <= 3 for word in words) and self._is_after_number(text, start)
        return self.languages.read(words, after_number=after_number)

    def _is_after_number(self, text: str, start: int) -> bool:
        before = text[max(0, start - _GLUED_CHARS) : start].split()
        if not before:
            return False
        word = fold(before[-1])
        return word[-1:].isdigit() or self.languages.latin.meanings.get(word, ("",))[0] in ("number", "scale")

    def _is_same_amount(self, in_quote: tuple[int, int], in_source: tuple[int, int]) -> bool:
        """Whether the numbers are the same together with the words around: 2 [million] and 2[,000,000]."""
        quoted = tokenize(self.quote, *_wider_span(self.quote, *in_quote))
        sourced = tokenize(self.source, *_wider_span(self.source, *in_source))
        read = self.languages.read(self._words(self.quote, quoted))
        return read.numbers == self.languages.read(self._words(self.source, sourced)).numbers

    def _words(self, text: str, tokens: list[Token]) -> list[str]:
        """The folded words; one that is a date only with its capital keeps it."""
        capitalised = self.languages.latin.capitalised_dates
        return [
            word.capitalize() if word in capitalised and text[start].isupper() else word for word, start, _ in tokens
        ]

    def _is_repeated(
        self, kind: DifferenceKind, edit: Edit, quoted: list[Token], sourced: list[Token]
    ) -> bool:
        """Whether the words of one side only repeat their neighbours, as speakers do; repeated digits count."""
        tokens, text = (sourced, self.source) if sourced else (quoted, self.quote)
        if (quoted and sourced) or kind is DifferenceKind.NUMBER or not 0 < len(tokens) <= _REPEATED_WORDS:
            return False
        start, end = edit[2:] if sourced else edit[:2]
        reach = end - start + _GLUED_CHARS
        words = [token.text for token in tokens]
        if len(set(words)) == 1:
            del words[1:]
        before = [token.text for token in tokenize(text, max(0, start - reach), start)]
        after = [token.text for token in tokenize(text, end, min(len(text), end + reach))]
        return before[-len(words) :] == words or after[: len(words)] == words

    def _is_slip(self, quoted: list[Token], sourced: list[Token], limit: int = 2) -> bool:
        """Whether the quote's letters are the source's but for a slip that made no word, or two in a long word."""
        written = "".join(token.text for token in quoted)
        meant = "".join(token.text for token in sourced)
        if not written or not meant or is_unspaced(written[0]) or not _letters(written + meant).isalpha():
            return False
        if not distance_within(written, meant, 1 if len(meant) < 7 else limit) or self._is_opposite([written], [meant]):
            return False
        return not all(self._is_word(token) for token in quoted)

    def _is_word(self, token: Token) -> bool:
        """Whether there is such a word: in the lists, in the vocabulary, or in the source nearby."""
        word = token.text
        lexicon = self.languages.of(word)
        if word in lexicon.words or word.removesuffix("s") in lexicon.words or word in lexicon.meanings:
            return True
        if len(word) == 1:
            return False
        if word in self.vocabulary or word in lexicon.given_names:
            return True
        place = len(self.source) // 2
        return any(
            occurs_as_word(form, self.source, place, place) for form in {word, self.quote[token.start : token.end]}
        )

    def _is_opposite(self, quote_words: list[str], source_words: list[str]) -> bool:
        """Whether a word became its opposite: by the lists, or by a prefix like un-."""
        if len(quote_words) > _MEANT_PAIRS_WORDS or len(source_words) > _MEANT_PAIRS_WORDS:
            return False
        return any(
            _are_opposites(written, meant, self.languages.of(meant))
            for written in quote_words
            if written not in source_words
            for meant in source_words
            if meant not in quote_words
        )

    def _changes_name(self, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether a name of the source is missing or the quote has one of its own; a slip is none."""
        written = {bare_name(token.text) for token in quoted}
        meant = {bare_name(token.text) for token in sourced}
        for tokens, text, others in ((sourced, self.source, quoted), (quoted, self.quote, sourced)):
            known = written if tokens is sourced else meant
            for token in tokens:
                if bare_name(token.text) in known or not is_name(text, token, self.languages.of(token.text)):
                    continue
                if not any(self._is_slip_of(token, other, tokens is quoted) for other in others):
                    return True
        return False

    def _is_slip_of(self, name: Token, other: Token, name_is_quoted: bool) -> bool:
        """One letter off, and what the quote has is no word (ruling A9)."""
        if is_unspaced(name.text[0]) or not distance_within(bare_name(name.text), bare_name(other.text), 1):
            return False
        return not self._is_word(name if name_is_quoted else other)

    def _split_one_side(
        self, kind: DifferenceKind, edit: Edit, quoted: list[Token], sourced: list[Token]
    ) -> list[Difference]:
        """Words that only one side has, apart by kind."""
        tokens = quoted or sourced
        rows: list[tuple[DifferenceKind, int, int]] = []
        for token in tokens:
            part = (token.start, token.end)
            own = self._kind(
                (*part, edit[2], edit[2]) if quoted else (edit[0], edit[0], *part),
                [token] if quoted else [],
                [] if quoted else [token],
            )
            if rows and rows[-1][0] is own:
                rows[-1] = (own, rows[-1][1], token.end)
            else:
                rows.append((own, *part))
        if len(rows) == 1 or (kind in MEANING) != any(row[0] in MEANING for row in rows):
            return [self._difference(kind, edit)]
        return [
            self._difference(own, (start, end, edit[2], edit[2]) if quoted else (edit[0], edit[0], start, end))
            for own, start, end in rows
        ]

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


def _kind_of_form(written: str, meant: str) -> DifferenceKind | None:
    """The kind where both sides are the same but for their form, else None."""
    if written.split() == meant.split():
        return DifferenceKind.WHITESPACE
    if written.lower().split() == meant.lower().split():
        return DifferenceKind.CASE
    if normalize(written, profile="typographic") == normalize(meant, profile="typographic"):
        return DifferenceKind.PUNCTUATION
    return None


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
        if not quoted and not sourced:
            return DifferenceKind.PUNCTUATION
        return DifferenceKind.WORD_ADDED if quoted else DifferenceKind.WORD_DROPPED
    written = "".join(token.text for token in quoted)
    meant = "".join(token.text for token in sourced)
    if distance_within(written, meant, 1 if len(meant) < 5 else 2):
        return DifferenceKind.SPELLING
    return DifferenceKind.WORD_REPLACED


def _are_opposites(written: str, meant: str, lexicon: object) -> bool:
    shorter, longer = sorted((written, meant), key=len)
    if len(shorter) >= 4 and len(longer) > len(shorter):
        if longer.endswith(shorter) and longer[: -len(shorter)] in lexicon.prefixes:
            return True
        if longer.startswith(shorter) and longer[len(shorter) :] in lexicon.suffixes:
            return True
    return any(
        frozenset((written.removesuffix(ending) + e, meant.removesuffix(ending) + e)) in lexicon.opposites
        for ending in ("", "s", "d", "ed", "ing")
        if written.endswith(ending) and meant.endswith(ending)
        for e in ("", "e")
    )


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _glued_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The edit with what it is written together with: a number's digits and marks, some unspaced characters."""
    left, right = start, end
    while left > 0 and start - left < _GLUED_CHARS and _is_number_part(text[left - 1], text[left : left + 1]):
        left -= 1
    while right < len(text) and right - end < _GLUED_CHARS and _is_number_part(text[right], text[right - 1 : right]):
        right += 1
    if left == start:
        left = _unspaced_from(text, start)
    if right == end:
        right = _unspaced_to(text, end)
    return left, right


def _is_number_part(character: str, neighbour: str) -> bool:
    return character.isdigit() or (character in ".,:/'%-−$€£¥°<>≤≥" and (neighbour.isdigit() or neighbour in ".,-"))


def _unspaced_from(text: str, start: int) -> int:
    left = start
    while left > 0 and start - left < _UNSPACED_SIGHT_CHARS and is_unspaced(text[left - 1]):
        left -= 1
    return left


def _unspaced_to(text: str, end: int) -> int:
    right = end
    while right < len(text) and right - end < _UNSPACED_SIGHT_CHARS and is_unspaced(text[right]):
        right += 1
    return right


def _wider_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Two words more on either side, where they are short."""
    before = text[max(0, start - _GLUED_CHARS) : start]
    after = text[end : end + _GLUED_CHARS]
    left = sum(map(len, before.split(" ")[-3:])) + min(2, before.count(" "))
    right = sum(map(len, after.split(" ")[:3])) + min(2, after.count(" "))
    return start - left, end + right

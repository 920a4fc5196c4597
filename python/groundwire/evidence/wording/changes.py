"""What became of the words of one edit: a slip, the cut end of a word, an opposite, another name."""

from collections.abc import Container

from groundwire.evidence.lexicons import Lexicon
from groundwire.evidence.wording.marks import MarkNames
from groundwire.evidence.wording.names import bare_name, is_name
from groundwire.evidence.wording.numerals import read_roman
from groundwire.evidence.wording.readings import Languages
from groundwire.evidence.wording.slips import distance_within, occurs_as_word
from groundwire.evidence.wording.spans import glued_span
from groundwire.evidence.wording.tokens import Token, is_unspaced

__all__ = ["Edit", "WordChanges", "letters"]

# Quote start and end, source start and end.
Edit = tuple[int, int, int, int]

_OPPOSITE_WORDS = 4
# So many words of one edit are asked whether they are names.
_NAMED_WORDS = 100


class WordChanges:
    """A quote and its source, and what their words mean in the quote's language."""

    __slots__ = ("languages", "marks", "quote", "source", "vocabulary")

    def __init__(self, quote: str, source: str, vocabulary: Container[str], marks: MarkNames) -> None:
        self.quote = quote
        self.source = source
        self.vocabulary = vocabulary
        self.marks = marks
        self.languages = Languages(quote)

    def is_slip(self, quoted: list[Token], sourced: list[Token], limit: int) -> bool:
        """Whether the quote's letters are the source's but for a slip, *limit* in a long word, that made no word."""
        written = "".join(token.text for token in quoted)
        meant = "".join(token.text for token in sourced)
        if not written or not meant or is_unspaced(written[0]) or not letters(written + meant).isalpha():
            return False
        if not distance_within(written, meant, 1 if len(meant) < 7 else limit):
            return False
        return not _are_opposites(written, meant, self.languages.of(meant)) and not all(map(self.is_word, quoted))

    def is_cut_word(self, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether the quote begins or ends inside a word, and what it has of it is no other word."""
        if len(quoted) != 1 or not sourced or not quoted[0].text.isalpha():
            return False
        written, start, end = quoted[0]
        is_end = not letters(self.quote[end : end + 4]) and len(self.quote) - end < 4
        is_start = start < 4 and not letters(self.quote[:start])
        is_one_word = not any(map(str.isspace, self.source[sourced[0].start : sourced[-1].end]))
        is_cut = (is_end and sourced[0].text.startswith(written)) or (is_start and sourced[-1].text.endswith(written))
        if not is_one_word or not is_cut or is_unspaced(written[0]):
            return False
        return written not in self.languages.of(written).words if len(written) == 1 else not self.is_word(quoted[0])

    def is_word(self, token: Token) -> bool:
        """Whether there is such a word: in the lists, in the vocabulary, or in the source nearby."""
        word = token.text
        lexicon = self.languages.of(word)
        if word in lexicon.words or word.removesuffix("s") in lexicon.words or word in lexicon.meanings:
            return True
        if len(word) == 1:
            return False
        raw = self.quote[token.start : token.end]
        if word in self.vocabulary or word in lexicon.given_names or read_roman(raw):
            return True
        return occurs_as_word(raw, self.source) or (raw != word and occurs_as_word(word, self.source))

    def is_opposite(self, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether a word became its opposite: by the lists, or by a prefix like un-."""
        if len(quoted) == len(sourced) == 1:
            return _are_opposites(quoted[0].text, sourced[0].text, self.languages.of(sourced[0].text))
        if len(quoted) > _OPPOSITE_WORDS or len(sourced) > _OPPOSITE_WORDS:
            return False
        written = {token.text for token in quoted}
        meant = {token.text for token in sourced}
        return any(
            _are_opposites(word, other, self.languages.of(other))
            for word in written - meant
            for other in meant - written
        )

    def is_opposite_term(self, edit: Edit) -> bool:
        """Whether a term of an unspaced script became its opposite, which may be a part of both: before, after."""
        if not is_unspaced(self.source[edit[2] : edit[2] + 1] or " "):
            return False
        start, end = glued_span(self.quote, *edit[:2])
        written = self.quote[start:end]
        start, end = glued_span(self.source, *edit[2:])
        meant = self.source[start:end]
        opposites = self.languages.of(meant).opposites
        return any(
            term in written and term not in meant and any(other in meant and other not in written for other in others)
            for term, others in opposites.items()
        )

    def changes_name(self, quoted: list[Token], sourced: list[Token]) -> bool:
        """Whether a name of the source is missing or the quote has one of its own; a slip is none."""
        return self.lacks_name(sourced, self.source, quoted) or self.lacks_name(quoted, self.quote, sourced)

    def lacks_name(self, tokens: list[Token], text: str, others: list[Token]) -> bool:
        """Whether one of *tokens* is a name that is not among *others*, nor but for one letter (ruling A9)."""
        known: set[str] | None = None
        for token in tokens[:_NAMED_WORDS]:
            lexicon = self.languages.of(token.text)
            if lexicon.has_capitals and not text[token.start].isupper():
                continue
            if known is None:
                known = {bare_name(other.text) for other in others}
            if bare_name(token.text) in known or not is_name(text, token, lexicon):
                continue
            if not any(self.is_slip_of_name(token, other, text is self.quote) for other in others):
                return True
        return False

    def is_slip_of_name(self, name: Token, other: Token, name_is_quoted: bool) -> bool:
        """One letter off, and what the quote has is no word (ruling A9)."""
        if is_unspaced(name.text[0]) or not distance_within(bare_name(name.text), bare_name(other.text), 1):
            return False
        return not self.is_word(name if name_is_quoted else other)


def _are_opposites(written: str, meant: str, lexicon: Lexicon) -> bool:
    """Whether the lists have the pair, or one word is the other after a denying prefix or before such a suffix."""
    if meant in lexicon.opposites.get(written, ()):
        return True
    shorter, longer = (written, meant) if len(written) < len(meant) else (meant, written)
    if len(shorter) < 4 or len(longer) == len(shorter):
        return False
    if longer.endswith(shorter):
        return longer[: -len(shorter)] in lexicon.prefixes
    return longer.startswith(shorter) and longer[len(shorter) :] in lexicon.suffixes


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))

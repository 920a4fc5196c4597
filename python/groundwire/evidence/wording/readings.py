"""What a row of tokens means: its amounts, units, dates, negations and modals."""

import re

from groundwire import normalize
from groundwire.evidence.lexicons import Lexicon, latin_language, load_lexicon
from groundwire.evidence.wording.numerals import Numeral, Value, amounts, read_digits, read_han
from groundwire.evidence.wording.tokens import SYMBOLS, is_unspaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["Languages", "Reading"]

_BOUNDS = frozenset("<>=+±×÷≤≥≠")
_LANGUAGE_SAMPLE_CHARS = 2000
_NUMBER = re.compile(r"-?\.?\d+(?:[.,:/'\u2044\u066b\u066c\s]\d+)*")
_KANA = re.compile("[\u3041-\u30ff]")


class Reading:
    """The meaning of a row of tokens, by which two rows are compared."""

    __slots__ = ("dates", "is_single", "modals", "negations", "numbers", "others", "units")

    def __init__(self) -> None:
        self.numbers: list[Value | str] = []
        self.units: list[str] = []
        self.dates: list[str] = []
        self.modals: list[str] = []
        self.negations = 0
        # The words that are none of these, with contractions written out.
        self.others: list[str] = []
        # Only the word for one, which is also an article or a pronoun.
        self.is_single = False

    def is_blank(self) -> bool:
        """Say whether there is nothing in it that a quote may not change."""
        return not (self.numbers or self.units or self.dates or self.modals or self.negations)


class Languages:
    """The word lists for one quote: one of the languages in Latin letters, and each other script's own."""

    __slots__ = ("_latin", "_sample", "_unspaced")

    def __init__(self, quote: str) -> None:
        """Choose the languages of *quote* by its frequent words, and Chinese or Japanese by its kana, when asked."""
        self._sample = quote[:_LANGUAGE_SAMPLE_CHARS]
        self._latin: Lexicon | None = None
        self._unspaced: Lexicon | None = None

    @property
    def latin(self) -> Lexicon:
        """The lists for words in Latin letters, and in scripts that have none."""
        if self._latin is None:
            words = set(self._sample.lower().split())
            english = load_lexicon("en")
            # Most quotes are in English, and the other languages are read from their files when one is not.
            is_english = 3 * len(words & english.words) > len(words) and _is_ascii_but_for_typography(self._sample)
            self._latin = english if is_english else load_lexicon(latin_language(words))
        return self._latin

    @property
    def unspaced(self) -> Lexicon:
        """The lists for Han and kana."""
        if self._unspaced is None:
            self._unspaced = load_lexicon("ja" if _KANA.search(self._sample) else "zh")
        return self._unspaced

    def of(self, word: str) -> Lexicon:
        """Return the lists for *word*, by its script."""
        letter = word[0]
        if letter < "\u0400":
            return self._latin or self.latin
        if letter < "\u0530":
            return load_lexicon("ru")
        if "\u0600" <= letter < "\u0900":
            return load_lexicon("ar")
        return self.unspaced if is_unspaced(letter) else self.latin

    def read(self, words: "Sequence[str]", *, after_number: bool = False) -> Reading:
        """Return what *words*, folded tokens, mean; *after_number* if a number stands before them."""
        return _Reader(self, after_number).read(words) if words else Reading()


class _Reader:
    """One pass over a row of words; numerals are kept until their row ends."""

    __slots__ = ("after_number", "is_negative", "languages", "numerals", "reading", "singles")

    def __init__(self, languages: Languages, after_number: bool) -> None:
        self.languages = languages
        self.after_number = after_number
        self.reading = Reading()
        self.numerals: list[Numeral] = []
        self.singles = 0
        self.is_negative = False

    def read(self, words: "Sequence[str]") -> Reading:
        written_out: list[str] = []
        for word in words:
            latin = self.languages.latin
            if word in latin.contractions or ("'" in word and word not in latin.meanings):
                written_out += _write_out(word, latin)
            else:
                written_out.append(word)
        for word in _join_phrases(written_out, self.languages) if len(written_out) > 1 else written_out:
            self._word(word)
        self._end_of_number()
        self.reading.is_single = self.singles > 0 and self.singles == len(self.reading.numbers)
        return self.reading

    def _word(self, word: str) -> None:
        if _NUMBER.fullmatch(word):
            self._numeral(Numeral(read_digits(word, self.languages.of(word).decimal_mark), "digits"))
            return
        lexicon = self.languages.of(word)
        if lexicon.terms:
            for term in lexicon.terms.findall(word):
                self._term(term, lexicon)
            self.reading.others.append(lexicon.terms.sub("", word))
        elif word in SYMBOLS and word in _BOUNDS:
            self._end_of_number()
            if word != "+":
                self.reading.numbers.append(word)
        else:
            self._meaning(word, lexicon)

    def _term(self, term: str, lexicon: Lexicon) -> None:
        """A term inside a run of characters: an entry, an idiom, which means nothing here, or a numeral."""
        if term in lexicon.meanings:
            self._meaning(term, lexicon)
            return
        numeral = term.lstrip("第")
        if numeral and all(character in lexicon.scales or character in lexicon.digits for character in numeral):
            single = numeral in lexicon.singles
            self._numeral(read_han(numeral, lexicon.digits, lexicon.scales), single=single)
        else:
            self._end_of_number()
            self.reading.others.append(term)

    def _meaning(self, word: str, lexicon: Lexicon) -> None:
        if word == lexicon.minus:
            self._end_of_number()
            self.is_negative = True
            return
        category, value, form = _look_up(word, lexicon)
        if category == "number":
            self._numeral(Numeral(value, form), single=word in lexicon.singles)
            return
        if category == "scale":
            self._numeral(Numeral(value, "scale"))
            return
        if self.numerals and word in lexicon.joiners:
            return
        after_number = self.after_number or bool(self.numerals)
        self._end_of_number()
        if category == "unit" and (after_number or len(word) > 3 or not word.isascii() or not word.isalpha()):
            self.reading.units.append(value)
        elif category == "date" and (after_number or word not in lexicon.clock):
            self.reading.dates.append(value)
        elif category == "negation":
            self.reading.negations += 1
        elif category == "modal":
            self.reading.modals.append(value)
        else:
            self.reading.others.append(word)

    def _numeral(self, numeral: Numeral, *, single: bool = False) -> None:
        self.numerals.append(numeral)
        self.singles += single

    def _end_of_number(self) -> None:
        if self.numerals:
            found = amounts(self.numerals)
            if self.is_negative and found and not isinstance(found[0], str):
                found[0] = -found[0]
            self.reading.numbers += found
            self.numerals = []
            self.after_number = False
        elif self.is_negative:
            # Its number is outside, or it is a word for less.
            self.reading.numbers.append("-")
        self.is_negative = False


def _is_ascii_but_for_typography(text: str) -> bool:
    return text.isascii() or normalize(text, profile="typographic").isascii()


def _look_up(word: str, lexicon: Lexicon) -> "tuple[str, Any, str]":
    """The category and value of *word*, and the form that a numeral would have."""
    meaning = lexicon.meanings.get(word)
    if meaning is None and word[0] in lexicon.joined:
        meaning = lexicon.meanings.get(word[1:])
        return (*meaning, "joined") if meaning else ("", "", "")
    return (*meaning, "word") if meaning else ("", "", "")


def _write_out(word: str, lexicon: Lexicon) -> list[str]:
    """The words of a contraction: can't is can not, I'll is I will."""
    known = lexicon.contractions.get(word)
    if known:
        return known
    stem, _, ending = word.rpartition("'")
    if ending == "t" and stem.endswith("n"):
        return [stem[:-1], "not"] if len(stem) > 1 else ["not"]
    full = _ENDINGS.get(ending) if lexicon.language == "en" else None
    if full:
        return [stem, full] if stem else [full]
    if lexicon.language == "fr" and stem:
        return [part for part in (stem, ending) if part]
    return [word]


_ENDINGS = {"ll": "will", "d": "would", "re": "are", "ve": "have", "m": "am"}


def _join_phrases(words: list[str], languages: Languages) -> list[str]:
    """The words, with each phrase of the lists as one."""
    joined = f" {' '.join(words)} "
    for lexicon in {languages.of(word) for word in words[:8]}:
        for phrase in lexicon.phrases:
            if f" {phrase} " in joined:
                joined = joined.replace(f" {phrase} ", f" {phrase.replace(' ', chr(0))} ")
    if "\0" not in joined:
        return words
    return [word.replace("\0", " ") for word in joined.split(" ") if word]

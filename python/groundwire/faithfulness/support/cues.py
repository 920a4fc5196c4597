"""
Recognises the field of a claim in field names and in the words around a value.

A survey calls `occupation` `job`, and in an interview people work as something. The lexicon has groups of words for the
fields of most personas; any other field is compared by its own words.
"""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from groundwire._engine import Patterns
from groundwire.faithfulness.claims import ClaimKind, PersonaClaim
from groundwire.faithfulness.fields import cue_of, singular
from groundwire.faithfulness.source_data.units import MAX_UNIT_CHARS, Unit
from groundwire.language import Term, one_of, read_section, read_terms, reader, word_list
from groundwire.language.values import unit_of

__all__ = [
    "CONTEXT_CHARS",
    "NEGATIONS",
    "TEXTS",
    "FieldCue",
    "FieldWords",
    "Topic",
    "is_denied",
    "others_in",
    "read_cue",
]

NEGATIONS = frozenset({"negation", "denial"})
"""The kinds of terms that negate."""

CONTEXT_CHARS = 60
"""The number of characters on each side of a value that are read for negations and subjects."""

_PREFIX_CHARS = 6
_WORD = re.compile(r"[^\W\d_]+")
_PREFIX = re.compile(r"([^\W\d_]{1,6})[^\W\d_]*")
_REACH_CHARS = 200
_END = re.compile(r"[.!?\n。！？;]")
_LAST_END = re.compile(r".*[.!?\n。！？;]", re.DOTALL)
_UP_TO_END = re.compile(r"[^.!?\n。！？;]*")


class FieldCue:
    """
    The words of a claim's field.

    Attributes:
        text: The words.
        is_age: Whether the field is the person's age.
        units: The symbols of the units that the field name states: `experience years`.
    """

    __slots__ = ("_own", "_words", "is_age", "text", "units")

    def __init__(self, cue: str) -> None:
        self.text = cue
        words = [word.lower() for word in _WORD.findall(cue)]
        kept = [word for word in words if word not in word_list("en", "fields", "counting")] or words
        # Any word of a group can stand for each word of the cue.
        self._words = [_groups().get(word[:_PREFIX_CHARS], frozenset()) | {word[:_PREFIX_CHARS]} for word in kept]
        self._own = {word[:_PREFIX_CHARS] for word in kept}
        is_age = words[-1:] == ["age"]
        self.is_age = is_age and len(kept) == 1
        self.units = {"year"} if is_age else {unit_of(word) for word in words} - {""}

    def is_named(self, name: str) -> bool:
        """
        Return whether the field or column *name* is about the same: it has a counterpart for each word of the cue.
        """
        return self._is_in(_words_of_name(name))

    def is_near(self, text: str, start: int, end: int, *, in_own_words: bool = False) -> bool:
        """
        Return whether the sentence around `text[start:end]` mentions the field.

        Args:
            text, start, end: The span.
            in_own_words: Whether words of the same group do not count.
        """
        if not self._words:
            return False
        left = text[max(0, start - _REACH_CHARS) : start]
        last = _LAST_END.match(left)
        left = left[last.end() :] if last else left
        right = _UP_TO_END.match(text, end, end + _REACH_CHARS)
        words = _prefixes_of(f"{left} {text[start:end]} {right[0] if right else ''}")
        if self.is_age:
            if others_in(f"{left} {right[0] if right else ''}"):
                return False
            if _before_age().search(left) and _behind_age().match(text, end):
                return True
        return self._own <= words if in_own_words and not self.is_age else self._is_in(words)

    def found_in(self, index: Mapping[str, Sequence[int]], *, in_own_words: bool = False) -> frozenset[int] | None:
        """
        Return the sentences that may mention the field, for an index of sentences by `_prefixes_of`; None for all.

        *in_own_words* is as in `is_near`.
        """
        if self.is_age:
            return None
        wanted: Iterable[Iterable[str]] = [[word] for word in self._own] if in_own_words else self._words
        groups = [frozenset(chain.from_iterable(index.get(word, ()) for word in group)) for group in wanted]
        return frozenset.intersection(*groups) if groups else frozenset()

    def _is_in(self, words: frozenset[str]) -> bool:
        return bool(self._words) and all(not group.isdisjoint(words) for group in self._words)


@lru_cache(maxsize=1024)
def read_cue(text: str) -> FieldCue:
    """Return the cue for the words of a field. Cues are cached, because all claims of a field share them."""
    return FieldCue(text)


@cache
def _groups() -> dict[str, frozenset[str]]:
    """Return the group of each word prefix: the prefixes of words for the same field."""
    found: dict[str, frozenset[str]] = {}
    for line in read_section("en", "fields")["groups"]:
        members = _prefixes_of(line)
        found |= {word: found.get(word, frozenset()) | members for word in members}
    return found


def _words_on_ages(name: str) -> frozenset[str]:
    return word_list("en", "ages", name)


@cache
def _before_age() -> re.Pattern[str]:
    return re.compile(rf"{read_section('en', 'ages')['before']}\Z", re.IGNORECASE)


@cache
def _behind_age() -> re.Pattern[str]:
    words = one_of(_words_on_ages("behind"))
    return re.compile(rf"\s?(?:[.,;:!?)]|\Z|(?:{words})\b)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _words_of_name(name: str) -> frozenset[str]:
    words = cue_of([name])
    return _prefixes_of(words) | _prefixes_of(singular(words))


def others_in(text: str) -> frozenset[str]:
    """Return the words of *text* for other people and animals than the speaker: `daughter`, `my boss`."""
    nouns, pattern = _others()
    return frozenset(map(str.lower, pattern.findall(text))) if nouns.find_all(text.lower()) else frozenset()


@cache
def _others() -> tuple[Patterns, re.Pattern[str]]:
    """Return the nouns for other people, for a quick search, and the pattern with their context."""
    relatives, others, owners = map(_words_on_ages, ("relatives", "acquaintances", "possessives"))
    nouns = [noun + ending for noun in sorted(relatives | others) for ending in ("", "s")]
    owned = rf"\b(?:{one_of(owners)})\s(?:\w{{1,20}}\s)?(?:{one_of(others)})s?\b"
    return Patterns(nouns, word_boundaries=True), re.compile(rf"\b(?:{one_of(relatives)})s?\b|{owned}", re.IGNORECASE)


def _prefixes_of(text: str) -> frozenset[str]:
    """Return the six-letter prefixes of the words of *text*, by which words are compared."""
    return frozenset(_PREFIX.findall(text.lower()))


_MAX_CACHED_CUES = 256
_JOINED = str.maketrans(dict.fromkeys("?？!.。\n", ","))


class FieldWords:
    """
    The sentences of units, indexed by word prefix for all layers that look at the context of a value.

    Args:
        units: The units. Column summaries are left out.
        language: The language of the units, if known.

    Attributes:
        units, language: The arguments.
    """

    __slots__ = ("_by_cue", "_filed", "language", "units")

    def __init__(self, units: Iterable[Unit], *, language: str | None = None) -> None:
        self.language = language
        self.units = [unit for unit in units if unit.summary is None]
        self._filed: _Filed | None = None
        self._by_cue: dict[tuple[str, bool], _Found | None] = {}

    def is_near(self, cue: FieldCue, unit: Unit, start: int, end: int) -> bool:
        """Return whether the sentence around a span of *unit* mentions the field of *cue*."""
        return self.may_be_near(cue, unit, start, end) and cue.is_near(_joined(unit), start, end)

    def may_be_near(self, cue: FieldCue, unit: Unit, start: int, end: int) -> bool:
        """Return whether the sentence around a span of *unit* has the words that `is_near` requires."""
        found = self._found(cue, in_own_words=False)
        if found is None:
            return True
        if id(unit) not in found.units:
            return False
        filed = self._files()
        ends = filed.ends[id(unit)]
        first, last = bisect_left(ends, start), bisect_left(ends, end)
        # A span over several sentences needs the full check.
        return first != last or filed.firsts[id(unit)] + first in found.sentences

    def units_with(self, cue: FieldCue, *, in_own_words: bool = False) -> Set[int] | None:
        """
        Return the ids of the units that may mention the field of *cue*; None for all.

        Args:
            cue: The field.
            in_own_words: Whether words of the same group do not count.
        """
        found = self._found(cue, in_own_words=in_own_words)
        return None if found is None else found.units

    def _found(self, cue: FieldCue, *, in_own_words: bool) -> "_Found | None":
        asked = (cue.text, in_own_words)
        if asked not in self._by_cue:
            if len(self._by_cue) >= _MAX_CACHED_CUES:
                self._by_cue.clear()
            filed = self._files()
            sentences = cue.found_in(filed.by_word, in_own_words=in_own_words)
            found = None
            if sentences is not None:
                found = _Found(sentences, frozenset(map(filed.unit_of.__getitem__, sentences)))
            self._by_cue[asked] = found
        return self._by_cue[asked]

    def _files(self) -> "_Filed":
        if self._filed is None:
            self._filed = _Filed(self.units)
        return self._filed


class _Found(NamedTuple):
    """The sentences that may mention a field, and the ids of their units."""

    sentences: Set[int]
    units: Set[int]


class _Filed:
    """
    The sentences of all units, numbered consecutively.

    Attributes:
        by_word: The sentences with a word, by its prefix.
        unit_of: The id of the unit of each sentence.
        firsts: The first sentence of each unit, by the unit's id.
        ends: The ends of the sentences in each unit.
    """

    __slots__ = ("by_word", "ends", "firsts", "unit_of")

    def __init__(self, units: Iterable[Unit]) -> None:
        self.by_word: defaultdict[str, array[int]] = defaultdict(lambda: array("L"))
        self.unit_of: array[int] = array("Q")
        self.firsts: dict[int, int] = {}
        self.ends: dict[int, list[int]] = {}
        for unit in units:
            text = _joined(unit)
            ends = [match.start() for match in _END.finditer(text)]
            self.firsts[id(unit)], self.ends[id(unit)] = len(self.unit_of), ends
            for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
                for word in _prefixes_of(text[start:end]):
                    self.by_word[word].append(len(self.unit_of))
                self.unit_of.append(id(unit))


def _joined(unit: Unit) -> str:
    """Return the text of a unit, with a question and its answer as one sentence."""
    return unit.text.translate(_JOINED) if unit.answer_start else unit.text


def is_denied(text: str, start: int, end: int, *, language: str | None = None) -> bool:
    """
    Return whether a negation or a limit governs `text[start:end]` within its sentence.

    It may precede the span directly or within its clause: `I stopped using Slack`.

    Args:
        text, start, end: The span.
        language: The language of the text; None to detect it.
    """
    # The text after the span is cut off, because a condition that follows it does not negate it.
    if reader().surroundings(text[:end], start, end, language=language)[0] is not None:
        return True
    begin = max(0, start - CONTEXT_CHARS)
    terms = read_terms(text[begin:end], language=language)
    clause = next((term.clause for term in terms if begin + term.end > start), None)
    before = [term for term in terms if begin + term.end <= start and term.clause == clause]
    return any(term.kind in NEGATIONS for term in before)


TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})
"""The kinds of claims that are compared word by word. For other kinds only the value counts."""

_ENDS = (".", "!", "。", "！")


class Topic:
    """
    The subject of a claim.

    Args:
        claim: The claim.
        own_names: The person's names in lower case, which speakers do not use for themselves.

    Attributes:
        claim, own_names: The arguments.
        text: The claim's value, at most its first 2,000 characters.
        cue: The words of its field.
    """

    def __init__(self, claim: PersonaClaim, own_names: Set[str] = frozenset()) -> None:
        self.claim = claim
        self.own_names = own_names
        self.text = claim.value[:MAX_UNIT_CHARS]
        self.cue = read_cue(claim.cue)

    @property
    def is_text(self) -> bool:
        """Whether the claim is compared word by word."""
        return self.claim.kind in TEXTS

    @cached_property
    def is_sentence(self) -> bool:
        """Whether the claim is a sentence and not a phrase: it ends with a full stop or begins with a pronoun."""
        if self.claim.kind is ClaimKind.STATEMENT or self.text.rstrip().endswith(_ENDS):
            return True
        return any(term.kind == "pronoun" for term in self._terms[:1])

    @cached_property
    def without_names(self) -> str:
        """
        The value without the person's names, as in `leads a team of five`; the whole value if nothing else is left.
        """
        if not self.own_names:
            return self.text
        kept, done = "", 0
        for term in self._terms:
            if term.form in self.own_names:
                kept, done = kept + self.text[done : term.start], term.end
        kept = (kept + self.text[done:]).strip()
        return kept if any(map(str.isalnum, kept)) else self.text

    @cached_property
    def stems(self) -> frozenset[int]:
        """The stems of its content words and names, except the person's names."""
        terms = self._terms if self.without_names == self.text else read_terms(self.without_names)
        return frozenset(term.stem for term in terms if term.kind in ("content", "name"))

    @cached_property
    def _terms(self) -> list[Term]:
        return read_terms(self.text)

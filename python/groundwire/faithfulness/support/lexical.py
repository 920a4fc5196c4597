"""
Claims in other words: which sentence has most of what a claim is about.

The words of content of a claim are weighed by how rare they are in the research, and a
sentence has the share of that weight that it holds. What may not differ takes the share
away again: a number, a name or a denial that only one side has. A score of wording, so at
most MODERATE: that the words are there is not yet that the claim is.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from heapq import nsmallest
from math import log
from typing import NamedTuple

from groundwire._engine import sentences
from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.sources.units import MAX_UNIT_CHARS, Unit
from groundwire.faithfulness.support.amounts import Amount, read_amounts
from groundwire.faithfulness.support.cues import Cue
from groundwire.faithfulness.support.denials import DENIED
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.stances import STANCE_WORDS
from groundwire.faithfulness.support.words import (
    LIGHT_STEMS,
    Word,
    denials_in,
    is_content,
    is_name_like,
    is_said_of_person,
    read_words,
)

__all__ = ["LexicalIndex", "Sentence", "Topic", "is_same"]

ALL_WORDS = 0.8
"""A sentence that has every word of content: the highest of MODERATE (ruling D1)."""
ONE_WORD = 0.5
"""One word alone that nothing around it places: weak."""
IS_OR_HAS = 0.65
"""One word alone, where the person says to be that or to have it."""
MISSING_DETAIL = 0.35
"""A number or a name of the claim is not in the sentence: no support."""

_SHARE_FROM = 0.4
_COMPARED = 24
_LIGHT = 0.25
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})


class Sentence(NamedTuple):
    """A sentence of a unit, and its span in the unit's text."""

    unit: Unit
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.unit.text[self.start : self.end]

    def stems(self, words: Iterable[Word]) -> set[str]:
        """Return the stems of its *words*, and of the name of who speaks: what Sarah says is said of Sarah."""
        return {word.stem for word in (*words, *read_words(self.unit.locator.speaker or ""))}


class Topic:
    """
    What a claim is about.

    Args:
        claim: The claim.
        own_names: Stems of the person's names, which those who speak do not say.

    Attributes:
        text: The claim's value; of more than 2,000 characters the first.
        words: Its words.
        stems: Those of its words of content, these names left out.
        amounts: The numbers in it.
        names: Those of *stems* that are written as names, or have a digit among letters.
    """

    __slots__ = ("_cue", "amounts", "claim", "names", "own_names", "stems", "text", "words")

    def __init__(self, claim: Claim, own_names: Set[str] = frozenset()) -> None:
        self.claim = claim
        self.own_names = own_names
        self._cue = Cue(claim.cue)
        self.text = claim.value[:MAX_UNIT_CHARS]
        self.words = read_words(self.text)
        self.stems = frozenset(word.stem for word in self.words if is_content(word)) - own_names
        self.amounts = read_amounts(self.text)
        names = [word for word in self.words if is_name_like(self.text, word)]
        # In a title every word has a capital.
        is_prose = 2 * len(names) <= len(self.words)
        self.names = {word.stem for word in names if is_prose and not word.text.isdigit()} & self.stems

    def has_details_in(self, sentence: str, stems: Collection[str]) -> bool:
        """Tell whether a sentence with these stems has every name and number of the claim."""
        return self.names <= set(stems) and self.has_amounts_in(sentence)

    def has_amounts_in(self, sentence: str) -> bool:
        """Tell whether a text has every number of the claim."""
        said = read_amounts(sentence) if self.amounts else []
        return all(any(is_same(wanted, amount) for amount in said) for wanted in self.amounts)

    def is_near(self, sentence: Sentence, word: Word) -> bool:
        """Tell whether *sentence* speaks of the claim's field around one of its words."""
        return self._cue.is_near(sentence.unit.text, sentence.start + word.start, sentence.start + word.end)

    def text_without_names(self) -> str:
        """Return the claim's value without the person's names: `leads a team of five`."""
        value, done = "", 0
        for word in self.words:
            if word.stem in self.own_names:
                value, done = value + self.text[done : word.start], word.end
        return (value + self.text[done:]).strip()

    def is_denied_otherwise(self, words: Sequence[Word]) -> bool:
        """Tell whether only one side has a denial in a clause that speaks of the same."""
        ours = {word.clause for word in self.words}
        clauses = {word.clause for word in words if word.stem in self.stems}
        return _has_denial(self.words, ours) != _has_denial(words, clauses)


class LexicalIndex:
    """
    The sentences of units by their words, filed once and asked for many claims.

    Args:
        units: Any number of them; columns as a whole are left out. How rare a word is, is
            counted among these units.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self.sentences: list[Sentence] = []
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for unit in units:
            if unit.summary is None:
                self._file(unit)

    def _file(self, unit: Unit) -> None:
        # A row or an object is one statement, whatever stops are in its values.
        spans = [(0, len(unit.text))] if unit.fields else sentences(unit.text)
        speaker = read_words(unit.locator.speaker or "")
        for start, end in spans:
            number = len(self.sentences)
            self.sentences.append(Sentence(unit, start, end))
            words = (*read_words(unit.text[start:end]), *speaker)
            for stem in {word.stem for word in words if is_content(word) or word.text in STANCE_WORDS}:
                self._places[stem].append(number)

    def nearest(self, topic: Topic, *, share_from: float = _SHARE_FROM) -> list[tuple[Sentence, float]]:
        """
        Return the sentences that have most of *topic*, each with its share of the weight, 0.0 to 1.0.

        The best first, of equals in their order; 24 at most, none with less than *share_from*.
        """
        return [(self.sentences[place], share) for place, share in self.nearest_places(topic, share_from=share_from)]

    def nearest_places(self, topic: Topic, *, share_from: float = _SHARE_FROM) -> list[tuple[int, float]]:
        """Return the places in `sentences` of what `nearest` returns."""
        weights = self._weights(topic.stems)
        left = total = sum(weights.values())
        shares: dict[int, float] = {}
        # From the rarest on: in the end nothing new can reach the share, and frequent words are only looked up.
        for stem in sorted(weights, key=lambda stem: (-weights[stem], stem)):
            is_open = left >= share_from * total
            for number in self._places.get(stem, ()):
                if is_open or number in shares:
                    shares[number] = shares.get(number, 0.0) + weights[stem]
            left -= weights[stem]
        # What floats lose in adding up decides nothing.
        enough = ((-round(share / total, 9), number) for number, share in shares.items())
        best = nsmallest(_COMPARED, ((share, number) for share, number in enough if -share >= share_from))
        return [(number, min(1.0, -share)) for share, number in best]

    def with_any(self, stems: Iterable[str]) -> set[int]:
        """Return the places in `sentences` of those that have one of *stems*: words of content, or of stances."""
        return {number for stem in stems for number in self._places.get(stem, ())}

    def evidence(self, topic: Topic) -> list[Evidence]:
        """Return the sentences that support a claim in their own words, the best first; of texts alone."""
        return best_of(self._found(topic)) if topic.claim.kind in _TEXTS else []

    def _found(self, topic: Topic) -> Iterator[Evidence]:
        for sentence, share in self.nearest(topic):
            text = sentence.text
            words = read_words(text)
            shared = [word for word in words if word.stem in topic.stems]
            if not shared:
                continue
            start, end = sentence.start + shared[0].start, sentence.start + shared[-1].end
            score = round(ALL_WORDS * share, 12)
            if text.rstrip("\"'”’)").endswith(("?", "？")) or topic.is_denied_otherwise(words):
                score = min(score, DENIED)
            elif not topic.has_details_in(text, sentence.stems(words)):
                score = min(score, MISSING_DETAIL)
            elif len(topic.stems) == 1 and not topic.is_near(sentence, shared[0]):
                is_theirs = is_said_of_person(words, words.index(shared[0]), topic.own_names)
                score = min(score, IS_OR_HAS if is_theirs else ONE_WORD)
            yield Evidence(sentence.unit, start, end, score, Layer.LEXICAL, MatchKind.TERMS)

    def _weights(self, stems: Set[str]) -> dict[str, float]:
        """How rare each word is; one that stands nowhere weighs most."""
        count = len(self.sentences) + 1
        weights = {stem: log(1 + count / (len(self._places.get(stem, ())) + 0.5)) for stem in stems}
        return {stem: weight * _LIGHT if stem in LIGHT_STEMS else weight for stem, weight in weights.items()}


def _has_denial(words: Sequence[Word], clauses: Set[int]) -> bool:
    return any(words[place].clause in clauses for place in denials_in(words))


def is_same(wanted: Amount, said: Amount) -> bool:
    """Tell whether two numbers are the same, or one of them is a range that the other lies in."""
    if wanted.low == wanted.high and said.low == said.high:
        return wanted.low == said.low
    return (said.low <= wanted.low and wanted.high <= said.high) or (
        wanted.low <= said.low and said.high <= wanted.high
    )

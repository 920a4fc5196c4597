"""
Claims in other words: which sentence has most of what a claim is about.

The words of content of a claim are weighed by how rare they are in the research, and a
sentence has the share of that weight that it holds. What may not differ takes the share
away again: a number, a name or a denial that only one side has. A score of wording, so at
most MODERATE: that the words are there is not yet that the claim is.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import starmap
from math import log

from groundwire._engine import StemIndex
from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.sources.units import MAX_UNIT_CHARS, Unit
from groundwire.faithfulness.support.alike import ALIKE_FROM, MOST, first_alike
from groundwire.faithfulness.support.amounts import Amount, read_amounts
from groundwire.faithfulness.support.cues import Cue
from groundwire.faithfulness.support.denials import DENIED
from groundwire.faithfulness.support.evidence import Best, Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.field_words import FieldWords
from groundwire.faithfulness.support.filing import READER, InCommon, Near
from groundwire.faithfulness.support.sentences import Sentence, Sentences
from groundwire.faithfulness.support.stances import STANCE_WORDS
from groundwire.faithfulness.support.words import (
    LIGHT_STEMS,
    Word,
    denials_in,
    is_content,
    is_name_like,
    is_said_of_person,
    read_words,
    stem_of,
)

__all__ = ["LexicalIndex", "Topic", "is_same"]

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
_AMONG = 200
_ALIKE = 8
_STANCE_STEMS = sorted(set(map(stem_of, STANCE_WORDS)))
_AROUND = (3, 1)
_SEEDS = 3
_SEED_PLACES = 4_000
_RESTATED_FROM = 0.8
_ALONE_FROM = 0.2
_RESTATING = 12
_NO_STEMS: frozenset[str] = frozenset()
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})


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
        has_denial: Whether anything is denied in it.
        is_denied: Whether that is one of these words.
        names: Those of *stems* that are written as names, or have a digit among letters.
    """

    __slots__ = (
        "_cue",
        "amounts",
        "claim",
        "has_denial",
        "is_denied",
        "names",
        "own_names",
        "stems",
        "text",
        "words",
    )

    def __init__(self, claim: Claim, own_names: Set[str] = frozenset()) -> None:
        self.claim = claim
        self.own_names = own_names
        self._cue = Cue(claim.cue)
        self.text = claim.value[:MAX_UNIT_CHARS]
        self.words = read_words(self.text)
        self.stems = frozenset(word.stem for word in self.words if is_content(word)) - own_names
        self.amounts = read_amounts(self.text)
        denials = denials_in(self.words)
        self.has_denial = bool(denials)
        self.is_denied = any(self.words[place].stem in self.stems for reach in denials.values() for place in reach)
        names = [word for word in self.words if is_name_like(self.text, word)]
        # In a title every word has a capital.
        is_prose = 2 * len(names) <= len(self.words)
        self.names = {word.stem for word in names if is_prose and not word.text.isdigit()} & self.stems

    def has_details_in(self, sentence: str, stems: Set[str]) -> bool:
        """Tell whether a sentence with these stems has every name and number of the claim."""
        return self.names <= stems and self.has_amounts_in(sentence)

    def has_amounts_in(self, sentence: str) -> bool:
        """Tell whether a text has every number of the claim."""
        said = read_amounts(sentence) if self.amounts else []
        return all(any(is_same(wanted, amount) for amount in said) for wanted in self.amounts)

    def is_near(self, sentence: Sentence, word: Word) -> bool:
        """Tell whether *sentence* speaks of the claim's field around one of its words."""
        return self._cue.is_near(sentence.unit.text, sentence.start + word.start, sentence.start + word.end)

    def score_of_one_word(self, sentence: Sentence, field_words: FieldWords) -> float:
        """Return what a sentence is worth that has a claim of one word: by what is said around it."""
        words = sentence.words
        place = next(place for place, word in enumerate(words) if word.stem in self.stems)
        span = (sentence.start + words[place].start, sentence.start + words[place].end)
        if field_words.is_near(self._cue, sentence.unit, *span):
            return ALL_WORDS
        return IS_OR_HAS if is_said_of_person(words, place, self.own_names) else ONE_WORD

    def is_denied_otherwise(self, words: Sequence[Word]) -> bool:
        """Tell whether only one side has a denial in a clause that speaks of the same."""
        clauses = {word.clause for word in words if word.stem in self.stems}
        return self.has_denial != any(words[place].clause in clauses for place in denials_in(words))

    def text_without_names(self) -> str:
        """Return the claim's value without the person's names: `leads a team of five`."""
        value, done = "", 0
        for word in self.words:
            if word.stem in self.own_names:
                value, done = value + self.text[done : word.start], word.end
        return (value + self.text[done:]).strip()


class LexicalIndex:
    """
    The sentences of units by their words, filed once and asked for many claims.

    Args:
        units: Any number of them; columns as a whole are left out. How rare a word is, is
            counted among these units.
        words: Their words, where other layers ask for them too.
    """

    def __init__(self, units: Iterable[Unit], *, words: FieldWords | None = None) -> None:
        self._field_words = words or FieldWords(units)
        self.sentences = Sentences(self._field_words.units)
        texts, speakers = zip(*self.sentences.texts(), strict=True) if self.sentences else ((), ())
        self._stems = StemIndex(READER, texts, speakers)
        self._last: tuple[Topic, dict[float, list[Near]]] | None = None

    def nearest(self, topic: Topic, *, share_from: float = _SHARE_FROM) -> list[Near]:
        """
        Return the sentences that have most of *topic*, and state something.

        The best first, of equals in their order; 24 at most, none with a share less than *share_from*.
        """
        # Several layers ask for the same, one after the other.
        last = self._last
        if last is None or last[0] is not topic:
            last = self._last = topic, {}
        if share_from not in last[1]:
            weighted = sorted(self._weights(topic).items(), key=lambda each: (-each[1], each[0]))
            last[1][share_from] = self._nearest_statements(weighted, share_from)
        return last[1][share_from]

    def _nearest_statements(self, weighted: list[tuple[str, float]], share_from: float) -> list[Near]:
        """The best sentences that state something: more are asked for, as long as questions are among them."""
        limit = _COMPARED
        while True:
            found = self._stems.nearest(weighted, share_from, limit)
            near = [each for each in starmap(Near, found) if self.sentences[each.place].is_statement]
            if len(near) >= _COMPARED or len(found) < limit:
                return near[:_COMPARED]
            limit *= 4

    def restating(self, words: Sequence[tuple[Sequence[str], float, bool]]) -> list[int]:
        """
        Return the places in `sentences` of those that may tell a claim, with the sentences beside them.

        12 at most, in their order, which have with those beside them four fifths of the weight; looked up, and not
        read: of those that have one of the heaviest words.

        Args:
            words: The words of the claim: the stems that each may be told by, its weight, and whether it may
                stand in any sentence.
        """
        return self._stems.restating(
            words,
            least=_RESTATED_FROM,
            alone=_ALONE_FROM,
            seeds=_SEEDS,
            most=_SEED_PLACES,
            around=_AROUND,
            limit=_RESTATING,
        )

    def with_any(self, stems: Iterable[str]) -> list[int]:
        """Return the places in `sentences` of those that have one of *stems*: words of content, or of stances."""
        return self._stems.with_any(list(stems))

    def count(self, stems: Iterable[str]) -> int:
        """Return how many sentences `with_any` finds."""
        return self._stems.count(list(stems))

    def with_stances(self, things: Iterable[str]) -> list[int]:
        """
        Return the places in `sentences` of those that may tell a stance on one of *things*, stems of words.

        One of these stands behind a word by which stances are told, in its clause. Of 200 at most, the first ones
        that have both.
        """
        return self._stems.with_behind(list(things), _STANCE_STEMS, _AMONG)

    def evidence(self, topic: Topic) -> list[Evidence]:
        """Return the sentences that support a claim in their own words, the best first; of texts alone."""
        return best_of(self._found(topic)) if topic.claim.kind in _TEXTS else []

    def _found(self, topic: Topic) -> Iterator[Evidence]:
        best = Best()
        for place, share, common, *_ in self.nearest(topic):
            if common is None:
                continue
            sentence, most = self.sentences[place], round(ALL_WORDS * share, 12)
            if best.is_full(sentence.unit, most):
                continue
            score = self._score(topic, sentence, most, InCommon(*common))
            best.add(sentence.unit, score)
            start, end = sentence.start + common[0], sentence.start + common[1]
            yield Evidence(sentence.unit, start, end, score, Layer.LEXICAL, MatchKind.TERMS)

    def _score(self, topic: Topic, sentence: Sentence, most: float, common: InCommon) -> float:
        """What is left of the score of all words, by what may not differ."""
        if common.has_denial != topic.has_denial:
            return min(most, DENIED)
        if not topic.has_details_in(sentence.text, sentence.stems if topic.names else _NO_STEMS):
            return min(most, MISSING_DETAIL)
        return min(most, topic.score_of_one_word(sentence, self._field_words)) if len(topic.stems) == 1 else most

    def _weights(self, topic: Topic) -> dict[str, float]:
        """How rare each word is; one that stands nowhere weighs most."""
        count = len(self.sentences) + 1
        counts = {stem: self._stems.count([stem]) for stem in topic.stems}
        weights = {stem: log(1 + count / (places + 0.5)) for stem, places in counts.items()}
        weights = {stem: weight * _LIGHT if stem in LIGHT_STEMS else weight for stem, weight in weights.items()}
        # One word that is only written alike is no claim.
        for word in topic.words if len(counts) > 1 and not all(counts.values()) else ():
            if counts.get(word.stem) == 0 and not is_name_like(topic.text, word):
                self._tell_alike(word, weights)
        return weights

    def _tell_alike(self, word: Word, weights: dict[str, float]) -> None:
        """Give a part of the weight of a word that stands nowhere to the one that is written most like it."""
        found = first_alike(word.text, self._stems.like(word.text, ALIKE_FROM, _ALIKE))
        stem = "" if found is None else stem_of(found[0])
        if found is not None and stem not in weights:
            weight = weights[word.stem]
            weights[stem] = weight * min(MOST, found[1])
            weights[word.stem] = weight - weights[stem]


def is_same(wanted: Amount, said: Amount) -> bool:
    """Tell whether two numbers are the same, or one of them is a range that the other lies in."""
    if wanted.low == wanted.high and said.low == said.high:
        return wanted.low == said.low
    return (said.low <= wanted.low and wanted.high <= said.high) or (
        wanted.low <= said.low and said.high <= wanted.high
    )

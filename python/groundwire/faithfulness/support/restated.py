"""
Claims told in other words of the same meaning, or by a sentence and the one beside it.

`I teach chemistry. I've been doing that for twelve years.` tells that somebody has taught for
twelve years, and so does a short answer to an interviewer's question. Words count where one of
the same meaning stands; names and numbers have to stand there themselves, and a denial or a
wish on one side alone tells something else. At most MODERATE.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from math import log
from typing import NamedTuple

from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.levels import DEFAULT_THRESHOLD
from groundwire.faithfulness.questions import is_open_question, is_question
from groundwire.faithfulness.support.amounts import Amount, read_amounts
from groundwire.faithfulness.support.answers import is_by_interviewer
from groundwire.faithfulness.support.contradiction import shared_stances
from groundwire.faithfulness.support.cues import others_in
from groundwire.faithfulness.support.equivalents import CEASING, LITTLE, WISHES, equivalents_of, forms_of
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.lexical import LexicalIndex, Topic, is_same
from groundwire.faithfulness.support.opposites import in_full, in_one_word
from groundwire.faithfulness.support.polarity import denied_places, is_past_only, opinions_in, wished_places
from groundwire.faithfulness.support.read_sentences import is_about_others
from groundwire.faithfulness.support.sentences import Sentence
from groundwire.faithfulness.support.values import UNITS
from groundwire.faithfulness.support.words import Word, is_name_like, read_words

__all__ = ["RESTATED", "restated_evidence"]

RESTATED = 0.75
"""A sentence that has all of a claim in words of the same meaning: MODERATE."""
BESIDE = 0.7
"""The same, out of two sentences or an answer and its question."""

_SHARE_FROM = 0.8
_CENTRE_FROM = 0.4
_ANSWER_FROM = 0.2
_LITTLE = 0.1
_ANSWER_SENTENCES = 2
_TOGETHER_WORDS = 20
_SHORT_STEM = 3
_UNFILED = WISHES | {"prefer", "prefers"}
_PRONOUNS = frozenset({"it", "them"})
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})


class _Wanted(NamedTuple):
    """A word of the claim, the stems that tell it, those that are its own, and what it weighs."""

    word: Word
    stems: frozenset[str]
    own: frozenset[str]
    weight: float


def restated_evidence(topic: Topic, index: LexicalIndex, *, beside: Sequence[Evidence] = ()) -> list[Evidence]:
    """
    Return the sentences that tell a claim in other words, the best first.

    None for a claim that is no text, and none for one that what was found *beside* supports.
    """
    is_open = all(each.score < DEFAULT_THRESHOLD for each in beside)
    if not is_open or topic.claim.kind not in _TEXTS or not topic.stems:
        return []
    told = [each for variant in _variants(topic) for each in _restated(variant, index)]
    return best_of([*shared_stances(topic, index), *told])


def _variants(topic: Topic) -> Iterator[Topic]:
    """A claim, and with its denial in another form: `distrusts` and `does not trust`."""
    claim = topic.claim
    for value in dict.fromkeys((claim.value, in_full(claim.value), in_one_word(claim.value))):
        yield topic if value == claim.value else Topic(replace(claim, value=value), topic.own_names)


def _restated(topic: Topic, index: LexicalIndex) -> Iterator[Evidence]:
    wanted = _wanted(topic, index)
    # Some words that wish or prefer, such as `rather`, are no words of content, and not filed.
    told_by = [(list(each.stems), each.weight, each.word.text in _UNFILED) for each in wanted]
    side = _Side(topic, wanted)
    for place in index.restating(told_by) if wanted else ():
        yield from _told(side, index, place)


def _wanted(topic: Topic, index: LexicalIndex) -> list[_Wanted]:
    count = len(index.sentences) + 1
    counted = {word.start for word in topic.words for each in topic.amounts if each.start <= word.start < each.end}
    found: dict[str, _Wanted] = {}
    for word in topic.words:
        if word.stem not in topic.stems or word.stem in found or word.start in counted:
            continue
        stems = frozenset({word.stem}) if word.stem in topic.names else equivalents_of(word.text) | {word.stem}
        weight = log(1 + count / (index.count(stems) + 0.5))
        weight = weight * _LITTLE if word.stem in LITTLE else weight
        found[word.stem] = _Wanted(word, stems, forms_of(word.text) | {word.stem}, weight)
    return list(found.values())


class _Side:
    """
    A claim beside the sentences that may tell it: what each has of its words.

    Attributes:
        topic: The claim.
        wanted: Its words.
        total: What they weigh.
        stems: All stems that tell one of them.
    """

    __slots__ = ("_has_wish", "_hits", "_words", "stems", "topic", "total", "wanted")

    def __init__(self, topic: Topic, wanted: Sequence[_Wanted]) -> None:
        self.topic = topic
        self.wanted = wanted
        self.total = sum(each.weight for each in wanted)
        self.stems = frozenset[str]().union(*(each.stems for each in wanted))
        self._has_wish = any(each.word.text in WISHES for each in wanted)
        self._hits: dict[Sentence, list[Word]] = {}
        self._words: dict[Sentence, list[Word]] = {}

    def hits(self, sentence: Sentence) -> list[Word]:
        """Return the words that tell one of the claim's."""
        hits = self._hits.get(sentence)
        if hits is None:
            told = [word for word in sentence.words if word.stem in self.stems]
            hits = self._hits[sentence] = [word for word in told if self.is_read(sentence, word)]
        return hits

    def words(self, sentence: Sentence) -> list[Word]:
        """Return the words of a sentence that are read."""
        words = self._words.get(sentence)
        if words is None:
            words = self._words[sentence] = [word for word in sentence.words if self.is_read(sentence, word)]
        return words

    def is_read(self, sentence: Sentence, word: Word) -> bool:
        """Tell whether it is no name with a stem as short as that of another word: Mary and married."""
        return len(word.stem) > _SHORT_STEM or word.stem in self.topic.names or not is_name_like(sentence.text, word)

    def share(self, sentences: Sequence[Sentence]) -> float:
        """How much of the claim's weight is told; a word tells one word of the claim, and not two."""
        stems = [word.stem for sentence in sentences for word in self.hits(sentence)]
        is_wished = self._has_wish and any(word.text in WISHES for each in sentences for word in self.words(each))
        told, used = 0.0, set[int]()
        for each in self.wanted:
            place = next((at for at, stem in enumerate(stems) if stem in each.stems and at not in used), None)
            if place is not None:
                used.add(place)
            if place is not None or (is_wished and each.word.text in WISHES):
                told += each.weight
        return told / self.total if self.total else 0.0


def _told(side: _Side, index: LexicalIndex, place: int) -> Iterator[Evidence]:
    centre = index.sentences[place]
    if not centre.is_statement:
        return
    of_centre = side.share([centre])
    for score, sentences in _stretches(index.sentences, place) if of_centre >= _ANSWER_FROM else ():
        least = _CENTRE_FROM if sentences[0].is_statement else _ANSWER_FROM
        share = side.share(sentences) if of_centre >= least else 0.0
        if share < _SHARE_FROM or not _are_together(side.wanted, side.words(centre)):
            continue
        if not _agrees(side.topic, side.wanted, sentences, [side.words(sentence) for sentence in sentences]):
            continue
        shared = side.hits(centre)
        start, end = centre.start + shared[0].start, centre.start + shared[-1].end
        yield Evidence(centre.unit, start, end, round(score * share, 12), Layer.LEXICAL, MatchKind.RESTATED)
        return


def _stretches(sentences: Sequence[Sentence], place: int) -> Iterator[tuple[float, list[Sentence]]]:
    """A sentence alone, with one of its neighbours in the unit, and with the question that it answers."""
    centre = sentences[place]
    yield RESTATED, [centre]
    before = sentences[place - 1] if place else None
    if before is not None and before.unit is centre.unit and before.is_statement and not centre.unit.fields:
        yield BESIDE, [before, centre]
    after = sentences[place + 1] if place + 1 < len(sentences) else None
    if after is not None and after.unit is centre.unit and after.is_statement and not centre.unit.fields:
        yield BESIDE, [centre, after]
    question = _question(sentences, place)
    if question is not None:
        yield BESIDE, [question, centre]


def _question(sentences: Sequence[Sentence], place: int) -> Sentence | None:
    """The open question of an interviewer, as `how long`, right before an answer that *place* begins, or nearly."""
    unit = sentences[place].unit
    for before in range(place - 1, max(-1, place - 2 - _ANSWER_SENTENCES), -1):
        other = sentences[before]
        if other.unit is not unit:
            # Yes or no is asked for: only an answer that affirms it tells, and is a unit with it.
            is_asked = is_by_interviewer(other.unit) and other.unit.locator.source == unit.locator.source
            return other if is_asked and is_question(other.text) and is_open_question(other.text) else None
    return None


def _are_together(wanted: Sequence[_Wanted], words: Sequence[Word]) -> bool:
    """Whether the claim's words that a sentence has stand near each other: in a long one they may tell nothing."""
    telling = [each.stems for each in wanted if each.word.stem not in LITTLE]
    found = [(at, which) for at, word in enumerate(words) for which, stems in enumerate(telling) if word.stem in stems]
    needed = {which for _, which in found}
    # Where every word is another one, the matter may be another one, too.
    if telling and not any(word.stem in each.own for word in words for each in wanted if each.stems in telling):
        return False
    return not needed or any(
        needed <= {which for at, which in found if first <= at < first + _TOGETHER_WORDS} for first, _ in found
    )


def _agrees(
    topic: Topic, wanted: Sequence[_Wanted], sentences: Sequence[Sentence], words: Sequence[Sequence[Word]]
) -> bool:
    """Whether names, numbers, denials and wishes are the same on both sides, and nobody else is spoken of."""
    stems = {word.stem for each in words for word in each}
    if not topic.names <= stems or not _has_amounts(topic, wanted, sentences):
        return False
    telling = [each for each in wanted if each.word.stem not in LITTLE]
    is_ceased = any(word.text in CEASING or is_past_only(topic.words, place) for place, word in enumerate(topic.words))
    if len(telling) < 2 and not topic.amounts and not is_ceased:
        return False
    told = frozenset(stem for each in telling for stem in each.stems)
    if not (_are_denied_alike(topic, telling, words) and _are_wished_alike(topic, told, words)):
        return False
    if any(_is_opposed(opinions_in(topic.words), opinions_in(each)) for each in words):
        return False
    own = others_in(topic.claim.text)
    pairs = zip(sentences, words, strict=True)
    return not any(is_about_others(sentence.text, each, told, own) for sentence, each in pairs)


def _are_denied_alike(topic: Topic, telling: Sequence[_Wanted], words: Sequence[Sequence[Word]]) -> bool:
    """Whether most of a denied claim is denied there, and nothing at all of any other."""
    if denied_places(topic.words, with_past=False):
        return any(2 * _told_in(each, denied_places(each), telling) > len(telling) for each in words)
    with_past = not denied_places(topic.words)
    return not any(_told_in(each, denied_places(each, with_past=with_past), telling) for each in words)


def _told_in(words: Sequence[Word], places: Set[int], telling: Sequence[_Wanted]) -> int:
    """How many words of the claim stand in the clauses of *places*; in the sentence, where those say `it` instead."""
    clauses = {words[place].clause for place in places}
    inside = [word for word in words if word.clause in clauses]
    if any(word.text in _PRONOUNS for word in inside):
        inside = list(words)
    stems = {word.stem for word in inside} if clauses else set()
    return sum(not stems.isdisjoint(each.stems) for each in telling)


def _are_wished_alike(topic: Topic, told: Set[str], words: Sequence[Sequence[Word]]) -> bool:
    is_wished = any(each[place].stem in told for each in words for place in wished_places(each))
    return bool(wished_places(topic.words)) == is_wished


def _is_opposed(ours: Mapping[str, bool], theirs: Mapping[str, bool]) -> bool:
    return any(theirs.get(stem, is_denied) != is_denied for stem, is_denied in ours.items())


def _has_amounts(topic: Topic, wanted: Sequence[_Wanted], sentences: Sequence[Sentence]) -> bool:
    """Whether every number of the claim is said there, of the same things."""
    texts = [sentence.text for sentence in sentences] if topic.amounts else []
    return all(any(_is_said(topic, wanted, each, text) for text in texts) for each in topic.amounts)


def _is_said(topic: Topic, wanted: Sequence[_Wanted], claimed: Amount, text: str) -> bool:
    counted = next((each for each in wanted if each.word.start >= claimed.end), None)
    is_age = topic.text[claimed.end :].lstrip(" -").startswith(("years old", "year old", "year-old", "years-old"))
    for said in read_amounts(text):
        if not is_same(claimed, said):
            continue
        if is_age or not claimed.unit or said.unit == claimed.unit:
            return True
        # `four` of `four of us` counts what the sentence speaks of; `at four` no years and no sons.
        stems = {word.stem for word in read_words(text)}
        is_measured = said.unit in UNITS or claimed.unit in UNITS
        if not is_measured and counted is not None and not stems.isdisjoint(counted.stems):
            return True
    return False

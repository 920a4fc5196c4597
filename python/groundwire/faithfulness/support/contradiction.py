"""
What the research says otherwise than a claim (ruling D9): liked or not, denied or not, opposites, numbers, dates.

Similarity cannot see it: `prefers email` and `I hate checking emails` have most words in
common. A sentence contradicts only where it speaks of the same matter, the person and
not somebody else, and of no narrower thing. Questions, and what an interviewer says, contradict
nobody. What only knowledge of the world shows is not found.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from groundwire.citations.support_contradictions import Contradiction, ContradictionKind, ReadClaim, ReadPassage
from groundwire.citations.support_words import FAILING
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.support.amounts import read_amounts
from groundwire.faithfulness.support.cues import others_in
from groundwire.faithfulness.support.dates import read_dates
from groundwire.faithfulness.support.equivalents import LITTLE, equivalents_of
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.glance import Glance
from groundwire.faithfulness.support.lexical import LexicalIndex, Topic, is_same
from groundwire.faithfulness.support.opposed import denials, opinions, opposites
from groundwire.faithfulness.support.opposed_abroad import contradictions_abroad
from groundwire.faithfulness.support.opposites import in_full
from groundwire.faithfulness.support.polarity import has_fear
from groundwire.faithfulness.support.read_sentences import ReadSentence, is_about_others
from groundwire.faithfulness.support.sentences import Sentence
from groundwire.faithfulness.support.stances import (
    STANCE_WORDS,
    Stance,
    is_opposed,
    is_shared,
    stance_of_field,
    stances_in,
)
from groundwire.faithfulness.support.words import LIGHT_STEMS, Word, denials_in, read_words, stem_of

__all__ = ["SHARED_STANCE", "contradictions_of", "is_only_apparent", "shared_stances"]

SHARED_STANCE = 0.75
"""The same liked, or disliked, in another word for it: MODERATE."""

_LEAST_WORDS = 2
"""With fewer of them beside a number it may count something else."""

_NAMED_NUMBER = re.compile(r"[^\W\d_]\d")

_KINDS = {
    ContradictionKind.NUMBER: MatchKind.OTHER_NUMBER,
    ContradictionKind.DATE: MatchKind.OTHER_DATE,
    ContradictionKind.NEGATION: MatchKind.NEGATION,
}
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})
_STANCE_STEMS = frozenset(map(stem_of, STANCE_WORDS))
_STANCES = 20
"""So many stances of a claim and of a sentence are compared."""


def contradictions_of(topic: Topic, index: LexicalIndex) -> list[Evidence]:
    """
    Return what the sentences of *index* say otherwise than a claim: one piece of evidence a sentence, 8 at most.

    Those of preference come first, then as near as they are to the claim.
    """
    if topic.claim.kind not in _TEXTS or not topic.stems:
        return []
    told = in_full(topic.claim.value)
    if told != topic.claim.value:
        topic = Topic(replace(topic.claim, value=told), topic.own_names)
    claimed = _claimed_stances(topic)
    found = [
        read.evidence(said.start, said.end, MatchKind.PREFERENCE)
        for read, said in _with_stances(topic, claimed, index)
        if any(is_opposed(stance, said) for stance in claimed)
    ]
    own = others_in(topic.claim.text)
    near = [(each, index.sentences[each.place]) for each in index.nearest(topic)]
    glance = Glance(topic, beside_amounts=_beside_amounts(topic))
    for each, sentence in near:
        if not glance.may_contradict(each):
            continue
        read = ReadSentence(sentence)
        if is_about_others(read.text, read.words, topic.stems, own):
            continue
        if not (claimed and stances_in(read.text)):
            found += denials(topic, read)
        found += opinions(topic, read)
        found += opposites(topic, read)
        found += _other_amounts(topic, read)
    found += contradictions_abroad(topic, index)
    found += _by_neighbours(topic, [sentence for _, sentence in near], own)
    by_place = {(id(each.unit), each.start): each for each in reversed(found)}
    first = {id(each) for each in by_place.values()}
    return [each for each in found if id(each) in first][:MAX_EVIDENCE]


def _claimed_stances(topic: Topic) -> list[Stance]:
    claim = topic.claim
    told = stance_of_field(claim.cue, topic.text) if claim.cue else []
    return (told or stances_in(topic.text, names=topic.own_names))[:_STANCES]


def shared_stances(topic: Topic, index: LexicalIndex) -> list[Evidence]:
    """Return the sentences that like what the claim likes, and dislike what it dislikes: `hates` and `can't stand`."""
    claimed = _claimed_stances(topic)
    told = _STANCE_STEMS.union(*(stance.things + stance.narrowing for stance in claimed))
    # A claim that says more than what is liked is not told by that.
    if len(claimed) != 1 or not topic.stems <= told | LITTLE:
        return []
    return best_of(
        Evidence(
            read.sentence.unit,
            read.sentence.start + said.start,
            read.sentence.start + said.end,
            SHARED_STANCE,
            Layer.LEXICAL,
            MatchKind.RESTATED,
        )
        for read, said in _with_stances(topic, claimed, index)
        if is_shared(claimed[0], said)
    )


def _with_stances(
    topic: Topic, claimed: Sequence[Stance], index: LexicalIndex
) -> Iterator[tuple[ReadSentence, Stance]]:
    """The stances of the person on what the claim has a stance on."""
    things = {stem for stance in claimed for stem in stance.things}
    if not things:
        return
    for number in index.with_stances(things):
        sentence = index.sentences[number]
        if not sentence.is_statement:
            continue
        read = ReadSentence(sentence)
        # In an interview `he` is somebody else.
        is_spoken = sentence.unit.locator.speaker is not None
        for said in stances_in(read.text, names=topic.own_names, is_first_person=is_spoken)[:_STANCES]:
            yield read, said


def _other_amounts(topic: Topic, read: ReadSentence) -> Iterator[Evidence]:
    """A number that the sentence has not, where it has all else of the claim and one other number of that unit."""
    rest = _beside_amounts(topic)
    if rest is None or not rest <= read.stems:
        return
    said = read_amounts(read.text)
    for wanted in topic.amounts:
        others = [each for each in said if each.unit == wanted.unit and not each.is_bound]
        if len(others) == 1 and not wanted.is_bound and not is_same(wanted, others[0]):
            start, end = others[0].start, others[0].end
            is_date = bool(read_dates(read.text[start:end]))
            yield read.evidence(start, end, MatchKind.OTHER_DATE if is_date else MatchKind.OTHER_NUMBER)


def _beside_amounts(topic: Topic) -> frozenset[str] | None:
    """The stems of a claim with numbers, these left out; None if there is too little beside them, or no number."""
    counted = [word.stem for word in topic.words for each in topic.amounts if each.start <= word.start < each.end]
    rest = topic.stems - set(counted)
    return rest if topic.amounts and len(rest) >= _LEAST_WORDS else None


def _by_neighbours(topic: Topic, near: Sequence[Sentence], own: Set[str]) -> Iterator[Evidence]:
    """Numbers, dates and denials that stand among the same words: the rules for citations."""
    claim = topic.text_without_names()
    places = [(ReadPassage(sentence.text), 0, len(sentence.text)) for sentence in near]
    for sentence, found in zip(near, ReadClaim(claim).contradictions(places), strict=True):
        if found is None or is_only_apparent(claim, found, sentence.words):
            continue
        if not is_about_others(sentence.text, sentence.words, topic.stems, own):
            yield ReadSentence(sentence).evidence(found.passage_start, found.passage_end, _KINDS[found.kind])


def is_only_apparent(claim: str, found: Contradiction, words: Sequence[Word]) -> bool:
    """
    Tell whether a denial or opposite that the rules for citations *found* in these words is none.

    `Worried that it will not last` denies nothing of the worry; and what begins at nine and
    ends at noon also starts at nine; who refuses cards rejects them. The number in `Q2` counts
    nothing.
    """
    if found.kind is not ContradictionKind.NEGATION:
        return _NAMED_NUMBER.search(claim, max(0, found.claim_start - 1), found.claim_end) is not None
    word = claim[found.claim_start : found.claim_end].lower()
    others = equivalents_of(word) - {stem_of(word)}
    if has_fear(words) or any(each.stem in others for each in words):
        return True
    ours = read_words(claim)
    return _denies_something_else(ours, found.claim_start, words) or _is_failing_in_other_words(ours, words)


def _denies_something_else(ours: Sequence[Word], start: int, words: Sequence[Word]) -> bool:
    """Whether nothing of what the denial at *start* stands before is among *words*: `panes that did not fit`."""
    at = next((place for place, word in enumerate(ours) if word.start == start), None)
    if at is None or at not in denials_in(ours):
        return False
    behind = [word.stem for word in ours[at + 1 :] if word.clause == ours[at].clause and word.stem not in LIGHT_STEMS]
    return bool(behind) and {word.stem for word in words}.isdisjoint(behind)


def _is_failing_in_other_words(ours: Sequence[Word], words: Sequence[Word]) -> bool:
    """Whether the claim has a word for what denies there: who rejects cards refuses them."""
    stems = {word.stem for word in ours}
    return any(word.text in FAILING and not stems.isdisjoint(equivalents_of(word.text)) for word in words)

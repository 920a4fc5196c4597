"""
What the research says otherwise than a claim (ruling D9): liked or not, denied or not, opposites, numbers, dates.

Similarity cannot see it: `prefers email` and `I hate checking emails` have most words in
common. A sentence contradicts only where it speaks of the same matter, the person and
not somebody else, and of no narrower thing. Questions, and what an interviewer says, contradict
nobody. What only knowledge of the world shows is not found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.citations.support_contradictions import Contradiction, ContradictionKind, ReadClaim, ReadPassage
from groundwire.evidence.lexicons import load_lexicon
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.support.amounts import read_amounts
from groundwire.faithfulness.support.cues import others_in
from groundwire.faithfulness.support.dates import read_dates
from groundwire.faithfulness.support.equivalents import LITTLE, equivalents_of
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.lexical import LexicalIndex, Sentence, Topic, is_same
from groundwire.faithfulness.support.polarity import denied_places, has_fear, opinions_in
from groundwire.faithfulness.support.stances import (
    NARROWING,
    STANCE_WORDS,
    Stance,
    is_opposed,
    is_shared,
    stance_of_field,
    stances_in,
)
from groundwire.faithfulness.support.verbatim import is_asking
from groundwire.faithfulness.support.words import (
    Word,
    denials_in,
    is_content,
    is_said_of_person,
    read_words,
    stem_of,
)

__all__ = ["SHARED_STANCE", "contradictions_of", "is_only_apparent", "shared_stances"]

SHARED_STANCE = 0.75
"""The same liked, or disliked, in another word for it: MODERATE."""

_SAME_MATTER = 0.75
"""The share of the claim's words of content that a denial has to have in its clause."""

_LEAST_WORDS = 2
"""With fewer of them beside a number it may count something else."""

_LEAST_TOLD = 3
"""A sentence with all of so many words of the claim tells it, whatever another one seems to deny."""

_NAMED_NUMBER = re.compile(r"[^\W\d_]\d")

_KINDS = {
    ContradictionKind.NUMBER: MatchKind.OTHER_NUMBER,
    ContradictionKind.DATE: MatchKind.OTHER_DATE,
    ContradictionKind.NEGATION: MatchKind.NEGATION,
}
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})
_STANCE_STEMS = frozenset(map(stem_of, STANCE_WORDS))
_AMONG = 200
"""So many sentences with a stance are read for one claim."""
_STANCES = 20
"""So many stances of a claim and of a sentence are compared."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence with its words."""

    sentence: Sentence
    text: str
    words: list[Word]

    def evidence(self, start: int, end: int, kind: MatchKind) -> Evidence:
        offset = self.sentence.start
        return Evidence(self.sentence.unit, offset + start, offset + end, 0.0, Layer.CONTRADICTION, kind)


def contradictions_of(topic: Topic, index: LexicalIndex) -> list[Evidence]:
    """
    Return what the sentences of *index* say otherwise than a claim: one piece of evidence a sentence, 8 at most.

    Those of preference come first, then as near as they are to the claim.
    """
    if topic.claim.kind not in _TEXTS or not topic.stems:
        return []
    claimed = _claimed_stances(topic)
    found = [
        read.evidence(said.start, said.end, MatchKind.PREFERENCE)
        for read, said in _with_stances(topic, claimed, index)
        if any(is_opposed(stance, said) for stance in claimed)
    ]
    near = [_read(sentence) for sentence, _ in index.nearest(topic) if _is_statement(sentence)]
    is_about_them = [read for read in near if not _is_about_others(topic, read)]
    is_thought = any(_is_thought_alike(topic, read) for read in is_about_them)
    is_told = any(_is_told_in_full(topic, read) for read in is_about_them)
    for read in is_about_them:
        if not (claimed and stances_in(read.text)) and not is_told:
            found += _denials(topic, read)
        if not is_thought:
            found += _opinions(topic, read)
    for read in is_about_them:
        found += _opposites(topic, read)
        found += _other_amounts(topic, read)
    found += [each for each in _by_neighbours(topic, is_about_them) if not (is_told and each.kind is MatchKind.NEGATION)]
    by_place = {(id(each.unit), each.start): each for each in reversed(found)}
    first = {id(each) for each in by_place.values()}
    return [each for each in found if id(each) in first][:MAX_EVIDENCE]


def _read(sentence: Sentence) -> _Read:
    return _Read(sentence, sentence.text, read_words(sentence.text))


def _is_statement(sentence: Sentence) -> bool:
    is_question = sentence.text.rstrip("\"'”’) ").endswith(("?", "？"))
    return not is_question and not is_asking(sentence.unit)


def _is_about_others(topic: Topic, read: _Read) -> bool:
    """Whether the sentence names people that the claim does not."""
    return not others_in(read.text) <= others_in(topic.claim.text)


def _is_told_in_full(topic: Topic, read: _Read) -> bool:
    """Whether the sentence has every word, name and number of the claim, and denies what the claim denies."""
    stems = read.sentence.stems(read.words)
    is_whole = len(topic.stems) >= _LEAST_TOLD and topic.stems <= stems and topic.has_details_in(read.text, stems)
    return is_whole and bool(_denied(topic.words, topic.stems)) == bool(_denied(read.words, topic.stems))


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


def _with_stances(topic: Topic, claimed: Sequence[Stance], index: LexicalIndex) -> Iterator[tuple[_Read, Stance]]:
    """The stances of the person on what the claim has a stance on."""
    things = {stem for stance in claimed for stem in stance.things}
    if not things:
        return
    for number in sorted(index.with_any(things) & index.with_any(_STANCE_STEMS))[:_AMONG]:
        sentence = index.sentences[number]
        if not _is_statement(sentence):
            continue
        read = _read(sentence)
        # In an interview `he` is somebody else.
        is_spoken = sentence.unit.locator.speaker is not None
        for said in stances_in(read.text, names=topic.own_names, is_first_person=is_spoken)[:_STANCES]:
            yield read, said


def _denials(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """The claim's words behind a denial, where the claim has none; or without one, where it has."""
    ours = _denied(topic.words, topic.stems)
    theirs = _denied(read.words, topic.stems)
    shared = [place for place, word in enumerate(read.words) if word.stem in topic.stems]
    if bool(ours) == bool(theirs) or not shared:
        return
    place, denial = next(iter(theirs.items()), (shared[0], shared[0]))
    clause = read.words[place].clause
    # One word alone is about the same only in a sentence that speaks of the field.
    if len(topic.stems) == 1 and not _is_placed(topic, read, place):
        return
    same = {read.words[at].stem for at in shared if read.words[at].clause == clause}
    last = max(at for at in shared if read.words[at].clause == clause)
    # Who never drinks coffee at night may drink it; who drinks it at night does not never drink it.
    # What was given up after a year was not given up for that year.
    is_given_up = bool(theirs) and denial == place
    is_of_a_part = bool(theirs) and not is_given_up and _is_narrowed(read.words, last)
    if len(same) >= _SAME_MATTER * len(topic.stems) and not is_of_a_part:
        yield read.evidence(read.words[denial].start, read.words[last].end, MatchKind.NEGATION)


def _is_placed(topic: Topic, read: _Read, place: int) -> bool:
    """Whether the sentence speaks of the field there, or the word is what the person does: `He swims twice a week`."""
    is_persons = is_said_of_person(read.words, place, topic.own_names)
    return is_persons or topic.is_near(read.sentence, read.words[place])


def _opinions(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """`I don't know why` against `he knows why`: what is thought or known on one side alone."""
    theirs = opinions_in(read.words)
    stems = read.sentence.stems(read.words)
    for stem, is_denied in opinions_in(topic.words).items():
        rest = topic.stems - {stem}
        if theirs.get(stem, is_denied) != is_denied and rest and len(rest & stems) >= _SAME_MATTER * len(rest):
            word = next(word for word in read.words if word.stem == stem)
            yield read.evidence(word.start, word.end, MatchKind.NEGATION)


def _is_thought_alike(topic: Topic, read: _Read) -> bool:
    """Whether the sentence has every word of the claim, and thinks or knows what the claim does."""
    theirs = opinions_in(read.words)
    is_alike = all(theirs.get(stem, is_denied) == is_denied for stem, is_denied in opinions_in(topic.words).items())
    return is_alike and topic.stems <= read.sentence.stems(read.words)


def _denied(words: Sequence[Word], stems: frozenset[str]) -> dict[int, int]:
    """The places of those words that are denied or no longer so, and of what denies them."""
    reached = {place: denial for denial, reach in denials_in(words).items() for place in reach}
    return {place: reached.get(place, place) for place in sorted(denied_places(words)) if words[place].stem in stems}


def _is_narrowed(words: Sequence[Word], last: int) -> bool:
    """Whether behind the last of the words in common there follows a part, a time or a place: `at night`."""
    behind = [word for word in words[last + 1 :] if word.clause == words[last].clause]
    narrowing = next((place for place, word in enumerate(behind) if word.text in NARROWING), len(behind))
    return any(map(is_content, behind[narrowing:]))


def _opposites(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """A word in whose place the sentence has its opposite, with all other words of the claim, and no denial at all."""
    opposites = load_lexicon("en").opposites
    said = {word.text: word for word in read.words}
    stems = read.sentence.stems(read.words)
    for word in topic.words:
        other = next((said[each] for each in sorted(opposites.get(word.text, ())) if each in said), None)
        rest = topic.stems - {word.stem}
        if other is None or not stems.isdisjoint(equivalents_of(word.text)) or word.stem not in topic.stems or not rest or not rest <= stems:
            continue
        if not denials_in(topic.words) and not denials_in(read.words):
            yield read.evidence(other.start, other.end, MatchKind.OPPOSITE)


def _other_amounts(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """A number that the sentence has not, where it has all else of the claim and one other number of that unit."""
    said = read_amounts(read.text) if topic.amounts else []
    stems = read.sentence.stems(read.words)
    counted = [word.stem for word in topic.words for each in topic.amounts if each.start <= word.start < each.end]
    rest = topic.stems - set(counted)
    if len(rest) < _LEAST_WORDS or not rest <= stems:
        return
    for wanted in topic.amounts:
        others = [each for each in said if each.unit == wanted.unit and not each.is_bound]
        if len(others) == 1 and not wanted.is_bound and not is_same(wanted, others[0]):
            start, end = others[0].start, others[0].end
            is_date = bool(read_dates(read.text[start:end]))
            yield read.evidence(start, end, MatchKind.OTHER_DATE if is_date else MatchKind.OTHER_NUMBER)


def _by_neighbours(topic: Topic, near: Sequence[_Read]) -> Iterator[Evidence]:
    """Numbers, dates and denials that stand among the same words: the rules for citations."""
    claim = topic.text_without_names()
    places = [(ReadPassage(read.text), 0, len(read.text)) for read in near]
    for read, found in zip(near, ReadClaim(claim).contradictions(places), strict=True):
        if found is not None and not is_only_apparent(claim, found, read.words):
            yield read.evidence(found.passage_start, found.passage_end, _KINDS[found.kind])


def is_only_apparent(claim: str, found: Contradiction, words: Sequence[Word]) -> bool:
    """
    Tell whether a denial or opposite that the rules for citations *found* in these words is none.

    `Worried that it will not last` denies nothing of the worry; and what begins at nine and
    ends at noon also starts at nine. The number in `Q2` counts nothing.
    """
    if found.kind is not ContradictionKind.NEGATION:
        return _NAMED_NUMBER.search(claim, max(0, found.claim_start - 1), found.claim_end) is not None
    word = claim[found.claim_start : found.claim_end].lower()
    others = equivalents_of(word) - {stem_of(word)}
    return has_fear(words) or any(each.stem in others for each in words)

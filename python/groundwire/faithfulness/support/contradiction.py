"""
What the research says otherwise than a claim (ruling D9): liked or not, denied or not, opposites, numbers, dates.

Similarity cannot see it: `prefers email` and `I hate checking emails` have most words in
common. A sentence contradicts only where it speaks of the same matter, the person and
not somebody else, and of no narrower thing. Questions, and what an interviewer says, contradict
nobody. What only knowledge of the world shows is not found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.citations.support_contradictions import ContradictionKind, ReadClaim, ReadPassage
from groundwire.evidence.lexicons import load_lexicon
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.support.amounts import read_amounts
from groundwire.faithfulness.support.cues import others_in
from groundwire.faithfulness.support.dates import read_dates
from groundwire.faithfulness.support.evidence import MAX_EVIDENCE, Evidence, Layer, MatchKind
from groundwire.faithfulness.support.lexical import InCommon, LexicalIndex, Topic, is_same
from groundwire.faithfulness.support.sentences import Sentence
from groundwire.faithfulness.support.stances import (
    NARROWING,
    STANCE_WORDS,
    Stance,
    is_opposed,
    stance_of_field,
    stances_in,
)
from groundwire.faithfulness.support.verbatim import is_asking
from groundwire.faithfulness.support.words import Word, denials_in, is_content, stem_of

__all__ = ["contradictions_of"]

_SAME_MATTER = 0.75
"""The share of the claim's words of content that a denial has to have in its clause."""

_LEAST_WORDS = 2
"""With fewer of them beside a number it may count something else."""

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
    """A sentence that may say otherwise."""

    sentence: Sentence
    common: InCommon | None = None

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def words(self) -> list[Word]:
        return self.sentence.words

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
    found = list(_preferences(topic, claimed, index))
    near = [_Read(each.sentence, each.common) for each in index.nearest(topic) if _is_statement(each.sentence)]
    is_about_them = [read for read in near if not _is_about_others(topic, read)]
    for read in is_about_them:
        if not (claimed and stances_in(read.text)):
            found += _denials(topic, read)
    opposites = load_lexicon("en").opposites
    has_opposites = any(word.text in opposites for word in topic.words)
    for read in is_about_them:
        if has_opposites:
            found += _opposites(topic, read)
        if topic.amounts:
            found += _other_amounts(topic, read)
    found += _by_neighbours(topic, is_about_them)
    by_place = {(id(each.unit), each.start): each for each in reversed(found)}
    first = {id(each) for each in by_place.values()}
    return [each for each in found if id(each) in first][:MAX_EVIDENCE]


def _is_statement(sentence: Sentence) -> bool:
    return not sentence.is_question and not is_asking(sentence.unit)


def _is_about_others(topic: Topic, read: _Read) -> bool:
    """Whether the sentence names people that the claim does not."""
    return not others_in(read.text) <= others_in(topic.claim.text)


def _claimed_stances(topic: Topic) -> list[Stance]:
    claim = topic.claim
    told = stance_of_field(claim.cue, topic.text) if claim.cue else []
    return (told or stances_in(topic.text, names=topic.own_names))[:_STANCES]


def _preferences(topic: Topic, claimed: Sequence[Stance], index: LexicalIndex) -> Iterator[Evidence]:
    things = {stem for stance in claimed for stem in stance.things}
    if not things:
        return
    for number in index.with_both(things, _STANCE_STEMS)[:_AMONG]:
        sentence = index.sentences[number]
        if not _is_statement(sentence):
            continue
        read = _Read(sentence)
        # In an interview `he` is somebody else.
        is_spoken = sentence.unit.locator.speaker is not None
        for said in stances_in(read.text, names=topic.own_names, is_first_person=is_spoken)[:_STANCES]:
            if any(is_opposed(stance, said) for stance in claimed):
                yield read.evidence(said.start, said.end, MatchKind.PREFERENCE)
                break


def _denials(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """The claim's words behind a denial, where the claim has none; or without one, where it has."""
    if read.common is None or read.common.is_denied == topic.is_denied:
        return
    theirs = _denied(read.words, topic.stems)
    shared = [place for place, word in enumerate(read.words) if word.stem in topic.stems]
    place, denial = next(iter(theirs.items()), (shared[0], shared[0]))
    clause = read.words[place].clause
    # One word alone is about the same only in a sentence that speaks of the field.
    if len(topic.stems) == 1 and not topic.is_near(read.sentence, read.words[place]):
        return
    same = {read.words[at].stem for at in shared if read.words[at].clause == clause}
    last = max(at for at in shared if read.words[at].clause == clause)
    # Who never drinks coffee at night may drink it; who drinks it at night does not never drink it.
    is_of_a_part = bool(theirs) and _is_narrowed(read.words, last)
    if len(same) >= _SAME_MATTER * len(topic.stems) and not is_of_a_part:
        yield read.evidence(read.words[denial].start, read.words[last].end, MatchKind.NEGATION)


def _denied(words: Sequence[Word], stems: frozenset[str]) -> dict[int, int]:
    """The places of those words that are denied, and of their denials."""
    return {
        place: denial for denial, reach in denials_in(words).items() for place in reach if words[place].stem in stems
    }


def _is_narrowed(words: Sequence[Word], last: int) -> bool:
    """Whether behind the last of the words in common there follows a part, a time or a place: `at night`."""
    behind = [word for word in words[last + 1 :] if word.clause == words[last].clause]
    narrowing = next((place for place, word in enumerate(behind) if word.text in NARROWING), len(behind))
    return any(map(is_content, behind[narrowing:]))


def _opposites(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """A word in whose place the sentence has its opposite, with all other words of the claim, and no denial at all."""
    opposites = load_lexicon("en").opposites
    said = {word.text: word for word in read.words}
    stems = read.sentence.stems
    for word in topic.words:
        other = next((said[each] for each in sorted(opposites.get(word.text, ())) if each in said), None)
        rest = topic.stems - {word.stem}
        if other is None or word.stem in stems or word.stem not in topic.stems or not rest or not rest <= stems:
            continue
        if not denials_in(topic.words) and not denials_in(read.words):
            yield read.evidence(other.start, other.end, MatchKind.OPPOSITE)


def _other_amounts(topic: Topic, read: _Read) -> Iterator[Evidence]:
    """A number that the sentence has not, where it has all else of the claim and one other number of that unit."""
    counted = [word.stem for word in topic.words for each in topic.amounts if each.start <= word.start < each.end]
    rest = topic.stems - set(counted)
    if len(rest) < _LEAST_WORDS or not rest <= read.sentence.stems:
        return
    said = read_amounts(read.text)
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
        if found is not None:
            yield read.evidence(found.passage_start, found.passage_end, _KINDS[found.kind])

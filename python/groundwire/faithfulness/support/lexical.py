"""
Claims compared word by word with the units that speak of the same (rulings D12, D13, R1).

A claim is supported where each of its words of content, names and numbers has a counterpart in one unit, in the
same role. That is MODERATE: the words are there, which is not yet proof that the claim is. A unit that lacks
something is WEAK at most, however many words both share.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from groundwire.faithfulness.support.cues import FieldWords, Topic, others_in
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.source_index import NearUnit, SourceIndex
from groundwire.language import Term
from groundwire.support_score import SupportScore

__all__ = [
    "ALL_WORDS",
    "DENIED",
    "NOT_ALL",
    "LexicalFindings",
    "compare_words",
]

ALL_WORDS = 0.8
"""A unit has all of the claim: the highest of MODERATE (ruling D1)."""
IS_OR_HAS = 0.65
"""A claim of one word, which the person says to be or to have."""
ONE_WORD = 0.5
"""A claim of one word that nothing around it connects with the claim's field: WEAK."""
NOT_ALL = 0.59
"""The most that a unit is worth that lacks something of the claim: WEAK."""
DENIED = 0.3
"""The same where one side denies what the other says (ruling D9)."""

_NEAREST_SENTENCES = 6
"""The number of sentences with the most terms of a claim that are compared with it."""
_CONFLICTS = {
    "number": MatchKind.OTHER_NUMBER,
    "date": MatchKind.OTHER_DATE,
    "negation": MatchKind.NEGATION,
    "opposite": MatchKind.OPPOSITE,
}
_LITTLE = frozenset({"auxiliary", "article", "quantifier", "hedge", "limiter", "filler", "number", "order"})


class LexicalFindings(NamedTuple):
    """What supports a claim, the best first, and what contradicts it."""

    evidence: list[SupportEvidence]
    contradictions: list[SupportEvidence]


def compare_words(
    topic: Topic, literal: Sequence[SupportEvidence], index: SourceIndex, words: FieldWords, score: SupportScore
) -> LexicalFindings:
    """
    Return what supports a claim, and what the units nearest to it say otherwise.

    Of a claim that is no text, what was found before is all there is.

    Args:
        topic: The claim.
        literal: Where its words or its value stand. A sentence that stands there word for word, but under a
            condition or behind a negation, is not supported by that.
        index, words: The units.
        score: What a unit is worth that lacks something of the claim.
    """
    if not topic.is_text:
        return LexicalFindings(list(literal), [])
    near = index.nearest(topic.said, _NEAREST_SENTENCES)
    found = [_evidence(each, _score(topic, each, index, words, score)) for each in near]
    contradictions = [each for unit in near for each in _conflicts(topic, unit, words)]
    if topic.is_sentence:
        supporting = {id(each.unit) for each in found if each.score > NOT_ALL}
        literal = [each if id(each.unit) in supporting else _weakened(each) for each in literal]
    # Where the words themselves stand, the sentence around them says no more.
    best = {id(each.unit): each.score for each in sorted(literal, key=lambda each: each.score)}
    found = [each for each in found if each.score > best.get(id(each.unit), 0.0)]
    return LexicalFindings(best_of(sorted([*literal, *found], key=lambda each: -each.score)), contradictions)


def _weakened(evidence: SupportEvidence) -> SupportEvidence:
    is_of_words = evidence.kind is MatchKind.WORDS and evidence.score > NOT_ALL
    return replace(evidence, score=NOT_ALL) if is_of_words else evidence


def _evidence(near: NearUnit, score: float) -> SupportEvidence:
    kind = MatchKind.TERMS if near.has_all else MatchKind.PASSAGE
    return SupportEvidence(near.unit, *near.span, score, Layer.LEXICAL, kind, missing=near.missing)


def _score(topic: Topic, near: NearUnit, index: SourceIndex, words: FieldWords, score: SupportScore) -> float:
    is_said = near.status == "supported" if topic.is_sentence else near.has_all
    if is_said and not near.is_denied:
        return _score_of_words(topic, near, index, words)
    return min(near.probability(score), DENIED if near.is_denied else NOT_ALL)


def _score_of_words(topic: Topic, near: NearUnit, index: SourceIndex, words: FieldWords) -> float:
    """What a unit is worth that has all of a claim; one word alone counts by what is said around it."""
    if topic.is_sentence or near.wanted > 1 or words.is_near(topic.cue, near.unit, *near.span):
        return ALL_WORDS
    terms = index.terms(near)
    place = next((place for place, term in enumerate(terms) if term.stem in topic.stems), None)
    return IS_OR_HAS if place is not None and _is_of_person(terms, place, topic) else ONE_WORD


def _is_of_person(terms: Sequence[Term], place: int, topic: Topic) -> bool:
    """Whether the person is said to be or to have it: only little words stand between it and a pronoun or a name."""
    before = [term for term in terms[:place] if term.clause == terms[place].clause]
    if not before or not (before[0].kind == "pronoun" or before[0].form in topic.own_names):
        return False
    return any(term.kind == "auxiliary" for term in before) and all(term.kind in _LITTLE for term in before[1:])


def _conflicts(topic: Topic, near: NearUnit, words: FieldWords) -> Iterator[SupportEvidence]:
    """What a unit says otherwise: what excludes the claim, or a denial of its one word where the field is spoken of."""
    if near.conflict is not None:
        kind, start, end = near.conflict
        yield SupportEvidence(near.unit, start, end, 0.0, Layer.CONTRADICTION, _CONFLICTS[kind])
    elif not topic.is_sentence and near.wanted == 1 and near.is_denied and _is_of_field(topic, near, words):
        yield SupportEvidence(near.unit, *near.span, 0.0, Layer.CONTRADICTION, MatchKind.NEGATION)


def _is_of_field(topic: Topic, near: NearUnit, words: FieldWords) -> bool:
    """Whether the sentences speak of the claim's field, and of nobody beside the person."""
    return words.is_near(topic.cue, near.unit, *near.span) and not others_in(near.unit.text[slice(*near.span)])

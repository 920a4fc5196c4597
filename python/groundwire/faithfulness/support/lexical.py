"""
Compares claims word by word with the units about the same subject (rulings D12, D13, R1).

A unit supports a claim if each content word, name and number of the claim has a counterpart in it, in the same role.
This is MODERATE, because shared words do not prove a claim. A unit that lacks a part of the claim is WEAK at most.
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
"""The score of a unit with all words of the claim: the upper limit of MODERATE (ruling D1)."""
IS_OR_HAS = 0.65
"""The score of a one-word claim that the person is said to be or to have."""
ONE_WORD = 0.5
"""The score of a one-word claim whose context does not mention its field: WEAK."""
NOT_ALL = 0.59
"""The highest score of a unit that lacks a part of the claim: WEAK."""
DENIED = 0.3
"""The highest score of a unit that negates the claim, or is negated by it (ruling D9)."""

_NEAREST_SENTENCES = 6
"""The number of sentences, those with the most terms of a claim, that are compared with it."""
_CONFLICTS = {
    "number": MatchKind.OTHER_NUMBER,
    "date": MatchKind.OTHER_DATE,
    "negation": MatchKind.NEGATION,
    "opposite": MatchKind.OPPOSITE,
}
_LITTLE = frozenset({"auxiliary", "article", "quantifier", "hedge", "limiter", "filler", "number", "order"})


class LexicalFindings(NamedTuple):
    """Evidence for a claim, best first, and evidence against it."""

    evidence: list[SupportEvidence]
    contradictions: list[SupportEvidence]


def compare_words(
    topic: Topic, literal: Sequence[SupportEvidence], index: SourceIndex, words: FieldWords, score: SupportScore
) -> LexicalFindings:
    """
    Return the evidence for and against a claim in the units nearest to it.

    A claim that is not a text keeps its literal evidence alone.

    Args:
        topic: The claim.
        literal: Literal matches of its words or value. A literal match under a condition or after a negation does not
            support a sentence.
        index, words: The indexes of the units.
        score: The score for units that lack a part of the claim.
    """
    if not topic.is_text:
        return LexicalFindings(list(literal), [])
    near = index.nearest(topic.without_names, _NEAREST_SENTENCES)
    found = [_evidence(each, _score(topic, each, index, words, score)) for each in near]
    contradictions = [each for unit in near for each in _conflicts(topic, unit, words)]
    if topic.is_sentence:
        supporting = {id(each.unit) for each in found if each.score > NOT_ALL}
        literal = [each if id(each.unit) in supporting else _weakened(each) for each in literal]
    # A literal match makes the comparison with its sentence redundant.
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
    is_stated = near.status == "supported" if topic.is_sentence else near.has_all
    if is_stated and not near.is_denied:
        return _score_of_words(topic, near, index, words)
    return min(near.probability(score), DENIED if near.is_denied else NOT_ALL)


def _score_of_words(topic: Topic, near: NearUnit, index: SourceIndex, words: FieldWords) -> float:
    """Return the score of a unit with all words of a claim; for a single word, the context decides."""
    if topic.is_sentence or near.wanted > 1 or words.is_near(topic.cue, near.unit, *near.span):
        return ALL_WORDS
    terms = index.terms(near)
    place = next((place for place, term in enumerate(terms) if term.stem in topic.stems), None)
    return IS_OR_HAS if place is not None and _is_of_person(terms, place, topic) else ONE_WORD


def _is_of_person(terms: Sequence[Term], place: int, topic: Topic) -> bool:
    """Return whether the person is said to be or to have it: only function words separate it from a pronoun or name."""
    before = [term for term in terms[:place] if term.clause == terms[place].clause]
    if not before or not (before[0].kind == "pronoun" or before[0].form in topic.own_names):
        return False
    return any(term.kind == "auxiliary" for term in before) and all(term.kind in _LITTLE for term in before[1:])


def _conflicts(topic: Topic, near: NearUnit, words: FieldWords) -> Iterator[SupportEvidence]:
    """Yield contradictions in a unit: a conflict, or a negation of a one-word claim in the context of its field."""
    if near.conflict is not None:
        kind, start, end = near.conflict
        yield SupportEvidence(near.unit, start, end, 0.0, Layer.CONTRADICTION, _CONFLICTS[kind])
    elif not topic.is_sentence and near.wanted == 1 and near.is_denied and _is_of_field(topic, near, words):
        yield SupportEvidence(near.unit, *near.span, 0.0, Layer.CONTRADICTION, MatchKind.NEGATION)


def _is_of_field(topic: Topic, near: NearUnit, words: FieldWords) -> bool:
    """Return whether the sentences mention the claim's field and no other person."""
    return words.is_near(topic.cue, near.unit, *near.span) and not others_in(near.unit.text[slice(*near.span)])

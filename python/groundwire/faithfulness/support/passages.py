"""
Claims whose words stand in several sentences: which passage speaks of the same, and what it says otherwise.

Around the sentences that have most of a claim a passage is cut, and the score of wording
for citations says how much of the claim it has: words, phrases, topics. That it is about
the same is not yet that it says so, so it is WEAK at most. Less is left of a claim with
a name, a number or a denial that the passage does not have. Contradictions are those of
citations, in the passage that has most, questions and those who ask left out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.citations.support import Passages
from groundwire.citations.support_contradictions import Contradiction, ContradictionKind, ReadClaim, ReadPassage
from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.levels import DEFAULT_THRESHOLD
from groundwire.faithfulness.support.contradiction import is_only_apparent
from groundwire.faithfulness.support.denials import DENIED
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind, best_of
from groundwire.faithfulness.support.lexical import MISSING_DETAIL, LexicalIndex, Topic
from groundwire.faithfulness.support.sentences import Sentence
from groundwire.faithfulness.support.words import denials_in, read_words

__all__ = ["CONTRADICTION_KINDS", "PassageFindings", "read_passages"]

SAME_MATTER = 0.59
"""The most that a passage is worth: WEAK (ruling D1)."""
LOOSELY = 0.4
"""What it is worth from the score on that says that both are about the same: the lowest of WEAK."""

_LOOSELY_FROM = 0.1
_ALL_FROM = 0.6
_REACH = 4
_READ = 4
_SHARE_FROM = 0.1
_TEXTS = frozenset({ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT})

CONTRADICTION_KINDS = {
    ContradictionKind.NUMBER: MatchKind.OTHER_NUMBER,
    ContradictionKind.DATE: MatchKind.OTHER_DATE,
    ContradictionKind.NEGATION: MatchKind.NEGATION,
}
"""What the contradictions of citations are called here."""


class PassageFindings(NamedTuple):
    """What supports a claim, the best first, and what says otherwise."""

    evidence: list[Evidence]
    contradictions: list[Evidence]


class _Passage(NamedTuple):
    """Neighbouring sentences of one source that state something, and the one around which they stand."""

    sentences: list[Sentence]
    centre: Sentence

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


def read_passages(
    topic: Topic, index: LexicalIndex, *, beside: Sequence[Evidence] = (), is_contradicted: bool = False
) -> PassageFindings:
    """
    Return what the passages around the sentences nearest to *topic* have of it.

    Nothing for a claim that is no text, and none for one that what was found *beside* supports; no contradictions
    for one that *is_contradicted* anyway.
    """
    is_open = all(each.score < DEFAULT_THRESHOLD for each in beside)
    is_text = topic.claim.kind in _TEXTS and bool(topic.stems)
    passages = _passages(topic, index) if is_open and is_text else []
    if not passages:
        return PassageFindings([], [])
    texts = [passage.text for passage in passages]
    scores = [score or 0.0 for score in Passages(texts).support([topic.text])[0].scores]
    is_unnamed = not all(index.count([name]) for name in topic.names)
    evidence = [
        _evidence(topic, passage, _confidence(topic, text, score, is_unnamed=is_unnamed))
        for passage, text, score in zip(passages, texts, scores, strict=True)
        if score
    ]
    most = max(range(len(scores)), key=lambda place: (scores[place], -place))
    contradiction = [] if is_contradicted else _contradiction(topic, passages[most], index)
    return PassageFindings(best_of(evidence), contradiction)


def _passages(topic: Topic, index: LexicalIndex) -> list[_Passage]:
    return [
        _Passage([each for each in _around(index.sentences, place) if each.is_statement], index.sentences[place])
        for place, *_ in index.nearest(topic, share_from=_SHARE_FROM)[:_READ]
    ]


def _around(sentences: Sequence[Sentence], place: int) -> Sequence[Sentence]:
    """The sentences beside one, of the same source; a row or an object stands alone."""
    first, last = place, place + 1
    while first and place - first < _REACH and _is_joined(sentences[first - 1], sentences[place]):
        first -= 1
    while last < len(sentences) and last - place <= _REACH and _is_joined(sentences[last], sentences[place]):
        last += 1
    return sentences[first:last]


def _is_joined(one: Sentence, other: Sentence) -> bool:
    if one.unit is other.unit:
        return True
    return one.unit.locator.source == other.unit.locator.source and not one.unit.fields and not other.unit.fields


def _confidence(topic: Topic, text: str, score: float, *, is_unnamed: bool) -> float:
    if score < _LOOSELY_FROM:
        confidence = LOOSELY * score / _LOOSELY_FROM
    else:
        share = min(1.0, (score - _LOOSELY_FROM) / (_ALL_FROM - _LOOSELY_FROM))
        confidence = LOOSELY + (SAME_MATTER - LOOSELY) * share
    if topic.has_denial and not denials_in(read_words(text)):
        confidence *= DENIED / SAME_MATTER
    elif is_unnamed or not topic.has_amounts_in(text):
        confidence *= MISSING_DETAIL / SAME_MATTER
    return round(confidence, 12)


def _evidence(topic: Topic, passage: _Passage, confidence: float) -> Evidence:
    """The sentence around which the passage stands, from the first word of the claim to the last."""
    sentence = passage.centre
    shared = [word for word in sentence.words if word.stem in topic.stems]
    start, end = (shared[0].start, shared[-1].end) if shared else (0, len(sentence.text))
    place = (sentence.start + start, sentence.start + end)
    return Evidence(sentence.unit, *place, confidence, Layer.LEXICAL, MatchKind.PASSAGE)


def _contradiction(topic: Topic, passage: _Passage, index: LexicalIndex) -> list[Evidence]:
    text = passage.text
    claim = topic.text_without_names()
    (found,) = ReadClaim(claim).contradictions([(ReadPassage(text), 0, len(text))])
    place = None if found is None else _place(passage.sentences, found)
    if found is None or place is None:
        return []
    sentence, start, end = place
    if is_only_apparent(claim, found, sentence.words) or _is_elsewhere(claim, found, index):
        return []
    kind = CONTRADICTION_KINDS[found.kind]
    return [Evidence(sentence.unit, sentence.start + start, sentence.start + end, 0.0, Layer.CONTRADICTION, kind)]


def _is_elsewhere(claim: str, found: Contradiction, index: LexicalIndex) -> bool:
    """Whether the claimed number or date stands in another sentence: then two things were counted."""
    if found.kind is ContradictionKind.NEGATION:
        return False
    stems = [word.stem for word in read_words(claim[found.claim_start : found.claim_end])]
    return bool(stems) and bool(set.intersection(*(set(index.with_any([stem])) for stem in stems)))


def _place(told: Sequence[Sentence], found: Contradiction) -> tuple[Sentence, int, int] | None:
    """The sentence in which a contradiction stands, and its span there."""
    offset = 0
    for sentence in told:
        length = len(sentence.text)
        if offset <= found.passage_start < offset + length:
            return sentence, found.passage_start - offset, min(length, found.passage_end - offset)
        offset += length + 1
    return None

"""
Statements word by word: whether a unit of the sources says what a sentence of a persona says (rulings D12, D13, R1).

The language layer compares the two. A sentence with a word of content, a number or a name that the unit does not
have, or has in another role or under a condition, is WEAK at most, however many words both share.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.faithfulness.claims import ClaimKind
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.answers import stated_text
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind
from groundwire.faithfulness.support.lexical import ALL_WORDS, LexicalIndex, Topic
from groundwire.language import ReadPassages, detect_language, read_passages

__all__ = ["StatementReader"]

NOT_SAID = 0.59
"""The most that a unit is worth which does not say all of a statement: WEAK (ruling D1)."""

_READ = 6
"""So many units of a part are read for one statement: those with most of its words."""

_SHARE_FROM = 0.1
_LANGUAGE_CHARS = 1_500
_KEPT_UNITS = 4_096
_WIDE_STOPS = ("。", "！")

_KINDS = {
    "number": MatchKind.OTHER_NUMBER,
    "date": MatchKind.OTHER_DATE,
    "negation": MatchKind.NEGATION,
    "opposite": MatchKind.OPPOSITE,
}
# What these rules say of a statement the language layer says better.
_SUPERSEDED = frozenset({MatchKind.NEGATION, MatchKind.OPPOSITE, MatchKind.OTHER_NUMBER, MatchKind.OTHER_DATE})


class StatementReader:
    """The units of one part, each read when a statement first asks for it."""

    __slots__ = ("_index", "_language", "_read", "_units")

    def __init__(self, units: Sequence[Unit], index: LexicalIndex) -> None:
        self._units = units
        self._index = index
        self._language: str | None = None
        self._read: dict[int, tuple[Unit, ReadPassages]] = {}

    def review(
        self, topic: Topic, found: Sequence[Evidence], contradictions: Sequence[Evidence]
    ) -> tuple[list[Evidence], list[Evidence]]:
        """
        Return what supports a statement and what contradicts it, after comparing it word by word.

        Claims that are no sentences come back as they are.
        """
        # A script without spaces has its own full stop, and so an attribute that is a sentence.
        if topic.claim.kind is not ClaimKind.STATEMENT and not topic.claim.value.rstrip().endswith(_WIDE_STOPS):
            return list(found), list(contradictions)
        claim = topic.text_without_names()
        near = [self._index.sentences[each.place].unit for each in self._index.nearest(topic, share_from=_SHARE_FROM)]
        by_words = [each.unit for each in found if each.layer is Layer.LEXICAL or each.kind is MatchKind.WORDS]
        units = list({id(unit): unit for unit in (*by_words, *near)}.values())[:_READ]
        supporting: set[int] = set()
        said: list[Evidence] = []
        otherwise: list[Evidence] = []
        for unit in units:
            row = self._passages(unit).assess(claim)[0]
            if row is None:
                continue
            status, _, conflict, *_ = row
            if status == "supported":
                supporting.add(id(unit))
                said.append(Evidence(unit, 0, len(unit.text), ALL_WORDS, Layer.LEXICAL, MatchKind.TERMS))
            elif conflict is not None:
                kind, _, (start, end) = conflict
                offset = len(_label(unit))
                start, end = start - offset, end - offset
                if start < 0 or len(_text(unit)) != offset + len(unit.text):
                    start, end = 0, len(unit.text)
                otherwise.append(Evidence(unit, start, end, 0.0, Layer.CONTRADICTION, _KINDS[kind]))
        kept = [each if id(each.unit) in supporting else _weakened(each) for each in found]
        places = {(id(each.unit), each.score) for each in kept}
        kept += [each for each in said if (id(each.unit), each.score) not in places]
        others = [each for each in contradictions if each.kind not in _SUPERSEDED]
        return kept, [*others, *([] if supporting else otherwise)]

    def _passages(self, unit: Unit) -> ReadPassages:
        known = self._read.get(id(unit))
        if known is None:
            if self._language is None:
                sample = " ".join(each.text[:_LANGUAGE_CHARS] for each in self._units[:20])[:_LANGUAGE_CHARS]
                self._language = detect_language(sample)
            if len(self._read) >= _KEPT_UNITS:
                self._read.clear()
            # The unit is kept with its reading, so that no other one takes its identity.
            known = self._read[id(unit)] = (unit, read_passages([_text(unit)], language=self._language))
        return known[1]


def _label(unit: Unit) -> str:
    speaker = unit.locator.speaker
    return f"{speaker}: " if speaker and not unit.answer_start else ""


def _text(unit: Unit) -> str:
    """What a unit states, behind who speaks; a question with its answer is one sentence (ruling D12)."""
    text = stated_text(unit)
    return re.sub("[?？]\\s", ", ", text) if unit.answer_start else _label(unit) + text


def _weakened(evidence: Evidence) -> Evidence:
    """Evidence of words in a unit that does not say the whole statement, or says it under a condition."""
    is_of_words = evidence.layer is Layer.LEXICAL or evidence.kind is MatchKind.WORDS
    if not is_of_words or evidence.score <= NOT_SAID:
        return evidence
    return replace(evidence, score=NOT_SAID)

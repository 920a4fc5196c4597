"""
Finds the words of claims in units, with the evidence engine.

The rules for quotes judge quotes (ruling D7): typography and typos may differ, numbers, negations and names may not.
The turns of interviewers are not quotes of the person, but the person's questions may be. Other values must occur word
for word in statements, apart from typography and case. Words right after a negation or a limit support nothing.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain

from groundwire._engine import Match, Source
from groundwire.evidence import QuoteStatus, QuoteVerdict, assess_quotes
from groundwire.faithfulness.claims import ClaimKind, PersonaClaim
from groundwire.faithfulness.source_data.units import Unit, is_by_interviewer, is_stated
from groundwire.faithfulness.support.cues import FieldWords, is_denied, read_cue
from groundwire.faithfulness.support.evidence import Best, Layer, MatchKind, SupportEvidence, best_of
from groundwire.faithfulness.support.lexical import DENIED

__all__ = ["VerbatimIndex"]

QUOTED = 1.0
"""The score of a quote that matches apart from typography."""
NEAR = 0.9
"""The score of an accepted quote that differs in form or leaves something out."""
WORDS = 1.0
"""The score of at least three words of a claim, or a name of two, as they are."""
CUED = 0.9
"""The score of fewer words in a sentence that mentions the field."""
UNCUED_WORDS = 0.5
"""The score of fewer words anywhere else: weak (ruling D1)."""

_BETWEEN = "\n\n"
_MANY_WORDS = 3
_TEXTS = (ClaimKind.NAME, ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT)


class VerbatimIndex:
    """
    The joined texts of units, prepared once for many claims.

    Args:
        units: The units. Column summaries have no text of their own.
        words: An index of the same units that other layers share.
    """

    def __init__(self, units: Iterable[Unit], *, words: FieldWords | None = None) -> None:
        self._field_words = words = words or FieldWords(units)
        quotable = [unit for unit in words.units if not is_by_interviewer(unit)]
        # An answer can be quoted alone, but states something only with its question.
        self._statements = _Text([unit for unit in quotable if not unit.answer_start])
        self._answers = _Text([unit for unit in quotable if unit.answer_start])

    def evidence(self, claims: Sequence[PersonaClaim]) -> list[list[SupportEvidence]]:
        """Return the evidence for each of *claims*, best first."""
        quotes = [claim.value for claim in claims if claim.kind is ClaimKind.QUOTE]
        values = list(dict.fromkeys(_value(claim) for claim in claims if claim.kind in _TEXTS))
        there = self._statements.which(values) | self._answers.which(values)
        verdicts = iter(assess_quotes(quotes, self._statements.source) if quotes else ())
        found = []
        for claim in claims:
            if claim.kind is ClaimKind.QUOTE:
                found.append(best_of(self._quoted(next(verdicts))))
            else:
                is_there = claim.kind in _TEXTS and _value(claim) in there
                found.append(best_of(self._words(claim)) if is_there else [])
        return found

    def _words(self, claim: PersonaClaim) -> Iterator[SupportEvidence]:
        value = _value(claim)
        cue = read_cue(claim.cue)
        count = len(value.split())
        is_telling = count >= _MANY_WORDS or (count > 1 and claim.kind is ClaimKind.NAME)
        most = WORDS if is_telling else CUED
        words, best = self._field_words, Best()
        for unit, start, end in chain(self._statements.places(value), self._answers.places(value)):
            if best.is_full(unit, UNCUED_WORDS) and not (is_telling or words.may_be_near(cue, unit, start, end)):
                continue
            if best.is_full(unit, most) or not is_stated(unit, start):
                continue
            score = most if is_telling or words.is_near(cue, unit, start, end) else UNCUED_WORDS
            if score > UNCUED_WORDS and self._is_denied(unit, start, end):
                score = DENIED
            if best.is_full(unit, score):
                continue
            best.add(unit, score)
            yield SupportEvidence(unit, start, end, score, Layer.VERBATIM, MatchKind.WORDS)

    def _quoted(self, verdict: QuoteVerdict) -> Iterator[SupportEvidence]:
        """Yield the places of an accepted quote; else the nearest passage, which supports nothing."""
        if verdict.match is None:
            return
        if not verdict.accepted:
            yield self._refused(verdict, verdict.match)
            return
        is_as_it_is = verdict.status in (QuoteStatus.EXACT, QuoteStatus.NORMALIZED)
        spans = verdict.all_spans if is_as_it_is else ((verdict.match.start, verdict.match.end),)
        for start, end in spans:
            place = self._statements.place(start, end)
            if place is not None:
                score = DENIED if self._is_denied(*place) else QUOTED if is_as_it_is else NEAR
                yield SupportEvidence(*place, score, Layer.VERBATIM, MatchKind.QUOTE)

    def _is_denied(self, unit: Unit, start: int, end: int) -> bool:
        return is_denied(unit.text, start, end, language=self._field_words.language)

    def _refused(self, verdict: QuoteVerdict, match: Match) -> SupportEvidence:
        """
        Return the passage that a rejected quote differs from; of a passage over several units, the part in the first.
        """
        unit, offset = self._statements.unit_at(match.start)
        length = len(unit.text)
        differences = tuple(
            replace(each, source_span=(each.source_span[0] - offset, each.source_span[1] - offset))
            for each in verdict.differences
            if each.source_span[1] - offset <= length
        )
        kind = MatchKind.ALTERED if verdict.status is QuoteStatus.ALTERED else MatchKind.NOT_ACCEPTED
        start, end = match.start - offset, min(match.end - offset, length)
        return SupportEvidence(unit, start, end, 0.0, Layer.VERBATIM, kind, differences, verdict.reasons)


def _value(claim: PersonaClaim) -> str:
    """Return the words to search; "" without any."""
    value = claim.value.rstrip(".!?。！？ ")
    return value if any(map(str.isalnum, value)) else ""


class _Text:
    """
    The joined texts of units.

    Args:
        units: The units.

    Attributes:
        source: The text, prepared.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        lengths = (len(unit.text) + len(_BETWEEN) for unit in units)
        self._starts = [0, *accumulate(lengths)][: len(units)]
        self.source = Source(_BETWEEN.join(unit.text for unit in units), profile="typographic")

    def which(self, values: Sequence[str]) -> set[str]:
        """Return the *values* that occur anywhere, also inside words."""
        found = self.source.ground(values) if self._units else [None] * len(values)
        return {value for value, match in zip(values, found, strict=True) if match is not None}

    def places(self, value: str) -> Iterator[tuple[Unit, int, int]]:
        """Yield each unit that contains *value* as whole words, with the span."""
        for match in self.source.find_all(value, word_boundaries=True) if self._units else ():
            place = self.place(match.start, match.end)
            if place is not None:
                yield place

    def place(self, start: int, end: int) -> tuple[Unit, int, int] | None:
        """Return the unit that contains a span, with the span in it; None for a span over two units."""
        unit, offset = self.unit_at(start)
        return (unit, start - offset, end - offset) if end - offset <= len(unit.text) else None

    def unit_at(self, start: int) -> tuple[Unit, int]:
        """Return the unit at offset *start*, and the offset of its text."""
        number = bisect_right(self._starts, start) - 1
        return self._units[number], self._starts[number]

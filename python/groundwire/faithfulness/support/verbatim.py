"""
The words of claims as they stand in units, by the evidence engine.

A quote is judged by the rules for quotes (ruling D7): it may differ in typography and
in slips that change no meaning, and not in a number, a negation or a name. Other
values are found word for word, typography and case aside.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from groundwire._engine import Source
from groundwire.evidence import QuoteStatus, assess_quotes
from groundwire.faithfulness.claims import Claim, ClaimKind
from groundwire.faithfulness.sources.units import Unit
from groundwire.faithfulness.support.cues import Cue
from groundwire.faithfulness.support.evidence import Evidence, Layer, MatchKind, best_of

__all__ = ["VerbatimIndex"]

NEAR = 0.9
"""An accepted quote that differs in form, or leaves something out."""
WORDS = 1.0
"""Three words or more of a claim, or a name of two, as they are."""
CUED = 0.9
"""Fewer words, in a sentence that speaks of the field."""
UNCUED = 0.5
"""Fewer words anywhere: weak (ruling D1)."""

_BETWEEN = "\n\n"
_MANY_WORDS = 3
_TEXTS = (ClaimKind.NAME, ClaimKind.ATTRIBUTE, ClaimKind.ITEM, ClaimKind.STATEMENT)


class VerbatimIndex:
    """
    The texts of units as one, prepared once and searched for many claims.

    Args:
        units: Any number of them; columns as a whole have no text of their own.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self.units = [unit for unit in units if unit.summary is None]
        lengths = (len(unit.text) + len(_BETWEEN) for unit in self.units)
        self._starts = [0, *accumulate(lengths)][: len(self.units)]
        self._source = Source(_BETWEEN.join(unit.text for unit in self.units), profile="typographic")

    def evidence(self, claims: Sequence[Claim]) -> list[list[Evidence]]:
        """Return for each of *claims* where its words stand, the best first."""
        quotes = [claim.value for claim in claims if claim.kind is ClaimKind.QUOTE]
        verdicts = iter(assess_quotes(quotes, self._source) if quotes else ())
        found = []
        for claim in claims:
            if claim.kind is ClaimKind.QUOTE:
                verdict = next(verdicts)
                is_as_it_is = verdict.status in (QuoteStatus.EXACT, QuoteStatus.NORMALIZED)
                score = 1.0 if is_as_it_is else NEAR
                spans = verdict.all_spans if verdict.accepted and is_as_it_is else ()
                if verdict.accepted and not is_as_it_is and verdict.match is not None:
                    spans = ((verdict.match.start, verdict.match.end),)
                found.append(best_of(each for span in spans for each in self._in_unit(*span, score, MatchKind.QUOTE)))
            else:
                found.append(best_of(self._words(claim)) if claim.kind in _TEXTS else [])
        return found

    def _words(self, claim: Claim) -> Iterator[Evidence]:
        value = claim.value.rstrip(".!?。！？ ")
        if not any(map(str.isalnum, value)):
            return
        cue = Cue(claim.cue)
        count = len(value.split())
        is_telling = count >= _MANY_WORDS or (count > 1 and claim.kind is ClaimKind.NAME)
        for match in self._source.find_all(value, word_boundaries=True):
            for evidence in self._in_unit(match.start, match.end, WORDS, MatchKind.WORDS):
                if is_telling:
                    yield evidence
                else:
                    is_cued = cue.is_near(evidence.unit.text, evidence.start, evidence.end)
                    score = CUED if is_cued else UNCUED
                    yield Evidence(evidence.unit, evidence.start, evidence.end, score, evidence.layer, evidence.kind)

    def _in_unit(self, start: int, end: int, score: float, kind: MatchKind) -> Iterator[Evidence]:
        """The place in the unit that has all of it; nothing if two have a part of it each."""
        place = bisect_right(self._starts, start) - 1
        unit, offset = self.units[place], self._starts[place]
        if end - offset <= len(unit.text):
            yield Evidence(unit, start - offset, end - offset, score, Layer.VERBATIM, kind)

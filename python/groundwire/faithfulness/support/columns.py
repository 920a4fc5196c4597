"""What whole columns have of a claim: means, medians, shares and counts."""

import re
from collections.abc import Iterator, Sequence

from groundwire.faithfulness.claims import ClaimKind, PersonaClaim
from groundwire.faithfulness.sources.units import ColumnSummary, Unit
from groundwire.faithfulness.support.cues import FieldCue
from groundwire.faithfulness.support.evidence import Layer, MatchKind, SupportEvidence
from groundwire.language.values import Amount, read_values

__all__ = ["AGGREGATE", "FREQUENT", "column_evidence"]

AGGREGATE = 0.75
"""A mean, a median, a share or a count that is the claimed one, rounded as the claim is."""
FREQUENT = 0.7
"""The value that most of the rows have: what a persona that stands for all of them may claim."""

# The error that a difference of two floats adds to half of the last decimal place.
_FLOAT_ERROR = 1e-9

_MOST_VALUES = 200
_WORD_EDGE = r"(?<!\w){}(?!\w)"


def column_evidence(
    claim: PersonaClaim, cue: FieldCue, columns: Sequence[Unit], amount: Amount | None
) -> Iterator[SupportEvidence]:
    """
    Yield what *columns*, units with a summary, have of a claim; *amount* is the number that it is.

    A number is compared with mean and median of a column that the cue names; the most
    frequent value of such a column supports a claim of it. In any claim a share or a
    number of people that stands beside the value of a column is counted there.
    """
    is_told = claim.kind in (ClaimKind.STATEMENT, ClaimKind.ITEM, ClaimKind.ATTRIBUTE) and amount is None
    numbers = read_values(claim.value).amounts if columns and is_told else ()
    for unit in columns:
        summary = unit.summary
        assert summary is not None
        if claim.cue and cue.is_named(summary.name):
            yield from _of_column(claim, amount, unit, summary)
        if numbers:
            yield from _counted(claim, numbers, unit, summary)


def _of_column(
    claim: PersonaClaim, amount: Amount | None, unit: Unit, summary: ColumnSummary
) -> Iterator[SupportEvidence]:
    if amount is not None:
        for value, kind in ((summary.mean, MatchKind.MEAN), (summary.median, MatchKind.MEDIAN)):
            if value is not None and summary.numbers > 1 and _is_rounded(value, amount, claim.value):
                yield SupportEvidence(unit, 0, 0, AGGREGATE, Layer.VALUES, kind)
    elif summary.is_complete and summary.counts:
        count = summary.counts.get(claim.value.strip().casefold(), 0)
        if count > 1 and count == max(summary.counts.values()):
            yield SupportEvidence(unit, 0, 0, FREQUENT, Layer.VALUES, MatchKind.SHARE)


def _is_rounded(value: float, amount: Amount, written: str) -> bool:
    """Whether *value* is the claimed one, rounded to as many decimals as were written; or in the claimed range."""
    if amount.low != amount.high:
        return amount.low <= value <= amount.high
    decimals = len(written[amount.start : amount.end].partition(".")[2])
    # Half of the last place.
    half: float = 0.5 * 10.0**-decimals
    return abs(value - amount.low) <= half + _FLOAT_ERROR


def _counted(
    claim: PersonaClaim, numbers: Sequence[Amount], unit: Unit, summary: ColumnSummary
) -> Iterator[SupportEvidence]:
    """`67% use Slack`, `2 of them use Slack`: a share or a count of a value that the claim names."""
    if not summary.is_complete or not 0 < len(summary.counts) <= _MOST_VALUES:
        return
    folded = claim.value.casefold()
    for value, count in summary.counts.items():
        if len(value) < 2 or value not in folded or re.search(_WORD_EDGE.format(re.escape(value)), folded) is None:
            continue
        for amount in numbers:
            is_share = amount.unit == "%"
            counted = 100 * count / summary.filled if is_share else count
            if _is_rounded(counted, amount, claim.value):
                kind = MatchKind.SHARE if is_share else MatchKind.COUNT
                yield SupportEvidence(unit, 0, 0, AGGREGATE, Layer.VALUES, kind)

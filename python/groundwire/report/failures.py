"""Describes quotes and claims that failed, as lines of text for the messages of test tools."""

from collections.abc import Iterator

from groundwire.citations import CitedClaimStatus, ClaimRecord
from groundwire.citations.report import CLAIM_STATUSES
from groundwire.report.check.model import QuoteResult
from groundwire.report.highlights import diff_text
from groundwire.report.labels import score_text
from groundwire.report.labels.check import notable_reasons, position_text, quote_status_text
from groundwire.sanitize import one_line

__all__ = ["claim_failure", "has_failed", "quote_failure"]

_NEARBY = frozenset({"near", "altered", "elided", "wrong_speaker"})
_FAILED = frozenset(
    {
        CitedClaimStatus.CONTRADICTED,
        CitedClaimStatus.MISATTRIBUTED,
        CitedClaimStatus.UNSUPPORTED,
        CitedClaimStatus.UNREAD,
    },
)


def has_failed(claim: ClaimRecord) -> bool:
    """Return whether *claim* cites an id that does not exist, or its sources do not support it."""
    return claim.status in _FAILED or bool(claim.invalid)


def quote_failure(result: QuoteResult) -> Iterator[str]:
    """
    Yield the lines about a quote: its status, and the corresponding passage of the source.

    In the passage, `[-...-]` is only in the source, and `{+...+}` only in the quote.
    """
    why = " ".join(reason.words for reason in notable_reasons(result))
    yield f"#{result.number} {quote_status_text(result.status)}{f': {one_line(why)}' if why else ''}"
    yield f"   quote:  {one_line(result.quote) or '(empty)'}"
    for place in result.places[:1]:
        shown = diff_text(result) if result.status in _NEARBY else one_line(place.passage)
        where = one_line(position_text(place))
        yield f"   source: {shown}"
        yield f"           at {where}, characters {place.start} to {place.end}, score {score_text(place.score)}"


def claim_failure(number: int, claim: ClaimRecord) -> Iterator[str]:
    """Yield the lines about a claim of an answer: its status, its text and its citations; `!` marks unknown ids."""
    yield f"#{number} {claim.status.value}: {CLAIM_STATUSES[claim.status]}"
    yield f"   claim:  {one_line(claim.text)}"
    yield f"   cites:  {one_line(', '.join([*claim.valid, *(f'!{id_}' for id_ in claim.invalid)])) or '–'}"

"""Rejected quotes as log events: text goes in, hashes and lengths come out."""

from collections.abc import Sequence

from groundwire import telemetry
from groundwire.evidence.stats import EvidenceGroundingStats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.telemetry import ValidationMode

__all__ = ["log_rejected"]


def log_rejected(
    rejected: Sequence[tuple[str, str]],
    stats: EvidenceGroundingStats,
    transcript_text: str,
    *,
    mode: "ValidationMode",
    hash_key: bytes | None = None,
) -> None:
    """
    Emit one event for each (domain, quote) of *rejected*, then one with the counts.

    Nothing is emitted if nothing was rejected, and nothing is hashed if nobody
    listens. The transcript, the long text of the two, is hashed once.
    """
    if not rejected or not telemetry.wants(telemetry.WARNING):
        return
    hash_text = telemetry.text_hasher(hash_key)
    transcript_hash = hash_text(transcript_text)
    labels = {domain: telemetry.as_label(domain, hash_text) for domain in stats.rejected_by_domain}
    for domain, quote in rejected:
        telemetry.quote_rejected(
            domain=labels[domain],
            quote_hash=hash_text(quote),
            quote_len=len(quote),
            transcript_hash=transcript_hash,
            transcript_len=len(transcript_text),
            mode=mode,
        )
    if telemetry.wants(telemetry.INFO):
        telemetry.grounding_complete(
            extracted_count=stats.extracted_count,
            validated_count=stats.validated_count,
            rejected_count=stats.rejected_count,
            rejected_by_domain={labels[domain]: count for domain, count in stats.rejected_by_domain.items()},
            transcript_hash=transcript_hash,
        )

"""Lists the words, signs and figures of reports on memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.labels import plural
from groundwire.report.labels import rate_text, score_text
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from groundwire.ingestion import Tier
    from groundwire.report.ingest import CitationPassage, ClaimReport, Cue, IngestReport


# Each tier and status has a word and a sign besides its colour, because not everybody sees colours.
_TIER_SIGNS: dict[str, str] = {"tier_1": "✓", "tier_2": "≈", "tier_3": "✗"}
CITED_SIGNS: dict[str, str] = {
    "verified": "✓",
    "unknown": "○",
    "refuted": "✗",
}
_TIERS: dict[str, str] = {"tier_1": "approve", "tier_2": "review", "tier_3": "block"}
_DONE = {
    "stored": "stored",
    "queued": "queued for review",
    "rejected": "rejected",
    "needs_review": "in no queue",
    "shadow_stored": "stored despite the decision",
}
_VERDICTS = {
    "supports": "supports the claim",
    "contradicts": "contradicts the claim",
    "unrelated": "does not support the claim; nearest passage",
    "unread": "could not be read",
}
_COMPARED = {"store": "the store and this input", "input": "this input alone"}


def tier_sign(tier: Tier) -> str:
    """Return the sign of *tier*."""
    return _TIER_SIGNS[tier.value]


def tier_text(tier: Tier) -> str:
    """Return the word for *tier*."""
    return _TIERS[tier.value]


def label_text(claim: ClaimReport) -> str:
    """Return the name of a claim: its id, or its location."""
    return claim.id or claim.name


def cue_text(cue: Cue) -> str:
    """Return the kind of the hedge *cue*, and its effect."""
    return f"{cue.category.value.replace('_', ' ')}: {cue.action.value}"


def failed_checks(claim: ClaimReport) -> list[str]:
    """Return the failed checks, one line each, except one that repeats the reason."""
    return [one_line(check) for check in claim.checks_failed if check != claim.code]


def other_text(claim: ClaimReport, report: IngestReport) -> str | None:
    """Return the memory that the claim repeats or contradicts, with both similarities; None without one."""
    other = claim.other
    if other is None:
        return None
    limit = f" (a duplicate from {report.settings.threshold:g})" if claim.code == "duplicate" else ""
    similarity = "" if other.similarity is None else f", similarity {score_text(other.similarity)}{limit}"
    return f"compare {f'claim {other.number}' if other.number else one_line(other.id)}{similarity}"


def passage_text(passage: CitationPassage) -> str:
    """Return whether a citation supports the claim, and where; its text is shown separately."""
    where = one_line(passage.source) if passage.line is None else f"{one_line(passage.source)}, line {passage.line:,}"
    return f"{where} {_VERDICTS[passage.verdict]}"


def outcome_text(claim: ClaimReport) -> str:
    """Return where the claim was written; empty if nothing was written."""
    match claim.outcome:
        case None:
            return ""
        case "stored":
            return f"stored as {claim.memory_id}"
        case "shadow_stored":
            return f"stored as {claim.memory_id} despite the decision"
        case "queued":
            return f"queued as {claim.queue_id}"
        case "needs_review":
            why = "there is no queue" if claim.failure is None else f"the queue failed ({claim.failure})"
            return f"not stored: {why}"
        case _:
            return "not stored"


def headline_text(report: IngestReport) -> str:
    """Return how many claims are approved, in one line."""
    summary = report.summary
    if not summary.claims:
        return "no claims to validate"
    share = rate_text(summary.tier_1 / summary.claims)
    return f"{summary.tier_1:,} of {plural(summary.claims, 'claim')} approved ({share})"


def tier_counts(report: IngestReport) -> list[tuple[Tier, int]]:
    """Return the tiers that occur, with their counts."""
    from groundwire.ingestion import Tier

    return [(tier, count) for tier in Tier if (count := getattr(report.summary, tier.value))]


def counts_text(report: IngestReport) -> str:
    """Return the number of claims in each tier, and of claims written."""
    summary = report.summary
    tiers = f"{summary.tier_1:,} to approve, {summary.tier_2:,} to review, {summary.tier_3:,} to block"
    done = [f"{count:,} {words}" for outcome, words in _DONE.items() if (count := getattr(summary, outcome))]
    return f"{tiers}; {', '.join(done) if done else 'nothing was written'}"


def settings_text(report: IngestReport) -> str:
    """Return the settings of the validation in one line."""
    settings = report.settings
    compared = (
        f"compared with {_COMPARED[settings.compared_with]} by {settings.dedup_method} from {settings.threshold:g}"
    )
    extras = [
        *(["scientific hedges"] if settings.scientific else []),
        *([] if settings.verify_claim_relevance else ["content of citations not checked"]),
        *([] if settings.auto_approve_ai_synthesis else ["claims of a model need review"]),
        f"network {'on' if settings.network else 'off'}",
        *(["shadow mode"] if settings.shadow else []),
    ]
    return f"{compared}; {', '.join(extras)}"

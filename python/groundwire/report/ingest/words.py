"""The words, signs and figures that every report on claims shares."""

from groundwire.ingestion import Tier, VerificationStatus
from groundwire.ingestion.evidence import PassageVerdict
from groundwire.ingestion.gate import Outcome
from groundwire.report.ingest.model import CitedThing, ClaimReport, Cue, IngestReport, Passage
from groundwire.report.printable import one_line
from groundwire.report.words import plural, rate_text, score_text

__all__ = [
    "CITED_SIGNS",
    "SIGNS",
    "cited_text",
    "counts_text",
    "cue_text",
    "headline_text",
    "label_text",
    "other_text",
    "outcome_text",
    "passage_text",
    "settings_text",
    "tier_counts",
    "tier_text",
    "told_checks",
]

# Each tier and status has a word and a sign beside its colour, which may not be seen.
SIGNS: dict[Tier, str] = {Tier.AUTO_APPROVE: "✓", Tier.FLAG_REVIEW: "≈", Tier.BLOCK: "✗"}
CITED_SIGNS: dict[VerificationStatus, str] = {
    VerificationStatus.VERIFIED: "✓",
    VerificationStatus.UNKNOWN: "○",
    VerificationStatus.REFUTED: "✗",
}
_TIERS: dict[Tier, str] = {Tier.AUTO_APPROVE: "approve", Tier.FLAG_REVIEW: "review", Tier.BLOCK: "block"}
_DONE = {
    Outcome.STORED: "stored",
    Outcome.QUEUED: "queued for review",
    Outcome.REJECTED: "rejected",
    Outcome.NEEDS_REVIEW: "in no queue",
    Outcome.SHADOW_STORED: "stored whatever was decided",
}
_VERDICTS = {
    PassageVerdict.SUPPORTS: "says so",
    PassageVerdict.CONTRADICTS: "says otherwise",
    PassageVerdict.UNRELATED: "does not say so; nearest passage",
    PassageVerdict.UNREAD: "could not be read",
}
_COMPARED = {"store": "the store and this input", "input": "this input alone"}


def tier_text(tier: Tier) -> str:
    """Return the word for *tier*."""
    return _TIERS[tier]


def label_text(claim: ClaimReport) -> str:
    """Return what a claim is called: its id, or where it stands."""
    return claim.id or claim.name


def cue_text(cue: Cue) -> str:
    """Return what kind of hedge *cue* is, and what follows from it."""
    return f"{cue.category.value.replace('_', ' ')}: {cue.action.value}"


def told_checks(claim: ClaimReport) -> list[str]:
    """Return the failed checks, on one line each; `ungrounded` says what the reason says already."""
    return [one_line(check) for check in claim.checks_failed if check != claim.code]


def other_text(claim: ClaimReport) -> str | None:
    """Return which memory the claim repeats or contradicts, and how like it is; None for none."""
    other = claim.other
    if other is None:
        return None
    alike = "" if other.similarity is None else f", similarity {score_text(other.similarity)}"
    return f"compare {f'claim {other.number}' if other.number else one_line(other.id)}{alike}"


def cited_text(cited: CitedThing) -> str:
    """Return what is cited, with its sign and what is said of it."""
    return f"{CITED_SIGNS[cited.status]} {one_line(cited.name)}: {cited.status.value}, {cited.words}"


def passage_text(passage: Passage) -> str:
    """Return what a citation says of the claim, and where; its own words come separately."""
    where = one_line(passage.source) if passage.line is None else f"{one_line(passage.source)}, line {passage.line:,}"
    return f"{where} {_VERDICTS[passage.verdict]}"


def outcome_text(claim: ClaimReport) -> str:
    """Return what was done with the claim; nothing where nothing is written."""
    match claim.outcome:
        case None:
            return ""
        case Outcome.STORED:
            return f"stored as {claim.memory_id}"
        case Outcome.SHADOW_STORED:
            return f"stored as {claim.memory_id}, whatever was decided"
        case Outcome.QUEUED:
            return f"queued as {claim.queue_id}"
        case Outcome.NEEDS_REVIEW:
            why = "there is no queue" if claim.failure is None else f"the queue failed ({claim.failure})"
            return f"not stored: {why}"
        case Outcome.REJECTED:
            return "not stored"


def headline_text(report: IngestReport) -> str:
    """Return the one line that answers whether all claims are approved."""
    summary = report.summary
    if not summary.claims:
        return "no claims to validate"
    share = rate_text(summary.tier_1 / summary.claims)
    return f"{summary.tier_1:,} of {plural(summary.claims, 'claim')} approved ({share})"


def tier_counts(report: IngestReport) -> list[tuple[Tier, int]]:
    """Return the tiers that occur, with their counts."""
    return [(tier, count) for tier in Tier if (count := getattr(report.summary, tier.value))]


def counts_text(report: IngestReport) -> str:
    """Return how many claims are in each tier, and what was done with them."""
    summary = report.summary
    tiers = f"{summary.tier_1:,} to approve, {summary.tier_2:,} to review, {summary.tier_3:,} to block"
    done = [f"{count:,} {_DONE[outcome]}" for outcome in Outcome if (count := getattr(summary, outcome.value))]
    return f"{tiers}; {', '.join(done) if done else 'nothing was written'}"


def settings_text(report: IngestReport) -> str:
    """Return how claims were validated, in one line."""
    settings = report.settings
    compared = (
        f"compared with {_COMPARED[settings.compared_with]} by {settings.dedup_method} from {settings.threshold:g}"
    )
    extras = [
        *(["scientific hedges"] if settings.scientific else []),
        *([] if settings.verify_claim_relevance else ["citations not compared with what they say"]),
        *([] if settings.auto_approve_ai_synthesis else ["a model's own claims to people"]),
        f"network {'on' if settings.network else 'off'}",
        *(["shadow mode"] if settings.shadow else []),
    ]
    return f"{compared}; {', '.join(extras)}"

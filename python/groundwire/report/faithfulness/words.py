"""The words, signs and figures that every report on personas shares."""

from collections.abc import Callable
from typing import NamedTuple, get_args

from groundwire.evidence.verdicts import REASONS, Reason
from groundwire.faithfulness.results import ReviewStatus
from groundwire.report.faithfulness.model import (
    ClaimEntry,
    EvidenceEntry,
    FaithfulnessReport,
    PersonaReport,
    ReviewCounts,
    Verdict,
)
from groundwire.report.printable import one_line
from groundwire.report.words import missing_text, plural, quoted, rate_text, score_text

__all__ = [
    "SIGNS",
    "VERDICTS",
    "Group",
    "counts_text",
    "difference_lines",
    "evidence_text",
    "groups_of",
    "headline_text",
    "persona_text",
    "place_text",
    "reason_text",
    "review_text",
    "reviews_text",
    "settings_text",
    "sources_text",
    "verdict_counts",
]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

REVIEW_WORDS: dict[ReviewStatus, str] = {
    ReviewStatus.APPROVED: "approved",
    ReviewStatus.REJECTED: "rejected",
    ReviewStatus.WAITING: "waiting for review",
    ReviewStatus.EXPIRED: "expired without a review",
    ReviewStatus.QUEUE_FULL: "not reviewed, the queue is full",
}

# Each verdict has a word and a sign beside its colour, which may not be seen.
SIGNS: dict[Verdict, str] = {"contradicted": "≠", "unsupported": "✗", "weak": "≈", "supported": "✓"}


class Group(NamedTuple):
    """Evidence of one kind for one claim: what it is called, and its pieces."""

    words: str
    style: Verdict
    entries: tuple[EvidenceEntry, ...]


def groups_of(claim: ClaimEntry) -> list[Group]:
    """
    Return what was found of *claim*: what says otherwise first, then what supports it, then what comes near.

    Several rules may find the same words; the one with the best score is told.
    """
    groups: tuple[tuple[str, Verdict, tuple[EvidenceEntry, ...]], ...] = (
        ("says otherwise", "contradicted", claim.contradictions),
        ("supports it", "supported", claim.evidence),
        (_near_words(claim), "weak", claim.near_misses),
    )
    seen: list[EvidenceEntry] = []
    return [Group(words, style, told) for words, style, entries in groups if (told := _untold(entries, seen))]


def _near_words(claim: ClaimEntry) -> str:
    """Say what the near misses of *claim* are; a quote that is not accepted is what `check` calls it."""
    if claim.contradictions:
        return "outweighed"
    refused = next((entry.kind for entry in claim.near_misses if entry.reasons), None)
    return "near miss" if refused is None else str(refused)


def _untold(entries: tuple[EvidenceEntry, ...], seen: list[EvidenceEntry]) -> tuple[EvidenceEntry, ...]:
    """Return those of *entries* that are not inside of one of *seen*, and add them to these."""
    told = []
    for entry in entries:
        if not any(_holds(other, entry) for other in seen):
            told.append(entry)
            seen.append(entry)
    return tuple(told)


def _holds(outer: EvidenceEntry, inner: EvidenceEntry) -> bool:
    if outer.place != inner.place or outer.unit_chars != inner.unit_chars:
        return False
    start, end = outer.text_start + outer.start, outer.text_start + outer.end
    return start <= inner.text_start + inner.start and inner.text_start + inner.end <= end


def headline_text(report: FaithfulnessReport) -> str:
    """Return the one line that answers how much of what is claimed is supported."""
    summary = report.summary
    if not summary.personas:
        return "no personas to check"
    if summary.personas == 1:
        return persona_text(report.personas[0])
    share = rate_text(summary.faithfulness_score)
    claims = f"{summary.supported:,} of {plural(summary.claims, 'claim')} supported ({share})"
    least = report.settings.min_score
    reached = f"{summary.passed:,} of " if least else ""
    return f"{reached}{plural(summary.personas, 'persona')}{f' from {least:g} on' if least else ''}; {claims}"


def persona_text(persona: PersonaReport) -> str:
    """Return the one line that says how faithful a persona is."""
    if not persona.total_claims:
        return persona.note or "no claims"
    share = rate_text(persona.faithfulness_score)
    below = ", below the least score" if persona.passed is False else ""
    return f"{persona.supported_claims:,} of {plural(persona.total_claims, 'claim')} supported ({share}){below}"


def counts_text(persona: PersonaReport) -> str:
    """Return the rates of a persona, and what does not count."""
    made_up = f"; {plural(len(persona.synthetic), 'claim')} made up, not counted" if persona.synthetic else ""
    if not persona.total_claims:
        return f"no score{made_up}"
    return (
        f"faithfulness {score_text(persona.faithfulness_score)}, weak {score_text(persona.weak_rate)}, "
        f"hallucination {score_text(persona.hallucination_rate)} "
        f"({plural(persona.contradicted_claims, 'claim')} contradicted){made_up}"
    )


def verdict_counts(report: FaithfulnessReport) -> list[tuple[Verdict, int]]:
    """Return the verdicts that occur, with their counts, contradicted claims first."""
    return [(verdict, count) for verdict in VERDICTS if (count := getattr(report.summary, verdict))]


def sources_text(claim: ClaimEntry, total: int) -> str:
    """Return how many of *total* sources support *claim*, and how many say otherwise; "" for one source alone."""
    if total < 2:
        return ""
    said = f"in {len(claim.sources):,} of {plural(total, 'source')}"
    against = len(claim.contradicting_sources)
    return f"{said}, {against:,} against" if against else said


def reason_text(claim: ClaimEntry) -> str:
    """Return in words why *claim* has its verdict."""
    found = next((group.entries[0] for group in groups_of(claim)), None)
    if found is None:
        return "nothing in the sources speaks of it"
    if found.reasons:
        return f"{found.kind}: {found.reasons[0].words}"
    return found.words


def difference_lines(entry: EvidenceEntry, shown: Callable[[str], str] = quoted) -> list[str]:
    """Return what differs between a claim and its place: a line for each difference, else for each reason, else
    one with the words that are missing there."""
    lines = [
        f"{REASONS[Reason(each.kind)]}: {_side(each.source_text, shown)} in the source, "
        f"{_side(each.quote_text, shown)} in the quote"
        for each in entry.differences
    ]
    if not lines and entry.missing:
        return [missing_text(entry.missing, shown)]
    return lines or [reason.words for reason in entry.reasons]


def _side(text: str, shown: Callable[[str], str]) -> str:
    return shown(text) if text.strip() else "nothing"


def review_text(claim: ClaimEntry, shown: Callable[[str], str] = one_line) -> str:
    """Return what people decided about *claim*; "" if nobody was to be asked."""
    review = claim.review
    if review is None:
        return ""
    if review.reviewer is None:
        where = "" if review.queue_id is None else f", {shown(review.queue_id)}"
        return f"{REVIEW_WORDS[review.status]}{where}"
    edited = " with other words" if review.is_edited else ""
    when = "" if review.decided_at is None else f" on {review.decided_at[:10]}"
    why = f": {shown(review.reason)}" if review.reason else ""
    return f"{REVIEW_WORDS[review.status]}{edited} by {shown(review.reviewer)}{when}{why}"


def reviews_text(reviews: ReviewCounts) -> str:
    """Return the decisions of people in one line, apart from all scores."""
    counts = ", ".join(
        f"{count:,} {words}"
        for status, words in REVIEW_WORDS.items()
        if (count := getattr(reviews, status.value)) or status in (ReviewStatus.APPROVED, ReviewStatus.REJECTED)
    )
    return (
        f"review: {counts}; with approved claims faithfulness would be {score_text(reviews.adjusted_score)} "
        f"({plural(reviews.supported_or_approved, 'claim')})"
    )


def evidence_text(entry: EvidenceEntry) -> str:
    """Return rule and score of a piece of evidence; what says otherwise, and a quote that is not accepted, has none."""
    score = "" if entry.layer == "contradiction" or entry.reasons else f", {score_text(entry.score)}"
    return f"{entry.kind} ({entry.layer}){score}"


def place_text(entry: EvidenceEntry, shown: Callable[[str], str] = one_line) -> str:
    """Return where a piece of evidence stands, as *shown* makes it."""
    return shown(entry.place.words)


def settings_text(report: FaithfulnessReport, shown: Callable[[str], str] = one_line) -> str:
    """Return how personas were compared, in one line; names of models as *shown* makes them."""
    backends = ", ".join(dict.fromkeys(shown(persona.backend) for persona in report.personas)) or "lexical"
    least = f", least score {report.settings.min_score:g}" if report.settings.min_score else ""
    sources = plural(report.summary.sources, "source")
    score = report.settings.support_score
    named = "" if score is None else f", score of support {shown(score)}"
    return f"compared with {sources} by {backends}, supported from {report.settings.threshold:g}{least}{named}"

"""Lists the words, signs and figures of reports on personas."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.explanations import explain_difference
from groundwire.labels import plural
from groundwire.report.labels import missing_text, rate_text, score_text
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.report.faithfulness import (
        EvidenceEntry,
        FaithfulnessReport,
        PersonaClaimEntry,
        PersonaReport,
        ReviewCounts,
        Verdict,
    )


VERDICTS: tuple[Verdict, ...] = ("contradicted", "unsupported", "weak", "supported")

REVIEW_WORDS: dict[str, str] = {
    "approved": "approved",
    "rejected": "rejected",
    "waiting": "waiting for review",
    "expired": "expired without a review",
    "queue_full": "not reviewed, the queue is full",
}

# Each verdict has a word and a sign besides its colour, because not everybody sees colours.
VERDICT_SIGNS: dict[Verdict, str] = {"contradicted": "≠", "unsupported": "✗", "weak": "≈", "supported": "✓"}


class Group(NamedTuple):
    """Holds the evidence of one kind for one claim, with its label."""

    words: str
    style: Verdict
    entries: tuple[EvidenceEntry, ...]


def groups_of(claim: PersonaClaimEntry) -> list[Group]:
    """
    Return the evidence for *claim*: contradictions first, then support, then near misses.

    If several rules find the same words, only the best score is kept.
    """
    groups: tuple[tuple[str, Verdict, tuple[EvidenceEntry, ...]], ...] = (
        ("contradicts it", "contradicted", claim.contradictions),
        ("supports it", "supported", claim.evidence),
        (_near_words(claim), "weak", claim.near_misses),
    )
    seen: list[EvidenceEntry] = []
    return [Group(words, style, shown) for words, style, entries in groups if (shown := _unseen(entries, seen))]


def _near_words(claim: PersonaClaimEntry) -> str:
    """Return the label of the near misses of *claim*; for a rejected quote, its status."""
    if claim.contradictions:
        return "outweighed"
    refused = next((entry.kind for entry in claim.near_misses if entry.reasons), None)
    return "near miss" if refused is None else str(refused)


def _unseen(entries: tuple[EvidenceEntry, ...], seen: list[EvidenceEntry]) -> tuple[EvidenceEntry, ...]:
    """Return the *entries* that are not inside an entry of *seen*, and add them to it."""
    fresh = []
    for entry in entries:
        if not any(_holds(other, entry) for other in seen):
            fresh.append(entry)
            seen.append(entry)
    return tuple(fresh)


def _holds(outer: EvidenceEntry, inner: EvidenceEntry) -> bool:
    if outer.place != inner.place or outer.unit_chars != inner.unit_chars:
        return False
    start, end = outer.text_start + outer.start, outer.text_start + outer.end
    return start <= inner.text_start + inner.start and inner.text_start + inner.end <= end


# What has another plural than its words with an s; the labels of evidence that are no nouns stay as they are.
_SEVERAL = {"near miss": "near misses"}


def rest_text(words: str, count: int, *, is_all: bool) -> str:
    """Return the label of collapsed evidence: *count* entries, with their label *words*."""
    if not is_all:
        return f"{count:,} more: {words}"
    return plural(count, words, _SEVERAL.get(words, words))


def headline_text(report: FaithfulnessReport) -> str:
    """Return how many claims are supported, in one line."""
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
    """Return the faithfulness of a persona in one line."""
    if not persona.total_claims:
        return persona.note or "no claims"
    share = rate_text(persona.faithfulness_score)
    below = ", below the minimum score" if persona.passed is False else ""
    return f"{persona.supported_claims:,} of {plural(persona.total_claims, 'claim')} supported ({share}){below}"


def persona_counts_text(persona: PersonaReport) -> str:
    """Return the rates of a persona, and the number of synthetic claims."""
    synthetic = f"; {plural(len(persona.synthetic), 'synthetic claim')} not counted" if persona.synthetic else ""
    if not persona.total_claims:
        return f"no score{synthetic}"
    return (
        f"faithfulness {score_text(persona.faithfulness_score)}, weak {score_text(persona.weak_rate)}, "
        f"hallucination {score_text(persona.hallucination_rate)} "
        f"({plural(persona.contradicted_claims, 'claim')} contradicted){synthetic}"
    )


def verdict_counts(report: FaithfulnessReport) -> list[tuple[Verdict, int]]:
    """Return the verdicts that occur, with their counts, contradicted claims first."""
    return [(verdict, count) for verdict in VERDICTS if (count := getattr(report.summary, verdict))]


def sources_text(claim: PersonaClaimEntry, total: int) -> str:
    """Return how many of *total* sources support and contradict *claim*; empty for a single source."""
    if total < 2:
        return ""
    said = f"in {len(claim.sources):,} of {plural(total, 'source')}"
    against = len(claim.contradicting_sources)
    return f"{said}, {against:,} against" if against else said


def claim_reason_text(claim: PersonaClaimEntry) -> str:
    """Return the reason for the verdict on *claim* as a sentence."""
    found = next((group.entries[0] for group in groups_of(claim)), None)
    if found is None:
        return "No source mentions it."
    if found.reasons:
        return f"{found.kind}: {found.reasons[0].words}"
    return found.words


def difference_lines(entry: EvidenceEntry) -> list[str]:
    """Return a line for each difference between a claim and its evidence, or else for the missing words or reasons."""
    lines = [explain_difference(each) for each in entry.differences]
    if not lines and entry.missing:
        return [missing_text(entry.missing)]
    return lines or [reason.words for reason in entry.reasons]


def review_text(claim: PersonaClaimEntry, shown: Callable[[str], str] = one_line) -> str:
    """Return the decision of a reviewer about *claim*; empty if no review was requested."""
    review = claim.review
    if review is None:
        return ""
    if review.reviewer is None:
        where = "" if review.queue_id is None else f", {shown(review.queue_id)}"
        return f"{REVIEW_WORDS[review.status]}{where}"
    edited = " with edits" if review.is_edited else ""
    when = "" if review.decided_at is None else f" on {review.decided_at[:10]}"
    why = f": {shown(review.reason)}" if review.reason else ""
    return f"{REVIEW_WORDS[review.status]}{edited} by {shown(review.reviewer)}{when}{why}"


def reviews_text(reviews: ReviewCounts) -> str:
    """Return the decisions of reviewers in one line; they change no score."""
    counts = ", ".join(
        f"{count:,} {words}"
        for status, words in REVIEW_WORDS.items()
        if (count := getattr(reviews, status)) or status in ("approved", "rejected")
    )
    return (
        f"review: {counts}; with approved claims faithfulness would be {score_text(reviews.adjusted_score)} "
        f"({plural(reviews.supported_or_approved, 'claim')})"
    )


def evidence_text(entry: EvidenceEntry) -> str:
    """Return kind, layer and score of *entry*; contradictions and rejected quotes have no score."""
    score = "" if entry.layer == "contradiction" or entry.reasons else f", {score_text(entry.score)}"
    return f"{entry.kind} ({entry.layer}){score}"


def place_text(entry: EvidenceEntry, shown: Callable[[str], str] = one_line) -> str:
    """Return the location of *entry*, formatted by *shown*."""
    return shown(entry.place.words)


def settings_text(report: FaithfulnessReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings of the comparison in one line, with names of models formatted by *shown*."""
    backends = ", ".join(dict.fromkeys(shown(persona.backend) for persona in report.personas)) or "lexical"
    least = f", minimum score {report.settings.min_score:g}" if report.settings.min_score else ""
    sources = plural(report.summary.sources, "source")
    score = report.settings.support_score
    named = "" if score is None else f", score of support {shown(score)}"
    return f"compared with {sources} by {backends}, supported from {report.settings.threshold:g}{least}{named}"

"""The report on claims as Markdown, for issues, pull requests and notebooks."""

from collections.abc import Iterator

from groundwire.ingestion import Tier
from groundwire.labels import is_label
from groundwire.report.ingest import ClaimReport, IngestReport
from groundwire.report.labels import (
    CITED_SIGNS,
    cue_text,
    ingest_counts_text,
    ingest_headline_text,
    ingest_settings_text,
    other_text,
    outcome_text,
    passage_text,
    tier_counts,
    tier_sign,
    tier_text,
    told_checks,
)
from groundwire.report.markdown.check import code_span, count_table, prose

__all__ = ["render_markdown"]

_TITLES = {Tier.BLOCK: "To block", Tier.FLAG_REVIEW: "To review", Tier.AUTO_APPROVE: "To approve"}


def render_markdown(report: IngestReport) -> str:
    """Return *report* as GitHub-flavoured Markdown: summary, then the claims, those that need somebody first."""
    return "\n".join([*_summary(report), *(line for tier in _TITLES for line in _section(report, tier))])


def _summary(report: IngestReport) -> Iterator[str]:
    yield from ("# Ingestion check", "", f"**{ingest_headline_text(report)}**", "")
    yield from count_table([(f"{tier_sign(tier)} {tier_text(tier)}", count) for tier, count in tier_counts(report)])
    yield f"- {ingest_counts_text(report)}"
    yield f"- Claims {ingest_settings_text(report)}; groundwire {report.tool.version}"
    yield ""


def _section(report: IngestReport, tier: Tier) -> Iterator[str]:
    claims = [claim for claim in report.claims if claim.tier is tier]
    if not claims:
        return
    yield f"## {_TITLES[tier]} ({len(claims):,})"
    yield ""
    for claim in claims:
        yield from _claim(claim)
    yield ""


def _name(name: str) -> str:
    """Return a source or a type; one that is no plain name may be anything, and is code."""
    return name if is_label(name) else code_span(name)


def _claim(claim: ClaimReport) -> Iterator[str]:
    label = "" if claim.id is None else f" · {code_span(claim.id)}"
    yield f"- **{tier_sign(claim.tier)} {prose(claim.reason)}** · #{claim.number}{label}"
    yield f"  - claim {code_span(claim.content)}"
    yield f"  - {_name(claim.memory_type)} from {_name(claim.source)}, {code_span(claim.name)}"
    for check in told_checks(claim):
        yield f"  - failed {code_span(check)}"
    for cue in claim.cues:
        yield f"  - hedge {code_span(cue.text)}, {cue_text(cue)}"
    for cited in claim.citations:
        words = prose(cited.words)
        yield f"  - cites {code_span(cited.name)}: {CITED_SIGNS[cited.status]} {cited.status.value}, {words}"
    for passage in claim.passages:
        said = "" if passage.text is None else f": {code_span(passage.text)}"
        yield f"  - {code_span(passage_text(passage))}{said}"
    if (other := other_text(claim)) is not None and claim.other is not None:
        said = "" if claim.other.text is None else f": {code_span(claim.other.text)}"
        yield f"  - {code_span(other)}{said}"
    if done := outcome_text(claim):
        yield f"  - {code_span(done)}"

"""Lists the words, signs and figures of reports on answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.labels import plural
from groundwire.report.labels import missing_text, quoted, rate_text, read_text, score_text
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry, JudgeIssueEntry


# Each status has a word and a sign besides its colour, because not everybody sees colours.
CLAIM_SIGNS: dict[str, str] = {
    "supported": "✓",
    "weak": "≈",
    "unsupported": "✗",
    "misattributed": "↷",
    "contradicted": "≠",
    "uncited": "∅",
    "unread": "○",
}
LEVEL_SIGNS: dict[str, str] = {
    "low": "✓",
    "moderate": "≈",
    "high": "✗",
    "not_assessed": "○",
}
_LEVELS: dict[str, str] = {
    "low": "low risk",
    "moderate": "moderate risk",
    "high": "high risk",
    "not_assessed": "not assessed",
}
_ACTIONS: dict[str, str] = {
    "accept": "accept",
    "refine_search": "refine the search",
    "reject": "reject",
}


def claim_status_text(status: str) -> str:
    """Return the word for *status*."""
    return str(status)


def answer_text(answer: AnswerReport) -> str:
    """Return the risk of an answer and the action to take, in one line."""
    forced = " by force, because no iterations are left" if answer.forced else ""
    return f"{_LEVELS[answer.level]}, score {score_text(answer.score)}: {_ACTIONS[answer.action]}{forced}"


def context_text(answer: AnswerReport) -> str | None:
    """Return the round, the type of question and the quality of sources; None if nothing is known."""
    parts = [
        None if answer.iteration is None else f"iteration {answer.iteration:,} of {answer.max_iterations:,}",
        None if answer.question_type == "factual" else f"{answer.question_type} question",
        None if answer.source_quality == "ordinary" else f"{answer.source_quality} sources",
    ]
    return ", ".join(part for part in parts if part is not None) or None


def headline_text(report: CiteReport) -> str:
    """Return how many answers are accepted, in one line."""
    summary = report.summary
    if not summary.answers:
        return "no answers to assess"
    if summary.answers == 1:
        return answer_text(report.answers[0])
    share = rate_text(summary.accepted / summary.answers)
    forced = f", {summary.forced:,} of them by force" if summary.forced else ""
    return f"{summary.accepted:,} of {plural(summary.answers, 'answer')} accepted ({share}){forced}"


def claim_status_counts(report: CiteReport) -> list[tuple[str, int]]:
    """Return the statuses that occur, with their counts."""
    return [(status, count) for status in CLAIM_SIGNS if (count := getattr(report.summary, status))]


def answer_counts_text(answer: AnswerReport) -> str:
    """Return the numbers of claims and citations, and the share of claims with a citation."""
    ignored = f", {len(answer.ignored):,} ignored" if answer.ignored else ""
    cited = f"{len(answer.valid_citations):,} valid, {len(answer.invalid_citations):,} invalid{ignored}"
    claims = plural(answer.total_claims, "claim")
    return f"{claims}, {rate_text(answer.citation_coverage)} with a citation; ids cited: {cited}"


def claim_words(claim: ClaimEntry) -> list[str]:
    """Return the problems of *claim* as sentences, each once, except invalid ids, which are shown anyway."""
    findings = (each for each in claim.findings if each.found_by != "no_such_id")
    words = list(dict.fromkeys(each.words for each in findings))
    if claim.reader is not None:
        words.append(read_text(claim.reader))
    if claim.missing:
        words.append(missing_text(claim.missing))
    # For a misattributed claim, a finding already says this.
    if claim.better_source and claim.status == "uncited":
        words.append(f"Another source supports it: {quoted(claim.better_source)}.")
    return words


def judge_text(answer: AnswerReport) -> str | None:
    """Return the judge's result in one line; None without a judge."""
    judgement = answer.judgement
    if judgement is None:
        return None
    if answer.judge_status != "ok":
        return f"no judgement: {one_line(judgement.error or 'the answer is malformed')}"
    issues = plural(len(judgement.issues), "issue")
    void = f", {len(judgement.void_issues):,} void" if judgement.void_issues else ""
    return f"risk {score_text(judgement.hallucination_risk)}, {issues}{void}"


def issue_text(issue: JudgeIssueEntry) -> str:
    """Return an issue of the judge: its type, the words of the answer, and the judge's quote."""
    evidence = "" if issue.evidence is None else f'; the source says "{one_line(issue.evidence)}"'
    return f'{issue.type.value}: "{one_line(issue.claim)}"{evidence}'


def unread_text(answer: AnswerReport) -> str | None:
    """Return the keys of cited results without a text; None if all have one."""
    if not answer.unread_keys:
        return None
    return f"cited results have no text; their keys: {one_line(', '.join(answer.unread_keys))}"


def figures_text(report: CiteReport) -> str:
    """Return the four monitored figures over all answers."""
    summary = report.summary
    return (
        f"mean risk {score_text(summary.mean_score)}, high risk {rate_text(summary.high_risk_share)}, "
        f"invalid citations {rate_text(summary.invalid_citation_rate)}, "
        f"uncited claims {rate_text(summary.uncited_claim_rate)}"
    )


def totals_text(report: CiteReport) -> str:
    """Return headline and figures of a batch in one line."""
    return f"{headline_text(report)}; {figures_text(report)}"


def settings_text(report: CiteReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings in one line, without the judge's model; *shown* formats the name of the score."""
    settings = report.settings
    score = "" if settings.support_score is None else f", score of support {shown(settings.support_score)}"
    return f"policy {settings.policy}{score}, judge {settings.judge}"

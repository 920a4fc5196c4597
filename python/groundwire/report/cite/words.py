"""The words, signs and figures that every citation report for people shares."""

from collections.abc import Callable

from groundwire.citations import Action, ClaimStatus, FoundBy, RiskLevel
from groundwire.judge.protocol import JudgeStatus
from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry, JudgeIssueEntry
from groundwire.report.printable import one_line
from groundwire.report.words import missing_text, plural, rate_text, read_text, score_text

__all__ = [
    "LEVEL_SIGNS",
    "SIGNS",
    "circumstances_text",
    "claim_words",
    "counts_text",
    "figures_text",
    "headline_text",
    "issue_text",
    "judge_text",
    "settings_text",
    "status_counts",
    "status_text",
    "totals_text",
    "unread_text",
    "verdict_text",
]

# Each status has a word and a sign beside its colour, which may not be seen.
SIGNS: dict[ClaimStatus, str] = {
    ClaimStatus.SUPPORTED: "✓",
    ClaimStatus.WEAK: "≈",
    ClaimStatus.UNSUPPORTED: "✗",
    ClaimStatus.MISATTRIBUTED: "↷",
    ClaimStatus.CONTRADICTED: "≠",
    ClaimStatus.UNCITED: "∅",
    ClaimStatus.UNREAD: "○",
}
LEVEL_SIGNS: dict[RiskLevel, str] = {
    RiskLevel.LOW: "✓",
    RiskLevel.MODERATE: "≈",
    RiskLevel.HIGH: "✗",
    RiskLevel.NOT_ASSESSED: "○",
}
_LEVELS: dict[RiskLevel, str] = {
    RiskLevel.LOW: "low risk",
    RiskLevel.MODERATE: "moderate risk",
    RiskLevel.HIGH: "high risk",
    RiskLevel.NOT_ASSESSED: "not assessed",
}
_ACTIONS: dict[Action, str] = {
    Action.ACCEPT: "accept",
    Action.REFINE_SEARCH: "refine the search",
    Action.REJECT: "reject",
}


def status_text(status: ClaimStatus) -> str:
    """Return the word for *status*."""
    return status.value


def verdict_text(answer: AnswerReport) -> str:
    """Return the one line that says how risky an answer is, and what to do with it."""
    forced = " by force, near the limit of iterations" if answer.forced else ""
    return f"{_LEVELS[answer.level]}, score {score_text(answer.score)}: {_ACTIONS[answer.action]}{forced}"


def circumstances_text(answer: AnswerReport) -> str | None:
    """Return round, type of question and quality of sources; None if nothing is said of them."""
    parts = [
        None if answer.iteration is None else f"iteration {answer.iteration:,} of {answer.max_iterations:,}",
        None if answer.question_type == "factual" else f"{answer.question_type} question",
        None if answer.source_quality == "ordinary" else f"{answer.source_quality} sources",
    ]
    return ", ".join(part for part in parts if part is not None) or None


def headline_text(report: CiteReport) -> str:
    """Return the one line that answers whether all answers are accepted."""
    summary = report.summary
    if not summary.answers:
        return "no answers to assess"
    if summary.answers == 1:
        return verdict_text(report.answers[0])
    share = rate_text(summary.accepted / summary.answers)
    forced = f", {summary.forced:,} of them by force" if summary.forced else ""
    return f"{summary.accepted:,} of {plural(summary.answers, 'answer')} accepted ({share}){forced}"


def status_counts(report: CiteReport) -> list[tuple[ClaimStatus, int]]:
    """Return the statuses that occur, with their counts."""
    return [(status, count) for status in SIGNS if (count := getattr(report.summary, status.value))]


def counts_text(answer: AnswerReport) -> str:
    """Return how many claims and citations there are, and which share of the claims is cited."""
    ignored = f", {len(answer.ignored):,} ignored" if answer.ignored else ""
    cited = f"{len(answer.valid_citations):,} valid, {len(answer.invalid_citations):,} invalid{ignored}"
    claims = plural(answer.total_claims, "claim")
    return f"{claims}, {rate_text(answer.citation_coverage)} with a citation; ids cited: {cited}"


def claim_words(claim: ClaimEntry) -> list[str]:
    """Return what is wrong with *claim* in words, each once; its invalid ids speak for themselves."""
    findings = (each for each in claim.findings if each.found_by is not FoundBy.NO_SUCH_ID)
    words = list(dict.fromkeys(each.words for each in findings))
    if claim.reader is not None:
        words.append(read_text(claim.reader))
    if claim.missing:
        words.append(missing_text(claim.missing))
    # Of a claim that is misattributed a finding says it already.
    return [*words, "another source has it"] if claim.better_source and claim.status is ClaimStatus.UNCITED else words


def judge_text(answer: AnswerReport) -> str | None:
    """Return what came of asking a judge; None if nobody was asked."""
    judgement = answer.judgement
    if judgement is None:
        return None
    if answer.judge_status is not JudgeStatus.OK:
        return f"no judgement: {one_line(judgement.error or 'it cannot be read')}"
    issues = plural(len(judgement.issues), "issue")
    void = f", {len(judgement.void_issues):,} void" if judgement.void_issues else ""
    return f"risk {score_text(judgement.hallucination_risk)}, {issues}{void}"


def issue_text(issue: JudgeIssueEntry) -> str:
    """Return one fault that the judge found: its type, the words that are meant, and what the judge quotes."""
    evidence = "" if issue.evidence is None else f'; the source has "{one_line(issue.evidence)}"'
    return f'{issue.type.value}: "{one_line(issue.claim)}"{evidence}'


def unread_text(answer: AnswerReport) -> str | None:
    """Return which keys the cited results without a text have; None if all of them were read."""
    if not answer.unread_keys:
        return None
    return f"no text found in cited results; their keys: {one_line(', '.join(answer.unread_keys))}"


def figures_text(report: CiteReport) -> str:
    """Return the four figures that are worth watching, over all answers."""
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
    """Return how answers were assessed, in one line without the model's name; that of a score as *shown* makes it."""
    settings = report.settings
    score = "" if settings.support_score is None else f", score of support {shown(settings.support_score)}"
    return f"policy {settings.policy}{score}, judge {settings.judge}"

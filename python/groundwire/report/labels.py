"""Lists the words, signs and figures of all reports: one catalogue for every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from groundwire.evidence.explanations import explain_difference
from groundwire.evidence.verdicts import STATUSES, QuoteReason
from groundwire.labels import plural
from groundwire.report.highlights import DIFFERENCE_CODES, MEANING_CODES
from groundwire.sanitize import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.ingestion import Tier
    from groundwire.report.check.model import CheckReport, Nearest, Place, QuoteResult, SpokenTurn, Status
    from groundwire.report.check.pages import PageSpot, PagesView
    from groundwire.report.cite.model import AnswerReport, CiteReport, ClaimEntry, JudgeIssueEntry
    from groundwire.report.faithfulness import (
        EvidenceEntry,
        FaithfulnessReport,
        PersonaClaimEntry,
        PersonaReport,
        ReviewCounts,
        Verdict,
    )
    from groundwire.report.ingest import CitationPassage, ClaimReport, Cue, IngestReport
    from groundwire.report.model import ReadScore, VerdictReason


# Each status has a word and a sign besides its colour, because not everybody sees colours.
QUOTE_SIGNS: dict[Status, str] = {
    "exact": "✓",
    "normalized": "✓",
    "fuzzy": "≈",
    "near": "≈",
    "elided": "✂",
    "paraphrased": "↔",
    "altered": "≠",
    "found_elsewhere": "↷",
    "wrong_speaker": "✗",
    "absent": "✗",
    "unreadable": "?",
    "blank": "∅",
}
STATUS_MEANINGS: dict[Status, str] = {
    **{status.value: words for status, words in STATUSES.items()},
    "fuzzy": "the source contains similar characters; the differences were not examined",
}
_REJECTED_SIGN = "✗"
_HIGH_SCORE = 0.9
_SECONDS = 60
_MINUTES = 60
_MOST_WORDS = 8


def anchor(subject: str, status: str) -> str:
    """Return the anchor of *status* in docs/reference/verdicts.md; *subject* is "quote", "claim" or the like."""
    name = status.removeprefix(f"{subject}_")
    return f"{subject}-{name}".replace("_", "-").replace(" ", "-")


def quote_status_text(status: Status) -> str:
    """Return the word for *status*."""
    return status.replace("_", " ")


def sign_of(result: QuoteResult) -> str:
    """Return the sign of the verdict; a quote that was found but rejected has a cross."""
    held = ("exact", "normalized", "near", "elided")
    return _REJECTED_SIGN if result.status in held and not result.accepted else QUOTE_SIGNS[result.status]


def score_text(score: float | None) -> str:
    """
    Return *score* with three digits, or a dash for none.

    Digits are cut off, not rounded, so that only a full match reads 1.000.
    """
    return "–" if score is None else f"{int(score * 1000) / 1000:.3f}"


def rate_text(rate: float | None) -> str:
    """Return *rate* in per cent with one digit, not rounded up, or a dash for none."""
    return "–" if rate is None else f"{int(rate * 1000) / 10:.1f} %"


def quoted(text: str) -> str:
    """Return *text* on one line in quotation marks."""
    return f"“{one_line(text.strip())}”"


def missing_text(words: Sequence[str]) -> str:
    """Return the words of a claim without a counterpart as a sentence; at most the first eight."""
    more = f" and {len(words) - _MOST_WORDS:,} more" if len(words) > _MOST_WORDS else ""
    return f"No counterpart for {', '.join(map(quoted, words[:_MOST_WORDS]))}{more}."


def read_text(read: ReadScore) -> str:
    """Return the score of a model that read claim and passage."""
    return f"Read by {read.model}: score {score_text(read.score)}, threshold {read.threshold:g}."


def accepted_word(report: CheckReport) -> str:
    """Return the word for a quote that passes."""
    return "grounded" if report.settings.policy == "literal" else "accepted"


def check_verdict_text(report: CheckReport) -> str:
    """Return how many quotes pass, in one line, and how many quotations of an answer were too short to check."""
    summary = report.summary
    left_out = f"; {plural(summary.left_out, 'short quotation')} left out" if summary.left_out else ""
    if not summary.quotes:
        return f"no quotes to check{left_out}"
    quotes = plural(summary.quotes, "quote")
    return f"{summary.accepted:,} of {quotes} {accepted_word(report)} ({rate_text(summary.rate)}){left_out}"


def quote_status_counts(report: CheckReport) -> list[tuple[Status, int]]:
    """Return the statuses that occur, with their counts, best first."""
    return [(status, count) for status in QUOTE_SIGNS if (count := getattr(report.summary, status))]


def check_settings_text(report: CheckReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings of the comparison in one line, with names of speakers formatted by *shown*."""
    settings = report.settings
    compared = "near" if settings.mode is None else f"mode {settings.mode}"
    threshold = "" if settings.threshold is None else f" from {settings.threshold:g}"
    least = [
        f", at least {plural(count, noun)}"
        for count, noun in ((settings.min_chars, "character"), (settings.min_words, "word"))
        if count is not None and count > 1
    ]
    speakers = "" if settings.speakers is None else f", said by {', '.join(map(shown, settings.speakers))}"
    score = "" if settings.support_score is None else f", score of support {shown(settings.support_score)}"
    folded = ", variants of characters folded" if settings.fold_variants else ""
    return f"policy {settings.policy}, {compared}{threshold}{''.join(least)}{speakers}{folded}{score}"


def probability_text(result: QuoteResult) -> str:
    """Return the probability that a quote is right; nothing without one."""
    return "" if result.probability is None else f"probability {score_text(result.probability)}"


def position_text(place: Place) -> str:
    """Return `name:line:column` of *place*, which many terminals turn into a link."""
    return f"{place.name}:{place.line}:{place.column}"


def span_text(place: Place | Nearest) -> str:
    """Return the span of *place* in characters, end excluded."""
    return f"{place.start}–{place.end}"


def time_text(seconds: float) -> str:
    """Return a time of a recording as `h:mm:ss`; fractions are cut off."""
    minutes, second = divmod(int(seconds), _SECONDS)
    hour, minute = divmod(minutes, _MINUTES)
    return f"{hour}:{minute:02}:{second:02}"


def spoken_text(turns: tuple[SpokenTurn, ...]) -> str:
    """Return the speakers and the first start time; empty if the text gives neither."""
    speakers = list(dict.fromkeys(turn.speaker or "?" for turn in turns)) if any(t.speaker for t in turns) else []
    starts = [turn.start_time_s for turn in turns if turn.start_time_s is not None]
    return " ".join([*([", ".join(speakers)] if speakers else []), *([f"at {time_text(starts[0])}"] if starts else [])])


def notable_reasons(result: QuoteResult) -> list[VerdictReason]:
    """Return the deciding reasons, and those that a comparison with the passage does not show."""
    deciding = MEANING_CODES if result.status == "altered" else frozenset[QuoteReason]()
    return [each for each in result.reasons if each.code not in DIFFERENCE_CODES or each.code in deciding]


SCORE_NOTE = "The score compares characters, the verdict compares meaning."
"""Explains an altered quote with a high score."""


def has_misleading_score(result: QuoteResult) -> bool:
    """Tell whether an altered quote has a high score."""
    return result.status == "altered" and (result.score or 0.0) >= _HIGH_SCORE


def any_misleading_score(report: CheckReport) -> bool:
    """Tell whether any quote needs the note on scores."""
    return any(map(has_misleading_score, report.quotes))


def misleading_note(report: CheckReport) -> str | None:
    """Return the explanation of high scores of altered quotes; None if no quote needs it."""
    return SCORE_NOTE if any(map(has_misleading_score, report.quotes)) else None


def legend(report: CheckReport) -> list[tuple[Status, str]]:
    """Return the statuses of the report with their meanings, best first."""
    return [(status, STATUS_MEANINGS[status]) for status, _ in quote_status_counts(report)]


def nearest_text(result: QuoteResult) -> str | None:
    """Return position, pages, score and speaker of the nearest passage; None without one."""
    near = result.nearest
    if near is None:
        return None
    spoken = spoken_text(near.turns)
    pages = "".join(f", page {page}" for page in near.pages)
    score = f"score {score_text(near.score)}{f', {spoken}' if spoken else ''}"
    return f"{near.name}:{near.line}:{near.column}{pages}, {score}"


def pages_text(view: PagesView) -> str:
    """Return which pages of a PDF are shown, and what is left out."""
    if view.problem is not None:
        return f"No page images: this is {view.problem}."
    parts = [f"{len(view.pages):,} of {plural(view.total, 'page')} shown: those with a verdict"]
    if view.left_out:
        parts.append(
            f"{plural(view.left_out, 'more page')} with a verdict left out "
            "(--page-images and --page-images-mib set the limits)"
        )
    if view.undrawn:
        parts.append(f"{plural(view.undrawn, 'page')} could not be drawn")
    return f"{'; '.join(parts)}."


def spot_text(spot: PageSpot) -> str:
    """Return what a place on a page is, for people who hear the report."""
    quote = f"quote {spot.result.number}, {quote_status_text(spot.status)}"
    return f"{quote}, nearest passage; back to the list" if spot.is_nearest else f"{quote}; back to the list"


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


def circumstances_text(answer: AnswerReport) -> str | None:
    """Return the round, the type of question and the quality of sources; None if nothing is known."""
    parts = [
        None if answer.iteration is None else f"iteration {answer.iteration:,} of {answer.max_iterations:,}",
        None if answer.question_type == "factual" else f"{answer.question_type} question",
        None if answer.source_quality == "ordinary" else f"{answer.source_quality} sources",
    ]
    return ", ".join(part for part in parts if part is not None) or None


def cite_headline_text(report: CiteReport) -> str:
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
    return f"{cite_headline_text(report)}; {figures_text(report)}"


def cite_settings_text(report: CiteReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings in one line, without the judge's model; *shown* formats the name of the score."""
    settings = report.settings
    score = "" if settings.support_score is None else f", score of support {shown(settings.support_score)}"
    return f"policy {settings.policy}{score}, judge {settings.judge}"


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


def ingest_headline_text(report: IngestReport) -> str:
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


def ingest_counts_text(report: IngestReport) -> str:
    """Return the number of claims in each tier, and of claims written."""
    summary = report.summary
    tiers = f"{summary.tier_1:,} to approve, {summary.tier_2:,} to review, {summary.tier_3:,} to block"
    done = [f"{count:,} {words}" for outcome, words in _DONE.items() if (count := getattr(summary, outcome))]
    return f"{tiers}; {', '.join(done) if done else 'nothing was written'}"


def ingest_settings_text(report: IngestReport) -> str:
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


def faithfulness_headline_text(report: FaithfulnessReport) -> str:
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


def faithfulness_settings_text(report: FaithfulnessReport, shown: Callable[[str], str] = one_line) -> str:
    """Return the settings of the comparison in one line, with names of models formatted by *shown*."""
    backends = ", ".join(dict.fromkeys(shown(persona.backend) for persona in report.personas)) or "lexical"
    least = f", minimum score {report.settings.min_score:g}" if report.settings.min_score else ""
    sources = plural(report.summary.sources, "source")
    score = report.settings.support_score
    named = "" if score is None else f", score of support {shown(score)}"
    return f"compared with {sources} by {backends}, supported from {report.settings.threshold:g}{least}{named}"

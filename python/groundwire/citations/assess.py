"""What the rules say of an answer and its citations: counts, claims, support, level."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from groundwire.citations.claims import Support, best_score, record_of
from groundwire.citations.conditions import decide
from groundwire.citations.facts import Facts, Policy
from groundwire.citations.literal import check_answer, literal_ratio
from groundwire.citations.reading import LinkMarker, Reading, claim_words, read, read_literally
from groundwire.citations.report import (
    CitationRecord,
    CitationReport,
    CitationStatus,
    ClaimStatus,
    Figures,
    Records,
)
from groundwire.citations.thresholds import RiskThresholds
from groundwire.judgement import SearchResults
from groundwire.labels import show
from groundwire.search_results import Results, read_results

__all__ = ["assess_citations", "assess_read", "check_policy", "check_settings", "passages_of", "without_texts"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.citations.support import Passages

_DEFAULT = RiskThresholds()
_POLICIES = {policy.value: policy for policy in Policy}
# Statuses of claims whose cited passages were read.
_READ = frozenset(ClaimStatus) - {ClaimStatus.UNCITED, ClaimStatus.UNREAD}


def assess_citations(
    answer: str,
    results: SearchResults,
    *,
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
) -> CitationReport:
    """
    Say which citations of *answer* are real, which claims stand without one, and how risky that is.

    Args:
        answer: What a model wrote, plain or Markdown, with citations in brackets.
        results: What it was given: mappings with `id`, `parent_id` and a passage under
            `content`, `text`, `page_content`, `passage`, `snippet`, `body`, `chunk` or `matches`,
            or inside `document`, `node`, `metadata` and the like; or documents of LangChain or
            LlamaIndex. A claim that cites one without a text is `unread` (ruling B15). What
            is odd about them is counted in `anomalies`.
        policy: "coverage" reads prose, sentences and citations as people do, and decides
            by the share of claims that have one (rulings B1, B2, B3, B8). "spec" reads
            and decides as printed.
        settings: Where the bands of risk begin; None for the printed ones.

    Raises:
        TypeError: *answer* is no str, or *results* are not a sequence of mappings and document objects.
        ValueError: There is no such *policy*.
    """
    check_answer(answer)
    rules = check_policy(policy)
    limits = check_settings(settings)
    known = read_results(results)
    return assess_read(answer, known, passages_of(known), rules, limits)


def assess_read(
    answer: str, known: Results, passages: "Passages | None", rules: Policy, limits: RiskThresholds
) -> CitationReport:
    """Do what `assess_citations` does with results that are read, whose *passages* are prepared."""
    if rules is Policy.SPEC:
        figures, parts = read_literally(answer, known.literal_ids())
    else:
        figures, parts = read(answer, known)
    make = partial(_records, answer, parts, known, passages, limits)
    # What the passages support has a say in the level; without passages nobody needs the parts yet.
    records = None if passages is None else make()
    facts = _facts(answer, rules, figures, known, records)
    level, reasons = decide(facts, limits)
    return CitationReport(
        level=level,
        reasons=reasons,
        anomalies=known.anomalies,
        facts=facts,
        figures=figures,
        unread_keys=known.unread_keys if facts.unread else (),
        make_ratio=lambda: literal_ratio(answer, known.literal_ids()),
        make_records=make if records is None else lambda: records,
    )


def check_policy(policy: str) -> Policy:
    """
    Return the policy of this name.

    Raises:
        TypeError: *policy* is no str.
        ValueError: There is no such policy.
    """
    if not isinstance(policy, str):
        raise TypeError(f"policy must be a str, got {type(policy).__name__}")
    if policy not in _POLICIES:
        raise ValueError(f'policy must be "coverage" or "spec", got {show(policy)}')
    return _POLICIES[policy]


def check_settings(settings: RiskThresholds | None) -> RiskThresholds:
    """
    Return *settings*, or the printed ones for None.

    Raises:
        TypeError: They are something else.
    """
    if settings is None:
        return _DEFAULT
    if not isinstance(settings, RiskThresholds):
        raise TypeError(f"settings must be a RiskThresholds or None, got {type(settings).__name__}")
    return settings


def _facts(answer: str, policy: Policy, figures: Figures, known: Results, records: Records | None) -> Facts:
    facts = Facts.of(
        policy,
        is_empty=not answer or answer.isspace(),
        total_claims=figures.total_claims,
        cited=len(figures.valid) if policy is Policy.SPEC else figures.covered,
        invalid=len(figures.invalid),
        uncited=figures.uncited,
    )
    if records is None:
        return without_texts(facts, len(figures.valid), figures.covered)
    statuses = [claim.status for claim in records.claims]
    return facts._replace(
        read=sum(1 for status in statuses if status in _READ),
        unsupported=statuses.count(ClaimStatus.UNSUPPORTED),
        misattributed=statuses.count(ClaimStatus.MISATTRIBUTED),
        contradicted=statuses.count(ClaimStatus.CONTRADICTED),
        unread=statuses.count(ClaimStatus.UNREAD) + sum(1 for each in records.citations if _is_unread(each, known)),
    )


def without_texts(facts: Facts, valid: int, covered: int) -> Facts:
    """Return *facts* of an answer whose results have no text: what it cites cannot be read (ruling B15)."""
    return facts._replace(unread=covered or valid, has_text=False)


def _is_unread(citation: CitationRecord, known: Results) -> bool:
    """Return whether a citation belongs to no claim and means a result without a text."""
    return citation.status is CitationStatus.VALID and not citation.claims and not known.has_text(citation.id)


def passages_of(known: Results) -> "Passages | None":
    """Return the passages of results, prepared to be compared with claims; None without any."""
    if not known.has_passages():
        return None
    # Word lists and readings, which answers without passages do not wait for.
    from groundwire.citations.support import Passages

    return Passages(known.passages)


def _supports(claims: Sequence[str], passages: "Passages | None") -> Sequence[Support | None]:
    """What the passages support of each claim, which comes without its citations; None where nobody looked."""
    return [None] * len(claims) if passages is None else passages.support(claims)


def _records(
    answer: str,
    parts: Callable[[], Reading],
    known: Results,
    passages: "Passages | None",
    limits: RiskThresholds,
) -> Records:
    reading = parts()
    markers_of = [[reading.markers[place] for place in claim.markers] for claim in reading.claims]
    words = [
        claim_words(reading.text, claim.start, claim.end, markers)
        for claim, markers in zip(reading.claims, markers_of, strict=True)
    ]
    supports = _supports(words, passages)
    claims = tuple(
        record_of(answer[claim.start : claim.end], claim, markers, known, support, limits, is_uncited)
        for claim, markers, support, is_uncited in zip(
            reading.claims, markers_of, supports, reading.uncited, strict=True
        )
    )
    return Records(claims, tuple(_citations(reading, known, supports)))


def _citations(reading: Reading, known: Results, supports: Sequence[Support | None]) -> Iterator[CitationRecord]:
    """Each id of each marker."""
    claims_of: dict[int, list[int]] = {}
    for number, claim in enumerate(reading.claims):
        for place in claim.markers:
            claims_of.setdefault(place, []).append(number)
    for place, marker in enumerate(reading.markers):
        claims = tuple(claims_of.get(place, ()))
        # Sets, as a range such as [1-900] has many.
        valid, invalid = {*marker.valid_ids}, {*marker.invalid_ids}
        for id_ in marker.ids:
            if id_ in valid:
                is_link = isinstance(marker, LinkMarker)
                matched_by = "url" if is_link else "id" if id_ in known.by_id else "parent_id"
                scores = [best_score(known.places(id_), support) for number in claims if (support := supports[number])]
                best = max((score for score in scores if score is not None), default=None)
                yield CitationRecord(id_, marker.start, marker.end, CitationStatus.VALID, matched_by, claims, best)
            else:
                status = CitationStatus.INVALID if id_ in invalid else CitationStatus.IGNORED
                yield CitationRecord(id_, marker.start, marker.end, status, None, claims, None)

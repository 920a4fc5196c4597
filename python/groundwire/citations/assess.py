"""What the rules say of an answer and its citations: counts, claims, support, level."""

from collections.abc import Iterator, Mapping, Sequence

from groundwire.citations.claims import Support, best_score, record_of
from groundwire.citations.conditions import decide
from groundwire.citations.facts import Facts, Policy
from groundwire.citations.literal import NOTE_EMPTY, NOTE_NO_CLAIMS, literal_ids, literal_ratio
from groundwire.citations.reading import Reading, read, read_literally
from groundwire.citations.report import CitationRecord, CitationReport, CitationStatus, ClaimRecord, ClaimStatus
from groundwire.citations.results import Results, check_answer, read_results
from groundwire.citations.thresholds import RiskThresholds, Share
from groundwire.labels import show

__all__ = ["assess_citations", "check_policy", "check_settings"]

_DEFAULT = RiskThresholds()
_VALID = CitationStatus.VALID


def assess_citations(
    answer: str,
    results: Sequence[Mapping[str, object]],
    *,
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
) -> CitationReport:
    """
    Say which citations of *answer* are real, which claims stand without one, and how risky that is.

    Args:
        answer: What a model wrote, plain or Markdown, with citations in brackets.
        results: What it was given: mappings with `id`, `parent_id` and a passage under
            `content`, `text`, `passage`, `snippet` or `matches`. What is odd about
            them is counted in `anomalies`.
        policy: "coverage" reads prose, sentences and citations as people do, and decides
            by the share of claims that have one (rulings B1, B2, B3, B8). "spec" reads
            and decides as printed.
        settings: Where the bands of risk begin; None for the printed ones.

    Raises:
        TypeError: *answer* is no str, or *results* no sequence of mappings.
        ValueError: There is no such *policy*.
    """
    check_answer(answer)
    rules = check_policy(policy)
    limits = check_settings(settings)
    known = read_results(results)
    literal = literal_ids(results)
    if rules is Policy.SPEC:
        reading = read_literally(answer, literal)
    else:
        reading = read(answer, [*known.by_id, *known.by_parent])
    texts = [answer[claim.start : claim.end] for claim in reading.claims]
    supports = _supports(texts, [result.passage for result in known.found])
    claims = tuple(
        record_of(text, claim, [reading.markers[place] for place in claim.markers], known, support, limits, is_uncited)
        for text, claim, support, is_uncited in zip(texts, reading.claims, supports, reading.uncited, strict=True)
    )
    citations = tuple(_citations(reading, known, supports))
    return _report(answer, rules, limits, known, claims, citations, literal_ratio(answer, literal))


def check_policy(policy: str) -> Policy:
    """
    Return the policy of this name.

    Raises:
        TypeError: *policy* is no str.
        ValueError: There is no such policy.
    """
    if not isinstance(policy, str):
        raise TypeError(f"policy must be a str, got {type(policy).__name__}")
    if policy not in {*Policy}:
        raise ValueError(f'policy must be "coverage" or "spec", got {show(policy)}')
    return Policy(policy)


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


def _supports(claims: Sequence[str], passages: Sequence[str | None]) -> Sequence[Support | None]:
    """What the passages support of each claim; None where nobody looked."""
    del passages
    return [None] * len(claims)


def _citations(reading: Reading, known: Results, supports: Sequence[Support | None]) -> Iterator[CitationRecord]:
    """Each id of each marker."""
    claim_of = {place: number for number, claim in enumerate(reading.claims) for place in claim.markers}
    for place, marker in enumerate(reading.markers):
        number = claim_of.get(place)
        support = None if number is None else supports[number]
        # Sets, as a range such as [1-900] has many.
        valid, invalid = {*marker.valid_ids}, {*marker.invalid_ids}
        for id_ in marker.ids:
            if id_ in valid:
                matched_by = "id" if id_ in known.by_id else "parent_id"
                score = None if support is None else best_score(known.places(id_), support)
                yield CitationRecord(id_, marker.start, marker.end, _VALID, matched_by, number, score)
            else:
                status = CitationStatus.INVALID if id_ in invalid else CitationStatus.IGNORED
                yield CitationRecord(id_, marker.start, marker.end, status, None, number, None)


def _report(
    answer: str,
    policy: Policy,
    limits: RiskThresholds,
    known: Results,
    claims: tuple[ClaimRecord, ...],
    citations: tuple[CitationRecord, ...],
    ratio: float,
) -> CitationReport:
    ids: dict[CitationStatus, set[str]] = {status: set() for status in CitationStatus}
    for citation in citations:
        ids[citation.status].add(citation.id)
    uncited = tuple(claim for claim in claims if claim.is_uncited)
    covered = sum(1 for claim in claims if claim.valid)
    statuses = [claim.status for claim in claims]
    facts = Facts(
        policy=policy,
        is_empty=not answer or answer.isspace(),
        total_claims=len(claims),
        cited=len(ids[_VALID]) if policy is Policy.SPEC else covered,
        invalid=len(ids[CitationStatus.INVALID]),
        uncited=len(uncited),
        read=sum(1 for claim in claims if claim.valid and claim.support is not None),
        unsupported=statuses.count(ClaimStatus.UNSUPPORTED),
        misattributed=statuses.count(ClaimStatus.MISATTRIBUTED),
        contradicted=statuses.count(ClaimStatus.CONTRADICTED),
    )
    level, reasons = decide(facts, limits)
    return CitationReport(
        policy=policy,
        score=facts.score.rounded(),
        level=level,
        reasons=reasons,
        note=NOTE_EMPTY if facts.is_empty else None if claims else NOTE_NO_CLAIMS,
        citation_ratio=round(ratio, 12),
        citation_coverage=Share(covered, max(len(claims), 1)).rounded(),
        total_claims=len(claims),
        valid_citations=sorted(ids[_VALID]),
        invalid_citations=sorted(ids[CitationStatus.INVALID]),
        ignored=sorted(ids[CitationStatus.IGNORED]),
        uncited=uncited,
        claims=claims,
        citations=citations,
        anomalies=known.anomalies,
        facts=facts,
    )

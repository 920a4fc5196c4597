"""Assesses an answer and its citations by the rules: counts, claims, support, level."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from groundwire._engine import normalize, partial_ratio
from groundwire.citations.literal import CLAIM_CHARS, check_answer, literal_ratio
from groundwire.citations.parser import (
    Claim,
    LinkMarker,
    Marker,
    OwnClaim,
    OwnMarker,
    Reading,
    claim_words,
    read,
    read_literally,
)
from groundwire.citations.reader import LACKS, ReadableSupport, with_reader
from groundwire.citations.report import (
    FAULTS,
    CitationRecord,
    CitationReport,
    CitationStatus,
    CitedClaimStatus,
    ClaimRecord,
    Figures,
    Finding,
    FoundBy,
    Records,
)
from groundwire.citations.risk_rules import Facts, Policy, RiskThresholds, decide
from groundwire.judge.protocol import HallucinationType
from groundwire.labels import check_choice
from groundwire.pair_scorer import PairScorer
from groundwire.search_results import Results, SearchResults, read_results
from groundwire.support_score import chosen_score

if TYPE_CHECKING:
    import os

    from groundwire.citations.support import ContradictionCandidate, Passages
    from groundwire.support_score import SupportScore

__all__ = [
    "assess_citations",
    "assess_claim",
    "assess_read",
    "check_policy",
    "check_settings",
    "find_claims",
    "mark_contradicted",
    "passages_of",
    "without_texts",
]

_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[[^\[\]]{1,40}\]|【[^【】]{1,40}】|\]\([^()\s]*\)")
_SAME_WORDS = 90.0
"""Minimum partial ratio at which the words of a judge refer to a claim."""


class _Support(ReadableSupport, Protocol):
    """
    Describes the support that all results give one claim.

    `score` returns the support by a result, 0.0 to 1.0, or None if it cannot be computed; `status` returns "supported",
    "unsupported" or "contradicted"; `missing` returns the words of the claim without a counterpart in a result;
    `is_supported_by_parts` tells whether each clause is supported by one of several results; `contradiction_kind`
    returns the kind of difference, "number", "date" or "negation", or None; `contradiction` has its place as well.
    """

    def status(self, place: int, /) -> str: ...
    def contradiction_kind(self, place: int, /) -> str | None: ...
    def contradiction(self, place: int, /) -> "ContradictionCandidate | None": ...
    def missing(self, place: int, /) -> tuple[str, ...]: ...
    def is_supported_by_parts(self, places: Sequence[int], /) -> bool: ...
    def score(self, place: int, /) -> float | None: ...


class _Standing(NamedTuple):
    status: CitedClaimStatus
    support: float | None = None
    better: int | None = None
    fault: FoundBy | None = None
    missing: tuple[str, ...] = ()
    contradicting: int | None = None


_UNREAD = _Standing(CitedClaimStatus.UNREAD)
_UNCITED = _Standing(CitedClaimStatus.UNCITED)


def _record_of(
    text: str,
    claim: Claim,
    markers: Sequence[Marker],
    cited: "_Cited",
    results: Results,
    support: _Support | None,
    limits: RiskThresholds,
    is_uncited: bool,
) -> ClaimRecord:
    """Return the record of *claim*, with its *markers* and its *text*."""
    valid = cited.ids
    invalid = tuple(dict.fromkeys([id_ for marker in markers for id_ in marker.invalid_ids]))
    standing = _standing(cited, results, support, limits)
    findings = [
        Finding(HallucinationType.INVALID_CITATION, FoundBy.NO_SUCH_ID, marker.start, marker.end)
        for marker in markers
        if marker.invalid_ids
    ]
    if is_uncited:
        findings.append(Finding(HallucinationType.UNCITED_CLAIM, FoundBy.NO_CITATION, claim.start, claim.end))
    if standing.fault is not None:
        findings.append(Finding(FAULTS[standing.fault], standing.fault, claim.start, claim.end))
    return ClaimRecord(
        text,
        claim.start,
        claim.end,
        valid,
        invalid,
        tuple([id_ for id_ in valid if id_ not in results.by_id and id_ in results.by_parent]),
        is_uncited,
        standing.status,
        standing.support,
        None if standing.better is None else results.name(standing.better),
        tuple(findings),
        standing.missing,
        contradiction=_contradiction(text, standing.contradicting, results, support),
    )


def _contradiction(text: str, place: int | None, results: Results, support: _Support | None) -> tuple[str, str] | None:
    """Return the words of a claim and of the result at *place* that contradict each other; None without a place."""
    passage = None if place is None else results.passages[place]
    found = None if place is None or support is None else support.contradiction(place)
    if found is None or passage is None:
        return None
    return text[found.claim_start : found.claim_end], passage[found.passage_start : found.passage_end]


class _Cited(NamedTuple):
    """Return the ids that a claim cites, each once, and the indexes of their results, in order."""

    ids: tuple[str, ...]
    places: list[int]

    @classmethod
    def of(cls, markers: Sequence[Marker], results: Results) -> "_Cited":
        ids = tuple(dict.fromkeys([id_ for marker in markers for id_ in marker.valid_ids]))
        return cls(ids, sorted({place for id_ in ids for place in results.places(id_)}))


def _standing(cited: _Cited, results: Results, support: _Support | None, limits: RiskThresholds) -> _Standing:
    if support is None:
        return _UNREAD if cited.ids else _UNCITED
    best = _best(cited.places, support)
    own = None if best is None else _best([place for place in cited.places if _is_supported(support, place)], support)
    if own is not None:
        return _Standing(CitedClaimStatus.SUPPORTED, own[0])
    if not cited.ids:
        other = _best_other(cited, results, support)
        return _UNCITED if other is None else _UNCITED._replace(better=other)
    if best is None:
        return _UNREAD
    score, nearest = best
    for place in cited.places:
        if (kind := support.contradiction_kind(place)) is not None:
            return _Standing(CitedClaimStatus.CONTRADICTED, score, None, FoundBy(kind), support.missing(place), place)
    if support.is_supported_by_parts(cited.places):
        return _Standing(CitedClaimStatus.SUPPORTED, score)
    missing = support.missing(nearest)
    if (other := _best_other(cited, results, support)) is not None:
        return _Standing(CitedClaimStatus.MISATTRIBUTED, score, other, FoundBy.OTHER_SOURCE, missing)
    # A passage that cannot be compared may support or contradict the claim (ruling B15).
    if any(support.score(place) is None for place in cited.places):
        return _UNREAD._replace(support=score)
    if score >= limits.weak_from:
        return _Standing(CitedClaimStatus.WEAK, score, None, FoundBy.PARTIAL_SUPPORT, missing)
    return _Standing(CitedClaimStatus.UNSUPPORTED, score, None, FoundBy.LOW_SUPPORT, missing)


def _best_other(cited: _Cited, results: Results, support: _Support) -> int | None:
    """Return the index of the best result that supports a claim and is not cited; None if there is none."""
    others = sorted(set(range(len(results.passages))).difference(cited.places))
    best = _best([place for place in others if _is_supported(support, place)], support)
    return None if best is None else best[1]


def _is_supported(support: _Support, place: int) -> bool:
    return support.status(place) == "supported"


def _best(places: Iterable[int], support: _Support) -> tuple[float, int] | None:
    """Return the highest score of these results and its index, the first of equals; None if none can be compared."""
    read = [(-score, place) for place in places if (score := support.score(place)) is not None]
    if not read:
        return None
    score, place = min(read)
    return -score, place


def _best_score(places: Iterable[int], support: _Support) -> float | None:
    """Return the highest score of the results at *places*; None if none can be compared."""
    best = _best(places, support)
    return None if best is None else best[0]


def find_claims(words: str, claims: Sequence[ClaimRecord]) -> list[int]:
    """
    Return the indexes of the claims that a judge refers to by *words*, without citations and typography.

    These are all claims that contain the words, or that the words contain; otherwise the most similar claim, if it is
    similar enough.
    """
    wanted = _plain_words(words)
    if not wanted:
        return []
    texts = [_plain_words(claim.text) for claim in claims]
    found = [place for place, text in enumerate(texts) if _has_words(text, wanted) or _has_words(wanted, text)]
    # A part of a word would be similar to every claim with that word.
    if found or not texts or len(wanted) <= CLAIM_CHARS:
        return found
    score, place = max((partial_ratio(wanted, text), -place) for place, text in enumerate(texts))
    return [-place] if score >= _SAME_WORDS else []


def mark_contradicted(claim: ClaimRecord) -> ClaimRecord:
    """Return *claim* marked as contradicted, as a judge proved (ruling B17)."""
    finding = Finding(HallucinationType.CONTRADICTION, FoundBy.JUDGE, claim.start, claim.end)
    if finding in claim.findings:
        return claim
    # A contradicted claim has no other finding about its support.
    others = tuple(each for each in claim.findings if each.found_by not in LACKS)
    return claim._replace(status=CitedClaimStatus.CONTRADICTED, findings=(*others, finding))


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(normalize(_CITATION.sub(" ", text), profile="typographic")))


def _has_words(text: str, words: str) -> bool:
    if not words or words not in text:
        return False
    # Languages without spaces have no word boundaries.
    return not words.isascii() or f" {words} " in f" {text} "


_DEFAULT = RiskThresholds()
# Statuses of claims whose cited passages were read.
_READ = frozenset(CitedClaimStatus) - {CitedClaimStatus.UNCITED, CitedClaimStatus.UNREAD}


def assess_citations(
    answer: str,
    results: SearchResults,
    *,
    policy: str = "coverage",
    settings: RiskThresholds | None = None,
    score: "SupportScore | str | os.PathLike[str] | None" = None,
    reader: PairScorer | None = None,
) -> CitationReport:
    """
    Assess the citations and claims of *answer*, and return its risk.

    Args:
        answer: The answer of a model, plain or Markdown, with citations in brackets.
        results: The search results that the model received: mappings with `id`, `parent_id`
            and a passage under `content`, `text`, `page_content`, `passage`, `snippet`,
            `body`, `chunk` or `matches`, or inside `document`, `node`, `metadata` and the
            like; or documents of LangChain or LlamaIndex. A claim that cites a result
            without a text is `unread` (ruling B15). Anomalies are counted in `anomalies`.
        policy: "coverage" reads prose, sentences and citations as people do, and decides
            by the share of claims with a citation (rulings B1, B2, B3, B8). "spec" reads
            and decides as specified.
        settings: Limits of the risk levels; None for the defaults.
        score: A score of support, or the file of one that `groundwire calibrate --fit` writes; None for the shipped
            one.
        reader: A model that reads claims and the passages that they cite, such as
            `groundwire.onnx_models.OnnxPairScorer`. It may find support that the wording does not show, but never
            for a claim that the rules find contradicted; see `ClaimRecord.reader`.

    Raises:
        ModelError: The reader failed.
        TypeError: *answer* is not a str, or *results* is not a sequence of mappings and document objects.
        ValueError: The *policy* is unknown.
        SupportScoreError, OSError: The file *score* cannot be used.
    """
    check_answer(answer)
    rules = check_policy(policy)
    limits = check_settings(settings)
    known = read_results(results)
    return assess_read(answer, known, passages_of(known, score), rules, limits, reader)


def assess_read(
    answer: str,
    known: Results,
    passages: "Passages | None",
    rules: Policy,
    limits: RiskThresholds,
    reader: PairScorer | None = None,
) -> CitationReport:
    """Do the same as `assess_citations` with results that are already read and *passages* that are prepared."""
    if rules is Policy.SPEC:
        figures, parts = read_literally(answer, known.literal_ids())
    else:
        figures, parts = read(answer, known)
    make = partial(_records, answer, parts, known, passages, limits, reader)
    # The level depends on support by the passages. Without passages, the records are not needed yet.
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
        support_score=None if passages is None else passages.score.identity,
        make_ratio=lambda: literal_ratio(answer, known.literal_ids()),
        make_records=make if records is None else lambda: records,
    )


def assess_claim(
    text: str,
    ids: Sequence[str],
    known: Results,
    passages: "Passages | None",
    limits: RiskThresholds,
) -> ClaimRecord:
    """
    Return the record of a claim whose citations are given beside it, as in structured output.

    Args:
        text: The claim, without citations.
        ids: The ids that it cites.
        known: The results that may be cited.
        passages: Their passages; see `passages_of`.
        limits: Limits of the statuses.
    """
    cited = tuple(dict.fromkeys(ids))
    valid = tuple(id_ for id_ in cited if known.places(id_))
    invalid = tuple(id_ for id_ in cited if id_ not in valid)
    marker = OwnMarker(len(text), len(text), cited, valid, invalid)
    places = _Cited.of([marker], known)
    [support] = _supports([text], passages, [places.places])
    claim = OwnClaim(0, len(text), [0], is_long=True)
    return _record_of(text, claim, [marker], places, known, support, limits, is_uncited=not cited)


def check_policy(policy: str) -> Policy:
    """
    Return the policy with this name.

    Raises:
        TypeError: *policy* is not a str.
        ValueError: The policy is unknown.
    """
    return check_choice("policy", policy, Policy)


def check_settings(settings: RiskThresholds | None) -> RiskThresholds:
    """
    Return *settings*, or the defaults for None.

    Raises:
        TypeError: *settings* has another type.
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
        unsupported=statuses.count(CitedClaimStatus.UNSUPPORTED),
        misattributed=statuses.count(CitedClaimStatus.MISATTRIBUTED),
        contradicted=statuses.count(CitedClaimStatus.CONTRADICTED),
        unread=statuses.count(CitedClaimStatus.UNREAD)
        + sum(1 for each in records.citations if _is_unread(each, known)),
    )


def without_texts(facts: Facts, valid: int, covered: int) -> Facts:
    """Return *facts* for an answer whose results have no text, so that its citations cannot be read (ruling B15)."""
    return facts._replace(unread=covered or valid, has_text=False)


def _is_unread(citation: CitationRecord, known: Results) -> bool:
    """Tell whether a citation belongs to no claim and its result has no text."""
    return citation.status is CitationStatus.VALID and not citation.claims and not known.has_text(citation.id)


def passages_of(known: Results, score: "SupportScore | str | os.PathLike[str] | None" = None) -> "Passages | None":
    """Return the passages of the results, prepared for *score*; None without passages."""
    # Loads the score first, so that its errors are raised even without passages.
    chosen = None if score is None else chosen_score(score)
    if not known.has_passages():
        return None
    # Imported late, because answers without passages need no word lists and readings.
    from groundwire.citations.support import Passages

    return Passages(known.passages, score=chosen)


def _supports(
    claims: Sequence[str], passages: "Passages | None", cited: Sequence[Sequence[int]]
) -> Sequence[_Support | None]:
    """Return the support of each claim, without its citations; None for claims that are not compared."""
    # Most claims are supported by their cited passages, so other passages are compared only on demand.
    return [None] * len(claims) if passages is None else passages.support(claims, cited)


def _records(
    answer: str,
    parts: Callable[[], Reading],
    known: Results,
    passages: "Passages | None",
    limits: RiskThresholds,
    reader: PairScorer | None,
) -> Records:
    reading = parts()
    markers_of = [[reading.markers[place] for place in claim.markers] for claim in reading.claims]
    words = [
        claim_words(reading.text, claim.start, claim.end, markers)
        for claim, markers in zip(reading.claims, markers_of, strict=True)
    ]
    cited = [_Cited.of(markers, known) for markers in markers_of]
    supports = _supports(words, passages, [each.places for each in cited])
    claims = tuple(
        [
            _record_of(answer[claim.start : claim.end], claim, markers, own, known, support, limits, is_uncited)
            for claim, markers, own, support, is_uncited in zip(
                reading.claims, markers_of, cited, supports, reading.uncited, strict=True
            )
        ]
    )
    if reader is not None and passages is not None:
        claims = with_reader(claims, supports, [each.places for each in cited], known.passages, limits, reader)
    return Records(claims, tuple(_citations(reading, known, supports)))


def _citations(reading: Reading, known: Results, supports: Sequence[_Support | None]) -> Iterator[CitationRecord]:
    """Yield each id of each marker."""
    claims_of: dict[int, list[int]] = {}
    for number, claim in enumerate(reading.claims):
        for place in claim.markers:
            claims_of.setdefault(place, []).append(number)
    for place, marker in enumerate(reading.markers):
        claims = tuple(claims_of.get(place, ()))
        # Sets, because a range such as [1-900] has many ids.
        valid, invalid = {*marker.valid_ids}, {*marker.invalid_ids}
        for id_ in marker.ids:
            if id_ in valid:
                is_link = isinstance(marker, LinkMarker)
                matched_by = "url" if is_link else "id" if id_ in known.by_id else "parent_id"
                scores = [_best_score(known.places(id_), support) for number in claims if (support := supports[number])]
                best = max((score for score in scores if score is not None), default=None)
                yield CitationRecord(id_, marker.start, marker.end, CitationStatus.VALID, matched_by, claims, best)
            else:
                status = CitationStatus.INVALID if id_ in invalid else CitationStatus.IGNORED
                yield CitationRecord(id_, marker.start, marker.end, status, None, claims, None)

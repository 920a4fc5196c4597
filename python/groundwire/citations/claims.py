"""How one claim stands to what it cites: which ids are there, what the passages support, and what is wrong."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from groundwire._engine import normalize, partial_ratio
from groundwire.citations.literal import CLAIM_CHARS
from groundwire.citations.reading import Claim, Marker
from groundwire.citations.report import FAULTS, ClaimRecord, ClaimStatus, Finding, FoundBy
from groundwire.citations.thresholds import RiskThresholds
from groundwire.judgement import HallucinationType
from groundwire.search_results import Results

__all__ = ["Support", "best_score", "find_claims", "mark_contradicted", "record_of"]

_WORD = re.compile(r"\w+")
_CITATION = re.compile(r"\[[^\[\]]{1,40}\]|【[^【】]{1,40}】|\]\([^()\s]*\)")
_LACKS = frozenset({FoundBy.LOW_SUPPORT, FoundBy.PARTIAL_SUPPORT, FoundBy.OTHER_SOURCE})
_SAME_WORDS = 90.0
"""From this partial ratio on, the words of a judge are those of a claim."""


class Support(Protocol):
    """
    What all results together support of one claim.

    `score` says how much of the claim a result has, 0.0 to 1.0, None if that cannot be said;
    `statuses` whether it says what the claim says: "supported", "unsupported" or "contradicted";
    `missing` which words of the claim have no counterpart there;
    `contradictions` what differs there: "number", "date" or "negation"; None if nothing.
    """

    @property
    def statuses(self) -> Sequence[str]: ...
    @property
    def contradictions(self) -> Sequence[str | None]: ...
    def missing(self, place: int) -> tuple[str, ...]: ...
    def score(self, place: int, /) -> float | None: ...


class _Standing(NamedTuple):
    status: ClaimStatus
    support: float | None = None
    better: int | None = None
    fault: FoundBy | None = None
    missing: tuple[str, ...] = ()


_UNREAD = _Standing(ClaimStatus.UNREAD)
_UNCITED = _Standing(ClaimStatus.UNCITED)


def record_of(
    text: str,
    claim: Claim,
    markers: Sequence[Marker],
    results: Results,
    support: Support | None,
    limits: RiskThresholds,
    is_uncited: bool,
) -> ClaimRecord:
    """Return what is said of *claim*; *markers* are its own, *text* its words."""
    valid = tuple(dict.fromkeys([id_ for marker in markers for id_ in marker.valid_ids]))
    invalid = tuple(dict.fromkeys([id_ for marker in markers for id_ in marker.invalid_ids]))
    standing = _standing(valid, results, support, limits)
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
    )


def _standing(valid: Sequence[str], results: Results, support: Support | None, limits: RiskThresholds) -> _Standing:
    if support is None:
        return _UNREAD if valid else _UNCITED
    cited = {place for id_ in valid for place in results.places(id_)}
    supporting = [place for place, status in enumerate(support.statuses) if status == "supported"]
    other = _best([place for place in supporting if place not in cited], support)
    if not valid:
        return _UNCITED if other is None else _UNCITED._replace(better=other[1])
    best = _best(cited, support)
    if best is None:
        return _UNREAD
    score, nearest = best
    if (own := _best(cited.intersection(supporting), support)) is not None:
        return _Standing(ClaimStatus.SUPPORTED, own[0])
    for place in sorted(cited):
        if (kind := support.contradictions[place]) is not None:
            return _Standing(ClaimStatus.CONTRADICTED, score, None, FoundBy(kind), support.missing(place))
    missing = support.missing(nearest)
    if other is not None:
        return _Standing(ClaimStatus.MISATTRIBUTED, score, other[1], FoundBy.OTHER_SOURCE, missing)
    # A passage that could not be compared may support the claim, or contradict it (ruling B15).
    if any(support.score(place) is None for place in cited):
        return _UNREAD._replace(support=score)
    if score >= limits.weak_from:
        return _Standing(ClaimStatus.WEAK, score, None, FoundBy.PARTIAL_SUPPORT, missing)
    return _Standing(ClaimStatus.UNSUPPORTED, score, None, FoundBy.LOW_SUPPORT, missing)


def _best(places: Iterable[int], support: Support) -> tuple[float, int] | None:
    """The highest score of these results and its place, the first of equals; None if none can be compared."""
    read = [(-score, place) for place in places if (score := support.score(place)) is not None]
    if not read:
        return None
    score, place = min(read)
    return -score, place


def best_score(places: Iterable[int], support: Support) -> float | None:
    """Return the highest score of the results at *places*; None if none of them can be compared."""
    best = _best(places, support)
    return None if best is None else best[0]


def find_claims(words: str, claims: Sequence[ClaimRecord]) -> list[int]:
    """
    Return the places of the claims that a judge means by *words*, citations and typography aside.

    These are all that have the words, or that the words have; else the most similar one, if it is similar enough.
    """
    wanted = _plain_words(words)
    if not wanted:
        return []
    texts = [_plain_words(claim.text) for claim in claims]
    found = [place for place, text in enumerate(texts) if _has_words(text, wanted) or _has_words(wanted, text)]
    # A part of a word is similar to whatever has the word.
    if found or not texts or len(wanted) <= CLAIM_CHARS:
        return found
    score, place = max((partial_ratio(wanted, text), -place) for place, text in enumerate(texts))
    return [-place] if score >= _SAME_WORDS else []


def mark_contradicted(claim: ClaimRecord) -> ClaimRecord:
    """Return *claim* as one that a judge shows to be contradicted (ruling B17)."""
    finding = Finding(HallucinationType.CONTRADICTION, FoundBy.JUDGE, claim.start, claim.end)
    if finding in claim.findings:
        return claim
    # What is contradicted lacks support in no other way.
    others = tuple(each for each in claim.findings if each.found_by not in _LACKS)
    return claim._replace(status=ClaimStatus.CONTRADICTED, findings=(*others, finding))


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(normalize(_CITATION.sub(" ", text), profile="typographic")))


def _has_words(text: str, words: str) -> bool:
    if not words or words not in text:
        return False
    # Languages without spaces have no word to be the middle of.
    return not words.isascii() or f" {words} " in f" {text} "

"""
Adds the scores of a model that reads claim and passage to the results of the rules.

The model scores claims whose cited passages lack their wording. It never overrules a contradiction. It does not read a
passage that lacks a name or a number of the claim, has its words in other roles, or lacks words that the claim quotes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from groundwire.citations.report import FAULTS, CitedClaimStatus, ClaimRecord, Finding, FoundBy
from groundwire.pair_scorer import MAX_PASSAGES, PairScorer, ReaderScore, read_best

if TYPE_CHECKING:
    from groundwire.citations.risk_rules import RiskThresholds

__all__ = ["LACKS", "ReadableSupport", "with_reader"]

LACKS = frozenset({FoundBy.LOW_SUPPORT, FoundBy.PARTIAL_SUPPORT, FoundBy.OTHER_SOURCE})
"""Findings of claims that lack support and are not contradicted."""

_OPEN = frozenset({CitedClaimStatus.WEAK, CitedClaimStatus.UNSUPPORTED})


class ReadableSupport(Protocol):
    """Describes the support of one claim by wording: `groundwire.citations.support.Support`."""

    @property
    def claim(self) -> str: ...
    def score(self, place: int, /) -> float | None: ...
    def is_vetoed(self, place: int, /) -> bool: ...


def with_reader(
    claims: Sequence[ClaimRecord],
    supports: Sequence[ReadableSupport | None],
    cited: Sequence[Sequence[int]],
    passages: Sequence[str | None],
    limits: "RiskThresholds",
    reader: PairScorer,
) -> tuple[ClaimRecord, ...]:
    """
    Return *claims*, with a better status for those that the cited passages support according to *reader*.

    A claim is supported if its score reaches the reader's threshold, and weak if it reaches `limits.weak_from`.

    Args:
        claims: The rules' record of each claim.
        supports: Support by wording for each claim; None if it was not computed.
        cited: Indexes of the passages that each claim cites.
        passages: All passages.
        limits: Limits with the minimum score of weak support.
        reader: The model.

    Raises:
        ModelError: The reader failed.
    """
    asked: list[tuple[str, list[str]]] = []
    for claim, support, places in zip(claims, supports, cited, strict=True):
        texts: list[str] = []
        if support is not None and claim.status in _OPEN:
            read = [(-(support.score(place) or 0.0), place) for place in places if not support.is_vetoed(place)]
            chosen = [place for _, place in sorted(read)]
            texts = [text for place in chosen[:MAX_PASSAGES] if (text := passages[place])]
        asked.append(("" if support is None else " ".join(support.claim.split()), texts))
    return tuple(
        claim if score is None else _lifted(claim, score, limits)
        for claim, score in zip(claims, read_best(reader, asked), strict=True)
    )


def _lifted(claim: ClaimRecord, score: ReaderScore, limits: "RiskThresholds") -> ClaimRecord:
    others = tuple(each for each in claim.findings if each.found_by not in LACKS)
    if score.score >= score.threshold:
        return claim._replace(status=CitedClaimStatus.SUPPORTED, findings=others, missing=(), reader=score)
    if claim.status is CitedClaimStatus.UNSUPPORTED and score.score >= limits.weak_from:
        found_by = FoundBy.PARTIAL_SUPPORT
        finding = Finding(FAULTS[found_by], found_by, claim.start, claim.end)
        return claim._replace(status=CitedClaimStatus.WEAK, findings=(*others, finding), reader=score)
    return claim._replace(reader=score)

"""Support against plain containment, on claims that people judged."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from plain import containment, without_citations
from ranking import Ranking, areas, balanced_accuracy, gain
from sets import Claim, read_claims

from groundwire.calibration.measures import Bools
from groundwire.citations.support import Passages, Support

__all__ = ["claim_tables", "support_of_claim"]


def support_of_claim(claim: Claim) -> Support:
    """Return what the claim's own sources have of it."""
    passages = Passages([result["content"] for result in claim.results])
    return passages.support([without_citations(claim.text)])[0]


def best_score(claim: Claim) -> float:
    """The highest score of the claim's sources; 0 where nothing can be compared."""
    return max((score for score in support_of_claim(claim).scores if score is not None), default=0.0)


def claim_tables(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    claims = [claim for claim in read_claims(folder) if claim.results]
    ranking = Ranking.of([claim.support == "Complete" for claim in claims], [claim.question for claim in claims])
    plain = [containment(claim.text, [result["content"] for result in claim.results]) for claim in claims]
    scores = [best_score(claim) for claim in claims]
    has_passage = np.asarray([claim.has_passage for claim in claims])
    yield "| claims | Complete | containment | support | gain |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name, keep in (
        ("with a passage", has_passage),
        ("… even questions", has_passage & ranking.half(0)),
        ("… odd questions", has_passage & ranking.half(1)),
        ("with a passage or an address alone", has_passage | True),
        ("… even questions", ranking.half(0)),
        ("… odd questions", ranking.half(1)),
    ):
        yield _row(name, ranking, plain, scores, keep)
    yield ""
    balance, plain_balance = (balanced_accuracy(ranking, column, has_passage) for column in (scores, plain))
    yield f"Balanced accuracy with a passage: support {balance:.3f}, containment {plain_balance:.3f}."


def _row(name: str, ranking: Ranking, plain: list[float], scores: list[float], keep: Bools) -> str:
    cells = [areas(ranking, plain, keep), areas(ranking, scores, keep), gain(ranking, scores, plain, keep)]
    return f"| {name} | {ranking.is_good[keep].sum()} of {keep.sum()} | {' | '.join(map(str, cells))} |"

"""
The guarded rules in plain Python, as one would write them: what the engine has to be worth.

Reading the answer is the oracle of the tests.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oracles.answers import NaiveAnswer, NaiveClaim, read_answer_naive

__all__ = ["Assessed", "assess_plainly", "by_printed_lines"]


class Assessed(NamedTuple):
    """What decides."""

    total_claims: int
    covered: int
    uncited: int
    valid: list[str]
    invalid: list[str]


def assess_plainly(answer: str, results: Sequence[Mapping[str, Any]]) -> Assessed:
    """Return what the policy "coverage" counts."""
    ids = [str(result["id"]) for result in results]
    read = read_answer_naive(answer, ids)
    cited = [_valid_ids(read, claim) for claim in read.claims]
    items = [item for marker in read.markers for item in marker.items]
    return Assessed(
        len(read.claims),
        sum(map(bool, cited)),
        sum(claim.weight > 50 and not own for claim, own in zip(read.claims, cited, strict=True)),
        sorted({name for name, status in items if status == "valid"}),
        sorted({name for name, status in items if status == "invalid"}),
    )


def by_printed_lines(answer: str, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the specification's own lines count."""
    citations = set(re.findall(r"\[([^\]]+)\]", answer))
    known = set()
    for result in results:
        for key in ("id", "parent_id"):
            if key in result:
                known.add(result[key])
    claims = [sentence for sentence in re.split(r"[.!?]+", answer) if len(sentence.strip()) > 20]
    uncited = [
        sentence.strip()[:100]
        for sentence in claims
        if len(sentence.strip()) > 50 and not re.search(r"\[([^\]]+)\]", sentence)
    ]
    ratio = len(citations & known) / max(len(claims), 1)
    risk = 1.0 - min(ratio, 1.0)
    return {
        "has_hallucination_risk": risk > 0.3,
        "hallucination_risk_score": risk,
        "valid_citations": list(citations & known),
        "invalid_citations": list(citations - known),
        "uncited_sentences": uncited[:3],
        "citation_ratio": ratio,
    }


def _valid_ids(read: NaiveAnswer, claim: NaiveClaim) -> set[str]:
    return {name for index in claim.markers for name, status in read.markers[index].items if status == "valid"}

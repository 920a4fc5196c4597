"""The labelled sets: claims with passages, answers, and summaries with one edit."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Answer", "Claim", "Summary", "read_answers", "read_claims", "read_summaries"]

JUDGED = ("Complete", "Partial", "Incomplete", "Missing")

_SOURCE = re.compile(r"\s*\[([^\]\s]+)\]\s*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Claim:
    """
    A sentence of an answer, and what people said of its sources.

    Attributes:
        text: As written, with its citations.
        question: The number of the question.
        support: The label, one of `JUDGED`.
        results: What it cites: `id`, and the passage behind its address as `content`.
        has_passage: Whether one of them is more than an address.
    """

    id: str
    text: str
    question: int
    support: str
    results: tuple[dict[str, str], ...]
    has_passage: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, what it cites, and its claims that were judged."""

    text: str
    question: int
    results: tuple[dict[str, str], ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """
    A summary with at most one change, its document, and whether it is consistent with that.

    Attributes:
        name, number, domain: Of the document.
    """

    text: str
    document: str
    number: int
    is_consistent: bool
    name: str
    domain: str


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _question(name: str) -> int:
    found = _NUMBER.search(name)
    if found is None:
        raise ValueError("an id without a number")
    return int(found[0])


def _result(evidence: str) -> dict[str, str]:
    """`[id] address`, an empty line, and the passage."""
    source = _SOURCE.match(evidence)
    return {"id": source[1] if source else "", "content": evidence[source.end() :] if source else evidence}


def _is_more_than_address(result: dict[str, str]) -> bool:
    return bool(result["content"].partition("\n")[2].strip())


def read_claims(folder: Path) -> list[Claim]:
    """Return the claims that were judged: those without a label, or "N/A", are left out."""
    claims = []
    for row in _lines(folder / "expertqa_claims.jsonl"):
        if row["support"] in JUDGED:
            results = tuple(_result(evidence) for evidence in row["evidence"])
            has_passage = any(map(_is_more_than_address, results))
            claims.append(Claim(row["id"], row["claim"], _question(row["id"]), row["support"], results, has_passage))
    return claims


def read_answers(folder: Path) -> list[Answer]:
    """Return the answers with at least one claim that was judged; their passages are those of their claims."""
    claims = {claim.id: claim for claim in read_claims(folder)}
    answers = []
    for row in _lines(folder / "expertqa_answers.jsonl"):
        own = tuple(claims[name] for name in row["claim_ids"] if name in claims)
        results = {result["id"]: result for result in map(_result, row["attribution"])}
        for result in (result for claim in own for result in claim.results):
            if _is_more_than_address(result) or result["id"] not in results:
                results[result["id"]] = result
        if own:
            answers.append(Answer(row["answer"], _question(row["id"]), tuple(results.values()), own))
    return answers


def read_summaries(folder: Path) -> list[Summary]:
    """Return the summaries; the number of a document tells which belong together."""
    documents = {row["doc_id"]: row["text"] for row in _lines(folder / "summedits_docs.jsonl")}
    numbers = {name: number for number, name in enumerate(documents)}
    return [
        Summary(
            row["summary"],
            documents[row["doc_id"]],
            numbers[row["doc_id"]],
            row["label"] == 1,
            row["doc_id"],
            row.get("domain", ""),
        )
        for row in _lines(folder / "summedits.jsonl")
    ]

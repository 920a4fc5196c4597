"""Claims with passages and what people said of them: what the score of support is fitted on and measured by."""

import json
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import NamedTuple

from plain import without_citations
from sets import read_claims, read_summaries

from groundwire._engine import sentences

__all__ = ["SETS", "Case", "is_reported", "read_cases"]


class Case(NamedTuple):
    """
    A text that passages support or not.

    Attributes:
        claims: Its sentences; a summary has several, and is as good as its worst.
        passages: What they are compared with.
        is_open: Whether it may be fitted on: the reported halves of two sets may not.
    """

    claims: tuple[str, ...]
    passages: tuple[str, ...]
    is_supported: bool
    is_open: bool


SETS = {
    "WiCE": "support_wice_dev",
    "Q²": "support_q2",
    "Factcheck-GPT": "support_factcheck_gpt",
    "Breaking NLI": "support_breaking_nli",
    "ExpertQA": "expertqa_claims",
    "SummEdits": "summedits",
}
"""What people call each set, and its file."""

_SUPPORTED = {
    "support_wice_dev": "supported",
    # The label says whether a reply is inconsistent.
    "support_q2": "0",
    "support_factcheck_gpt": "completely-support",
    "support_breaking_nli": "entailment",
}


def is_reported(name: str) -> bool:
    """Tell whether what belongs to a document of this name is reported; the rest was looked at."""
    return md5(name.encode(), usedforsecurity=False).digest()[-1] % 2 == 1


def read_cases(folder: Path) -> dict[str, list[Case]]:
    """Return the cases of each of `SETS`."""
    return {name: list(_cases(folder, file)) for name, file in SETS.items()}


def _cases(folder: Path, file: str) -> Iterator[Case]:
    if file == "expertqa_claims":
        for claim in read_claims(folder):
            if claim.results and claim.has_passage:
                text = " ".join(without_citations(claim.text).split())
                passages = tuple(result["content"] for result in claim.results)
                yield Case((text,), passages, claim.support == "Complete", not is_reported(str(claim.question)))
    elif file == "summedits":
        for summary in read_summaries(folder):
            claims = tuple(text for start, end in sentences(summary.text) if (text := summary.text[start:end].strip()))
            yield Case(claims, (summary.document,), summary.is_consistent, not is_reported(summary.name))
    else:
        for line in (folder / f"{file}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Case((row["claim"],), tuple(row["passages"]), row["label"] == _SUPPORTED[file], is_open=True)

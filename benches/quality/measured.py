"""Claims with the score of each layer, and of measures that need no package of ours."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import md5

from plain import containment
from rapidfuzz.fuzz import partial_ratio

from groundwire.faithfulness import (
    ClaimResult,
    FaithfulnessResult,
    FaithfulnessValidator,
    PreparedSources,
    SupportEvidence,
)

__all__ = ["LAYERS", "RIVALS", "Scores", "is_reported", "scores_of", "validated"]

LAYERS = ("verbatim", "values", "lexical", "passage", "contradiction")
"""Layers, and the kinds of evidence of the lexical one that are rules of their own."""
RIVALS = ("word recall", "containment", "longest common row", "partial ratio")
"""The share of the claim's words; of those of content; ROUGE-L by recall, to the best stretch; RapidFuzz."""

_WORD = re.compile(r"[^\W_]+")
_ROW_WORDS = 120
_STEP = 60


@dataclass(frozen=True, slots=True)
class Scores:
    """What each layer says of a claim, all of them together, and what the rivals say; 0.0 to 1.0."""

    layers: dict[str, float]
    combined: float
    is_contradicted: bool
    rivals: dict[str, float]


def is_reported(name: str) -> bool:
    """Tell whether what belongs to a document of this name is reported; the rest was looked at."""
    return md5(name.encode(), usedforsecurity=False).digest()[-1] % 2 == 1


def scores_of(result: FaithfulnessResult, source: str) -> dict[str, Scores]:
    """Return the scores of each claim, by its path, and its place where a text has several."""
    found: dict[str, Scores] = {}
    for claim in result.claim_details:
        same = sum(path.partition("#")[0] == claim.details.path for path in found)
        found[f"{claim.details.path}#{same}"] = Scores(
            _by_layer(claim), claim.confidence, claim.contradicted, rivals_of(claim.details.value, source)
        )
    return found


def worst(scores: Sequence[Scores]) -> Scores:
    """A text is as good as its worst claim; one that claims nothing has nothing against it."""
    if not scores:
        return Scores(dict.fromkeys(LAYERS, 1.0), 1.0, False, dict.fromkeys(RIVALS, 1.0))
    return Scores(
        {name: min(each.layers[name] for each in scores) for name in LAYERS},
        min(each.combined for each in scores),
        any(each.is_contradicted for each in scores),
        {name: min(each.rivals[name] for each in scores) for name in RIVALS},
    )


def _by_layer(claim: ClaimResult) -> dict[str, float]:
    found = (*claim.evidence, *claim.near_misses)
    scores = {name: max((each.score for each in found if _name(each) == name), default=0.0) for name in LAYERS}
    return scores | {"contradiction": 0.0 if claim.contradicted else 1.0}


def _name(evidence: SupportEvidence) -> str:
    kind = str(evidence.kind)
    return kind if kind in LAYERS else str(evidence.layer)


def rivals_of(claim: str, source: str) -> dict[str, float]:
    """Return what simple measures say of *claim* against the whole *source*."""
    words = _words(claim)
    all_words, rows = _prepared(source)
    recall = sum(word in all_words for word in words) / len(words) if words else 0.0
    return {
        "word recall": recall,
        "containment": containment(claim, [source]),
        "longest common row": max((_common(words, row) for row in rows), default=0) / max(1, len(words)),
        "partial ratio": partial_ratio(claim.lower(), _lower(source)) / 100,
    }


def _words(text: str) -> list[str]:
    return [match[0] for match in _WORD.finditer(text.lower())]


@lru_cache(maxsize=4)
def _lower(source: str) -> str:
    return source.lower()


@lru_cache(maxsize=4)
def _prepared(source: str) -> tuple[frozenset[str], list[list[str]]]:
    words = _words(source)
    rows = [words[start : start + _ROW_WORDS] for start in range(0, max(1, len(words) - _STEP), _STEP)]
    return frozenset(words), rows


def _common(words: Sequence[str], row: Sequence[str]) -> int:
    """The length of the longest row of words that both have in this order, others between them."""
    before = [0] * (len(row) + 1)
    for word in words:
        current = [0]
        for place, other in enumerate(row):
            current.append(before[place] + 1 if word == other else max(before[place + 1], current[place]))
        before = current
    return before[-1]


def validated(text: str, sources: PreparedSources, source: str) -> Scores:
    """Return the scores of the worst claim of a text of prose."""
    result = FaithfulnessValidator().validate(persona={"summary": text}, source_data=sources)
    return worst(list(scores_of(result, source).values()))

"""
Applies the rule layer exactly as specified: brackets are compared with ids, and sentences end at full stops.

It returns the same as the specification's code, even where that misleads (rulings B1, B2, B3, B4); `assess_citations`
is the better rule. The implementation differs for two reasons: the specification's patterns take quadratic time on `[`
without `]`, and one `str.replace` is eight times as fast as one `re.split`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from groundwire.search_results import check_mappings

__all__ = [
    "CLAIM_CHARS",
    "LONG_CHARS",
    "NOTE_EMPTY",
    "NOTE_NO_CLAIMS",
    "check_answer",
    "detect_hallucination",
    "has_bracket",
    "literal_brackets",
    "literal_citations",
    "literal_pieces",
    "literal_ratio",
]

NOTE_EMPTY = "Answer is empty, cannot detect hallucinations"
NOTE_NO_CLAIMS = "No valid claims found, cannot detect hallucinations"

CLAIM_CHARS = 20
"""A stripped sentence with more characters than this is a claim."""
LONG_CHARS = 50
"""A claim with more characters than this needs a citation."""

_PREVIEWS = 3
_PREVIEW_CHARS = 100
_RISK_ABOVE = 0.3
_ID_KEYS = ("id", "parent_id")

_BRACKET = re.compile(r"\[([^\]]+)\]")


def detect_hallucination(answer: str, results: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """
    Return the risk of *answer*, with the rules and keys of the specification.

    Missing ids, and ids that are not a str, are ignored.

    Args:
        answer: The answer of a model, with citations such as `[id]`.
        results: The search results that the model received; `id` and `parent_id` of each are valid citations.

    Returns:
        `has_hallucination_risk`, `hallucination_risk_score` (0.0 to 1.0),
        `valid_citations` and `invalid_citations` (sorted, ruling B7),
        `uncited_sentences` (the first 3, 100 characters of each, ruling B6) and
        `citation_ratio` (distinct valid ids for each claim; may be above 1). For an
        empty answer, or one without claims, the first two and a `note`.

    Raises:
        TypeError: *answer* is not a str, or *results* is not a sequence of mappings.
    """
    # As specified, a missing answer, such as None, counts as an empty one.
    if not answer:
        return _no_risk(NOTE_EMPTY)
    check_answer(answer)
    if answer.isspace():
        return _no_risk(NOTE_EMPTY)
    cited = literal_citations(answer)
    known = {
        value for result in check_mappings(results) for key in _ID_KEYS if isinstance(value := result.get(key), str)
    }
    claims = 0
    uncited: list[str] = []
    for piece in literal_pieces(answer):
        sentence = piece.strip()
        if len(sentence) > CLAIM_CHARS:
            claims += 1
            if len(sentence) > LONG_CHARS and len(uncited) < _PREVIEWS and not has_bracket(piece):
                uncited.append(sentence[:_PREVIEW_CHARS])
    if not claims:
        return _no_risk(NOTE_NO_CLAIMS)
    ratio = len(cited & known) / claims
    risk = 1.0 - min(ratio, 1.0)
    return {
        # Computed in floats, so that a ratio of 0.7 is a risk (ruling B4).
        "has_hallucination_risk": risk > _RISK_ABOVE,
        "hallucination_risk_score": risk,
        "valid_citations": sorted(cited & known),
        "invalid_citations": sorted(cited - known),
        "uncited_sentences": uncited,
        "citation_ratio": ratio,
    }


def check_answer(answer: object) -> None:
    """
    Check the type of *answer*.

    Raises:
        TypeError: *answer* is not a str. The message names the type and no content.
    """
    if not isinstance(answer, str):
        raise TypeError(f"answer must be a str, got {type(answer).__name__}")


def literal_ratio(answer: str, known: Set[str]) -> float:
    """Return the specified `citation_ratio`; an answer without claims counts as if it had one."""
    cited = literal_citations(answer)
    claims = sum(len(piece.strip()) > CLAIM_CHARS for piece in literal_pieces(answer))
    return len(cited.intersection(known)) / max(claims, 1)


def literal_brackets(text: str) -> Iterable[re.Match[str]]:
    r"""
    Return the matches of `\[([^\]]+)\]` in *text*, in linear time.

    Nothing can match after the last `]`, and every `[` before it has a closing `]`.
    """
    return _BRACKET.finditer(text, 0, text.rfind("]") + 1)


def literal_citations(text: str) -> set[str]:
    """Return the texts inside the brackets that `literal_brackets` finds."""
    return {*_BRACKET.findall(text, 0, text.rfind("]") + 1)}


def has_bracket(text: str) -> bool:
    """Tell whether `literal_brackets` finds anything."""
    return _BRACKET.search(text, 0, text.rfind("]") + 1) is not None


def literal_pieces(text: str) -> list[str]:
    """Split *text* at each `.`, `!` and `?`; unlike `[.!?]+`, this leaves an empty part between two of them."""
    return text.replace("!", ".").replace("?", ".").split(".")


def _no_risk(note: str) -> dict[str, object]:
    return {"has_hallucination_risk": False, "hallucination_risk_score": 0.0, "note": note}

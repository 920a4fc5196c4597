"""
The rule layer as it is printed: brackets against ids, sentences cut at full stops.

It returns what the specification's code returns, also where that misleads (rulings
B1, B2, B3, B4); `assess_citations` is the better rule. It is written apart from that
code for two reasons: on `[` without a `]` its patterns take time in the square of the
length, and one `str.replace` is eight times as fast as one `re.split`.
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
"""A sentence longer than this, in characters and stripped, is a claim."""
LONG_CHARS = 50
"""A claim longer than this needs a citation."""

_PREVIEWS = 3
_PREVIEW_CHARS = 100
_RISK_ABOVE = 0.3
_ID_KEYS = ("id", "parent_id")

_BRACKET = re.compile(r"\[([^\]]+)\]")


def detect_hallucination(answer: str, results: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """
    Say how risky *answer* is, by the printed rules and with the printed keys.

    An id that is no str equals no citation, and is passed over; so is a missing one.

    Args:
        answer: What a model wrote, with citations such as `[id]`.
        results: What it was given; `id` and `parent_id` of each are valid citations.

    Returns:
        `has_hallucination_risk`, `hallucination_risk_score` (0.0 to 1.0),
        `valid_citations` and `invalid_citations` (sorted, ruling B7),
        `uncited_sentences` (the first 3, 100 characters of each, ruling B6) and
        `citation_ratio` (distinct valid ids for each claim; may be above 1). For an
        empty answer, or one without claims, the first two and a `note`.

    Raises:
        TypeError: *answer* is no str, or *results* no sequence of mappings.
    """
    # As printed, what is no answer at all, such as None, is an empty one.
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
        # Ruling B4: in floats, so that a ratio of 0.7 is a risk.
        "has_hallucination_risk": risk > _RISK_ABOVE,
        "hallucination_risk_score": risk,
        "valid_citations": sorted(cited & known),
        "invalid_citations": sorted(cited - known),
        "uncited_sentences": uncited,
        "citation_ratio": ratio,
    }


def check_answer(answer: object) -> None:
    """
    Refuse what is no answer.

    Raises:
        TypeError: *answer* is no str. Says what it is, and nothing of it.
    """
    if not isinstance(answer, str):
        raise TypeError(f"answer must be a str, got {type(answer).__name__}")


def literal_ratio(answer: str, known: Set[str]) -> float:
    """Return the printed `citation_ratio`, also of an answer without claims, which counts as if it had one."""
    cited = literal_citations(answer)
    claims = sum(len(piece.strip()) > CLAIM_CHARS for piece in literal_pieces(answer))
    return len(cited.intersection(known)) / max(claims, 1)


def literal_brackets(text: str) -> Iterable[re.Match[str]]:
    r"""
    Find what `\[([^\]]+)\]` finds in *text*, in time linear in its length.

    Behind the last `]` nothing can match, and before it every `[` finds its `]`.
    """
    return _BRACKET.finditer(text, 0, text.rfind("]") + 1)


def literal_citations(text: str) -> set[str]:
    """Return what stands in the brackets that `literal_brackets` finds."""
    return {*_BRACKET.findall(text, 0, text.rfind("]") + 1)}


def has_bracket(text: str) -> bool:
    """Tell whether `literal_brackets` finds anything."""
    return _BRACKET.search(text, 0, text.rfind("]") + 1) is not None


def literal_pieces(text: str) -> list[str]:
    """Cut *text* at each `.`, `!` and `?`; between two of them the piece is empty, where `[.!?]+` leaves none."""
    return text.replace("!", ".").replace("?", ".").split(".")


def _no_risk(note: str) -> dict[str, object]:
    return {"has_hallucination_risk": False, "hallucination_risk_score": 0.0, "note": note}

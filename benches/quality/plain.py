"""The measure that a score of support has to beat: the share of the claim's words of content that its passages have."""

import re
from collections.abc import Iterable
from pathlib import Path

__all__ = ["containment", "without_citations", "words_of"]

_WORD = re.compile(r"[^\W_]+")
_CITATION = re.compile(r"\[[^\[\]\n]*\]")
_SHORT = """
a all an and any are as at be but by can did do etc for had has he her him his how i if in is it its may me my no nor
not of off on or our out own s she so t the to too up us was way we who why you
"""
_LINES = (Path(__file__).parent / "common.txt").read_text(encoding="utf-8").splitlines()
_LONG = [word for line in _LINES if not line.startswith("#") for word in line.split()]
_COMMON = frozenset([*_LONG, *_SHORT.split()])


def without_citations(claim: str) -> str:
    """Return *claim* with white space in the place of its citations."""
    return _CITATION.sub(lambda match: " " * len(match[0]), claim)


def words_of(text: str) -> set[str]:
    """Return the different words of content of *text*, in small letters."""
    return set(_WORD.findall(text.lower())) - _COMMON


def containment(claim: str, passages: Iterable[str]) -> float:
    """Return the share of the distinct words of *claim* that occur in any of *passages*; 0 without words."""
    words = words_of(without_citations(claim))
    return len(words & words_of("\n".join(passages))) / len(words) if words else 0.0

"""Which quotes are accepted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from groundwire.evidence.options import check_threshold
from groundwire.evidence.verdicts import QuoteStatus
from groundwire.labels import show

__all__ = ["AcceptableName", "QuotePolicy"]

AcceptableName: TypeAlias = Literal["exact", "normalized", "near", "elided", "found_elsewhere"]

_ACCEPTABLE = frozenset(
    {
        QuoteStatus.EXACT,
        QuoteStatus.NORMALIZED,
        QuoteStatus.NEAR,
        QuoteStatus.ELIDED,
        QuoteStatus.FOUND_ELSEWHERE,
    }
)

_DEFAULT = _ACCEPTABLE - {QuoteStatus.FOUND_ELSEWHERE}


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePolicy:
    """
    Which quotes are accepted.

    Attributes:
        threshold: The least partial ratio of a quote that is near, 0.0 to 1.0.
        accept: Statuses that are accepted. `altered` and those that say that the
            quote is not there never are. Plain names do as well: "exact".
        min_chars: The least number of characters, normalised, of a quote that is accepted.
        min_words: The same in words; in Chinese, Japanese and Thai in characters (ruling A10).
        max_gap_chars: The most characters that an ellipsis may stand for.
        speakers: Who may be quoted, as `speaker_key` compares names; None for anybody.
            Needs a transcript.
        accept_truncated: Whether a quote is accepted beside which a condition, a
            limit or a negation of it stands. It is flagged either way.
        accept_across_turns: The same for a quote with words of several speakers.

    Raises:
        ValueError: A number out of its range, or a status that is never accepted.
        TypeError: A value is of another type.
    """

    threshold: float = 0.85
    accept: Collection[QuoteStatus | AcceptableName] = _DEFAULT
    min_chars: int = 1
    min_words: int = 1
    max_gap_chars: int = 500
    speakers: Collection[str] | None = None
    accept_truncated: bool = True
    accept_across_turns: bool = True

    def __post_init__(self) -> None:
        check_threshold(self.threshold, name="threshold")
        for name, least in (("min_chars", 1), ("min_words", 1), ("max_gap_chars", 0)):
            _check_at_least(least, getattr(self, name), name)
        for name in ("accept_truncated", "accept_across_turns"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be a bool, got {type(getattr(self, name)).__name__}")
        object.__setattr__(self, "accept", frozenset(map(_acceptable, _strings(self.accept, "accept"))))
        if self.speakers is not None:
            object.__setattr__(self, "speakers", frozenset(_strings(self.speakers, "speakers")))


def _check_at_least(least: int, value: object, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")


def _strings(values: object, name: str) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a collection of str, got {type(values).__name__}")
    strings = list(values)
    for value in strings:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a collection of str, has {type(value).__name__}")
    return strings


def _acceptable(status: str) -> QuoteStatus:
    if status not in _ACCEPTABLE:
        raise ValueError(f"accept must not have {show(status)}; allowed: {', '.join(sorted(_ACCEPTABLE))}")
    return QuoteStatus(status)

"""Up to which threshold a policy accepts a quote."""

from collections.abc import Callable, Sequence

from groundwire._engine import Source
from groundwire.calibration.pairs import LabelledPairs
from groundwire.evidence import QuotePolicy, QuoteStatus, QuoteVerdict, assess_quotes

__all__ = ["LOWEST_THRESHOLD", "available_policies", "score_pairs"]

LOWEST_THRESHOLD = 0.5
"""Settings take no lower one (ruling A11)."""

Scorer = Callable[[Sequence[str], str, int], list[float]]
"""Quotes, a source and the number of workers to a score for each quote."""


def available_policies() -> list[str]:
    """Return the names of the policies that can be calibrated."""
    return [*_SCORERS]


def score_pairs(
    pairs: LabelledPairs,
    policy: str,
    *,
    workers: int = 1,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[float]:
    """
    Return for each quote the highest threshold at which *policy* accepts it.

    It is 0.0 for a quote that is accepted at no threshold from 0.5 on. With policy
    "fuzzy" it is the score of the literal rule's fuzzy mode.

    Args:
        pairs: The quotes and their sources, each of which is prepared once.
        policy: One of `available_policies`.
        workers: Threads of the engine.
        on_progress: Called with the number of quotes just done.

    Raises:
        ValueError: An unknown *policy*.
    """
    if policy not in _SCORERS:
        raise ValueError(f"policy must be one of {', '.join(_SCORERS)}")
    by_source: list[list[int]] = [[] for _ in pairs.sources]
    for quote, source in enumerate(pairs.at):
        by_source[source].append(quote)
    scores = [0.0] * len(pairs.quotes)
    for text, members in zip(pairs.sources, by_source, strict=True):
        found = _SCORERS[policy]([pairs.quotes[member] for member in members], text, workers)
        for member, score in zip(members, found, strict=True):
            scores[member] = score
        on_progress(len(members))
    return scores


def _fuzzy(quotes: Sequence[str], text: str, workers: int) -> list[float]:
    matches = Source(text).ground(quotes, mode="fuzzy", threshold=LOWEST_THRESHOLD, workers=workers)
    return [0.0 if match is None else match.score for match in matches]


def _guarded(quotes: Sequence[str], text: str, _workers: int) -> list[float]:
    source = Source(text, profile="typographic")
    lowest, highest = (
        assess_quotes(quotes, source, policy=QuotePolicy(threshold=threshold)) for threshold in (LOWEST_THRESHOLD, 1.0)
    )
    # The same words in another form are accepted at any threshold.
    return [1.0 if top.accepted else _accepted_up_to(low) for low, top in zip(lowest, highest, strict=True)]


def _accepted_up_to(verdict: QuoteVerdict) -> float:
    """Return the score of what is accepted for its score, and 1.0 of what is accepted at any threshold."""
    if not verdict.accepted:
        return 0.0
    return verdict.match.score if verdict.match and verdict.status is QuoteStatus.NEAR else 1.0


_SCORERS: dict[str, Scorer] = {"fuzzy": _fuzzy, "guarded": _guarded}

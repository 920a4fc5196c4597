"""Verdicts on quotes in several sources: the best one, or where else a quote stands than in the cited one."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.verdicts import QuoteStatus, QuoteVerdict, Reason
from groundwire.sources import Sources

__all__ = ["assess_in_several"]

_BEST_FIRST = (
    QuoteStatus.EXACT,
    QuoteStatus.NORMALIZED,
    QuoteStatus.NEAR,
    QuoteStatus.ELIDED,
    QuoteStatus.FOUND_ELSEWHERE,
    QuoteStatus.ALTERED,
    QuoteStatus.WRONG_SPEAKER,
    QuoteStatus.ABSENT,
    QuoteStatus.BLANK,
)
_NOT_SAID = frozenset({QuoteStatus.ALTERED, QuoteStatus.WRONG_SPEAKER, QuoteStatus.ABSENT})
"""Statuses of what a source does not say, though it may say something like it."""
_FOUND = frozenset({QuoteStatus.EXACT, QuoteStatus.NORMALIZED, QuoteStatus.FOUND_ELSEWHERE})
"""Statuses of what no other source has better; one that has the words inside longer ones may say nearly that."""


def assess_in_several(
    quotes: Sequence[str],
    sources: Sources,
    assess: Callable[[list[str], int], list[QuoteVerdict]],
    *,
    policy: QuotePolicy,
    cited: int | None,
    workers: int,
) -> list[QuoteVerdict]:
    """
    Return the best verdict on each quote: accepted, then by status, score and order of the sources.

    Sources that have a quote's words are asked first; if they stand in none of them as
    words, but inside others, all others. With a cited source, they are asked for what that one does not say.

    Args:
        quotes: The quotes.
        sources: At least one.
        assess: The verdicts on quotes in the source at a place.
        policy: Whether what is found elsewhere is accepted.
        cited: The place of the cited source.
        workers: Threads to look for holders with.
    """
    best = {} if cited is None else dict(enumerate(assess(list(quotes), cited)))
    open_ = _not_said(range(len(quotes)), best)
    holders = sources.ground([quotes[number] for number in open_], workers=workers)
    held = {number: {holder.index for holder in each} for number, each in zip(open_, holders, strict=True)}
    for is_held in (True, False):
        asked = [number for number in open_ if number not in best or best[number].status not in _FOUND]
        for place in range(len(sources)):
            numbers = [number for number in asked if (place in held[number]) is is_held]
            if not numbers or place == cited:
                continue
            for number, verdict in zip(numbers, assess([quotes[number] for number in numbers], place), strict=True):
                if cited is not None and verdict.accepted:
                    best[number] = min(best[number], _elsewhere(verdict, policy), key=_rank)
                elif cited is None:
                    best[number] = min(best.get(number, verdict), verdict, key=_rank)
    return [best[number] for number in range(len(quotes))]


def _not_said(numbers: Sequence[int], best: dict[int, QuoteVerdict]) -> list[int]:
    return [number for number in numbers if number not in best or best[number].status in _NOT_SAID]


def _elsewhere(verdict: QuoteVerdict, policy: QuotePolicy) -> QuoteVerdict:
    """The verdict of a source that was not cited and has the quote so that it would be accepted there."""
    status = QuoteStatus.FOUND_ELSEWHERE
    reasons = (Reason.NOT_IN_CITED_SOURCE, *verdict.reasons)
    return replace(verdict, status=status, accepted=status in policy.accept, reasons=reasons)


def _rank(verdict: QuoteVerdict) -> tuple[bool, int, float, bool]:
    """Lower ones are better."""
    is_longer = Reason.LONGER_THAN_SOURCE in verdict.reasons
    return (not verdict.accepted, _BEST_FIRST.index(verdict.status), -(verdict.score or 0.0), is_longer)

"""Splits long contexts into windows that end with sentences, and scores pairs by their best window."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from groundwire import _engine

__all__ = ["MIN_CONTEXT_TOKENS", "best_of_windows", "checked_pair", "estimated_tokens", "windows_of"]

MIN_CONTEXT_TOKENS = 64
"""
The room that a passage keeps beside its claim or answer, in tokens, if the model allows it. Longer claims are refused.
"""

# The number of windows that are created, sorted by length and computed at once.
_WINDOWS_AT_ONCE = 256

# The share of a window that overlaps the previous one, because important text may cross a boundary.
_OVERLAP = 0.25

# In English text, four characters of a word are at most one token, for any tokenizer.
_ESTIMATED = re.compile(r"\w{1,4}|[^\w\s]")


def best_of_windows(
    pairs: Iterable[tuple[str, str]],
    windows: Callable[[str, str], Sequence[str]],
    run: Callable[[Sequence[tuple[str, str]]], Sequence[float]],
) -> list[float]:
    """
    Return the best score of the windows of each pair of context and claim; 0.0 for a blank context.

    Args:
        pairs: The pairs of context and claim.
        windows: Returns the windows of a context beside its claim.
        run: Returns the score of each pair of window and claim, for at most 256 pairs.

    Raises:
        TypeError: A pair is not two strings.
        ValueError: A claim is blank.
    """
    given = [checked_pair(pair) for pair in pairs]
    best = [0.0] * len(given)
    asked = (
        (place, (window, claim))
        for place, (context, claim) in enumerate(given)
        if context and not context.isspace()
        for window in windows(context, claim)
    )
    while some := list(islice(asked, _WINDOWS_AT_ONCE)):
        for (place, _), score in zip(some, run([pair for _, pair in some]), strict=True):
            best[place] = max(best[place], score)
    return best


def estimated_tokens(text: str) -> list[tuple[int, int]]:
    """Return estimated token spans of *text*, rather too many than too few, for models with an unknown tokenizer."""
    return [found.span() for found in _ESTIMATED.finditer(text)]


def windows_of(text: str, tokens: Sequence[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """
    Return the span of *text*, or the spans of windows that together have all tokens of a long text.

    Windows overlap by a quarter, or by less to keep sentences whole. Only a sentence longer than a window is split,
    between words if possible. Takes linear time.

    Args:
        tokens: The spans of its tokens, in order.
        limit: The maximum number of tokens of a window, at least 1.
    """
    count = len(tokens)
    if count <= limit:
        return [(0, len(text))]
    places = list(_places(text, tokens, limit))
    windows = []
    start = 0
    while True:
        end = places[bisect_right(places, start + limit) - 1]
        windows.append((tokens[start][0], tokens[end - 1][1]))
        if end == count:
            return windows
        # The next window must add something, and it can always start where this one ends.
        new = places[bisect_right(places, end)]
        start = places[bisect_left(places, max(end - int(limit * _OVERLAP), new - limit, start + 1))]


def _places(text: str, tokens: Sequence[tuple[int, int]], limit: int) -> Iterator[int]:
    """Return token indices at which windows may start or end: 0, the count, and others at most *limit* apart."""
    starts = [start for start, _ in tokens]
    sentences = {bisect_left(starts, start) for start, _ in _engine.sentences(text)}
    yield 0
    last = 0
    for place in sorted({*sentences, len(tokens)} - {0}):
        while place - last > limit:
            last = _word_before(text, starts, last, last + limit)
            yield last
        if place > last:
            yield place
            last = place


def _word_before(text: str, starts: Sequence[int], after: int, place: int) -> int:
    """Return the last token before *place* that starts a word within the second half of the room; else *place*."""
    for candidate in range(place, (after + place) // 2, -1):
        start = starts[candidate]
        if text[start : start + 1].isspace() or text[start - 1 : start].isspace():
            return candidate
    return place


def checked_pair(pair: tuple[str, str]) -> tuple[str, str]:
    """Return *pair*. Raises `TypeError` unless it has two strings, `ValueError` if the claim is blank."""
    context, claim = pair
    for name, text in (("context", context), ("claim", claim)):
        if not isinstance(text, str):
            raise TypeError(f"{name} must be a str, got {type(text).__name__}")
    if not claim or claim.isspace():
        raise ValueError("the claim is blank")
    return context, claim

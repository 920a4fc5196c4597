"""Oracles that are right at a glance, and slow."""

from collections.abc import Sequence


def occurrences_naive(quote: str, text: str) -> list[tuple[int, int]]:
    """Every (start, end) at which *text* reads as *quote*; none for an empty quote."""
    length = len(quote)
    if length == 0:
        return []
    return [(start, start + length) for start in range(len(text) - length + 1) if text[start : start + length] == quote]


def pattern_occurrences_naive(patterns: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """Every (pattern_index, start, end), by start, then by pattern index."""
    return [
        (index, start, start + len(pattern))
        for start in range(len(text))
        for index, pattern in enumerate(patterns)
        if pattern and text.startswith(pattern, start)
    ]


def partial_ratio_naive(s1: str, s2: str) -> float:
    """The score by its definition: every window, a table of LCS for each, 0 to 100."""
    if not s1 or not s2:
        return 100.0 if s1 == s2 else 0.0
    if len(s1) == len(s2):
        return max(_best_window(s1, s2), _best_window(s2, s1))
    return _best_window(*sorted((s1, s2), key=len))


def _best_window(short: str, long: str) -> float:
    m, n = len(short), len(long)
    prefixes = [long[:end] for end in range(1, m)]
    windows = [long[start : start + m] for start in range(n - m + 1)]
    suffixes = [long[start:] for start in range(n - m + 1, n)]
    return max(_score(short, window) for window in prefixes + windows + suffixes)


def _score(s1: str, s2: str) -> float:
    longest = [0] * (len(s2) + 1)
    for a in s1:
        row = [0]
        for column, b in enumerate(s2):
            row.append(longest[column] + 1 if a == b else max(row[column], longest[column + 1]))
        longest = row
    total = len(s1) + len(s2)
    return (1.0 - (total - 2 * longest[-1]) / total) * 100.0

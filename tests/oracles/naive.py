"""Oracles that are right at a glance, and slow."""

from collections.abc import Callable, Sequence
from fractions import Fraction


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


def lcs_naive(s1: str, s2: str) -> int:
    """Length of the longest common subsequence, by its table."""
    longest = [0] * (len(s2) + 1)
    for a in s1:
        row = [0]
        for column, b in enumerate(s2):
            row.append(longest[column] + 1 if a == b else max(row[column], longest[column + 1]))
        longest = row
    return longest[-1]


def windows_naive(short: int, long: int) -> list[tuple[int, int]]:
    """Every (start, end) that *short* characters are compared with in *long*: leftmost first, then longest."""
    prefixes = [(0, end) for end in range(1, short)]
    inside = [(start, start + short) for start in range(long - short + 1)]
    suffixes = [(start, long) for start in range(long - short + 1, long)]
    return sorted(prefixes + inside + suffixes, key=lambda window: (window[0], -window[1]))


def best_window_naive(
    short: str, long: str, lcs: Callable[[str, str], int] = lcs_naive
) -> tuple[Fraction, tuple[int, int]]:
    """The exact score, 0 to 1, and the first of the best windows of *long*; *short* is not empty."""
    scored = [
        (Fraction(2 * lcs(short, long[start:end]), len(short) + end - start), (start, end))
        for start, end in windows_naive(len(short), len(long))
    ]
    return max(scored, key=lambda window: window[0])  # max takes the first of equal ones


def alignment_naive(s1: str, s2: str, lcs: Callable[[str, str], int] = lcs_naive) -> tuple[float, int, int, int, int]:
    """Score 0 to 100, then the part of *s1* and the part of *s2*; of equal lengths *s1* is the short side first."""
    if not s1 or not s2:
        return (0.0 if s1 or s2 else 100.0), 0, 0, 0, 0
    first = best_window_naive(s1, s2, lcs) if len(s1) <= len(s2) else None
    second = best_window_naive(s2, s1, lcs) if len(s2) <= len(s1) else None
    if first and (second is None or first[0] >= second[0]):
        score, (start, end) = first
        return score_naive(score, len(s1) + end - start), 0, len(s1), start, end
    score, (start, end) = second
    return score_naive(score, len(s2) + end - start), start, end, 0, len(s2)


def fuzzy_find_naive(quote: str, text: str, lcs: Callable[[str, str], int] = lcs_naive) -> tuple[int, int, float]:
    """Start and end of what *quote* is likest to in *text*, and the score, 0 to 1; *quote* is not empty."""
    score, quote_start, quote_end, start, end = alignment_naive(quote, text, lcs)
    is_whole_quote = (quote_start, quote_end) == (0, len(quote))  # else the text was compared with a part of it
    return (*((start, end) if is_whole_quote else (0, len(text))), score / 100.0)


def score_naive(share: Fraction, total: int) -> float:
    """The float that stands for the exact score of a window with *total* characters on both sides."""
    return (1.0 - float(total - share * total) / total) * 100.0


def partial_ratio_naive(s1: str, s2: str) -> float:
    """The score by its definition: every window, a table of LCS for each, 0 to 100."""
    return alignment_naive(s1, s2)[0]


def word_boundaries_naive(text: str, is_word: Callable[[str], bool], is_unspaced: Callable[[str], bool]) -> set[int]:
    """The positions between words: at the ends, next to what is no word, and anywhere in an unspaced script."""

    def joins(before: str, after: str) -> bool:
        return is_word(before) and is_word(after) and not is_unspaced(before) and not is_unspaced(after)

    return {0, len(text)} | {at for at in range(1, len(text)) if not joins(text[at - 1], text[at])}

"""Slips of the pen: how far two words are from each other, and whether a slip made another word."""

__all__ = ["distance_within", "occurs_as_word"]

# Enough of a text to know its words, whatever its length.
SEARCHED_CHARS = 200_000
# A word that was found inside so many others and never alone counts as no word: the bound for hostile texts.
_MAX_PLACES = 1000


def distance_within(first: str, second: str, limit: int) -> bool:
    """
    Say whether at most *limit* slips lead from one word to the other.

    A slip is a letter added, dropped or changed, or two neighbours swapped
    (optimal string alignment). `O(limit · length)` for words, and nothing for
    texts longer than 64 characters, which are no words: they are False.
    """
    if first == second:
        return True
    if abs(len(first) - len(second)) > limit or max(len(first), len(second)) > 64:
        return False
    shorter = min(len(first), len(second))
    start = 0
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    rest, other_rest = first[start : len(first) - end], second[start : len(second) - end]
    if len(rest) <= 1 and len(other_rest) <= 1:
        return limit > 0
    if len(rest) == len(other_rest) == 2 and rest == other_rest[::-1]:
        return limit > 0
    return max(len(rest), len(other_rest)) <= 3 * limit + 2 and _distance(rest, other_rest) <= limit


def _distance(first: str, second: str) -> int:
    """The optimal string alignment distance, row by row."""
    if not first or not second:
        return len(first) + len(second)
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, start=1):
        above, before, row = before, row, [i]
        for j, other in enumerate(second, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


def occurs_as_word(word: str, text: str) -> bool:
    """
    Say whether *word* stands in *text*, as written, with no letter before or after it.

    Of a long text the first `SEARCHED_CHARS` are looked at.
    """
    low, high = 0, min(len(text), SEARCHED_CHARS)
    for _ in range(_MAX_PLACES):
        place = text.find(word, low, high)
        if place < 0:
            return False
        low = place + len(word)
        if not text[place - 1 : place].isalnum() and not text[low : low + 1].isalnum():
            return True
    return False

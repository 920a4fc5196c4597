"""
The numbers that a text speaks of: with units, as ranges, in words.

English words, digits of all scripts. A number is a range from itself to itself; `mid-thirties` is
one from 34 to 36.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from groundwire._engine import Patterns
from groundwire.evidence.lexicons import load_lexicon
from groundwire.evidence.wording.numerals import read_digits
from groundwire.evidence.wording.readings import Languages
from groundwire.faithfulness.fields import singular

__all__ = ["Amount", "lowered", "only_amount", "read_amounts"]

# Of the numerals of the lexicon those that count nothing by themselves, or order.
_NO_CARDINALS = re.compile(
    r".*(?:th|ieth|ties|eds|ands|ions)|first|second|third|half|quarter|once|twice|thrice|single|[a-z]{1,2}"
)
_DECADES = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9), "": (0, 9)}
_SCALES = {
    "k": 1_000, "m": 1_000_000, "bn": 1_000_000_000,
    "hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
}  # fmt: skip
_NUMBER = r"\d{1,3}(?:[,'\u00a0\u202f]\d{3}){1,6}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?"
_DIGITS = re.compile(
    rf"""\d{{4}}-\d{{2}}(?:-\d{{2}})?\b  # a date, which is no range
    |(?<!\w)(?P<decade>\d{{1,3}}0)['’]?s\b
    |(?<![\w.,/\#])(?<![^\W\d_]-)(?P<digits>{_NUMBER})(?:\s?(?P<scale>{"|".join(_SCALES)})\b)?(?![\d/])""",
    re.IGNORECASE | re.VERBOSE,
)
_DIGIT = re.compile(r"\d")
_PART = re.compile(r"\b(early|mid|late)[-\s]{0,2}\Z", re.IGNORECASE)
_IN_ROWS = frozenset({"-", " ", "\n", " and ", "-and-"})
_LONGEST_ROW = 9
_BETWEEN = re.compile(r"\s?(?:-|–|—|to|and)\s?(?:[$€£¥₹]\s?)?")
_AND = re.compile(r"\s?and\s?")
_UNIT = re.compile(r"[\s-]?([^\W\d_]{1,20}|%)")
_BOUND = re.compile(
    r"(?:over|above|under|below|(?:more|less|fewer)\sthan|at\s(?:least|most)|up\sto|nearly|almost|[<>≤≥])\s?[$€£]?\Z",
    re.IGNORECASE,
)
_UNITS = {"yr": "year", "percent": "%", "hr": "hour", "hrs": "hour", "minute": "min"}
_BEFORE_CHARS = 16
_LONGEST_CHARS = 60
_WORDS = re.compile(r"\w+")
_BESIDE = frozenset(
    {
        "in",
        "his",
        "her",
        "their",
        "the",
        "about",
        "around",
        "roughly",
        "age",
        "aged",
        "over",
        "under",
        "usd",
        "eur",
        "gbp",
    }
)


class Amount(NamedTuple):
    """
    A number or a range of numbers, and its place.

    Attributes:
        low, high: Its bounds, both included; the same for one number.
        unit: The word behind it in small letters, for one of its kind, or "%"; "" if
            there is none.
        is_bound: Whether a word before makes it a limit: `over 30`.
        start, end: Its span, the unit left out.
    """

    low: float
    high: float
    unit: str
    is_bound: bool
    start: int
    end: int


class _Number(NamedTuple):
    low: float
    high: float
    start: int
    end: int


def read_amounts(text: str) -> list[Amount]:
    """Return the amounts of *text*, from left to right; a range is one of them."""
    numbers = list(_numbers(text))
    amounts = []
    place = 0
    while place < len(numbers):
        number = numbers[place]
        place += 1
        if place < len(numbers) and _is_range(text, number, numbers[place]):
            following = numbers[place]
            number = _Number(number.low, following.high, number.start, following.end)
            place += 1
        unit = _UNIT.match(text, number.end)
        before = text[max(0, number.start - _BEFORE_CHARS) : number.start]
        name = singular(unit[1].lower()) if unit else ""
        amounts.append(
            Amount(
                number.low,
                number.high,
                _UNITS.get(name, name),
                _BOUND.search(before) is not None,
                number.start,
                number.end,
            )
        )
    return amounts


def only_amount(text: str) -> Amount | None:
    """Return the amount that *text* is, with no more than its unit and words such as `about` beside it; else None."""
    amounts = read_amounts(text) if len(text) <= _LONGEST_CHARS else []
    if len(amounts) != 1:
        return None
    (amount,) = amounts
    before = _WORDS.findall(text[: amount.start].lower())
    # A unit has two words at most: hours per week, years old. Behind `67%` stands who that is.
    behind = [word for word in _WORDS.findall(text[amount.end :]) if word not in ("a", "an", "per")]
    is_only = _BESIDE.issuperset(before) and len(behind) <= (0 if amount.unit == "%" else 2)
    return amount if is_only else None


def _is_range(text: str, first: _Number, second: _Number) -> bool:
    between = text[first.end : second.start]
    if first.high >= second.low or len(between) > 8 or _BETWEEN.fullmatch(between) is None:
        return False
    # `one and two` are two numbers, `between one and two` is a range.
    is_listed = _AND.match(between) is not None
    return not is_listed or text[max(0, first.start - 9) : first.start].lower().rstrip("$€£ ").endswith("between")


def _numbers(text: str) -> Iterator[_Number]:
    """The numbers of *text*, from left to right; none inside of another."""
    done = 0
    for number in sorted([*_in_digits(text), *_in_words(text)], key=lambda each: each.start):
        if number.start >= done:
            done = number.end
            yield number


def _in_digits(text: str) -> Iterator[_Number]:
    # Most texts have none, which is seen sooner by looking for any.
    for match in _DIGITS.finditer(text) if _DIGIT.search(text) else ():
        if match["decade"]:
            yield _decade(text, int(match["decade"]), match.start(), match.end())
        elif match["digits"]:
            value = read_digits(match["digits"], ".")
            if isinstance(value, int | float):
                value *= _SCALES.get((match["scale"] or "").lower(), 1)
                yield _Number(value, value, match.start(), match.end())


def _decade(text: str, first: int, start: int, end: int) -> _Number:
    """The years of a decade, or the part of it that is said before: `mid-thirties`."""
    part = _PART.search(text, max(0, start - 8), start)
    low, high = _PARTS[part[1].lower() if part else ""]
    return _Number(first + low, first + high, part.start() if part else start, end)


def _in_words(text: str) -> Iterator[_Number]:
    patterns, words = _numerals()
    row: list[tuple[int, int]] = []
    for which, start, end in patterns.find_all(lowered(text)):
        if row and text[row[-1][1] : start].lower() not in _IN_ROWS:
            yield from _value_of_row(text, row)
            row = []
        if words[which] in _DECADES:
            yield _decade(text, _DECADES[words[which]], start, end)
        elif len(row) < _LONGEST_ROW:
            row.append((start, end))
    yield from _value_of_row(text, row)


def _value_of_row(text: str, row: list[tuple[int, int]]) -> Iterator[_Number]:
    words = [text[start:end].lower() for start, end in row]
    # Alone it is a pronoun more often than a number.
    if not words or words == ["one"]:
        return
    numbers = _languages().read(words).numbers
    if len(numbers) == 1 and isinstance(numbers[0], int | float):
        yield _Number(numbers[0], numbers[0], row[0][0], row[-1][1])


def lowered(text: str) -> str:
    """Return *text* in small letters, each character at its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(map(_lower, text))


def _lower(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


@cache
def _languages() -> Languages:
    return Languages("the number of all")


@cache
def _numerals() -> tuple[Patterns, list[str]]:
    """The words that count, as patterns and in their order. Made when they are first needed."""
    meanings = load_lexicon("en").meanings
    words = [
        word
        for word, (category, *_) in meanings.items()
        if category in ("number", "scale") and not _NO_CARDINALS.fullmatch(word)
    ]
    words += _DECADES
    return Patterns(words, word_boundaries=True), words

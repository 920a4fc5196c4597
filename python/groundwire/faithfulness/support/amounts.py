"""
The numbers that a text speaks of: with units, as ranges, in words.

English words, digits of all scripts. A number is a range from itself to itself; `mid-thirties` is
one from 34 to 36.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from groundwire.evidence.lexicons import load_lexicon
from groundwire.evidence.wording.numerals import read_digits
from groundwire.evidence.wording.readings import Languages
from groundwire.faithfulness.fields import singular

__all__ = ["Amount", "only_amount", "read_amounts"]

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
    # A unit has two words at most: hours per week, years old.
    behind = [word for word in _WORDS.findall(text[amount.end :]) if word not in ("a", "an", "per")]
    is_only = _BESIDE.issuperset(before) and len(behind) <= 2
    return amount if is_only else None


def _is_range(text: str, first: _Number, second: _Number) -> bool:
    between = text[first.end : second.start]
    if first.high >= second.low or len(between) > 8 or _BETWEEN.fullmatch(between) is None:
        return False
    # `one and two` are two numbers, `between one and two` is a range.
    is_listed = _AND.match(between) is not None
    return not is_listed or text[max(0, first.start - 9) : first.start].lower().rstrip("$€£ ").endswith("between")


def _numbers(text: str) -> Iterator[_Number]:
    for match in _finder().finditer(text):
        if match["decade"]:
            yield _decade(match)
        elif match.lastindex:
            value = _value_of_words(match["words"]) if match["words"] else read_digits(match["digits"], ".")
            if isinstance(value, int | float):
                value *= _SCALES.get((match["scale"] or "").lower(), 1)
                yield _Number(value, value, match.start("words" if match["words"] else "digits"), match.end())


def _decade(match: "re.Match[str]") -> _Number:
    word = match["decade"].lower()
    first = _DECADES.get(word) or int(re.sub(r"\D", "", word))
    low, high = _PARTS[(match["part"] or "").lower()]
    return _Number(first + low, first + high, match.start(), match.end())


def _value_of_words(words: str) -> float | None:
    row: Sequence[str] = words.lower().replace("-", " ").split()
    if row == ["one"]:
        # It is a pronoun more often than a number.
        return None
    numbers = _languages().read(row).numbers
    return numbers[0] if len(numbers) == 1 and isinstance(numbers[0], int | float) else None


@cache
def _languages() -> Languages:
    return Languages("the number of all")


@cache
def _finder() -> re.Pattern[str]:
    """Find numbers in digits and in words. Made when it is first needed, of the lexicon's words."""
    meanings = load_lexicon("en").meanings
    numerals = [
        word
        for word, (category, *_) in meanings.items()
        if category in ("number", "scale") and not _NO_CARDINALS.fullmatch(word)
    ]
    word = "|".join(sorted(numerals, key=len, reverse=True))
    digits = r"\d{1,3}(?:[,'\u00a0\u202f]\d{3}){1,6}(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?"
    return re.compile(
        rf"""\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b  # a date, which is no range
        |\b(?:(?P<part>early|mid|late)[-\s]{{0,2}})?(?P<decade>\d{{1,3}}0['’]?s|{"|".join(_DECADES)})\b
        |(?<![\w.,/\#])(?<![^\W\d_]-)(?P<digits>{digits})(?:\s?(?P<scale>{"|".join(_SCALES)})\b)?(?![\d/])
        |\b(?P<words>(?:{word})(?:(?:[-\s]|\sand\s)(?:{word})){{0,8}})\b""",
        re.IGNORECASE | re.VERBOSE,
    )

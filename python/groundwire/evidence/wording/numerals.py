"""
The values of numbers, however they are written.

A value is an int or a float, or a str where the digits are no amount (a time,
a date, a version) or too many for exact arithmetic.
"""

import re
from typing import NamedTuple

__all__ = ["Numeral", "Value", "amounts", "read_digits", "read_han", "read_roman"]

Value = int | float | str

_EXACT_DIGITS = 15
_PARTS = re.compile(r"[.,'/:\u2044\u066b\u066c\s]")


class Numeral(NamedTuple):
    """A number or a part of one: `form` is "digits", "word", "joined" (a word tied to the one before) or "scale"."""

    value: Value
    form: str


def read_digits(text: str, decimal_mark: str) -> Value:
    """
    Return what the digits of *text* say, with the separators of a language.

    A separator that is not *decimal_mark* groups thousands if exactly three
    digits follow, and is a decimal mark otherwise. Digits of every script.
    """
    sign = -1 if text[0] in "-\u2212" else 1
    parts = _PARTS.split(text.lstrip("-\u2212"))
    marks = _PARTS.findall(text)
    if not marks:
        return _signed(sign, _whole(parts[0]))
    if set(marks) & {":", "/", "\u2044"}:
        return _ratio_or_date(sign, parts, marks)
    decimal = _has_decimals(parts, marks, decimal_mark)
    grouped = parts[:-1] if decimal else parts
    if any(len(part) != 3 for part in grouped[1:]):
        return "-".join(str(_whole(part)) for part in parts)
    whole = "".join(grouped)
    if decimal:
        return _decimal(sign, whole, parts[-1])
    return _signed(sign, _whole(whole))


def _has_decimals(parts: list[str], marks: list[str], decimal_mark: str) -> bool:
    last = marks[-1]
    if last == "\u066b":
        return True
    if last in "'\u066c" or last.isspace() or marks.count(last) > 1:
        return False
    return last == decimal_mark or len(parts[-1]) != 3 or len(marks) > 1 or not 0 < len(parts[0].lstrip("0")) <= 3


def _ratio_or_date(sign: int, parts: list[str], marks: list[str]) -> Value:
    """A fraction is an amount; times, dates and scores are the row of their numbers."""
    numbers = [_whole(part) for part in parts]
    if len(numbers) == 2 and marks[0] != ":" and all(isinstance(number, int) for number in numbers) and numbers[1]:
        return _rounded(sign * int(numbers[0]) / int(numbers[1]))
    return "-".join(map(str, numbers))


def _whole(digits: str) -> Value:
    return int(digits) if len(digits) <= _EXACT_DIGITS else digits.lstrip("0")


def _signed(sign: int, value: Value) -> Value:
    if isinstance(value, str):
        return value if sign > 0 else f"-{value}"
    return sign * value


def _decimal(sign: int, whole: str, fraction: str) -> Value:
    if len(whole) + len(fraction) > _EXACT_DIGITS:
        return f"{'-' if sign < 0 else ''}{whole.lstrip('0')}.{fraction.rstrip('0')}"
    return _rounded(sign * (int(whole or "0") + int(fraction) / 10 ** len(fraction)))


def _rounded(value: float) -> float:
    """Without the noise of binary fractions, so that 1.1 million is 1,100,000."""
    return float(f"{value:.13g}")


def read_han(numeral: str, digits: str, scales: dict[str, int]) -> Numeral:
    """Return the value of a numeral in Han characters: 二〇二六, 三十五, 一万二千."""
    if all(character in scales for character in numeral):
        value = 1
        for character in numeral:
            value = min(value * scales[character], 10**_EXACT_DIGITS)
        return Numeral(value, "scale")
    if not any(character in scales for character in numeral):
        positions = "".join(
            "0" if character == "〇" else str(max(0, digits.index(character) - 1)) for character in numeral
        )
        return Numeral(_whole(positions), "word" if len(numeral) == 1 else "digits")
    total = section = current = 0
    for character in numeral[:40]:
        scale = scales.get(character)
        if scale is None:
            current = max(0, digits.index(character) - 1)
        elif scale < 10_000:
            section += (current or 1) * scale
            current = 0
        else:
            total += (section + current or 1) * scale
            section = current = 0
    return Numeral(total + section + current, "word")


def read_roman(word: str) -> str:
    """Return the digits of a small Roman numeral in capitals (II, XIV), or "" for other words."""
    if not 2 <= len(word) <= 6 or word.strip("IVX"):
        return ""
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in word]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return str(sum(-value if value < after else value for value, after in pairs))


def amounts(numerals: list[Numeral]) -> list[Value]:
    """
    Join the numerals of one row, with nothing between them, to amounts.

    Twenty five is 25, two hundred and five 205, nineteen ninety 1990, quatre
    vingt dix 90, 2.5 million 2,500,000; one two three stays three amounts.
    """
    found: list[Value] = []
    total = 0.0
    current: float | None = None
    scale_above = 0
    for value, form in numerals:
        if isinstance(value, str):
            found += [*_closed(total, current, scale_above), value]
            total, current, scale_above = 0.0, None, 0
        elif form == "scale":
            if int(value) == 100 and current is not None and current < 100:
                current *= 100
            elif scale_above and int(value) >= scale_above:
                total, current, scale_above = (total + (current or 0)) * value, None, int(value)
            else:
                total, current, scale_above = total + (1 if current is None else current) * value, None, int(value)
        elif current is None and (not scale_above or form != "digits") and (not scale_above or value < scale_above):
            current = value
        elif current is not None and form != "digits" and (joined := _join(current, value, form)) is not None:
            current = joined
        else:
            found += _closed(total, current, scale_above)
            total, current, scale_above = 0.0, value, 0
    return found + _closed(total, current, scale_above)


def _closed(total: float, current: float | None, scale_above: int) -> list[Value]:
    return [] if current is None and not scale_above else [_rounded(total + (current or 0))]


def _join(current: float, value: float, form: str) -> float | None:
    """The number that two number words in a row make, or None if they are two numbers."""
    tens = current % 100
    if current >= 100 and tens == 0 and value < 100:
        return current + value
    if tens >= 20 and current % 10 == 0 and 0 < value < 10:
        return current + value
    if tens in (60, 80) and 10 <= value < 20:
        return current + value
    if form == "joined" and 0 < current < 10 and value >= 20:
        return current + value
    if current == 4 and value == 20:
        return 80
    if 10 <= current < 100 and 10 <= value < 100:
        return current * 100 + value
    return None

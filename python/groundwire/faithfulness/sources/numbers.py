"""Numbers as tables have them."""

import re

__all__ = ["cell_number"]

_LONGEST_CHARS = 40
_CURRENCY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF)"
_DIGITS = r"[-−]?(?:\d{1,3}(?:[,' \u00a0\u202f]\d{3})+|\d{1,15})(?:\.\d{1,12})?"
_SEPARATORS = re.compile("[,' \u00a0\u202f]")
_NUMBER = re.compile(rf"{_CURRENCY}?\s?({_DIGITS})\s?(?:%|{_CURRENCY})?", re.IGNORECASE)


def cell_number(value: str) -> int | float | None:
    """
    Return the number that *value*, without white space at its ends, is; None if it is something else.

    `34`, `1,200.5`, `$80,000`, `12 %`. A decimal comma is none here: `1,200` would be two
    numbers otherwise.
    """
    if value.isdecimal() and len(value) <= 15:
        return int(value)
    if len(value) > _LONGEST_CHARS:
        return None
    match = _NUMBER.fullmatch(value)
    if match is None:
        return None
    digits = _SEPARATORS.sub("", match[1].replace("−", "-"))
    return float(digits) if "." in digits else int(digits)

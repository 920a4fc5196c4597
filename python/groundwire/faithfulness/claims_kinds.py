"""What a short text in a field is, by the field's name and the text's form."""

import re

__all__ = ["flag_of", "is_date", "is_name_field", "is_number", "is_quote_field", "unquoted"]

_QUOTE_FIELDS = frozenset({"quote", "quotes", "quotation", "quotations", "verbatim", "verbatims", "said"})
_NAME_FIELDS = frozenset({"name", "names", "nickname", "surname", "forename", "firstname", "lastname", "fullname"})
# Names of nobody and nothing that research speaks of.
_NO_NAMES = frozenset({"file_name", "filename", "user_name", "username"})

_LONGEST_CHARS = 60
_AMOUNT = r"[-+−]?\d{1,3}(?:[,.' \u00a0\u202f]\d{3}){1,6}(?:[.,]\d{1,9})?|[-+−]?\d{1,15}(?:[.,]\d{1,9})?"
_CURRENCY = r"[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR)"
_ONE = rf"(?:(?:{_CURRENCY})\s?)?(?:{_AMOUNT})(?:\s?(?:[kKMB]|{_CURRENCY}|%))?\+?"
# A word or two behind a number are its unit, 5 years, 40 hours/week; with a capital they are a street or a title.
_WORD = r"[a-zà-öø-ÿ\u3040-\u9fff]{1,15}"
_UNIT = rf"(?<!%)(?:\s?{_WORD}\.?(?:(?:\s|/|\sper\s|-){_WORD})?)?"
_NUMBER = re.compile(rf"(?:[~≈<>≤≥]\s?)?{_ONE}(?:\s?(?:-|–|—|to|and)\s?{_ONE})?(?:{_UNIT})?")

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"""\d{{4}}-\d{{2}}(?:-\d{{2}}(?:[T ]\d{{2}}:\d{{2}}[0-9:.]{{0,12}}(?:Z|[+-]\d{{2}}:?\d{{2}})?)?)?
    |\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}
    |(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?{_MONTH}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?\d{{4}}
    |{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?""",
    re.IGNORECASE | re.VERBOSE,
)

_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
_PAIRS = {'"': '"', "'": "'", "“": "”", "„": "“", "‘": "’", "«": "»", "»": "«", "「": "」", "『": "』"}


def is_quote_field(key: str) -> bool:
    """Tell whether a field with this folded key holds what somebody said: `quote`, `key_quotes`."""
    return key.rpartition("_")[2] in _QUOTE_FIELDS


def is_name_field(key: str) -> bool:
    """Tell whether a field with this folded key holds a name: `name`, `first_name`, `company_name`."""
    return key.rpartition("_")[2] in _NAME_FIELDS and key not in _NO_NAMES


def is_number(line: str) -> bool:
    """Tell whether *line* is a number or a range, perhaps with a unit: `34`, `30-35`, `$80,000`, `5 years`."""
    return len(line) <= _LONGEST_CHARS and not is_date(line) and _NUMBER.fullmatch(line) is not None


def is_date(line: str) -> bool:
    """Tell whether *line* is a date, or a month of a year."""
    return len(line) <= _LONGEST_CHARS and _DATE.fullmatch(line) is not None


def flag_of(line: str) -> bool | None:
    """Return what *line* says where it is yes or no, else None."""
    return _FLAGS.get(line.lower())


def unquoted(line: str) -> str:
    """Return *line* without the quotation marks that are around all of it."""
    inside = line[1:-1].strip()
    is_around = len(line) > 2 and _PAIRS.get(line[0]) == line[-1] and line[0] not in inside
    return inside if is_around and inside else line

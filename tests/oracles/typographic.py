"""The typographic profile (rulings A2 and A3) as a few substitutions, one after the other."""

import re
import unicodedata

QUOTATION_MARKS = {
    "'": "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u2035\u300e\u300f",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u301d\u301e\u301f\u2e42\u2033\u2036",
}
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_FOLDED = str.maketrans(
    {mark: plain for plain, marks in QUOTATION_MARKS.items() for mark in marks} | dict.fromkeys(DASHES, "-")
)
# Default_Ignorable_Code_Point of DerivedCoreProperties.txt, without the soft hyphen U+00AD.
_IGNORABLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_IDLE_SOFT_HYPHEN = re.compile("\u00ad(?!\\s*\n)")
_TAG = re.compile(r"</?[^\W\d_][^<>\n]{0,40}>")
_LINE_HYPHEN = re.compile("(.)(?:[-\u2010]\u00ad*|\u00ad+)\\s*\n\\s*(?=(.))", re.DOTALL)


def normalize_typographic_naive(text: str, *, joins_first: bool = False) -> str:
    """
    Normalise *text* by the typographic profile.

    The rulings do not say whether tags go before hyphenated words are joined or
    after; *joins_first* takes the second order.
    """
    plain = _IDLE_SOFT_HYPHEN.sub("", _IGNORABLE.sub("", unicodedata.normalize("NFKC", _whole_primes(text))))
    steps = [_join_words, _drop_tags] if joins_first else [_drop_tags, _join_words]
    for step in steps:
        plain = step(plain)
    plain = plain.translate(_FOLDED)
    return " ".join(plain.split()).lower()


def _whole_primes(text: str) -> str:
    """NFKC would take a double prime for two."""
    return re.sub("[\u2033\u2036]", '"', text)


def _drop_tags(text: str) -> str:
    return _TAG.sub(" ", text)


def _join_words(text: str) -> str:
    return _LINE_HYPHEN.sub(_join, text).replace("\u00ad", "")


def _join(hyphenated: re.Match[str]) -> str:
    ends_in_letter = hyphenated[1].isalpha() or unicodedata.category(hyphenated[1]).startswith("M")
    is_one_word = ends_in_letter and hyphenated[2].isalpha()
    return hyphenated[1] if is_one_word else hyphenated[0]

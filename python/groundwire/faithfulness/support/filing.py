"""How sentences are filed by their words, and what shows of one without reading it."""

from typing import NamedTuple

from groundwire._engine import WordReader
from groundwire.faithfulness.support.opposites import is_telling_abroad
from groundwire.faithfulness.support.polarity import ENDING
from groundwire.faithfulness.support.stances import STANCE_WORDS
from groundwire.faithfulness.support.words import Word, described, is_content

__all__ = ["ABROAD", "ENDS", "READER", "InCommon", "Near"]

ENDS = WordReader.OTHERS
"""Beside the roles of `WordReader`: that it may tell that something is no longer so."""
ABROAD = WordReader.OTHERS << 1
"""That it may deny, tell a stance or be an opposite in a language other than English."""


class InCommon(NamedTuple):
    """
    What a sentence has of a claim's words of content.

    Attributes:
        start, end: From the first of them to the last, in the sentence.
        has_denial: Whether a denial stands in a clause that has one of them.
        is_denied: Whether a denial denies one of them.
    """

    start: int
    end: int
    has_denial: bool
    is_denied: bool


class Near(NamedTuple):
    """
    A sentence that has much of a claim: what shows without reading it.

    Attributes:
        place: Its place among the sentences.
        share: Its share of the weight of the claim's words, 0.0 to 1.0.
        common: `InCommon` as a tuple; None if only the name of who speaks is one of them.
        had: How many of the claim's stems its own are, as `Sentence.stems` has them.
        roles: What its words do, all together: those of `WordReader`, `ENDS` and `ABROAD`.
    """

    place: int
    share: float
    common: tuple[int, int, bool, bool] | None
    had: int
    roles: int


def _filed(written: str, is_pair: bool) -> tuple[str, str, int]:
    lower, stem, roles = described(written, is_pair)
    if is_content(Word(lower, stem, 0, 0, 0)) or lower in STANCE_WORDS:
        roles |= WordReader.IS_FILED
    if lower in ENDING:
        roles |= ENDS
    if is_pair or is_telling_abroad(lower):
        roles |= ABROAD
    return lower, stem, roles


READER = WordReader(Word, _filed)
"""Reads sentences that are filed: `read_words`, and which words sentences are filed under."""

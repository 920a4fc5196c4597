"""
The parts that all reports share.

The published JSON Schemas are generated from the models of the reports, descriptions included, and tests hold them
together. Every field is always present. A field may be added under the same `schema_version`; a field that changes its
meaning or goes away raises it.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from groundwire import UNICODE_VERSION, __version__
from groundwire.evidence.differences import DifferenceKind
from groundwire.evidence.verdicts import QuoteReason
from groundwire.pair_scorer import ReaderScore

SCHEMA_VERSION: Literal["1"] = "1"

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Number: TypeAlias = Annotated[int, Meta(ge=1)]
Fraction: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Offsets: TypeAlias = tuple[Count, Count]


class Tool(Struct, frozen=True, kw_only=True):
    """What produced the report."""

    name: str
    version: str
    unicode_version: Annotated[str, Meta(description="Version of the Unicode tables that texts are normalised with.")]


def tool() -> Tool:
    """Return what produces reports."""
    return Tool(name="groundwire", version=__version__, unicode_version=UNICODE_VERSION)


class QuoteDifference(Struct, frozen=True, kw_only=True):
    """What the quote has in the place of what the passage has; either may be empty."""

    kind: DifferenceKind
    quote_text: str
    source_text: str
    quote_span: Annotated[Offsets, Meta(description="Start and end in the quote, in code points.")]
    source_span: Annotated[Offsets, Meta(description="Start and end in the transcript, counted as those of a place.")]


class VerdictReason(Struct, frozen=True, kw_only=True):
    """Why a verdict is what it is."""

    code: QuoteReason
    words: Annotated[str, Meta(description="The same in words, for people.")]


class ReadScore(Struct, frozen=True, kw_only=True):
    """What a model says that reads a passage and a claim."""

    model: Annotated[str, Meta(description="Its name and version, the beginning of the hash of its file.")]
    threshold: Annotated[Fraction, Meta(description="The least score of a claim that follows.")]
    score: Annotated[Fraction, Meta(description="The best score of the passages that it read.")]


def read_score(found: ReaderScore | None) -> ReadScore | None:
    """Return *found* in the form of reports."""
    return None if found is None else ReadScore(**found._asdict())

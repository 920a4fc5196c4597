"""
Holds the parts that all reports share.

The published JSON Schemas are generated from the models of the reports, including descriptions, and tests compare the
two. Every field is always present. New fields keep the `schema_version`; a removed field or a changed meaning raises
it.
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
    """Names the program that produced the report."""

    name: str
    version: str
    unicode_version: Annotated[str, Meta(description="Version of the Unicode tables for normalisation.")]


def tool() -> Tool:
    """Return name and versions of this program."""
    return Tool(name="groundwire", version=__version__, unicode_version=UNICODE_VERSION)


class QuoteDifference(Struct, frozen=True, kw_only=True):
    """Holds a difference between quote and passage; either side may be empty."""

    kind: DifferenceKind
    quote_text: str
    source_text: str
    quote_span: Annotated[Offsets, Meta(description="Start and end in the quote, in code points.")]
    source_span: Annotated[Offsets, Meta(description="Start and end in the transcript, counted as in a place.")]


class VerdictReason(Struct, frozen=True, kw_only=True):
    """Holds a reason for a verdict."""

    code: QuoteReason
    words: Annotated[str, Meta(description="The reason as sentences, with the values that were found and required.")]


class ReadScore(Struct, frozen=True, kw_only=True):
    """Holds the score of a model that reads a passage and a claim."""

    model: Annotated[
        str, Meta(description="Name and version of the model; the version is the beginning of its file's hash.")
    ]
    threshold: Annotated[Fraction, Meta(description="Minimum score of a claim that follows from the passage.")]
    score: Annotated[Fraction, Meta(description="Best score of the passages that the model read.")]


def read_score(found: ReaderScore | None) -> ReadScore | None:
    """Return *found* in the form of a report."""
    return None if found is None else ReadScore(**found._asdict())

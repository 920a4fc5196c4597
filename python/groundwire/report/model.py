"""
The check report as data.

The published JSON Schema is generated from these types, descriptions included,
and a test holds the two together. Every field is always present. Fields may be
added under the same `schema_version`; a field that changes its meaning or goes
away raises it.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

SCHEMA_VERSION: Literal["1"] = "1"
DEFAULT_THRESHOLD = 0.85

Kind: TypeAlias = Literal["exact", "normalized", "fuzzy"]
Status: TypeAlias = Literal["exact", "normalized", "fuzzy", "absent", "blank"]
Mode: TypeAlias = Literal["substring", "fuzzy"]
Policy: TypeAlias = Literal["literal"]

# Best first: a report puts the places of a quote in this order.
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
MODES: tuple[Mode, ...] = get_args(Mode)
POLICIES: tuple[Policy, ...] = get_args(Policy)

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Number: TypeAlias = Annotated[int, Meta(ge=1)]
_Fraction: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class Tool(Struct, frozen=True, kw_only=True):
    """What produced the report."""

    name: str
    version: str
    unicode_version: Annotated[str, Meta(description="Version of the Unicode tables that texts are normalised with.")]


class Settings(Struct, frozen=True, kw_only=True):
    """How quotes were compared."""

    policy: Annotated[Policy, Meta(description="The rule that decides what counts as grounded.")]
    mode: Annotated[Mode, Meta(description="`substring` of the normalised text, or `fuzzy` from the threshold on.")]
    threshold: Annotated[
        _Fraction | None, Meta(description="Lowest accepted fuzzy score; null where the mode does not use one.")
    ]


class Place(Struct, frozen=True, kw_only=True):
    """
    Where one transcript holds a quote.

    Offsets count Unicode code points of the text as read: UTF-8 decoded, a byte
    order mark dropped, line ends untouched.
    """

    transcript: Annotated[_Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    kind: Annotated[Kind, Meta(description="How the passage and the quote compare.")]
    score: Annotated[_Fraction, Meta(description="Similarity of quote and passage; 1 unless the kind is `fuzzy`.")]
    start: Annotated[_Count, Meta(description="Offset of the passage's first code point, from 0.")]
    end: Annotated[_Count, Meta(description="Offset after the passage's last code point.")]
    line: Annotated[_Number, Meta(description="Line that the passage starts in, from 1; CR LF, LF and CR end a line.")]
    column: Annotated[_Number, Meta(description="Code point within that line, from 1.")]
    passage: Annotated[str, Meta(description="The transcript's own words, from `start` to `end`.")]


class QuoteResult(Struct, frozen=True, kw_only=True):
    """The verdict on one quote; one line of the JSONL format."""

    number: Annotated[_Number, Meta(description="Position of the quote in the input, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier that the input gave the quote.")]
    domain: Annotated[str | None, Meta(description="Group that the input put the quote into.")]
    quote: Annotated[str, Meta(description="The quote as given.")]
    status: Annotated[
        Status,
        Meta(
            description=(
                "Kind of the best place; `absent` when no transcript holds the quote; "
                "`blank` when nothing is left of it once normalised."
            )
        ),
    ]
    grounded: Annotated[bool, Meta(description="True when at least one transcript holds the quote.")]
    score: Annotated[_Fraction | None, Meta(description="Score of the best place; null when there is none.")]
    places: Annotated[
        tuple[Place, ...],
        Meta(
            description="Best first: exact, normalized, fuzzy by falling score; equals in the order of `transcripts`."
        ),
    ]


class TranscriptReport(Struct, frozen=True, kw_only=True):
    """One text that quotes were looked for in."""

    number: _Number
    name: Annotated[str, Meta(description="The path as given, or `<stdin>`.")]
    chars: Annotated[_Count, Meta(description="Length in code points.")]
    lines: _Count
    sha256: Annotated[
        str | None, Meta(description="SHA-256 of the bytes as read, in hexadecimal; null for a text that was not read.")
    ]
    bom: Annotated[bool, Meta(description="True when a UTF-8 byte order mark was dropped; offsets start after it.")]
    grounded: Annotated[_Count, Meta(description="Number of quotes that this transcript holds.")]


class DomainSummary(Struct, frozen=True, kw_only=True):
    """Counts of one domain, in the order of first appearance."""

    domain: str | None
    quotes: _Count
    grounded: _Count


class Summary(Struct, frozen=True, kw_only=True):
    """Counts of all quotes; `grounded` and `rejected` add up to `quotes`."""

    quotes: _Count
    grounded: _Count
    rejected: _Count
    exact: _Count
    normalized: _Count
    fuzzy: _Count
    absent: _Count
    blank: _Count
    rate: Annotated[_Fraction | None, Meta(description="`grounded` over `quotes`; null without quotes.")]
    by_domain: tuple[DomainSummary, ...]


class CheckReport(Struct, frozen=True, kw_only=True):
    """Verdicts of `groundwire check`: which quotes the transcripts hold, and where."""

    schema_version: Literal["1"]
    tool: Tool
    settings: Settings
    transcripts: tuple[TranscriptReport, ...]
    quotes: Annotated[tuple[QuoteResult, ...], Meta(description="In the order of the input.")]
    summary: Summary

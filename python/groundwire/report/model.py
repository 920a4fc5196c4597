"""
The check report as data.

The published JSON Schema is generated from these types, descriptions included,
and a test holds the two together. Every field is always present. Fields may be
added under the same `schema_version`; a field that changes its meaning or goes
away raises it. A new policy may bring statuses of its own; `settings.policy`
says which one it was.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from groundwire.evidence.differences import DifferenceKind
from groundwire.evidence.verdicts import Reason
from groundwire.pair_scorer import ReaderScore

SCHEMA_VERSION: Literal["1"] = "1"
DEFAULT_THRESHOLD = 0.85

Kind: TypeAlias = Literal["exact", "normalized", "fuzzy"]
Status: TypeAlias = Literal[
    "exact",
    "normalized",
    "fuzzy",
    "near",
    "altered",
    "elided",
    "paraphrased",
    "found_elsewhere",
    "wrong_speaker",
    "absent",
    "blank",
]
Mode: TypeAlias = Literal["substring", "fuzzy"]
Policy: TypeAlias = Literal["guarded", "literal"]
TranscriptFormat: TypeAlias = Literal["text", "webvtt", "srt", "tsv", "csv", "json"]

# Best first: a report puts the places of a quote in this order.
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
MODES: tuple[Mode, ...] = get_args(Mode)
POLICIES: tuple[Policy, ...] = get_args(Policy)

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Number: TypeAlias = Annotated[int, Meta(ge=1)]
_Fraction: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
_Span: TypeAlias = tuple[_Count, _Count]


class Tool(Struct, frozen=True, kw_only=True):
    """What produced the report."""

    name: str
    version: str
    unicode_version: Annotated[str, Meta(description="Version of the Unicode tables that texts are normalised with.")]


class Settings(Struct, frozen=True, kw_only=True):
    """How quotes were compared."""

    policy: Annotated[
        Policy,
        Meta(
            description=(
                "The rule that decides: `guarded` looks at what differs and accepts nothing that touches the meaning; "
                "`literal` compares strings."
            )
        ),
    ]
    mode: Annotated[
        Mode | None,
        Meta(description="`substring` of the normalised text, or `fuzzy` from the threshold on; null if guarded."),
    ]
    threshold: Annotated[
        _Fraction | None, Meta(description="Lowest accepted fuzzy score; null where the mode does not use one.")
    ]
    min_chars: Annotated[_Number | None, Meta(description="Fewest characters of an accepted quote; null if literal.")]
    min_words: Annotated[_Number | None, Meta(description="Fewest words of an accepted quote; null if literal.")]
    speakers: Annotated[
        tuple[str, ...] | None, Meta(description="Who may be quoted, in the order of the alphabet; null for anybody.")
    ]


class SpokenTurn(Struct, frozen=True, kw_only=True):
    """A turn of a transcript: what one speaker says at a stretch."""

    number: Annotated[_Number, Meta(description="Place of the turn in its transcript, from 1.")]
    speaker: Annotated[str | None, Meta(description="The name as written; null where nobody is named.")]
    start_time_s: Annotated[float | None, Meta(description="When it starts, in seconds; null where that is not said.")]
    end_time_s: Annotated[float | None, Meta(description="When it ends, in seconds.")]
    line: Annotated[_Number, Meta(description="Line of the file that it begins in, from 1.")]


class QuoteDifference(Struct, frozen=True, kw_only=True):
    """What the quote has in the place of what the passage has; either may be empty."""

    kind: DifferenceKind
    quote_text: str
    source_text: str
    quote_span: Annotated[_Span, Meta(description="Start and end in the quote, in code points.")]
    source_span: Annotated[_Span, Meta(description="Start and end in the transcript, counted as those of a place.")]


class VerdictReason(Struct, frozen=True, kw_only=True):
    """Why a verdict is what it is."""

    code: Reason
    words: Annotated[str, Meta(description="The same in words, for people.")]


class Place(Struct, frozen=True, kw_only=True):
    """
    Where one transcript holds a quote.

    Offsets count Unicode code points of the text as read: UTF-8 decoded, a byte
    order mark dropped, line ends untouched. Of a transcript that is no plain text
    they count in `groundwire.read_transcript(path).text`.
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
    all_spans: Annotated[
        tuple[_Span, ...],
        Meta(
            description=(
                "Start and end of every occurrence, of the passage, or of each part of a quote with an ellipsis; "
                "of the one passage if literal."
            )
        ),
    ]
    turns: Annotated[
        tuple[SpokenTurn, ...],
        Meta(description="The turns that the passage has words of, in order; none in a text without turns."),
    ]


class Nearest(Struct, frozen=True, kw_only=True):
    """The passage most similar to a quote that no transcript holds; it is never accepted. Offsets as in a place."""

    transcript: Annotated[_Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    score: Annotated[_Fraction, Meta(description="Similarity of the characters of quote and passage.")]
    start: _Count
    end: _Count
    line: _Number
    column: _Number
    passage: Annotated[str, Meta(description="The transcript's own words, from `start` to `end`.")]
    turns: Annotated[tuple[SpokenTurn, ...], Meta(description="The turns that the passage has words of, in order.")]
    differences: Annotated[tuple[QuoteDifference, ...], Meta(description="What differs from the quote, left to right.")]


class ReadScore(Struct, frozen=True, kw_only=True):
    """What a model says that reads a passage and a claim."""

    model: Annotated[str, Meta(description="Its name and version, the beginning of the hash of its file.")]
    threshold: Annotated[_Fraction, Meta(description="The least score of a claim that follows.")]
    score: Annotated[_Fraction, Meta(description="The best score of the passages that it read.")]


def read_score(found: ReaderScore | None) -> ReadScore | None:
    """Return *found* in the form of reports."""
    return None if found is None else ReadScore(**found._asdict())


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
                "`blank` when nothing is left of it once normalised. If guarded, the verdict on the quote: `near`: in "
                "nearly these words, nothing that makes the meaning differs; `altered`: something that does differs; "
                "`elided`: in parts, with honest ellipses; `paraphrased`: in other words, by a model; "
                "`found_elsewhere`: not in the cited transcript; "
                "`wrong_speaker`: said by somebody else than the input names or the policy allows."
            )
        ),
    ]
    accepted: Annotated[bool, Meta(description="True when the policy accepts the quote.")]
    grounded: Annotated[
        bool,
        Meta(description="True when at least one transcript holds the quote as the policy asks for: as `accepted`."),
    ]
    score: Annotated[_Fraction | None, Meta(description="Score of the best place; null when there is none.")]
    places: Annotated[
        tuple[Place, ...],
        Meta(
            description=(
                "Best first: exact, normalized, fuzzy by falling score; equals in the order of `transcripts`. "
                "If guarded, at most the one that the verdict is about, also where it is not accepted."
            )
        ),
    ]
    cited: Annotated[
        _Number | None, Meta(description="Number of the transcript that the input says the quote is from.")
    ]
    source: Annotated[str | None, Meta(description="The name that the input gives for that transcript; null for none.")]
    speaker: Annotated[str | None, Meta(description="Who said the quote, as the input names them; null for nobody.")]
    page: Annotated[_Number | None, Meta(description="The page that the input names; never confirmed.")]
    nearest: Annotated[
        Nearest | None,
        Meta(
            description=(
                "The most similar passage of a quote that has no place; null if literal, if the quote is blank or "
                "longer than each transcript, or if too much text would have to be searched for so many quotes."
            )
        ),
    ]
    reasons: Annotated[tuple[VerdictReason, ...], Meta(description="Those that decided come first; empty if literal.")]
    differences: Annotated[
        tuple[QuoteDifference, ...],
        Meta(description="What differs from the passage, from left to right; empty if literal."),
    ]
    truncated: Annotated[
        str | None, Meta(description="The words right beside the passage that restrict or deny it; null for none.")
    ]
    hidden: Annotated[tuple[str, ...], Meta(description="The negations and limits in what an ellipsis leaves out.")]
    reader: Annotated[
        ReadScore | None, Meta(description="What a model says that read quote and passage; null if none was asked.")
    ] = None


class TranscriptReport(Struct, frozen=True, kw_only=True):
    """One text that quotes were looked for in."""

    number: _Number
    name: Annotated[str, Meta(description="The path as given, or `<stdin>`.")]
    format: Annotated[TranscriptFormat, Meta(description="What it was read as; always `text` if literal.")]
    chars: Annotated[_Count, Meta(description="Length in code points.")]
    lines: _Count
    turns: Annotated[_Count, Meta(description="Number of turns; 0 if literal.")]
    speakers: Annotated[tuple[str, ...], Meta(description="Each speaker once, in the order of appearance.")]
    sha256: Annotated[
        str | None, Meta(description="SHA-256 of the bytes as read, in hexadecimal; null for a text that was not read.")
    ]
    bom: Annotated[bool, Meta(description="True when a UTF-8 byte order mark was dropped; offsets start after it.")]
    grounded: Annotated[
        _Count, Meta(description="Number of quotes that this transcript holds; if guarded, that are accepted from it.")
    ]


class DomainSummary(Struct, frozen=True, kw_only=True):
    """Counts of one domain, in the order of first appearance."""

    domain: str | None
    quotes: _Count
    grounded: _Count


class Summary(Struct, frozen=True, kw_only=True):
    """Counts of all quotes; `accepted`, which is `grounded`, and `rejected` add up to `quotes`."""

    quotes: _Count
    accepted: _Count
    grounded: _Count
    rejected: _Count
    exact: _Count
    normalized: _Count
    fuzzy: _Count
    near: _Count
    altered: _Count
    elided: _Count
    paraphrased: _Count
    found_elsewhere: _Count
    wrong_speaker: _Count
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

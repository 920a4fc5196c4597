"""Holds the check report as data."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from groundwire.report.model import Count, Fraction, Number, Offsets, QuoteDifference, ReadScore, Tool, VerdictReason

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
    "unreadable",
    "blank",
]
Mode: TypeAlias = Literal["substring", "fuzzy"]
Policy: TypeAlias = Literal["guarded", "literal"]
TranscriptFormat: TypeAlias = Literal[
    "text", "webvtt", "srt", "tsv", "csv", "json", "pdf", "docx", "html", "markdown", "epub", "xlsx"
]

# Best first, which is the order of a quote's places in a report.
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
MODES: tuple[Mode, ...] = get_args(Mode)
POLICIES: tuple[Policy, ...] = get_args(Policy)


class Settings(Struct, frozen=True, kw_only=True):
    """Holds the settings of the comparison."""

    policy: Annotated[
        Policy,
        Meta(
            description=(
                "The rule that decides: `guarded` compares meaning and accepts no difference that changes it; "
                "`literal` compares strings."
            )
        ),
    ]
    mode: Annotated[
        Mode | None,
        Meta(description="`substring` of the normalised text, or `fuzzy`; null for the guarded policy."),
    ]
    threshold: Annotated[
        Fraction | None,
        Meta(description="Minimum fuzzy score of an accepted quote; null if the mode does not use one."),
    ]
    min_chars: Annotated[
        Number | None,
        Meta(description="Minimum number of characters of an accepted quote; null for the literal policy."),
    ]
    min_words: Annotated[
        Number | None, Meta(description="Minimum number of words of an accepted quote; null for the literal policy.")
    ]
    speakers: Annotated[
        tuple[str, ...] | None, Meta(description="Speakers who may be quoted, in alphabetical order; null for all.")
    ]
    support_score: Annotated[
        str | None, Meta(description="Name and hash of the score that gives `probability`; null without one.")
    ] = None
    fold_variants: Annotated[
        bool,
        Meta(
            description=(
                "Whether simplified and traditional Chinese characters count as equal, and hiragana and katakana."
            )
        ),
    ] = False


class SpokenTurn(Struct, frozen=True, kw_only=True):
    """Holds a turn of a transcript: the uninterrupted words of one speaker."""

    number: Annotated[Number, Meta(description="Position of the turn in its transcript, from 1.")]
    speaker: Annotated[str | None, Meta(description="The name as written; null if no speaker is named.")]
    start_time_s: Annotated[float | None, Meta(description="Start time in seconds; null if the transcript gives none.")]
    end_time_s: Annotated[float | None, Meta(description="End time in seconds; null if the transcript gives none.")]
    line: Annotated[Number, Meta(description="Line of the file on which the turn begins, from 1.")]


class Place(Struct, frozen=True, kw_only=True):
    """
    Holds the location of a quote in one transcript.

    Offsets count Unicode code points of the text as read: UTF-8 decoded, without a
    byte order mark, line ends unchanged. For transcripts other than plain text,
    they refer to `groundwire.read_transcript(path).text`.
    """

    transcript: Annotated[Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    kind: Annotated[Kind, Meta(description="How closely the passage matches the quote.")]
    score: Annotated[Fraction, Meta(description="Similarity of quote and passage; 1 unless the kind is `fuzzy`.")]
    start: Annotated[Count, Meta(description="Offset of the passage's first code point, from 0.")]
    end: Annotated[Count, Meta(description="Offset after the passage's last code point.")]
    line: Annotated[Number, Meta(description="Line on which the passage starts, from 1; CR LF, LF and CR end a line.")]
    column: Annotated[Number, Meta(description="Code point within that line, from 1.")]
    passage: Annotated[str, Meta(description="The words of the transcript from `start` to `end`.")]
    all_spans: Annotated[
        tuple[Offsets, ...],
        Meta(
            description=(
                "Start and end of every occurrence, or of each part of a quote with an "
                "ellipsis; for the literal policy, "
                "of the passage."
            )
        ),
    ]
    turns: Annotated[
        tuple[SpokenTurn, ...],
        Meta(description="The turns that the passage takes words from, in order; empty for a text without turns."),
    ]
    pages: Annotated[
        tuple[Number, ...],
        Meta(description="The pages that the passage takes words from, in order; empty for a text without pages."),
    ] = ()
    path: Annotated[
        str | None, Meta(description="Part of a document in which the passage begins, such as `Sheet1!B3`.")
    ] = None


class Nearest(Struct, frozen=True, kw_only=True):
    """Holds the passage most similar to a quote that no transcript contains; it is never accepted."""

    transcript: Annotated[Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    score: Annotated[Fraction, Meta(description="Similarity of quote and passage by characters.")]
    start: Count
    end: Count
    line: Number
    column: Number
    passage: Annotated[str, Meta(description="The words of the transcript from `start` to `end`.")]
    turns: Annotated[tuple[SpokenTurn, ...], Meta(description="The turns that the passage takes words from, in order.")]
    differences: Annotated[tuple[QuoteDifference, ...], Meta(description="Differences from the quote, left to right.")]
    pages: Annotated[
        tuple[Number, ...],
        Meta(description="The pages that the passage takes words from, in order; empty for a text without pages."),
    ] = ()
    path: Annotated[
        str | None, Meta(description="Part of a document in which the passage begins, such as `Sheet1!B3`.")
    ] = None


class QuoteOrigin(Struct, frozen=True, kw_only=True):
    """Holds the location of a quote in the input: a row of a table, or a span of an answer."""

    sheet: Annotated[
        str | None, Meta(description="Title of the sheet, or `table 2` in a Word document; null for a single table.")
    ] = None
    row: Annotated[
        Number | None, Meta(description="Number of the row in its table, from 1, counting the header and empty rows.")
    ] = None
    start: Annotated[
        Count | None, Meta(description="Offset of the quotation in the answer, in code points, without its marks.")
    ] = None
    end: Annotated[Count | None, Meta(description="Offset after the quotation's last code point.")] = None


class QuoteResult(Struct, frozen=True, kw_only=True):
    """Holds the verdict on one quote; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Position of the quote in the input, from 1.")]
    id: Annotated[str | None, Meta(description="Identifier of the quote in the input.")]
    domain: Annotated[str | None, Meta(description="Group of the quote in the input.")]
    quote: Annotated[str, Meta(description="The quote as given.")]
    status: Annotated[
        Status,
        Meta(
            description=(
                "Kind of the best place; `absent` if no transcript contains the quote; `unreadable` if it was not "
                "found but may be on a page without text; `blank` if normalisation leaves nothing of it. The guarded "
                "policy has more: `near`: similar words with the same meaning; `altered`: similar words with another "
                "meaning; `elided`: in parts, with ellipses that hide nothing; `paraphrased`: in other words, "
                "according to a model; `found_elsewhere`: only in another transcript than the cited one; "
                "`wrong_speaker`: spoken by someone else than the input names or the policy allows."
            )
        ),
    ]
    accepted: Annotated[bool, Meta(description="True if the policy accepts the quote.")]
    grounded: Annotated[
        bool,
        Meta(
            description=(
                "The same as `accepted`: true if at least one transcript contains the quote as the policy requires."
            )
        ),
    ]
    score: Annotated[Fraction | None, Meta(description="Score of the best place; null without a place.")]
    places: Annotated[
        tuple[Place, ...],
        Meta(
            description=(
                "Best first: exact, normalized, fuzzy by descending score; ties in the order of `transcripts`. "
                "For the guarded policy, at most the one that the verdict is about, even if it is not accepted."
            )
        ),
    ]
    cited: Annotated[Number | None, Meta(description="Number of the transcript that the input names as the source.")]
    source: Annotated[
        str | None, Meta(description="Name of that transcript in the input; null if the input names none.")
    ]
    speaker: Annotated[str | None, Meta(description="Speaker of the quote in the input; null if the input names none.")]
    page: Annotated[Number | None, Meta(description="Page in the input.")]
    nearest: Annotated[
        Nearest | None,
        Meta(
            description=(
                "The most similar passage for a quote without a place. Null for the literal policy, for a blank quote, "
                "for a quote longer than every transcript, and if the search would take too long."
            )
        ),
    ]
    reasons: Annotated[
        tuple[VerdictReason, ...], Meta(description="Deciding reasons come first; empty for the literal policy.")
    ]
    differences: Annotated[
        tuple[QuoteDifference, ...],
        Meta(description="Differences from the passage, left to right; empty for the literal policy."),
    ]
    truncated: Annotated[
        str | None,
        Meta(description="The words directly beside the passage that restrict or negate it; null if there are none."),
    ]
    hidden: Annotated[tuple[str, ...], Meta(description="The negations and limits that an ellipsis leaves out.")]
    reader: Annotated[
        ReadScore | None,
        Meta(description="The score of a model that read quote and passage; null if no model was used."),
    ] = None
    probability: Annotated[
        Fraction | None,
        Meta(
            description=(
                "Probability that the quote is right, by the score in `settings`; null without a score, and for "
                "`paraphrased`, `found_elsewhere`, `wrong_speaker` and `unreadable`, which no score is fitted on."
            )
        ),
    ] = None
    origin: Annotated[
        QuoteOrigin | None,
        Meta(description="Location of the quote in the input; null if the input is neither a table nor an answer."),
    ] = None


class TranscriptReport(Struct, frozen=True, kw_only=True):
    """Describes one text that was searched."""

    number: Number
    name: Annotated[str, Meta(description="The path as given, or `<stdin>`.")]
    format: Annotated[
        TranscriptFormat, Meta(description="Format in which it was read; always `text` for the literal policy.")
    ]
    chars: Annotated[Count, Meta(description="Length in code points.")]
    lines: Count
    turns: Annotated[Count, Meta(description="Number of turns; 0 for the literal policy.")]
    speakers: Annotated[tuple[str, ...], Meta(description="Each speaker once, in the order of appearance.")]
    sha256: Annotated[
        str | None,
        Meta(
            description="SHA-256 of the bytes as read, in hexadecimal; null for a text that does not come from a file."
        ),
    ]
    bom: Annotated[bool, Meta(description="True if a UTF-8 byte order mark was dropped; offsets start after it.")]
    grounded: Annotated[Count, Meta(description="Number of accepted quotes from this transcript.")]


class DomainSummary(Struct, frozen=True, kw_only=True):
    """Holds the counts of one domain; domains are in order of first appearance."""

    domain: str | None
    quotes: Count
    grounded: Count


class Summary(Struct, frozen=True, kw_only=True):
    """Holds the counts of all quotes; `accepted` (the same as `grounded`) and `rejected` add up to `quotes`."""

    quotes: Count
    accepted: Count
    grounded: Count
    rejected: Count
    exact: Count
    normalized: Count
    fuzzy: Count
    near: Count
    altered: Count
    elided: Count
    paraphrased: Count
    found_elsewhere: Count
    wrong_speaker: Count
    absent: Count
    unreadable: Count
    blank: Count
    rate: Annotated[Fraction | None, Meta(description="`grounded` divided by `quotes`; null without quotes.")]
    by_domain: tuple[DomainSummary, ...]
    left_out: Annotated[
        Count, Meta(description="Number of quotations of an answer that were not checked, because they are too short.")
    ] = 0


class CheckReport(Struct, frozen=True, kw_only=True):
    """Holds the verdicts of `groundwire check`: which quotes the transcripts contain, and where."""

    schema_version: Literal["1"]
    tool: Tool
    settings: Settings
    transcripts: tuple[TranscriptReport, ...]
    quotes: Annotated[tuple[QuoteResult, ...], Meta(description="In the order of the input.")]
    summary: Summary

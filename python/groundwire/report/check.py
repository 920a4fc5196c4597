"""The check report: the model, and a builder for each policy."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Meta, Struct

from groundwire import Document, Match, Source, Sources, Transcript, normalize
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.differences import Difference
from groundwire.evidence.verdicts import REASONS, NearestPassage, QuotePolicy, QuoteReason, QuoteVerdict
from groundwire.evidence.verdicts import Quote as NamedQuote
from groundwire.pair_scorer import PairScorer
from groundwire.report.highlights import Lines
from groundwire.report.labels import read_text
from groundwire.report.model import (
    SCHEMA_VERSION,
    Count,
    Fraction,
    Number,
    Offsets,
    QuoteDifference,
    ReadScore,
    Tool,
    VerdictReason,
    read_score,
    tool,
)
from groundwire.transcripts.transcript import Turn

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
TranscriptFormat: TypeAlias = Literal[
    "text", "webvtt", "srt", "tsv", "csv", "json", "pdf", "docx", "html", "markdown", "epub", "xlsx"
]

# Best first: a report puts the places of a quote in this order.
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
MODES: tuple[Mode, ...] = get_args(Mode)
POLICIES: tuple[Policy, ...] = get_args(Policy)


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
        Fraction | None, Meta(description="Lowest accepted fuzzy score; null where the mode does not use one.")
    ]
    min_chars: Annotated[Number | None, Meta(description="Fewest characters of an accepted quote; null if literal.")]
    min_words: Annotated[Number | None, Meta(description="Fewest words of an accepted quote; null if literal.")]
    speakers: Annotated[
        tuple[str, ...] | None, Meta(description="Who may be quoted, in the order of the alphabet; null for anybody.")
    ]


class SpokenTurn(Struct, frozen=True, kw_only=True):
    """A turn of a transcript: what one speaker says at a stretch."""

    number: Annotated[Number, Meta(description="Place of the turn in its transcript, from 1.")]
    speaker: Annotated[str | None, Meta(description="The name as written; null where nobody is named.")]
    start_time_s: Annotated[float | None, Meta(description="When it starts, in seconds; null where that is not said.")]
    end_time_s: Annotated[float | None, Meta(description="When it ends, in seconds.")]
    line: Annotated[Number, Meta(description="Line of the file that it begins in, from 1.")]


class Place(Struct, frozen=True, kw_only=True):
    """
    Where one transcript holds a quote.

    Offsets count Unicode code points of the text as read: UTF-8 decoded, a byte
    order mark dropped, line ends untouched. Of a transcript that is no plain text
    they count in `groundwire.read_transcript(path).text`.
    """

    transcript: Annotated[Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    kind: Annotated[Kind, Meta(description="How the passage and the quote compare.")]
    score: Annotated[Fraction, Meta(description="Similarity of quote and passage; 1 unless the kind is `fuzzy`.")]
    start: Annotated[Count, Meta(description="Offset of the passage's first code point, from 0.")]
    end: Annotated[Count, Meta(description="Offset after the passage's last code point.")]
    line: Annotated[Number, Meta(description="Line that the passage starts in, from 1; CR LF, LF and CR end a line.")]
    column: Annotated[Number, Meta(description="Code point within that line, from 1.")]
    passage: Annotated[str, Meta(description="The transcript's own words, from `start` to `end`.")]
    all_spans: Annotated[
        tuple[Offsets, ...],
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
    pages: Annotated[
        tuple[Number, ...],
        Meta(description="The pages of a document that the passage has words of, in order; empty without pages."),
    ] = ()
    path: Annotated[
        str | None, Meta(description="Where the passage begins in a document, such as `Sheet1!B3`; null for a text.")
    ] = None


class Nearest(Struct, frozen=True, kw_only=True):
    """The passage most similar to a quote that no transcript holds; it is never accepted. Offsets as in a place."""

    transcript: Annotated[Number, Meta(description="Number of the transcript in `transcripts`, from 1.")]
    name: Annotated[str, Meta(description="Name of that transcript.")]
    score: Annotated[Fraction, Meta(description="Similarity of the characters of quote and passage.")]
    start: Count
    end: Count
    line: Number
    column: Number
    passage: Annotated[str, Meta(description="The transcript's own words, from `start` to `end`.")]
    turns: Annotated[tuple[SpokenTurn, ...], Meta(description="The turns that the passage has words of, in order.")]
    differences: Annotated[tuple[QuoteDifference, ...], Meta(description="What differs from the quote, left to right.")]


class QuoteResult(Struct, frozen=True, kw_only=True):
    """The verdict on one quote; one line of the JSONL format."""

    number: Annotated[Number, Meta(description="Position of the quote in the input, from 1.")]
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
    score: Annotated[Fraction | None, Meta(description="Score of the best place; null when there is none.")]
    places: Annotated[
        tuple[Place, ...],
        Meta(
            description=(
                "Best first: exact, normalized, fuzzy by falling score; equals in the order of `transcripts`. "
                "If guarded, at most the one that the verdict is about, also where it is not accepted."
            )
        ),
    ]
    cited: Annotated[Number | None, Meta(description="Number of the transcript that the input says the quote is from.")]
    source: Annotated[str | None, Meta(description="The name that the input gives for that transcript; null for none.")]
    speaker: Annotated[str | None, Meta(description="Who said the quote, as the input names them; null for nobody.")]
    page: Annotated[Number | None, Meta(description="The page that the input names.")]
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

    number: Number
    name: Annotated[str, Meta(description="The path as given, or `<stdin>`.")]
    format: Annotated[TranscriptFormat, Meta(description="What it was read as; always `text` if literal.")]
    chars: Annotated[Count, Meta(description="Length in code points.")]
    lines: Count
    turns: Annotated[Count, Meta(description="Number of turns; 0 if literal.")]
    speakers: Annotated[tuple[str, ...], Meta(description="Each speaker once, in the order of appearance.")]
    sha256: Annotated[
        str | None, Meta(description="SHA-256 of the bytes as read, in hexadecimal; null for a text that was not read.")
    ]
    bom: Annotated[bool, Meta(description="True when a UTF-8 byte order mark was dropped; offsets start after it.")]
    grounded: Annotated[
        Count, Meta(description="Number of quotes that this transcript holds; if guarded, that are accepted from it.")
    ]


class DomainSummary(Struct, frozen=True, kw_only=True):
    """Counts of one domain, in the order of first appearance."""

    domain: str | None
    quotes: Count
    grounded: Count


class Summary(Struct, frozen=True, kw_only=True):
    """Counts of all quotes; `accepted`, which is `grounded`, and `rejected` add up to `quotes`."""

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
    blank: Count
    rate: Annotated[Fraction | None, Meta(description="`grounded` over `quotes`; null without quotes.")]
    by_domain: tuple[DomainSummary, ...]


class CheckReport(Struct, frozen=True, kw_only=True):
    """Verdicts of `groundwire check`: which quotes the transcripts hold, and where."""

    schema_version: Literal["1"]
    tool: Tool
    settings: Settings
    transcripts: tuple[TranscriptReport, ...]
    quotes: Annotated[tuple[QuoteResult, ...], Meta(description="In the order of the input.")]
    summary: Summary


# Quotes go to the engine in batches, because only between batches can progress
# be shown and an interrupt be heard. A batch is worth about this many
# characters of text, which takes the engine a fraction of a second.
_BATCH_CHARS = 200_000_000
_BATCH_QUOTES = range(16, 4097)


class TranscriptFile(NamedTuple):
    """
    A text to look for quotes in, with what the report says of its origin.

    `reading` is the text with its turns, and `document` the one with its pages, whose `text` then is this one.
    """

    name: str
    text: str
    sha256: str | None = None
    bom: bool = False
    reading: Transcript | None = None
    document: Document | None = None


class Quote(NamedTuple):
    """A quote to look for, and where it is said to be from: `source` is the name of a transcript."""

    text: str
    domain: str | None = None
    id: str | None = None
    source: str | None = None
    speaker: str | None = None
    page: int | None = None


def batches(count: int, text_chars: int) -> Iterator[slice]:
    """Cut *count* quotes into slices worth about `_BATCH_CHARS` each."""
    size = _BATCH_CHARS // max(text_chars, 1)
    size = min(max(size, _BATCH_QUOTES.start), _BATCH_QUOTES.stop - 1)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def assemble(
    settings: Settings, transcripts: Iterable[TranscriptReport], results: Sequence[QuoteResult], domains: Iterable[str]
) -> CheckReport:
    """Put a report together; *domains* are listed even when no quote names them."""
    return CheckReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=settings,
        transcripts=tuple(transcripts),
        quotes=tuple(results),
        summary=_summary(results, domains),
    )


def describe(transcript: TranscriptFile, number: int, lines: int, found: int) -> TranscriptReport:
    """Describe *transcript* without its text."""
    reading = transcript.reading
    return TranscriptReport(
        number=number,
        name=transcript.name,
        format=transcript.document.format if transcript.document else reading.format if reading else "text",
        chars=len(transcript.text),
        lines=lines,
        turns=len(reading.turns) if reading else 0,
        speakers=reading.speakers if reading else (),
        sha256=transcript.sha256,
        bom=transcript.bom,
        grounded=found,
    )


def _summary(results: Sequence[QuoteResult], domains: Iterable[str]) -> Summary:
    """Count verdicts, over all and by domain."""
    statuses = Counter(result.status for result in results)
    asked = Counter(result.domain for result in results)
    found = Counter(result.domain for result in results if result.accepted)
    accepted = found.total()
    named: list[str | None] = [*domains, *asked]
    return Summary(
        quotes=len(results),
        accepted=accepted,
        grounded=accepted,
        rejected=len(results) - accepted,
        **{status: statuses[status] for status in STATUSES},
        rate=accepted / len(results) if results else None,
        by_domain=tuple(
            DomainSummary(domain=domain, quotes=asked[domain], grounded=found[domain])
            for domain in dict.fromkeys(named)
        ),
    )


def build_report(
    transcripts: Sequence[TranscriptFile],
    quotes: Sequence[Quote],
    *,
    mode: Mode = "substring",
    threshold: float = DEFAULT_THRESHOLD,
    workers: int = 1,
    domains: Iterable[str] = (),
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Look for every quote in every transcript, as plain strings.

    Args:
        transcripts: The texts; a quote is grounded when at least one holds it,
            whatever source it names.
        quotes: Checked and reported in this order.
        mode: "substring", or "fuzzy" to accept scores from *threshold* on.
        threshold: 0.0-1.0; without effect in substring mode.
        workers: Threads of the engine.
        domains: Domains to list even when no quote names them.
        on_progress: Called with the number of (transcript, quote) pairs done
            since the last call.
    """
    texts = [quote.text for quote in quotes]
    places: list[list[Place]] = [[] for _ in quotes]
    reports = []
    for number, transcript in enumerate(transcripts, start=1):
        source, lines = Source(transcript.text, name=transcript.name), Lines(transcript.text)
        found = 0
        for batch in batches(len(texts), len(transcript.text)):
            matches = source.ground(texts[batch], mode=mode, threshold=threshold, workers=workers)
            for into, match in zip(places[batch], matches, strict=True):
                if match is not None:
                    into.append(_literal_place(match, number, transcript.name, lines))
                    found += 1
            on_progress(len(matches))
        reports.append(describe(transcript, number, len(lines), found))
    results = [_literal_result(number, *both) for number, both in enumerate(zip(quotes, places, strict=True), start=1)]
    settings = Settings(
        policy="literal",
        mode=mode,
        threshold=threshold if mode == "fuzzy" else None,
        min_chars=None,
        min_words=None,
        speakers=None,
    )
    return assemble(settings, reports, results, domains)


def _literal_place(match: Match, number: int, name: str, lines: Lines) -> Place:
    """Say where *match* is, for people and for machines."""
    line, column = lines.locate(match.start)
    return Place(
        transcript=number,
        name=name,
        kind=match.kind,
        score=match.score,
        start=match.start,
        end=match.end,
        line=line,
        column=column,
        passage=match.text,
        all_spans=((match.start, match.end),),
        turns=(),
    )


def _literal_result(number: int, quote: Quote, places: list[Place]) -> QuoteResult:
    """Return the verdict on *quote*, best place first."""
    # sorted() is stable, so equal places keep the order of the transcripts.
    best_first = sorted(places, key=lambda place: (KINDS.index(place.kind), -place.score))
    best = best_first[0] if best_first else None
    return QuoteResult(
        number=number,
        id=quote.id,
        domain=quote.domain,
        quote=quote.text,
        status=best.kind if best else _status_of_rejected(quote.text),
        accepted=best is not None,
        grounded=best is not None,
        score=best.score if best else None,
        places=tuple(best_first),
        cited=None,
        source=quote.source,
        speaker=quote.speaker,
        page=quote.page,
        nearest=None,
        reasons=(),
        differences=(),
        truncated=None,
        hidden=(),
    )


def _status_of_rejected(quote: str) -> Status:
    """Tell a quote of which normalisation leaves nothing from one that is not there."""
    return "absent" if normalize(quote) else "blank"


_NEAREST_MAX_CHARS = 500_000_000
"""Text that is searched for the nearest passages of one report, in characters: about ten seconds of work."""


def build_guarded_report(
    transcripts: Sequence[TranscriptFile],
    quotes: Sequence[Quote],
    *,
    policy: QuotePolicy | None = None,
    workers: int = 1,
    reader: PairScorer | None = None,
    domains: Iterable[str] = (),
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Say of every quote how it stands in the transcripts, and what differs.

    Args:
        transcripts: The texts, each with a name of its own. Who speaks is known of
            those that have a `reading`.
        quotes: Checked and reported in this order. One that names its source is
            looked for there; what only another transcript has is `found_elsewhere`. A name that
            no transcript has makes that quote `unknown_source`, and ends nothing else.
        policy: What is accepted; None for the default.
        workers: Threads of the engine.
        reader: See `assess_quotes`.
        domains: Domains to list even when no quote names them.
        on_progress: Called with the number of (transcript, quote) pairs done
            since the last call.

    Raises:
        ValueError: Two transcripts have one name, or the policy names speakers and
            one of them has no turns.
    """
    rules = QuotePolicy() if policy is None else policy
    sources = Sources([_source(each) for each in transcripts])
    verdicts = _verdicts(quotes, sources, rules, workers, reader, lambda done: on_progress(done * len(transcripts)))
    layout = _Layout(transcripts)
    # Each search for a nearest passage reads all of the text.
    searches = _NEAREST_MAX_CHARS // max(_text_chars(sources), 1)
    results: list[QuoteResult] = []
    for number, (quote, verdict) in enumerate(zip(quotes, verdicts, strict=True), start=1):
        results.append(_result(number, quote, verdict, layout, is_searched=searches > 0))
        searches -= verdict.match is None
    accepted = Counter(place.transcript for result in results if result.accepted for place in result.places)
    reports = [
        describe(each, number, len(layout.lines[each.name]), accepted[number])
        for number, each in enumerate(transcripts, start=1)
    ]
    settings = Settings(
        policy="guarded",
        mode=None,
        threshold=rules.threshold,
        min_chars=rules.min_chars,
        min_words=rules.min_words,
        speakers=None if rules.speakers is None else tuple(sorted(rules.speakers)),
    )
    return assemble(settings, reports, results, domains)


def _source(transcript: TranscriptFile) -> Transcript | tuple[str, str | Document]:
    """Return what a source is made of, under the name that the report has for it."""
    if transcript.document is not None:
        return transcript.name, transcript.document
    if transcript.reading is None:
        return transcript.name, transcript.text
    return replace(transcript.reading, name=transcript.name)


def _verdicts(
    quotes: Sequence[Quote],
    sources: Sources,
    policy: QuotePolicy,
    workers: int,
    reader: PairScorer | None,
    on_progress: Callable[[int], object],
) -> list[QuoteVerdict]:
    """Return a verdict for each quote. Quotes that name the same speaker and source are assessed in one batch."""
    order = sorted(range(len(quotes)), key=lambda number: (quotes[number].source or "", quotes[number].speaker or ""))
    verdicts: dict[int, QuoteVerdict] = {}
    for batch in batches(len(quotes), _text_chars(sources)):
        named = [_named_quote(quotes[number]) for number in order[batch]]
        assessed = assess_quotes(named, sources, policy=policy, workers=workers, reader=reader)
        verdicts.update(zip(order[batch], assessed, strict=True))
        on_progress(len(assessed))
    return [verdicts[number] for number in range(len(quotes))]


def _named_quote(quote: Quote) -> NamedQuote:
    return NamedQuote(quote.text, speaker=quote.speaker, source=quote.source, page=quote.page)


def _text_chars(sources: Sources) -> int:
    return sum(len(sources[place].text) for place in range(len(sources)))


class _Layout:
    """The transcripts as a report shows them: numbers, lines and turns."""

    def __init__(self, transcripts: Sequence[TranscriptFile]) -> None:
        self.numbers = {each.name: number for number, each in enumerate(transcripts, start=1)}
        self.lines = {each.name: Lines(each.text) for each in transcripts}
        self._readings = {each.name: each.reading for each in transcripts}

    def place(self, verdict: QuoteVerdict) -> Place | None:
        """Return the place that the verdict is about, if there is one."""
        match, name = verdict.match, verdict.source
        if match is None or name is None:
            return None
        line, column = self.lines[name].locate(match.start)
        return Place(
            transcript=self.numbers[name],
            name=name,
            kind=match.kind,
            score=match.score,
            start=match.start,
            end=match.end,
            line=line,
            column=column,
            passage=match.text,
            all_spans=verdict.all_spans,
            turns=_turns(verdict.turns),
            pages=verdict.pages,
            path=verdict.path,
        )

    def nearest(self, passage: NearestPassage) -> Nearest:
        """Return the nearest passage with its line and turns."""
        name = passage.source or next(iter(self.numbers))
        line, column = self.lines[name].locate(passage.start)
        reading = self._readings[name]
        return Nearest(
            transcript=self.numbers[name],
            name=name,
            score=passage.score,
            start=passage.start,
            end=passage.end,
            line=line,
            column=column,
            passage=passage.text,
            turns=() if reading is None else _turns(reading.turns_in(passage.start, passage.end)),
            differences=_differences(passage.differences),
        )


def _result(number: int, quote: Quote, verdict: QuoteVerdict, layout: _Layout, *, is_searched: bool) -> QuoteResult:
    """Put *verdict* on *quote* into the report's form, with the nearest passage if it is searched for."""
    place = layout.place(verdict)
    nearest = verdict.nearest if place is None and is_searched else None
    return QuoteResult(
        number=number,
        id=quote.id,
        domain=quote.domain,
        quote=quote.text,
        status=verdict.status.value,
        accepted=verdict.accepted,
        grounded=verdict.accepted,
        score=verdict.score,
        places=() if place is None else (place,),
        cited=None if quote.source is None else layout.numbers.get(quote.source),
        source=quote.source,
        speaker=quote.speaker,
        page=quote.page,
        nearest=None if nearest is None else layout.nearest(nearest),
        reasons=tuple(VerdictReason(code=reason, words=_words_of(reason, verdict)) for reason in verdict.reasons),
        differences=_differences(verdict.differences),
        truncated=verdict.truncated,
        hidden=verdict.hidden,
        reader=read_score(verdict.reader),
    )


def _words_of(reason: QuoteReason, verdict: QuoteVerdict) -> str:
    """What *reason* says; of a model also which one it is, and its score."""
    read = read_score(verdict.reader) if reason is QuoteReason.ENTAILED else None
    return REASONS[reason] if read is None else f"{REASONS[reason]} ({read_text(read)})"


def _differences(differences: Iterable[Difference]) -> tuple[QuoteDifference, ...]:
    return tuple(
        QuoteDifference(
            kind=each.kind,
            quote_text=each.quote_text,
            source_text=each.source_text,
            quote_span=each.quote_span,
            source_span=each.source_span,
        )
        for each in differences
    )


def _turns(turns: Iterable[Turn]) -> tuple[SpokenTurn, ...]:
    return tuple(
        SpokenTurn(
            number=turn.number,
            speaker=turn.speaker,
            start_time_s=turn.start_time_s,
            end_time_s=turn.end_time_s,
            line=turn.line,
        )
        for turn in turns
    )

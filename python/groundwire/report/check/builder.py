"""Builds the check report, for each of the two policies."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire import Document, Match, Source, Sources, Transcript, normalize
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.differences import Difference
from groundwire.evidence.explanations import explain
from groundwire.evidence.verdicts import (
    NearestPassage,
    Quote,
    QuotePolicy,
    QuoteVerdict,
    quote_probability,
)
from groundwire.pair_scorer import PairScorer
from groundwire.report.check.model import (
    KINDS,
    STATUSES,
    CheckReport,
    DomainSummary,
    Mode,
    Nearest,
    Place,
    QuoteOrigin,
    QuoteResult,
    Settings,
    SpokenTurn,
    Status,
    Summary,
    TranscriptReport,
)
from groundwire.report.model import SCHEMA_VERSION, QuoteDifference, VerdictReason, read_score, tool
from groundwire.report.spans import Lines
from groundwire.support_score import SupportScore
from groundwire.thresholds import FUZZY_THRESHOLD
from groundwire.transcripts.transcript import Turn

# Quotes go to the engine in batches, because progress and interrupts are handled only between batches. A batch reads
# about this many characters of text, which takes the engine a fraction of a second.
_BATCH_CHARS = 200_000_000
_BATCH_QUOTES = range(16, 4097)


class TranscriptFile(NamedTuple):
    """
    Holds a text to search, with the facts about its origin that the report states.

    `reading` is the same text with its turns, `document` with its pages. `lines` are its lines, where they are known.
    """

    name: str
    text: str
    sha256: str | None = None
    bom: bool = False
    reading: Transcript | None = None
    document: Document | None = None
    lines: Lines | None = None


def with_distinct_names(transcripts: Sequence[TranscriptFile]) -> list[TranscriptFile]:
    """Return *transcripts* with their numbers in names that are not unique, because reports and verdicts use names."""
    names = Counter(each.name for each in transcripts)
    return [
        each if names[each.name] == 1 else each._replace(name=f"{each.name} (source {number})")
        for number, each in enumerate(transcripts, start=1)
    ]


class QuoteEntry(NamedTuple):
    """Holds a quote of the input, and what it claims: `source` is the name of a transcript."""

    text: str
    domain: str | None = None
    id: str | None = None
    source: str | None = None
    speaker: str | None = None
    page: int | None = None
    origin: QuoteOrigin | None = None


def batches(count: int, text_chars: int) -> Iterator[slice]:
    """Cut *count* quotes into slices, each of which reads about `_BATCH_CHARS` of text."""
    size = _BATCH_CHARS // max(text_chars, 1)
    size = min(max(size, _BATCH_QUOTES.start), _BATCH_QUOTES.stop - 1)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def assemble(
    settings: Settings,
    transcripts: Iterable[TranscriptReport],
    results: Sequence[QuoteResult],
    domains: Iterable[str],
    left_out: int = 0,
) -> CheckReport:
    """Return a report; it lists all *domains*, even those without quotes."""
    return CheckReport(
        schema_version=SCHEMA_VERSION,
        tool=tool(),
        settings=settings,
        transcripts=tuple(transcripts),
        quotes=tuple(results),
        summary=_summary(results, domains, left_out),
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


def _summary(results: Sequence[QuoteResult], domains: Iterable[str], left_out: int) -> Summary:
    """Count verdicts in total and by domain."""
    statuses = Counter(result.status for result in results)
    quotes = Counter(result.domain for result in results)
    found = Counter(result.domain for result in results if result.accepted)
    accepted = found.total()
    named: list[str | None] = [*domains, *quotes]
    return Summary(
        quotes=len(results),
        accepted=accepted,
        grounded=accepted,
        rejected=len(results) - accepted,
        **{status: statuses[status] for status in STATUSES},
        rate=accepted / len(results) if results else None,
        by_domain=tuple(
            DomainSummary(domain=domain, quotes=quotes[domain], grounded=found[domain])
            for domain in dict.fromkeys(named)
        ),
        left_out=left_out,
    )


def build_report(
    transcripts: Sequence[TranscriptFile],
    quotes: Sequence[QuoteEntry],
    *,
    mode: Mode = "substring",
    threshold: float = FUZZY_THRESHOLD,
    workers: int = 1,
    domains: Iterable[str] = (),
    left_out: int = 0,
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Search every transcript for every quote, by comparing strings.

    Args:
        transcripts: The texts. A quote is grounded if at least one contains it,
            whatever source the input names.
        quotes: Quotes, which are checked and reported in this order.
        mode: "substring", or "fuzzy" to accept scores of at least *threshold*.
        threshold: Minimum score, 0.0 to 1.0; unused in substring mode.
        workers: Number of the engine's threads.
        domains: Domains to list, even without quotes.
        left_out: Number of quotations that the caller left out, for the summary.
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
                    into.append(_literal_place(match, number, transcript, lines))
                    found += 1
            on_progress(len(matches))
        reports.append(describe(transcript, number, len(lines), found))
    is_whole = not any(each.document and each.document.unreadable_pages for each in transcripts)
    results = [
        _literal_result(number, *both, is_whole=is_whole)
        for number, both in enumerate(zip(quotes, places, strict=True), start=1)
    ]
    settings = Settings(
        policy="literal",
        mode=mode,
        threshold=threshold if mode == "fuzzy" else None,
        min_chars=None,
        min_words=None,
        speakers=None,
    )
    return assemble(settings, reports, results, domains, left_out)


def _literal_place(match: Match, number: int, transcript: TranscriptFile, lines: Lines) -> Place:
    """Return the place of *match*, with offsets, line and column, and pages of a document."""
    line, column = lines.locate(match.start)
    pages, path = _pages_and_path(transcript.document, match.start, match.end)
    return Place(
        transcript=number,
        name=transcript.name,
        kind=match.kind,
        score=match.score,
        start=match.start,
        end=match.end,
        line=line,
        column=column,
        passage=match.text,
        all_spans=((match.start, match.end),),
        turns=(),
        pages=pages,
        path=path,
    )


def _pages_and_path(document: Document | None, start: int, end: int) -> tuple[tuple[int, ...], str | None]:
    """Return the pages of a span, and the part of the document in which it begins."""
    if document is None or start == end:
        return (), None
    location = document.locate(start, end)
    return location.pages, location.path


def _literal_result(number: int, quote: QuoteEntry, places: list[Place], *, is_whole: bool) -> QuoteResult:
    """Return the verdict on *quote*, best place first; *is_whole* if every page of the sources has text."""
    # sorted() is stable, so ties keep the order of the transcripts.
    best_first = sorted(places, key=lambda place: (KINDS.index(place.kind), -place.score))
    best = best_first[0] if best_first else None
    return QuoteResult(
        number=number,
        id=quote.id,
        domain=quote.domain,
        quote=quote.text,
        status=best.kind if best else _status_of_rejected(quote.text, is_whole=is_whole),
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
        origin=quote.origin,
    )


def _status_of_rejected(quote: str, *, is_whole: bool) -> Status:
    """Return "blank" for a quote of which normalisation leaves nothing, otherwise "absent" or "unreadable"."""
    if not normalize(quote):
        return "blank"
    return "absent" if is_whole else "unreadable"


# Characters of text to search for the nearest passages of one report, which takes about ten seconds.
_NEAREST_MAX_CHARS = 500_000_000


def build_guarded_report(
    transcripts: Sequence[TranscriptFile],
    quotes: Sequence[QuoteEntry],
    *,
    policy: QuotePolicy | None = None,
    workers: int = 1,
    reader: PairScorer | None = None,
    score: SupportScore | None = None,
    domains: Iterable[str] = (),
    left_out: int = 0,
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Assess every quote by its meaning, and report how it differs from its passage.

    Args:
        transcripts: The texts, with unique names. Speakers are known for those with
            a `reading`.
        quotes: Quotes, which are checked and reported in this order. A quote that
            names its source is searched for there; if only another transcript
            contains it, it is `found_elsewhere`. If no transcript has that name, the
            quote gets the reason `unknown_source`, and all others are still checked.
        policy: Rules of acceptance; None for the default.
        workers: Number of the engine's threads.
        reader: See `assess_quotes`.
        score: A score fitted on quotes, which gives each its probability.
        domains: Domains to list, even without quotes.
        left_out: Number of quotations that the caller left out, for the summary.
        on_progress: Called with the number of (transcript, quote) pairs done
            since the last call.

    Raises:
        ValueError: Two transcripts have the same name, or the policy names speakers
            and a transcript has no turns.
    """
    rules = QuotePolicy() if policy is None else policy
    sources = Sources([_source(each) for each in transcripts])
    verdicts = _verdicts(quotes, sources, rules, workers, reader, lambda done: on_progress(done * len(transcripts)))
    layout = _Layout(transcripts)
    # Each search for a nearest passage reads the whole text.
    searches = _NEAREST_MAX_CHARS // max(_text_chars(sources), 1)
    results: list[QuoteResult] = []
    for number, (quote, verdict) in enumerate(zip(quotes, verdicts, strict=True), start=1):
        results.append(_result(number, quote, verdict, layout, rules, score, is_searched=searches > 0))
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
        support_score=None if score is None else score.identity,
        fold_variants=rules.fold_variants,
    )
    return assemble(settings, reports, results, domains, left_out)


def _source(transcript: TranscriptFile) -> tuple[str, str | Transcript | Document]:
    """Return the transcript as `Sources` takes it, with the name that the report uses."""
    return transcript.name, transcript.document or transcript.reading or transcript.text


def _verdicts(
    quotes: Sequence[QuoteEntry],
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
        batch_quotes = [_quote(quotes[number]) for number in order[batch]]
        assessed = assess_quotes(batch_quotes, sources, policy=policy, workers=workers, reader=reader)
        verdicts.update(zip(order[batch], assessed, strict=True))
        on_progress(len(assessed))
    return [verdicts[number] for number in range(len(quotes))]


def _quote(quote: QuoteEntry) -> Quote:
    return Quote(quote.text, speaker=quote.speaker, source=quote.source, page=quote.page)


def _text_chars(sources: Sources) -> int:
    return sum(len(sources[index].text) for index in range(len(sources)))


class _Layout:
    """Finds numbers, lines and turns of the transcripts."""

    def __init__(self, transcripts: Sequence[TranscriptFile]) -> None:
        self.numbers = {each.name: number for number, each in enumerate(transcripts, start=1)}
        self.lines = {each.name: Lines(each.text) if each.lines is None else each.lines for each in transcripts}
        self._readings = {each.name: each.reading for each in transcripts}
        self._documents = {each.name: each.document for each in transcripts}

    def place(self, verdict: QuoteVerdict) -> Place | None:
        """Return the place that the verdict is about; None if the quote was not found."""
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
        """Return the nearest passage with its line, turns and pages."""
        name = passage.source or next(iter(self.numbers))
        line, column = self.lines[name].locate(passage.start)
        reading = self._readings[name]
        pages, path = _pages_and_path(self._documents[name], passage.start, passage.end)
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
            pages=pages,
            path=path,
        )


def _result(
    number: int,
    quote: QuoteEntry,
    verdict: QuoteVerdict,
    layout: _Layout,
    policy: QuotePolicy,
    score: SupportScore | None,
    *,
    is_searched: bool,
) -> QuoteResult:
    """Return the report's entry for *verdict*; *is_searched* allows a search for the nearest passage."""
    place = layout.place(verdict)
    nearest = verdict.nearest if place is None and is_searched else None
    explained = explain(verdict, policy=policy, cited=quote.source, nearest=nearest)
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
        reasons=tuple(
            VerdictReason(code=reason, words=words) for reason, words in zip(verdict.reasons, explained, strict=True)
        ),
        differences=_differences(verdict.differences),
        truncated=verdict.truncated,
        hidden=verdict.hidden,
        reader=read_score(verdict.reader),
        probability=None if score is None else quote_probability(verdict, score),
        origin=quote.origin,
    )


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

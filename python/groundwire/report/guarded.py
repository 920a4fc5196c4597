"""Check quotes against transcripts by the guarded rule and put the verdicts into a report."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from groundwire import Sources, Transcript
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.differences import Difference
from groundwire.evidence.verdicts import REASONS, NearestPassage, QuotePolicy, QuoteVerdict, Reason
from groundwire.evidence.verdicts import Quote as NamedQuote
from groundwire.pair_scorer import PairScorer
from groundwire.report.assembly import Quote, TranscriptFile, assemble, batches, describe
from groundwire.report.lines import Lines
from groundwire.report.model import (
    CheckReport,
    Nearest,
    Place,
    QuoteDifference,
    QuoteResult,
    Settings,
    SpokenTurn,
    VerdictReason,
    read_score,
)
from groundwire.report.words import read_text
from groundwire.transcripts.transcript import Turn

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


def _source(transcript: TranscriptFile) -> Transcript | tuple[str, str]:
    """Return what a source is made of, under the name that the report has for it."""
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


def _words_of(reason: Reason, verdict: QuoteVerdict) -> str:
    """What *reason* says; of a model also which one it is, and its score."""
    read = read_score(verdict.reader) if reason is Reason.ENTAILED else None
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

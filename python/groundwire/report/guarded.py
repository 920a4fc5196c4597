"""Check quotes against transcripts by the guarded rule and put the verdicts into a report."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from groundwire import Sources, Transcript
from groundwire.evidence.assessment import assess_quotes
from groundwire.evidence.policy import QuotePolicy
from groundwire.evidence.verdicts import REASONS, QuoteVerdict
from groundwire.report.assembly import Quote, TranscriptFile, assemble, batches, describe
from groundwire.report.lines import Lines
from groundwire.report.model import (
    CheckReport,
    Place,
    QuoteDifference,
    QuoteResult,
    Settings,
    SpokenTurn,
    VerdictReason,
)


def build_guarded_report(
    transcripts: Sequence[TranscriptFile],
    quotes: Sequence[Quote],
    *,
    policy: QuotePolicy | None = None,
    workers: int = 1,
    domains: Iterable[str] = (),
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Say of every quote how it stands in the transcripts, and what differs.

    Args:
        transcripts: The texts, each with a name of its own. Who speaks is known of
            those that have a `reading`.
        quotes: Checked and reported in this order. One that names its source is
            looked for there; what only another transcript has is `found_elsewhere`.
        policy: What is accepted; None for the default.
        workers: Threads of the engine.
        domains: Domains to list even when no quote names them.
        on_progress: Called with the number of (transcript, quote) pairs done
            since the last call.

    Raises:
        ValueError: Two transcripts have one name, or the policy names speakers and
            one of them has no turns.
        KeyError: A quote names a source that is none of *transcripts*.
    """
    rules = QuotePolicy() if policy is None else policy
    sources = Sources([_source(each) for each in transcripts])
    verdicts = _verdicts(quotes, sources, rules, workers, lambda done: on_progress(done * len(transcripts)))
    numbers = {each.name: number for number, each in enumerate(transcripts, start=1)}
    lines = {each.name: Lines(each.text) for each in transcripts}
    judged = zip(quotes, verdicts, strict=True)
    results = [_result(number, *each, numbers, lines) for number, each in enumerate(judged, start=1)]
    accepted = Counter(place.transcript for result in results if result.accepted for place in result.places)
    reports = [
        describe(each, number, len(lines[each.name]), accepted[number])
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
    on_progress: Callable[[int], object],
) -> list[QuoteVerdict]:
    """Return a verdict for each quote; quotes that cite the same source are assessed together."""
    by_source: dict[str | None, list[int]] = {}
    for number, quote in enumerate(quotes):
        by_source.setdefault(quote.source, []).append(number)
    text_chars = sum(len(sources[place].text) for place in range(len(sources)))
    verdicts: dict[int, QuoteVerdict] = {}
    for cited, chosen in by_source.items():
        for batch in batches(len(chosen), text_chars):
            texts = [quotes[number].text for number in chosen[batch]]
            assessed = assess_quotes(texts, sources, policy=policy, cited=cited, workers=workers)
            verdicts.update(zip(chosen[batch], assessed, strict=True))
            on_progress(len(assessed))
    return [verdicts[number] for number in range(len(quotes))]


def _result(
    number: int, quote: Quote, verdict: QuoteVerdict, numbers: dict[str, int], lines: dict[str, Lines]
) -> QuoteResult:
    """Put *verdict* on *quote* into the report's form."""
    return QuoteResult(
        number=number,
        id=quote.id,
        domain=quote.domain,
        quote=quote.text,
        status=verdict.status.value,
        accepted=verdict.accepted,
        grounded=verdict.accepted,
        score=verdict.score,
        places=_places(verdict, numbers, lines),
        cited=None if quote.source is None else numbers[quote.source],
        reasons=tuple(VerdictReason(code=reason, words=REASONS[reason]) for reason in verdict.reasons),
        differences=tuple(
            QuoteDifference(
                kind=each.kind,
                quote_text=each.quote_text,
                source_text=each.source_text,
                quote_span=each.quote_span,
                source_span=each.source_span,
            )
            for each in verdict.differences
        ),
        truncated=verdict.truncated,
        hidden=verdict.hidden,
    )


def _places(verdict: QuoteVerdict, numbers: dict[str, int], lines: dict[str, Lines]) -> tuple[Place, ...]:
    """Return the place that the verdict is about, if there is one."""
    match, name = verdict.match, verdict.source
    if match is None or name is None:
        return ()
    line, column = lines[name].locate(match.start)
    place = Place(
        transcript=numbers[name],
        name=name,
        kind=match.kind,
        score=match.score,
        start=match.start,
        end=match.end,
        line=line,
        column=column,
        passage=match.text,
        all_spans=verdict.all_spans,
        turns=tuple(
            SpokenTurn(
                number=turn.number,
                speaker=turn.speaker,
                start_time_s=turn.start_time_s,
                end_time_s=turn.end_time_s,
                line=turn.line,
            )
            for turn in verdict.turns
        ),
    )
    return (place,)

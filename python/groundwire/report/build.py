"""Check quotes against transcripts by the literal rule and put the verdicts into a report."""

from collections.abc import Callable, Iterable, Sequence

from groundwire import Match, Source, normalize
from groundwire.report.assembly import Quote, TranscriptFile, assemble, batches, describe
from groundwire.report.lines import Lines
from groundwire.report.model import (
    DEFAULT_THRESHOLD,
    KINDS,
    CheckReport,
    Mode,
    Place,
    QuoteResult,
    Settings,
    Status,
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
                    into.append(_place(match, number, transcript.name, lines))
                    found += 1
            on_progress(len(matches))
        reports.append(describe(transcript, number, len(lines), found))
    results = [_result(number, *both) for number, both in enumerate(zip(quotes, places, strict=True), start=1)]
    settings = Settings(
        policy="literal",
        mode=mode,
        threshold=threshold if mode == "fuzzy" else None,
        min_chars=None,
        min_words=None,
        speakers=None,
    )
    return assemble(settings, reports, results, domains)


def _place(match: Match, number: int, name: str, lines: Lines) -> Place:
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


def _result(number: int, quote: Quote, places: list[Place]) -> QuoteResult:
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

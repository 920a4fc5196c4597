"""Check quotes against transcripts and put the verdicts into a report."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire import UNICODE_VERSION, Match, Source, __version__, normalize
from groundwire.report.lines import Lines
from groundwire.report.model import (
    DEFAULT_THRESHOLD,
    KINDS,
    SCHEMA_VERSION,
    STATUSES,
    CheckReport,
    DomainSummary,
    Mode,
    Place,
    Policy,
    QuoteResult,
    Settings,
    Status,
    Summary,
    Tool,
    TranscriptReport,
)

# Quotes go to the engine in batches, because only between batches can progress
# be shown and an interrupt be heard. A batch is worth about this many
# characters of text, which takes the engine a fraction of a second.
_BATCH_CHARS = 200_000_000
_BATCH_QUOTES = range(16, 4097)


class Transcript(NamedTuple):
    """A text to look for quotes in, with what the report says of its origin."""

    name: str
    text: str
    sha256: str | None = None
    bom: bool = False


class Quote(NamedTuple):
    """A quote to look for."""

    text: str
    domain: str | None = None
    id: str | None = None


def build_report(
    transcripts: Sequence[Transcript],
    quotes: Sequence[Quote],
    *,
    mode: Mode = "substring",
    threshold: float = DEFAULT_THRESHOLD,
    policy: Policy = "literal",
    workers: int = 1,
    domains: Iterable[str] = (),
    on_progress: Callable[[int], object] = lambda _: None,
) -> CheckReport:
    """
    Look for every quote in every transcript.

    Args:
        transcripts: The texts; a quote is grounded when at least one holds it.
        quotes: Checked and reported in this order.
        mode: "substring", or "fuzzy" to accept scores from *threshold* on.
        threshold: 0.0-1.0; without effect in substring mode.
        policy: The rule that decides; "literal" is the only one.
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
        for batch in _batches(len(texts), len(transcript.text)):
            matches = source.ground(texts[batch], mode=mode, threshold=threshold, workers=workers)
            for into, match in zip(places[batch], matches, strict=True):
                if match is not None:
                    into.append(_place(match, number, transcript.name, lines))
                    found += 1
            on_progress(len(matches))
        reports.append(_transcript_report(transcript, number, len(lines), found))
    results = tuple(_result(number, *both) for number, both in enumerate(zip(quotes, places, strict=True), start=1))
    return CheckReport(
        schema_version=SCHEMA_VERSION,
        tool=Tool(name="groundwire", version=__version__, unicode_version=UNICODE_VERSION),
        settings=Settings(policy=policy, mode=mode, threshold=threshold if mode == "fuzzy" else None),
        transcripts=tuple(reports),
        quotes=results,
        summary=_summary(results, domains),
    )


def _batches(count: int, text_chars: int) -> Iterator[slice]:
    """Cut *count* quotes into slices worth about `_BATCH_CHARS` each."""
    size = _BATCH_CHARS // max(text_chars, 1)
    size = min(max(size, _BATCH_QUOTES.start), _BATCH_QUOTES.stop - 1)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


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
        grounded=best is not None,
        score=best.score if best else None,
        places=tuple(best_first),
    )


def _status_of_rejected(quote: str) -> Status:
    """Tell a quote of which normalisation leaves nothing from one that is not there."""
    return "absent" if normalize(quote) else "blank"


def _transcript_report(transcript: Transcript, number: int, lines: int, found: int) -> TranscriptReport:
    """Describe *transcript* without its text."""
    return TranscriptReport(
        number=number,
        name=transcript.name,
        chars=len(transcript.text),
        lines=lines,
        sha256=transcript.sha256,
        bom=transcript.bom,
        grounded=found,
    )


def _summary(results: Sequence[QuoteResult], domains: Iterable[str]) -> Summary:
    """Count verdicts, over all and by domain."""
    statuses = Counter(result.status for result in results)
    asked = Counter(result.domain for result in results)
    found = Counter(result.domain for result in results if result.grounded)
    grounded = found.total()
    named: list[str | None] = [*domains, *asked]
    return Summary(
        quotes=len(results),
        grounded=grounded,
        rejected=len(results) - grounded,
        **{status: statuses[status] for status in STATUSES},
        rate=grounded / len(results) if results else None,
        by_domain=tuple(
            DomainSummary(domain=domain, quotes=asked[domain], grounded=found[domain])
            for domain in dict.fromkeys(named)
        ),
    )

"""What the reports of all policies have in common: batches, transcripts, counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire import UNICODE_VERSION, Transcript, __version__
from groundwire.report.model import (
    SCHEMA_VERSION,
    STATUSES,
    CheckReport,
    DomainSummary,
    QuoteResult,
    Settings,
    Summary,
    Tool,
    TranscriptReport,
)

# Quotes go to the engine in batches, because only between batches can progress
# be shown and an interrupt be heard. A batch is worth about this many
# characters of text, which takes the engine a fraction of a second.
_BATCH_CHARS = 200_000_000
_BATCH_QUOTES = range(16, 4097)


class TranscriptFile(NamedTuple):
    """
    A text to look for quotes in, with what the report says of its origin.

    `reading` is the text with its turns, whose `text` then is this one.
    """

    name: str
    text: str
    sha256: str | None = None
    bom: bool = False
    reading: Transcript | None = None


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


def tool() -> Tool:
    """Return what produces reports."""
    return Tool(name="groundwire", version=__version__, unicode_version=UNICODE_VERSION)


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
        format=reading.format if reading else "text",
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

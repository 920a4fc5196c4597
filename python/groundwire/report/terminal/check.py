"""Prints the check report: one line per quote, followed by the summary."""

from collections.abc import Iterator

from groundwire.labels import plural
from groundwire.report.check.model import CheckReport, Place, QuoteResult, Status
from groundwire.report.highlights import is_comparable, marked_diff, nearest_words
from groundwire.report.labels import score_text
from groundwire.report.labels.check import (
    QUOTE_SIGNS,
    SCORE_NOTE,
    accepted_word,
    has_misleading_score,
    nearest_text,
    notable_reasons,
    position_text,
    probability_text,
    quote_status_counts,
    quote_status_text,
    settings_text,
    sign_of,
    span_text,
    spoken_text,
    verdict_text,
)
from groundwire.report.terminal import Block, Line, Row, StyledText, Table, line
from groundwire.sanitize import one_line

__all__ = ["layout"]

_STYLES: dict[Status, str] = {
    "exact": "green",
    "normalized": "cyan",
    "fuzzy": "yellow",
    "near": "yellow",
    "elided": "cyan",
    "paraphrased": "bold red",
    "altered": "bold red",
    "found_elsewhere": "bold red",
    "wrong_speaker": "bold red",
    "absent": "bold red",
    "unreadable": "bold red",
    "blank": "magenta",
}
_CHANGES = {"same": "", "dropped": "red", "added": "green"}
_SPOKEN_LIMIT = 40


def layout(report: CheckReport) -> Iterator[Block]:
    """
    Yield the quotes of *report* as a table, followed by its summary.

    Columns: number, verdict, domain, score, position, span, speaker and time, text. Different words of the source are
    shown as `[-15-]`, those of the quote as `{+50+}`. For an absent quote, the nearest passage follows.
    """
    if report.quotes:
        yield Table([row for result in report.quotes for row in _rows(result)])
        yield line()
    yield from _summary(report)


def _rows(result: QuoteResult) -> Iterator[Row]:
    """Yield the row of a quote, and a row for each further transcript that contains it."""
    style = _STYLES[result.status] if result.accepted else "bold red"
    label = f"#{result.number}" if result.id is None else f"#{result.number} {result.id}"
    verdict, domain = f"{sign_of(result)} {quote_status_text(result.status)}", line(result.domain or "")
    if not result.places:
        text = (StyledText(result.quote or "(empty)"), *_why(result), *_nearest(result))
        where = (line(score_text(None)), line("–"), line("–"), line())
        yield Row((line(label, "dim"), line(verdict, style), domain, *where, text))
    for number, place in enumerate(result.places):
        if number:
            label, verdict = "", f"{QUOTE_SIGNS[place.kind]} also in"
        text = (*_said(result, place, is_first=not number), *_why(result))
        yield Row((line(label, "dim"), line(verdict, style), domain, *_where(place), text))


def _where(place: Place) -> tuple[Line, ...]:
    """Return score, position, span, speaker and time."""
    spoken = one_line(spoken_text(place.turns), limit=_SPOKEN_LIMIT)
    return (
        line(score_text(place.score)),
        line(position_text(place)),
        line(span_text(place), "dim"),
        line(spoken),
    )


def _said(result: QuoteResult, place: Place, *, is_first: bool) -> Line:
    """Return the differences or the passage, after the quote if the two are not the same."""
    if result.status in ("near", "altered", "elided"):
        return _diff(result)
    if result.quote == place.passage or not is_first or one_line(result.quote) == one_line(place.passage):
        return line(place.passage)
    return (StyledText(result.quote or "(empty)"), StyledText(" → "), StyledText(place.passage, _STYLES[result.status]))


def _diff(result: QuoteResult) -> Line:
    return tuple(StyledText(text, _CHANGES[side]) for side, text in marked_diff(result))


def _why(result: QuoteResult) -> Line:
    """Return the notable reasons and the probability, each in brackets."""
    reasons = " ".join(reason.words for reason in notable_reasons(result))
    return tuple(StyledText(f"  ({each})", "italic") for each in (reasons, probability_text(result)) if each)


def _nearest(result: QuoteResult) -> Line:
    """Return the place of the nearest passage in brackets, and what `nearest_words` says of it."""
    where = nearest_text(result)
    if where is None or result.nearest is None:
        return ()
    passage = _diff(result) if is_comparable(result.nearest) else line(nearest_words(result))
    text = (StyledText(": ", "dim"), *passage) if any(each.text for each in passage) else ()
    return (StyledText(f"  (nearest, not accepted: {where}", "dim"), *text, StyledText(")", "dim"))


def _summary(report: CheckReport) -> Iterator[Line]:
    """Yield the closing lines: transcripts, counts by domain, verdict, counts by status, settings."""
    summary, word = report.summary, accepted_word(report)
    for each in report.transcripts:
        size = f"{plural(each.chars, 'character')}, {plural(each.lines, 'line')}"
        yield line(f"{each.name}: {size}, {plural(each.grounded, 'quote')} {word}", "dim")
    for count in summary.by_domain:
        if count.domain is not None:
            counts = f"{count.grounded:,} of {count.quotes:,} {word}"
            yield line(f"{count.domain}: {counts}", _style(count.grounded == count.quotes))
    yield line(verdict_text(report), f"bold {_style(not summary.rejected)}")
    if summary.quotes:
        yield _counts(report)
    yield line(settings_text(report), "dim")
    if any(map(has_misleading_score, report.quotes)):
        yield line(SCORE_NOTE, "dim")


def _style(is_passed: bool) -> str:
    return "green" if is_passed else "red"


def _counts(report: CheckReport) -> Line:
    """Return the number of quotes of each status."""
    counts = [
        (StyledText(", "), StyledText(f"{count:,} {quote_status_text(status)}", _STYLES[status]))
        for status, count in quote_status_counts(report)
    ]
    return tuple(part for parts in counts for part in parts)[1:]

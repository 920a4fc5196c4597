"""The report as plain text: one line a quote, for pipes, files and narrow terminals."""

import unicodedata
from collections.abc import Iterator

from groundwire.report.model import CheckReport, QuoteResult
from groundwire.report.printable import one_line
from groundwire.report.words import (
    SIGNS,
    plural,
    position_text,
    score_text,
    settings_text,
    span_text,
    status_counts,
    verdict_text,
)

_GAP = "  "


def render_plain(report: CheckReport) -> str:
    """
    Return *report* as lines without colour.

    Columns: number, verdict, domain, score, position, span, text; aligned, the
    last one never cut or wrapped. The summary follows an empty line.
    """
    lines = [*_aligned([row for result in report.quotes for row in _rows(result)]), ""]
    return "\n".join([*lines[not report.quotes :], *summary_lines(report)]) + "\n"


def summary_lines(report: CheckReport) -> list[str]:
    """Return the closing lines: transcripts, counts by domain and status, settings."""
    summary = report.summary
    named = [count for count in summary.by_domain if count.domain is not None]
    return [
        *(
            f"{one_line(each.name)}: {plural(each.chars, 'character')}, {plural(each.lines, 'line')},"
            f" {plural(each.grounded, 'quote')} grounded"
            for each in report.transcripts
        ),
        *(f"{one_line(each.domain or '')}: {each.grounded:,} of {each.quotes:,} grounded" for each in named),
        verdict_text(summary),
        *([", ".join(f"{count:,} {status}" for status, count in status_counts(summary))] if summary.quotes else []),
        settings_text(report),
    ]


def _rows(result: QuoteResult) -> Iterator[tuple[str, ...]]:
    """Yield the quote's row, then a row for each further transcript that holds it."""
    verdict = f"{SIGNS[result.status]} {result.status}"
    domain = one_line(result.domain or "")
    text = one_line(result.quote) or "(empty)"
    label = f"#{result.number}" if result.id is None else f"#{result.number} {one_line(result.id)}"
    if not result.places:
        yield label, verdict, domain, score_text(None), "–", "–", text
    for place in result.places:
        passage = one_line(place.passage)
        shown = passage if text in ("", passage) else f"{text} → {passage}"
        yield label, verdict, domain, score_text(place.score), one_line(position_text(place)), span_text(place), shown
        label, verdict, text = "", f"{SIGNS[place.kind]} also in", ""


def _aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Join each row's cells, all but the last padded to their column; empty columns go."""
    if not rows:
        return []
    widths = [max(_cells(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return [
        _GAP.join(
            [cell + " " * (width - _cells(cell)) for cell, width in zip(row[:-1], widths, strict=True) if width]
            + [row[-1]]
        )
        for row in rows
    ]


def _cells(text: str) -> int:
    """Return how many terminal cells *text* fills: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )

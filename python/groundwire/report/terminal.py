"""The report on a terminal: a table for each domain, with colour, signs and words."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.report.model import CheckReport, DomainSummary, QuoteResult, Status
from groundwire.report.printable import one_line
from groundwire.report.words import (
    SIGNS,
    plural,
    score_text,
    settings_text,
    span_text,
    status_counts,
    verdict_text,
)

STYLES: dict[Status, str] = {
    "exact": "green",
    "normalized": "cyan",
    "fuzzy": "yellow",
    "absent": "bold red",
    "blank": "magenta",
}

# Below this width the columns leave no room for text; the plain report reads better.
MIN_WIDTH = 60

_MIN_NAME_CELLS = 16
_PLACES_SHOWN = 3
_TEXT_LIMIT = 400


class _Widths(NamedTuple):
    """Widths of the columns that all tables share, so that they line up."""

    number: int
    name: int
    where: int


def print_report(report: CheckReport, console: Console) -> None:
    """Print *report*: a table for each domain in the order of the input, then the summary."""
    by_domain: dict[str | None, list[QuoteResult]] = {count.domain: [] for count in report.summary.by_domain}
    for result in report.quotes:
        by_domain[result.domain].append(result)
    widths = _widths(report.quotes, console.width)
    header = True
    for count in report.summary.by_domain:
        console.print()
        if count.domain is not None:
            console.print(_heading(count))
        if by_domain[count.domain]:
            console.print(_table(by_domain[count.domain], widths, header=header))
            header = False
    console.print()
    for line in _summary(report):
        console.print(line)


def _widths(results: Sequence[QuoteResult], console_width: int) -> _Widths:
    """Fit number and place to their longest cell; names get a fifth of the console at most."""
    name = max(_MIN_NAME_CELLS, console_width // 5)
    places = [line for result in results for line in _where(result, name).split("\n")]
    last = max((result.number for result in results), default=0)
    return _Widths(len(str(last)), name, max(map(cell_len, places), default=0))


def _heading(count: DomainSummary) -> Text:
    """Name a domain and say how many of its quotes are grounded."""
    style = "green" if count.grounded == count.quotes else "bold red"
    return Text.assemble(
        (one_line(count.domain or ""), "bold"), "  ", (f"{count.grounded:,} of {count.quotes:,} grounded", style)
    )


def _table(results: Sequence[QuoteResult], widths: _Widths, *, header: bool) -> Table:
    """Put the quotes of one domain into a table."""
    table = Table(
        Column("#", justify="right", style="dim", width=widths.number),
        Column("verdict", width=12),
        Column("score", width=5),
        Column("where", width=max(widths.where, 5)),
        Column("quote", overflow="fold", ratio=1),
        box=None,
        expand=True,
        padding=(0, 2, 0, 0),
        show_header=header,
        header_style="dim",
    )
    for result in results:
        verdict = Text(f"{SIGNS[result.status]} {result.status}", STYLES[result.status])
        where = Text(_where(result, widths.name))
        table.add_row(str(result.number), verdict, score_text(result.score), where, _text(result))
    return table


def _where(result: QuoteResult, name_cells: int) -> str:
    """Return name, line and column of the first places, each with its span below."""
    shown = [
        f"{_short(place.name, name_cells)}:{place.line}:{place.column}\n  chars {span_text(place)}"
        for place in result.places[:_PLACES_SHOWN]
    ]
    more = len(result.places) - len(shown)
    return "\n".join([*shown, *([f"and {more:,} more"] if more else [])]) or "–"


def _short(name: str, cells: int) -> str:
    """Return *name*, or if it is long its last part, or if that is long the end of it."""
    shown = one_line(name)
    if cell_len(shown) > cells:
        shown = shown.replace("\\", "/").rpartition("/")[2]
    return shown if cell_len(shown) <= cells else f"…{shown[1 - cells :]}"


def _text(result: QuoteResult) -> Text:
    """Return the quote and, where it reads otherwise, the passage of the best place."""
    text = Text.assemble((f"{one_line(result.id)} " if result.id else "", "dim"))
    text.append(one_line(result.quote, limit=_TEXT_LIMIT) or "(empty)")
    best = result.places[0] if result.places else None
    if best is not None and best.passage != result.quote:
        text.append(f"\n→ {one_line(best.passage, limit=_TEXT_LIMIT)}", STYLES[result.status])
    return text


def _summary(report: CheckReport) -> list[Text]:
    """Return the closing lines: verdict, counts by status, transcripts, settings."""
    summary = report.summary
    style = "bold green" if not summary.rejected else "bold red"
    sign = "✓" if not summary.rejected else "✗"
    counts = Text("   ").join(
        Text(f"{SIGNS[status]} {count:,} {status}", STYLES[status]) for status, count in status_counts(summary)
    )
    transcripts = [
        Text(
            f"{one_line(each.name)}: {plural(each.chars, 'character')}, {plural(each.lines, 'line')}, "
            f"{plural(each.grounded, 'quote')} grounded",
            "dim",
        )
        for each in report.transcripts
    ]
    return [
        Text(f"{sign} {verdict_text(summary)}", style),
        *([counts] if summary.quotes else []),
        *transcripts,
        Text(settings_text(report), "dim"),
    ]

"""The report on a terminal: a table for each domain, with colour, signs and words."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from groundwire.report.check import CheckReport, DomainSummary, Place, QuoteResult, Status
from groundwire.report.highlights import is_comparable, word_diff
from groundwire.report.labels import (
    QUOTE_SIGNS,
    SCORE_NOTE,
    accepted_word,
    check_settings_text,
    check_verdict_text,
    has_misleading_score,
    nearest_text,
    notable_reasons,
    plural,
    quote_reason_text,
    quote_status_counts,
    quote_status_text,
    score_text,
    sign_of,
    span_text,
    spoken_text,
)
from groundwire.sanitize import one_line

STYLES: dict[Status, str] = {
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
    "blank": "magenta",
}

# What differs has marks beside its colour, those of wdiff: the source's words, then the quote's.
_CHANGES = {"same": ("{}", ""), "dropped": ("[-{}-]", "red"), "added": ("{{+{}+}}", "green")}

_MIN_VERDICT_CELLS = 12
_MIN_NAME_CELLS = 16
_PLACES_SHOWN = 3
_TEXT_LIMIT = 400
_DIFF_LIMIT = 800


class _Widths(NamedTuple):
    """Widths of the columns that all tables share, so that they line up."""

    number: int
    verdict: int
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
            console.print(_heading(count, accepted_word(report)))
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
    verdict = max((len(quote_status_text(result.status)) for result in results), default=0)
    return _Widths(len(str(last)), max(_MIN_VERDICT_CELLS, 2 + verdict), name, max(map(cell_len, places), default=0))


def _heading(count: DomainSummary, word: str) -> Text:
    """Name a domain and say how many of its quotes are accepted."""
    style = "green" if count.grounded == count.quotes else "bold red"
    return Text.assemble(
        (one_line(count.domain or ""), "bold"), "  ", (f"{count.grounded:,} of {count.quotes:,} {word}", style)
    )


def _table(results: Sequence[QuoteResult], widths: _Widths, *, header: bool) -> Table:
    """Put the quotes of one domain into a table."""
    table = Table(
        Column("#", justify="right", style="dim", width=widths.number),
        Column("verdict", width=widths.verdict),
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
        style = STYLES[result.status] if result.accepted else "bold red"
        verdict = Text(f"{sign_of(result)} {quote_status_text(result.status)}", style)
        where = Text(_where(result, widths.name))
        table.add_row(str(result.number), verdict, score_text(result.score), where, _text(result))
    return table


def _where(result: QuoteResult, name_cells: int) -> str:
    """Return name, line and column of the first places, each with its span below."""
    shown = [
        "\n".join([f"{_short(place.name, name_cells)}:{place.line}:{place.column}", f"  chars {span_text(place)}"])
        + _spoken(place, name_cells)
        for place in result.places[:_PLACES_SHOWN]
    ]
    more = len(result.places) - len(shown)
    return "\n".join([*shown, *([f"and {more:,} more"] if more else [])]) or "–"


def _short(name: str, cells: int) -> str:
    """Return *name*, or if it is long its last part, or if that is long the end of it."""
    shown = one_line(name)
    if cell_len(shown) > cells:
        shown = shown.replace("\\", "/").rpartition("/")[2]
    return _cut(shown, cells)


def _cut(shown: str, cells: int) -> str:
    """Return the end of *shown* that has room in so many *cells*."""
    return shown if cell_len(shown) <= cells else f"…{shown[1 - cells :]}"


def _spoken(place: Place, name_cells: int) -> str:
    """Return a line that says who speaks and when; none of a text that does not say."""
    spoken = spoken_text(place.turns)
    return f"\n  {_cut(one_line(spoken), name_cells)}" if spoken else ""


def _text(result: QuoteResult) -> Text:
    """Return the quote, compared with the passage of the best place where it reads otherwise, and the reasons."""
    text = Text.assemble((f"{one_line(result.id)} " if result.id else "", "dim"))
    best = result.places[0] if result.places else None
    if result.status in ("near", "altered", "elided"):
        _append_diff(text, result)
    else:
        text.append(one_line(result.quote, limit=_TEXT_LIMIT) or "(empty)")
        if best is not None and best.passage != result.quote:
            text.append(f"\n→ {one_line(best.passage, limit=_TEXT_LIMIT)}", STYLES[result.status])
    for reason in notable_reasons(result):
        text.append(f"\n{one_line(quote_reason_text(reason, result), limit=_TEXT_LIMIT)}", "italic")
    nearest = nearest_text(result)
    if nearest is not None and result.nearest is not None:
        text.append(f"\nnearest passage, not accepted: {one_line(nearest, limit=_TEXT_LIMIT)}\n", "dim")
        if is_comparable(result.nearest):
            _append_diff(text, result)
        else:
            text.append(one_line(result.nearest.passage, limit=_TEXT_LIMIT), STYLES["absent"])
    return text


def _append_diff(text: Text, result: QuoteResult) -> None:
    """Append the quote with what differs, as far as there is room."""
    for side, words in word_diff(result):
        if len(text) > _DIFF_LIMIT:
            text.append(" …")
            return
        form, style = _CHANGES[side]
        text.append(form.format(one_line(words, limit=_TEXT_LIMIT)), style)


def _summary(report: CheckReport) -> list[Text]:
    """Return the closing lines: verdict, counts by status, transcripts, settings."""
    summary = report.summary
    style = "bold green" if not summary.rejected else "bold red"
    sign = "✓" if not summary.rejected else "✗"
    counts = Text("   ").join(
        Text(f"{QUOTE_SIGNS[status]} {count:,} {quote_status_text(status)}", STYLES[status])
        for status, count in quote_status_counts(report)
    )
    transcripts = [
        Text(
            f"{one_line(each.name)}: {plural(each.chars, 'character')}, {plural(each.lines, 'line')}, "
            f"{plural(each.grounded, 'quote')} {accepted_word(report)}",
            "dim",
        )
        for each in report.transcripts
    ]
    return [
        Text(f"{sign} {check_verdict_text(report)}", style),
        *([counts] if summary.quotes else []),
        *transcripts,
        Text(check_settings_text(report), "dim"),
        *([Text(SCORE_NOTE, "dim")] if any(map(has_misleading_score, report.quotes)) else []),
    ]

"""A summary as one HTML page with plots, which needs nothing from outside and has no script."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from groundwire.bulk.summary import BulkSummary, SourceRate
from groundwire.bulk.summary_plots import Bar, bars, columns
from groundwire.bulk.summary_text import verdict_line
from groundwire.report.html_page import page
from groundwire.report.markup import markup
from groundwire.report.words import plural

__all__ = ["render_page"]

_TENTHS = 10
_LOWEST = 25
_FOUND = frozenset({"exact", "normalized", "fuzzy", "near", "elided"})


def render_page(summary: BulkSummary) -> str:
    """Return *summary* as an HTML page."""
    line = markup(verdict_line(summary))
    skip = "figures", "Skip to the figures"
    return page(f"Rows: {line}", _body(summary, line), sheet=_sheet(), skip=skip, has_script=False)


@cache
def _sheet() -> str:
    return (Path(__file__).parent / "summary.css").read_text(encoding="utf-8")


def _body(summary: BulkSummary, line: str) -> Iterator[str]:
    rule = ", ".join(f"{name} {value}" for name, value in summary.rule.items())
    yield f'<header>\n<h1>Quotes of rows</h1>\n<p class="answer">{line}</p>\n</header>\n<main id="figures">\n'
    yield from _section("What became of the quotes", bars("kinds", "Quotes by what was found", _kinds(summary)))
    if summary.counts.reasons:
        yield from _section("Reasons", bars("reasons", "Quotes by reason", _bars(summary, summary.counts.reasons)))
    if summary.sources:
        yield from _section("Rates by source", _rates(summary.sources))
    elif summary.sources is None:
        yield '<section>\n<p class="note">There are too many sources for a rate of each.</p>\n</section>\n'
    yield from _section("Parts that took longest for each row", _slowest(summary))
    yield f"</main>\n<footer>groundwire {markup(summary.engine)}, {markup(rule)}; {plural(summary.files, 'file')}, "
    yield f"{plural(summary.counts.rows, 'row')} in {plural(summary.parts, 'part')}, {summary.busy_seconds:,.1f} s of "
    yield f"all threads; written to {markup(summary.output)}</footer>\n"


def _section(title: str, content: Iterator[str]) -> Iterator[str]:
    # What a narrow screen has to scroll can be reached by the keyboard.
    yield f'<section tabindex="0" aria-label="{title}">\n<h2>{title}</h2>\n'
    yield from content
    yield "</section>\n"


def _kinds(summary: BulkSummary) -> list[Bar]:
    counts = summary.counts
    rows = _bars(summary, counts.statuses or counts.kinds)
    if not counts.statuses and (absent := counts.quotes - sum(counts.kinds.values()) - sum(counts.errors.values())):
        rows.append(Bar("absent", absent, _figure(summary, absent), is_miss=True))
    rows += _bars(summary, counts.errors)
    if counts.problems:
        rows.append(Bar("lines that are no rows", counts.problems, f"{counts.problems:,}", is_miss=True))
    return rows


def _bars(summary: BulkSummary, tally: dict[str, int]) -> list[Bar]:
    most_first = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    return [Bar(name, count, _figure(summary, count), name not in _FOUND) for name, count in most_first]


def _figure(summary: BulkSummary, count: int) -> str:
    return f"{count:,} ({count / summary.counts.quotes:.2%})"


def _rates(sources: Sequence[SourceRate]) -> Iterator[str]:
    """Yield how the rates are spread, and the lowest of them."""
    counts = [0] * _TENTHS
    for source in sources:
        counts[min(source.grounded * _TENTHS // max(source.quotes, 1), _TENTHS - 1)] += 1
    labels = [f"{100 * tenth // _TENTHS} %" for tenth in range(_TENTHS + 1)]
    below = f"share of grounded quotes; each column counts sources, of {len(sources):,}"
    yield from columns("rates", "Sources by their share of grounded quotes", counts, labels, below)
    rows = [(each.source, f"{each.rate:.2%}", f"{each.grounded:,}", f"{each.quotes:,}") for each in sources[:_LOWEST]]
    yield from _table(("Lowest rates", "Rate", "Grounded", "Quotes"), rows)


def _slowest(summary: BulkSummary) -> Iterator[str]:
    rows = [
        (
            f"{each.number} of {each.file} from row {each.first:,}",
            f"{each.rows:,}",
            f"{each.seconds:,.2f} s",
            f"{1e6 * each.seconds / max(each.rows, 1):,.1f} µs",
        )
        for each in summary.slowest
    ]
    yield from _table(("Part", "Rows", "Time", "For each row"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    named = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    yield f"<table>\n<tr>{named}</tr>\n"
    for first, *others in rows:
        cells = "".join(f"<td>{markup(cell)}</td>" for cell in others)
        yield f'<tr><th scope="row">{markup(first)}</th>{cells}</tr>\n'
    yield "</table>\n"

"""
The summary of a bulk run as text for a terminal, and as one HTML page with plots.

The page needs nothing from outside and has no script. Every plot has a title and a description in words, and every bar
its figure, so that nothing depends on colour or length alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.report.html.page import page, style
from groundwire.report.labels import plural
from groundwire.report.markup import attribute, markup
from groundwire.report.text import aligned

if TYPE_CHECKING:
    from groundwire.bulk.manifest import BulkSummary, SourceRate

__all__ = ["render_page", "render_text", "shortfall_line"]

_SOURCES = 5


class _Bar(NamedTuple):
    """A bar: its label, its length, the figure above it, and whether it counts quotes that are not grounded."""

    label: str
    value: float
    figure: str
    is_miss: bool = False


def render_text(summary: "BulkSummary") -> str:
    """Return the summary as plain text."""
    return "\n".join([_verdict_line(summary), "", *_tables(summary), f"written: {summary.output}", ""])


def _verdict_line(summary: "BulkSummary") -> str:
    """Return the result in one line."""
    counts = summary.counts
    if summary.rate is None:
        return "no quotes: the input has no rows"
    word = _word(summary)
    # Malformed lines count in the share, and are not among the quotes.
    malformed = f", with {plural(counts.malformed, 'malformed line')}" if counts.malformed else ""
    return f"{counts.grounded:,} of {plural(counts.quotes, 'quote')} {word} ({summary.rate:.2%}{malformed})"


def shortfall_line(summary: "BulkSummary", least: float) -> str:
    """Return the reason that a share of grounded quotes below *least* does not pass."""
    counts = summary.counts
    total = counts.quotes + counts.malformed
    # Rounded down, so that a share below the limit never looks sufficient.
    per_mille = counts.grounded * 1000 // max(total, 1)
    noun = plural(total, "row" if counts.malformed else "quote")
    malformed = f" ({plural(counts.malformed, 'line')} could not be read)" if counts.malformed else ""
    share = f"{per_mille / 10:.12g} %"
    return f"{share} of {noun} are {_word(summary)}{malformed}; --fail-under requires {least * 100:.12g} %"


def _word(summary: "BulkSummary") -> str:
    return "accepted" if summary.policy["policy"] == "guarded" else "grounded"


def _tables(summary: "BulkSummary") -> Iterator[str]:
    counts = summary.counts
    not_found = counts.quotes - sum(counts.kinds.values()) - sum(counts.errors.values())
    results: dict[str, int] = {**counts.statuses} or {**counts.kinds, **({"absent": not_found} if not_found else {})}
    yield from _tally(results)
    yield from _tally(counts.errors, "not judged: ")
    if counts.malformed:
        yield f"{plural(counts.malformed, 'malformed line')}: {summary.output}.errors.jsonl"
        yield ""
    lowest = [each for each in summary.sources or [] if each.grounded < each.quotes][:_SOURCES]
    if lowest:
        yield "lowest rates by source"
        yield from aligned([(f"  {each.source}", f"{each.rate:.2%} of {each.quotes:,}") for each in lowest])
        yield ""


def _tally(counts: Mapping[str, int], before: str = "") -> Iterator[str]:
    if counts:
        rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        yield from aligned([(f"  {before}{name}", f"{number:,}") for name, number in rows])
        yield ""


_TENTHS = 10
_LOWEST = 25
_FOUND = frozenset({"exact", "normalized", "fuzzy", "near", "elided"})


def render_page(summary: "BulkSummary") -> str:
    """Return the summary as an HTML page."""
    line = markup(_verdict_line(summary))
    skip = "figures", "Skip to the figures"
    return page(f"Rows: {line}", _body(summary, line), sheet=style("bulk.css"), skip=skip, has_script=False)


def _body(summary: "BulkSummary", line: str) -> Iterator[str]:
    rule = ", ".join(f"{name} {value}" for name, value in summary.policy.items())
    yield f'<header>\n<h1>Quotes of rows</h1>\n<p class="answer">{line}</p>\n</header>\n<main id="figures">\n'
    yield from _section("Results", _bar_chart("kinds", "Quotes by result", _kinds(summary)))
    if summary.counts.reasons:
        yield from _section(
            "Reasons", _bar_chart("reasons", "Quotes by reason", _bars(summary, summary.counts.reasons))
        )
    if summary.sources:
        yield from _section("Rates by source", _rates(summary.sources))
    elif summary.sources is None:
        yield '<section>\n<p class="note">There are too many sources for a rate of each.</p>\n</section>\n'
    yield from _section("Partitions with the longest time per row", _slowest(summary))
    yield f"</main>\n<footer>groundwire {markup(summary.engine)}, {markup(rule)}; {plural(summary.files, 'file')}, "
    yield f"{plural(summary.counts.rows, 'row')} in {plural(summary.partitions, 'partition')}, "
    yield f"{summary.busy_seconds:,.1f} s of all threads; written to {markup(summary.output)}</footer>\n"


def _section(title: str, content: Iterator[str]) -> Iterator[str]:
    # A section that scrolls on a narrow screen can be reached by the keyboard.
    yield f'<section tabindex="0" aria-label="{title}">\n<h2>{title}</h2>\n'
    yield from content
    yield "</section>\n"


def _kinds(summary: "BulkSummary") -> list[_Bar]:
    counts = summary.counts
    rows = _bars(summary, counts.statuses or counts.kinds)
    if not counts.statuses and (absent := counts.quotes - sum(counts.kinds.values()) - sum(counts.errors.values())):
        rows.append(_Bar("absent", absent, _figure(summary, absent), is_miss=True))
    rows += _bars(summary, counts.errors)
    if counts.malformed:
        rows.append(_Bar("malformed lines", counts.malformed, f"{counts.malformed:,}", is_miss=True))
    return rows


def _bars(summary: "BulkSummary", tally: dict[str, int]) -> list[_Bar]:
    most_first = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
    return [_Bar(name, count, _figure(summary, count), name not in _FOUND) for name, count in most_first]


def _figure(summary: "BulkSummary", count: int) -> str:
    return f"{count:,} ({count / summary.counts.quotes:.2%})"


def _rates(sources: "Sequence[SourceRate]") -> Iterator[str]:
    """Yield a histogram of the rates, and the lowest of them."""
    counts = [0] * _TENTHS
    for source in sources:
        counts[min(source.grounded * _TENTHS // max(source.quotes, 1), _TENTHS - 1)] += 1
    labels = [f"{100 * tenth // _TENTHS} %" for tenth in range(_TENTHS + 1)]
    below = f"share of grounded quotes; each column counts some of {len(sources):,} sources"
    yield from _histogram("rates", "SourceLookup by their share of grounded quotes", counts, labels, below)
    rows = [(each.source, f"{each.rate:.2%}", f"{each.grounded:,}", f"{each.quotes:,}") for each in sources[:_LOWEST]]
    yield from _table(("Lowest rates", "Rate", "Grounded", "Quotes"), rows)


def _slowest(summary: "BulkSummary") -> Iterator[str]:
    rows = [
        (
            f"{each.number} of {each.file} from row {each.first:,}",
            f"{each.rows:,}",
            f"{each.seconds:,.2f} s",
            f"{1e6 * each.seconds / max(each.rows, 1):,.1f} µs",
        )
        for each in summary.slowest
    ]
    yield from _table(("InputPartition", "Rows", "Time", "Per row"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    named = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    yield f"<table>\n<tr>{named}</tr>\n"
    for first, *others in rows:
        cells = "".join(f"<td>{markup(cell)}</td>" for cell in others)
        yield f'<tr><th scope="row">{markup(first)}</th>{cells}</tr>\n'
    yield "</table>\n"


_ROW, _PLOT_HEIGHT, _BOTTOM, _TOP = 42, 220, 24, 34
"""Heights in pixels. Horizontal positions are percentages, because a telephone has half the width of a screen."""


def _bar_chart(name: str, title: str, rows: Sequence[_Bar]) -> Iterator[str]:
    """Yield horizontal bars, the longest over the whole width, with label and figure above each."""
    longest = max((row.value for row in rows), default=0) or 1
    yield from _head(name, title, len(rows) * _ROW, "; ".join(f"{row.label}: {row.figure}" for row in rows))
    for index, row in enumerate(rows):
        y, width = index * _ROW, max(round(100 * row.value / longest, 2), 0.3 if row.value else 0.0)
        kind = "miss" if row.is_miss else "bar"
        yield f'<text x="0" y="{y + 14}">{markup(row.label)}<tspan dx="10">{markup(row.figure)}</tspan></text>'
        yield f'<rect class="{kind}" x="0" y="{y + 19}" width="{width:g}%" height="14"/>\n'
    yield "</svg>\n"


def _histogram(name: str, title: str, counts: Sequence[int], labels: Sequence[str], below: str) -> Iterator[str]:
    """Yield a histogram with counts above its columns, a label at each edge, and a caption."""
    highest = max(counts, default=0) or 1
    step = 100 / max(len(counts), 1)
    description = "; ".join(
        f"{low} to {high}: {count}" for low, high, count in zip(labels, labels[1:], counts, strict=False) if count
    )
    yield from _head(name, title, _PLOT_HEIGHT + _BOTTOM, description)
    for index, count in enumerate(counts):
        height = round(count / highest * (_PLOT_HEIGHT - _TOP), 1)
        x, y = index * step, _PLOT_HEIGHT - height
        yield f'<rect class="bar" x="{x + 0.3:g}%" y="{y:g}" width="{step - 0.6:g}%" height="{height:g}"/>'
        if count:
            yield f'<text x="{x + step / 2:g}%" y="{y - 5:g}" text-anchor="middle">{count:,}</text>'
    yield f'<line class="axis" x1="0" x2="100%" y1="{_PLOT_HEIGHT}" y2="{_PLOT_HEIGHT}"/>'
    for index, label in enumerate(labels):
        anchor = "start" if index == 0 else "end" if index == len(labels) - 1 else "middle"
        # A narrow screen has room for every other label.
        kind = ' class="odd"' if index % 2 else ""
        yield f'<text{kind} x="{index * step:g}%" y="{_PLOT_HEIGHT + 17}" text-anchor="{anchor}">{markup(label)}</text>'
    yield f'\n</svg>\n<p class="note">{markup(below)}</p>\n'


def _head(name: str, title: str, height: int, description: str) -> Iterator[str]:
    yield f'<svg width="100%" height="{height}" role="img" '
    yield f'aria-labelledby="{attribute(name)}-title {attribute(name)}-words">'
    yield f'<title id="{attribute(name)}-title">{markup(title)}</title>'
    yield f'<desc id="{attribute(name)}-words">{markup(description)}</desc>\n'

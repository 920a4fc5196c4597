"""
Renders the summary of a bulk run as text for a terminal, and as one HTML page with plots.

The page is self-contained and has no script. Every plot has a title and a description in words, and every bar has a
figure, so that nothing depends on colour or length alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.labels import plural
from groundwire.report.terminal import aligned

if TYPE_CHECKING:
    from groundwire.bulk.manifest import BulkSummary, SourceRate

__all__ = ["render_page", "render_text", "shortfall_line"]

_SOURCES = 5


class _Bar(NamedTuple):
    """Holds a bar: its label, value and figure, whether it counts misses, and its width."""

    label: str
    value: float
    figure: str
    is_miss: bool = False
    width: str = ""

    @property
    def words(self) -> str:
        """Return the bar in words, for screen readers."""
        return f"{self.label}: {self.figure}"


def render_text(summary: "BulkSummary") -> str:
    """Return the summary as plain text."""
    return "\n".join([_verdict_line(summary), "", *_tables(summary), f"written: {summary.output}", ""])


def _verdict_line(summary: "BulkSummary") -> str:
    """Return the result in one line."""
    counts = summary.counts
    if summary.rate is None:
        return "no quotes: the input has no rows"
    word = _word(summary)
    # Malformed lines count in the share, but not as quotes.
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
    return f"{share} of {noun} are {_word(summary)}{malformed}; --min-score requires {least * 100:.12g} %"


def _word(summary: "BulkSummary") -> str:
    return "accepted" if summary.policy["policy"] == "guarded" else "grounded"


def _tables(summary: "BulkSummary") -> Iterator[str]:
    counts = summary.counts
    absent = _absent(summary)
    results: dict[str, int] = {**counts.statuses} or {**counts.kinds, **({"absent": absent} if absent else {})}
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


def _absent(summary: "BulkSummary") -> int:
    """Return the number of quotes that the literal policy did not find."""
    counts = summary.counts
    return counts.quotes - sum(counts.kinds.values()) - sum(counts.errors.values())


def _tally(counts: Mapping[str, int], before: str = "") -> Iterator[str]:
    if counts:
        rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        yield from aligned([(f"  {before}{name}", f"{number:,}") for name, number in rows])
        yield ""


_TENTHS = 10
_PLOT_HEIGHT = 220
_COLUMN_HEIGHT = 186
_LOWEST = 25
_FOUND = frozenset({"exact", "normalized", "fuzzy", "near", "elided"})


def render_page(summary: "BulkSummary") -> str:
    """Return the summary as an HTML page."""
    from groundwire.report.rendering import render_page as page

    values = {
        "summary": summary,
        "verdict": _verdict_line(summary),
        "rule": ", ".join(f"{name} {value}" for name, value in summary.policy.items()),
        "kinds": _scaled(_kinds(summary)),
        "reasons": _scaled(_bars(summary, summary.counts.reasons)),
        "rates": _rates(summary.sources or []),
        "slowest": _slowest(summary),
    }
    return page("bulk", values, has_script=False)


def _scaled(bars: Sequence[_Bar]) -> list[_Bar]:
    """Return the bars with their widths; a count above zero is always visible."""
    longest = max((bar.value for bar in bars), default=0) or 1
    widths = [max(round(100 * bar.value / longest, 2), 0.3 if bar.value else 0.0) for bar in bars]
    return [bar._replace(width=f"{width:g}%") for bar, width in zip(bars, widths, strict=True)]


def _kinds(summary: "BulkSummary") -> list[_Bar]:
    counts = summary.counts
    rows = _bars(summary, counts.statuses or counts.kinds)
    if not counts.statuses and (absent := _absent(summary)):
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


def _rates(sources: "Sequence[SourceRate]") -> dict[str, object]:
    """Return the columns of a histogram of the rates, its description, and the lowest rates."""
    counts = [0] * _TENTHS
    for source in sources:
        counts[min(source.grounded * _TENTHS // max(source.quotes, 1), _TENTHS - 1)] += 1
    described = (f"{10 * tenth} % to {10 * tenth + 10} %: {count}" for tenth, count in enumerate(counts) if count)
    return {
        "columns": [_column(tenth, count, max(counts) or 1) for tenth, count in enumerate(counts)],
        "description": "; ".join(described),
        "lowest": [
            (each.source, f"{each.rate:.2%}", f"{each.grounded:,}", f"{each.quotes:,}") for each in sources[:_LOWEST]
        ],
    }


def _column(tenth: int, count: int, highest: int) -> dict[str, object]:
    """Return the position of a column in a plot of 220 pixels, with room for a count above the highest column."""
    height = round(count / highest * _COLUMN_HEIGHT, 1)
    top = _PLOT_HEIGHT - height
    return {
        "count": count,
        "x": f"{10 * tenth + 0.3:g}%",
        "y": f"{top:g}",
        "width": "9.4%",
        "height": f"{height:g}",
        "middle": f"{10 * tenth + 5:g}%",
        "above": f"{top - 5:g}",
    }


def _slowest(summary: "BulkSummary") -> list[tuple[str, ...]]:
    return [
        (
            f"{each.number} of {each.file} from row {each.first:,}",
            f"{each.rows:,}",
            f"{each.seconds:,.2f} s",
            f"{1e6 * each.seconds / max(each.rows, 1):,.1f} µs",
        )
        for each in summary.slowest
    ]

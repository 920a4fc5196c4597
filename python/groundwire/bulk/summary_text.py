"""A summary as plain text."""

from collections.abc import Iterator, Mapping

from groundwire.bulk.summary import BulkSummary
from groundwire.report.columns import aligned
from groundwire.report.words import plural

__all__ = ["render_text", "shortfall_line", "verdict_line"]

_SOURCES = 5


def render_text(summary: BulkSummary) -> str:
    """Return *summary* for a terminal."""
    return "\n".join([verdict_line(summary), "", *_tables(summary), f"written: {summary.output}", ""])


def verdict_line(summary: BulkSummary) -> str:
    """Return the one line that says it."""
    counts = summary.counts
    if summary.rate is None:
        return "no quotes: the input has no rows"
    word = _word(summary)
    # They are in the share, and not among the quotes.
    problems = f", with {plural(counts.problems, 'line')} of the input no rows" if counts.problems else ""
    return f"{counts.grounded:,} of {plural(counts.quotes, 'quote')} {word} ({summary.rate:.2%}{problems})"


def shortfall_line(summary: BulkSummary, least: float) -> str:
    """Return why the share of grounded quotes, which is below *least*, does not pass."""
    counts = summary.counts
    asked = counts.quotes + counts.problems
    # Cut off, so that no share looks as if it were enough.
    per_mille = counts.grounded * 1000 // max(asked, 1)
    what = plural(asked, "row" if counts.problems else "quote")
    problems = f" ({plural(counts.problems, 'line')} could not be read)" if counts.problems else ""
    share = f"{per_mille / 10:.12g} %"
    return f"{share} of {what} are {_word(summary)}{problems}; --fail-under asks for {least * 100:.12g} %"


def _word(summary: BulkSummary) -> str:
    return "accepted" if summary.rule["policy"] == "guarded" else "grounded"


def _tables(summary: BulkSummary) -> Iterator[str]:
    counts = summary.counts
    not_found = counts.quotes - sum(counts.kinds.values()) - sum(counts.errors.values())
    said: dict[str, int] = {**counts.statuses} or {**counts.kinds, **({"absent": not_found} if not_found else {})}
    yield from _table(said)
    yield from _table(counts.errors, "not judged: ")
    if counts.problems:
        yield f"{plural(counts.problems, 'line')} of the input no rows: {summary.output}.errors.jsonl"
        yield ""
    lowest = [each for each in summary.sources or [] if each.grounded < each.quotes][:_SOURCES]
    if lowest:
        yield "lowest rates by source"
        yield from aligned([(f"  {each.source}", f"{each.rate:.2%} of {each.quotes:,}") for each in lowest])
        yield ""


def _table(tally: Mapping[str, int], before: str = "") -> Iterator[str]:
    if tally:
        rows = sorted(tally.items(), key=lambda item: (-item[1], item[0]))
        yield from aligned([(f"  {before}{name}", f"{number:,}") for name, number in rows])
        yield ""

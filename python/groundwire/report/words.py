"""The words, signs and figures that every report for people shares."""

from groundwire.report.model import CheckReport, Place, Status, Summary

# Each status has a word and a sign beside its colour, which may not be seen.
SIGNS: dict[Status, str] = {"exact": "✓", "normalized": "✓", "fuzzy": "≈", "absent": "✗", "blank": "∅"}


def score_text(score: float | None) -> str:
    """
    Return *score* with three digits, or a dash for none.

    Cut off, not rounded: only a full match reads 1.000.
    """
    return "–" if score is None else f"{int(score * 1000) / 1000:.3f}"


def rate_text(rate: float | None) -> str:
    """Return *rate* in per cent with one digit, cut off, or a dash for none."""
    return "–" if rate is None else f"{int(rate * 1000) / 10:.1f} %"


def plural(count: int, noun: str) -> str:
    """Return *count* and *noun*, with an s unless there is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def verdict_text(summary: Summary) -> str:
    """Return the one line that answers whether all quotes are grounded."""
    if not summary.quotes:
        return "no quotes to check"
    return f"{summary.grounded:,} of {plural(summary.quotes, 'quote')} grounded ({rate_text(summary.rate)})"


def status_counts(summary: Summary) -> list[tuple[Status, int]]:
    """Return the statuses that occur, with their counts, best first."""
    return [(status, getattr(summary, status)) for status in SIGNS if getattr(summary, status)]


def settings_text(report: CheckReport) -> str:
    """Return how quotes were compared, in one line."""
    settings = report.settings
    threshold = "" if settings.threshold is None else f" from {settings.threshold:g}"
    return f"policy {settings.policy}, mode {settings.mode}{threshold}"


def position_text(place: Place) -> str:
    """Return `name:line:column` of *place*, which many terminals make a link."""
    return f"{place.name}:{place.line}:{place.column}"


def span_text(place: Place) -> str:
    """Return the span of *place* in characters, end excluded."""
    return f"{place.start}–{place.end}"

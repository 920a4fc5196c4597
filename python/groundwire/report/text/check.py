"""The report as plain text: one line a quote, for pipes, files and narrow terminals."""

from collections.abc import Iterator

from groundwire.report.check import CheckReport, QuoteResult
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
    position_text,
    quote_reason_text,
    quote_status_counts,
    quote_status_text,
    score_text,
    sign_of,
    span_text,
    spoken_text,
)
from groundwire.report.text import aligned
from groundwire.sanitize import one_line

_SPOKEN_LIMIT = 40
_MARKS = {"same": "{}", "dropped": "[-{}-]", "added": "{{+{}+}}"}


def render_plain(report: CheckReport) -> str:
    """
    Return *report* as lines without colour.

    Columns: number, verdict, domain, score, position, span, speaker and time,
    text; aligned, the last one never cut or wrapped. Where words differ, the
    source's stand as `[-15-]` and the quote's as `{+50+}`. A quote that is absent has
    the nearest passage beside it. The summary follows an empty line.
    """
    lines = [*aligned([row for result in report.quotes for row in _rows(result)]), ""]
    return "\n".join([*lines[not report.quotes :], *summary_lines(report)]) + "\n"


def summary_lines(report: CheckReport) -> list[str]:
    """Return the closing lines: transcripts, counts by domain and status, settings."""
    summary, word = report.summary, accepted_word(report)
    counts = [f"{count:,} {quote_status_text(status)}" for status, count in quote_status_counts(report)]
    named = [count for count in summary.by_domain if count.domain is not None]
    return [
        *(
            f"{one_line(each.name)}: {plural(each.chars, 'character')}, {plural(each.lines, 'line')},"
            f" {plural(each.grounded, 'quote')} {word}"
            for each in report.transcripts
        ),
        *(f"{one_line(each.domain or '')}: {each.grounded:,} of {each.quotes:,} {word}" for each in named),
        check_verdict_text(report),
        *([", ".join(counts)] if counts else []),
        check_settings_text(report),
        *([SCORE_NOTE] if any(map(has_misleading_score, report.quotes)) else []),
    ]


def _rows(result: QuoteResult) -> Iterator[tuple[str, ...]]:
    """Yield the quote's row, then a row for each further transcript that holds it."""
    verdict = f"{sign_of(result)} {quote_status_text(result.status)}"
    domain = one_line(result.domain or "")
    text = one_line(result.quote) or "(empty)"
    why = one_line("; ".join(quote_reason_text(reason, result) for reason in notable_reasons(result)))
    why = f"  ({why})" if why else ""
    label = f"#{result.number}" if result.id is None else f"#{result.number} {one_line(result.id)}"
    if not result.places:
        yield label, verdict, domain, score_text(None), "–", "–", "", text + why + _nearest(result)
    for place in result.places:
        passage = one_line(place.passage)
        if result.status in ("near", "altered", "elided"):
            shown = diff_text(result)
        else:
            shown = passage if text in ("", passage) else f"{text} → {passage}"
        where = (
            one_line(position_text(place)),
            span_text(place),
            one_line(spoken_text(place.turns), limit=_SPOKEN_LIMIT),
        )
        yield label, verdict, domain, score_text(place.score), *where, shown + why
        label, verdict, text = "", f"{QUOTE_SIGNS[place.kind]} also in", ""


def _nearest(result: QuoteResult) -> str:
    where = nearest_text(result)
    return "" if where is None else f"  (nearest, not accepted: {one_line(where)}: {nearest_words(result)})"


def nearest_words(result: QuoteResult) -> str:
    """Return the nearest passage on one line: as a comparison if much of it is the same, else as it reads."""
    if result.nearest is None:
        return ""
    return diff_text(result) if is_comparable(result.nearest) else one_line(result.nearest.passage)


def diff_text(result: QuoteResult) -> str:
    """Return the quote on one line, with `[-…-]` for what the source has and `{+…+}` for what it has not."""
    return "".join(_MARKS[side].format(one_line(text)) for side, text in word_diff(result))

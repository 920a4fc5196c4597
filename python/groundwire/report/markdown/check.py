"""
The report as Markdown, for issues, pull requests and notebooks.

Text that comes from outside stands in code spans, because there, and only
there, Markdown takes nothing as markup: no HTML, link, image or mention. Code
spans stay out of tables, whose `|` would split them.
"""

import html
import re
from collections.abc import Iterator, Sequence

from groundwire.report.check import CheckReport, Place, QuoteResult
from groundwire.report.highlights import is_comparable
from groundwire.report.labels import (
    QUOTE_SIGNS,
    SCORE_NOTE,
    accepted_word,
    check_settings_text,
    check_verdict_text,
    has_misleading_score,
    nearest_text,
    plural,
    position_text,
    quote_status_counts,
    quote_status_text,
    score_text,
    sign_of,
    span_text,
    spoken_text,
    telling_words,
)
from groundwire.report.text.check import diff_text, nearest_words
from groundwire.sanitize import one_line

_BACKTICKS = re.compile("`+")


def render_markdown(report: CheckReport) -> str:
    """Return *report* as GitHub-flavoured Markdown: summary, rejected quotes, accepted ones."""
    rejected = [result for result in report.quotes if not result.accepted]
    accepted = [result for result in report.quotes if result.accepted]
    word = accepted_word(report)
    return "\n".join(
        [
            "# Quote check",
            "",
            *_summary(report),
            *_section(f"Not {word}", rejected),
            *_section(word.capitalize(), accepted),
        ]
    )


def prose(text: str) -> str:
    """Return *text*, which is words of ours, on one line for use outside of a code span."""
    return html.escape(one_line(text), quote=False)


def code_span(text: str) -> str:
    """Return *text* on one line as a code span that nothing inside can end."""
    line = one_line(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(line)), default=0))
    # One space at either end is dropped by the reader, so text that begins or
    # ends with a backtick or a space needs one more.
    pad = " " if not line.strip() or line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else "*(empty)*"


def count_table(counts: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Yield a table of one row, and the empty line behind it; nothing without counts."""
    if counts:
        yield "| " + " | ".join(words for words, _ in counts) + " |"
        yield "| " + " | ".join("---:" for _ in counts) + " |"
        yield "| " + " | ".join(f"{count:,}" for _, count in counts) + " |"
        yield ""


def _summary(report: CheckReport) -> Iterator[str]:
    """Yield the verdict, the counts, the domains, the transcripts and the settings."""
    summary, word, counts = report.summary, accepted_word(report), quote_status_counts(report)
    yield f"**{check_verdict_text(report)}**"
    yield ""
    yield from count_table([(f"{QUOTE_SIGNS[status]} {quote_status_text(status)}", count) for status, count in counts])
    for each in report.transcripts:
        size = f"{plural(each.chars, 'character')}, {plural(each.lines, 'line')}"
        yield f"- Transcript {code_span(each.name)}: {size}, {plural(each.grounded, 'quote')} {word}"
    for count in summary.by_domain:
        if count.domain is not None:
            yield f"- Domain {code_span(count.domain)}: {count.grounded:,} of {count.quotes:,} {word}"
    if any(map(has_misleading_score, report.quotes)):
        yield f"- {SCORE_NOTE}"
    yield f"- Compared by {check_settings_text(report, code_span)}; groundwire {report.tool.version}"
    yield ""


def _section(title: str, results: list[QuoteResult]) -> Iterator[str]:
    """Yield a heading with the number of quotes and an item for each."""
    if not results:
        return
    yield f"## {title} ({len(results):,})"
    yield ""
    for result in results:
        domain = "" if result.domain is None else f" · {code_span(result.domain)}"
        label = "" if result.id is None else f" · {code_span(result.id)}"
        yield f"- **{sign_of(result)} {quote_status_text(result.status)}** · #{result.number}{label}{domain}"
        yield f"  - quote {code_span(result.quote)}"
        yield from (_item(place, result) for place in result.places)
        yield from _why(result)
        yield from _nearest(result)
    yield ""


def _item(place: Place, result: QuoteResult) -> str:
    """Return where the quote is, who says it and, where it reads otherwise, the passage."""
    passage = "" if place.passage == result.quote else f", reads {code_span(place.passage)}"
    where = f"{code_span(position_text(place))}, characters {span_text(place)}"
    spoken = spoken_text(place.turns)
    return f"  - in {where}, score {score_text(place.score)}{f', {code_span(spoken)}' if spoken else ''}{passage}"


def _nearest(result: QuoteResult) -> Iterator[str]:
    """Yield the nearest passage of a quote that no transcript holds, and what differs."""
    where = nearest_text(result)
    if where is not None:
        yield f"  - nearest passage, not accepted: {code_span(where)}"
        marks = (
            "source `[-…-]`, quote `{+…+}`"
            if result.nearest is not None and is_comparable(result.nearest)
            else "it reads"
        )
        yield f"  - {marks}: {code_span(nearest_words(result))}"


def _why(result: QuoteResult) -> Iterator[str]:
    """Yield the words that differ, and the reasons."""
    if result.status in ("near", "altered"):
        yield f"  - source `[-…-]`, quote `{{+…+}}`: {code_span(diff_text(result))}"
    for reason in result.reasons:
        telling = ", ".join(map(code_span, telling_words(reason, result)))
        yield f"  - `{reason.code}`: {prose(reason.words)}{f': {telling}' if telling else ''}"
    for each in result.differences:
        source, quote = code_span(each.source_text), code_span(each.quote_text)
        yield f"  - `{each.kind}`: {source} in the source, {quote} in the quote"

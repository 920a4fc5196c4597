"""
The report as Markdown, for issues, pull requests and notebooks.

Text that comes from outside stands in code spans, because there, and only
there, Markdown takes nothing as markup: no HTML, link, image or mention. Code
spans stay out of tables, whose `|` would split them.
"""

import re
from collections.abc import Iterator

from groundwire.report.model import CheckReport, Place, QuoteResult
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

_BACKTICKS = re.compile("`+")


def render_markdown(report: CheckReport) -> str:
    """Return *report* as GitHub-flavoured Markdown: summary, rejected quotes, grounded ones."""
    rejected = [result for result in report.quotes if not result.grounded]
    grounded = [result for result in report.quotes if result.grounded]
    return "\n".join(
        [
            "# Quote check",
            "",
            *_summary(report),
            *_section("Not grounded", rejected),
            *_section("Grounded", grounded),
        ]
    )


def code_span(text: str) -> str:
    """Return *text* on one line as a code span that nothing inside can end."""
    line = one_line(text)
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(line)), default=0))
    # One space at either end is dropped by the reader, so text that begins or
    # ends with a backtick or a space needs one more.
    pad = " " if not line.strip() or line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else "*(empty)*"


def _summary(report: CheckReport) -> Iterator[str]:
    """Yield the verdict, the counts, the domains, the transcripts and the settings."""
    summary = report.summary
    yield f"**{verdict_text(summary)}**"
    yield ""
    if summary.quotes:
        yield "| " + " | ".join(f"{SIGNS[status]} {status}" for status, _ in status_counts(summary)) + " |"
        yield "| " + " | ".join("---:" for _ in status_counts(summary)) + " |"
        yield "| " + " | ".join(f"{count:,}" for _, count in status_counts(summary)) + " |"
        yield ""
    for each in report.transcripts:
        size = f"{plural(each.chars, 'character')}, {plural(each.lines, 'line')}"
        yield f"- Transcript {code_span(each.name)}: {size}, {plural(each.grounded, 'quote')} grounded"
    for count in summary.by_domain:
        if count.domain is not None:
            yield f"- Domain {code_span(count.domain)}: {count.grounded:,} of {count.quotes:,} grounded"
    yield f"- Compared by {settings_text(report)}; groundwire {report.tool.version}"
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
        yield f"- **{SIGNS[result.status]} {result.status}** · #{result.number}{label}{domain}"
        yield f"  - quote {code_span(result.quote)}"
        yield from (_item(place, result) for place in result.places)
    yield ""


def _item(place: Place, result: QuoteResult) -> str:
    """Return where the quote is and, where it reads otherwise, the passage."""
    passage = "" if place.passage == result.quote else f", reads {code_span(place.passage)}"
    where = f"{code_span(position_text(place))}, characters {span_text(place)}"
    return f"  - in {where}, score {score_text(place.score)}{passage}"

"""
The report as one HTML page that needs nothing else: no network, no script.

The page says so itself: its content security policy allows the style sheet
inside the page, named by its hash, and nothing more.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from groundwire.report.html_quotes import badge, render_quotes
from groundwire.report.html_transcript import render_transcript
from groundwire.report.markup import markup
from groundwire.report.model import CheckReport
from groundwire.report.words import plural, settings_text, status_counts, verdict_text


def render_html(report: CheckReport, texts: Sequence[str]) -> str:
    """
    Return *report* as an HTML page with the transcripts and every quote marked in them.

    Args:
        report: What to show.
        texts: The text of each transcript, in the order of `report.transcripts`.

    Raises:
        ValueError: There are more or fewer texts than transcripts, or one has
            another length than its transcript.
    """
    if [len(text) for text in texts] != [transcript.chars for transcript in report.transcripts]:
        raise ValueError("texts must be those of the report's transcripts, in the same order")
    return "".join(_page(report, texts))


@cache
def style() -> str:
    """Return the page's style sheet."""
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def content_security_policy() -> str:
    """Return the policy of the page: its own style sheet and nothing else."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _page(report: CheckReport, texts: Sequence[str]) -> Iterator[str]:
    """Yield the page from top to bottom."""
    yield from _head(report)
    yield from _summary(report)
    yield '<main>\n<section class="list" aria-label="Quotes" tabindex="0">\n'
    yield from render_quotes(report)
    yield '</section>\n<div class="transcripts" id="transcripts" tabindex="-1">\n'
    for transcript, text in zip(report.transcripts, texts, strict=True):
        yield from render_transcript(report, transcript, text)
    yield f"</div>\n</main>\n<footer>groundwire {markup(report.tool.version)}, {settings_text(report)},"
    yield f" Unicode {markup(report.tool.unicode_version)}</footer>\n</body>\n</html>\n"


def _head(report: CheckReport) -> Iterator[str]:
    """Yield everything before the visible page, and the skip link."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy()}">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield f"<title>Quote check: {verdict_text(report.summary)}</title>\n"
    yield f"<style>{style()}</style>\n</head>\n<body>\n"
    yield '<a class="skip" href="#transcripts">Skip to the transcript</a>\n'


def _summary(report: CheckReport) -> Iterator[str]:
    """Yield the head of the page: the answer, the counts and the domains."""
    summary = report.summary
    yield f'<header>\n<h1>Quote check</h1>\n<p class="answer">{verdict_text(summary)}</p>\n'
    yield '<ul class="counts" aria-label="Quotes by verdict">\n'
    for status, count in status_counts(summary):
        yield badge("li", status, f"{count:,} {status}") + "\n"
    yield "</ul>\n"
    domains = [each for each in summary.by_domain if each.domain is not None]
    if domains:
        yield f"<details>\n<summary>{plural(len(domains), 'domain')}</summary>\n<table>\n"
        yield '<tr><th scope="col">Domain</th><th scope="col">Grounded</th><th scope="col">Quotes</th></tr>\n'
        for each in domains:
            yield f'<tr><th scope="row">{markup(each.domain or "")}</th>'
            yield f"<td>{each.grounded:,}</td><td>{each.quotes:,}</td></tr>\n"
        yield "</table>\n</details>\n"
    yield "</header>\n"

"""
The report as one HTML page that needs nothing from outside.

The page says so itself: its content security policy allows the style sheet and
the script inside the page, named by their hashes, and nothing more. Everything
can be read and filtered without the script, which adds keys to the list.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from groundwire.report.html_quotes import render_quotes
from groundwire.report.html_transcript import render_transcript
from groundwire.report.markup import markup
from groundwire.report.model import CheckReport
from groundwire.report.words import (
    SIGNS,
    accepted_word,
    plural,
    settings_text,
    status_counts,
    status_text,
    verdict_text,
)


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
    return _beside("page.css")


@cache
def script() -> str:
    """Return the page's script."""
    return _beside("page.js")


def content_security_policy() -> str:
    """Return the policy of the page: its own style sheet, its own script and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style())}'; script-src '{_hash(script())}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """Return the hash of a style sheet or script as a content security policy writes it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _page(report: CheckReport, texts: Sequence[str]) -> Iterator[str]:
    """Yield the page from top to bottom."""
    yield from _head(report)
    yield from _summary(report)
    yield '<main>\n<section class="list" aria-label="Quotes" tabindex="0">\n'
    yield '<p class="note keys" hidden>Keys in this list: j next quote, k the one before, Enter to its passage.</p>\n'
    yield from render_quotes(report, texts)
    yield '</section>\n<div class="transcripts" id="transcripts" tabindex="-1">\n'
    for transcript, text in zip(report.transcripts, texts, strict=True):
        yield from render_transcript(report, transcript, text)
    yield f"</div>\n</main>\n<footer>groundwire {markup(report.tool.version)}, {settings_text(report, markup)},"
    yield f" Unicode {markup(report.tool.unicode_version)}</footer>\n<script>{script()}</script>\n</body>\n</html>\n"


def _head(report: CheckReport) -> Iterator[str]:
    """Yield everything before the visible page, and the skip link."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy()}">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield f"<title>Quote check: {verdict_text(report)}</title>\n"
    yield f"<style>{style()}</style>\n</head>\n<body>\n"
    yield '<a class="skip" href="#transcripts">Skip to the transcript</a>\n'


def _summary(report: CheckReport) -> Iterator[str]:
    """Yield the head of the page: the answer, the counts and the domains."""
    summary = report.summary
    yield f'<header>\n<h1>Quote check</h1>\n<p class="answer">{verdict_text(report)}</p>\n'
    yield from _filters(report)
    domains = [each for each in summary.by_domain if each.domain is not None]
    if domains:
        yield f"<details>\n<summary>{plural(len(domains), 'domain')}</summary>\n<table>\n"
        passed = accepted_word(report).capitalize()
        yield f'<tr><th scope="col">Domain</th><th scope="col">{passed}</th><th scope="col">Quotes</th></tr>\n'
        for each in domains:
            yield f'<tr><th scope="row">{markup(each.domain or "")}</th>'
            yield f"<td>{each.grounded:,}</td><td>{each.quotes:,}</td></tr>\n"
        yield "</table>\n</details>\n"
    yield "</header>\n"


def _filters(report: CheckReport) -> Iterator[str]:
    """Yield the choice of what is shown: all quotes, those that are not accepted, or those of one verdict."""
    counts = status_counts(report)
    if not counts:
        return
    yield '<fieldset class="filters">\n<legend>Show</legend>\n'
    yield _choice("all", f"all {report.summary.quotes:,}", checked=True)
    if report.summary.rejected and report.summary.accepted:
        yield _choice("rejected", f"not {accepted_word(report)} {report.summary.rejected:,}")
    for status, count in counts:
        words = f'<span aria-hidden="true">{SIGNS[status]}</span> {count:,} {status_text(status)}'
        yield _choice(status, words, style=status)
    yield "</fieldset>\n"


def _choice(name: str, words: str, *, style: str = "plain", checked: bool = False) -> str:
    """Return a button of the choice; browsers keep no choice from the last visit."""
    on = " checked" if checked else ""
    return (
        f'<input type="radio" name="show" id="show-{name}" autocomplete="off"{on}>'
        f'<label class="badge {style}" for="show-{name}">{words}</label>\n'
    )

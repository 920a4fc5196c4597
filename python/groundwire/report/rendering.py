"""
Renders reports as JSON, JSON lines, JSON Schema, HTML, Markdown and JUnit XML.

A page is self-contained: its content security policy allows only the embedded style sheet and script, by their hashes,
and images that are part of the page. The page can be read and filtered without the script, which adds keys to the list.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from groundwire.errors import GroundwireError
from groundwire.labels import is_label
from groundwire.report import highlights, labels
from groundwire.report.labels import check, cite, faithfulness, ingest
from groundwire.report.model import SCHEMA_VERSION
from groundwire.templating import code_span, render, safe

if TYPE_CHECKING:
    from groundwire.bulk.manifest import BulkSummary
    from groundwire.report.check.model import CheckReport, Status
    from groundwire.report.check.pages import PagesView
    from groundwire.report.cite import Case, CiteReport
    from groundwire.report.faithfulness import FaithfulnessReport, PersonaReport
    from groundwire.report.ingest import IngestReport

    Report = CheckReport | CiteReport | FaithfulnessReport | IngestReport

__all__ = [
    "DocsAddressError",
    "render_html",
    "render_json",
    "render_jsonl",
    "render_junit",
    "render_markdown",
    "render_page",
    "render_schema",
]

_PACKAGE = "groundwire.report"

# Escaped although JSON does not require it: lone surrogates have no UTF-8 form, and a terminal may interpret control
# characters from U+007F on. Readers decode the same text.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class DocsAddressError(GroundwireError, ValueError):
    """The address of the documentation is not one that a report may link to."""


# Not `javascript:` and the like.
_DOCS_ADDRESS = re.compile(r"https?://|file:///|[./]")

_SCHEMA_ADDRESS = "https://groundwire.github.io/groundwire/schema"
_SCHEMA_NAMES = {
    "CheckReport": "check-report",
    "CiteReport": "cite-report",
    "IngestReport": "ingest-report",
    "FaithfulnessReport": "validate-report",
    "BulkSummary": "bulk-report",
}


def render_json(report: msgspec.Struct) -> str:
    """Return *report* as one indented JSON object, with fields in the order of the model."""
    # The standard encoder is quick only without an indent; msgspec adds it, and
    # takes a lone surrogate only as it is, not as an escape.
    compact = _encode(report).encode("utf-8", "surrogatepass")
    return f"{_escaped(msgspec.json.format(compact, indent=2).decode('utf-8', 'surrogatepass'))}\n"


def render_jsonl(items: Iterable[msgspec.Struct]) -> str:
    """Return one line of JSON for each of *items*, in the form of the JSON report."""
    return "".join(f"{_escaped(_encode(item))}\n" for item in items)


def render_schema(model: "type[Report | BulkSummary]") -> str:
    """
    Return the JSON Schema (draft 2020-12) of a report, or of the summary of a bulk run, indented.

    Its `$id` is the address at which the documentation publishes it. The address ends in the `schema_version` of the
    reports that it describes, so a schema of another version is another file.
    """
    names = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{_SCHEMA_ADDRESS}/{_SCHEMA_NAMES[model.__name__]}.v{SCHEMA_VERSION}.schema.json",
    }
    return json.dumps({**names, **msgspec.json.schema(model)}, indent=2) + "\n"


def _encode(struct: msgspec.Struct) -> str:
    """Return *struct* as JSON on one line, without escaping characters that JSON allows."""
    return json.dumps(msgspec.to_builtins(struct), ensure_ascii=False, separators=(",", ":"))


def _escaped(encoded: str) -> str:
    """Return JSON with the unsafe characters in its strings escaped."""
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", encoded)


def render_html(
    report: "Report",
    originals: "Sequence[str] | Sequence[Case]" = (),
    *,
    docs_url: str = "",
    pages: "Mapping[int, PagesView] | None" = None,
) -> str:
    """
    Return *report* as one HTML page.

    Args:
        report: The report to show.
        originals: For a check report, the text of each transcript; for a citation report, the case of each answer,
            both in the order of the report. The other reports contain their texts.
        docs_url: The address of the documentation, which statuses link to: a web address or a path. "" for no links.
        pages: For a check report, the pages of PDFs that it shows, from `page_views`.

    Raises:
        DocsAddressError: *docs_url* is neither a web address nor a path.
        ValueError: The number of originals or one of their lengths differs from the report.
    """
    kind, values = _VALUES[type(report).__name__]
    shown = {"report": report, "docs": _docs_folder(docs_url), **values(report, originals)}
    if kind == "check":
        shown["pages"] = pages or {}
    return render_page(kind, shown, has_images=bool(pages))


def render_markdown(report: "Report") -> str:
    """
    Return *report* as GitHub-flavoured Markdown, for issues, pull requests and notebooks.

    Text from outside is in code spans, the only place where Markdown interprets no markup. Tables have no code spans,
    because a `|` would split them.
    """
    kind, _ = _VALUES[type(report).__name__]
    values = {
        "report": report,
        "labels": labels,
        "highlights": highlights,
        "code_span": code_span,
        "is_label": is_label,
        "counts": _COUNTS[kind](report),
    }
    return render(_PACKAGE, f"{kind}.md.j2", values).rstrip("\n") + "\n"


def render_junit(report: "FaithfulnessReport") -> str:
    """
    Return *report* as JUnit XML for CI: a suite for each persona, a case for each claim.

    A claim that is not supported is a failure whose type is the verdict; a synthetic one is skipped. Characters that
    XML forbids are spelled out. The format is that of Ant's JUnit task, the strictest in use. The times and the host
    that it requires are constants, so that the same report gives the same file.
    """
    values = {"report": report, "labels": labels, "highlights": highlights, "properties": _properties}
    return render(_PACKAGE, "junit.xml.j2", values)


def render_page(kind: str, values: Mapping[str, Any], *, has_script: bool = True, has_images: bool = False) -> str:
    """Return a page from the template of *kind*, with the style sheet and script that all pages share."""
    shared = {
        "kind": kind,
        "docs": "",
        "labels": labels,
        "highlights": highlights,
        "sheet": safe(asset("report.css")),
        "script": safe(asset("report.js")) if has_script else None,
        "policy": safe(content_security_policy(has_script=has_script, has_images=has_images)),
    }
    return render(_PACKAGE, f"{kind}.html.j2", {**shared, **values})


def _docs_folder(address: str) -> str:
    """Return the address of the documentation with a slash at the end; "" if there is none."""
    if address and not _DOCS_ADDRESS.match(address):
        raise DocsAddressError(
            "the address of the documentation (GROUNDWIRE_DOCS_URL) must begin with https://, http://, file:///, / or ."
        )
    return address and address.rstrip("/") + "/"


@cache
def asset(name: str) -> str:
    """Return the style sheet or the script of all pages."""
    return (files(_PACKAGE) / "templates" / name).read_text(encoding="utf-8")


@cache
def status_colour(status: "Status") -> str:
    """Return the light colour of *status* in the style sheet, as six hexadecimal digits."""
    _, found, colours = asset("report.css").partition(f"--{status}-fill: light-dark(#")
    assert found
    return colours[:6]


def content_security_policy(*, has_script: bool = True, has_images: bool = False) -> str:
    """Return the policy of a page, which allows only its own style sheet and script, and images that it contains."""
    allowed = f"'{_hash(asset('report.js'))}'" if has_script else "'none'"
    sources = [f"style-src '{_hash(asset('report.css'))}'", f"script-src {allowed}"]
    images = ["img-src data:"] if has_images else []
    return "; ".join(["default-src 'none'", *sources, *images, "base-uri 'none'", "form-action 'none'"])


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _check(report: "CheckReport", texts: "Sequence[str]") -> dict[str, Any]:
    if [len(text) for text in texts] != [transcript.chars for transcript in report.transcripts]:
        raise ValueError("texts must be those of the report's transcripts, in the same order")
    return {"texts": texts}


def _cite(report: "CiteReport", cases: "Sequence[Case]") -> dict[str, Any]:
    from groundwire.report.cite.highlights import MOST_SOURCES, AnswerView

    if [len(case.answer) for case in cases] != [answer.chars for answer in report.answers]:
        raise ValueError("cases must be those of the report's answers, in the same order")
    counts = cite.claim_status_counts(report)
    return {
        # A generator, because each view holds the words of its passages.
        "answers": (AnswerView(*both) for both in zip(report.answers, cases, strict=True)),
        "most_sources": MOST_SOURCES,
        "filters": [
            (status, cite.CLAIM_SIGNS[status], f"{count:,} {cite.claim_status_text(status)}")
            for status, count in counts
        ],
    }


def _ingest(report: "IngestReport", _: object) -> dict[str, Any]:
    counts = ingest.tier_counts(report)
    return {
        "filters": [
            (tier.value, ingest.tier_sign(tier), f"{count:,} to {ingest.tier_text(tier)}") for tier, count in counts
        ]
    }


def _faithfulness(report: "FaithfulnessReport", _: object) -> dict[str, Any]:
    counts = faithfulness.verdict_counts(report)
    return {
        "filters": [(verdict, faithfulness.VERDICT_SIGNS[verdict], f"{count:,} {verdict}") for verdict, count in counts]
    }


_VALUES: dict[str, tuple[str, Callable[[Any, Any], dict[str, Any]]]] = {
    "CheckReport": ("check", _check),
    "CiteReport": ("cite", _cite),
    "IngestReport": ("ingest", _ingest),
    "FaithfulnessReport": ("faithfulness", _faithfulness),
}

_COUNTS: dict[str, Callable[[Any], list[tuple[str, int]]]] = {
    "check": lambda report: [
        (f"{check.QUOTE_SIGNS[status]} {check.quote_status_text(status)}", count)
        for status, count in check.quote_status_counts(report)
    ],
    "cite": lambda report: [
        (f"{cite.CLAIM_SIGNS[status]} {cite.claim_status_text(status)}", count)
        for status, count in cite.claim_status_counts(report)
    ],
    "ingest": lambda report: [
        (f"{ingest.tier_sign(tier)} {ingest.tier_text(tier)}", count) for tier, count in ingest.tier_counts(report)
    ],
    "faithfulness": lambda report: [
        (f"{faithfulness.VERDICT_SIGNS[verdict]} {verdict}", count)
        for verdict, count in faithfulness.verdict_counts(report)
    ],
}


def _properties(persona: "PersonaReport", report: "FaithfulnessReport") -> Iterator[tuple[str, str]]:
    """Yield the properties of a persona's suite."""
    from groundwire.faithfulness.results import ReviewStatus

    yield "groundwire", report.tool.version
    yield "backend", persona.backend
    yield "threshold", f"{report.settings.threshold:g}"
    yield "min_score", f"{report.settings.min_score:g}"
    if report.settings.support_score is not None:
        yield "support_score", report.settings.support_score
    if persona.faithfulness_score is not None:
        yield "faithfulness_score", labels.score_text(persona.faithfulness_score)
    if persona.reviews is not None:
        for status in ReviewStatus:
            yield f"review_{status}", str(getattr(persona.reviews, status.value))
        yield "supported_or_approved", str(persona.reviews.supported_or_approved)
        yield "adjusted_score", labels.score_text(persona.reviews.adjusted_score)

"""
Shows results as data, and as text for people and machines.

`check/`, `cite/`, `faithfulness` and `ingest` have a model and a builder for each report; `model` and `spans` have
the parts that they share. `labels` is the one catalogue of words, signs and figures, and `highlights` finds the parts
to mark. `rendering` writes JSON, HTML, Markdown and JUnit XML, the last three from `templates/`. `check/tables` writes
CSV and workbooks, and `check/refi_qda` projects for programs of qualitative data analysis. `findings` gives items to
CI and test tools. `terminal/` prints lines for people, plain in a pipe and in colour on a terminal; `bulk` shows the
summary of many rows. Renderers compute nothing. Names are imported on first use (PEP 562), so that a JSON report never
loads Jinja2.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.report.check import (
        CheckReport,
        DomainSummary,
        Place,
        QuoteEntry,
        QuoteOrigin,
        QuoteResult,
        Settings,
        SpokenTurn,
        Summary,
        TranscriptFile,
        TranscriptReport,
        build_guarded_report,
        build_report,
    )
    from groundwire.report.check.refi_qda import render_qdpx
    from groundwire.report.check.tables import QuoteTable, render_csv, render_xlsx
    from groundwire.report.cite import CiteReport, build_cite_report
    from groundwire.report.faithfulness import FaithfulnessReport, build_faithfulness_report
    from groundwire.report.ingest import IngestReport, build_ingest_report
    from groundwire.report.model import QuoteDifference, Tool, VerdictReason
    from groundwire.report.rendering import (
        render_html,
        render_json,
        render_jsonl,
        render_junit,
        render_markdown,
        render_schema,
    )

__all__ = [
    "CheckReport",
    "CiteReport",
    "DomainSummary",
    "FaithfulnessReport",
    "IngestReport",
    "Place",
    "QuoteDifference",
    "QuoteEntry",
    "QuoteOrigin",
    "QuoteResult",
    "QuoteTable",
    "Settings",
    "SpokenTurn",
    "Summary",
    "Tool",
    "TranscriptFile",
    "TranscriptReport",
    "VerdictReason",
    "build_cite_report",
    "build_faithfulness_report",
    "build_guarded_report",
    "build_ingest_report",
    "build_report",
    "render_csv",
    "render_html",
    "render_json",
    "render_jsonl",
    "render_junit",
    "render_markdown",
    "render_qdpx",
    "render_schema",
    "render_xlsx",
]

_CHECK, _MODEL, _RENDERING = "groundwire.report.check", "groundwire.report.model", "groundwire.report.rendering"
_HOMES = {
    **dict.fromkeys(
        (
            "CheckReport",
            "DomainSummary",
            "Place",
            "QuoteEntry",
            "QuoteOrigin",
            "QuoteResult",
            "Settings",
            "SpokenTurn",
            "Summary",
            "TranscriptFile",
            "TranscriptReport",
            "build_guarded_report",
            "build_report",
        ),
        _CHECK,
    ),
    **dict.fromkeys(("QuoteDifference", "Tool", "VerdictReason"), _MODEL),
    **dict.fromkeys(("QuoteTable", "render_csv", "render_xlsx"), "groundwire.report.check.tables"),
    "render_qdpx": "groundwire.report.check.refi_qda",
    **dict.fromkeys(("CiteReport", "build_cite_report"), "groundwire.report.cite"),
    **dict.fromkeys(("FaithfulnessReport", "build_faithfulness_report"), "groundwire.report.faithfulness"),
    **dict.fromkeys(("IngestReport", "build_ingest_report"), "groundwire.report.ingest"),
    **dict.fromkeys(
        ("render_html", "render_json", "render_jsonl", "render_junit", "render_markdown", "render_schema"), _RENDERING
    ),
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

"""
Reports: results as data, and as text for people and machines.

A builder returns a report: `build_guarded_report` and `build_report` for quotes, `build_cite_report` for answers that
cite, `build_ingest_report` for claims that are offered to memory, `build_faithfulness_report` for personas. A renderer
turns a report into a str and computes nothing. Names are imported when they are first used (PEP 562), so that a JSON
report never loads a page.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.report.check import (
        CheckReport,
        DomainSummary,
        Place,
        Quote,
        QuoteResult,
        Settings,
        SpokenTurn,
        Summary,
        TranscriptFile,
        TranscriptReport,
        build_guarded_report,
        build_report,
    )
    from groundwire.report.cite import CiteReport, build_cite_report
    from groundwire.report.faithfulness import FaithfulnessReport, build_faithfulness_report
    from groundwire.report.ingest import IngestReport, build_ingest_report
    from groundwire.report.model import QuoteDifference, Tool, VerdictReason
    from groundwire.report.rendering import render_json, render_jsonl, render_schema

__all__ = [
    "CheckReport",
    "CiteReport",
    "DomainSummary",
    "FaithfulnessReport",
    "IngestReport",
    "Place",
    "Quote",
    "QuoteDifference",
    "QuoteResult",
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
    "render_json",
    "render_jsonl",
    "render_schema",
]

_CHECK, _MODEL, _RENDERING = "groundwire.report.check", "groundwire.report.model", "groundwire.report.rendering"
_HOMES = {
    **dict.fromkeys(
        (
            "CheckReport",
            "DomainSummary",
            "Place",
            "Quote",
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
    **dict.fromkeys(("CiteReport", "build_cite_report"), "groundwire.report.cite"),
    **dict.fromkeys(("FaithfulnessReport", "build_faithfulness_report"), "groundwire.report.faithfulness"),
    **dict.fromkeys(("IngestReport", "build_ingest_report"), "groundwire.report.ingest"),
    **dict.fromkeys(("render_json", "render_jsonl", "render_schema"), _RENDERING),
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

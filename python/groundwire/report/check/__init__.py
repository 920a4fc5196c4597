"""
Reports on quotes: which of them the transcripts contain, and where.

`build_report` compares strings; `build_guarded_report` also compares meaning. Both return a `CheckReport` (`model`),
which the renderers only print; those of this report alone are `tables` and `refi_qda`. `pages` chooses the pages of
PDFs that the HTML page shows.
"""

from groundwire.report.check.builder import QuoteEntry, TranscriptFile, build_guarded_report, build_report
from groundwire.report.check.model import (
    CheckReport,
    DomainSummary,
    Place,
    QuoteOrigin,
    QuoteResult,
    Settings,
    SpokenTurn,
    Summary,
    TranscriptReport,
)

__all__ = [
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
]

"""
Reports: verdicts on quotes, as data and as text for machines and people.

`build_guarded_report` and `build_report`, which is the literal one, check quotes
against transcripts and return a `CheckReport`.
The writers turn one into a str and do nothing else: `groundwire.report.json`,
`.markdown`, `.html`, `.plain` and, on a rich console, `.terminal`. A writer is
imported where it is used, so that a JSON report never loads the HTML page.
"""

from groundwire.report.assembly import Quote, TranscriptFile
from groundwire.report.build import build_report
from groundwire.report.guarded import build_guarded_report
from groundwire.report.model import (
    CheckReport,
    DomainSummary,
    Place,
    QuoteDifference,
    QuoteResult,
    Settings,
    SpokenTurn,
    Summary,
    Tool,
    TranscriptReport,
    VerdictReason,
)

__all__ = [
    "CheckReport",
    "DomainSummary",
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
    "build_guarded_report",
    "build_report",
]

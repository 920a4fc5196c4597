"""
Reports: verdicts on quotes, as data and as text for machines and people.

`build_report` checks quotes against transcripts and returns a `CheckReport`.
The writers turn one into a str and do nothing else: `groundwire.report.json`,
`.markdown`, `.html`, `.plain` and, on a rich console, `.terminal`. A writer is
imported where it is used, so that a JSON report never loads the HTML page.
"""

from groundwire.report.build import Quote, Transcript, build_report
from groundwire.report.model import (
    CheckReport,
    DomainSummary,
    Place,
    QuoteResult,
    Settings,
    Summary,
    Tool,
    TranscriptReport,
)

__all__ = [
    "CheckReport",
    "DomainSummary",
    "Place",
    "Quote",
    "QuoteResult",
    "Settings",
    "Summary",
    "Tool",
    "Transcript",
    "TranscriptReport",
    "build_report",
]

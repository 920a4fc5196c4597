"""
Reports on claims that were offered to memory: what becomes of each, and why.

`build_ingest_report` returns an `IngestReport`. The writers turn one into a str and do
nothing else: `groundwire.report.json`, and here `.markdown`, `.html`, `.plain` and, on a
rich console, `.terminal`.
"""

from groundwire.report.ingest.build import Handled, Offer, build_ingest_report
from groundwire.report.ingest.model import (
    CitedThing,
    ClaimReport,
    Cue,
    IngestReport,
    IngestSettings,
    IngestSummary,
    OtherMemory,
    Passage,
)

__all__ = [
    "CitedThing",
    "ClaimReport",
    "Cue",
    "Handled",
    "IngestReport",
    "IngestSettings",
    "IngestSummary",
    "Offer",
    "OtherMemory",
    "Passage",
    "build_ingest_report",
]

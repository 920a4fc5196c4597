"""
Reports on personas: which of their claims the research behind them supports.

`build_faithfulness_report` returns a `FaithfulnessReport`. The writers turn one into a str
and do nothing else: `groundwire.report.json`, and here `.markdown`, `.html`, `.junit`,
`.plain` and, on a rich console, `.terminal`.
"""

from groundwire.report.faithfulness.build import build_faithfulness_report
from groundwire.report.faithfulness.model import (
    ClaimEntry,
    EvidenceEntry,
    FaithfulnessReport,
    FaithfulnessSettings,
    FaithfulnessSummary,
    PersonaReport,
    Place,
    ReviewCounts,
    ReviewEntry,
    SourceEntry,
    SyntheticEntry,
)

__all__ = [
    "ClaimEntry",
    "EvidenceEntry",
    "FaithfulnessReport",
    "FaithfulnessSettings",
    "FaithfulnessSummary",
    "PersonaReport",
    "Place",
    "ReviewCounts",
    "ReviewEntry",
    "SourceEntry",
    "SyntheticEntry",
    "build_faithfulness_report",
]

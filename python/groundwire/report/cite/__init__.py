"""
Reports on answers that cite: how risky each is, and what its claims and citations are worth.

`build_cite_report` assesses answers and returns a `CiteReport`. The writers turn one
into a str and do nothing else: `groundwire.report.json`, and here `.markdown`, `.html`,
`.plain` and, on a rich console, `.terminal`.
"""

from groundwire.report.cite.builder import Case, build_cite_report
from groundwire.report.cite.model import (
    AnswerReport,
    CitationEntry,
    CitationFinding,
    CiteReport,
    CiteSettings,
    CiteSummary,
    ClaimEntry,
    JudgeIssueEntry,
    JudgementReport,
    JudgeUsage,
    ResultAnomaly,
    RiskReason,
    SourceEntry,
)

__all__ = [
    "AnswerReport",
    "Case",
    "CitationEntry",
    "CitationFinding",
    "CiteReport",
    "CiteSettings",
    "CiteSummary",
    "ClaimEntry",
    "JudgeIssueEntry",
    "JudgeUsage",
    "JudgementReport",
    "ResultAnomaly",
    "RiskReason",
    "SourceEntry",
    "build_cite_report",
]

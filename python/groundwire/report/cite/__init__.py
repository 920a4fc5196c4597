"""
Reports on answers that cite sources: their risk, and the support of their claims and citations.

`build_cite_report` assesses answers and returns a `CiteReport` (`model`), which the renderers only print. `highlights`
finds the words of an answer and its passages to mark.
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

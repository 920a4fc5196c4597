"""
How far an answer is supported by what it cites: rules, risk, and what to do next.

`detect_hallucination` is the printed rule. `assess_citations` reads an answer as people
do and says of each claim and each citation what it is worth; `assess_risk` makes a
decision of that, with what a judge says if there is one, and `assess_answer` runs it all.
Names are imported when they are first touched (PEP 562): no judge, no network and no
settings come with them.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.citations.answering import aassess_answer, assess_answer
    from groundwire.citations.assess import assess_citations
    from groundwire.citations.conditions import CONDITIONS, REASONS, Condition
    from groundwire.citations.facts import Facts, Policy
    from groundwire.citations.levels import LEVELS, Reason, RiskLevel
    from groundwire.citations.literal import detect_hallucination
    from groundwire.citations.monitor import RiskCounts, RiskMonitor
    from groundwire.citations.report import (
        CLAIM_STATUSES,
        FINDINGS,
        CitationRecord,
        CitationReport,
        CitationStatus,
        ClaimRecord,
        ClaimStatus,
        Finding,
        FoundBy,
    )
    from groundwire.citations.risk import ACTIONS, Action, RiskAssessment, assess_risk
    from groundwire.citations.thresholds import RiskThresholds
    from groundwire.judgement import HallucinationType
    from groundwire.search_results import ANOMALIES, Anomaly

__all__ = [
    "ACTIONS",
    "ANOMALIES",
    "CLAIM_STATUSES",
    "CONDITIONS",
    "FINDINGS",
    "LEVELS",
    "REASONS",
    "Action",
    "Anomaly",
    "CitationRecord",
    "CitationReport",
    "CitationStatus",
    "ClaimRecord",
    "ClaimStatus",
    "Condition",
    "Facts",
    "Finding",
    "FoundBy",
    "HallucinationType",
    "Policy",
    "Reason",
    "RiskAssessment",
    "RiskCounts",
    "RiskLevel",
    "RiskMonitor",
    "RiskThresholds",
    "aassess_answer",
    "assess_answer",
    "assess_citations",
    "assess_risk",
    "detect_hallucination",
]

_NAMES_OF = {
    "groundwire.citations.answering": ("aassess_answer", "assess_answer"),
    "groundwire.citations.assess": ("assess_citations",),
    "groundwire.citations.conditions": ("CONDITIONS", "REASONS", "Condition"),
    "groundwire.citations.levels": ("LEVELS", "Reason", "RiskLevel"),
    "groundwire.citations.facts": ("Facts", "Policy"),
    "groundwire.citations.literal": ("detect_hallucination",),
    "groundwire.citations.monitor": ("RiskCounts", "RiskMonitor"),
    "groundwire.citations.report": (
        "CLAIM_STATUSES",
        "FINDINGS",
        "CitationRecord",
        "CitationReport",
        "CitationStatus",
        "ClaimRecord",
        "ClaimStatus",
        "Finding",
        "FoundBy",
    ),
    "groundwire.search_results": ("ANOMALIES", "Anomaly"),
    "groundwire.citations.risk": ("ACTIONS", "Action", "RiskAssessment", "assess_risk"),
    "groundwire.citations.thresholds": ("RiskThresholds",),
    "groundwire.judgement": ("HallucinationType",),
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

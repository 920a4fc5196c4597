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
    from groundwire.citations.assessment import assess_citations
    from groundwire.citations.literal import detect_hallucination
    from groundwire.citations.monitor import RiskCounts, RiskMonitor
    from groundwire.citations.pipeline import aassess_answer, assess_answer
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
    from groundwire.citations.risk_rules import (
        CONDITIONS,
        LEVELS,
        REASONS,
        Condition,
        Facts,
        Policy,
        Reason,
        RiskLevel,
        RiskThresholds,
    )
    from groundwire.judge.protocol import HallucinationType
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
    "groundwire.citations.assessment": "assess_citations",
    "groundwire.citations.literal": "detect_hallucination",
    "groundwire.citations.monitor": "RiskCounts RiskMonitor",
    "groundwire.citations.pipeline": "aassess_answer assess_answer",
    "groundwire.citations.report": (
        "CLAIM_STATUSES CitationRecord CitationReport CitationStatus ClaimRecord ClaimStatus FINDINGS Finding FoundBy"
    ),
    "groundwire.citations.risk": "ACTIONS Action RiskAssessment assess_risk",
    "groundwire.citations.risk_rules": (
        "CONDITIONS Condition Facts LEVELS Policy REASONS Reason RiskLevel RiskThresholds"
    ),
    "groundwire.judge.protocol": "HallucinationType",
    "groundwire.search_results": "ANOMALIES Anomaly",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

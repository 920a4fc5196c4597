"""
Rates the risk of an answer that cites its sources, and decides what to do next.

`literal` applies the specified rule (`detect_hallucination`). `assessment` compares each claim with its citations
(`assess_citations`): `parser` splits the answer, `support` scores how well a passage supports a claim, `reader` adds
the scores of a classifier, and `report` has the results. `risk` turns a report and a judgement into a decision
(`assess_risk`) with the table in `risk_rules`. `pipeline` runs all layers (`assess_answer`), and `monitor` counts over
many answers. `spans` returns findings in the shape of LettuceDetect (`flagged_spans`). Names are imported on first use
(PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.citations.assessment import assess_citations
    from groundwire.citations.explanations import FINDING_EXPLANATIONS, RISK_EXPLANATIONS, explain_finding, explain_risk
    from groundwire.citations.literal import detect_hallucination
    from groundwire.citations.monitor import RiskCounts, RiskMonitor
    from groundwire.citations.pipeline import aassess_answer, assess_answer
    from groundwire.citations.report import (
        CLAIM_STATUSES,
        FINDINGS,
        CitationRecord,
        CitationReport,
        CitationStatus,
        CitedClaimStatus,
        ClaimRecord,
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
        RiskLevel,
        RiskReasonCode,
        RiskThresholds,
    )
    from groundwire.citations.spans import FlaggedSpan, flagged_spans
    from groundwire.judge.protocol import HallucinationType
    from groundwire.search_results import ANOMALIES, Anomaly

__all__ = [
    "ACTIONS",
    "ANOMALIES",
    "CLAIM_STATUSES",
    "CONDITIONS",
    "FINDINGS",
    "FINDING_EXPLANATIONS",
    "LEVELS",
    "REASONS",
    "RISK_EXPLANATIONS",
    "Action",
    "Anomaly",
    "CitationRecord",
    "CitationReport",
    "CitationStatus",
    "CitedClaimStatus",
    "ClaimRecord",
    "Condition",
    "Facts",
    "Finding",
    "FlaggedSpan",
    "FoundBy",
    "HallucinationType",
    "Policy",
    "RiskAssessment",
    "RiskCounts",
    "RiskLevel",
    "RiskMonitor",
    "RiskReasonCode",
    "RiskThresholds",
    "aassess_answer",
    "assess_answer",
    "assess_citations",
    "assess_risk",
    "detect_hallucination",
    "explain_finding",
    "explain_risk",
    "flagged_spans",
]

_NAMES_OF = {
    "groundwire.citations.assessment": "assess_citations",
    "groundwire.citations.explanations": "FINDING_EXPLANATIONS RISK_EXPLANATIONS explain_finding explain_risk",
    "groundwire.citations.literal": "detect_hallucination",
    "groundwire.citations.monitor": "RiskCounts RiskMonitor",
    "groundwire.citations.pipeline": "aassess_answer assess_answer",
    "groundwire.citations.report": (
        "CLAIM_STATUSES CitationRecord CitationReport CitationStatus CitedClaimStatus ClaimRecord "
        "FINDINGS Finding FoundBy"
    ),
    "groundwire.citations.risk": "ACTIONS Action RiskAssessment assess_risk",
    "groundwire.citations.risk_rules": (
        "CONDITIONS Condition Facts LEVELS Policy REASONS RiskReasonCode RiskLevel RiskThresholds"
    ),
    "groundwire.citations.spans": "FlaggedSpan flagged_spans",
    "groundwire.judge.protocol": "HallucinationType",
    "groundwire.search_results": "ANOMALIES Anomaly",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

"""
Are the quotes that a model extracted really in the transcript?

`validate_evidence_grounding` keeps the quotes that are and counts the others;
`ground_extraction` does so for a model's whole output. `assess_quotes` says of each
quote how it stands there, what differs, and whether that changes the meaning. Names are imported when
they are first touched (PEP 562), so that a program that only grounds quotes
does not pay for settings, JSON or clocks.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import EvidenceGroundingError, EvidenceSchemaError, ModelOutputError
    from groundwire.evidence.assessment import assess_quotes
    from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
    from groundwire.evidence.extraction import ExtractionResult, ground_extraction
    from groundwire.evidence.failures import FailureCategory, FailureEvent, FailureRecorder, FailureSeverity
    from groundwire.evidence.grounding import normalize_for_quote_match, validate_evidence_grounding
    from groundwire.evidence.policy import QuotePolicy
    from groundwire.evidence.prose import QuotedSpan, quotes_in
    from groundwire.evidence.schema import validate_evidence_schema
    from groundwire.evidence.stats import EvidenceGroundingStats
    from groundwire.evidence.verdicts import REASONS, STATUSES, NearestPassage, Quote, QuoteStatus, QuoteVerdict, Reason
    from groundwire.settings import EvidenceSettings

__all__ = [
    "MEANING",
    "REASONS",
    "STATUSES",
    "Difference",
    "DifferenceKind",
    "EvidenceGroundingError",
    "EvidenceGroundingStats",
    "EvidenceSchemaError",
    "EvidenceSettings",
    "ExtractionResult",
    "FailureCategory",
    "FailureEvent",
    "FailureRecorder",
    "FailureSeverity",
    "ModelOutputError",
    "NearestPassage",
    "Quote",
    "QuotePolicy",
    "QuoteStatus",
    "QuoteVerdict",
    "QuotedSpan",
    "Reason",
    "assess_quotes",
    "ground_extraction",
    "normalize_for_quote_match",
    "quotes_in",
    "validate_evidence_grounding",
    "validate_evidence_schema",
]

_HOMES = {
    "MEANING": "groundwire.evidence.differences",
    "REASONS": "groundwire.evidence.verdicts",
    "STATUSES": "groundwire.evidence.verdicts",
    "assess_quotes": "groundwire.evidence.assessment",
    "NearestPassage": "groundwire.evidence.verdicts",
    "Quote": "groundwire.evidence.verdicts",
    "Reason": "groundwire.evidence.verdicts",
    "QuoteVerdict": "groundwire.evidence.verdicts",
    "QuoteStatus": "groundwire.evidence.verdicts",
    "QuotePolicy": "groundwire.evidence.policy",
    "DifferenceKind": "groundwire.evidence.differences",
    "Difference": "groundwire.evidence.differences",
    "EvidenceGroundingError": "groundwire.errors",
    "EvidenceGroundingStats": "groundwire.evidence.stats",
    "EvidenceSchemaError": "groundwire.errors",
    "EvidenceSettings": "groundwire.settings",
    "ExtractionResult": "groundwire.evidence.extraction",
    "FailureCategory": "groundwire.evidence.failures",
    "FailureEvent": "groundwire.evidence.failures",
    "FailureRecorder": "groundwire.evidence.failures",
    "FailureSeverity": "groundwire.evidence.failures",
    "ModelOutputError": "groundwire.errors",
    "QuotedSpan": "groundwire.evidence.prose",
    "ground_extraction": "groundwire.evidence.extraction",
    "normalize_for_quote_match": "groundwire.evidence.grounding",
    "quotes_in": "groundwire.evidence.prose",
    "validate_evidence_grounding": "groundwire.evidence.grounding",
    "validate_evidence_schema": "groundwire.evidence.schema",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

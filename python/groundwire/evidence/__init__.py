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
    from groundwire.evidence.extraction import (
        ExtractionResult,
        FailureCategory,
        FailureEvent,
        FailureRecorder,
        FailureSeverity,
        ground_extraction,
    )
    from groundwire.evidence.grounding import normalize_for_quote_match, validate_evidence_grounding
    from groundwire.evidence.quotations import QuotedSpan, quotes_in
    from groundwire.evidence.schema import EvidenceGroundingStats, validate_evidence_schema
    from groundwire.evidence.verdicts import (
        REASONS,
        STATUSES,
        NearestPassage,
        Quote,
        QuotePolicy,
        QuoteStatus,
        QuoteVerdict,
        Reason,
    )
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

_NAMES_OF = {
    "groundwire.errors": "EvidenceGroundingError EvidenceSchemaError ModelOutputError",
    "groundwire.evidence.assessment": "assess_quotes",
    "groundwire.evidence.differences": "Difference DifferenceKind MEANING",
    "groundwire.evidence.extraction": (
        "ExtractionResult FailureCategory FailureEvent FailureRecorder FailureSeverity ground_extraction"
    ),
    "groundwire.evidence.grounding": "normalize_for_quote_match validate_evidence_grounding",
    "groundwire.evidence.quotations": "QuotedSpan quotes_in",
    "groundwire.evidence.schema": "EvidenceGroundingStats validate_evidence_schema",
    "groundwire.evidence.verdicts": (
        "NearestPassage Quote QuotePolicy QuoteStatus QuoteVerdict REASONS Reason STATUSES"
    ),
    "groundwire.settings": "EvidenceSettings",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

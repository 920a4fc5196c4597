"""
Checks that the transcript contains the quotes that a model extracted.

`grounding` applies the literal rule (`validate_evidence_grounding`), and `extraction` applies it to a model's whole
output; `schema` has the data and the options. `assessment` assesses each quote (`assess_quotes`): `matching`
runs the match cascade on `occurrences`, `elision` reads ellipses and brackets, `differences` finds changes of meaning,
`respelling` folds variants of characters, `origins` checks speakers and pages, `paraphrases` uses a classifier.
`verdicts` has statuses and reasons, and `quotations` extracts quotes from an answer. Names are imported on first use
(PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import EvidenceGroundingError, EvidenceSchemaError, ModelOutputError
    from groundwire.evidence.assessment import assess_quotes
    from groundwire.evidence.differences import MEANING, Difference, DifferenceKind
    from groundwire.evidence.explanations import EXPLANATIONS, explain
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
        QuoteReason,
        QuoteStatus,
        QuoteVerdict,
    )
    from groundwire.settings import EvidenceSettings

__all__ = [
    "EXPLANATIONS",
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
    "QuoteReason",
    "QuoteStatus",
    "QuoteVerdict",
    "QuotedSpan",
    "assess_quotes",
    "explain",
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
    "groundwire.evidence.explanations": "EXPLANATIONS explain",
    "groundwire.evidence.extraction": (
        "ExtractionResult FailureCategory FailureEvent FailureRecorder FailureSeverity ground_extraction"
    ),
    "groundwire.evidence.grounding": "normalize_for_quote_match validate_evidence_grounding",
    "groundwire.evidence.quotations": "QuotedSpan quotes_in",
    "groundwire.evidence.schema": "EvidenceGroundingStats validate_evidence_schema",
    "groundwire.evidence.verdicts": (
        "NearestPassage Quote QuotePolicy QuoteStatus QuoteVerdict REASONS QuoteReason STATUSES"
    ),
    "groundwire.settings": "EvidenceSettings",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

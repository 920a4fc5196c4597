"""
Decides what may be written to memory.

`validator` runs the checks of a claim (`checks`), and the table of `tiers` decides on their findings; `gate` stores,
queues or rejects. The checks are in `hedges/`, `duplicates/`, `citation_detector` with `verification/`, `conversation`
(quotes of claims), and `relevance`, which looks in the `statements` of cited texts for the claim. `records` has claims,
evidence and results. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import DedupCheckError
    from groundwire.ingestion.checks import CHECKS
    from groundwire.ingestion.citation_detector import Citation, CitationDetector, CitationType
    from groundwire.ingestion.duplicates.checker import DedupChecker, DuplicateResult, jaccard_similarity
    from groundwire.ingestion.duplicates.index import MemoryIndex
    from groundwire.ingestion.duplicates.store_index import StoreBackedIndex
    from groundwire.ingestion.gate import GateOutcome, IngestionGate, Submission
    from groundwire.ingestion.hedges import HedgeAction, HedgeCategory, HedgeCue, HedgeResult
    from groundwire.ingestion.hedges.detector import HedgeDetector
    from groundwire.ingestion.records import (
        CheckedCitation,
        Confidence,
        EvidenceObject,
        MemoryClaim,
        ValidationResult,
        derive_evidence,
    )
    from groundwire.ingestion.tiers import (
        TRUSTED_SOURCES,
        IngestionTier,
        MemorySource,
        MemoryType,
        Tier,
        TierDecision,
        TierInputs,
        TierReason,
        apply_tier_rules,
        determine_tier,
    )
    from groundwire.ingestion.validator import GroundedIngestionConfig, IngestionValidator
    from groundwire.ingestion.verification.protocol import VerificationReason, VerificationResult, VerificationStatus
    from groundwire.ingestion.verification.verifier import CitationVerifier, verify_citation
    from groundwire.memory.protocol import MemoryProvider
    from groundwire.memory.records import MemoryRecord
    from groundwire.memory.store import MemoryStore

__all__ = [
    "CHECKS",
    "TRUSTED_SOURCES",
    "CheckedCitation",
    "Citation",
    "CitationDetector",
    "CitationType",
    "CitationVerifier",
    "Confidence",
    "DedupCheckError",
    "DedupChecker",
    "DuplicateResult",
    "EvidenceObject",
    "GateOutcome",
    "GroundedIngestionConfig",
    "HedgeAction",
    "HedgeCategory",
    "HedgeCue",
    "HedgeDetector",
    "HedgeResult",
    "IngestionGate",
    "IngestionTier",
    "IngestionValidator",
    "MemoryClaim",
    "MemoryIndex",
    "MemoryProvider",
    "MemoryRecord",
    "MemorySource",
    "MemoryStore",
    "MemoryType",
    "StoreBackedIndex",
    "Submission",
    "Tier",
    "TierDecision",
    "TierInputs",
    "TierReason",
    "ValidationResult",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "apply_tier_rules",
    "derive_evidence",
    "determine_tier",
    "jaccard_similarity",
    "verify_citation",
]

_NAMES_OF = {
    "groundwire.errors": "DedupCheckError",
    "groundwire.ingestion.checks": "CHECKS",
    "groundwire.ingestion.citation_detector": "Citation CitationDetector CitationType",
    "groundwire.ingestion.duplicates.checker": "DedupChecker DuplicateResult jaccard_similarity",
    "groundwire.ingestion.duplicates.index": "MemoryIndex",
    "groundwire.ingestion.duplicates.store_index": "StoreBackedIndex",
    "groundwire.ingestion.gate": "GateOutcome IngestionGate Submission",
    "groundwire.ingestion.hedges": "HedgeAction HedgeCategory HedgeCue HedgeResult",
    "groundwire.ingestion.hedges.detector": "HedgeDetector",
    "groundwire.ingestion.records": (
        "CheckedCitation Confidence EvidenceObject MemoryClaim ValidationResult derive_evidence"
    ),
    "groundwire.ingestion.tiers": (
        "IngestionTier MemorySource MemoryType TRUSTED_SOURCES Tier TierDecision TierInputs TierReason "
        "apply_tier_rules determine_tier"
    ),
    "groundwire.ingestion.validator": "GroundedIngestionConfig IngestionValidator",
    "groundwire.ingestion.verification.protocol": "VerificationReason VerificationResult VerificationStatus",
    "groundwire.ingestion.verification.verifier": "CitationVerifier verify_citation",
    "groundwire.memory.protocol": "MemoryProvider",
    "groundwire.memory.records": "MemoryRecord",
    "groundwire.memory.store": "MemoryStore",
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

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

_HOMES = {
    "CHECKS": "groundwire.ingestion.checks",
    "CheckedCitation": "groundwire.ingestion.records",
    "Citation": "groundwire.ingestion.citation_detector",
    "CitationDetector": "groundwire.ingestion.citation_detector",
    "CitationType": "groundwire.ingestion.citation_detector",
    "CitationVerifier": "groundwire.ingestion.verification.verifier",
    "Confidence": "groundwire.ingestion.records",
    "DedupCheckError": "groundwire.errors",
    "DedupChecker": "groundwire.ingestion.duplicates.checker",
    "DuplicateResult": "groundwire.ingestion.duplicates.checker",
    "EvidenceObject": "groundwire.ingestion.records",
    "GateOutcome": "groundwire.ingestion.gate",
    "GroundedIngestionConfig": "groundwire.ingestion.validator",
    "HedgeAction": "groundwire.ingestion.hedges",
    "HedgeCategory": "groundwire.ingestion.hedges",
    "HedgeCue": "groundwire.ingestion.hedges",
    "HedgeDetector": "groundwire.ingestion.hedges.detector",
    "HedgeResult": "groundwire.ingestion.hedges",
    "IngestionGate": "groundwire.ingestion.gate",
    "IngestionTier": "groundwire.ingestion.tiers",
    "IngestionValidator": "groundwire.ingestion.validator",
    "MemoryClaim": "groundwire.ingestion.records",
    "MemoryIndex": "groundwire.ingestion.duplicates.index",
    "MemoryProvider": "groundwire.memory.protocol",
    "MemoryRecord": "groundwire.memory.records",
    "MemorySource": "groundwire.ingestion.tiers",
    "MemoryStore": "groundwire.memory.store",
    "MemoryType": "groundwire.ingestion.tiers",
    "StoreBackedIndex": "groundwire.ingestion.duplicates.store_index",
    "Submission": "groundwire.ingestion.gate",
    "TRUSTED_SOURCES": "groundwire.ingestion.tiers",
    "Tier": "groundwire.ingestion.tiers",
    "TierDecision": "groundwire.ingestion.tiers",
    "TierInputs": "groundwire.ingestion.tiers",
    "TierReason": "groundwire.ingestion.tiers",
    "ValidationResult": "groundwire.ingestion.records",
    "VerificationReason": "groundwire.ingestion.verification.protocol",
    "VerificationResult": "groundwire.ingestion.verification.protocol",
    "VerificationStatus": "groundwire.ingestion.verification.protocol",
    "apply_tier_rules": "groundwire.ingestion.tiers",
    "derive_evidence": "groundwire.ingestion.records",
    "determine_tier": "groundwire.ingestion.tiers",
    "jaccard_similarity": "groundwire.ingestion.duplicates.checker",
    "verify_citation": "groundwire.ingestion.verification.verifier",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

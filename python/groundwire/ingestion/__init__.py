"""
What may be written to memory: claims, what they cite, and whether that is there.

Names are imported when they are first touched (PEP 562): who only detects
citations loads neither a network nor a database.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.ingestion.checks import CHECKS
    from groundwire.ingestion.claims import MemoryClaim
    from groundwire.ingestion.config import GroundedIngestionConfig
    from groundwire.ingestion.duplicates import DedupChecker, DedupCheckError, DuplicateResult, jaccard_similarity
    from groundwire.ingestion.duplicates_index import MemoryIndex
    from groundwire.ingestion.evidence import (
        CheckedCitation,
        Confidence,
        EvidenceObject,
        ValidationResult,
        derived_evidence,
    )
    from groundwire.ingestion.gate import GateOutcome, IngestionGate, Submission
    from groundwire.ingestion.hedges.detector import HedgeDetector
    from groundwire.ingestion.hedges.results import HedgeAction, HedgeCategory, HedgeCue, HedgeResult
    from groundwire.ingestion.indexed import IndexedMemories
    from groundwire.ingestion.provenance import Citation, CitationDetector, CitationType
    from groundwire.ingestion.tiers import (
        TRUSTED_SOURCES,
        Findings,
        IngestionTier,
        MemorySource,
        MemoryType,
        Tier,
        TierDecision,
        TierReason,
        decide,
        determine_tier,
    )
    from groundwire.ingestion.validator import IngestionValidator
    from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, VerificationStatus
    from groundwire.ingestion.verify.verifier import CitationVerifier, verify_citation
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
    "Findings",
    "GateOutcome",
    "GroundedIngestionConfig",
    "HedgeAction",
    "HedgeCategory",
    "HedgeCue",
    "HedgeDetector",
    "HedgeResult",
    "IndexedMemories",
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
    "Submission",
    "Tier",
    "TierDecision",
    "TierReason",
    "ValidationResult",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "decide",
    "derived_evidence",
    "determine_tier",
    "jaccard_similarity",
    "verify_citation",
]

_HOMES = {
    "CHECKS": "groundwire.ingestion.checks",
    "TRUSTED_SOURCES": "groundwire.ingestion.tiers",
    "CheckedCitation": "groundwire.ingestion.evidence",
    "Citation": "groundwire.ingestion.provenance",
    "CitationDetector": "groundwire.ingestion.provenance",
    "CitationType": "groundwire.ingestion.provenance",
    "CitationVerifier": "groundwire.ingestion.verify.verifier",
    "MemoryClaim": "groundwire.ingestion.claims",
    "Confidence": "groundwire.ingestion.evidence",
    "TierDecision": "groundwire.ingestion.tiers",
    "DedupCheckError": "groundwire.ingestion.duplicates",
    "DedupChecker": "groundwire.ingestion.duplicates",
    "DuplicateResult": "groundwire.ingestion.duplicates",
    "EvidenceObject": "groundwire.ingestion.evidence",
    "Findings": "groundwire.ingestion.tiers",
    "GroundedIngestionConfig": "groundwire.ingestion.config",
    "HedgeAction": "groundwire.ingestion.hedges.results",
    "HedgeCategory": "groundwire.ingestion.hedges.results",
    "HedgeCue": "groundwire.ingestion.hedges.results",
    "HedgeDetector": "groundwire.ingestion.hedges.detector",
    "HedgeResult": "groundwire.ingestion.hedges.results",
    "IndexedMemories": "groundwire.ingestion.indexed",
    "IngestionGate": "groundwire.ingestion.gate",
    "IngestionTier": "groundwire.ingestion.tiers",
    "IngestionValidator": "groundwire.ingestion.validator",
    "MemoryIndex": "groundwire.ingestion.duplicates_index",
    "MemoryProvider": "groundwire.memory.protocol",
    "MemoryRecord": "groundwire.memory.records",
    "MemorySource": "groundwire.ingestion.tiers",
    "MemoryStore": "groundwire.memory.store",
    "MemoryType": "groundwire.ingestion.tiers",
    "GateOutcome": "groundwire.ingestion.gate",
    "Submission": "groundwire.ingestion.gate",
    "Tier": "groundwire.ingestion.tiers",
    "TierReason": "groundwire.ingestion.tiers",
    "ValidationResult": "groundwire.ingestion.evidence",
    "VerificationReason": "groundwire.ingestion.verify.results",
    "VerificationResult": "groundwire.ingestion.verify.results",
    "VerificationStatus": "groundwire.ingestion.verify.results",
    "decide": "groundwire.ingestion.tiers",
    "derived_evidence": "groundwire.ingestion.evidence",
    "determine_tier": "groundwire.ingestion.tiers",
    "jaccard_similarity": "groundwire.ingestion.duplicates",
    "verify_citation": "groundwire.ingestion.verify.verifier",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

"""
What may be written to memory: claims, what they cite, and whether that is there.

Names are imported when they are first touched (PEP 562): who only detects
citations loads neither a network nor a database.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.errors import DedupCheckError
    from groundwire.ingestion.checks import CHECKS
    from groundwire.ingestion.citation_detector import Citation, CitationDetector, CitationType
    from groundwire.ingestion.claims import Claim
    from groundwire.ingestion.config import GroundedIngestionConfig
    from groundwire.ingestion.duplicates.checker import DedupChecker, DuplicateResult, jaccard_similarity
    from groundwire.ingestion.duplicates.index import MemoryIndex
    from groundwire.ingestion.duplicates.store_index import StoreBackedIndex
    from groundwire.ingestion.evidence import (
        CheckedCitation,
        Confidence,
        EvidenceObject,
        ValidationResult,
        derived_evidence,
    )
    from groundwire.ingestion.gate import IngestionGate, Outcome, Submission
    from groundwire.ingestion.hedges import HedgeAction, HedgeCategory, HedgeCue, HedgeResult
    from groundwire.ingestion.hedges.detector import HedgeDetector
    from groundwire.ingestion.tiers import (
        TRUSTED_SOURCES,
        Decision,
        Findings,
        IngestionTier,
        MemorySource,
        MemoryType,
        Tier,
        TierReason,
        decide,
        determine_tier,
    )
    from groundwire.ingestion.validator import IngestionValidator
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
    "Claim",
    "Confidence",
    "Decision",
    "DedupCheckError",
    "DedupChecker",
    "DuplicateResult",
    "EvidenceObject",
    "Findings",
    "GroundedIngestionConfig",
    "HedgeAction",
    "HedgeCategory",
    "HedgeCue",
    "HedgeDetector",
    "HedgeResult",
    "IngestionGate",
    "IngestionTier",
    "IngestionValidator",
    "MemoryIndex",
    "MemoryProvider",
    "MemoryRecord",
    "MemorySource",
    "MemoryStore",
    "MemoryType",
    "Outcome",
    "StoreBackedIndex",
    "Submission",
    "Tier",
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
    "Citation": "groundwire.ingestion.citation_detector",
    "CitationDetector": "groundwire.ingestion.citation_detector",
    "CitationType": "groundwire.ingestion.citation_detector",
    "CitationVerifier": "groundwire.ingestion.verification.verifier",
    "Claim": "groundwire.ingestion.claims",
    "Confidence": "groundwire.ingestion.evidence",
    "Decision": "groundwire.ingestion.tiers",
    "DedupCheckError": "groundwire.errors",
    "DedupChecker": "groundwire.ingestion.duplicates.checker",
    "DuplicateResult": "groundwire.ingestion.duplicates.checker",
    "EvidenceObject": "groundwire.ingestion.evidence",
    "Findings": "groundwire.ingestion.tiers",
    "GroundedIngestionConfig": "groundwire.ingestion.config",
    "HedgeAction": "groundwire.ingestion.hedges",
    "HedgeCategory": "groundwire.ingestion.hedges",
    "HedgeCue": "groundwire.ingestion.hedges",
    "HedgeDetector": "groundwire.ingestion.hedges.detector",
    "HedgeResult": "groundwire.ingestion.hedges",
    "StoreBackedIndex": "groundwire.ingestion.duplicates.store_index",
    "IngestionGate": "groundwire.ingestion.gate",
    "IngestionTier": "groundwire.ingestion.tiers",
    "IngestionValidator": "groundwire.ingestion.validator",
    "MemoryIndex": "groundwire.ingestion.duplicates.index",
    "MemoryProvider": "groundwire.memory.protocol",
    "MemoryRecord": "groundwire.memory.records",
    "MemorySource": "groundwire.ingestion.tiers",
    "MemoryStore": "groundwire.memory.store",
    "MemoryType": "groundwire.ingestion.tiers",
    "Outcome": "groundwire.ingestion.gate",
    "Submission": "groundwire.ingestion.gate",
    "Tier": "groundwire.ingestion.tiers",
    "TierReason": "groundwire.ingestion.tiers",
    "ValidationResult": "groundwire.ingestion.evidence",
    "VerificationReason": "groundwire.ingestion.verification.protocol",
    "VerificationResult": "groundwire.ingestion.verification.protocol",
    "VerificationStatus": "groundwire.ingestion.verification.protocol",
    "decide": "groundwire.ingestion.tiers",
    "derived_evidence": "groundwire.ingestion.evidence",
    "determine_tier": "groundwire.ingestion.tiers",
    "jaccard_similarity": "groundwire.ingestion.duplicates.checker",
    "verify_citation": "groundwire.ingestion.verification.verifier",
}

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

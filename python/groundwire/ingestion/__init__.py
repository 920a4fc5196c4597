"""
What may be written to memory: claims, what they cite, and whether that is there.

Names are imported when they are first touched (PEP 562): who only detects
citations loads neither a network nor a database.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.ingestion.provenance import Citation, CitationDetector, CitationType
    from groundwire.ingestion.verify.results import VerificationReason, VerificationResult, VerificationStatus
    from groundwire.ingestion.verify.verifier import CitationVerifier, verify_citation

__all__ = [
    "Citation",
    "CitationDetector",
    "CitationType",
    "CitationVerifier",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "verify_citation",
]

_HOMES = {
    "Citation": "groundwire.ingestion.provenance",
    "CitationDetector": "groundwire.ingestion.provenance",
    "CitationType": "groundwire.ingestion.provenance",
    "CitationVerifier": "groundwire.ingestion.verify.verifier",
    "VerificationReason": "groundwire.ingestion.verify.results",
    "VerificationResult": "groundwire.ingestion.verify.results",
    "VerificationStatus": "groundwire.ingestion.verify.results",
    "verify_citation": "groundwire.ingestion.verify.verifier",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

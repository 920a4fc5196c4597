"""
Are the things that a claim cites there?

One small class for each kind behind one protocol; `verifier` asks them all. The names
that a program with its own tracker or its own server needs are here, imported when
they are first touched (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.ingestion.verify.adr import DecisionRecords
    from groundwire.ingestion.verify.git import GitCommits
    from groundwire.ingestion.verify.http import GuardedClient
    from groundwire.ingestion.verify.issue import GitHubIssues, GitLabIssues, ListedIssues
    from groundwire.ingestion.verify.protocol import BatchVerifier, Verifier
    from groundwire.ingestion.verify.results import (
        REASONS,
        VerificationReason,
        VerificationResult,
        VerificationStatus,
    )
    from groundwire.ingestion.verify.url import Dois, WebPages
    from groundwire.ingestion.verify.verifier import CitationVerifier, verify_citation

_HOMES = {
    "REASONS": "groundwire.ingestion.verify.results",
    "BatchVerifier": "groundwire.ingestion.verify.protocol",
    "CitationVerifier": "groundwire.ingestion.verify.verifier",
    "DecisionRecords": "groundwire.ingestion.verify.adr",
    "Dois": "groundwire.ingestion.verify.url",
    "GitCommits": "groundwire.ingestion.verify.git",
    "GitHubIssues": "groundwire.ingestion.verify.issue",
    "GitLabIssues": "groundwire.ingestion.verify.issue",
    "GuardedClient": "groundwire.ingestion.verify.http",
    "ListedIssues": "groundwire.ingestion.verify.issue",
    "VerificationReason": "groundwire.ingestion.verify.results",
    "VerificationResult": "groundwire.ingestion.verify.results",
    "VerificationStatus": "groundwire.ingestion.verify.results",
    "Verifier": "groundwire.ingestion.verify.protocol",
    "WebPages": "groundwire.ingestion.verify.url",
    "verify_citation": "groundwire.ingestion.verify.verifier",
}

__all__ = [
    "REASONS",
    "BatchVerifier",
    "CitationVerifier",
    "DecisionRecords",
    "Dois",
    "GitCommits",
    "GitHubIssues",
    "GitLabIssues",
    "GuardedClient",
    "ListedIssues",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "Verifier",
    "WebPages",
    "verify_citation",
]

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

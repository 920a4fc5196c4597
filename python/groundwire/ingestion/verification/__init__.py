"""
Verifies that the sources cited by a claim exist.

`protocol` has the results, their reasons and the protocols of verifiers; `verifier` passes each citation to its
verifier. Those of the package are in `git` (commits), `adr` (decision records), `documents` (pages of documents) and
`web` (URLs, DOIs, issues).
`http_client` follows redirects within limits, `http_exchange` sends one request, `url_policy` decides which URLs and
addresses may be requested, and `deadline` limits work in threads. Names are imported on first use (PEP 562).
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.ingestion.verification.adr import AdrVerifier
    from groundwire.ingestion.verification.git import CommitVerifier
    from groundwire.ingestion.verification.http_client import GuardedHttpClient
    from groundwire.ingestion.verification.protocol import (
        REASONS,
        BatchVerifier,
        VerificationReason,
        VerificationResult,
        VerificationStatus,
        Verifier,
    )
    from groundwire.ingestion.verification.verifier import CitationVerifier, verify_citation
    from groundwire.ingestion.verification.web import (
        DoiVerifier,
        GitHubIssueVerifier,
        GitLabIssueVerifier,
        IssueListVerifier,
        UrlVerifier,
    )

_NAMES_OF = {
    "groundwire.ingestion.verification.adr": "AdrVerifier",
    "groundwire.ingestion.verification.git": "CommitVerifier",
    "groundwire.ingestion.verification.http_client": "GuardedHttpClient",
    "groundwire.ingestion.verification.protocol": (
        "BatchVerifier REASONS VerificationReason VerificationResult VerificationStatus Verifier"
    ),
    "groundwire.ingestion.verification.verifier": "CitationVerifier verify_citation",
    "groundwire.ingestion.verification.web": (
        "DoiVerifier GitHubIssueVerifier GitLabIssueVerifier IssueListVerifier UrlVerifier"
    ),
}
_HOMES = {name: home for home, names in _NAMES_OF.items() for name in names.split()}

__all__ = [
    "REASONS",
    "AdrVerifier",
    "BatchVerifier",
    "CitationVerifier",
    "CommitVerifier",
    "DoiVerifier",
    "GitHubIssueVerifier",
    "GitLabIssueVerifier",
    "GuardedHttpClient",
    "IssueListVerifier",
    "UrlVerifier",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "Verifier",
    "verify_citation",
]

__getattr__, __dir__ = lazy_names(globals(), _HOMES)

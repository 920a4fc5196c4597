"""
Are the things that a claim cites there?

One small class for each kind behind one protocol; `verifier` asks them all. The names
that a program with its own tracker or its own server needs are here, imported when
they are first touched (PEP 562).
"""

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
    "REASONS": "results",
    "BatchVerifier": "protocol",
    "CitationVerifier": "verifier",
    "DecisionRecords": "adr",
    "Dois": "url",
    "GitCommits": "git",
    "GitHubIssues": "issue",
    "GitLabIssues": "issue",
    "GuardedClient": "http",
    "ListedIssues": "issue",
    "VerificationReason": "results",
    "VerificationResult": "results",
    "VerificationStatus": "results",
    "Verifier": "protocol",
    "WebPages": "url",
    "verify_citation": "verifier",
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


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

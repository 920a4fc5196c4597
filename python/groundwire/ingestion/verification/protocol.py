"""
Defines the result of a verification (verified, refuted or unknown) and its reasons.

`REASONS` has the status and the words of each code; the table in docs/reference/codes.md follows it. No reason
contains text of a claim. `Verifier` and its two extensions are the protocols of verifiers for one kind of citation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from groundwire.ingestion.citation_detector import Citation
from groundwire.labels import check_choice

__all__ = [
    "REASONS",
    "VERIFICATION_TIMEOUT_S",
    "BatchVerifier",
    "TextVerifier",
    "VerificationLookupError",
    "VerificationReason",
    "VerificationResult",
    "VerificationStatus",
    "Verifier",
    "make_result",
]


class VerificationStatus(StrEnum):
    """Whether the cited source exists. Only `verified` counts (ruling C4)."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class VerificationReason(StrEnum):
    """The reason of a status; a stable code."""

    COMMIT_FOUND = "commit_found"
    COMMIT_NOT_FOUND = "commit_not_found"
    COMMIT_AMBIGUOUS = "commit_ambiguous"
    COMMIT_NAMES_A_REF = "commit_names_a_ref"
    COMMIT_MAY_BE_ELSEWHERE = "commit_may_be_elsewhere"
    COMMIT_TOO_LARGE = "commit_too_large"
    GIT_MISSING = "git_missing"
    GIT_FAILED = "git_failed"
    ADR_FOUND = "adr_found"
    ADR_NOT_FOUND = "adr_not_found"
    ADR_NOT_IN_FORCE = "adr_not_in_force"
    ADR_UNREADABLE = "adr_unreadable"
    HTTP_SUCCESS = "http_success"
    HTTP_GONE = "http_gone"
    HTTP_UNCLEAR = "http_unclear"
    URL_REFUSED = "url_refused"
    ADDRESS_REFUSED = "address_refused"
    HOST_NOT_FOUND = "host_not_found"
    CONNECTION_FAILED = "connection_failed"
    TLS_FAILED = "tls_failed"
    PROTOCOL_FAILED = "protocol_failed"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    TOO_LARGE = "too_large"
    HTTP_MISSING = "http_missing"
    NETWORK_OFF = "network_off"
    ISSUE_FOUND = "issue_found"
    ISSUE_NOT_FOUND = "issue_not_found"
    ISSUE_NOT_LISTED = "issue_not_listed"
    TRACKER_UNREADABLE = "tracker_unreadable"
    PAGE_FOUND = "page_found"
    PAGE_NOT_FOUND = "page_not_found"
    PAGE_UNREADABLE = "page_unreadable"
    DOCUMENT_NOT_FOUND = "document_not_found"
    DOCUMENT_UNREADABLE = "document_unreadable"
    NOT_CONFIGURED = "not_configured"
    NOT_AN_ID = "not_an_id"
    NOT_LOOKED_UP = "not_looked_up"
    TIMED_OUT = "timed_out"
    VERIFIER_FAILED = "verifier_failed"
    CUSTOM = "custom"


VERIFICATION_TIMEOUT_S = 5.0
"""The default timeout, in seconds, of one citation, or of all commits or all records of a call (ruling C12)."""

_V, _R, _U = VerificationStatus.VERIFIED, VerificationStatus.REFUTED, VerificationStatus.UNKNOWN

REASONS: dict[VerificationReason, tuple[VerificationStatus, str]] = {
    VerificationReason.COMMIT_FOUND: (_V, "Commit exists"),
    VerificationReason.COMMIT_NOT_FOUND: (_R, "Unknown commit"),
    VerificationReason.COMMIT_AMBIGUOUS: (_U, "The abbreviated id matches more than one object"),
    VerificationReason.COMMIT_NAMES_A_REF: (_U, "A branch or tag has this name and points to another commit"),
    VerificationReason.COMMIT_MAY_BE_ELSEWHERE: (_U, "Unknown commit, but the repository lacks part of its history"),
    VerificationReason.COMMIT_TOO_LARGE: (_U, "Commit exists, but is too large to be read"),
    VerificationReason.GIT_MISSING: (_U, "git is not installed"),
    VerificationReason.GIT_FAILED: (_U, "git could not read the repository"),
    VerificationReason.ADR_FOUND: (_V, "ADR file exists"),
    VerificationReason.ADR_NOT_FOUND: (_R, "ADR not found"),
    VerificationReason.ADR_NOT_IN_FORCE: (_U, "ADR file exists, but its status is not one of a decision in force"),
    VerificationReason.ADR_UNREADABLE: (_U, "An ADR folder or file could not be read"),
    VerificationReason.HTTP_SUCCESS: (_V, "HTTP {detail}"),
    VerificationReason.HTTP_GONE: (_R, "HTTP {detail}"),
    VerificationReason.HTTP_UNCLEAR: (_U, "HTTP {detail}"),
    VerificationReason.URL_REFUSED: (_U, "URL has a form that is not requested"),
    VerificationReason.ADDRESS_REFUSED: (_U, "Host is not on the public internet"),
    VerificationReason.HOST_NOT_FOUND: (_U, "Host has no address"),
    VerificationReason.CONNECTION_FAILED: (_U, "Connection failed"),
    VerificationReason.TLS_FAILED: (_U, "TLS failed; the certificate may be expired or belong to another host"),
    VerificationReason.PROTOCOL_FAILED: (_U, "The response is not HTTP"),
    VerificationReason.TOO_MANY_REDIRECTS: (_U, "Too many redirects"),
    VerificationReason.TOO_LARGE: (_U, "The response is too large"),
    VerificationReason.HTTP_MISSING: (_U, "The extra `http` is not installed"),
    VerificationReason.NETWORK_OFF: (_U, "Network access is off"),
    VerificationReason.ISSUE_FOUND: (_V, "Issue exists"),
    VerificationReason.ISSUE_NOT_FOUND: (_R, "Issue not found"),
    VerificationReason.ISSUE_NOT_LISTED: (_U, "Issue is not in the list, which may be incomplete"),
    VerificationReason.TRACKER_UNREADABLE: (_U, "The tracker does not show this repository"),
    VerificationReason.PAGE_FOUND: (_V, "The document has this page"),
    VerificationReason.PAGE_NOT_FOUND: (_R, "The document has no such page"),
    VerificationReason.PAGE_UNREADABLE: (_U, "The page has no text, as in a scan"),
    VerificationReason.DOCUMENT_NOT_FOUND: (_R, "The folder has no such document"),
    VerificationReason.DOCUMENT_UNREADABLE: (_U, "The document could not be read, or is outside of the folder"),
    VerificationReason.NOT_CONFIGURED: (_U, "No verifier is configured for this type"),
    VerificationReason.NOT_AN_ID: (_U, "Not a valid id of this type"),
    VerificationReason.NOT_LOOKED_UP: (_U, "Not verified: it would not change the decision, or there are too many"),
    VerificationReason.TIMED_OUT: (_U, "Timed out"),
    VerificationReason.VERIFIER_FAILED: (_U, "The verifier failed: {detail}"),
}
"""The status and the words of each code, except `custom`, which third-party verifiers use with their own words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """
    The verification of one citation.

    Attributes:
        valid: Whether it is verified.
        reason: The reason in words, without text of the claim.
        status: Verified, refuted or unknown; by default verified if *valid*, else unknown.
        code: The reason as a stable code.
        full_id: The full id of a source that was cited by an abbreviation, such as a commit.
        sha256: The hash of the file that was read, in hexadecimal; None for sources of other kinds.

    Raises:
        ValueError: *status* is not one of the three, or contradicts *valid*.
    """

    valid: bool
    reason: str
    status: VerificationStatus = None  # type: ignore[assignment] # filled in below
    code: VerificationReason = VerificationReason.CUSTOM
    full_id: str | None = None
    sha256: str | None = None

    def __post_init__(self) -> None:
        given: str | None = self.status
        status = check_choice("status", given, VerificationStatus) if given is not None else _V if self.valid else _U
        if self.valid is not (status is _V):
            raise ValueError(f"valid is {self.valid!r} and contradicts the status {status.value!r}")
        object.__setattr__(self, "status", status)


def make_result(
    code: VerificationReason, detail: object = "", *, full_id: str | None = None, sha256: str | None = None
) -> VerificationResult:
    """Return the result with the status and the words of *code*; *detail* is a number or a class name."""
    status, words = REASONS[code]
    return VerificationResult(
        valid=status is _V,
        reason=words.format(detail=detail),
        status=status,
        code=code,
        full_id=full_id,
        sha256=sha256,
    )


class VerificationLookupError(Exception):
    """
    A URL could not be verified. The error contains neither the URL nor a host.

    Attributes:
        code: The reason.
    """

    def __init__(self, code: VerificationReason) -> None:
        super().__init__(code)
        self.code = code


class Verifier(Protocol):
    """
    Verifies citations of one kind.

    It fails closed: after a missing answer, an exception or a timeout the result is unknown.
    """

    async def verify(self, citation: Citation) -> VerificationResult: ...


class BatchVerifier(Verifier, Protocol):
    """A verifier for which many citations cost little more than one."""

    async def verify_many(self, citations: Sequence[Citation]) -> Sequence[VerificationResult]:
        """Return one result for each citation, in order."""
        ...


class TextVerifier(Protocol):
    """A verifier that can read the cited text."""

    async def read(self, citation: Citation) -> str | None:
        """Return the text; None if it cannot be read."""
        ...

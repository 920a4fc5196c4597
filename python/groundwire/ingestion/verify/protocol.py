"""What a verifier is: one small class for each kind of citation."""

from collections.abc import Sequence
from typing import Protocol

from groundwire.ingestion.provenance import Citation
from groundwire.ingestion.verify.results import VerificationResult

__all__ = ["BatchVerifier", "TextReader", "Verifier"]


class Verifier(Protocol):
    """
    Whoever can say whether one citation is real.

    It fails closed: what it does not know is unknown. An exception, or no answer in
    time, makes the result unknown too.
    """

    async def verify(self, citation: Citation) -> VerificationResult: ...


class BatchVerifier(Verifier, Protocol):
    """A verifier to whom many citations cost little more than one."""

    async def verify_many(self, citations: Sequence[Citation]) -> Sequence[VerificationResult]:
        """Return one result for each citation, in their order."""
        ...


class TextReader(Protocol):
    """A verifier that can say what stands in what is cited."""

    async def read(self, citation: Citation) -> str | None:
        """Return the text; None if nobody can tell."""
        ...

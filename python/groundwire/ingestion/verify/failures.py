"""A look-up over the network that has no answer."""

from groundwire.ingestion.verify.results import VerificationReason

__all__ = ["LookUpError"]


class LookUpError(Exception):
    """
    Nothing can be said of what a URL leads to. It holds neither the URL nor a host.

    Attributes:
        code: Why.
    """

    def __init__(self, code: VerificationReason) -> None:
        super().__init__(code)
        self.code = code

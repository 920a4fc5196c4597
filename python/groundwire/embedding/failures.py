"""What goes wrong with embeddings."""

from groundwire.errors import GroundwireError

__all__ = ["FAILED", "NOT_FINITE", "NOT_THERE", "TIMEOUT", "WRONG_SHAPE", "EmbeddingError"]

FAILED = "failed"
"""The embedder raised something."""
NOT_FINITE = "not_finite"
"""A value of a vector is NaN or infinite."""
NOT_THERE = "not_there"
"""A model's files, or the package that reads them, are not there."""
TIMEOUT = "timeout"
"""It took too long."""
WRONG_SHAPE = "wrong_shape"
"""There is not one row for each text, of the length of all other rows."""


class EmbeddingError(GroundwireError):
    """
    There are no embeddings. It holds nothing of the texts.

    Attributes:
        code: Why: one of the codes above, or of a server "unreachable", "rate_limited", ... as
            for a judge.
        detail: More about it, if there is more to say.
    """

    def __init__(self, code: str, detail: str | None = None) -> None:
        # Both are arguments, so that the exception can be pickled.
        super().__init__(code, detail)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        return f"no embeddings: {self.code}{f', {self.detail}' if self.detail else ''}"

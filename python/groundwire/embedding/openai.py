"""
Embeds texts by a server with OpenAI's protocol.

The connection, with its timeout and its retries, is that of `groundwire.openai_client`.
"""

import json
from collections.abc import Sequence
from functools import partial
from math import isfinite
from types import TracebackType
from typing import TYPE_CHECKING, Self

from groundwire.embedding.protocol import EmbeddingError
from groundwire.errors import LLMError, LLMFailureCode
from groundwire.onnx_models.runtime import encodable
from groundwire.openai_client import Connection, OpenAIClient, check_model, require_packages
from groundwire.thresholds import EMBEDDER_TIMEOUT_S, MAX_RETRIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.settings import EmbedderSettings

__all__ = ["ServerEmbedder"]

# 32 vectors of 4,096 values are shorter than the longest response that the client reads.
_TEXTS_PER_REQUEST = 32


class ServerEmbedder:
    """
    An embedder behind a server's `/embeddings`. Safe to share between threads and event loops.

    Similarities of different models have different scales: choose the threshold for the model. Close the embedder, or
    use it in a `with` statement.

    Args:
        model: The embedding model.
        base_url: The server's address up to `/embeddings`; None for `OPENAI_BASE_URL`, else OpenAI's.
        api_key: The key; None for `OPENAI_API_KEY`. Most self-hosted servers need none.
        timeout_s: The timeout of one call of `encode`, in seconds, with all its requests and retries.
        max_retries: The maximum number of retries of each request after 429, 5xx or a broken connection.

    Raises:
        ImportError: The extra `judge`, which has the client, is not installed.
        TypeError, ValueError: The model is not a str, or an argument is out of its range.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = EMBEDDER_TIMEOUT_S,
        max_retries: int = MAX_RETRIES,
    ) -> None:
        require_packages("a server's embedder")
        check_model(model)
        self.name = self.model = model
        self._client = OpenAIClient(
            "embedder", base_url=base_url, api_key=api_key, timeout_s=timeout_s, max_retries=max_retries
        )

    @classmethod
    def from_settings(cls, settings: "EmbedderSettings | None" = None) -> Self:
        """
        Return the embedder that the environment configures (`groundwire.settings.EmbedderSettings`).

        Raises:
            ValueError: No model is set; or as the class.
        """
        from groundwire.settings import EmbedderSettings

        chosen = EmbedderSettings() if settings is None else settings
        if chosen.embedder_model is None:
            raise ValueError("no model: set QUANTITATIVE_EMBEDDER_MODEL")
        return cls(
            chosen.embedder_model,
            base_url=chosen.embedder_base_url,
            api_key=None if chosen.embedder_api_key is None else chosen.embedder_api_key.get_secret_value(),
            timeout_s=chosen.embedder_timeout_s,
            max_retries=chosen.embedder_max_retries,
        )

    def encode(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """
        Return one vector for each text, shape (len(texts), dimensions).

        Raises:
            EmbeddingError: The server fails or times out.
            RuntimeError: The embedder is closed.
        """
        import numpy as np

        given = list(map(encodable, texts))
        try:
            rows = self._client.run(partial(self._embed, given))
            # Another model may have answered a later request.
            is_even = len({len(row) for row in rows}) <= 1
            code = None if is_even else LLMFailureCode.BAD_RESPONSE
        except LLMError as failure:
            code = failure.code
        if code is not None:
            # Raised here, the new exception has no context.
            raise EmbeddingError(str(code))
        return np.array(rows, dtype=np.float32).reshape(len(given), -1 if given else 0)

    async def _embed(self, texts: Sequence[str], connection: Connection) -> list[list[float]]:
        async with connection.turns:
            return await connection.within_deadline(self._embed_all(texts, connection))

    async def _embed_all(self, texts: Sequence[str], connection: Connection) -> list[list[float]]:
        rows: list[list[float]] = []
        for start in range(0, len(texts), _TEXTS_PER_REQUEST):
            part = texts[start : start + _TEXTS_PER_REQUEST]
            rows += _read(await connection.embed(self.model, part), len(part))
        return rows

    def close(self) -> None:
        """Close the connections and end the thread."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read(content: bytes, count: int) -> list[list[float]]:
    """
    Return the vectors in a response, in the order of the texts.

    Raises:
        LLMError: BAD_RESPONSE; the response has other content.
    """
    try:
        entries = sorted(json.loads(content, parse_int=float)["data"], key=lambda entry: entry["index"])
        rows = [entry["embedding"] for entry in entries]
        places = [entry["index"] for entry in entries]
    except (ValueError, RecursionError, TypeError, KeyError):
        rows, places = [], []
    is_complete = places == list(range(count)) and all(_is_vector(row) for row in rows)
    if not is_complete or len({len(row) for row in rows}) != 1:
        raise LLMError(LLMFailureCode.BAD_RESPONSE)
    return rows


def _is_vector(row: object) -> bool:
    return isinstance(row, list) and bool(row) and all(isinstance(value, float) and isfinite(value) for value in row)

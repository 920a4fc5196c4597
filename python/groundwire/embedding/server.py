"""
Texts as vectors, from a server that speaks OpenAI's protocol.

Connections, deadlines and retries are the judge's: one loop in a thread of its own
serves callers in any thread, and ends a request whatever it waits for.
"""

import json
from collections.abc import Sequence
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from groundwire.embedding.failures import EmbeddingError
from groundwire.judge.client import ChatClient
from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.options import check_request_options
from groundwire.judge.retries import Deadline, Timing, with_retries
from groundwire.judge.server import server_address, server_key
from groundwire.judge.worker import Running, Worker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from groundwire.settings import EmbedderSettings

__all__ = ["ServerEmbedder"]

# 32 vectors of 4,096 values are less than a client reads of a response.
_TEXTS_PER_REQUEST = 32
_OK = 200


class ServerEmbedder:
    """
    An embedder behind `/embeddings` of a server. Safe to share between threads and event loops.

    Similarities of different models are on different scales: choose the threshold for the
    model. Close it, or use it in a `with`.

    Args:
        model: The model that embeds.
        base_url: The server's address up to `/embeddings`; None for `OPENAI_BASE_URL`, else
            OpenAI's.
        api_key: None for `OPENAI_API_KEY`. Servers of one's own mostly need none.
        timeout_s: For one call of `encode`, with all that is sent again.
        max_retries: How often each request is sent again after 429, 5xx or a broken connection.
        timing: The time, for tests.

    Raises:
        ImportError: The extra `judge`, which has the client, is not installed.
        TypeError, ValueError: The model is no str, or an argument out of its range.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        max_retries: int = 3,
        timing: Timing | None = None,
    ) -> None:
        _require_packages()
        check_request_options(model=model, timeout_s=timeout_s, max_retries=max_retries)
        self.name = self.model = model
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._timing = timing or Timing()
        address = server_address(base_url)
        key = server_key(api_key, address)
        # A partial would show the key in its repr.
        self._worker = Worker(concurrency=1, connect=lambda: ChatClient(address, key))

    @classmethod
    def from_settings(cls, settings: "EmbedderSettings | None" = None) -> Self:
        """
        Return the embedder that the environment describes (`groundwire.settings.EmbedderSettings`).

        Raises:
            ValueError: It names no model; and as the class.
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
            EmbeddingError: The server fails, or the time is over.
            RuntimeError: The embedder is closed.
        """
        import numpy as np

        given = list(texts)
        try:
            rows = self._worker.run(partial(self._embed, given))
            # Of two requests, the second may be answered by another model.
            is_even = len({len(row) for row in rows}) <= 1
            code = None if is_even else str(FailureCode.BAD_RESPONSE)
        except JudgeError as failure:
            code = str(failure.code)
        if code is not None:
            # Out here the new exception has no context.
            raise EmbeddingError(code)
        return np.array(rows, dtype=np.float32).reshape(len(given), -1 if given else 0)

    async def _embed(self, texts: Sequence[str], running: Running) -> list[list[float]]:
        """The vectors of all requests, one after the other, within one deadline."""
        from asyncio import timeout

        deadline = Deadline(self._timing, self._timing.clock() + self._timeout_s)
        rows: list[list[float]] = []
        is_late = False
        try:
            # The deadline's clock is looked at between requests; this one ends a request that hangs.
            async with timeout(self._timeout_s):
                for start in range(0, len(texts), _TEXTS_PER_REQUEST):
                    part = texts[start : start + _TEXTS_PER_REQUEST]
                    rows += await with_retries(
                        partial(self._request, running.client, part), max_retries=self._max_retries, deadline=deadline
                    )
        except TimeoutError:
            is_late = True
        if is_late:
            raise JudgeError(FailureCode.TIMEOUT)
        return rows

    async def _request(self, client: ChatClient, texts: Sequence[str], timeout_s: float) -> list[list[float]]:
        body = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        status, content = await client.post("/embeddings", body, timeout_s=timeout_s)
        return _read(status, content, len(texts))

    def close(self) -> None:
        """Close the connections and end the thread."""
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _read(status: int, content: bytes, count: int) -> list[list[float]]:
    """The vectors in a response, in the order of the texts; `JudgeError` if it has anything else."""
    try:
        body = json.loads(content) if status == _OK else {}
        entries = sorted(body["data"], key=lambda entry: entry["index"])
        rows = [entry["embedding"] for entry in entries]
        places = [entry["index"] for entry in entries]
    except (ValueError, RecursionError, TypeError, KeyError):
        rows, places = [], []
    is_complete = places == list(range(count)) and all(_is_vector(row) for row in rows)
    if not is_complete or len({len(row) for row in rows}) != 1:
        raise JudgeError(FailureCode.BAD_RESPONSE)
    return rows


def _is_vector(row: object) -> bool:
    return isinstance(row, list) and bool(row) and all(type(value) in (int, float) for value in row)


def _require_packages() -> None:
    try:
        import httpx2  # noqa: F401
        import openai  # noqa: F401
    except ImportError as error:
        raise ImportError(f"a server's embedder needs {error.name}: pip install 'groundwire[judge]'") from None

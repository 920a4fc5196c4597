"""What a server's response says: a completion, or why there is none."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from groundwire.judge.failures import FailureCode, JudgeError
from groundwire.judge.streams import is_stream, read_stream

__all__ = ["Completion", "failure_of_status", "read_completion"]

_OK = 200
_CODES = {
    401: FailureCode.UNAUTHORIZED,
    403: FailureCode.UNAUTHORIZED,
    404: FailureCode.NOT_FOUND,
    408: FailureCode.TIMEOUT,
    409: FailureCode.SERVER_ERROR,
    413: FailureCode.TOO_LONG,
    425: FailureCode.SERVER_ERROR,
    429: FailureCode.RATE_LIMITED,
}
# What servers write when a prompt has more tokens than their model reads, each in its own words.
_TOO_LONG = (b"context_length", b"context length", b"context size", b"context window", b"too many tokens", b"too long")
_READ_OF_ERROR_BYTES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """
    What a model wrote.

    Attributes:
        text: Its words.
        fault: Why they are nothing to go on with: REFUSED, TRUNCATED or EMPTY; else None.
        prompt_tokens: As the server counts them; None where it does not tell.
        completion_tokens: The same.
    """

    text: str
    fault: FailureCode | None
    prompt_tokens: int | None
    completion_tokens: int | None


def read_completion(status: int, content: bytes) -> Completion:
    """
    Return the completion in a response that is no error, whole or as a stream of events.

    Raises:
        JudgeError: BAD_RESPONSE; there is none. Of a stream also SERVER_ERROR and UNREACHABLE.
    """
    read = read_stream if is_stream(content) else json.loads
    try:
        body = read(content) if status == _OK else None
    except (ValueError, RecursionError):
        body = None
    choice = _first(_member(body, "choices"))
    message = _member(choice, "message")
    if not isinstance(message, dict):
        raise JudgeError(FailureCode.BAD_RESPONSE)
    text = message.get("content")
    usage = _member(body, "usage")
    return Completion(
        text=text if isinstance(text, str) else "",
        fault=_fault(message, _member(choice, "finish_reason")),
        prompt_tokens=_count(_member(usage, "prompt_tokens")),
        completion_tokens=_count(_member(usage, "completion_tokens")),
    )


def _fault(message: dict[str, object], finish_reason: object) -> FailureCode | None:
    if message.get("refusal") or finish_reason == "content_filter":
        return FailureCode.REFUSED
    if finish_reason == "length":
        return FailureCode.TRUNCATED
    text = message.get("content")
    return None if isinstance(text, str) and text.strip() else FailureCode.EMPTY


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def failure_of_status(status: int, headers: Mapping[str, str], content: bytes) -> JudgeError:
    """Return what an error of HTTP means."""
    code = _CODES.get(status)
    if code is None and status >= 500:
        code = FailureCode.SERVER_ERROR
    elif code is None and status < 400:
        code = FailureCode.BAD_RESPONSE
    elif code is None:
        said = content[:_READ_OF_ERROR_BYTES].lower()
        code = FailureCode.TOO_LONG if any(words in said for words in _TOO_LONG) else FailureCode.REJECTED
    return JudgeError(code, retry_after_s=_retry_after_s(headers))


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait; it writes a number, or a date."""
    for name, unit_s in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            wait_s = float(headers.get(name, "")) * unit_s
        except ValueError:
            continue
        if 0 <= wait_s < float("inf"):
            return wait_s
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None

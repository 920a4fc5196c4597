"""
A completion that came in pieces, put together.

A judgement is of use only as a whole, so a stream is read to its end like any response. It is
worth asking for where something between here and the server breaks off what is silent for long.
Source: WHATWG HTML, "Server-sent events", of which such servers use the field `data` alone.
"""

import json
import re

from groundwire.judge.failures import FailureCode, JudgeError

__all__ = ["is_stream", "read_stream"]

_BEGINNINGS = (b"data:", b"event:", b"id:", b"retry:", b":")
_LINE_END = re.compile(rb"\r\n|\n|\r")
_END = b"[DONE]"


def is_stream(content: bytes) -> bool:
    """Tell whether *content* is a stream of events; no JSON begins like one."""
    return content[:64].lstrip().startswith(_BEGINNINGS)


def read_stream(content: bytes) -> dict[str, object]:
    """
    Return the body of the completion that *content* tells piece by piece, as one that came at once.

    Raises:
        ValueError, RecursionError: An event is no JSON.
        JudgeError: SERVER_ERROR, the server failed on the way; UNREACHABLE, it was broken off.
    """
    texts: list[str] = []
    refusals: list[str] = []
    finish_reason: object = None
    usage: object = None
    for data in _events(content):
        if data == _END:
            break
        event = json.loads(data)
        if not isinstance(event, dict):
            raise ValueError("an event is no object")
        if event.get("error"):
            raise JudgeError(FailureCode.SERVER_ERROR)
        usage = event.get("usage") or usage
        choice = _choice(event)
        finish_reason = choice.get("finish_reason") or finish_reason
        delta = choice.get("delta")
        for name, pieces in (("content", texts), ("refusal", refusals)):
            piece = delta.get(name) if isinstance(delta, dict) else None
            if isinstance(piece, str):
                pieces.append(piece)
    else:
        if finish_reason is None:
            raise JudgeError(FailureCode.UNREACHABLE)
    message = {"content": "".join(texts), "refusal": "".join(refusals)}
    return {"choices": [{"finish_reason": finish_reason, "message": message}], "usage": usage}


def _events(content: bytes) -> "list[bytes]":
    """Return the data of each event; its lines belong together, and a blank one ends it."""
    events: list[bytes] = []
    lines: list[bytes] = []
    for line in (*_LINE_END.split(content.lstrip()), b""):
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            events.append(b"\n".join(lines).strip())
            lines = []
    return events


def _choice(event: dict[str, object]) -> dict[str, object]:
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice if isinstance(choice, dict) else {}

"""Bodies of requests: read within limits of size and time, and taken apart."""

import asyncio
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from groundwire.review.web.limits import Limits
from groundwire.review.web.problems import Problem

__all__ = ["CHOICE_MAX", "check_size", "read_body", "read_choice", "read_form"]

_FIELDS_MAX = 20
_LENGTH_DIGITS_MAX = 20

CHOICE_MAX = 100
"""How many claims can be decided about at once."""


async def read_body(request: Request, limits: Limits) -> bytes:
    """
    Return the body of *request*.

    Raises:
        Problem: It is larger or slower than allowed, or breaks off.
    """
    declared = request.headers.get("content-length", "0")
    if not (declared.isascii() and declared.isdigit()):
        # Not every server refuses it before.
        raise Problem(400, "bad_length", "The request does not say how long it is.")
    if len(declared) > _LENGTH_DIGITS_MAX or int(declared) > limits.body_bytes:
        raise _too_large(limits)
    parts, size = [], 0
    try:
        async with asyncio.timeout(limits.body_timeout_s):
            async for part in request.stream():
                size += len(part)
                if size > limits.body_bytes:
                    raise _too_large(limits)
                parts.append(part)
    except TimeoutError:
        raise Problem(408, "too_slow", "The request took too long to arrive.") from None
    except ClientDisconnect:
        raise Problem(400, "broken_off", "The request breaks off.") from None
    return b"".join(parts)


def check_size(content: str | None, limits: Limits) -> None:
    """
    Check the size of a claim's text.

    Raises:
        Problem: It is larger than allowed.
    """
    size = 0 if content is None else len(content.encode("utf-8", "surrogatepass"))
    if size > limits.content_bytes:
        words = f"The text has {size:,} bytes; {limits.content_bytes:,} are allowed."
        raise Problem(422, "invalid", words, field="content")


async def read_form(request: Request, limits: Limits) -> Mapping[str, str]:
    """
    Return the fields of a form, each once.

    Raises:
        Problem: As `read_body`, or it is no form as our pages send them.
    """
    return _fields(await _pairs(request, limits, _FIELDS_MAX))


async def read_choice(request: Request, limits: Limits, name: str) -> tuple[Mapping[str, str], list[str]]:
    """Return the fields of a form, as `read_form`, and apart from them all values of *name*, at most `CHOICE_MAX`."""
    pairs = await _pairs(request, limits, _FIELDS_MAX + CHOICE_MAX)
    chosen = [value for field, value in pairs if field == name]
    if len(chosen) > CHOICE_MAX:
        raise _not_read()
    return _fields([pair for pair in pairs if pair[0] != name]), chosen


async def _pairs(request: Request, limits: Limits, most: int) -> list[tuple[str, str]]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Problem(415, "not_a_form", "The page's own forms are the only ones that are taken here.")
    body = await read_body(request, limits)
    try:
        # In a thread: a body full of escapes takes tens of milliseconds.
        return await asyncio.to_thread(
            parse_qsl,
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=most,
        )
    except ValueError:
        raise _not_read() from None


def _fields(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _not_read()
    return fields


def _not_read() -> Problem:
    return Problem(400, "bad_form", "The form cannot be read.")


def _too_large(limits: Limits) -> Problem:
    return Problem(413, "too_large", f"The request is larger than {limits.body_bytes:,} bytes.")

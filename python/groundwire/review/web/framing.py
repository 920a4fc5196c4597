"""Which bytes are one request: heads that a proxy and this server could read in two ways are refused."""

import re
from collections.abc import Sequence
from typing import Any

import h11

__all__ = ["HEAD_BYTES_MAX", "StrictConnection"]

HEAD_BYTES_MAX = 16 * 1024
"""The largest head of a request: request line and fields."""

_FIELDS_MAX = 100
_HEAD_END = re.compile(rb"\n\r?\n")
_BARE = re.compile(rb"\r(?!\n)|(?<!\r)\n")
_REQUEST_LINE = re.compile(rb"[A-Za-z-]+ /[!-\"$-~]* HTTP/1\.[01]")
_FIELD_NAME = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LENGTH = re.compile(rb"[0-9]{1,19}")


class StrictConnection(h11.Connection):
    """
    A connection of h11 that takes no head with two readings.

    h11 follows RFC 9112 where it lets a server be lenient: it takes bare line feeds, folded
    lines, repeated lengths, and a length beside a transfer coding. A proxy that reads one of
    these in another way sees other requests than the server behind it. Chunked bodies are
    refused as well (RFC 9112, 6.1): the bodies that the page takes have a length.
    """

    refusal: tuple[int, str] = (400, "The request is not valid HTTP.")
    """Status and words for the request that was refused."""

    def next_event(self) -> Any:
        """
        Return the next event as h11 does.

        Raises:
            RemoteProtocolError: The request is refused; `refusal` says why.
        """
        if self.their_state is h11.IDLE:
            received = self.trailing_data[0]
            end = _HEAD_END.search(received)
            if (len(received) if end is None else end.end()) > HEAD_BYTES_MAX:
                self._refuse(431, f"The head of the request is larger than {HEAD_BYTES_MAX:,} bytes.")
            if end is not None:
                self._check_head(received[: end.end()])
        return super().next_event()

    def _check_head(self, head: bytes) -> None:
        if _BARE.search(head):
            self._refuse(400, "Each line of the head has to end with CR LF.")
        request_line, *fields = head[:-4].split(b"\r\n")
        if not _REQUEST_LINE.fullmatch(request_line):
            self._refuse(400, "The request line has to be METHOD /PATH HTTP/1.1.")
        if len(fields) > _FIELDS_MAX:
            self._refuse(431, f"The request has more than {_FIELDS_MAX} header fields.")
        self._check_fields([field.partition(b":") for field in fields], is_1_0=request_line.endswith(b"0"))

    def _check_fields(self, fields: Sequence[tuple[bytes, bytes, bytes]], *, is_1_0: bool) -> None:
        if not all(_FIELD_NAME.fullmatch(name) and colon for name, colon, _ in fields):
            self._refuse(400, "A header field has to be NAME: VALUE on one line.")
        named: dict[bytes, list[bytes]] = {}
        for name, _, value in fields:
            named.setdefault(name.lower(), []).append(value.strip(b" \t"))
        lengths = named.get(b"content-length", [])
        if b"transfer-encoding" in named:
            words = "The body has to come with Content-Length, without Transfer-Encoding."
            self._refuse(400 if lengths else 411, words)
        if len(lengths) > 1 or not all(_LENGTH.fullmatch(length) for length in lengths):
            self._refuse(400, "Content-Length has to be one number.")
        hosts = named.get(b"host", [])
        if len(hosts) > 1 or (not hosts and not is_1_0):
            self._refuse(400, "Host has to be there once.")

    def _refuse(self, status: int, words: str) -> None:
        self.refusal = (status, words)
        raise h11.RemoteProtocolError(words, error_status_hint=status)

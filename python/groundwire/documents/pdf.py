"""Text and boxes of PDFs, from a process that reads them within limits of time and memory."""

import atexit
import os
import struct
import subprocess
import sys
import threading
import time
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING

from groundwire.errors import DocumentError

if TYPE_CHECKING:
    from groundwire.documents.pdf_child import Answer, PdfText, Request

__all__ = ["PAGE_TIMEOUT_S", "PdfProcess", "ask", "pdf_error", "read_boxes", "read_pdf"]

PAGE_TIMEOUT_S = 30.0
"""A page that takes longer ends the reading of its file."""

FILE_TIMEOUT_S = 600.0
"""A file that takes longer is not read."""

MEMORY_BYTES = 2 << 30
"""The most memory of the process, in which a file and its text are several times."""

_MAX_ANSWER_BYTES = 1 << 30
_PIECE_BYTES = 1 << 20

_FAILURES = {
    "encrypted": ("an encrypted PDF, which needs a password", "save a copy without a password first"),
    "damaged": ("a damaged PDF", "a PDF reader may be able to save a repaired copy"),
    "too_many_pages": ("a PDF of more pages than are read", "split it first"),
    "too_much_text": ("a PDF of more text than is read", "split it first"),
    "too_much_memory": ("a PDF that needs more memory than is allowed", "split it first"),
    "protected": ("an encrypted PDF, to which notes cannot be added", "save a copy without encryption first"),
    "not_annotated": ("a PDF to which notes cannot be added", "a PDF reader may be able to save a repaired copy"),
    "timeout": ("a PDF that takes too long to read", "print it to a new PDF first"),
    "crashed": ("a PDF that ends the process that reads it", "print it to a new PDF first"),
}


def pdf_error(code: str, name: str | None) -> DocumentError:
    """Return the error for a code of the process."""
    reason, hint = _FAILURES.get(code, _FAILURES["damaged"])
    return DocumentError(name, code, reason, hint)


class _DeadError(Exception):
    """The process ended or was ended; the message is the code of the failure."""


class PdfProcess:
    """
    One process for a batch of files, started with the first one. Threads wait for each other.

    A file that ends it, or takes too long, costs this process; the next file gets a new one.
    """

    def __init__(
        self,
        *,
        page_timeout_s: float = PAGE_TIMEOUT_S,
        timeout_s: float = FILE_TIMEOUT_S,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self._page_timeout_s = page_timeout_s
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def ask(self, request: "Request", name: str | None) -> "Answer":
        """
        Return the answer to *request*.

        Raises:
            DocumentError: The PDF cannot be read. Names *name*.
        """
        import msgspec
        import pypdfium2  # noqa: F401 - its absence is the caller's to know, not that of the process

        from groundwire.documents.pdf_child import Answer, PdfFailure, Progress

        decoder: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
        with self._lock:
            try:
                with _Exchange(self._started(), self._page_timeout_s, self._timeout_s) as exchange:
                    exchange.send(msgspec.msgpack.encode(request))
                    while isinstance(answer := decoder.decode(exchange.receive()), Progress):
                        pass
            except (_DeadError, msgspec.MsgspecError) as error:
                self._end()
                raise pdf_error(str(error) if isinstance(error, _DeadError) else "crashed", name) from None
            except BaseException:
                # Half an answer is left in the pipe.
                self._end()
                raise
        if isinstance(answer, PdfFailure):
            if answer.code == "too_much_memory":
                self.close()
            raise pdf_error(answer.code, name)
        return answer

    def close(self) -> None:
        """End the process. The next request starts another one."""
        with self._lock:
            self._end()

    def _started(self) -> "subprocess.Popen[bytes]":
        # After a fork the process belongs to the parent.
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            paths = os.pathsep.join(path for path in sys.path if path)
            code = f"from groundwire.documents.pdf_child import main; main({self._memory_bytes})"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
                bufsize=0,
            )
            self._owner = os.getpid()
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()


class _Exchange:
    """One request and its answers, with two deadlines: for the next answer, and for all."""

    def __init__(self, process: "subprocess.Popen[bytes]", page_timeout_s: float, timeout_s: float) -> None:
        self._process = process
        self._page_timeout_s = page_timeout_s
        self._end_s = time.monotonic() + timeout_s
        self._deadline_s = 0.0
        self._is_over = threading.Event()
        self._is_late = False
        self._extend()
        # Pipes have no timeouts on Windows, so a thread ends the process that is late.
        self._watch = threading.Thread(target=self._end_when_late, daemon=True)

    def __enter__(self) -> "_Exchange":
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._watch.join()

    def send(self, content: bytes) -> None:
        """Send a request."""
        stream = self._process.stdin
        assert stream is not None
        try:
            for piece in (struct.pack("<Q", len(content)), content):
                view = memoryview(piece)
                while view:
                    view = view[stream.write(view) or 0 :]
        except OSError:
            raise self._failure() from None

    def receive(self) -> bytes:
        """Return the next answer."""
        (length,) = struct.unpack("<Q", self._read(8))
        if length > _MAX_ANSWER_BYTES:
            raise _DeadError("too_much_text")
        answer = self._read(length)
        self._extend()
        return answer

    def _read(self, length: int) -> bytes:
        stream = self._process.stdout
        assert stream is not None
        found = bytearray()
        while len(found) < length:
            piece = stream.read(min(length - len(found), _PIECE_BYTES))
            if not piece:
                raise self._failure()
            found += piece
        return bytes(found)

    def _failure(self) -> _DeadError:
        return _DeadError("timeout" if self._is_late else "crashed")

    def _extend(self) -> None:
        self._deadline_s = min(self._end_s, time.monotonic() + self._page_timeout_s)

    def _end_when_late(self) -> None:
        while not self._is_over.wait(max(0.0, self._deadline_s - time.monotonic())):
            if time.monotonic() >= self._deadline_s:
                self._is_late = True
                self._process.kill()
                return


_shared = PdfProcess()
atexit.register(_shared.close)


def ask(request: "Request", name: str | None) -> "Answer":
    """Return the answer of the process that all callers share, see `PdfProcess.ask`."""
    return _shared.ask(request, name)


def read_pdf(content: bytes, name: str | None) -> "PdfText":
    """
    Return the text of a PDF with its pages and the places of its characters.

    Raises:
        DocumentError: It is encrypted, damaged, or larger than the limits.
    """
    from groundwire.documents.pdf_child import PdfText, ReadRequest

    answer = ask(ReadRequest(content), name)
    if not isinstance(answer, PdfText) or not _fits(answer):
        raise pdf_error("crashed", name)
    return answer


def _fits(answer: "PdfText") -> bool:
    """Whether an answer is consistent: a file may have taken over the process."""
    length = len(answer.text)
    spans = [*answer.pages, *(part[:2] for part in answer.parts)]
    runs = {len(each) for each in (answer.run_starts, answer.run_pages, answer.run_chars, answer.run_lengths)}
    return (
        all(0 <= start <= end <= length for start, end in spans)
        and len(answer.pages) == len(answer.sizes) == len(answer.readable)
        and len(runs) == 1
        and runs.pop() % array("I").itemsize == 0
        and all(0 <= part[2] < len(answer.pages) for part in answer.parts)
    )


def read_boxes(
    content: bytes, runs: list[tuple[int, int, int]], name: str | None
) -> list[tuple[int, float, float, float, float]]:
    """
    Return the boxes around runs of characters, in the coordinates of their pages.

    Args:
        content: The PDF.
        runs: Page index, index of the first character on the page, number of characters.
        name: What errors call the PDF.

    Raises:
        DocumentError: The PDF cannot be read.
    """
    from groundwire.documents.pdf_child import BoxesRequest, PdfBoxes

    answer = ask(BoxesRequest(content, runs), name)
    if not isinstance(answer, PdfBoxes):
        raise pdf_error("crashed", name)
    return answer.boxes

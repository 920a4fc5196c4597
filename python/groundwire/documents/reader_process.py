"""
Reads documents in a process with limits of time and memory.

A hostile or damaged file may keep its parser busy forever, fill the memory, or crash the process. So files are read by
a separate process, `groundwire.documents.reader_child`. If a file ends it, the next file gets a new one.
"""

import atexit
import os
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from groundwire.errors import DocumentError

if TYPE_CHECKING:
    from groundwire.documents.parts import PartsFormat
    from groundwire.documents.reader_child import Answer, PartsText, Request

__all__ = ["ProcessError", "ReaderProcess", "ask", "read_parts"]

STEP_TIMEOUT_S = 30.0
"""Maximum time for a page of a PDF, in seconds."""

PDF_TIMEOUT_S = 600.0
"""Maximum time for a PDF, in seconds."""

PARTS_TIMEOUT_S = 120.0
"""Maximum time for a file of another format, in seconds."""

MEMORY_BYTES = 2 << 30
"""Maximum memory of the process, which holds several copies of a file and its text."""

_MAX_ANSWER_BYTES = 1 << 30
_PIECE_BYTES = 1 << 20


class ProcessError(Exception):
    """Reports that the process ended without an answer; the message is the code of the failure."""


class ReaderProcess:
    """
    Holds one process for many files, started with the first one. Threads wait for each other.

    If a file ends the process or takes too long, the next file gets a new one.
    """

    def __init__(
        self,
        *,
        step_timeout_s: float = STEP_TIMEOUT_S,
        pdf_timeout_s: float = PDF_TIMEOUT_S,
        parts_timeout_s: float = PARTS_TIMEOUT_S,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self._pdf_timeouts_s = step_timeout_s, pdf_timeout_s
        self._parts_timeouts_s = parts_timeout_s, parts_timeout_s
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def ask(self, request: "Request") -> "Answer":
        """
        Return the answer to *request*.

        Raises:
            ProcessError: The process took too long, or ended. Its message is "timeout", "crashed", "too_much_text" or
                "too_much_memory".
        """
        import msgspec

        from groundwire.documents.pdf_child import PdfFailure, Progress
        from groundwire.documents.reader_child import Answer, PartsRequest

        decoder: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)
        timeouts_s = self._parts_timeouts_s if isinstance(request, PartsRequest) else self._pdf_timeouts_s
        with self._lock:
            try:
                with _Exchange(self._started(), *timeouts_s) as exchange:
                    exchange.send(msgspec.msgpack.encode(request))
                    while isinstance(answer := decoder.decode(exchange.receive()), Progress):
                        pass
            except msgspec.MsgspecError:
                self._end()
                raise ProcessError("crashed") from None
            except BaseException:
                # Half an answer is left in the pipe.
                self._end()
                raise
            if isinstance(answer, PdfFailure) and answer.code == "too_much_memory":
                self._end()
        return answer

    def close(self) -> None:
        """End the process. The next request starts another one."""
        with self._lock:
            self._end()

    def _started(self) -> "subprocess.Popen[bytes]":
        # After a fork, the process belongs to the parent.
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            paths = os.pathsep.join(path for path in sys.path if path)
            code = f"from groundwire.documents.reader_child import main; main({self._memory_bytes})"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Without the last one, glibc reserves address space for a thread, which the limit of memory counts.
                env={**os.environ, "PYTHONPATH": paths, "MALLOC_ARENA_MAX": "1"},
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
    """Exchanges one request and its answers, with two deadlines: for the next answer, and for all."""

    def __init__(self, process: "subprocess.Popen[bytes]", step_timeout_s: float, timeout_s: float) -> None:
        self._process = process
        self._step_timeout_s = step_timeout_s
        self._end_s = time.monotonic() + timeout_s
        self._deadline_s = 0.0
        self._is_over = threading.Event()
        self._is_late = False
        self._extend()
        # Pipes have no timeouts on Windows, so a thread ends a process that is late.
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
            raise ProcessError("too_much_text")
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

    def _failure(self) -> ProcessError:
        return ProcessError("timeout" if self._is_late else "crashed")

    def _extend(self) -> None:
        self._deadline_s = min(self._end_s, time.monotonic() + self._step_timeout_s)

    def _end_when_late(self) -> None:
        while not self._is_over.wait(max(0.0, self._deadline_s - time.monotonic())):
            if time.monotonic() >= self._deadline_s:
                self._is_late = True
                self._process.kill()
                return


_shared = ReaderProcess()
atexit.register(_shared.close)


def ask(request: "Request") -> "Answer":
    """Return the answer of the process that all callers share; see `ReaderProcess.ask`."""
    return _shared.ask(request)


_WORDS: "dict[PartsFormat, str]" = {
    "docx": "a Word document",
    "html": "a web page",
    "epub": "an EPUB book",
    "xlsx": "an Excel workbook",
}
_FAILURES = {
    "timeout": ("that takes too long to read", "split it, or save it in another format"),
    "crashed": ("that crashes the reading process", "open it and save it again"),
    "too_much_text": ("with more text than the limit", "split it first"),
    "too_much_memory": ("that needs more memory than is allowed", "split it first"),
}


def read_parts(
    source_format: "PartsFormat",
    content: bytes,
    name: str | None,
    *,
    boilerplate: bool,
    process: ReaderProcess = _shared,
) -> "PartsText":
    """
    Return the text of a file other than a PDF, with its parts.

    Args:
        source_format: Format of the file.
        content: The file.
        name: Name of the file in errors.
        boilerplate: Whether to keep menus, headers, footers and asides of web pages.
        process: The process that reads it.

    Raises:
        DocumentError: It is damaged, larger than the limits, or takes too long.
    """
    from groundwire.documents.reader_child import PartsRefusal, PartsRequest, PartsText

    try:
        answer = process.ask(PartsRequest(source_format, content, boilerplate))
    except ProcessError as error:
        answer = None
        code = str(error)
    else:
        code = getattr(answer, "code", "crashed")
    # A file may have taken over the process.
    if isinstance(answer, PartsText) and all(0 <= part[0] <= part[1] <= len(answer.text) for part in answer.parts):
        return answer
    if isinstance(answer, PartsRefusal):
        raise DocumentError(name, answer.code, answer.reason, answer.hint)
    words, hint = _FAILURES.get(code, _FAILURES["crashed"])
    raise DocumentError(name, code, f"{_WORDS[source_format]} {words}", hint)

"""
Runs the process that reads documents; `groundwire.documents.reader_process` starts it and sends requests.

The process has limits, and shares no data with its caller. It answers requests on standard input, one by one.
"""

import gc
import struct
import sys
from collections.abc import Callable
from typing import BinaryIO

import msgspec

from groundwire.documents.document import PartKind
from groundwire.documents.parts import PartsBuilder, PartsFormat, not_installed
from groundwire.documents.pdf_child import Answer as PdfAnswer
from groundwire.documents.pdf_child import PdfFailure, Progress, answer_pdf
from groundwire.documents.pdf_child import Request as PdfRequest
from groundwire.documents.process_limits import end_with_parent, limit_process
from groundwire.errors import DocumentError

__all__ = ["Answer", "PartsRefusal", "PartsRequest", "PartsText", "Request", "main"]


class PartsRequest(msgspec.Struct, tag="parts", frozen=True):
    """Asks for the text and parts of a file other than a PDF."""

    source_format: PartsFormat
    content: bytes
    boilerplate: bool


class PartsText(msgspec.Struct, tag="parts_text", frozen=True):
    """Holds a text, and the start, end, kind and path of each part."""

    text: str
    parts: list[tuple[int, int, PartKind, str]]


class PartsRefusal(msgspec.Struct, tag="refusal", frozen=True):
    """Holds the reason why a file cannot be read, with the fields of `DocumentError`."""

    code: str
    reason: str
    hint: str | None


Request = PdfRequest | PartsRequest
Answer = PdfAnswer | PartsText | PartsRefusal


def main(memory_bytes: int) -> None:
    """Answer requests until standard input ends."""
    limit_process(memory_bytes)
    end_with_parent()
    # Reading creates many objects but no cycles; a search for cycles would take a tenth of the time.
    gc.disable()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer

    def send(answer: Answer) -> None:
        content = msgspec.msgpack.encode(answer)
        answers.write(struct.pack("<Q", len(content)) + content)
        answers.flush()

    decoder = msgspec.msgpack.Decoder(Request)
    while (content := _frame(requests)) is not None:
        request = decoder.decode(content)
        try:
            if isinstance(request, PartsRequest):
                send(_read_parts(request))
            else:
                send(answer_pdf(request, lambda: send(Progress())))
        except MemoryError:
            send(PdfFailure("too_much_memory"))
        gc.collect()


def _frame(stream: BinaryIO) -> bytes | None:
    head = stream.read(8)
    if len(head) < 8:
        return None
    (length,) = struct.unpack("<Q", head)
    return stream.read(length)


def _read_parts(request: PartsRequest) -> PartsText | PartsRefusal:
    try:
        built = _READERS[request.source_format](request)
    except DocumentError as error:
        failure = error
    except ModuleNotFoundError as error:
        failure = not_installed(None, error)
    else:
        return PartsText(built.text, [(part.start, part.end, part.kind, part.path) for part in built.parts])
    return PartsRefusal(failure.code, failure.reason, failure.hint)


def _read_docx(request: PartsRequest) -> PartsBuilder:
    from groundwire.documents.word import read_docx

    return read_docx(request.content, None)


def _read_html(request: PartsRequest) -> PartsBuilder:
    from groundwire.documents.web import read_html

    return read_html(request.content, None, boilerplate=request.boilerplate)


def _read_epub(request: PartsRequest) -> PartsBuilder:
    from groundwire.documents.web import read_epub

    return read_epub(request.content, None, boilerplate=request.boilerplate)


def _read_xlsx(request: PartsRequest) -> PartsBuilder:
    from groundwire.documents.sheets import read_xlsx

    return read_xlsx(request.content, None)


_READERS: dict[PartsFormat, Callable[[PartsRequest], PartsBuilder]] = {
    "docx": _read_docx,
    "html": _read_html,
    "epub": _read_epub,
    "xlsx": _read_xlsx,
}

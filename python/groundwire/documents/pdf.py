"""Asks the reading process for text and boxes of PDFs."""

from array import array
from typing import TYPE_CHECKING

from groundwire.documents.document import PartKind
from groundwire.documents.reader_process import ProcessError, ReaderProcess
from groundwire.documents.reader_process import ask as ask_shared
from groundwire.errors import DocumentError

if TYPE_CHECKING:
    from groundwire.documents.pdf_child import Answer, PdfText, Request

__all__ = ["ask", "pdf_error", "read_boxes", "read_pdf"]

_KINDS = frozenset(PartKind)
_FAILURES = {
    "encrypted": ("an encrypted PDF, which needs a password", "save a copy without a password first"),
    "damaged": ("a damaged PDF", "a PDF reader may be able to save a repaired copy"),
    "too_many_pages": ("a PDF with more pages than the limit", "split it first"),
    "too_much_text": ("a PDF with more text than the limit", "split it first"),
    "too_much_memory": ("a PDF that needs more memory than is allowed", "split it first"),
    "protected": ("an encrypted PDF, to which notes cannot be added", "save a copy without encryption first"),
    "not_annotated": ("a PDF to which notes cannot be added", "a PDF reader may be able to save a repaired copy"),
    "timeout": ("a PDF that takes too long to read", "print it to a new PDF first"),
    "crashed": ("a PDF that crashes the reading process", "print it to a new PDF first"),
}


def pdf_error(code: str, name: str | None) -> DocumentError:
    """Return the error for a failure code of the reading process."""
    reason, hint = _FAILURES.get(code, _FAILURES["damaged"])
    return DocumentError(name, code, reason, hint)


def ask(request: "Request", name: str | None, *, process: ReaderProcess | None = None) -> "Answer":
    """
    Return the answer of *process* to a request about a PDF; by default, of the process that all callers share.

    Raises:
        DocumentError: The PDF cannot be read. The error has *name*.
    """
    import pypdfium2  # noqa: F401 - raises an ImportError here, and not in the reading process

    from groundwire.documents.pdf_child import PdfFailure
    from groundwire.documents.reader_child import PartsRefusal, PartsText

    try:
        answer = ask_shared(request) if process is None else process.ask(request)
    except ProcessError as error:
        raise pdf_error(str(error), name) from None
    if isinstance(answer, PdfFailure):
        raise pdf_error(answer.code, name)
    if isinstance(answer, PartsText | PartsRefusal):
        raise pdf_error("crashed", name)
    return answer


def read_pdf(content: bytes, name: str | None) -> "PdfText":
    """
    Return the text of a PDF with its pages and the positions of its characters.

    Raises:
        DocumentError: It is encrypted, damaged, or larger than the limits.
    """
    from groundwire.documents.pdf_child import PdfText, ReadRequest

    answer = ask(ReadRequest(content), name)
    if not isinstance(answer, PdfText) or not _fits(answer):
        raise pdf_error("crashed", name)
    return answer


def _fits(answer: "PdfText") -> bool:
    """Tell whether an answer is consistent, because a file may have taken over the process."""
    length = len(answer.text)
    spans = [*answer.pages, *(part[:2] for part in answer.parts)]
    runs = {len(each) for each in (answer.run_starts, answer.run_pages, answer.run_chars, answer.run_lengths)}
    return (
        all(0 <= start <= end <= length for start, end in spans)
        and len(answer.pages) == len(answer.sizes) == len(answer.readable)
        and len(runs) == 1
        and runs.pop() == len(answer.run_joins) * array("I").itemsize
        and all(0 <= part[2] < len(answer.pages) and part[3] in _KINDS for part in answer.parts)
    )


def read_boxes(
    content: bytes, runs: list[tuple[int, int, int]], name: str | None
) -> list[tuple[int, float, float, float, float]]:
    """
    Return the boxes around runs of characters, in the coordinates of their pages.

    Args:
        content: The PDF.
        runs: Page index, index of the first character on the page, number of characters.
        name: Name of the PDF in errors.

    Raises:
        DocumentError: The PDF cannot be read.
    """
    from groundwire.documents.pdf_child import BoxesRequest, PdfBoxes

    answer = ask(BoxesRequest(content, runs), name)
    if not isinstance(answer, PdfBoxes):
        raise pdf_error("crashed", name)
    return answer.boxes

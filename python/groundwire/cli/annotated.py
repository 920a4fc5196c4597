"""Annotated copies of PDFs: a highlight with a note for each quote that `groundwire check` found."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundwire.cli.app import CommandError, warn
from groundwire.cli.inputs import STDIN, display_name
from groundwire.cli.output import check_target, write_file

if TYPE_CHECKING:
    from groundwire.documents import Document
    from groundwire.documents.pdf_pages import PassageNote
    from groundwire.report import CheckReport, QuoteResult, TranscriptFile

__all__ = ["PdfCopy", "plan_copies", "write_copies"]


class PdfCopy(NamedTuple):
    """Plans a copy: the number of the PDF among the sources, its document and name, and the file to write."""

    number: int
    document: "Document"
    name: str
    path: str


def plan_copies(target: str, texts: "Sequence[TranscriptFile]", inputs: Sequence[str]) -> list[PdfCopy]:
    """
    Return the copies of the PDFs among *texts*, after checking that they can be written.

    Args:
        target: The file for the only PDF, or an existing folder for all of them.
        texts: The transcripts of the report, in its order.
        inputs: All files that are read.

    Raises:
        CommandError: There is no PDF, or several for one file; or a copy cannot be written, would overwrite an input,
            or would have the name of another one.
    """
    is_folder = Path(target).is_dir()
    copies = [
        PdfCopy(number, each.document, each.name, str(Path(target) / Path(each.name).name) if is_folder else target)
        for number, each in enumerate(texts, start=1)
        if each.document is not None and each.document.format == "pdf"
    ]
    if not copies:
        raise CommandError("--annotate requires a PDF among the sources")
    if len(copies) > 1 and not is_folder:
        raise CommandError(
            f"--annotate `{target}` is one file for {len(copies)} PDFs", hint="give an existing folder, or one PDF"
        )
    if is_folder and any(copy.name == display_name(STDIN) for copy in copies):
        raise CommandError("--annotate needs a file, not a folder, for a PDF from standard input")
    for path, count in Counter(copy.path for copy in copies).items():
        if count > 1:
            name = Path(path).name
            raise CommandError(f"--annotate: {count} sources are called `{name}`", hint="annotate them one at a time")
        check_target(path, inputs)
    return copies


def write_copies(copies: Sequence[PdfCopy], report: "CheckReport") -> None:
    """
    Write the copies, with a highlight and a note for each quote that was found in its PDF.

    Raises:
        CommandError: One cannot be annotated or written.
    """
    from groundwire.documents.pdf_pages import annotate_pdf
    from groundwire.errors import DocumentError

    for copy in copies:
        try:
            annotated = annotate_pdf(copy.document, list(_notes(report, copy.number)))
        except DocumentError as error:
            raise CommandError(f"`{copy.name}` is {error.reason}", hint=error.hint) from None
        if annotated.is_signed:
            warn(f"`{copy.name}` is signed; readers report that the annotated copy was changed after it was signed")
        write_file(copy.path, annotated.content)


def _notes(report: "CheckReport", number: int) -> "Iterator[PassageNote]":
    """Yield a note for each quote with a place in transcript *number*."""
    from groundwire.documents.pdf_pages import PassageNote
    from groundwire.report.highlights import passage_spans
    from groundwire.report.rendering import status_colour

    for result in report.quotes:
        for place in result.places:
            if place.transcript == number:
                status = result.status if result.places[0] is place else place.kind
                yield PassageNote(
                    passage_spans(result, place), f"quote {result.number}", _text(result), status_colour(status)
                )


def _text(result: "QuoteResult") -> str:
    """Return the text of a note: the verdict, where the quote is from, and the reasons."""
    from groundwire.report.labels.check import quote_status_text

    verdict = "accepted" if result.accepted else "not accepted"
    origin = [f"{key}: {value}" for key, value in (("domain", result.domain), ("id", result.id)) if value is not None]
    return "\n".join(
        [
            f"quote {result.number}: {quote_status_text(result.status)}, {verdict}",
            *origin,
            *(reason.words for reason in result.reasons),
        ]
    )

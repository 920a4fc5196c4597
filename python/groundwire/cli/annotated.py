"""Annotated copies of PDFs: a highlight with a note for each quote that `groundwire check` found."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.app import CommandError, warn
from groundwire.cli.inputs import STDIN, display_name
from groundwire.cli.output import check_target, write_file

if TYPE_CHECKING:
    from groundwire.documents import Document
    from groundwire.documents.pdf_pages import PassageNote
    from groundwire.report import CheckReport, QuoteResult, TranscriptFile

__all__ = ["check_annotated", "write_annotated"]


def check_annotated(target: str, paths: Sequence[str], inputs: Sequence[str]) -> None:
    """
    Check, before any work, that copies can be written to *target*, a file or an existing folder.

    Args:
        target: The file or the folder.
        paths: The sources.
        inputs: All files that are read.

    Raises:
        CommandError: It cannot be written, would overwrite an input, or would take two copies of one name.
    """
    if not Path(target).is_dir():
        check_target(target, inputs)
        return
    names = Counter(Path(path).name for path in paths if Path(path).suffix.lower() == ".pdf")
    for name, count in names.items():
        if count > 1:
            raise CommandError(f"--annotate: {count} sources are called `{name}`", hint="annotate them one at a time")
        check_target(str(Path(target) / name), inputs)


def write_annotated(
    target: str, report: "CheckReport", texts: "Sequence[TranscriptFile]", inputs: Sequence[str]
) -> None:
    """
    Write a copy of each PDF among *texts*, with a highlight and a note for each quote that was found in it.

    Args:
        target: The file for the only PDF, or a folder for all of them.
        report: The report on the quotes.
        texts: The transcripts of the report, in its order.
        inputs: All files that are read.

    Raises:
        CommandError: There is no PDF, or several for one file; one cannot be annotated or written.
    """
    from groundwire.documents.pdf_pages import annotate_pdf
    from groundwire.errors import DocumentError

    is_folder = Path(target).is_dir()
    pdfs = _pdfs(texts, target, is_folder=is_folder)
    for number, document in pdfs:
        name = texts[number - 1].name
        path = str(Path(target) / Path(name).name) if is_folder else target
        check_target(path, inputs)
        try:
            copy = annotate_pdf(document, list(_notes(report, number)))
        except DocumentError as error:
            raise CommandError(f"`{name}` is {error.reason}", hint=error.hint) from None
        if copy.is_signed:
            warn(f"`{name}` is signed; readers report that the annotated copy was changed after it was signed")
        write_file(path, copy.content)


def _pdfs(texts: "Sequence[TranscriptFile]", target: str, *, is_folder: bool) -> "list[tuple[int, Document]]":
    pdfs = [
        (number, each.document)
        for number, each in enumerate(texts, start=1)
        if each.document is not None and each.document.format == "pdf"
    ]
    if not pdfs:
        raise CommandError("--annotate requires a PDF among the sources")
    if len(pdfs) > 1 and not is_folder:
        raise CommandError(
            f"--annotate `{target}` is one file for {len(pdfs)} PDFs", hint="give an existing folder, or one PDF"
        )
    if is_folder and any(texts[number - 1].name == display_name(STDIN) for number, _ in pdfs):
        raise CommandError("--annotate needs a file, not a folder, for a PDF from standard input")
    names = Counter(Path(texts[number - 1].name).name for number, _ in pdfs)
    if twice := [name for name, count in names.items() if count > 1]:
        raise CommandError(f"--annotate: {names[twice[0]]} sources are called `{twice[0]}`")
    return pdfs


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

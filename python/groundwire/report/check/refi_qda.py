"""
Writes the check report as a project of qualitative data analysis: a QDPX file of the REFI-QDA standard, version 1.5.

Such a file is a ZIP with `project.qde` (XML) and the plain texts of the sources, and programs such as ATLAS.ti, MAXQDA,
NVivo and QualCoder import it. Positions are code points of the source's text, whose lines end in LF, so that every
program counts alike.

Each place of a quote is a selection with a note that holds the verdict. An accepted quote is coded with its domain. A
quote that was found but not accepted is coded as `not accepted` only, so that a domain never has a passage that the
check rejects. A quote that was not found is a note of the project.
"""

import re
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from uuid import UUID, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from groundwire.report.check.model import CheckReport, Place, QuoteResult
from groundwire.report.labels.check import quote_status_text, settings_text, spoken_text
from groundwire.sanitize import one_line, sanitize

__all__ = ["render_qdpx"]

_NAMESPACE = "urn:QDA-XML:project:1.0"
# Names below this one give the same identifiers in every project, so that merged projects share users and codes.
_IDENTIFIERS = uuid5(UUID(int=0), "groundwire.report.check.refi_qda")
# The first day of ZIP, so that the same report gives the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)

_REJECTED, _UNCODED = "not accepted", "quote"
_MOST_NAME_CHARS = 80
_CARRIAGE_RETURN = re.compile(r"\r\n?")
_SURROGATE = re.compile("[\ud800-\udfff]")


def render_qdpx(report: CheckReport, texts: Sequence[str]) -> bytes:
    """
    Return the QDPX file of *report*; the same report gives the same bytes.

    Args:
        report: The report.
        texts: The text of each transcript, in the order of the report.

    Raises:
        ValueError: The texts are not those of the report.
    """
    if [len(text) for text in texts] != [each.chars for each in report.transcripts]:
        raise ValueError("texts must be those of the report's transcripts, in the same order")
    project = _Project(report, texts)
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        _store(archive, "project.qde", project.xml())
        for source in project.sources:
            _store(archive, f"sources/{source.guid}.txt", source.text.encode())
    return written.getvalue()


def _store(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)


def _guid(*names: object) -> str:
    """Return the identifier of the thing that *names* name."""
    # JSON and the like would need lone surrogates to have a form in UTF-8.
    return str(uuid5(_IDENTIFIERS, "\n".join(map(repr, names))))


class _SourceText:
    """Holds the text of a source with LF at the end of lines, and converts offsets of the original text."""

    def __init__(self, number: int, name: str, text: str) -> None:
        self.number = number
        self.name = name
        # A lone surrogate has no form in UTF-8; its substitute is one code point too.
        self.text = _SURROGATE.sub("\ufffd", _CARRIAGE_RETURN.sub("\n", text))
        self.guid = _guid("source", name, self.text)
        # The offset of each CR that is left out.
        self._dropped = [match.start() for match in re.finditer("\r\n", text)]

    def position(self, offset: int) -> int:
        """Return the position of *offset* in the text with LF."""
        from bisect import bisect_left

        return offset - bisect_left(self._dropped, offset)


class _Project:
    """Builds the XML of a project."""

    def __init__(self, report: CheckReport, texts: Sequence[str]) -> None:
        self._report = report
        self._user = _guid("user", "groundwire")
        named = zip(report.transcripts, texts, strict=True)
        sources = [_SourceText(each.number, each.name, text) for each, text in named]
        # A transcript that is given twice is one source.
        self.sources = [*{source.guid: source for source in sources}.values()]

    def xml(self) -> bytes:
        """Return `project.qde`."""
        project = Element(
            "Project",
            {
                "xmlns": _NAMESPACE,
                "name": "Quotes",
                "origin": f"groundwire {self._report.tool.version}",
                "creatingUserGUID": self._user,
            },
        )
        SubElement(SubElement(project, "Users"), "User", {"guid": self._user, "name": "groundwire"})
        self._add_codes(project)
        self._add_sources(project)
        self._add_notes(project)
        SubElement(project, "Description").text = sanitize(settings_text(self._report))
        for result in self._report.quotes:
            if not result.places:
                SubElement(project, "NoteRef", {"targetGUID": _note_guid(result)})
        indent(project)
        content: bytes = tostring(project, encoding="utf-8", xml_declaration=True)
        return content + b"\n"

    def _add_codes(self, project: Element) -> None:
        names = dict.fromkeys(_code_of(result) for result in self._report.quotes if result.places)
        if names:
            codes = SubElement(SubElement(project, "CodeBook"), "Codes")
            for name in names:
                attributes = {"guid": _guid("code", name), "name": one_line(name), "isCodable": "true"}
                SubElement(codes, "Code", attributes)

    def _add_sources(self, project: Element) -> None:
        if not self.sources:
            return
        sources = SubElement(project, "Sources")
        for source in self.sources:
            attributes = {
                "guid": source.guid,
                "name": one_line(source.name),
                "plainTextPath": f"internal://{source.guid}.txt",
                "creatingUser": self._user,
            }
            element = SubElement(sources, "TextSource", attributes)
            for result, place in self._places_in(source):
                self._add_selection(element, source, result, place)

    def _places_in(self, source: _SourceText) -> Iterator[tuple[QuoteResult, Place]]:
        for result in self._report.quotes:
            for place in result.places:
                if place.transcript == source.number:
                    yield result, place

    def _add_selection(self, parent: Element, source: _SourceText, result: QuoteResult, place: Place) -> None:
        named = (source.guid, result.number, result.quote)
        selection = SubElement(
            parent,
            "PlainTextSelection",
            {
                "guid": _guid("selection", *named),
                "name": one_line(place.passage, limit=_MOST_NAME_CHARS),
                "startPosition": str(source.position(place.start)),
                "endPosition": str(source.position(place.end)),
                "creatingUser": self._user,
            },
        )
        coding = SubElement(selection, "Coding", {"guid": _guid("coding", *named), "creatingUser": self._user})
        SubElement(coding, "CodeRef", {"targetGUID": _guid("code", _code_of(result))})
        SubElement(selection, "NoteRef", {"targetGUID": _note_guid(result)})

    def _add_notes(self, project: Element) -> None:
        if not self._report.quotes:
            return
        notes = SubElement(project, "Notes")
        for result in self._report.quotes:
            name = f"Quote {result.number}: {_verdict_text(result)}"
            attributes = {"guid": _note_guid(result), "name": name, "creatingUser": self._user}
            note = SubElement(notes, "Note", attributes)
            SubElement(note, "PlainTextContent").text = sanitize("\n".join(_note_lines(result)))


def _note_guid(result: QuoteResult) -> str:
    return _guid("note", result.number, result.quote)


def _code_of(result: QuoteResult) -> str:
    """Return the name of the code of a quote that was found."""
    if not result.accepted:
        return _REJECTED
    return result.domain if result.domain and result.domain.strip() else _UNCODED


def _verdict_text(result: QuoteResult) -> str:
    return quote_status_text(result.status) + ("" if result.accepted else ", not accepted")


def _note_lines(result: QuoteResult) -> Iterator[str]:
    """Yield the verdict on a quote, its claims and its reasons."""
    yield f"Verdict: {_verdict_text(result)}"
    yield f"Quote: {one_line(result.quote)}"
    origin = result.origin
    named = (
        ("Id", result.id),
        ("Code", result.domain),
        ("Named source", result.source),
        ("Named speaker", result.speaker),
        ("Named page", result.page),
        ("Sheet", origin and origin.sheet),
        ("Row", origin and origin.row),
    )
    yield from (f"{name}: {one_line(str(value))}" for name, value in named if value is not None)
    for place in result.places:
        spoken = spoken_text(place.turns)
        yield f"Found: {one_line(place.name)}, line {place.line}{f', {one_line(spoken)}' if spoken else ''}"
    for reason in result.reasons:
        yield f"Reason: {one_line(reason.words)}"

"""The process that reads documents: its limits of time and memory, and what a failure costs."""

import io
import os
import subprocess
import sys
import zipfile

import msgspec
import pytest

pytest.importorskip("pypdfium2")
pytest.importorskip("selectolax")

from documents.pdfs import make_pdf, text_at
from groundwire.documents import PartKind, pdf
from groundwire.documents.pdf import ask
from groundwire.documents.pdf_child import ReadRequest
from groundwire.documents.reader_child import PartsText
from groundwire.documents.reader_process import ReaderProcess, read_parts
from groundwire.errors import DocumentError
from waits import eventually

PDF = ReadRequest(make_pdf(text_at(50, 700, "words")))
PAGE = b"<html><body><p>words</p></body></html>"


def workbook(rows):
    """A workbook of *rows* rows of one number, written by hand."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Numbers")
    sheet.append([1])
    content = io.BytesIO()
    book.save(content)
    grown = io.BytesIO()
    with zipfile.ZipFile(content) as old, zipfile.ZipFile(grown, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            if name.endswith("sheet1.xml"):
                text = text.replace(b"</sheetData>", b"<row><c><v>2</v></c></row>" * rows + b"</sheetData>")
            new.writestr(name, text)
    return grown.getvalue()


@pytest.fixture
def process_of():
    """What starts a process with these limits; it ends with the test."""
    started = []

    def start(**limits):
        started.append(ReaderProcess(**limits))
        return started[-1]

    yield start
    for process in started:
        process.close()


def code_of(read, *arguments, **options):
    """The code of the error that reading raises; the error names the document."""
    with pytest.raises(DocumentError, match="`upload`") as caught:
        read(*arguments, **options)
    return caught.value.code


def test_a_page_that_takes_too_long_ends_the_reading(process_of):
    """The deadline of a PDF's page ends the process, and the next file gets a new one."""
    process = process_of(step_timeout_s=0.0)
    assert code_of(ask, PDF, "upload", process=process) == "timeout"
    assert read_parts("html", PAGE, None, boilerplate=True, process=process).text == "words\n"


def test_a_file_of_another_format_that_takes_too_long_ends_the_reading(process_of):
    """The deadline of other formats ends the process, and the next file gets a new one."""
    process = process_of(parts_timeout_s=0.0)
    assert code_of(read_parts, "html", PAGE, "upload", boilerplate=True, process=process) == "timeout"
    assert ask(PDF, None, process=process).text == "words\n"


def test_a_pdf_cannot_take_all_memory(process_of):
    """A process that may have no more memory ends or says so."""
    process = process_of(memory_bytes=300 << 20)
    request = ReadRequest(b"%PDF-1.4" + bytes(200 << 20))
    assert code_of(ask, request, "upload", process=process) in ("crashed", "too_much_memory")


def test_a_workbook_cannot_take_all_memory(process_of):
    """Rows without end are refused when the memory is full, and the next file is read."""
    process = process_of(memory_bytes=200 << 20)
    content = workbook(1_000_000)
    assert code_of(read_parts, "xlsx", content, "upload", boilerplate=True, process=process) == "too_much_memory"
    assert read_parts("html", PAGE, None, boilerplate=True, process=process).text == "words\n"


class Answering:
    """Answers like a process that a file has taken over."""

    def __init__(self, answer):
        self._answer = answer

    def ask(self, _request):
        """Return the same answer to every request."""
        return self._answer


@pytest.mark.parametrize("span", [(0, 6), (3, 2), (-1, 2)])
def test_parts_that_are_not_in_the_text_are_an_error(span):
    """An answer is checked like input."""
    answer = PartsText("words", [(*span, PartKind.TEXT, "html > body > p")])
    assert code_of(read_parts, "html", PAGE, "upload", boilerplate=True, process=Answering(answer)) == "crashed"


def test_a_kind_of_part_that_does_not_exist_is_an_error(monkeypatch, process_of):
    """An answer is checked like input."""
    answer = process_of().ask(PDF)
    monkeypatch.setattr(pdf, "ask_shared", Answering(answer).ask)
    assert pdf.read_pdf(PDF.content, "upload").text == "words\n"
    (part,) = answer.parts
    wrong = msgspec.structs.replace(answer, parts=[(*part[:3], "nonsense", part[4])])
    monkeypatch.setattr(pdf, "ask_shared", Answering(wrong).ask)
    assert code_of(pdf.read_pdf, PDF.content, "upload") == "crashed"


_BUSY = """
from groundwire.documents.process_limits import end_with_parent
end_with_parent()
print(flush=True)
while True: pass
"""
_KILLED = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
os._exit(1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process there keeps the number of its parent")
def test_a_reading_ends_when_its_caller_is_killed():
    """Nobody else would end a reading that never ends."""
    run = subprocess.run([sys.executable, "-c", _KILLED, _BUSY], stdout=subprocess.PIPE, text=True, check=False)
    reader = int(run.stdout)
    eventually(lambda: _is_running(reader), expected=False)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True

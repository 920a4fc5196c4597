"""`groundwire check` on documents, folders and patterns."""

import json

import pytest

pytest.importorskip("pypdfium2")

from documents.pdfs import lines_at, make_pdf, make_scan

REPORT = make_pdf(lines_at(50, 700, ["We asked everybody in town."]), lines_at(50, 700, ["Nobody knew why."]))


@pytest.fixture
def folder(write, tmp_path):
    """Return a folder with a PDF, a web page in a subfolder and a transcript, and quotes of them."""
    (tmp_path / "in/web").mkdir(parents=True)
    (tmp_path / "in/report.pdf").write_bytes(REPORT)
    (tmp_path / "in/web/page.html").write_bytes(b"<html><body><h1>News</h1><p>The bridge is open.</p></body></html>")
    (tmp_path / "in/talk.txt").write_text("Anna: I never sleep.\n", encoding="utf-8")
    write(
        "quotes.json",
        [
            {"quote": "Nobody knew why.", "page": 2},
            {"quote": "Nobody knew why.", "page": 1},
            {"quote": "The bridge is open.", "source": "page.html"},
            {"quote": "I never sleep.", "speaker": "Anna"},
            {"quote": "I never sleep.", "source": "lost.docx"},
        ],
    )


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "sources", [["in"], ["in/report.pdf", "in/*/*.html", "in/talk.txt"]], ids=["folder", "patterns"]
)
def test_folders_and_patterns(run, sources):
    """Each quote has its own verdict; an unknown source is an error of its row alone."""
    code, output, _ = run("check", *sources, "--quotes", "quotes.json", "--format", "json")
    report = json.loads(output)
    assert code == 1
    assert [each["status"] for each in report["quotes"]] == ["exact", "exact", "exact", "exact", "absent"]
    assert [each["accepted"] for each in report["quotes"]] == [True, False, True, True, False]
    assert [each["code"] for each in report["quotes"][1]["reasons"]] == ["other_page"]
    assert report["quotes"][0]["places"][0]["pages"] == [2]
    assert {each["format"] for each in report["transcripts"]} == {"pdf", "html", "text"}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("empty", "error: the folder `empty` has no files"),
        ("*.docx", "error: no file matches `*.docx`"),
        ("bad.pdf", "error: `bad.pdf` is a damaged PDF"),
    ],
)
def test_sources_that_cannot_be_read(run, write, tmp_path, source, message):
    """One line names the source, and gives no wrong advice about encodings."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 ZEBRA")
    write("quotes.json", ["a"])
    code, output, errors = run("check", source, "--quotes", "quotes.json")
    assert (code, output) == (2, "")
    assert errors.startswith(message)
    assert "iconv" not in errors
    assert "ZEBRA" not in errors


def test_a_scan_is_reported(run, write, tmp_path):
    """A quote is not simply absent if it may be on a page without text."""
    (tmp_path / "scan.pdf").write_bytes(make_scan())
    write("quotes.json", ["some words that may be there"])
    code, output, errors = run("check", "scan.pdf", "--quotes", "quotes.json")
    assert code == 1
    assert "A page of the source has no text" in output
    assert "`ocrmypdf` adds a text layer" in errors

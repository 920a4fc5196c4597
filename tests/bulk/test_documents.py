"""Rows whose sources are documents, by their paths below a folder."""

import traceback
import tracemalloc

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("pypdfium2")

import pyarrow as pa
import pyarrow.parquet as parquet

from documents.pdfs import SCANNED_PAGE, lines_at, make_pdf, text_at
from groundwire.bulk.job import ground_file
from groundwire.documents import DocumentFolder, read_document
from groundwire.documents import folder as folder_module
from groundwire.errors import BulkError, DocumentError

REPORT = make_pdf(lines_at(50, 700, ["We asked everybody in town."]), lines_at(50, 700, ["Nobody knew why."]))


@pytest.fixture
def root(tmp_path):
    """A folder with documents, and a secret beside it."""
    root = tmp_path / "documents"
    (root / "web").mkdir(parents=True)
    (root / "report.pdf").write_bytes(REPORT)
    (root / "scan.pdf").write_bytes(make_pdf(text_at(50, 700, "We asked nobody."), SCANNED_PAGE))
    (root / "damaged.pdf").write_bytes(b"%PDF-1.7 ZEBRA")
    (root / "web/page.html").write_bytes(b"<html><body><p>The bridge is open.</p></body></html>")
    (tmp_path / "secret.txt").write_text("Nobody knew why.", encoding="utf-8")
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "inside.pdf").symlink_to("report.pdf")
    return root


def rows_of(tmp_path, rows, root, **options):
    """The rows of the output, as dicts."""
    path = tmp_path / "rows.parquet"
    quotes, sources = zip(*rows, strict=True)
    parquet.write_table(pa.table({"quote": list(quotes), "source": list(sources)}), path)
    ground_file(path, tmp_path / "out.parquet", documents=root, resume=False, **options)
    return parquet.read_table(tmp_path / "out.parquet").to_pylist()


@pytest.mark.parametrize("policy", ["literal", "guarded"])
def test_quotes_are_found_on_their_pages(tmp_path, root, policy):
    """A row has the page, and the hash of the file in which its quote was found."""
    rows = [("nobody knew why", "report.pdf"), ("The bridge is open.", "web/page.html"), ("no words", "inside.pdf")]
    found = rows_of(tmp_path, rows, root, policy=policy)
    assert [(row["grounded"], row["page"], row["error"]) for row in found] == [
        (True, 2, None),
        (True, None, None),
        (False, None, None),
    ]
    report = read_document(root / "report.pdf")
    assert [found[0]["document_sha256"], found[2]["document_sha256"]] == [report.sha256] * 2
    assert report.text[found[0]["start"] : found[0]["end"]] == "Nobody knew why"


def test_a_page_without_text_makes_a_quote_unreadable(tmp_path, root):
    """The guarded policy knows the pages of documents."""
    (row,) = rows_of(tmp_path, [("words that no page has", "scan.pdf")], root, policy="guarded")
    assert (row["grounded"], row["status"]) == (False, "unreadable")
    assert row["reasons"][0] == "unreadable_page"


def test_a_document_that_cannot_be_read_is_the_error_of_its_rows(tmp_path, root):
    """The run goes on, and no message has a path or a text."""
    rows = [
        ("Nobody knew why.", "damaged.pdf"),
        ("Nobody knew why.", "lost.pdf"),
        ("Nobody knew why.", "../secret.txt"),
        ("Nobody knew why.", "link.txt"),
        ("Nobody knew why.", "web"),
        ("Nobody knew why.", None),
        ("Nobody knew why.", "report.pdf"),
    ]
    found = rows_of(tmp_path, rows, root)
    assert [row["grounded"] for row in found] == [False] * 6 + [True]
    assert [row["error"] for row in found] == [
        "the document is a damaged PDF",
        "the document is not in the folder of documents",
        "the document is outside of the folder of documents, or not readable",
        "the document is outside of the folder of documents, or not readable",
        "the document is not a readable file within the limit of bytes",
        found[5]["error"],
        None,
    ]
    assert found[5]["error"] is not None
    assert {row["document_sha256"] for row in found[:6]} == {None}


def test_lists_of_quotes_have_lists_of_results(tmp_path, root):
    """One result for each quote of a row."""
    (row,) = rows_of(tmp_path, [(["Nobody knew why.", "We asked everybody"], "report.pdf")], root, policy="guarded")
    assert (row["page"], row["status"]) == ([2, 1], ["exact", "exact"])


def test_a_document_is_read_once_while_it_is_kept(root, monkeypatch):
    """So is one that cannot be read; memory is bounded, and the newest document always kept."""
    read = []
    monkeypatch.setattr(folder_module, "read_document", lambda content: read.append(content) or read_document(content))
    folder = DocumentFolder(root)
    for _ in range(2):
        folder.document("report.pdf")
        with pytest.raises(DocumentError):
            folder.document("damaged.pdf")
    assert len(read) == 2
    small = DocumentFolder(root, memory_bytes=1)
    for name in ("report.pdf", "report.pdf", "web/page.html", "report.pdf"):
        small.document(name)
    assert len(read) == 5


def test_the_error_of_a_damaged_document_does_not_keep_its_content(root):
    """A column may name thousands of damaged files, each in many rows."""
    (root / "large.docx").write_bytes(b"PK\x03\x04word/" + bytes(8 << 20))
    folder = DocumentFolder(root)

    def refused():
        """Return the error's code and the length of its traceback, without keeping it."""
        try:
            folder.document("large.docx")
        except DocumentError as error:
            return error.code, len(traceback.extract_tb(error.__traceback__))

    tracemalloc.start()
    refusals = [refused() for _ in range(4)]
    kept_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept_bytes < 4 << 20
    assert [code for code, _ in refusals] == ["damaged"] * 4
    # Each caller gets an error of its own, so no traceback grows.
    assert refusals[1:] == [refusals[1]] * 3


def test_options_that_do_not_fit(tmp_path, root):
    """A folder has to be there, and a column has either ids or paths."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"quote": "a", "source": "report.pdf"}\n', encoding="utf-8")
    with pytest.raises(BulkError, match="is not a folder of documents"):
        ground_file(path, tmp_path / "out.jsonl", documents=root / "report.pdf")
    with pytest.raises(ValueError, match="exclude each other"):
        ground_file(path, tmp_path / "out.jsonl", documents=root, sources={"a": "b"})

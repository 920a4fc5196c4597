"""Cited pages of documents in a folder: what exists, what cannot be read, and what a memory keeps."""

import asyncio
import os

import pytest

pytest.importorskip("pypdfium2")

from documents.pdfs import SCANNED_PAGE, make_pdf, text_at
from groundwire import read_document
from groundwire.ingestion import CitationDetector, CitationVerifier, IngestionValidator
from groundwire.ingestion.citation_detector import Citation, CitationType

STUDY = make_pdf(
    text_at(50, 700, "The clinic opens at nine."), SCANNED_PAGE, text_at(50, 700, "Twelve nurses work at the clinic.")
)


@pytest.fixture
def root(tmp_path):
    """A folder with a study, a damaged file, and a link out of it."""
    root = tmp_path / "documents"
    (root / "reports").mkdir(parents=True)
    (root / "reports/study.pdf").write_bytes(STUDY)
    (root / "damaged.pdf").write_bytes(b"%PDF-1.7 ZEBRA")
    (tmp_path / "secret.pdf").write_bytes(STUDY)
    (root / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    return root


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("It opens at nine (reports/study.pdf, p. 1).", ["reports/study.pdf#page=1"], id="p."),
        pytest.param("See study.pdf#page=012 and a.PDF page 3", ["study.pdf#page=12", "a.PDF#page=3"], id="several"),
        pytest.param("See study.pdf for more.", [], id="no-page"),
        pytest.param("See https://a.org/study.pdf#page=3", [], id="a-page-of-a-url"),
        pytest.param("See ../study.pdf, p. 2", ["../study.pdf#page=2"], id="out-of-the-folder"),
    ],
)
def test_pages_are_found_in_claims(text, values):
    """A citation has the path and the page, and its span covers both."""
    found = [each for each in CitationDetector().detect(text) if each.type == "document"]
    assert [each.value for each in found] == values
    assert all(text[each.start : each.end].lower().endswith(each.value[-1]) for each in found)


@pytest.mark.parametrize(
    ("value", "code", "status"),
    [
        ("reports/study.pdf#page=1", "page_found", "verified"),
        ("reports/study.pdf#page=2", "page_unreadable", "unknown"),
        ("reports/study.pdf#page=4", "page_not_found", "refuted"),
        ("reports/study.pdf#page=0", "page_not_found", "refuted"),
        ("lost.pdf#page=1", "document_not_found", "refuted"),
        ("damaged.pdf#page=1", "document_unreadable", "unknown"),
        ("link.pdf#page=1", "document_unreadable", "unknown"),
        ("../secret.pdf#page=1", "document_unreadable", "unknown"),
        ("reports/study.pdf", "not_an_id", "unknown"),
    ],
)
def test_a_page_is_verified_if_the_document_has_it(root, value, code, status):
    """A page without text, a damaged file and a path out of the folder are unknown, which approves nothing."""
    citation = Citation(CitationType.DOCUMENT, value, 0, 1)
    result = asyncio.run(CitationVerifier(documents=root).verify(citation))
    assert (result.code.value, result.status.value) == (code, status)
    assert "study" not in result.reason


def test_without_a_folder_a_page_is_unknown():
    """No verifier is configured."""
    citation = Citation(CitationType.DOCUMENT, "reports/study.pdf#page=1", 0, 1)
    assert asyncio.run(CitationVerifier().verify(citation)).code.value == "not_configured"


def validate(root, content):
    """The result of a claim whose citation is looked up below *root* and compared with it."""
    validator = IngestionValidator(enable_dedup=False, verifier=CitationVerifier(documents=root))
    return asyncio.run(validator.validate(content, "fact", "user", "local"))


def test_the_memory_keeps_page_and_hash(root):
    """The evidence says which page of which bytes was read."""
    result = validate(root, "The clinic opens at nine (reports/study.pdf, p. 1).")
    assert result.evidence.source_id == "document:reports/study.pdf#page=1"
    sha256 = read_document(STUDY).sha256
    assert result.evidence.metadata["cited_documents"] == [{"path": "reports/study.pdf", "page": 1, "sha256": sha256}]
    assert [passage.verdict.value for passage in result.evidence.passages] == ["supports"]


def test_another_page_does_not_support_the_claim(root):
    """Only the words of the cited page are compared with the claim."""
    result = validate(root, "The clinic opens at nine (reports/study.pdf, p. 3).")
    assert [passage.verdict.value for passage in result.evidence.passages] == ["unrelated"]
    assert not result.approved


def test_a_changed_file_keeps_the_hash_of_the_bytes_that_were_read(root):
    """A verifier reads a document once; a new one reads the new bytes."""
    content = "The clinic opens at nine (reports/study.pdf, p. 1)."
    verifier = CitationVerifier(documents=root)
    citation = CitationDetector().detect(content)[0]
    before = asyncio.run(verifier.verify(citation)).sha256
    path = root / "reports/study.pdf"
    path.write_bytes(make_pdf(text_at(50, 700, "The clinic opens at ten.")))
    os.utime(path, (1, 1))
    assert asyncio.run(verifier.verify(citation)).sha256 == before
    assert asyncio.run(CitationVerifier(documents=root).verify(citation)).sha256 != before

"""Quotes of documents: their named page, pages without text, tables and notes."""

import pickle

import pytest

pytest.importorskip("pypdfium2")

from documents.pdfs import lines_at, make_pdf, make_scan, text_at
from groundwire import Sources, read_document
from groundwire.evidence import Quote, assess_quotes

NOTE = text_at(50, 40, "1 A note in small print is here.", 7)
REPORT = read_document(
    make_pdf(
        lines_at(50, 700, ["We asked everybody in town", "and nobody knew"]) + NOTE,
        lines_at(50, 700, ["the answer to it.", "Twice it is said."]),
        lines_at(50, 700, ["Twice it is said.", "Then it ends here."]),
    ),
    name="report.pdf",
)
SCAN = read_document(make_scan(), name="scan.pdf")


def verdict_on(quote, source=REPORT):
    """Return the status, the acceptance, the pages and the reasons."""
    verdict = assess_quotes([quote], source)[0]
    return verdict.status.value, verdict.accepted, verdict.pages, [reason.value for reason in verdict.reasons]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param(Quote("We asked everybody", page=1), ("exact", True, (1,), []), id="its-page"),
        pytest.param(Quote("We asked everybody", page=2), ("exact", False, (1,), ["other_page"]), id="other-page"),
        pytest.param(Quote("Twice it is said.", page=3), ("exact", True, (3,), []), id="a-later-occurrence"),
        pytest.param(
            Quote("nobody knew the answer", page=2),
            ("normalized", True, (1, 2), ["whitespace", "across_pages"]),
            id="across-pages",
        ),
        pytest.param(Quote("A note in small print"), ("exact", True, (1,), ["in_footnote"]), id="a-note"),
    ],
)
def test_pages(quote, expected):
    """A page is confirmed if an occurrence of the quote has words on it."""
    assert verdict_on(quote) == expected
    assert verdict_on(quote, Sources([REPORT])) == expected


@pytest.mark.parametrize("source", [SCAN, Sources([REPORT, SCAN])], ids=["alone", "of several"])
def test_a_page_without_text_is_a_reason(source):
    """The reason comes first."""
    status, accepted, pages, reasons = verdict_on("words that no page has in this way", source)
    assert (status, accepted, pages, reasons[0]) == ("absent", False, (), "unreadable_page")


def test_a_table():
    """A cell is a part of its own kind."""
    assert verdict_on("in a cell", read_document(b"id,text\n1,in a cell\n2,more\n"))[3] == ["in_table"]


def test_speakers_of_a_document():
    """Turns are those of a plain transcript."""
    interview = read_document(b"Anna: I never sleep well.\nBen: I always do.\nAnna: Never.\nBen: Yes.\n")
    assert verdict_on(Quote("I never sleep well.", speaker="Anna"), interview)[:2] == ("exact", True)
    assert verdict_on(Quote("I never sleep well.", speaker="Ben"), interview)[0] == "wrong_speaker"


def test_verdicts_can_be_pickled():
    """They can be sent to other processes."""
    verdict = assess_quotes(["We asked everybody"], REPORT)[0]
    assert pickle.loads(pickle.dumps(verdict)) == verdict

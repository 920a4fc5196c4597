"""A check report on two PDFs for the tests, with quotes that are found, altered, absent, and on a named page."""

from functools import cache

from documents.pdfs import lines_at, make_pdf, make_scan, text_at
from groundwire import read_document
from groundwire.report import CheckReport, QuoteEntry, TranscriptFile, build_guarded_report
from groundwire.report.check.pages import DEFAULT_LIMITS, PageLimits, PagesView, page_views
from groundwire.report.rendering import render_html

NAME = 'sleep "<b>study</b>".pdf'
PAGES = (
    lines_at(50, 700, ["We asked everybody in town how they", "sleep at night, and most of them told us."]),
    lines_at(50, 700, ["The doctor gave me 15 mg of it, and I", "do not take it when I drive."]),
    lines_at(50, 700, ["Nothing of this page is quoted."]),
    text_at(50, 700, "It has been three weeks, and that is long."),
    lines_at(50, 700, ["Another page that nobody quotes."]),
)
LETTER = (lines_at(50, 700, ["He rings every Sunday and asks for her."]),)

QUOTES = {
    "over-lines": QuoteEntry("how they sleep at night", domain="Sleep & <i>rest</i>"),
    "altered": QuoteEntry("The doctor gave me 50 mg of it"),
    "elsewhere": QuoteEntry("three weeks", page=5, source=NAME),
    "absent": QuoteEntry("Nobody quoted anything on this page, she said <script>alert(1)</script>"),
    "letter": QuoteEntry("He rings every Sunday", id="q<5>"),
    "blank": QuoteEntry(" … "),
}
NUMBERS = {name: number for number, name in enumerate(QUOTES, start=1)}


def pdf_transcript(name: str, content: bytes) -> TranscriptFile:
    """Return a PDF as the command line reads it."""
    document = read_document(content, name=name)
    return TranscriptFile(name, document.without_running_heads(), document=document)


@cache
def transcripts() -> list[TranscriptFile]:
    """Return the two PDFs, and a text."""
    return [
        pdf_transcript(NAME, make_pdf(*PAGES)),
        TranscriptFile("talk.txt", "Anna: I never sleep.\n"),
        pdf_transcript("letter.pdf", make_pdf(*LETTER)),
    ]


@cache
def paged_report() -> CheckReport:
    """Check the quotes against them."""
    return build_guarded_report(transcripts(), list(QUOTES.values()))


def views(limits: PageLimits = DEFAULT_LIMITS) -> dict[int, PagesView]:
    """Return the pages of the report."""
    return page_views(paged_report(), [each.document for each in transcripts()], limits)


@cache
def paged_html() -> str:
    """Return the report with its pages."""
    return render_html(paged_report(), [each.text for each in transcripts()], pages=views())


def long_html(pages: int) -> str:
    """Return a report with a quote on each of many pages."""
    # Lines that differ by a number alone would be running heads.
    words = ["".join(chr(97 + int(digit)) for digit in str(number)) for number in range(pages)]
    source = pdf_transcript("long.pdf", make_pdf(*(text_at(50, 700, f"Somebody said {word} here.") for word in words)))
    report = build_guarded_report([source], [QuoteEntry(f"said {word} here") for word in words])
    return render_html(report, [source.text], pages=page_views(report, [source.document]))


def scan_transcript() -> TranscriptFile:
    """Return a PDF without text."""
    return pdf_transcript("scan.pdf", make_scan())

"""Create reports for the tests from small texts."""

from groundwire.report import CheckReport, QuoteEntry, TranscriptFile, build_report


def transcript(text: str, name: str = "t.txt") -> TranscriptFile:
    """Return *text* as a transcript that was not read from a file."""
    return TranscriptFile(name, text)


def report_of(texts: str | list[str], quotes: list[str] | dict[str, list[str]], **options) -> CheckReport:
    """Check *quotes*, a list or by domain, against one or several texts."""
    texts = [texts] if isinstance(texts, str) else texts
    asked = (
        [QuoteEntry(quote, domain) for domain, group in quotes.items() for quote in group]
        if isinstance(quotes, dict)
        else [QuoteEntry(quote) for quote in quotes]
    )
    transcripts = [transcript(text, f"t{number}.txt") for number, text in enumerate(texts, start=1)]
    return build_report(transcripts, asked, domains=quotes if isinstance(quotes, dict) else (), **options)

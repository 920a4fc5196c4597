"""
Citations by the printed patterns and filters, to the letter.

Source: grounded-ingestion, "Step 1: Detection". That six hex digits after `#` are a
colour and no issue is how ruling C9 reads its "smart filtering".
"""

import re

from groundwire.ingestion.provenance import Citation, CitationType

__all__ = ["detect"]

_ADR = re.compile(r"\[?ADR[-\s]?(\d+)\]?")
_COMMIT = re.compile(r"\b[a-f0-9]{7,40}\b")
_URL = re.compile(r"https?://[^\s<>\"]+")
_ISSUE = re.compile(r"(?:#(\d+)|GH-(\d+))")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b")


def detect(text: str) -> list[Citation]:
    """Return what the printed patterns find, by start, then end; citations may overlap."""
    found = [Citation(CitationType.ADR, match[1], *match.span()) for match in _ADR.finditer(text)]
    found += [Citation(CitationType.URL, match[0], *match.span()) for match in _URL.finditer(text)]
    # Blanks in the place of URLs keep the offsets of all else.
    without_urls = _URL.sub(lambda match: " " * len(match[0]), text)
    found += [Citation(CitationType.COMMIT, match[0], *match.span()) for match in _COMMIT.finditer(without_urls)]
    for match in _ISSUE.finditer(text):
        if not _COLOUR.match(text, match.start()):
            found.append(Citation(CitationType.ISSUE, match[1] or match[2], *match.span()))
    return sorted(found, key=lambda citation: (citation.start, citation.end))

"""
Finds the citations of a claim: decision records, commits, URLs, issues, DOIs and pages of documents.

Detection only finds text that has the form of a citation; `groundwire.ingestion.verification` checks whether the source
exists. The policy "spec" follows the printed patterns and filters to the letter (grounded-ingestion, "Step 1:
Detection"). Ruling C9 interprets its "smart filtering": six hex digits after `#` are a colour and not an issue.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf

from groundwire._engine import find_citations
from groundwire.labels import check_choice
from groundwire.memory.identity import source_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

__all__ = ["Citation", "CitationDetector", "CitationType"]

_ADR = re.compile(r"\[?ADR[-\s]?(\d+)\]?")
_COMMIT = re.compile(r"\b[a-f0-9]{7,40}\b")
_URL = re.compile(r"https?://[^\s<>\"]+")
_ISSUE = re.compile(r"(?:#(\d+)|GH-(\d+))")
# A page of a PDF: `reports/study.pdf, p. 12`, or as in links `study.pdf#page=12`.
_PAGE = re.compile(
    r"(?<![\w./#-])((?:[\w.-]{1,100}/){0,16}[\w-][\w.-]{0,99}\.pdf)(?:#page=|,? (?:p\.|page) ?)(\d{1,5})\b",
    re.IGNORECASE,
)
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b")


class CitationType(StrEnum):
    """The kind of a cited source."""

    ADR = "adr"
    COMMIT = "commit"
    URL = "url"
    ISSUE = "issue"
    DOI = "doi"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Citation:
    """
    A citation in a claim.

    Attributes:
        type: The kind of the cited source.
        value: The id as written: `003`, a hash, a URL, `123`, `owner/repo#123`, a DOI; for a page of a document,
            `study.pdf#page=12`. An issue of another repository keeps the repository, so that it is not taken for an
            issue of the own one.
        start: The start of the citation, in code points of the claim.
        end: The end of the citation, which is not included.
    """

    type: CitationType
    value: str = field(repr=False)
    start: int
    end: int

    @property
    def identity(self) -> str:
        """The one name of the cited source in any spelling (ruling C18); see `source_identity`."""
        if self.type == CitationType.URL:
            return source_identity(self.value)
        return source_identity(f"{'ADR-' if self.type == CitationType.ADR else f'{self.type}:'}{self.value}")


class CitationDetector:
    """
    Finds the citations of a claim.

    Args:
        policy: "guarded", the default, applies rulings C8 and C9 and also finds SHA-256 ids, `owner/repo#12`, DOIs
            and pages of PDFs, and nothing inside a URL. "spec" applies only the printed patterns and filters.

    Raises:
        ValueError: *policy* is unknown.
    """

    def __init__(self, *, policy: "Literal['guarded', 'spec']" = "guarded") -> None:
        self.policy = check_choice("policy", policy, ("guarded", "spec"))
        self._detect = _detect if policy == "guarded" else _detect_as_printed

    def detect(self, text: str) -> list[Citation]:
        """
        Return the citations in *text*, by start, then end.

        Under "guarded", citations do not overlap. Takes time linear in the length of the text.

        Raises:
            TypeError: *text* is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}")
        return self._detect(text)


def _detect(text: str) -> list[Citation]:
    """Return the citations that the engine finds, by rulings C8 and C9, and the pages of documents beside them."""
    found = [Citation(CitationType(kind), value, start, end) for kind, value, start, end in find_citations(text)]
    if ".pdf" not in text.lower():
        return found
    pages = [
        Citation(CitationType.DOCUMENT, f"{match[1]}#page={int(match[2])}", *match.span())
        for match in _PAGE.finditer(text)
    ]
    pages = _without_overlap(pages, [each for each in found if each.type == CitationType.URL])
    return sorted([*_without_overlap(found, pages), *pages], key=lambda citation: (citation.start, citation.end))


def _without_overlap(citations: list[Citation], others: list[Citation]) -> list[Citation]:
    """Return the *citations* that overlap none of *others*. Both are in order, without overlaps among themselves."""
    ends = [each.end for each in others]
    starts = [*(each.start for each in others), inf]
    return [each for each in citations if starts[bisect_right(ends, each.start)] >= each.end]


def _detect_as_printed(text: str) -> list[Citation]:
    """Return the citations that the printed patterns find, by start, then end; they may overlap."""
    found = [Citation(CitationType.ADR, match[1], *match.span()) for match in _ADR.finditer(text)]
    found += [Citation(CitationType.URL, match[0], *match.span()) for match in _URL.finditer(text)]
    # Blanks replace URLs, so that all offsets stay the same.
    without_urls = _URL.sub(lambda match: " " * len(match[0]), text)
    found += [Citation(CitationType.COMMIT, match[0], *match.span()) for match in _COMMIT.finditer(without_urls)]
    for match in _ISSUE.finditer(text):
        if not _COLOUR.match(text, match.start()):
            found.append(Citation(CitationType.ISSUE, match[1] or match[2], *match.span()))
    return sorted(found, key=lambda citation: (citation.start, citation.end))

"""
What a claim cites: decision records, commits, URLs, issues, DOIs.

Detection only says that something is written like a citation. Whether it is there
is for `groundwire.ingestion.verification` to say.
"""

from dataclasses import dataclass
from enum import StrEnum

from groundwire._engine import find_citations
from groundwire.labels import check_choice
from groundwire.memory.identity import source_identity

__all__ = ["Citation", "CitationDetector", "CitationType"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class CitationType(StrEnum):
    """What is cited."""

    ADR = "adr"
    COMMIT = "commit"
    URL = "url"
    ISSUE = "issue"
    DOI = "doi"


@dataclass(frozen=True, slots=True)
class Citation:
    """
    One citation of a claim.

    Attributes:
        type: What is cited.
        value: Its id as written: `003`, the hash, the URL, `123`, `owner/repo#123`,
            the DOI. An issue of another repository keeps the repository in its
            value, so that nobody takes it for one of their own.
        start: Where the citation begins, in code points of the claim.
        end: Where it ends.
    """

    type: CitationType
    value: str
    start: int
    end: int

    @property
    def identity(self) -> str:
        """The one name of what is cited, however it is spelled (ruling C18); see `source_identity`."""
        if self.type == CitationType.URL:
            return source_identity(self.value)
        return source_identity(f"{'ADR-' if self.type == CitationType.ADR else f'{self.type}:'}{self.value}")


class CitationDetector:
    """
    Finds what is written like a citation.

    Args:
        policy: "guarded", the default: rulings C8 and C9, SHA-256 ids,
            `owner/repo#12` and DOIs, and nothing inside of a URL. "spec": the
            printed patterns and filters of the specification, and nothing else.

    Raises:
        ValueError: An unknown *policy*.
    """

    def __init__(self, *, policy: "Literal['guarded', 'spec']" = "guarded") -> None:
        self.policy = check_choice("policy", policy, ("guarded", "spec"))
        if policy == "guarded":
            detect = _detect
        else:
            # Its patterns are compiled when they are first asked for.
            from groundwire.ingestion.provenance_spec import detect
        self._detect = detect

    def detect(self, text: str) -> list[Citation]:
        """
        Return the citations in *text*, by start, then end.

        Under "guarded" none overlaps another. Time is linear in the length of the text.

        Raises:
            TypeError: *text* is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, got {type(text).__name__}")
        return self._detect(text)


def _detect(text: str) -> list[Citation]:
    """Return what the engine finds: rulings C8 and C9."""
    return [Citation(CitationType(kind), value, start, end) for kind, value, start, end in find_citations(text)]

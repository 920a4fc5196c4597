"""Holds what the tools of the server take and return; their schemas tell an agent what each field means."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "AnswerCheck",
    "CheckedClaim",
    "CheckedQuote",
    "FoundPassage",
    "GivenQuote",
    "PassageList",
    "QuoteCheck",
    "Remembered",
    "SearchResult",
    "SourceList",
]

Fraction = Annotated[float, Field(ge=0, le=1)]


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True)


class GivenQuote(BaseModel):
    """A quote to check."""

    model_config = ConfigDict(extra="forbid", str_max_length=100_000)

    text: str = Field(description="The quote, word for word.")
    source: str | None = Field(default=None, description="The path of the source, if the quote names one.")
    speaker: str | None = Field(default=None, description="The speaker, if the quote names one.")
    page: int | None = Field(default=None, ge=1, description="The page, if the quote names one.")


class SearchResult(BaseModel):
    """A search result that an answer may cite."""

    model_config = ConfigDict(extra="forbid", str_max_length=1_000_000)

    id: str = Field(description="The id that citations in brackets name.")
    text: str = Field(description="The passage.")


class SourceList(_Result):
    """The sources that the server may read."""

    paths: list[str]
    left_out: list[str] = Field(default=[], description="Files and folders that it does not read, with the reason.")


class FoundPassage(_Result):
    """A passage of a source."""

    source: str = Field(description="The path of the source.")
    start: int = Field(description="Offset of the first character.")
    end: int = Field(description="Offset after the last character.")
    text: str = Field(description="The words of the source.")
    score: Fraction = Field(description="1 for the words themselves; otherwise the support of the statement.")
    page: int | None = Field(default=None, description="The page in a document with pages.")
    speaker: str | None = Field(default=None, description="The speaker in a transcript.")


class PassageList(_Result):
    """The passages found, best first."""

    passages: list[FoundPassage]


class CheckedQuote(_Result):
    """The verdict on a quote."""

    quote: str
    status: str = Field(description="exact, normalized, near, elided, altered, wrong_speaker, absent, …")
    accepted: bool = Field(description="Whether the quote may be used.")
    reasons: list[str] = Field(description="Why it is not accepted, with what the source has.")
    passage: FoundPassage | None = Field(default=None, description="Where the quote was found.")
    nearest: FoundPassage | None = Field(default=None, description="The most similar passage, if it was not found.")


class QuoteCheck(_Result):
    """The verdicts on quotes, in their order."""

    accepted: int = Field(description="Number of accepted quotes.")
    rejected: int = Field(description="Number of all others.")
    quotes: list[CheckedQuote]
    report: str = Field(description="The URI of the report as an HTML page.")


class CheckedClaim(_Result):
    """A claim of an answer."""

    text: str
    status: str = Field(description="supported, weak, unsupported, misattributed, contradicted, uncited, unread")
    cites: list[str] = Field(description="The ids that it cites.")
    support: Fraction | None = Field(default=None, description="The best support by a cited passage.")
    reasons: list[str]


class AnswerCheck(_Result):
    """The risk of an answer."""

    level: str = Field(description="low, moderate, high, not_assessed")
    score: Fraction | None = Field(default=None, description="The risk.")
    action: str = Field(description="accept, refine_search, reject")
    accepted: bool
    reasons: list[str]
    claims: list[CheckedClaim]


class Remembered(_Result):
    """What became of a claim."""

    outcome: str = Field(description="stored, queued for a person, rejected, or needs_review if there is no queue.")
    code: str = Field(description="The code of the reason.")
    reason: str
    memory_id: str | None = None
    queue_id: str | None = None

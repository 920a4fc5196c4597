"""Defines the types of requests and responses, which the OpenAPI document describes; reports have their own schemas."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field

from groundwire.http_server.openapi import RequestBody, ResponseBody
from groundwire.report.cite.model import QuestionType, SourceQuality
from groundwire.support_score import SUPPORTED_FROM
from groundwire.thresholds import FUZZY_THRESHOLD

__all__ = [
    "AnswerRequest",
    "CitedSource",
    "GivenSource",
    "NamedQuote",
    "PersonasRequest",
    "ProblemBody",
    "QuotesRequest",
    "SourceBody",
    "StatusBody",
]

_Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
_Count: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
_Iteration: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
_Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
_QuoteText: TypeAlias = Annotated[str, Meta(max_length=100_000)]
_Digest: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", description="The SHA-256 of a source that the service keeps, in hexadecimal.")
]


class GivenSource(RequestBody):
    """A source: the hash of a kept one, or a text for this request alone. Exactly one of the two is required."""

    name: Annotated[_Name | None, Meta(description="Its name in the report; by default `source N`.")] = None
    sha256: _Digest | UnsetType = UNSET
    text: Annotated[str, Meta(min_length=1)] | UnsetType = UNSET


_EITHER = {"oneOf": [{"required": ["sha256"]}, {"required": ["text"]}]}
_Sources: TypeAlias = Annotated[
    list[Annotated[GivenSource, Meta(extra_json_schema=_EITHER)]], Meta(min_length=1, max_length=200)
]


class NamedQuote(RequestBody):
    """A quote to check, and what it claims about itself."""

    text: _QuoteText
    source: Annotated[_Name | None, Meta(description="The name of its source.")] = None
    speaker: _Name | None = None
    page: _Count | None = None
    domain: _Name | None = None
    id: _Name | None = None


class QuotesRequest(RequestBody):
    """Quotes to check against sources."""

    quotes: Annotated[list[_QuoteText | NamedQuote], Meta(min_length=1, max_length=1_000)]
    sources: _Sources
    threshold: Annotated[_Share, Meta(description="Minimum similarity of a quote that is near.")] = FUZZY_THRESHOLD
    min_chars: _Count = 1
    min_words: _Count = 1
    speakers: (
        Annotated[list[_Name], Meta(min_length=1, max_length=100, description="Speakers who may be quoted.")] | None
    ) = None
    single_speaker: Annotated[bool, Meta(description="Whether quotes with words of several speakers are rejected.")] = (
        False
    )
    fold_variants: Annotated[
        bool,
        Meta(description="Whether simplified and traditional Chinese characters are equal, and hiragana and katakana."),
    ] = False


class CitedSource(RequestBody):
    """A kept source that an answer may cite by this id."""

    id: _Name
    sha256: _Digest


class AnswerRequest(RequestBody):
    """An answer to assess, with the results that it cites."""

    answer: Annotated[str, Meta(max_length=200_000)]
    results: Annotated[
        list[dict[str, Any]], Meta(max_length=200, description="Search results: objects with an id and a text.")
    ] = field(default_factory=list)
    sources: Annotated[list[CitedSource], Meta(max_length=200, description="Further results: kept sources.")] = field(
        default_factory=list
    )
    question: Annotated[str, Meta(max_length=100_000)] | None = None
    id: _Name | None = None
    policy: Literal["coverage", "spec"] = "coverage"
    iteration: _Iteration | UnsetType = UNSET
    max_iterations: _Iteration | UnsetType = UNSET
    question_type: QuestionType = "factual"
    source_quality: SourceQuality = "ordinary"


class PersonasRequest(RequestBody):
    """Personas to compare with research."""

    personas: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100)]
    sources: _Sources
    threshold: Annotated[_Share, Meta(description="Minimum confidence of a supported claim.")] = SUPPORTED_FROM
    min_score: Annotated[_Share, Meta(description="Minimum faithfulness score of a persona that passes.")] = 0.0


class SourceBody(ResponseBody, kw_only=True):
    """A source that the service keeps."""

    sha256: _Digest
    chars: Annotated[int, Meta(ge=1, description="Its length in code points.")]


class StatusBody(ResponseBody, kw_only=True):
    """The state of the service: `ok`, or `starting` or `busy` while it is not ready."""

    status: str


class ProblemBody(ResponseBody, kw_only=True):
    """The reason why a request failed (RFC 9457). It repeats no value of the request."""

    type: Annotated[str, Meta(description="`urn:groundwire:problem:` and the code.")]
    title: Annotated[str, Meta(description="The kind of problem; the same for each type.")]
    status: int
    detail: Annotated[str, Meta(description="The problem of this request.")]
    code: Annotated[str, Meta(description="A stable code for programs.")]
    field: Annotated[str, Meta(description="The field of the request that has the problem.")] | UnsetType = UNSET
    sha256: (
        Annotated[list[str], Meta(description="The hashes of sources that are not kept: send these again.")] | UnsetType
    ) = UNSET

"""Lists the operations of the API for its OpenAPI document, and the kinds of problems."""

from typing import Annotated, Any

from msgspec import Meta

from groundwire.http_server.openapi import ApiDescription, ApiOperation, describe_api
from groundwire.report import CheckReport, CiteReport, FaithfulnessReport
from groundwire.server.schemas import AnswerRequest, PersonasRequest, ProblemBody, QuotesRequest, SourceBody

__all__ = ["OPERATIONS", "PREFIX", "TITLES", "document"]

PREFIX = "/v1"

_BOTH_ITERATIONS = {"dependentRequired": {"iteration": ["max_iterations"], "max_iterations": ["iteration"]}}

OPERATIONS = (
    ApiOperation(
        method="put",
        path="/sources",
        name="keep_source",
        summary="Keep a source, and return its hash; 200 instead of 201 if it is kept already",
        takes_text={"type": "string", "pattern": "\\S"},
        gives=SourceBody,
        status=201,
        also=(200,),
    ),
    ApiOperation(
        method="get",
        path="/sources/{sha256}",
        name="show_source",
        summary="Show whether a source is kept",
        gives=SourceBody,
        refuses=(404, 422),
    ),
    ApiOperation(
        method="delete",
        path="/sources/{sha256}",
        name="drop_source",
        summary="Forget a source",
        status=204,
        refuses=(404, 422),
    ),
    ApiOperation(
        method="post",
        path="/check",
        name="check",
        summary="Check that quotes are in their sources",
        takes=QuotesRequest,
        gives=CheckReport,
        refuses=(404,),
    ),
    ApiOperation(
        method="post",
        path="/cite",
        name="cite",
        summary="Assess the risk of an answer that cites its sources",
        takes=Annotated[AnswerRequest, Meta(extra_json_schema=_BOTH_ITERATIONS)],
        gives=CiteReport,
        refuses=(404,),
    ),
    ApiOperation(
        method="post",
        path="/validate",
        name="validate",
        summary="Compare the claims of personas with research",
        takes=PersonasRequest,
        gives=FaithfulnessReport,
        refuses=(404,),
    ),
)

_WORDS = {
    400: "The body is not JSON, or is incomplete, or the request is for another host",
    401: "The token is missing or wrong",
    403: "The request comes from a page of another site",
    404: "A source is not kept, or no longer; `sha256` lists the hashes",
    408: "The body took too long to arrive",
    413: "The body or the source is too large",
    414: "The query is too long",
    415: "The body has another media type, or is not text",
    422: "A field is invalid; `field` names it",
    431: "The header fields are too many or too large",
    503: "Too many requests are in progress, or the request took too long; try again after Retry-After",
}

TITLES = {
    "bad_json": "The body is not JSON",
    "bad_length": "The length of the body is missing",
    "bad_token": "The token is wrong",
    "broken_off": "The request is incomplete",
    "busy": "Too many requests are in progress",
    "deadline_exceeded": "The request takes too long",
    "empty_source": "The source has no text",
    "head_too_large": "The header fields are too large",
    "internal": "An internal error occurred",
    "invalid": "A field is invalid",
    "no_such_method": "This method is not allowed here",
    "no_such_path": "This path does not exist",
    "no_token": "The token is missing",
    "not_json": "The body has another media type",
    "not_text": "The source is not text",
    "not_utf8": "The source is not UTF-8",
    "other_host": "The request is for another host",
    "other_site": "The request comes from another site",
    "source_too_large": "The source is too large",
    "too_large": "The body is too large",
    "too_long": "The query is too long",
    "too_slow": "The body arrives too slowly",
    "unknown_source": "A source is not kept",
    "unreadable_source": "A source is invalid in its format",
}
"""The title of each code of a problem."""

_API = ApiDescription(
    title="groundwire",
    description="Checks that what a language model says is grounded in its sources.",
    prefix=PREFIX,
    operations=OPERATIONS,
    words=_WORDS,
    always=(400, 401, 403, 414, 431, 503),
    of_bodies=(408, 413, 415, 422),
    failure=ProblemBody,
    failure_media_type="application/problem+json",
    path_schemas={"sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
)


def document(root_path: str = "", *, has_token: bool = True) -> dict[str, Any]:
    """Return the OpenAPI document of an app that is mounted at *root_path*, and requires a token or does not."""
    described = describe_api(_API, root_path)
    if not has_token:
        described["security"] = []
    return described

"""Lists the operations of the API for its OpenAPI document, and serves the endpoints for operators."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from groundwire.http_server.openapi import ApiDescription, ApiOperation, describe_api
from groundwire.memory.records import USER_ID_MAX_CHARS
from groundwire.review.web.api import schemas
from groundwire.review.web.api.claims import reply
from groundwire.review.web.context import RequestContext
from groundwire.review.web.requests import LISTED

__all__ = ["OPERATIONS", "PREFIX", "document", "health", "metrics", "openapi"]

PREFIX = "/api/v1"


def _parameter(name: str, schema: Mapping[str, Any], description: str) -> Mapping[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


_TEXT = {"type": "string", "maxLength": USER_ID_MAX_CHARS, "pattern": "^[^\\x00]*$"}
_FILTERS = (
    _parameter(
        "state",
        {"type": "string", "enum": [str(one) for one in LISTED]},
        "The state of the claims; by default pending.",
    ),
    _parameter("user_id", _TEXT, "The user who owns the claims."),
    _parameter("memory_type", _TEXT, "The type of the claims."),
    _parameter("source", _TEXT, "The source of the claims."),
    _parameter("failed_check", _TEXT, "A check that the claims failed."),
    _parameter("assigned_to", _TEXT, "The person the claims are assigned to."),
)
_AFTER = {"type": "integer", "minimum": 0, "maximum": 2**63 - 1}
_PAGE = (
    _parameter("after", _AFTER, "The position after which the page starts."),
    _parameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 100}, "The maximum number of claims; by default 50."
    ),
)
_ENTRIES = (
    _parameter("after", _AFTER, "The number of the event after which the page starts."),
    _parameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 500}, "The maximum number of events; by default 500."
    ),
)
_DECIDING = (403, 404, 409)

OPERATIONS = (
    ApiOperation(
        method="get", path="/claims", name="api_claims", summary="List excerpts of the claims that you can see",
        gives=schemas.ItemPageBody, query=(*_FILTERS, *_PAGE), refuses=(422,),
    ),
    ApiOperation(
        method="post", path="/claims", name="api_submit", summary="Submit a claim of your own",
        takes=schemas.SubmitRequest, gives=schemas.SubmitResponse, status=201, refuses=(409,),
    ),
    ApiOperation(
        method="get", path="/counts", name="api_counts", summary="Count the claims in each state, up to 1000 each",
        gives=dict[str, int], query=_FILTERS, refuses=(422,),
    ),
    ApiOperation(
        method="get", path="/claims/{queue_id}", name="api_claim", summary="Show a claim and the memory it contradicts",
        gives=schemas.ItemDetailBody, refuses=(404,),
    ),
    ApiOperation(
        method="get", path="/claims/{queue_id}/audit", name="api_audit", summary="List the events of a claim",
        gives=schemas.EventPageBody, query=_ENTRIES, refuses=(404, 422),
    ),
    ApiOperation(
        method="post", path="/claims/{queue_id}/approve", name="api_approve", summary="Approve a claim",
        takes=schemas.ApproveRequest, gives=schemas.ApproveResponse, refuses=(*_DECIDING, 502),
    ),
    ApiOperation(
        method="post", path="/claims/{queue_id}/reject", name="api_reject", summary="Reject a claim",
        takes=schemas.RejectRequest, gives=schemas.DecisionResponse, refuses=_DECIDING,
    ),
    ApiOperation(
        method="post", path="/claims/{queue_id}/skip", name="api_skip", summary="Move a claim to the end of the queue",
        gives=schemas.DecisionResponse, refuses=_DECIDING,
    ),
    ApiOperation(
        method="post", path="/claims/{queue_id}/assign", name="api_assign",
        summary="Assign a claim to a person; for reviewers",
        takes=schemas.AssignRequest, gives=schemas.AssignResponse, refuses=_DECIDING,
    ),
    ApiOperation(
        method="post", path="/decisions", name="api_decide",
        summary="Approve or reject several claims, each with its own outcome",
        takes=schemas.DECISIONS, gives=schemas.OutcomesBody,
    ),
)  # fmt: skip

_WORDS = {
    400: "The body is not JSON, or is incomplete",
    401: "The token is missing or invalid",
    403: "You may not decide on this claim, or the operation is for reviewers",
    404: "You can see no such claim; the response is the same for unknown ids and claims of others",
    408: "The body took too long to arrive",
    409: "The claim is already decided (`decided` has the decision), the key belongs to another claim, "
    "or an approval does not confirm hidden characters",
    413: "The body is too large",
    415: "The body is not application/json",
    414: "The query is too long",
    422: "A field is invalid; `field` names it",
    429: "The queue is full, or there were too many requests; try again after Retry-After",
    431: "The header fields are too many or too large",
    502: "The claim could not be stored, and is pending again",
    503: "The database is unavailable or damaged; nothing was changed. Try again after Retry-After, if it is there",
}
_API = ApiDescription(
    title="groundwire review",
    description="Claims that wait for review. In paths, write ~ for a slash in an id.",
    prefix=PREFIX,
    operations=OPERATIONS,
    words=_WORDS,
    always=(401, 414, 429, 431, 503),
    of_bodies=(400, 408, 413, 415, 422),
    failure=schemas.FailureBody,
    path_schemas={"queue_id": {"type": "string", "minLength": 1}},
    # All of their fields are optional.
    may_be_empty=(schemas.ApproveRequest, schemas.RejectRequest),
)


def document(root_path: str = "") -> dict[str, Any]:
    """Return the OpenAPI document of an app that is mounted at *root_path*."""
    return describe_api(_API, root_path)


async def health(context: RequestContext) -> Response:
    """Return a response that shows only that the database answers."""
    await context.site.queue.audit_trail(limit=1)
    return Response('{"status":"ok"}', media_type="application/json")


async def metrics(context: RequestContext) -> Response:
    """Return the metrics for Prometheus."""
    counts = await context.queue.counts(context.name)
    return Response(context.site.metrics.text(counts), media_type="text/plain; version=0.0.4; charset=utf-8")


async def openapi(context: RequestContext) -> Response:
    """Return the OpenAPI document."""
    root = str(context.request.scope.get("root_path", ""))
    return reply(lambda: document(root))

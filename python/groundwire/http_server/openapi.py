"""Defines the types of bodies, and describes an API in an OpenAPI document from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from groundwire import __version__
from groundwire.memory.records import textless

__all__ = ["ApiDescription", "ApiOperation", "RequestBody", "ResponseBody", "describe_api"]


class _Body(msgspec.Struct):
    """A body as JSON. Its `repr` shows lengths in place of texts."""

    def __repr__(self) -> str:
        return textless(self, {name: getattr(self, name) for name in self.__struct_fields__})


class RequestBody(_Body, forbid_unknown_fields=True):
    """The body of a request; unknown fields are refused."""


class ResponseBody(_Body):
    """The body of a response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiOperation:
    """
    An operation of an API.

    Attributes:
        method: The method in lower case, such as "get".
        path: The path after the prefix.
        name: The name of the operation and of its route.
        summary: The description.
        takes: The type of the request's body as JSON, or None.
        takes_text: The schema of a body that is plain text instead, or None.
        gives: The type of the response's body; None for an empty one.
        status: The status of the response.
        also: Other statuses of a response with this body.
        query: The query parameters.
        refuses: Statuses of failures beside those of all operations.
    """

    method: str
    path: str
    name: str
    summary: str
    takes: Any = None
    takes_text: Mapping[str, Any] | None = None
    gives: Any = None
    status: int = 200
    also: Sequence[int] = ()
    query: Sequence[Mapping[str, Any]] = ()
    refuses: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiDescription:
    """
    An API.

    Attributes:
        title: Its name.
        description: What a reader needs to know about all operations.
        prefix: The prefix of all paths.
        operations: Its operations.
        words: The meaning of each status of a failure.
        always: Statuses with which every operation may fail.
        of_bodies: Statuses with which operations with a body may fail.
        failure: The type of the body of a failure.
        failure_media_type: The media type of this body.
        path_schemas: The schema of each parameter in paths.
        may_be_empty: Types of bodies for which an empty body counts as an empty object.
    """

    title: str
    description: str
    prefix: str
    operations: Sequence[ApiOperation]
    words: Mapping[int, str]
    always: Sequence[int]
    of_bodies: Sequence[int]
    failure: Any
    failure_media_type: str = "application/json"
    path_schemas: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    may_be_empty: Sequence[Any] = ()


def describe_api(api: ApiDescription, root_path: str = "") -> dict[str, Any]:
    """Return the OpenAPI document of an API that is mounted at *root_path*."""
    kinds = [kind for one in api.operations for kind in (one.takes, one.gives) if kind is not None]
    described, components = msgspec.json.schema_components(
        [*kinds, api.failure], ref_template="#/components/schemas/{name}"
    )
    # A list, because types need not be hashable.
    by_kind = [(kind, schema) for kind, schema in zip([*kinds, api.failure], described, strict=True)]

    def schema_of(wanted: Any) -> Any:
        return next(schema for kind, schema in by_kind if kind is wanted or kind == wanted)

    paths: dict[str, dict[str, Any]] = {}
    for one in api.operations:
        paths.setdefault(api.prefix + one.path, {})[one.method] = _described(api, one, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {"title": api.title, "version": __version__, "description": api.description},
        "servers": [{"url": root_path or "/"}],
        "paths": paths,
        "security": [{"token": []}],
        "components": {
            "schemas": dict(components),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(api: ApiDescription, one: ApiOperation, schema_of: Any) -> dict[str, Any]:
    has_body = one.takes is not None or one.takes_text is not None
    statuses = sorted({*api.always, *one.refuses, *(api.of_bodies if has_body else ())})
    failure = {api.failure_media_type: {"schema": schema_of(api.failure)}}
    success: dict[str, Any] = {"description": "Success"}
    if one.gives is not None:
        success["content"] = {"application/json": {"schema": schema_of(one.gives)}}
    responses = {str(status): success for status in (one.status, *one.also)}
    responses |= {str(status): {"description": api.words[status], "content": failure} for status in statuses}
    operation: dict[str, Any] = {"operationId": one.name, "summary": one.summary, "responses": responses}
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in api.path_schemas.items()
        if f"{{{name}}}" in one.path
    ]
    if parameters := [*in_path, *one.query]:
        operation["parameters"] = parameters
    if one.takes_text is not None:
        operation["requestBody"] = {"required": True, "content": {"text/plain": {"schema": one.takes_text}}}
    elif has_body:
        body = {"application/json": {"schema": schema_of(one.takes)}}
        operation["requestBody"] = {"required": one.takes not in api.may_be_empty, "content": body}
    return operation

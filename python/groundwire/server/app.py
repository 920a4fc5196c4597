"""Builds the ASGI app: its routes and their responses."""

import re
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TypeVar

import msgspec
from msgspec import UNSET
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundwire.http_server.requests import LOOPBACK, HostNames, decode_json, read_body
from groundwire.http_server.responses import HttpProblem
from groundwire.server.checks import UnknownSources, assess_cited_answer, check_quoted, validate_personas
from groundwire.server.openapi import PREFIX, TITLES, document
from groundwire.server.schemas import (
    AnswerRequest,
    PersonasRequest,
    ProblemBody,
    QuotesRequest,
    SourceBody,
    StatusBody,
)
from groundwire.server.service import Service, ServiceLimits
from groundwire.server.source_store import SourceStore, decode_source
from groundwire.telemetry import as_label, service_request_failed, text_hasher

__all__ = ["ROUTES", "ServiceRoute", "create_app"]

_In = TypeVar("_In", bound=msgspec.Struct)

_JSON = "application/json"
_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
_TEXT_TYPE = re.compile(r"text/plain[ \t]*(?:;[ \t]*charset=\"?utf-?8\"?[ \t]*)?", re.IGNORECASE)
_TOKEN_MIN_CHARS = 16
# No spaces, because the space around the token of a request is dropped.
_TOKEN = re.compile(f"[!-~]{{{_TOKEN_MIN_CHARS},}}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def create_app(
    *, token: str | None = None, hosts: Sequence[str] | None = LOOPBACK, limits: ServiceLimits | None = None
) -> Starlette:
    """
    Return the service as an ASGI app.

    Args:
        token: The secret that requests send as `Authorization: Bearer TOKEN`; None lets everybody in who can connect.
        hosts: The host names that requests may use, so that other sites' names cannot point here; None for any.
        limits: The limits of the service.

    Raises:
        ValueError: The token is too short or has other characters than visible ASCII, or one of *hosts* is not a host.
    """
    if token is not None and not _TOKEN.fullmatch(token):
        raise ValueError(f"a token has at least {_TOKEN_MIN_CHARS} visible characters of ASCII")
    service = Service(token, None if hosts is None else HostNames(hosts), limits or ServiceLimits())
    # The report has the same warnings. Python would write them to standard error, with the names of sources.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"groundwire\.server\.checks")
    app = Starlette(
        routes=[_route(service, entry) for entry in ROUTES],
        exception_handlers={HTTPException: partial(_no_route, service)},
        lifespan=service.lifespan,
    )
    app.router.redirect_slashes = False
    return app


@dataclass(frozen=True, slots=True)
class ServiceRoute:
    """
    A route.

    Attributes:
        method: The method.
        path: The path.
        name: The name, in metrics and in the description.
        handler: Returns the response.
        is_public: Whether it needs no token.
        is_counted: Whether it counts as work, of which there is a limit.
    """

    method: str
    path: str
    name: str
    handler: Callable[[Service, Request], Awaitable[Response]]
    is_public: bool = False
    is_counted: bool = True


def _route(service: Service, entry: ServiceRoute) -> Route:
    async def endpoint(request: Request) -> Response:
        return await _answer(service, entry, request)

    return Route(entry.path, endpoint, methods=[entry.method], name=entry.name)


async def _answer(service: Service, entry: ServiceRoute, request: Request) -> Response:
    """Answer *request*, even if its handler fails."""
    started = perf_counter()
    try:
        service.check(request, is_public=entry.is_public, is_counted=entry.is_counted)
        service.active += entry.is_counted
        try:
            response = await entry.handler(service, request)
        finally:
            service.active -= entry.is_counted
    except HttpProblem as problem:
        response = _refused(problem)
    except Exception as error:
        _log(entry, error)
        response = _refused(HttpProblem(500, "internal", "An internal error occurred; nothing was decided."))
    service.metrics.answered(entry.name, response.status_code, perf_counter() - started)
    return response


def _log(entry: ServiceRoute, error: Exception) -> None:
    """Log the class of an exception, never its message."""
    hasher = text_hasher()
    service_request_failed(route=as_label(entry.name, hasher), error_type=as_label(type(error).__name__, hasher))


def _refused(problem: HttpProblem) -> Response:
    """Return a problem as JSON (RFC 9457)."""
    body = ProblemBody(
        type=f"urn:groundwire:problem:{problem.code}",
        title=TITLES[problem.code],
        status=problem.status,
        detail=problem.message,
        code=problem.code,
        field=UNSET if problem.field is None else problem.field,
        sha256=problem.hashes if isinstance(problem, UnknownSources) else UNSET,
    )
    response = _json(msgspec.json.encode(body), status=problem.status, media_type="application/problem+json")
    if problem.status == 401:
        response.headers["www-authenticate"] = 'Bearer realm="groundwire"'
    if problem.retry_after_s is not None:
        response.headers["retry-after"] = str(problem.retry_after_s)
    return response


def _json(content: bytes, *, status: int = 200, media_type: str = _JSON) -> Response:
    return Response(content, status_code=status, media_type=media_type, headers=_HEADERS)


async def _no_route(service: Service, _: Request, error: Exception) -> Response:
    """Answer a request that no route takes."""
    assert isinstance(error, HTTPException), "it is registered for this class"
    is_405 = error.status_code == 405
    words = "This method is not allowed here." if is_405 else "This path does not exist."
    response = _refused(HttpProblem(405 if is_405 else 404, "no_such_method" if is_405 else "no_such_path", words))
    response.headers.update({name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"})
    service.metrics.answered("none", response.status_code, 0.0)
    return response


def _reporting(
    kind: type[_In], make: Callable[[_In, SourceStore], msgspec.Struct]
) -> Callable[[Service, Request], Awaitable[Response]]:
    """Return the handler that makes a report of a body of this type."""

    async def handler(service: Service, request: Request) -> Response:
        body = await read_body(request, service.limits)

        def work() -> bytes:
            return msgspec.json.encode(make(decode_json(request, body, kind), service.store))

        return _json(await service.run(work))

    return handler


async def _keep(service: Service, request: Request) -> Response:
    """Keep a source."""
    media_type = request.headers.get("content-type", "text/plain")
    if not _TEXT_TYPE.fullmatch(media_type.strip()):
        raise HttpProblem(415, "not_text", "A source must be text/plain in UTF-8.")
    body = await read_body(request, service.limits)
    source = await service.run(lambda: decode_source(body))
    is_new = service.store.put(source)
    response = _json(
        msgspec.json.encode(SourceBody(sha256=source.sha256, chars=len(source.text))), status=201 if is_new else 200
    )
    response.headers["location"] = f"{request.scope.get('root_path', '')}{PREFIX}/sources/{source.sha256}"
    return response


async def _show(service: Service, request: Request) -> Response:
    """Show whether a source is kept."""
    digest = _digest(request)
    source = service.store.get(digest)
    if source is None:
        raise UnknownSources([digest])
    return _json(msgspec.json.encode(SourceBody(sha256=digest, chars=len(source.text))))


async def _drop(service: Service, request: Request) -> Response:
    """Forget a source."""
    digest = _digest(request)
    if not service.store.drop(digest):
        raise UnknownSources([digest])
    return Response(status_code=204, headers=_HEADERS)


def _digest(request: Request) -> str:
    digest: str = request.path_params["sha256"]
    if not _DIGEST.fullmatch(digest):
        raise HttpProblem(422, "invalid", "sha256: expected 64 hexadecimal digits in lower case", field="sha256")
    return digest


async def _health(_: Service, __: Request) -> Response:
    """Show that the process answers."""
    return _json(msgspec.json.encode(StatusBody(status="ok")))


async def _ready(service: Service, _: Request) -> Response:
    """Show whether requests would be worked on now."""
    is_busy = service.active >= service.limits.requests_at_once
    status = "starting" if not service.is_warm else "busy" if is_busy else "ok"
    return _json(msgspec.json.encode(StatusBody(status=status)), status=200 if status == "ok" else 503)


async def _show_metrics(service: Service, _: Request) -> Response:
    return Response(service.metrics_text(), media_type="text/plain; version=0.0.4; charset=utf-8", headers=_HEADERS)


async def _describe(service: Service, request: Request) -> Response:
    described = document(str(request.scope.get("root_path", "")), has_token=service.has_token)
    return _json(msgspec.json.encode(described))


_ONE_SOURCE = f"{PREFIX}/sources/{{sha256}}"

ROUTES = (
    ServiceRoute("PUT", f"{PREFIX}/sources", "keep_source", _keep),
    ServiceRoute("GET", _ONE_SOURCE, "show_source", _show, is_counted=False),
    ServiceRoute("DELETE", _ONE_SOURCE, "drop_source", _drop, is_counted=False),
    ServiceRoute("POST", f"{PREFIX}/check", "check", _reporting(QuotesRequest, check_quoted)),
    ServiceRoute("POST", f"{PREFIX}/cite", "cite", _reporting(AnswerRequest, assess_cited_answer)),
    ServiceRoute("POST", f"{PREFIX}/validate", "validate", _reporting(PersonasRequest, validate_personas)),
    ServiceRoute("GET", f"{PREFIX}/openapi.json", "openapi", _describe, is_public=True, is_counted=False),
    ServiceRoute("GET", "/health", "health", _health, is_public=True, is_counted=False),
    ServiceRoute("GET", "/ready", "ready", _ready, is_public=True, is_counted=False),
    ServiceRoute("GET", "/metrics", "metrics", _show_metrics, is_counted=False),
)

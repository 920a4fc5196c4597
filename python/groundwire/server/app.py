"""Builds the ASGI app: its routes, and what every request goes through."""

import asyncio
import hmac
import re
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import TypeVar

import msgspec
from msgspec import UNSET
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from groundwire.review.web.auth import check_head, check_origin
from groundwire.review.web.hosts import LOOPBACK, HostNames
from groundwire.review.web.rate_limiter import RequestLimits
from groundwire.review.web.requests import decode_json, read_body
from groundwire.review.web.responses import HttpProblem, Metric, ResponseMetrics
from groundwire.server.checks import UnknownSources, assess_cited_answer, check_quoted, validate_personas
from groundwire.server.openapi import PREFIX, TITLES, document
from groundwire.server.schemas import (
    AnswerRequest,
    GivenSource,
    PersonasRequest,
    ProblemBody,
    QuotesRequest,
    SourceBody,
    StatusBody,
)
from groundwire.server.source_store import SourceStore, decode_source
from groundwire.telemetry import as_label, prometheus_text, service_request_failed, text_hasher

__all__ = ["THREADS", "TOKEN_MIN_CHARS", "ServiceLimits", "create_app"]

TOKEN_MIN_CHARS = 16
"""The minimum length of a token, in characters."""

THREADS = "groundwire-service"
"""The beginning of the names of threads that work on requests."""

_T = TypeVar("_T")
_In = TypeVar("_In", bound=msgspec.Struct)

_JSON = "application/json"
_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
_TEXT_TYPE = re.compile(r"text/plain[ \t]*(?:;[ \t]*charset=\"?utf-?8\"?[ \t]*)?", re.IGNORECASE)
_DIGEST = re.compile(r"[0-9a-f]{64}")
_BUSY_RETRY_S = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """
    The limits of the service.

    Attributes:
        body_bytes: The size of a body, and so of a source.
        body_timeout_s: Seconds in which a body has to arrive.
        deadline_s: Seconds for the work of one request.
        requests_at_once: Requests in progress, including those whose body arrives; further ones are refused.
        threads: Requests that are worked on at once; the others wait.
        sources_bytes: The memory of all kept sources together.

    Raises:
        ValueError: A limit is not positive.
    """

    body_bytes: int = 8 << 20
    body_timeout_s: float = 10.0
    deadline_s: float = 30.0
    requests_at_once: int = 64
    threads: int = 2
    sources_bytes: int = 512 << 20

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive")


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
    if token is not None and not (len(token) >= TOKEN_MIN_CHARS and token.isascii() and token.isprintable()):
        raise ValueError(f"a token has at least {TOKEN_MIN_CHARS} visible characters of ASCII")
    service = _Service(token, None if hosts is None else HostNames(hosts), limits or ServiceLimits())
    # The report has the same warnings. Python would write them to standard error, with the names of sources.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"groundwire\.server\.checks")
    app = Starlette(
        routes=[_route(service, entry) for entry in ROUTES],
        exception_handlers={HTTPException: partial(_no_route, service)},
        lifespan=service.lifespan,
    )
    app.router.redirect_slashes = False
    return app


class _Service:
    """Holds the state of the service: sources, metrics, threads, and the number of requests in progress."""

    def __init__(self, token: str | None, hosts: HostNames | None, limits: ServiceLimits) -> None:
        self.limits = limits
        self.store = SourceStore(limits.sources_bytes)
        self.metrics = ResponseMetrics("service")
        self.request_limits = RequestLimits(body_bytes=limits.body_bytes, body_timeout_s=limits.body_timeout_s)
        self.active = 0
        self.is_warm = False
        self._hosts = hosts
        self.has_token = token is not None
        self._token_hash = None if token is None else _hash(token)
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix=THREADS)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Warm up in the background; at the end, wait for no work that nobody waits for."""
        warming = asyncio.get_running_loop().run_in_executor(self._threads, self._warm_up)
        yield
        warming.cancel()
        self.is_warm = False
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _warm_up(self) -> None:
        """Load word lists, so that the first request takes as long as the others."""
        text = "The lighthouse was built in 1887. Nobody lives there now."
        check_quoted(QuotesRequest(quotes=[text], sources=[GivenSource(text=text)]), self.store)
        self.is_warm = True

    def check(self, entry: "ServiceRoute", request: Request) -> None:
        """
        Check everything about a request but its body.

        Raises:
            HttpProblem: Host, origin or token are wrong, the head is too large, or there are too many requests.
        """
        if self._hosts is not None and not self._hosts.knows(request.scope):
            raise HttpProblem(400, "other_host", "The request is for another host.")
        check_head(request, self.request_limits)
        check_origin(request)
        if not entry.is_public:
            self._check_token(request)
        if entry.is_counted and self.active >= self.limits.requests_at_once:
            words = f"{self.limits.requests_at_once} requests are in progress."
            raise HttpProblem(503, "busy", words, retry_after_s=_BUSY_RETRY_S)

    def _check_token(self, request: Request) -> None:
        if self._token_hash is None:
            return
        sent = request.headers.getlist("authorization")
        scheme, _, token = sent[0].partition(" ") if len(sent) == 1 else ("", "", "")
        if scheme.lower() != "bearer":
            raise HttpProblem(401, "no_token", "The request needs a token.")
        # Hashes have one length, so the time of the comparison tells nothing about the token.
        if not hmac.compare_digest(_hash(token.strip()), self._token_hash):
            raise HttpProblem(401, "bad_token", "The token is wrong.")

    async def run(self, work: Callable[[], _T]) -> _T:
        """
        Return the result of *work*, which runs in a thread.

        Work cannot be interrupted. After the deadline it counts as a request in progress until it ends.

        Raises:
            HttpProblem: The deadline has passed.
        """
        job = self._threads.submit(work)
        doing = asyncio.wrap_future(job)
        done, _ = await asyncio.wait({doing}, timeout=self.limits.deadline_s)
        if done:
            return doing.result()
        # The future of asyncio could be cancelled even while the thread works.
        if not job.cancel():
            self.active += 1
            doing.add_done_callback(self._abandoned)
        words = f"The request takes more than {self.limits.deadline_s:g} s; nothing was decided."
        raise HttpProblem(503, "deadline_exceeded", words, retry_after_s=_BUSY_RETRY_S)

    def _abandoned(self, done: "asyncio.Future[_T]") -> None:
        self.active -= 1
        # asyncio would log an exception that nobody has asked for, with its message.
        if not done.cancelled():
            done.exception()

    def metrics_text(self) -> str:
        """Return the metrics in Prometheus' text format."""
        return prometheus_text(self._metrics())

    def _metrics(self) -> Iterator[Metric]:
        store = self.store
        yield "service_requests_in_progress", "gauge", "Requests in progress.", {"": str(self.active)}
        yield "service_sources", "gauge", "Sources that are kept.", {"": str(len(store))}
        yield "service_source_bytes", "gauge", "Estimated memory of kept sources.", {"": str(store.used_bytes)}
        yield "service_source_evictions_total", "counter", "Sources that had to go.", {"": str(store.evicted)}
        yield from self.metrics.of_responses()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


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
    handler: Callable[[_Service, Request], Awaitable[Response]]
    is_public: bool = False
    is_counted: bool = True


def _route(service: _Service, entry: ServiceRoute) -> Route:
    async def endpoint(request: Request) -> Response:
        return await _answer(service, entry, request)

    return Route(entry.path, endpoint, methods=[entry.method], name=entry.name)


async def _answer(service: _Service, entry: ServiceRoute, request: Request) -> Response:
    """Answer *request*, even if its handler fails."""
    started = perf_counter()
    try:
        service.check(entry, request)
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


async def _no_route(service: _Service, _: Request, error: Exception) -> Response:
    """Answer a request that no route takes."""
    is_405 = isinstance(error, HTTPException) and error.status_code == 405
    words = "This method is not allowed here." if is_405 else "This path does not exist."
    response = _refused(HttpProblem(405 if is_405 else 404, "no_such_method" if is_405 else "no_such_path", words))
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update({name: value for name, value in error.headers.items() if name.lower() == "allow"})
    service.metrics.answered("none", response.status_code, 0.0)
    return response


def _reporting(
    kind: type[_In], make: Callable[[_In, SourceStore], msgspec.Struct]
) -> Callable[[_Service, Request], Awaitable[Response]]:
    """Return the handler that makes a report of a body of this type."""

    async def handler(service: _Service, request: Request) -> Response:
        body = await read_body(request, service.request_limits)

        def work() -> bytes:
            return msgspec.json.encode(make(decode_json(request, body, kind), service.store))

        return _json(await service.run(work))

    return handler


async def _keep(service: _Service, request: Request) -> Response:
    """Keep a source."""
    media_type = request.headers.get("content-type", "text/plain")
    if not _TEXT_TYPE.fullmatch(media_type.strip()):
        raise HttpProblem(415, "not_text", "A source must be text/plain in UTF-8.")
    body = await read_body(request, service.request_limits)
    source = await service.run(lambda: decode_source(body))
    is_new = service.store.put(source)
    response = _json(
        msgspec.json.encode(SourceBody(sha256=source.sha256, chars=len(source.text))), status=201 if is_new else 200
    )
    response.headers["location"] = f"{request.scope.get('root_path', '')}{PREFIX}/sources/{source.sha256}"
    return response


async def _show(service: _Service, request: Request) -> Response:
    """Tell whether a source is kept."""
    digest = _digest(request)
    source = service.store.get(digest)
    if source is None:
        raise UnknownSources([digest])
    return _json(msgspec.json.encode(SourceBody(sha256=digest, chars=len(source.text))))


async def _drop(service: _Service, request: Request) -> Response:
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


async def _health(_: _Service, __: Request) -> Response:
    """Show that the process answers."""
    return _json(msgspec.json.encode(StatusBody(status="ok")))


async def _ready(service: _Service, _: Request) -> Response:
    """Show whether requests would be worked on now."""
    is_busy = service.active >= service.limits.requests_at_once
    status = "starting" if not service.is_warm else "busy" if is_busy else "ok"
    return _json(msgspec.json.encode(StatusBody(status=status)), status=200 if status == "ok" else 503)


async def _show_metrics(service: _Service, _: Request) -> Response:
    return Response(service.metrics_text(), media_type="text/plain; version=0.0.4; charset=utf-8", headers=_HEADERS)


async def _describe(service: _Service, request: Request) -> Response:
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

"""Builds the ASGI app: its routes, the answer to each request, and the headers of every response."""

from asyncio import get_running_loop
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.http_server.requests import HostNames, check_head, check_origin
from groundwire.http_server.responses import HttpProblem
from groundwire.memory import MemoryStore
from groundwire.review.queue import ReviewQueue
from groundwire.review.web.api import claims as api
from groundwire.review.web.api import openapi
from groundwire.review.web.api.openapi import PREFIX
from groundwire.review.web.auth import authenticate, check_access
from groundwire.review.web.context import (
    AccessLevel,
    AppContext,
    Auth,
    Handler,
    RequestContext,
    ReviewMetrics,
    TrustedProxy,
    WebRoute,
)
from groundwire.review.web.credentials import SessionStore
from groundwire.review.web.pages import claims as pages
from groundwire.review.web.pages import decisions, layout, memories
from groundwire.review.web.rate_limiter import FairScheduler, RateLimiter, RequestLimits
from groundwire.review.web.responses import ASSETS, LateResponse, asset, to_problem
from groundwire.telemetry import as_label, review_request_failed, text_hasher

__all__ = ["ROUTES", "answer", "create_app"]

# Everything comes from the page's own host, the page has no inline code, and no site may frame it.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_NO_STORE = (b"cache-control", b"no-store")
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With "no-referrer", browsers would not name the origin of our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]


def create_app(
    store: ReviewQueue | MemoryStore | str | Path,
    *,
    auth: Auth,
    proxy: TrustedProxy | None = None,
    hosts: Sequence[str] | None = None,
    limits: RequestLimits | None = None,
) -> Starlette:
    """
    Return the review page and its JSON API as an ASGI app.

    Args:
        store: The queue, or its location: a store, a file, `sqlite:///...` or `postgresql://...`. The app closes
            a queue that it opens.
        auth: The authentication: `TokenAuthenticator(TokenStore(store))`, or a sync or async function that takes a
            request and returns a name, a `Principal`, or None.
        proxy: A proxy in front of the app whose headers count; None for no proxy.
        hosts: The host names that requests may use, so that other sites' names cannot point here; None for any.
        limits: The limits of one client.

    Raises:
        MemoryStoreError: The database cannot be opened.
        ValueError: One of *hosts* is not a host.
    """
    middleware = [Middleware(_SafeHeaders)]
    if hosts is not None:
        middleware.append(Middleware(_KnownHosts, hosts=HostNames(hosts)))
    # Opened last, so that no error leaves it open.
    queue = store if isinstance(store, ReviewQueue) else ReviewQueue(store=store)
    site = _site(queue, auth, proxy, limits or RequestLimits())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        if queue is not store:
            queue.close()

    app = Starlette(
        routes=[_route(site, entry) for entry in ROUTES],
        middleware=middleware,
        exception_handlers={HTTPException: partial(_refused, site)},
        lifespan=lifespan,
    )
    # Starlette's own redirects lead to the host and scheme that the request names.
    app.router.redirect_slashes = False
    return app


def _site(queue: ReviewQueue, auth: Auth, proxy: TrustedProxy | None, limits: RequestLimits) -> AppContext:
    return AppContext(
        queue=queue,
        auth=auth,
        proxy=proxy,
        limits=limits,
        sessions=SessionStore(limits.session_s),
        failures=RateLimiter(limits.failures_per_min / 60, limits.failures_at_once),
        requests=RateLimiter(limits.requests_per_s, limits.requests_at_once),
        turns=FairScheduler(limits.turns_at_once, limits.turns_of_one, limits.waiting_of_one),
        # More threads would only compete for the interpreter.
        makers=ThreadPoolExecutor(limits.turns_at_once, thread_name_prefix="groundwire-page"),
        metrics=ReviewMetrics(),
        paths={entry.name: entry.path for entry in ROUTES},
    )


def _route(site: AppContext, entry: WebRoute) -> Route:
    async def endpoint(request: Request) -> Response:
        return await answer(site, entry, request)

    return Route(entry.path, endpoint, methods=[entry.method], name=entry.name)


async def _refused(site: AppContext, request: Request, error: Exception) -> Response:
    """Answer a request that no route takes."""
    assert isinstance(error, HTTPException), "it is registered for this class"
    there = _without_slash(request) if error.status_code == 404 else None
    if there is not None:
        return RedirectResponse(there, status_code=307)
    is_405 = error.status_code == 405
    words = "This method is not allowed here." if is_405 else "This page does not exist."
    problem = HttpProblem(error.status_code, "no_such_method" if is_405 else "no_such_page", words)
    is_api = request.url.path.removeprefix(request.scope.get("root_path", "")).startswith("/api/")
    refuse: Callable[[RequestContext, HttpProblem], Response] = api.refuse if is_api else layout.refuse
    response = refuse(RequestContext(site, request), problem)
    await make_body(site, response)
    response.headers.update({name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"})
    return response


def _without_slash(request: Request) -> str | None:
    """Return path and query of the route that matches without a trailing slash, or None."""
    path = str(request.scope["path"])
    shorter = {**request.scope, "path": path.rstrip("/")}
    root = str(request.scope.get("root_path", ""))
    # A path with two leading slashes would lead to another host.
    if not path.endswith("/") or not shorter["path"].removeprefix(root) or path.startswith("//"):
        return None
    if all(route.matches(shorter)[0] is Match.NONE for route in request.app.routes):
        return None
    query = request.scope["query_string"].decode("latin-1")
    return quote(shorter["path"]) + (f"?{query}" if query else "")


class _SafeHeaders:
    """Middleware that adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_RAW_HEADERS]
                if all(name != b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE)
                message["headers"] = headers
            await send(message)

        forward: Callable[[Message], Awaitable[None]] = send_safely if scope["type"] == "http" else send
        await self._app(scope, receive, forward)


class _KnownHosts:
    """Middleware that refuses requests for other *hosts* with 400."""

    def __init__(self, app: ASGIApp, hosts: HostNames) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._hosts.knows(scope):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("The request is for another host.", status_code=400)(scope, receive, send)


_IMMUTABLE = "public, max-age=31536000, immutable"


async def _asset(context: RequestContext) -> Response:
    """Return a static file; its address contains its version."""
    name = context.request.path_params["name"]
    if name not in ASSETS:
        raise HttpProblem(404, "not_found", "This file does not exist.")
    return Response(asset(name), headers={"content-type": ASSETS[name][1], "cache-control": _IMMUTABLE})


def _page(
    method: str, path: str, name: str, handler: Handler, access: AccessLevel = AccessLevel.AUTHENTICATED
) -> WebRoute:
    return WebRoute(method, path, name, access, handler, layout.refuse, is_page=True)


def _api(
    method: str, path: str, name: str, handler: Handler, access: AccessLevel = AccessLevel.AUTHENTICATED
) -> WebRoute:
    return WebRoute(method, path, name, access, handler, api.refuse, is_page=False)


ROUTES = (
    _page("GET", "/", "claims", pages.claims),
    _page("GET", "/claims/{queue_id}", "claim", pages.claim),
    _page("POST", "/claims/{queue_id}/approve", "approve", decisions.approve),
    _page("POST", "/claims/{queue_id}/reject", "reject", decisions.reject),
    _page("POST", "/claims/{queue_id}/skip", "skip", decisions.skip),
    _page("POST", "/claims/{queue_id}/assign", "assign", decisions.assign, AccessLevel.REVIEWER),
    _page("POST", "/decisions", "decide", decisions.decide_batch),
    _page("GET", "/memories", "memories", memories.memories),
    _page("GET", "/memories/export", "export", memories.export),
    _page("POST", "/memories/revoke", "revoke", memories.revoke, AccessLevel.REVIEWER),
    _page("GET", "/memories/{memory_id}", "memory", memories.memory),
    _page("POST", "/preferences", "choose", layout.choose),
    _page("GET", "/sign-in", "sign_in", layout.sign_in_form, AccessLevel.ANONYMOUS),
    _page("POST", "/sign-in", "enter", layout.sign_in, AccessLevel.ANONYMOUS),
    _page("POST", "/sign-out", "leave", layout.sign_out),
    _api("GET", "/assets/{name}", "asset", _asset, AccessLevel.ANONYMOUS),
    _api("GET", "/health", "health", openapi.health, AccessLevel.ANONYMOUS),
    _api("GET", "/metrics", "metrics", openapi.metrics, AccessLevel.REVIEWER),
    _api("GET", f"{PREFIX}/openapi.json", "openapi", openapi.openapi, AccessLevel.ANONYMOUS),
    _api("GET", f"{PREFIX}/claims", "api_claims", api.claims),
    _api("POST", f"{PREFIX}/claims", "api_submit", api.submit),
    _api("GET", f"{PREFIX}/counts", "api_counts", api.counts),
    _api("GET", f"{PREFIX}/claims/{{queue_id}}", "api_claim", api.claim),
    _api("GET", f"{PREFIX}/claims/{{queue_id}}/audit", "api_audit", api.audit),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/approve", "api_approve", api.approve),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/reject", "api_reject", api.reject),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/skip", "api_skip", api.skip),
    _api("POST", f"{PREFIX}/claims/{{queue_id}}/assign", "api_assign", api.assign, AccessLevel.REVIEWER),
    _api("POST", f"{PREFIX}/decisions", "api_decide", api.decide),
)


_SAFE = ("GET", "HEAD")


async def answer(site: AppContext, entry: WebRoute, request: Request) -> Response:
    """Answer *request*, even if its handler fails."""
    started = perf_counter()
    context = RequestContext(site, request)
    try:
        check_head(request, site.limits)
        context = await authenticate(context, entry)
        check_access(context, entry)
        response = await _handled(context, entry)
    except Exception as error:
        problem = to_problem(error)
        if problem.status == 500:
            _log(entry, error)
        response = await _refuse(entry, context, problem)
        if problem.retry_after_s is not None:
            response.headers["retry-after"] = str(problem.retry_after_s)
    site.metrics.answered(entry.name, response.status_code, perf_counter() - started)
    return response


async def make_body(site: AppContext, response: Response) -> None:
    """Compute the body of *response* in a thread, if it is a `LateResponse`."""
    if isinstance(response, LateResponse):
        await get_running_loop().run_in_executor(site.makers, response.make)


async def _handled(context: RequestContext, entry: WebRoute) -> Response:
    """
    Return the response of the route. Clients share the time for reading and computing bodies fairly.

    Decisions are exempt, because they may wait for a body or a callback, and would keep readers waiting.
    """
    site = context.site
    if context.request.method in _SAFE:
        async with site.turns.turn(context.limited_as):
            response = await entry.handler(context)
            await make_body(site, response)
        return response
    check_origin(context.request)
    response = await entry.handler(context)
    async with site.turns.turn(context.limited_as):
        await make_body(site, response)
    return response


async def _refuse(entry: WebRoute, context: RequestContext, problem: HttpProblem) -> Response:
    """Return the problem in the format of the route, or as plain text if that fails too."""
    try:
        response = entry.refuse(context, problem)
        await make_body(context.site, response)
        return response
    except Exception as error:
        _log(entry, error)
        return PlainTextResponse("An internal error occurred.", status_code=500)


def _log(entry: WebRoute, error: Exception) -> None:
    """Log the class of an exception, never its message."""
    hasher = text_hasher()
    review_request_failed(route=as_label(entry.name, hasher), error_type=as_label(type(error).__name__, hasher))

"""The app: the routes, and around them what holds for every response."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.memory import MemoryStore
from groundwire.review.queue import ReviewQueue
from groundwire.review.web.answering import answer, make_body
from groundwire.review.web.api import exchange
from groundwire.review.web.hosts import Hosts, KnownHosts
from groundwire.review.web.limits import Buckets, Limits
from groundwire.review.web.metrics import Metrics
from groundwire.review.web.pages import frame
from groundwire.review.web.problems import Problem
from groundwire.review.web.proxies import TrustedProxy
from groundwire.review.web.routes import ENTRIES
from groundwire.review.web.sessions import Sessions
from groundwire.review.web.turns import FairTurns
from groundwire.review.web.visits import Auth, Entry, Site, Visit

__all__ = ["create_app"]

# Everything comes from the page's own host, nothing stands inside of the page, and nobody frames it.
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_KEPT_BY_NOBODY = (b"cache-control", b"no-store")
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not "no-referrer": browsers would say of our own forms that they come from nowhere.
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
    limits: Limits | None = None,
) -> Starlette:
    """
    Return the review page and its JSON API as an ASGI app.

    Args:
        store: The queue, or where it is: a store, a file, `sqlite:///...` or `postgresql://...`.
            One that is opened here is closed when the app ends.
        auth: Who is let in: `TokenAuth(Tokens(store))`, or a function, sync or async, that
            returns of a request the name of who makes it, a `Person`, or None.
        proxy: A proxy in front of the app whose headers count; None: nobody's do.
        hosts: The hosts that requests may be meant for, which keeps other sites' names from
            leading here; None for any.
        limits: What one client may ask for.

    Raises:
        MemoryStoreError: The database cannot be opened.
        ValueError: One of *hosts* is no host.
    """
    queue = store if isinstance(store, ReviewQueue) else ReviewQueue(store=store)
    site = _site(queue, auth, proxy, limits or Limits())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        if queue is not store:
            queue.close()

    middleware = [Middleware(_SafeHeaders)]
    if hosts is not None:
        middleware.append(Middleware(KnownHosts, hosts=Hosts(hosts)))
    app = Starlette(
        routes=[_route(site, entry) for entry in ENTRIES],
        middleware=middleware,
        exception_handlers={HTTPException: partial(_refused, site)},
        lifespan=lifespan,
    )
    # Starlette's own redirects lead to the host and scheme that the request names.
    app.router.redirect_slashes = False
    return app


def _site(queue: ReviewQueue, auth: Auth, proxy: TrustedProxy | None, limits: Limits) -> Site:
    return Site(
        queue=queue,
        auth=auth,
        proxy=proxy,
        limits=limits,
        sessions=Sessions(limits.session_s),
        failures=Buckets(limits.failures_per_min / 60, limits.failures_at_once),
        requests=Buckets(limits.requests_per_s, limits.requests_at_once),
        turns=FairTurns(limits.turns_at_once, limits.turns_of_one, limits.waiting_of_one),
        # More would only compete for the interpreter.
        makers=ThreadPoolExecutor(limits.turns_at_once, thread_name_prefix="groundwire-page"),
        metrics=Metrics(),
        paths={entry.name: entry.path for entry in ENTRIES},
    )


def _route(site: Site, entry: Entry) -> Route:
    async def endpoint(request: Request) -> Response:
        return await answer(site, entry, request)

    return Route(entry.path, endpoint, methods=[entry.method], name=entry.name)


async def _refused(site: Site, request: Request, error: Exception) -> Response:
    """What no route answers."""
    there = _without_slash(request) if isinstance(error, HTTPException) and error.status_code == 404 else None
    if there is not None:
        return RedirectResponse(there, status_code=307)
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = "This cannot be done here." if status == 405 else "There is no such page."
    problem = Problem(status, "no_such_method" if status == 405 else "no_such_page", words)
    is_api = request.url.path.removeprefix(request.scope.get("root_path", "")).startswith("/api/")
    refuse: Callable[[Visit, Problem], Response] = exchange.refuse if is_api else frame.refuse
    response = refuse(Visit(site, request), problem)
    await make_body(site, response)
    if isinstance(error, HTTPException) and error.headers and "allow" in {name.lower() for name in error.headers}:
        response.headers["allow"] = next(value for name, value in error.headers.items() if name.lower() == "allow")
    return response


def _without_slash(request: Request) -> str | None:
    """Return the path and query of the route that the request means by a path with a slash behind it; None if none."""
    path = str(request.scope["path"])
    shorter = {**request.scope, "path": path.rstrip("/")}
    root = str(request.scope.get("root_path", ""))
    # Two slashes in front would lead to another host.
    if not path.endswith("/") or not shorter["path"].removeprefix(root) or path.startswith("//"):
        return None
    if all(route.matches(shorter)[0] is Match.NONE for route in request.app.routes):
        return None
    query = request.scope["query_string"].decode("latin-1")
    return quote(shorter["path"]) + (f"?{query}" if query else "")


class _SafeHeaders:
    """Gives every response the headers that keep browsers from doing more than is meant."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *_RAW_HEADERS]
                if all(name != b"cache-control" for name, _ in headers):
                    headers.append(_KEPT_BY_NOBODY)
                message["headers"] = headers
            await send(message)

        forward: Callable[[Message], Awaitable[None]] = send_safely if scope["type"] == "http" else send
        await self._app(scope, receive, forward)

"""
Describes a request: the app's shared objects, the principal, cookies, and addresses within the page.

The headers of a trusted proxy give the address of the client, the scheme, and the name of the user.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from groundwire.http_server.requests import LOOPBACK, host_from_header
from groundwire.http_server.responses import HttpProblem, Metric, ResponseMetrics
from groundwire.memory.records import USER_ID_MAX_CHARS, Textless, check_text
from groundwire.review.queue import ReviewQueue
from groundwire.review.records import QueueState
from groundwire.review.web.credentials import Principal, PrincipalRole, SessionStore, TokenAuthenticator
from groundwire.review.web.rate_limiter import FairScheduler, RateLimiter, RequestLimits
from groundwire.telemetry import prometheus_text

__all__ = [
    "AccessLevel",
    "AppContext",
    "Auth",
    "Handler",
    "RequestContext",
    "ReviewMetrics",
    "TrustedProxy",
    "WebRoute",
    "client_address",
    "cookie",
    "id_in_path",
    "local_part",
    "principal_from_header",
    "queue_id_from_path",
    "safe_local",
    "set_cookie",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustedProxy:
    """
    A proxy whose headers count: `X-Forwarded-For`, `X-Forwarded-Proto`, and the one with the user's name.

    It must remove these headers from requests if it does not set them itself.

    Attributes:
        addresses: The IP addresses from which it connects.
        user_header: The header with the name of the person who has signed in with it; None for none.
        reviewers: The names of reviewers.
    """

    addresses: Collection[str]
    user_header: str | None = None
    reviewers: Collection[str] = ()

    def __post_init__(self) -> None:
        if not self.addresses or isinstance(self.addresses, str):
            raise ValueError("a trusted proxy needs the addresses from which it connects")
        if isinstance(self.reviewers, str):
            # Each part of the text would be the name of a reviewer.
            raise TypeError("reviewers must be a collection of str")


def principal_from_header(request: HTTPConnection, proxy: TrustedProxy | None) -> Principal | None:
    """Return the principal that the proxy names; None if it names nobody or several, or is not the trusted one."""
    if proxy is None or proxy.user_header is None or not _is_from(request, proxy):
        return None
    names = request.headers.getlist(proxy.user_header)
    if len(names) != 1:
        return None
    try:
        # Proxies send names in UTF-8, and Starlette decodes headers as Latin-1.
        name = names[0].encode("latin-1").decode("utf-8").strip()
        check_text(name, "the name", max_chars=USER_ID_MAX_CHARS)
    except ValueError:
        return None
    return Principal(name, PrincipalRole.REVIEWER if name in proxy.reviewers else PrincipalRole.USER)


def client_address(request: HTTPConnection, proxy: TrustedProxy | None) -> str:
    """Return the address of the client, for limits only: it gives no rights."""
    if proxy is not None and _is_from(request, proxy):
        # The proxy adds the last entry; it only received those before it.
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        if forwarded:
            return forwarded[:64]
    return _peer(request)


def is_secure(request: HTTPConnection, proxy: TrustedProxy | None) -> bool:
    """Return whether cookies need encryption: always, except for plain connections within this machine."""
    scheme = request.url.scheme
    if proxy is not None and _is_from(request, proxy):
        scheme = request.headers.get("x-forwarded-proto", scheme).strip().lower()
    return scheme == "https" or host_from_header(request.headers.get("host", "")) not in LOOPBACK


def _is_from(request: HTTPConnection, proxy: TrustedProxy) -> bool:
    return _peer(request) in proxy.addresses


def _peer(request: HTTPConnection) -> str:
    return request.client.host if request.client is not None else ""


class ReviewMetrics(ResponseMetrics):
    """Counters since the start of the process. No label contains a name or a text."""

    def __init__(self) -> None:
        super().__init__("review")
        self._decisions: Counter[str] = Counter()
        self.failed_sign_ins = 0

    def decided(self, decision: str) -> None:
        """Count a claim that was "approved", "rejected" or "skipped" here."""
        self._decisions[decision] += 1

    def text(self, claims: Mapping[QueueState, int]) -> str:
        """Return the counters in Prometheus' text format, with the number of *claims* by state."""
        return prometheus_text(self._metrics(claims))

    def _metrics(self, claims: Mapping[QueueState, int]) -> Iterator[Metric]:
        by_state = {f'{{state="{state}"}}': str(count) for state, count in claims.items()}
        yield "review_claims", "gauge", "Claims in the queue by state, each counted up to 1000.", by_state
        kinds = ("approved", "rejected", "skipped")
        decisions = {f'{{decision="{each}"}}': str(self._decisions[each]) for each in kinds}
        yield "review_decisions_total", "counter", "Claims decided through this process.", decisions
        failed = {"": str(self.failed_sign_ins)}
        yield "review_sign_in_failures_total", "counter", "Rejected tokens.", failed
        yield from self.of_responses()


Auth = TokenAuthenticator | Callable[[Request], Any]


class AccessLevel(Enum):
    """The people who may use a route."""

    ANONYMOUS = "anonymous"
    AUTHENTICATED = "authenticated"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class AppContext:
    """
    The objects that all requests share.

    Attributes:
        turns: Shares the time of reading and of making bodies.
        makers: The threads that make bodies.

    Attributes without a description here are the arguments of `create_app`, and the state of this process.
    """

    queue: ReviewQueue
    auth: Auth
    proxy: TrustedProxy | None
    limits: RequestLimits
    sessions: SessionStore
    failures: RateLimiter
    requests: RateLimiter
    turns: FairScheduler
    makers: ThreadPoolExecutor
    metrics: ReviewMetrics
    paths: Mapping[str, str]


# Without slots, because cached properties need a `__dict__`.
@dataclass(frozen=True, repr=False)
class RequestContext(Textless):
    """
    A request and the principal who makes it.

    Attributes:
        site: The objects that all requests share.
        request: The request.
        person: The principal; None for an unknown visitor.
        session_id: The session that identifies the principal; None if something else does.
    """

    site: AppContext
    request: Request
    person: Principal | None = None
    session_id: str | None = None

    @property
    def name(self) -> str:
        """The name of the principal, for routes that require one."""
        assert self.person is not None, "the route does not require a principal"
        return self.person.name

    @cached_property
    def queue(self) -> ReviewQueue:
        """The queue with the rights of this principal's role."""
        if self.person is None or self.person.role is None:
            return self.site.queue
        return self.site.queue.with_reviewers((self.name,) if self.person.role is PrincipalRole.REVIEWER else ())

    @cached_property
    def is_reviewer(self) -> bool:
        """Whether the principal may see the claims of all users."""
        return self.person is not None and self.queue.is_reviewer(self.person.name)

    @property
    def limited_as(self) -> str:
        """The key of rate limits: the principal, or the address of an unknown visitor."""
        if self.person is not None:
            return f"person {self.person.name}"
        return f"from {client_address(self.request, self.site.proxy)}"

    @cached_property
    def form_key(self) -> str:
        """The key in the forms that this visitor gets."""
        known_by = self.session_id or (f"person {self.person.name}" if self.person is not None else "")
        return self.site.sessions.form_key(known_by)

    def path(self, route: str, /, **parts: str) -> str:
        """Return the path of a route, wherever the app is mounted."""
        root: str = self.request.scope.get("root_path", "")
        return root + self.site.paths[route].format(**parts)


Handler = Callable[[RequestContext], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class WebRoute:
    """
    A route.

    Attributes:
        method: "GET" or "POST".
        path: Its path.
        name: Its name.
        access: The people who may use it.
        handler: Returns the response.
        refuse: Returns the response to a problem, as a page or as JSON.
        is_page: Whether browsers use it: then sessions count, and forms need their key.
    """

    method: str
    path: str
    name: str
    access: AccessLevel
    handler: Handler
    refuse: Callable[[RequestContext, HttpProblem], Response]
    is_page: bool


def cookie(context: RequestContext, what: str) -> str:
    """Return the value of a cookie, or an empty str."""
    return context.request.cookies.get(cookie_name(context, what), "")


def cookie_name(context: RequestContext, what: str) -> str:
    """Return the name of a cookie; with the prefix `__Host-` browsers let no other host set it."""
    prefix = "__Host-" if is_secure(context.request, context.site.proxy) else ""
    return f"{prefix}groundwire-{what}"


def set_cookie(context: RequestContext, response: Response, what: str, value: str, *, max_age_s: int) -> None:
    """Set a cookie that scripts and other sites cannot use; an age of 0 deletes it."""
    secure = is_secure(context.request, context.site.proxy)
    name = cookie_name(context, what)
    response.set_cookie(name, value, max_age=max_age_s, path="/", secure=secure, httponly=True, samesite="lax")


# The pages that a redirect may lead to, without the path at which the app is mounted.
_LOCAL = re.compile(
    r"/(?:(?:claims|memories)/[A-Za-z0-9_][A-Za-z0-9_.:~-]{0,63}|memories)?(?:\?[A-Za-z0-9_.%=&+~-]{0,2000})?", re.ASCII
)


def id_in_path(queue_id: str) -> str:
    """Return an id for use in a path: slashes, which ids may contain, become `~`."""
    return queue_id.replace("/", "~")


def queue_id_from_path(context: RequestContext) -> str:
    """Return the id in the path."""
    return str(context.request.path_params["queue_id"]).replace("~", "/")


def local_part(context: RequestContext) -> str:
    """Return the path and query of the request for `safe_local`; "/" if it is not a page to return to."""
    scope = context.request.scope
    path = str(scope["path"]).removeprefix(scope.get("root_path", ""))
    query = context.request.url.query
    return safe_local(f"{path}?{query}" if query else path)


def safe_local(wanted: str) -> str:
    """Return *wanted* if it is a page of the app, else "/", so that no link leads elsewhere."""
    return wanted if _LOCAL.fullmatch(wanted) else "/"

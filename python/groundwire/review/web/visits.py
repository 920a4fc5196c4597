"""One request, and who makes it."""

from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from groundwire.memory.records import Textless
from groundwire.review.queue import ReviewQueue
from groundwire.review.web.limits import Buckets, Limits
from groundwire.review.web.metrics import Metrics
from groundwire.review.web.people import Person, Role
from groundwire.review.web.problems import Problem
from groundwire.review.web.proxies import TrustedProxy, address_of
from groundwire.review.web.sessions import Sessions
from groundwire.review.web.tokens import TokenAuth
from groundwire.review.web.turns import FairTurns

__all__ = ["Access", "Auth", "Entry", "Handler", "Site", "Visit"]

Auth = TokenAuth | Callable[[Request], Any]


class Access(Enum):
    """Who may use a route."""

    ANYBODY = "anybody"
    PERSON = "person"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Site:
    """
    What all requests share.

    Attributes:
        turns: The turns of reading, and of making bodies.
        makers: The threads that make bodies.

    Attributes not listed here are the arguments of `create_app`, and what is kept in this process.
    """

    queue: ReviewQueue
    auth: Auth
    proxy: TrustedProxy | None
    limits: Limits
    sessions: Sessions
    failures: Buckets
    requests: Buckets
    turns: FairTurns
    makers: ThreadPoolExecutor
    metrics: Metrics
    paths: Mapping[str, str]


# Not with slots: what is worked out once is kept beside the fields.
@dataclass(frozen=True, repr=False)
class Visit(Textless):
    """
    A request, and who makes it.

    Attributes:
        site: What all requests share.
        request: The request.
        person: Who makes it; None for somebody unknown.
        session_id: By which session that is known; None if it is known otherwise.
    """

    site: Site
    request: Request
    person: Person | None = None
    session_id: str | None = None

    @property
    def name(self) -> str:
        """Who makes the request, where that is known."""
        assert self.person is not None, "the route is for anybody"
        return self.person.name

    @cached_property
    def queue(self) -> ReviewQueue:
        """The queue, as far as this person's role lets them see it."""
        if self.person is None or self.person.role is None:
            return self.site.queue
        return self.site.queue.with_reviewers((self.name,) if self.person.role is Role.REVIEWER else ())

    @cached_property
    def is_reviewer(self) -> bool:
        """Whether they may see everybody's claims."""
        return self.person is not None and self.queue.is_reviewer(self.person.name)

    @property
    def limited_as(self) -> str:
        """For whom limits count: a person, or the address that somebody unknown comes from."""
        if self.person is not None:
            return f"person {self.person.name}"
        return f"from {address_of(self.request, self.site.proxy)}"

    @cached_property
    def form_key(self) -> str:
        """What the forms of this visitor's pages hold."""
        known_by = self.session_id or (f"person {self.person.name}" if self.person is not None else "")
        return self.site.sessions.form_key(known_by)

    def path(self, route: str, /, **parts: str) -> str:
        """Return where a route of ours is, wherever the app is mounted."""
        root: str = self.request.scope.get("root_path", "")
        return root + self.site.paths[route].format(**parts)


Handler = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Entry:
    """
    A route.

    Attributes:
        method: "GET" or "POST".
        path: Where it is.
        name: What it is called.
        access: Who may use it.
        handler: What answers.
        refuse: How a problem is told: as a page, or as JSON.
        is_page: Whether browsers use it: then sessions count, and forms need their key.
    """

    method: str
    path: str
    name: str
    access: Access
    handler: Handler
    refuse: Callable[[Visit, Problem], Response]
    is_page: bool

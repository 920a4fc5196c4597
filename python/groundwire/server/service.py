"""Holds the state of the service: its limits, hosts and token, the threads that work, and its metrics."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import Request

from groundwire.http_server.requests import HostNames, HttpLimits, check_head, check_origin
from groundwire.http_server.responses import HttpProblem, Metric, ResponseMetrics
from groundwire.server.checks import check_quoted
from groundwire.server.schemas import GivenSource, QuotesRequest
from groundwire.server.source_store import SourceStore
from groundwire.telemetry import prometheus_text

__all__ = ["THREADS", "Service", "ServiceLimits"]

THREADS = "groundwire-service"
"""The beginning of the names of threads that work on requests."""

_T = TypeVar("_T")

_BUSY_RETRY_S = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits(HttpLimits):
    """
    The limits of the service, beside those of one request in `HttpLimits`.

    Attributes:
        body_bytes: The size of a body, and so of a source.
        deadline_s: Seconds for the work of one request.
        requests_at_once: Requests in progress, including those whose body arrives; further ones are refused.
        threads: Requests that are worked on at once; the others wait.
        sources_bytes: The memory of all kept sources together.

    Raises:
        ValueError: A limit is not positive.
    """

    body_bytes: int = 8 << 20
    deadline_s: float = 30.0
    requests_at_once: int = 64
    threads: int = 2
    sources_bytes: int = 512 << 20


class Service:
    """
    The state of the service, and the steps that all requests share.

    Args:
        token: The secret that requests send; None for none.
        hosts: The hosts that requests may name; None for any.
        limits: The limits.

    Attributes:
        limits: The argument.
        store: The kept sources.
        metrics: Counts of responses.
        active: The number of requests in progress.
        is_warm: Whether the word lists are loaded.
        has_token: Whether requests need a token.
    """

    def __init__(self, token: str | None, hosts: HostNames | None, limits: ServiceLimits) -> None:
        self.limits = limits
        self.store = SourceStore(limits.sources_bytes)
        self.metrics = ResponseMetrics("service")
        self.active = 0
        self.is_warm = False
        self._hosts = hosts
        self.has_token = token is not None
        self._token_hash = None if token is None else _hash(token)
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix=THREADS)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Warm up in the background; at the end, leave unfinished work behind, because its clients are gone."""
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

    def check(self, request: Request, *, is_public: bool, is_counted: bool) -> None:
        """
        Check everything about a request but its body.

        Args:
            request: The request.
            is_public: Whether it needs no token.
            is_counted: Whether it counts as work, of which there is a limit.

        Raises:
            HttpProblem: Host, origin or token are wrong, the head is too large, or there are too many requests.
        """
        if self._hosts is not None and not self._hosts.knows(request.scope):
            raise HttpProblem(400, "other_host", "The request is for another host.")
        check_head(request, self.limits)
        check_origin(request)
        if not is_public:
            self._check_token(request)
        if is_counted and self.active >= self.limits.requests_at_once:
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
        # asyncio would log an exception that is never retrieved, with its message.
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
        yield "service_source_evictions_total", "counter", "Sources dropped to make room.", {"": str(store.evicted)}
        yield from self.metrics.of_responses()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()

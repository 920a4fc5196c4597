"""A review page for tests, with Anna's claims and users of every kind."""

import asyncio
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from starlette.testclient import TestClient

from groundwire.ingestion import (
    CheckedCitation,
    Citation,
    CitationType,
    HedgeAction,
    HedgeCategory,
    HedgeCue,
    HedgeResult,
    VerificationResult,
)
from groundwire.memory import MemoryStore, StoredMemory
from groundwire.review import ReviewQueue
from groundwire.review.web import PrincipalRole, RequestLimits, TokenAuthenticator, TokenStore, create_app
from review.waiting import NOON, Clock, evidence, validation

HOST = "http://127.0.0.1"
KINDS = ("nobody", "owner", "other", "reviewer")
NAMES = {"owner": "anna", "other": "bob", "reviewer": "rita"}
# Tests of limits set limits; others may send any number of requests.
NO_LIMITS = RequestLimits(requests_per_s=100_000, requests_at_once=100_000, failures_at_once=100_000)


class Site:
    """A page over a store in memory, with a token for each kind of user."""

    def __init__(self, *, store: MemoryStore | None = None, callback=None, queue=None, app=None) -> None:
        self.clock = Clock()
        self.store = store or MemoryStore(":memory:")
        self.queue = ReviewQueue(callback, self.store, **{"clock": self.clock, **(queue or {})})
        self.tokens = TokenStore(self.store)
        self.token = {
            kind: self.tokens.issue(name, PrincipalRole.REVIEWER if kind == "reviewer" else PrincipalRole.USER)[1]
            for kind, name in NAMES.items()
        }
        settings = {"auth": TokenAuthenticator(self.tokens, cache_ttl_s=0.0), "limits": NO_LIMITS, **(app or {})}
        self.app = create_app(self.queue, **settings)

    def close(self) -> None:
        """Close all opened resources."""
        self.queue.close()
        self.store.close()

    def submit(self, content: str = "The API uses OAuth2", user_id: str = "anna", **fields) -> str:
        """Enqueue a claim and return its id."""
        usual = {
            "memory_type": "fact",
            "source": "ai_synthesis",
            "evidence": evidence(content),
            "validation_result": validation(content),
        }
        return run(self.queue.enqueue(user_id=user_id, content=content, **{**usual, **fields}))

    def rich(self, content: str = "Per ADR-003 it may use Redis", user_id: str = "anna", **fields) -> str:
        """Enqueue a claim with everything that a page can show."""
        if not self.store.find(user_id, content="Per ADR-003 it uses Memcached"):
            self.store.add(
                StoredMemory(
                    id=f"known-{user_id}", user_id=user_id, content="Per ADR-003 it uses Memcached", memory_type="fact",
                    source="user", capture_time=NOON, confidence="high",
                ),
                time=NOON,
            )  # fmt: skip
        told = evidence(
            content, source_id="ADR-003", validity_horizon=NOON + timedelta(days=30), metadata={"model": "small"},
            parents=("m1", "m2"),
        )  # fmt: skip
        at = min(4, len(content)), min(11, len(content))
        checked = CheckedCitation(
            Citation(CitationType.ADR, "003", *at), VerificationResult(valid=True, reason="found", status="verified")
        )
        cue = HedgeCue("may", 15, 18, HedgeCategory.TECHNICAL_HEDGE, "en")
        result = validation(
            content,
            evidence=told,
            checks_failed=["hedge_words_detected: may", f"conflict_detected: known-{user_id}"],
            similarity_score=0.75,
            conflicting_memory_id=f"known-{user_id}",
            hedges=HedgeResult(True, HedgeAction.REVIEW, ["may"], (cue,)),
            citations=(checked,),
        )
        return self.submit(content, user_id, **{"evidence": told, "validation_result": result, **fields})

    def client(self, kind: str = "nobody") -> TestClient:
        """Return a client that has signed in on the page."""
        client = TestClient(self.app, base_url=HOST, follow_redirects=False)
        if kind != "nobody":
            assert client.post("/sign-in", data={"token": self.token[kind]}).status_code == 303
        return client

    def program(self, kind: str = "nobody") -> TestClient:
        """Return a client that sends a user's token."""
        headers = {} if kind == "nobody" else {"authorization": f"Bearer {self.token[kind]}"}
        return TestClient(self.app, base_url=HOST, headers=headers, follow_redirects=False)

    def pending(self) -> list[str]:
        """Return the claims in review, as a reviewer sees them."""
        every = self.queue.with_reviewers(("rita",))
        return [one.content for one in run(every.find("rita", limit=1_000))]


def run(work: Coroutine) -> Any:
    """Return the result of a coroutine; it runs in a thread, because the test's loop may belong to the browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def fields(html: str, action: str = "") -> dict[str, str]:
    """Return the hidden fields of the page's form with this action, or of all forms."""
    if action:
        [html] = re.findall(rf'<form method="post" action="[^"]*{re.escape(action)}[^"]*".*?</form>', html, re.S)[:1]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))


def decide(client: TestClient, queue_id: str, decision: str, **more: str):
    """Send a decision with the page's own form, confirmed."""
    page = client.get(f"/claims/{queue_id}").text
    sent = {**fields(page, f"/{decision}"), "confirmed": "yes", **more}
    return client.post(f"/claims/{queue_id}/{decision}", data=sent)

"""A service for tests, and its requests."""

from hashlib import sha256
from typing import Any

from starlette.testclient import TestClient

from groundwire.server import ServiceLimits, create_app

ADDRESS = "http://127.0.0.1"
INTERVIEW = (
    "Interviewer: How do you sleep?\nMarlene: I can’t sleep at night. I never took the tablets.\n"
    "Interviewer: And in the day?\nMarlene: I sleep on the sofa, mostly after lunch.\n"
)
SLEEP, SOFA = "I can't sleep at night.", "I sleep on the sofa"
DIGEST = sha256(INTERVIEW.encode()).hexdigest()
UNKNOWN = "0" * 64
TOKEN = "a-token-for-the-tests"


def client(*, limits: dict[str, Any] | None = None, token: str | None = None, **headers: str) -> TestClient:
    """Return a client of a new service with these limits."""
    app = create_app(token=token, limits=ServiceLimits(**(limits or {})))
    return TestClient(app, base_url=ADDRESS, headers=headers)


def keep(service: TestClient, text: str = INTERVIEW) -> str:
    """Keep a source, and return its hash."""
    answer = service.put("/v1/sources", content=text.encode())
    assert answer.status_code in (200, 201), answer.text
    digest: str = answer.json()["sha256"]
    return digest


def quotes_of(digest: str = DIGEST, *quotes: object, **more: object) -> dict[str, object]:
    """Return a request to check quotes against a kept source."""
    return {"quotes": [*(quotes or (SLEEP,))], "sources": [{"sha256": digest, "name": "interview"}], **more}

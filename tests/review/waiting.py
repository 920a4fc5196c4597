"""Create claims in review for tests, equal in everything that does not matter."""

import asyncio
import functools
import inspect
from datetime import UTC, datetime, timedelta

from groundwire.ingestion import EvidenceObject, Tier, ValidationResult

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Ids:
    """Ids that a test can name: q1, q2, ..."""

    def __init__(self) -> None:
        self.given = 0

    def __call__(self) -> str:
        self.given += 1
        return f"q{self.given}"


def evidence(claim: str = "The API uses OAuth2", **fields) -> EvidenceObject:
    """What a gate knows of a claim."""
    return EvidenceObject(**{"claim": claim, "capture_time": NOON, "confidence": "medium", **fields})


def validation(claim: str = "The API uses OAuth2", **fields) -> ValidationResult:
    """What a validator says of a claim that has to be reviewed."""
    usual = {
        "tier": Tier.FLAG_REVIEW,
        "approved": False,
        "reason": "Ungrounded assertion needs verification",
        "evidence": evidence(claim),
        "checks_passed": ["no_speculation"],
        "checks_failed": ["citation_present"],
    }
    return ValidationResult(**{**usual, **fields})


def asynchronous(function):
    """Make a test of a coroutine function, with an event loop of its own."""

    def test(**fixtures):
        asyncio.run(function(**fixtures))

    functools.update_wrapper(test, function)
    # pytest looks for the arguments there.
    test.__signature__ = inspect.signature(function)
    return test


async def enqueue(queue, content: str = "The API uses OAuth2", user_id: str = "anna", **fields) -> str:
    """Submit a claim of Anna's, with *fields* instead of the usual ones."""
    usual = {
        "memory_type": "fact",
        "source": "ai_synthesis",
        "evidence": evidence(content),
        "validation_result": validation(content),
    }
    return await queue.enqueue(user_id=user_id, content=content, **{**usual, **fields})


def contents(pending) -> list[str]:
    """What claims say, in their order."""
    return [one.content for one in pending]


def actions(entries) -> list[str]:
    """What was done, in its order."""
    return [str(entry.action) for entry in entries]

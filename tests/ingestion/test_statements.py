"""Statements of cited texts, and whether they state a claim (ruling C19)."""

import pytest

from groundwire.ingestion.statements import CitingClaim, split_assertions, split_statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Storage\n---\nWe use Redis.", ["Storage", "We use Redis."], id="heading"),
        pytest.param("We use\nRedis.\n---\n", ["We use\nRedis.\n---"], id="two-lines-are-no-heading"),
        pytest.param("- Storage\n---\nWe use Redis.", ["Storage", "We use Redis."], id="item"),
    ],
)
def test_an_underline_makes_a_heading_of_one_line(text, expected):
    """A row of dashes below a longer paragraph belongs to it."""
    assert [text[each.start : each.end].strip() for each in split_statements(text)] == expected


def test_a_claim_of_many_pointing_words_takes_linear_time():
    """Hostile texts take linear time."""
    claim = CitingClaim("per see as decided in " * 900 + "ADR-3", [(19_800, 19_805)])
    assert len(claim.text) > 19_000
    assert claim.is_empty


SAYS_SO = [
    ("We use Redis for sessions", "We use Redis for sessions and rate limits."),
    ("Each service has its own database", "Each service has its own database; shared tables are not allowed."),
    ("The API is versioned by path", "The API is versioned by path, for example /v1/orders."),
    ("Deployments run through Argo CD", "Deployments run through Argo CD."),
    ("Passwords are hashed with Argon2", "Passwords must be hashed with Argon2."),
    ("We do not store card numbers", "We do not store card numbers."),
    ("The frontend is written in TypeScript", "The frontend is written in TypeScript because the team knows it."),
]


SAYS_SOMETHING_ELSE = [
    ("We use Redis for sessions", "We do not use Redis for sessions."),
    ("Each service has its own database", "Each service but billing has its own database."),
    ("Logs are kept for 30 days", "Logs are kept for at least 30 days."),
    ("Logs are kept for 30 days", "Logs are kept for up to 30 days."),
    ("Deployments run through Argo CD", "Deployments ran through Argo CD."),
    ("Deployments run through Argo CD", "Deployments run through Jenkins, not Argo CD."),
    ("The frontend is written in TypeScript", "Only the frontend is written in TypeScript."),
    ("All services are written in Go", "Most services are written in Go."),
    ("All services are written in Go", "Some services are written in Go."),
    ("Services are written in Go", "New services are written in Go."),
    ("The team uses Scrum", "The mobile team uses Scrum."),
    ("The cache is disabled", "The cache is disabled in development."),
    ("Orders are deleted after 90 days", "Cancelled orders are deleted after 90 days."),
    ("We use Postgres", "Should we use Postgres?"),
    ("We use Postgres", "If we use Postgres, backups are easy."),
    ("Postgres is faster than MySQL", "MySQL is faster than Postgres."),
    ("Alice approves releases of Bob", "Bob approves releases of Alice."),
    ("The timeout is 30 seconds", "The timeout is 30 milliseconds."),
    ("The budget is 5 million", "The budget is 5 thousand."),
    ("Meetings start at 9", "Meetings end at 9."),
    ("Access requires approval by two people", "Access requires approval by one of two people."),
    ("The service is stateless", "The service is no longer stateless."),
    ("The service is stateless", "The service will be stateless in 2027."),
    ("The service is stateless", "It is a myth that the service is stateless."),
    ("The service is stateless", "We believed the service is stateless."),
    ("The service is stateless", "The service is almost stateless."),
    ("Every request is logged", "Hardly every request is logged."),
    ("Every request is logged", "Every failed request is logged."),
    ("Backups are encrypted", "Backups are unencrypted."),
    ("The build runs on Linux and Windows", "The build runs on Linux or Windows."),
    ("Requests per second are limited to 100", "Requests per minute are limited to 100."),
    ("Logs are kept for 30 days", "We keep logs for 30 days."),
]


def says_so(claim: str, passage: str) -> bool:
    """Return whether one assertion of the passage has each sentence of the claim."""
    parts = CitingClaim(claim, []).parts
    return bool(parts) and all(any(map(part.is_stated_in, split_assertions(passage))) for part in parts)


@pytest.mark.parametrize(("claim", "passage"), SAYS_SO)
def test_a_passage_that_states_the_claim_confirms_it(claim, passage):
    """Ruling C19: the words are those of the claim; other reasons and assertions beside them do not matter."""
    assert says_so(claim, passage)


@pytest.mark.parametrize(("claim", "passage"), SAYS_SOMETHING_ELSE)
def test_a_passage_that_states_something_else_confirms_nothing(claim, passage):
    """
    Ruling C19: a restriction, a condition, another subject, another order or another time is for review. So is the
    last pair, which has the same meaning with an irregular form of a word.
    """
    assert not says_so(claim, passage)

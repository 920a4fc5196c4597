"""Tokens and pages on both databases."""

from groundwire.review.web import PrincipalRole, TokenStore
from review.waiting import HOUR, Clock
from review_web.site import Site, decide


def test_tokens(store):
    """Tokens are issued, checked, listed, expired and revoked."""
    clock = Clock()
    tokens = TokenStore(store, clock=clock)
    first, token = tokens.issue("anna é", PrincipalRole.REVIEWER)
    second, other = tokens.issue("bob", valid_for_s=3600)
    assert [(one.token_id, one.person, one.role) for one in tokens.issued()] == [
        *sorted([(first, "anna é", PrincipalRole.REVIEWER), (second, "bob", PrincipalRole.USER)])
    ]
    assert tokens.check(token)[1].name == "anna é"
    clock.now += HOUR
    assert tokens.check(other) is None
    tokens.revoke(first)
    assert tokens.holder(first) is None


def test_pages(store):
    """The pages are list, claim and decision."""
    site = Site(store=store)
    queue_id = site.rich()
    client = site.client("reviewer")
    assert "ADR-003" in client.get("/").text
    assert "Already in memory" in client.get(f"/claims/{queue_id}").text
    assert decide(client, queue_id, "approve").status_code == 303
    assert store.get(queue_id, "anna").content == "Per ADR-003 it may use Redis"
    site.queue.close()

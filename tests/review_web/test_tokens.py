"""Tokens: only hashes are kept, and nothing but the token is good."""

import pytest

from groundwire.errors import NotFound
from groundwire.memory import MemoryStore
from groundwire.review.web import Role, Tokens
from review.waiting import HOUR, Clock


def test_only_hashes_are_kept(tmp_path):
    """Nobody who reads the database finds a token in it."""
    with MemoryStore(tmp_path / "memories.db") as store:
        token_id, token = Tokens(store).issue("anna")
        assert Tokens(store).check(token)[1].name == "anna"
    secret = token.rpartition(f"{token_id}_")[2]
    assert len(secret) == 43
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token_id.encode() in written
    assert secret.encode() not in written


def test_only_the_token_itself_is_good(site):
    """Not a part of it, not another's secret, nothing around it."""
    good, other = site.token["owner"], site.token["other"]
    for bad in (
        "",
        "gwr_",
        good[:-1],
        f"{good}x",
        good.upper(),
        good[:21] + other[21:],
        f"{good}\n",
        f" {good[1:]}",
    ):
        assert site.tokens.check(bad) is None
    assert site.tokens.check(good)[1].role is Role.USER


def test_tokens_end():
    """By their time, by being revoked, and when all that is kept of their owner is erased."""
    clock = Clock()
    with MemoryStore(":memory:") as store:
        tokens = Tokens(store, clock=clock)
        _, short = tokens.issue("anna", valid_for_s=3600)
        long_id, long = tokens.issue("anna")
        clock.now += HOUR
        assert [tokens.check(one) is not None for one in (short, long)] == [False, True]
        tokens.revoke(long_id)
        assert tokens.check(long) is None
        with pytest.raises(NotFound):
            tokens.revoke("0" * 16)
        _, third = tokens.issue("anna")
        store.erase_user("anna", time=clock())
        assert tokens.check(third) is None
        assert tokens.issued() == []


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_time_that_is_none_is_refused(site, seconds):
    """A token that is good for ever is made without one."""
    with pytest.raises(ValueError, match="valid_for_s"):
        site.tokens.issue("anna", valid_for_s=seconds)


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer x", "bearer gwr_0_1", "Bearer \u00fc"])
def test_bad_tokens_of_programs(site, header):
    """401, with how to come in."""
    answer = site.program().get("/api/v1/claims", headers={"authorization": header.encode("latin-1")})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_two_tokens_are_none(site):
    """Proxies and apps read the first or the last of two headers: neither counts."""
    headers = [("authorization", f"Bearer {site.token[kind]}") for kind in ("owner", "reviewer")]
    assert site.program().get("/api/v1/claims", headers=headers).status_code == 401

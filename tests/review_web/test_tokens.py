"""Tokens: the database has only hashes, and only the exact token is valid."""

import pytest

from groundwire.errors import MemoryStoreError, NotFound
from groundwire.memory import MemoryStore
from groundwire.review.web import PrincipalRole, TokenStore
from review.waiting import HOUR, Clock


def test_only_hashes_are_kept(tmp_path):
    """The database contains no token."""
    with MemoryStore(tmp_path / "memories.db") as store:
        token_id, token = TokenStore(store).issue("anna")
        assert TokenStore(store).check(token)[1].name == "anna"
    secret = token.rpartition(f"{token_id}_")[2]
    assert len(secret) == 43
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token_id.encode() in written
    assert secret.encode() not in written


def test_only_the_exact_token_is_valid(site):
    """A part of it, another secret, or additional characters are invalid."""
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
    assert site.tokens.check(good)[1].role is PrincipalRole.USER


def test_tokens_end():
    """They expire, are revoked, and end when their owner is erased."""
    clock = Clock()
    with MemoryStore(":memory:") as store:
        tokens = TokenStore(store, clock=clock)
        _, short = tokens.issue("anna", valid_for_s=3600)
        long_id, long = tokens.issue("anna")
        clock.now += HOUR
        assert [tokens.check(one) is not None for one in (short, long)] == [False, True]
        tokens.revoke(long_id)
        assert tokens.check(long) is None
        with pytest.raises(NotFound):
            tokens.revoke("0" * 16)
        with pytest.raises(NotFound):
            tokens.revoke("\0\ud800")
        _, third = tokens.issue("anna")
        store.erase_user("anna", time=clock())
        assert tokens.check(third) is None
        assert tokens.issued() == []


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_an_invalid_time_is_refused(site, seconds):
    """A token without an end is made without a time."""
    with pytest.raises(ValueError, match="valid_for_s"):
        site.tokens.issue("anna", valid_for_s=seconds)


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer x", "bearer gwr_0_1", "Bearer \u00fc"])
def test_bad_tokens_of_programs(site, header):
    """The response is 401, and says how to authenticate."""
    answer = site.program().get("/api/v1/claims", headers={"authorization": header.encode("latin-1")})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_two_tokens_are_refused(site):
    """Proxies and apps may read the first or the last of two headers, so neither counts."""
    headers = [("authorization", f"Bearer {site.token[kind]}") for kind in ("owner", "reviewer")]
    assert site.program().get("/api/v1/claims", headers=headers).status_code == 401


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE review_tokens SET role = 'reviewer'",
        "UPDATE review_tokens SET person = 'rita'",
        "UPDATE review_tokens SET revoked_at = NULL, expires_at = NULL",
        "UPDATE review_tokens SET secret_hash = (SELECT max(secret_hash) FROM review_tokens)",
        "DELETE FROM admin_audit WHERE kind = 'token'",
    ],
)
def test_a_token_that_was_changed_is_refused(tampering):
    """Rights come from `issue` only; checks and `integrity_errors` notice a changed row at once."""
    with MemoryStore(":memory:") as store:
        tokens = TokenStore(store)
        made = [tokens.issue("anna", valid_for_s=60)[1] for _ in range(2)]
        assert all(tokens.check(token) for token in made)
        with store.transaction() as database:
            database.execute(tampering)
        refused = 0
        for token in made:
            try:
                tokens.check(token)
            except MemoryStoreError as error:
                refused += "a token was changed by another program" in str(error)
        assert refused >= 1
        assert any("token" in fault for fault in store.integrity_errors())


def test_a_token_that_was_added_is_refused():
    """Its secret needs no key, but its entry in the audit does."""
    with MemoryStore(":memory:") as store:
        tokens = TokenStore(store)
        _, token = tokens.issue("anna")
        with store.transaction() as database:
            database.execute(
                "INSERT INTO review_tokens SELECT 'zz' || substr(token_id, 3), secret_hash, 'eve', 'reviewer', "
                "created_at, NULL, NULL FROM review_tokens"
            )
        with pytest.raises(MemoryStoreError, match="a token was changed by another program"):
            tokens.reviewers()
        assert tokens.check(token) is not None
        assert store.integrity_errors() == ["1 token was changed"]

"""`groundwire review token`, and the errors of `serve`."""

import re

import pytest

from groundwire.memory import MemoryStore

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from groundwire.review.web import PrincipalRole, TokenStore


@pytest.fixture
def database(tmp_path) -> str:
    """Return a database without tokens."""
    path = str(tmp_path / "review.db")
    MemoryStore(path).close()
    return path


def test_a_token_is_created_listed_and_revoked(run, database):
    """A token is shown once, on standard output only; the list has its id; revoking ends it."""
    made = run("review", "token", database, "--user", "rita", "--reviewer", "--expires-in-days", "30")
    assert made.code == 0
    token = made.stdout.strip()
    token_id = token.split("_")[1]
    assert re.fullmatch(r"gwr_[0-9a-f]{16}_[A-Za-z0-9_-]{43}", token)
    assert made.stderr == f"token id: {token_id}; the token is not shown again\n"
    with MemoryStore(database) as store:
        assert TokenStore(store).check(token)[1].role is PrincipalRole.REVIEWER
    listed = run("review", "token", database, "--list")
    assert re.fullmatch(rf"{token_id}  reviewer  created \S+ \S+  expires \S+ \S+  rita\n", listed.stdout)
    assert run("review", "token", database, "--revoke", token_id).code == 0
    with MemoryStore(database) as store:
        assert TokenStore(store).check(token) is None
    assert "revoked" in run("review", "token", database, "--list").stdout


def test_a_revoked_token_makes_no_reviewer(run, database):
    """A user's token does not count either, because a decision needs another person."""
    with MemoryStore(database) as store:
        tokens = TokenStore(store)
        revoked, _ = tokens.issue("rita", PrincipalRole.REVIEWER)
        tokens.issue("anna", PrincipalRole.USER)
        tokens.revoke(revoked)
    done = run("review", "serve", database, "--require-distinct-reviewer", "--port", "0")
    assert (done.code, done.stdout) == (2, "")
    assert "--require-distinct-reviewer needs at least one reviewer" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("token", "{}"), "use exactly one of --user, --list and --revoke"),
        (("token", "{}", "--user", "a", "--list"), "use exactly one of --user, --list and --revoke"),
        (("token", "{}", "--list", "--reviewer"), "--reviewer and --expires-in-days require --user"),
        (("token", "{}", "--user", ""), "person is empty"),
        (
            ("token", "{}", "--user", "a", "--expires-in-days", "0"),
            "valid_for_s must be 1 to 3153600000 seconds, got 0",
        ),
        (("token", "{}", "--revoke", "0123"), "no token has this id"),
        (("token", "{}x", "--list"), "no database `"),
        (("serve", "{}x"), "no database `"),
        (("serve", "{}", "--port", "70000"), "--port must be between 0 and 65535, got 70000"),
        (("serve", "{}", "--port", "1234567"), "--port must be between 0 and 65535, got 1234567"),
        (("serve", "{}", "--port", "9" * 400), f"--port must be between 0 and 65535, got {'9' * 400}"),
        (("serve", "{}", "--host", "203.0.113.7"), "cannot listen on 203.0.113.7 port 8765"),
        (("serve", "{}", "--trusted-proxy", "proxy.example"), "--trusted-proxy must be the IP address"),
        (("serve", "{}", "--user-header", "X"), "--user-header requires --trusted-proxy"),
        (("serve", "{}", "--trusted-reviewer", "rita"), "--trusted-reviewer requires --user-header"),
        (
            ("serve", "{}", "--require-distinct-reviewer", "--port", "0"),
            "--require-distinct-reviewer needs at least one reviewer",
        ),
    ],
)
def test_wrong_options_are_reported_in_one_line(run, database, arguments, error):
    """One line says why, with exit code 2."""
    done = run("review", *(argument.format(database) for argument in arguments))
    assert (done.code, done.stdout) == (2, "")
    assert any(line.startswith(f"error: {error}") for line in done.stderr.splitlines())

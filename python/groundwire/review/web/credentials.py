"""
Principals, their API tokens, and the sessions of the page.

A token is `gwr_ID_SECRET`. Only the plain SHA-256 of the secret is stored: since the secret has 256 random bits, a slow
hash would not protect it better. Sessions end with the process, and with the token that they began with.
"""

import hmac
import re
import secrets
from asyncio import get_running_loop
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from math import inf
from time import monotonic

from groundwire.errors import MemoryStoreError, NotFound
from groundwire.labels import is_label
from groundwire.memory import MemoryStore, StoreFailure
from groundwire.memory.audit_log import (
    LAST_TOKEN_HASH,
    TOKEN_COLUMNS,
    AdminAction,
    AdminEvent,
    AdminKind,
    append_admin_event,
    token_digest,
)
from groundwire.memory.protocol import Database, Row, store_error
from groundwire.memory.records import USER_ID_MAX_CHARS, as_microseconds, as_time, check_text

__all__ = ["Principal", "PrincipalRole", "SessionStore", "TokenAuthenticator", "TokenInfo", "TokenStore"]


class PrincipalRole(StrEnum):
    """The rights of a principal."""

    USER = "user"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True)
class Principal:
    """
    An authenticated person.

    Attributes:
        name: The queue's `user_id` of this person.
        role: A user sees and decides on own claims, a reviewer on all claims. None follows the queue's settings.

    Raises:
        ValueError: There is no such role.
    """

    name: str
    role: PrincipalRole | None = None

    def __post_init__(self) -> None:
        if self.role is not None:
            object.__setattr__(self, "role", PrincipalRole(self.role))


_TOKEN = re.compile(r"gwr_([0-9a-f]{16})_([A-Za-z0-9_-]{43})", re.ASCII)
_ROW = f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens"
_SELECT = f"SELECT {', '.join(TOKEN_COLUMNS)}, {LAST_TOKEN_HASH} FROM review_tokens"
_INSERT = f"INSERT INTO review_tokens ({', '.join(TOKEN_COLUMNS)}) VALUES (?{', ?' * (len(TOKEN_COLUMNS) - 1)})"
_LAST_HASH = "SELECT after_hash FROM admin_audit WHERE kind = 'token' AND subject = ? ORDER BY sequence DESC LIMIT 1"
_REVOKED_AT, _SECRET_HASH = TOKEN_COLUMNS.index("revoked_at"), TOKEN_COLUMNS.index("secret_hash")
# The row for unknown tokens: no secret has this hash, and it was revoked in 1970.
_NO_TOKEN = ("", "0" * 16, "0" * 43)
_NO_ROW: Row = ("0" * 16, "nobody", "user", 0, 0, 0, "0" * 64)
_KNOWN_MAX = 1_000
# Seconds: a hundred years.
_LIFETIME_MAX_S = 100 * 365 * 86_400


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenInfo:
    """
    The stored data of a token, without the token.

    Attributes:
        token_id: Its id, the part that is not secret.
        person: The name of its holder.
        role: The rights of its holder; a reviewer may also have a user's token for everyday use.
        created_at: The time of its issue.
        expires_at: The time of its expiry; None for never.
        revoked_at: The time of its revocation, or None.
    """

    token_id: str
    person: str
    role: PrincipalRole
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class TokenStore:
    """
    The tokens in the database of a store.

    Args:
        store: The store with the tokens.
        clock: Returns the time, with its zone.

    Raises:
        MemoryStoreError: As with every method, the database has failed.
    """

    def __init__(self, store: MemoryStore, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._store = store
        self._clock = clock

    def issue(
        self, person: str, role: PrincipalRole = PrincipalRole.USER, *, valid_for_s: float | None = None
    ) -> tuple[str, str]:
        """
        Issue a token; return its id and the token, which no method returns again.

        Args:
            person: The name of its holder.
            role: Its rights.
            valid_for_s: Its lifetime in seconds; None for no end.

        Raises:
            ValueError: *person* cannot be the name of a user, or *valid_for_s* is out of range.
        """
        check_text(person, "person", max_chars=USER_ID_MAX_CHARS)
        if valid_for_s is not None and not 1 <= valid_for_s <= _LIFETIME_MAX_S:
            raise ValueError(f"valid_for_s must be 1 to {_LIFETIME_MAX_S} seconds, got {valid_for_s:g}")
        token_id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        now = self._now()
        expires = None if valid_for_s is None else now + round(valid_for_s * 1_000_000)
        values = (token_id, str(person), str(PrincipalRole(role)), now, expires, None, _hash(secret))
        hasher = self._store.hasher
        issued = AdminEvent(AdminAction.ISSUED, AdminKind.TOKEN, token_id, None, token_digest(hasher, values))
        with self._store.transaction() as database:
            database.execute(_INSERT, values)
            append_admin_event(database, hasher, now, issued)
        return token_id, f"gwr_{token_id}_{secret}"

    def issued(self) -> list[TokenInfo]:
        """Return all tokens in the order of their issue, including revoked ones."""
        with self._store.snapshot() as database:
            rows = database.execute(f"{_SELECT} ORDER BY created_at, token_id", ())
            return [_read(row, database.place) for row in rows]

    def revoke(self, token_id: str) -> None:
        """
        Revoke a token and its sessions.

        Raises:
            NotFound: No token has this id.
        """
        with self._store.transaction() as database:
            # Databases refuse some texts that are not labels.
            rows = database.execute(f"{_SELECT} WHERE token_id = ?", (token_id,)) if is_label(token_id) else []
            if not rows:
                raise NotFound("there is no such token")
            before = rows[0][:-1]
            if before[_REVOKED_AT] is not None:
                return
            now, hasher = self._now(), self._store.hasher
            database.execute("UPDATE review_tokens SET revoked_at = ? WHERE token_id = ?", (now, token_id))
            after = (*before[:_REVOKED_AT], now, *before[_REVOKED_AT + 1 :])
            hashes = (token_digest(hasher, before), token_digest(hasher, after))
            append_admin_event(
                database, hasher, now, AdminEvent(AdminAction.REVOKED, AdminKind.TOKEN, token_id, *hashes)
            )

    def holder(self, token_id: str) -> Principal | None:
        """Return the holder of the valid token with this id, or None."""
        token, _, is_good = self._look_up(token_id)
        return Principal(token.person, token.role) if is_good else None

    def check(self, token: str) -> tuple[str, Principal] | None:
        """
        Return the id and the holder of *token*; None if it is invalid for any reason.

        The work is one read, one hash and one comparison whether the id is known or not, so the time reveals nothing.
        """
        parts = _TOKEN.fullmatch(token) or _NO_TOKEN
        issued, secret_hash, is_good = self._look_up(parts[1])
        is_secret = hmac.compare_digest(_hash(parts[2]), secret_hash)
        return (issued.token_id, Principal(issued.person, issued.role)) if is_secret and is_good else None

    def reviewers(self) -> frozenset[str]:
        """Return the holders of valid reviewers' tokens."""
        condition = "role = 'reviewer' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
        with self._store.snapshot() as database:
            rows = database.execute(f"{_SELECT} WHERE {condition}", (self._now(),))
            return frozenset(self._sound(row, database).person for row in rows)

    def _look_up(self, token_id: str) -> tuple[TokenInfo, str, bool]:
        """
        Return the token with this id, the hash of its secret, and whether it is valid; `_NO_ROW` for an unknown id.

        Raises:
            MemoryStoreError: Another program has changed the token.
        """
        with self._store.snapshot() as database:
            rows = database.execute(f"{_ROW} WHERE token_id = ?", (token_id,))
            known = database.execute(_LAST_HASH, (token_id,))
            row = rows[0] if rows else _NO_ROW
            is_sound = self._is_sound(row, known[0][0] if known else None)
            if rows and not is_sound:
                raise _damaged(database.place)
        token, now = _read(row, database.place), as_time(self._now())
        is_over = token.expires_at is not None and token.expires_at <= now
        return token, str(row[_SECRET_HASH]), token.revoked_at is None and not is_over

    def _sound(self, row: Row, database: Database) -> TokenInfo:
        """Return the token of a row of `_SELECT`; raises as `_look_up` does."""
        *values, known = row
        if not self._is_sound(values, known):
            raise _damaged(database.place)
        return _read(row, database.place)

    def _is_sound(self, values: Sequence[object], known: object) -> bool:
        return token_digest(self._store.hasher, values) == known

    def _now(self) -> int:
        return as_microseconds(self._clock(), "the clock's time")


class TokenAuthenticator:
    """
    Authenticates by token people who sign in on the page, and programs that send it with each request.

    Args:
        tokens: The tokens.
        cache_ttl_s: Seconds for which holders stay in a cache: for that time, a revoked token may still open pages.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, tokens: TokenStore, *, cache_ttl_s: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._tokens = tokens
        self._cache_ttl_s = cache_ttl_s
        self._clock = clock
        self._known: OrderedDict[str, tuple[Principal, float]] = OrderedDict()
        self._reviewers: tuple[frozenset[str], float] = (frozenset(), -inf)
        # One thread is enough, since the store's connection has one transaction at a time.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-tokens")

    async def check(self, token: str) -> tuple[str, Principal] | None:
        """See `TokenStore.check`."""
        return await get_running_loop().run_in_executor(self._thread, self._tokens.check, token)

    async def reviewers(self) -> frozenset[str]:
        """See `TokenStore.reviewers`; cached for `cache_ttl_s`."""
        now = self._clock()
        if now >= self._reviewers[1]:
            found = await get_running_loop().run_in_executor(self._thread, self._tokens.reviewers)
            self._reviewers = (found, now + self._cache_ttl_s)
        return self._reviewers[0]

    async def holder(self, token_id: str) -> Principal | None:
        """See `TokenStore.holder`; cached for `cache_ttl_s`."""
        now = self._clock()
        if token_id in self._known and now < self._known[token_id][1]:
            return self._known[token_id][0]
        person = await get_running_loop().run_in_executor(self._thread, self._tokens.holder, token_id)
        self._known.pop(token_id, None)
        if person is not None:
            self._known[token_id] = (person, now + self._cache_ttl_s)
        if len(self._known) > _KNOWN_MAX:
            self._known.popitem(last=False)
        return person


def _read(row: Row, place: str) -> TokenInfo:
    """
    Return the token of a row.

    Raises:
        MemoryStoreError: It is not one that `TokenStore.issue` wrote.
    """
    try:
        return _token_of(row)
    except (TypeError, ValueError, OverflowError):
        pass
    # Raised outside the handler: the other exception may contain values.
    raise store_error(StoreFailure.CORRUPT, place, "a token's row")


def _token_of(row: Row) -> TokenInfo:
    token_id, person, role, created_at, expires_at, revoked_at = row[: len(TOKEN_COLUMNS) - 1]
    return TokenInfo(
        token_id=token_id,
        person=person,
        role=PrincipalRole(role),
        created_at=as_time(created_at),
        expires_at=None if expires_at is None else as_time(expires_at),
        revoked_at=None if revoked_at is None else as_time(revoked_at),
    )


def _damaged(place: str) -> MemoryStoreError:
    return store_error(StoreFailure.CORRUPT, place, "a token was changed by another program")


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


_SESSIONS_MAX = 10_000


class SessionStore:
    """
    The sessions of one process.

    Signing in creates the id of a session, and never takes it from a request. Only its hash is stored.

    Args:
        lifetime_s: The lifetime of a session, in seconds.
        clock: A monotonic clock, in seconds.
    """

    def __init__(self, lifetime_s: float, clock: Callable[[], float] = monotonic) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._begun: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._key = secrets.token_bytes(32)

    def begin(self, token_id: str) -> str:
        """Begin a session with this token, and return its id."""
        session_id = secrets.token_urlsafe(32)
        self._begun[_hash(session_id)] = (token_id, self._clock() + self._lifetime_s)
        if len(self._begun) > _SESSIONS_MAX:
            self._begun.popitem(last=False)
        return session_id

    def token_id(self, session_id: str) -> str | None:
        """Return the token of a session; None if the session is unknown or has ended."""
        token_id, until = self._begun.get(_hash(session_id), ("", 0.0))
        return token_id if token_id and self._clock() < until else None

    def end(self, session_id: str) -> None:
        """End a session, if there is one."""
        self._begun.pop(_hash(session_id), None)

    def form_key(self, identity: str) -> str:
        """Return the key for a person's forms, without which other sites cannot send them."""
        return hmac.new(self._key, identity.encode("utf-8", "surrogatepass"), sha256).hexdigest()

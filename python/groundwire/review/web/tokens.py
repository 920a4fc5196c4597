"""
Tokens: who has one may use the page and the API as the person it was issued to.

A token is `gwr_ID_SECRET`. The secret has 256 random bits, so that its plain SHA-256,
which is all that is kept, tells nothing of it; a slow hash would protect no better.
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
from hashlib import sha256
from math import inf
from time import monotonic

from groundwire.errors import MemoryStoreError, NotFound
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
from groundwire.review.web.people import Person, Role

__all__ = ["IssuedToken", "TokenAuth", "Tokens"]

_TOKEN = re.compile(r"gwr_([0-9a-f]{16})_([A-Za-z0-9_-]{43})", re.ASCII)
_ROW = f"SELECT {', '.join(TOKEN_COLUMNS)} FROM review_tokens"
_SELECT = f"SELECT {', '.join(TOKEN_COLUMNS)}, {LAST_TOKEN_HASH} FROM review_tokens"
_INSERT = f"INSERT INTO review_tokens ({', '.join(TOKEN_COLUMNS)}) VALUES (?{', ?' * (len(TOKEN_COLUMNS) - 1)})"
_LAST_HASH = "SELECT after_hash FROM admin_audit WHERE kind = 'token' AND subject = ? ORDER BY sequence DESC LIMIT 1"
_REVOKED_AT, _SECRET_HASH = TOKEN_COLUMNS.index("revoked_at"), TOKEN_COLUMNS.index("secret_hash")
# What is looked up and compared where there is no such token: no secret has this hash, and it was revoked in 1970.
_NO_TOKEN = ("", "0" * 16, "0" * 43)
_NO_ROW: Row = ("0" * 16, "nobody", "user", 0, 0, 0, "0" * 64)
_KNOWN_MAX = 1_000
_LONGEST_S = 100 * 365 * 86_400


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """
    What is known of a token: not the token.

    Attributes:
        token_id: What it is called: the part of it that is no secret.
        person: Whose it is.
        role: What its holder may see; a reviewer's own token for everyday use may be a user's.
        created_at: When it was issued.
        expires_at: From when on it is good for nothing; None for never.
        revoked_at: When it was revoked; None if it was not.
    """

    token_id: str
    person: str
    role: Role
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class Tokens:
    """
    The tokens in the database of a store.

    Args:
        store: Where they are kept.
        clock: What tells the time, with its zone.

    Raises:
        MemoryStoreError: As with every method: the database cannot do it.
    """

    def __init__(self, store: MemoryStore, *, clock: Callable[[], datetime] = _utc_now) -> None:
        self._store = store
        self._clock = clock

    def issue(self, person: str, role: Role = Role.USER, *, valid_for_s: float | None = None) -> tuple[str, str]:
        """
        Make a token; return its id and the token, which nobody can see again.

        Args:
            person: Whose it shall be.
            role: What it allows.
            valid_for_s: How long, in seconds; None for ever.

        Raises:
            ValueError: *person* is no name of a user, or *valid_for_s* is out of its range.
        """
        check_text(person, "person", max_chars=USER_ID_MAX_CHARS)
        if valid_for_s is not None and not 1 <= valid_for_s <= _LONGEST_S:
            raise ValueError(f"valid_for_s must be 1 to {_LONGEST_S} seconds, got {valid_for_s:g}")
        token_id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        now = self._now()
        expires = None if valid_for_s is None else now + round(valid_for_s * 1_000_000)
        values = (token_id, str(person), str(Role(role)), now, expires, None, _hash(secret))
        hasher = self._store.hasher
        issued = AdminEvent(AdminAction.ISSUED, AdminKind.TOKEN, token_id, None, token_digest(hasher, values))
        with self._store.transaction() as database:
            database.execute(_INSERT, values)
            append_admin_event(database, hasher, now, issued)
        return token_id, f"gwr_{token_id}_{secret}"

    def issued(self) -> list[IssuedToken]:
        """Return all tokens, the revoked ones too, as they were issued."""
        with self._store.snapshot() as database:
            rows = database.execute(f"{_SELECT} ORDER BY created_at, token_id", ())
            return [_read(row, database.place) for row in rows]

    def revoke(self, token_id: str) -> None:
        """
        End a token now, and what was begun with it.

        Raises:
            NotFound: There is none of this id.
        """
        with self._store.transaction() as database:
            rows = database.execute(f"{_SELECT} WHERE token_id = ?", (token_id,))
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

    def holder(self, token_id: str) -> Person | None:
        """Return whose token of this id is good now; None if there is none."""
        token, _, is_good = self._look_up(token_id)
        return Person(token.person, token.role) if is_good else None

    def check(self, token: str) -> tuple[str, Person] | None:
        """
        Return the id and the holder of *token*; None if it is not good, whatever the reason.

        The work is the same whether the id is known or not, so the time says nothing of it: one
        read, one hash and one comparison.
        """
        parts = _TOKEN.fullmatch(token) or _NO_TOKEN
        issued, secret_hash, is_good = self._look_up(parts[1])
        is_secret = hmac.compare_digest(_hash(parts[2]), secret_hash)
        return (issued.token_id, Person(issued.person, issued.role)) if is_secret and is_good else None

    def reviewers(self) -> frozenset[str]:
        """Return who has a reviewer's token that is good now."""
        condition = "role = 'reviewer' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"
        with self._store.snapshot() as database:
            rows = database.execute(f"{_SELECT} WHERE {condition}", (self._now(),))
            return frozenset(self._sound(row, database).person for row in rows)

    def _look_up(self, token_id: str) -> tuple[IssuedToken, str, bool]:
        """
        The token of this id, the hash of its secret, and whether it is good now; `_NO_ROW` if there is none.

        Raises:
            MemoryStoreError: It is not as it was issued or revoked: somebody else has written it.
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

    def _sound(self, row: Row, database: Database) -> IssuedToken:
        """Return the token of a row of `_SELECT`; raises as `_look_up` does."""
        *values, known = row
        if not self._is_sound(values, known):
            raise _damaged(database.place)
        return _read(row, database.place)

    def _is_sound(self, values: Sequence[object], known: object) -> bool:
        return token_digest(self._store.hasher, values) == known

    def _now(self) -> int:
        return as_microseconds(self._clock(), "the clock's time")


class TokenAuth:
    """
    The way in by tokens: those who sign in on the page, and programs that send them with each request.

    Args:
        tokens: Which are good.
        remember_s: How long those who have signed in are believed without another look into
            the database, in seconds: so long a revoked token may still open pages.
        clock: Seconds that only grow.
    """

    def __init__(self, tokens: Tokens, *, remember_s: float = 1.0, clock: Callable[[], float] = monotonic) -> None:
        self._tokens = tokens
        self._remember_s = remember_s
        self._clock = clock
        self._known: OrderedDict[str, tuple[Person, float]] = OrderedDict()
        self._reviewers: tuple[frozenset[str], float] = (frozenset(), -inf)
        # One is enough: the store's connection has one transaction at a time.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="groundwire-tokens")

    async def check(self, token: str) -> tuple[str, Person] | None:
        """See `Tokens.check`."""
        return await get_running_loop().run_in_executor(self._thread, self._tokens.check, token)

    async def reviewers(self) -> frozenset[str]:
        """See `Tokens.reviewers`; as they were when they were looked up last."""
        now = self._clock()
        if now >= self._reviewers[1]:
            found = await get_running_loop().run_in_executor(self._thread, self._tokens.reviewers)
            self._reviewers = (found, now + self._remember_s)
        return self._reviewers[0]

    async def holder(self, token_id: str) -> Person | None:
        """See `Tokens.holder`; as it was when it was looked up last."""
        now = self._clock()
        if token_id in self._known and now < self._known[token_id][1]:
            return self._known[token_id][0]
        person = await get_running_loop().run_in_executor(self._thread, self._tokens.holder, token_id)
        self._known.pop(token_id, None)
        if person is not None:
            self._known[token_id] = (person, now + self._remember_s)
        if len(self._known) > _KNOWN_MAX:
            self._known.popitem(last=False)
        return person


def _read(row: Row, place: str) -> IssuedToken:
    """
    Return the token of a row.

    Raises:
        MemoryStoreError: It is not one that `Tokens.issue` wrote.
    """
    try:
        return _token_of(row)
    except (TypeError, ValueError, OverflowError):
        pass
    # Outside the handler: the other exception may carry values.
    raise store_error(StoreFailure.CORRUPT, place, "a token's row")


def _token_of(row: Row) -> IssuedToken:
    token_id, person, role, created_at, expires_at, revoked_at = row[: len(TOKEN_COLUMNS) - 1]
    return IssuedToken(
        token_id=token_id,
        person=person,
        role=Role(role),
        created_at=as_time(created_at),
        expires_at=None if expires_at is None else as_time(expires_at),
        revoked_at=None if revoked_at is None else as_time(revoked_at),
    )


def _damaged(place: str) -> MemoryStoreError:
    return store_error(StoreFailure.CORRUPT, place, "a token is not as it was written")


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()

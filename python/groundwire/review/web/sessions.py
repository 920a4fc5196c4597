"""Who has signed in on the page. Sessions end with the process, and with the token they were begun with."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from time import monotonic

__all__ = ["Sessions"]

_SESSIONS_MAX = 10_000


class Sessions:
    """
    The sessions of one process.

    A session's id is made when somebody signs in, never taken from a request; what is kept is its hash.

    Args:
        lifetime_s: How long one lasts, in seconds.
        clock: Seconds that only grow.
    """

    def __init__(self, lifetime_s: float, clock: Callable[[], float] = monotonic) -> None:
        self._lifetime_s = lifetime_s
        self._clock = clock
        self._begun: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._key = secrets.token_bytes(32)

    def begin(self, token_id: str) -> str:
        """Return the id of a new session, which was begun with this token."""
        session_id = secrets.token_urlsafe(32)
        self._begun[_hash(session_id)] = (token_id, self._clock() + self._lifetime_s)
        if len(self._begun) > _SESSIONS_MAX:
            self._begun.popitem(last=False)
        return session_id

    def token_id(self, session_id: str) -> str | None:
        """Return with which token a session was begun; None if there is no such session, or no longer."""
        token_id, until = self._begun.get(_hash(session_id), ("", 0.0))
        return token_id if token_id and self._clock() < until else None

    def end(self, session_id: str) -> None:
        """End a session, if there is one."""
        self._begun.pop(_hash(session_id), None)

    def form_key(self, identity: str) -> str:
        """Return what the forms of somebody hold, so that no other page can send them."""
        return hmac.new(self._key, identity.encode("utf-8", "surrogatepass"), sha256).hexdigest()


def _hash(session_id: str) -> str:
    return sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()

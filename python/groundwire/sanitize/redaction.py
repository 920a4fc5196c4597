"""
Removes the secrets of a connection from the responses of its server.

A server may repeat the key of a request, plain or encoded, in a model's answer. The client removes it from the answer,
so that judgements, caches, reports and later requests never contain it.
"""

import base64
import re
import unicodedata
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from groundwire.sanitize import without_hidden

__all__ = ["REDACTED", "Redactor", "secrets_of"]

REDACTED = "[redacted]"

# Self-hosted servers accept any key, such as "none" or "ollama". Such words are not secret, and answers may contain
# them.
_SECRET_CHARS_MIN = 8


def secrets_of(address: str, api_key: str | None) -> list[str]:
    """Return the key of a connection, and the password in its address."""
    password = urlsplit(address).password
    return [each for each in (api_key, password, None if password is None else unquote(password)) if each]


class Redactor:
    """
    Removes secrets from texts.

    Args:
        secrets: The secrets. Those with fewer than 8 characters are not removed.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = [secret for secret in dict.fromkeys(secrets) if len(secret) >= _SECRET_CHARS_MIN]
        # Longer forms first, because one may contain another.
        forms = sorted({form for each in self._secrets for form in _forms(each)}, key=len, reverse=True)
        self._forms = re.compile("|".join(map(re.escape, forms)), re.IGNORECASE) if forms else None
        self._folded = [_fold(form) for form in forms]

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def text(self, text: str) -> str:
        """
        Return *text* with `[redacted]` for each secret, plain, percent-encoded, in base64 or hexadecimal, in any case.

        If a text contains a secret in full-width letters or with hidden characters inside, the whole text is redacted.
        """
        if self._forms is None:
            return text
        text = self._forms.sub(REDACTED, text)
        folded = _fold(text)
        return REDACTED if any(form in folded for form in self._folded) else text

    def value(self, value: Any) -> Any:
        """Return *value*, which consists of lists and dicts as in JSON, with every str redacted."""
        if self._forms is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {self.text(name): self.value(each) for name, each in value.items()}
        return value


def _forms(secret: str) -> list[str]:
    """Return *secret* as a server may write it."""
    encoded = secret.encode("utf-8", "surrogatepass")
    plain, safe = base64.b64encode(encoded).decode(), base64.urlsafe_b64encode(encoded).decode()
    # The end of base64 depends on the following text, and may be missing.
    whole = len(encoded) // 3 * 4
    return [secret, quote(secret, safe=""), plain, safe, plain[:whole], safe[:whole], encoded.hex()]


def _fold(text: str) -> str:
    return without_hidden(unicodedata.normalize("NFKC", without_hidden(text))).casefold()

"""
Removal of a connection's secrets from the responses of its server.

A server may repeat the key that it was sent, plainly or encoded, in a model's answer. The client that reads the answer
takes it out, so that judgements, caches, reports and later requests never hold it.
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

# Self-hosted servers take any key: "none", "ollama". Such a word is no secret, and may be in any answer.
_SECRET_CHARS_MIN = 8


def secrets_of(address: str, api_key: str | None) -> list[str]:
    """Return the key of a connection, and the password in its address."""
    password = urlsplit(address).password
    return [each for each in (api_key, password, None if password is None else unquote(password)) if each]


class Redactor:
    """
    Takes secrets out of texts.

    Args:
        secrets: The secrets. Those of fewer than 8 characters stay in the texts.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = [secret for secret in dict.fromkeys(secrets) if len(secret) >= _SECRET_CHARS_MIN]
        # Longer forms first: one may hold another.
        forms = sorted({form for each in self._secrets for form in _forms(each)}, key=len, reverse=True)
        self._forms = re.compile("|".join(map(re.escape, forms)), re.IGNORECASE) if forms else None
        self._folded = [_fold(form) for form in forms]

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def text(self, text: str) -> str:
        """
        Return *text* with `[redacted]` for each secret, plain, percent-encoded, in base64 or hexadecimal, in any case.

        A text that holds one in letters of another width or with hidden characters inside is redacted as a whole.
        """
        if self._forms is None:
            return text
        text = self._forms.sub(REDACTED, text)
        folded = _fold(text)
        return REDACTED if any(form in folded for form in self._folded) else text

    def value(self, value: Any) -> Any:
        """Return *value*, made of lists and dicts as JSON is, with every str in it redacted."""
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
    # The end of base64 depends on what follows, and may be left out.
    whole = len(encoded) // 3 * 4
    return [secret, quote(secret, safe=""), plain, safe, plain[:whole], safe[:whole], encoded.hex()]


def _fold(text: str) -> str:
    return without_hidden(unicodedata.normalize("NFKC", without_hidden(text))).casefold()

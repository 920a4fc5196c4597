"""Which server, and with which key: from the arguments, or from the environment as OpenAI's SDK reads it."""

import os
from urllib.parse import urlsplit

__all__ = ["server_address", "server_key"]

_OPENAI = "https://api.openai.com/v1"


def server_address(base_url: str | None) -> str:
    """
    Return *base_url*, else `OPENAI_BASE_URL`, else that of OpenAI.

    Raises:
        ValueError: It is no address of http or https. The message does not show it, for it
            may hold a password.
    """
    address = base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must be an address that begins with http:// or https://")
    return address


def server_key(api_key: str | None, address: str) -> str | None:
    """
    Return *api_key*, else `OPENAI_API_KEY`, else None: a server of one's own may ask for none.

    Raises:
        ValueError: The server is OpenAI's, and there is no key. Texts are not sent only to
            be refused.
    """
    key = api_key or os.environ.get("OPENAI_API_KEY") or None
    if key is None and urlsplit(address).hostname == urlsplit(_OPENAI).hostname:
        raise ValueError(
            "no key for OpenAI: give api_key, or set OPENAI_API_KEY; or give the base_url of another server"
        )
    return key

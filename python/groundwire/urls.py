"""The one form of a URL: what two spellings of the same page have in common."""

import re

__all__ = ["canonical_url"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
# White space, control characters and lone surrogates: `urlsplit` drops some of them without a word.
_FORBIDDEN = re.compile(r"[\s\x00-\x20\x7f-\xa0\ud800-\udfff]")
# Parameters by which advertisers, newsletters and shops follow their visitors. None of them chooses a page.
_TRACKING_PREFIX = "utm_"
_TRACKING = frozenset(
    {
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid", "_ga", "_gl"),
        *("fbclid", "igsh", "igshid", "msclkid", "twclid", "ttclid", "yclid", "ysclid", "li_fat_id", "epik", "rdt_cid"),
        *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_conv", "vero_id"),
    }
)


def canonical_url(url: str) -> str:
    """
    Return *url* in the form that all its spellings share.

    Scheme and host are in lower case. The default port, the fragment, slashes at the end of
    the path, and tracking parameters (`utm_*`, `gclid`, `fbclid`, `mc_cid`, ...) are dropped.
    The path and the other parameters stay as they are, in their order and their case. An
    international name of a host is not encoded. The result is its own canonical form.

    What is not a valid `http` or `https` URL with a host comes back unchanged.

    Time is linear in the length of *url*.
    """
    from urllib.parse import urlsplit

    if _FORBIDDEN.search(url):
        return url
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        return url
    user = parts.netloc.rpartition("@")[0]
    authority = f"{user}@" if user else ""
    authority += f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        authority += f":{port}"
    query = "&".join(each for each in parts.query.split("&") if each and not _is_tracking(each.partition("=")[0]))
    return f"{scheme}://{authority}{parts.path.rstrip('/')}{'?' if query else ''}{query}"


def _is_tracking(name: str) -> bool:
    """Return whether a parameter follows the visitor and chooses nothing."""
    name = name.lower()
    return name.startswith(_TRACKING_PREFIX) or name in _TRACKING

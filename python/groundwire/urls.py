"""
URLs: one spelling for each page, and where URLs are in a text.

Two URLs name the same page if they differ in the case of scheme and host, the default port, a trailing slash, the
fragment, parameters that only track visitors, or how characters are escaped. Source: rulings B16 and C18.
"""

import re
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

__all__ = ["canonical_url", "find_urls"]

_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}
_TRACKING = re.compile(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_hsenc|_hsmi"
    r"|mkt_tok|oly_anon_id|oly_enc_id|vero_id|ref_src|ref_url|srsltid",
    re.IGNORECASE,
)
# RFC 3986 unreserved characters mean the same escaped and plain.
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = "/:?#[]@!$&'()*+,;=%~"

_URL = re.compile(r"https?://[^\s<>\"“”«»`|\\^{}\[\]【】，。；！？、）】」』]+", re.IGNORECASE)
_TRAILING = ".,;:!?'*_~…’"


def canonical_url(url: str) -> str:
    """
    Return *url* in the spelling that all URLs of the same page share.

    Scheme and host are in lower case; default port, user, trailing slash, fragment and tracking parameters are left
    out; other parameters keep their order. A fragment that begins with `!` or `/` names a page of its own and
    stays. What is no URL with a host comes back as it is, without white space around it.
    """
    url = url.strip()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url
    if not host:
        return url
    host = host.rstrip(".")
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != _DEFAULT_PORTS.get(parts.scheme):
        netloc += f":{port}"
    query = "&".join(each for each in parts.query.split("&") if each and not _is_tracking(each))
    fragment = parts.fragment if parts.fragment[:1] in ("!", "/") else ""
    path = _escape(parts.path).rstrip("/")
    return urlunsplit(SplitResult(parts.scheme, netloc, path, _escape(query), _escape(fragment)))


def find_urls(text: str) -> list[tuple[int, int]]:
    """Return where the URLs in *text* start and end, without the punctuation of the sentence behind them."""
    return [(match.start(), match.start() + len(_without_punctuation(match[0]))) for match in _URL.finditer(text)]


def _without_punctuation(url: str) -> str:
    while True:
        shorter = url.rstrip(_TRAILING)
        # A bracket that is opened before the URL closes behind it.
        if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
            shorter = shorter[:-1]
        if shorter == url:
            return url
        url = shorter


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(parameter.partition("=")[0]) is not None


def _escape(part: str) -> str:
    """Escape what has to be, and nothing that need not be."""
    escaped = quote(part, safe=_RESERVED, errors="replace")
    return _ESCAPED.sub(lambda match: _unescape(match[1]), escaped)


def _unescape(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"

"""
Brings URLs into canonical form, and finds URLs in a text.

Source: rulings B16 and C18.
"""

import re

__all__ = ["canonical_url", "find_urls"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
# White space, control characters and lone surrogates, some of which `urlsplit` drops silently.
_FORBIDDEN = re.compile(r"[\s\x00-\x20\x7f-\xa0\ud800-\udfff]")
# Parameters for tracking visitors. None of them selects a page.
_TRACKING_PREFIX = "utm_"
_TRACKING = frozenset(
    {
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "gad_campaignid", "srsltid", "_ga", "_gl"),
        *("fbclid", "igsh", "igshid", "msclkid", "twclid", "ttclid", "yclid", "ysclid", "li_fat_id", "epik", "rdt_cid"),
        *("mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_conv", "vero_id"),
        *("ref_src", "ref_url"),
    }
)
# Unreserved characters, equivalent in escaped and plain form (RFC 3986, section 2.3), and those that need no escaping.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = "/:?#[]@!$&'()*+,;=%~"
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")

_URL = re.compile(r"https?://[^\s<>\"“”«»`|\\^{}\[\]【】，。；！？、）】」』]+", re.IGNORECASE)
_TRAILING = ".,;:!?'*_~…’"


def canonical_url(url: str) -> str:
    """
    Return *url* in its canonical form, which all equivalent spellings share.

    Scheme and host are in lower case. User and password, the default port, the fragment,
    slashes at the end of the path, and tracking parameters (`utm_*`, `gclid`, `fbclid`, `mc_cid`, ...) are dropped.
    A fragment that begins with `!` or `/` identifies a page and is kept. Characters are
    escaped only if necessary. The path and the other parameters keep their order and their
    case. International host names are not encoded. The canonical form of the result is the
    result itself.

    Anything but a valid `http` or `https` URL with a host is returned unchanged.

    Time is linear in the length of *url*.
    """
    from urllib.parse import SplitResult, urlsplit, urlunsplit

    text = url.strip()
    if _FORBIDDEN.search(text):
        return url
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return url
    authority = f"[{host}]" if ":" in host else host.rstrip(".")
    if port is not None and port != _DEFAULT_PORTS[parts.scheme]:
        authority += f":{port}"
    query = "&".join(each for each in parts.query.split("&") if each and not _is_tracking(each))
    fragment = parts.fragment if parts.fragment[:1] in ("!", "/") else ""
    path = _escape(parts.path).rstrip("/")
    return urlunsplit(SplitResult(parts.scheme, authority, path, _escape(query), _escape(fragment)))


def find_urls(text: str) -> list[tuple[int, int]]:
    """Return the spans of the URLs in *text*, without punctuation of the sentence after them."""
    return [(match.start(), match.start() + len(_without_punctuation(match[0]))) for match in _URL.finditer(text)]


def _without_punctuation(url: str) -> str:
    end = len(url)
    unopened = url.count(")") - url.count("(")
    while end:
        # A bracket that was opened before the URL is closed after it.
        if url[end - 1] == ")" and unopened > 0:
            unopened -= 1
        elif url[end - 1] not in _TRAILING:
            break
        end -= 1
    return url[:end]


def _is_tracking(parameter: str) -> bool:
    """Tell whether a parameter only tracks the visitor."""
    name = parameter.partition("=")[0].lower()
    return name.startswith(_TRACKING_PREFIX) or name in _TRACKING


def _escape(part: str) -> str:
    """Escape only the characters that need it."""
    from urllib.parse import quote

    return _ESCAPED.sub(lambda match: _unescape(match[1]), quote(part, safe=_RESERVED))


def _unescape(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"

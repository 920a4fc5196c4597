"""
URLs: one form for all spellings of a page, and where URLs are in a text.

Source: rulings B16 and C18.
"""

import re

__all__ = ["canonical_url", "find_urls"]

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
        *("ref_src", "ref_url"),
    }
)
# Characters that mean the same escaped and plain (RFC 3986, section 2.3), and those that may stay as they are.
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_RESERVED = "/:?#[]@!$&'()*+,;=%~"
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")

_URL = re.compile(r"https?://[^\s<>\"“”«»`|\\^{}\[\]【】，。；！？、）】」』]+", re.IGNORECASE)
_TRAILING = ".,;:!?'*_~…’"


def canonical_url(url: str) -> str:
    """
    Return *url* in the form that all its spellings share.

    Scheme and host are in lower case. User and password, the default port, the fragment,
    slashes at the end of the path, and tracking parameters (`utm_*`, `gclid`, `fbclid`, `mc_cid`, ...) are dropped.
    A fragment that begins with `!` or `/` names a page of its own and stays. Characters are
    escaped where they have to be, and only there. The path and the other parameters keep
    their order and their case. An international name of a host is not encoded. The result is
    its own canonical form.

    What is not a valid `http` or `https` URL with a host comes back unchanged.

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
    """Return where the URLs in *text* start and end, without the punctuation of the sentence behind them."""
    return [(match.start(), match.start() + len(_without_punctuation(match[0]))) for match in _URL.finditer(text)]


def _without_punctuation(url: str) -> str:
    end = len(url)
    unopened = url.count(")") - url.count("(")
    while end:
        # A bracket that is opened before the URL closes behind it.
        if url[end - 1] == ")" and unopened > 0:
            unopened -= 1
        elif url[end - 1] not in _TRAILING:
            break
        end -= 1
    return url[:end]


def _is_tracking(parameter: str) -> bool:
    """Return whether a parameter follows the visitor and chooses nothing."""
    name = parameter.partition("=")[0].lower()
    return name.startswith(_TRACKING_PREFIX) or name in _TRACKING


def _escape(part: str) -> str:
    """Escape what has to be escaped, and nothing else."""
    from urllib.parse import quote

    return _ESCAPED.sub(lambda match: _unescape(match[1]), quote(part, safe=_RESERVED))


def _unescape(digits: str) -> str:
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else f"%{digits.upper()}"

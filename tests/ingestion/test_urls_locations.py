"""A URL is read strictly, or not at all."""

import re
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion.verify.failures import LookUpError
from groundwire.ingestion.verify.location import Location, join, parse


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.org", Location("http", "a.org", 80, "/")),
        ("HTTPS://A.Org:443/B?c=D#e", Location("https", "a.org", 443, "/B?c=D")),
        ("https://a.org?b", Location("https", "a.org", 443, "/?b")),
        ("http://a.org.:8080/", Location("http", "a.org", 8080, "/")),
        ("http://a.org:/", Location("http", "a.org", 80, "/")),
        ("http://8.8.8.8/", Location("http", "8.8.8.8", 80, "/")),
        ("http://[2606:4700:0::1111]/", Location("http", "2606:4700::1111", 80, "/")),
        ("https://例子.cn/路", Location("https", "xn--fsqu00a.cn", 443, "/%E8%B7%AF")),
        ("https://BÜCHER.de/", Location("https", "xn--bcher-kva.de", 443, "/")),
        ("http://a.org/%2e%2e/é%20\"'<>", Location("http", "a.org", 80, "/%2e%2e/%C3%A9%20\"'<>")),
        ("http://my_host.a-b.org/", Location("http", "my_host.a-b.org", 80, "/")),
    ],
)
def test_what_a_url_says(url, expected):
    """Host in ASCII and small letters, port as a number, target in ASCII, no fragment."""
    assert parse(url) == expected


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://a.org/", "a.org"),
        ("http://a.org:443/", "a.org:443"),
        ("https://[2606:4700::1]:444/", "[2606:4700::1]:444"),
    ],
)
def test_the_header_host(url, authority):
    """With the port unless it is the scheme's own; addresses of IPv6 in brackets."""
    assert parse(url).authority == authority


@pytest.mark.parametrize(
    "url",
    ["http://straße.de/", "http://a..org/", "http://.a.org/", "http://-a.org/", "http://a-.org/", "http://a.org:-1/",
     "http://a.org:1e3/", "http://a.org:１/", f"http://{'a' * 64}.org/", f"http://{'a.' * 130}org/",
     f"http://a.org/{'b' * 5000}",
     "http://xn--a.org:99999/", "http://a.0x/", "http://a.1/", "http://1.2.3.4.5/", "http://[v1.a]/", "http://[]/"],
)  # fmt: skip
def test_what_is_not_read(url):
    """`ß` is another host for another program; a host that ends with a number is an address or nothing."""
    with pytest.raises(LookUpError) as caught:
        parse(url)
    assert caught.value.code == "url_refused"


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("/c", "http://a.org:81/c"),
        ("c", "http://a.org:81/b/c"),
        ("../c", "http://a.org:81/c"),
        ("?c", "http://a.org:81/b/?c"),
        ("", "http://a.org:81/b/"),
        ("//d.org/c", "http://d.org/c"),
        ("https://d.org", "https://d.org/"),
    ],
)
def test_references(reference, expected):
    """As in RFC 3986."""
    assert join(parse("http://a.org:81/b/"), reference) == parse(expected)


PIECES = ["http", "https", "file", ":", "/", "//", "\\", "@", "#", "?", "%", "[", "]", ".", "。", "127", "0x7f", "1",
          "::1", "a", "localhost", "org", "xn--", "-", "\t", "\n", " ", "\x00", "\u200b", "ß", "①", "é",
          "\ud800", ":80", "%00"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.booleans())
def test_any_text_is_refused_or_read_as_one_thing(text, is_url):
    """Never another error; and what is read has one reading for every program behind it."""
    url = f"http://{text}" if is_url else text
    try:
        location = parse(url)
    except LookUpError:
        return
    assert location.scheme in ("http", "https")
    assert re.fullmatch(r"/[\x21-\x7e]*", location.target)
    if ":" in location.host or re.fullmatch(r"[0-9.]+", location.host):
        assert str(ip_address(location.host)) == location.host
    else:
        assert re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", location.host)
        assert not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", location.host.rpartition(".")[2])


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_reference_is_refused_or_read(reference):
    """The header of an answer is text of a stranger too."""
    try:
        location = join(parse("http://a.org/b"), reference)
    except LookUpError:
        return
    assert parse(f"{location.scheme}://{location.authority}{location.target}") == location

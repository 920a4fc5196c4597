"""URLs are parsed strictly or refused, and lead to public addresses only (ruling C12)."""

import asyncio
import re
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.protocol import VerificationLookupError, VerificationStatus
from groundwire.ingestion.verification.url_policy import HostPolicy, ParsedUrl, is_public, join_url, parse_url
from groundwire.ingestion.verification.verifier import CitationVerifier
from groundwire.ingestion.verification.web import UrlVerifier
from ingestion.verification.servers import PUBLIC, Dialler, answer, client_for, redirect, serve


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.org", ParsedUrl("http", "a.org", 80, "/")),
        ("HTTPS://A.Org:443/B?c=D#e", ParsedUrl("https", "a.org", 443, "/B?c=D")),
        ("https://a.org?b", ParsedUrl("https", "a.org", 443, "/?b")),
        ("http://a.org.:8080/", ParsedUrl("http", "a.org", 8080, "/")),
        ("http://a.org:/", ParsedUrl("http", "a.org", 80, "/")),
        ("http://8.8.8.8/", ParsedUrl("http", "8.8.8.8", 80, "/")),
        ("http://[2606:4700:0::1111]/", ParsedUrl("http", "2606:4700::1111", 80, "/")),
        ("https://例子.cn/路", ParsedUrl("https", "xn--fsqu00a.cn", 443, "/%E8%B7%AF")),
        ("https://BÜCHER.de/", ParsedUrl("https", "xn--bcher-kva.de", 443, "/")),
        ("http://a.org/%2e%2e/é%20\"'<>", ParsedUrl("http", "a.org", 80, "/%2e%2e/%C3%A9%20\"'<>")),
        ("http://my_host.a-b.org/", ParsedUrl("http", "my_host.a-b.org", 80, "/")),
    ],
)
def test_parts_of_a_url(url, expected):
    """The host is in ASCII and lower case, the port a number, the target ASCII, without the fragment."""
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://a.org/", "a.org"),
        ("http://a.org:443/", "a.org:443"),
        ("https://[2606:4700::1]:444/", "[2606:4700::1]:444"),
    ],
)
def test_the_header_host(url, authority):
    """It has the port unless it is the scheme's default; IPv6 addresses are in brackets."""
    assert parse_url(url).authority == authority


@pytest.mark.parametrize(
    "url",
    ["http://straße.de/", "http://a..org/", "http://.a.org/", "http://-a.org/", "http://a-.org/", "http://a.org:-1/",
     "http://a.org:1e3/", "http://a.org:１/", f"http://{'a' * 64}.org/", f"http://{'a.' * 130}org/",
     f"http://a.org/{'b' * 5000}",
     "http://xn--a.org:99999/", "http://a.0x/", "http://a.1/", "http://1.2.3.4.5/", "http://[v1.a]/", "http://[]/"],
)  # fmt: skip
def test_urls_that_are_refused(url):
    """`ß` is another host for other programs; a host that ends with a number is an address or invalid."""
    with pytest.raises(VerificationLookupError) as caught:
        parse_url(url)
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
    """They are resolved by RFC 3986."""
    assert join_url(parse_url("http://a.org:81/b/"), reference) == parse_url(expected)


PIECES = ["http", "https", "file", ":", "/", "//", "\\", "@", "#", "?", "%", "[", "]", ".", "。", "127", "0x7f", "1",
          "::1", "a", "localhost", "org", "xn--", "-", "\t", "\n", " ", "\x00", "\u200b", "ß", "①", "é",
          "\ud800", ":80", "%00"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.booleans())
def test_any_text_is_refused_or_read_as_one_thing(text, is_url):
    """No other error is raised; a URL that is read has the same meaning for every later program."""
    url = f"http://{text}" if is_url else text
    try:
        location = parse_url(url)
    except VerificationLookupError:
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
    """The header of an answer is untrusted text too."""
    try:
        location = join_url(parse_url("http://a.org/b"), reference)
    except VerificationLookupError:
        return
    assert parse_url(f"{location.scheme}://{location.authority}{location.target}") == location


NAMES = {
    "loopback.attacker.com": [["127.0.0.1"]],
    "mixed.attacker.com": [[PUBLIC, "127.0.0.1"]],
    "mapped.attacker.com": [["::ffff:127.0.0.1"]],
    "six.attacker.com": [["::1"]],
    "zone.attacker.com": [["fe80::1%lo"]],
    "nat64.attacker.com": [["64:ff9b::7f00:1"]],
    "any.attacker.com": [["0.0.0.0"]],
    "private.attacker.com": [[PUBLIC, "10.0.0.1"]],
    "nobody.attacker.com": [[]],
    "nonsense.attacker.com": [["localhost"]],
    "xn--lcalhost-6bb.com": [["127.0.0.1"]],
    "public.com": [[PUBLIC]],
    "metadata.google.internal": [["169.254.169.254"]],
    "localhost": [["127.0.0.1"]],
    "instance-data": [["169.254.169.254"]],
}


TABLE = tomllib.loads(Path(__file__).with_name("hostile_urls.toml").read_text(encoding="utf-8"))


HOSTILE = [url for urls in TABLE.values() for url in urls]


# TOML has no lone surrogates.
HOSTILE.append("http://\ud800127.0.0.1:{port}/")


# A header can contain them, and the redirecting server has no such path.
REDIRECTS = [url for url in HOSTILE if not {*"\r\n\x00\ud800"} & {*url} and not url.startswith("http：")]


def verify(client, url: str):
    """Return the result for *url*."""
    return asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, url, 0, len(url))))


def test_the_table_is_long_enough():
    """There are at least sixty different ones."""
    assert len({*HOSTILE}) == len(HOSTILE) >= 60


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_no_server_is_contacted(url):
    """Neither the server that listens on each of its addresses nor any other address is contacted."""
    dialler = Dialler()
    with serve(lambda _: answer(200), address="0.0.0.0") as victim:
        client = client_for(victim.port, names=NAMES, dialler=dialler)
        result = verify(client, url.format(port=victim.port))
    assert result.status is VerificationStatus.UNKNOWN
    assert dialler.dialled == []
    assert victim.contacts == 0


@pytest.mark.parametrize("url", REDIRECTS, ids=ascii)
def test_no_redirect_leads_to_a_refused_address(url):
    """Only the allowed server that redirects is contacted."""
    dialler = Dialler()
    with serve(lambda _: answer(200), address="0.0.0.0") as victim:
        target = url.format(port=victim.port)
        with serve(lambda _: redirect(target)) as front:
            allowed = f"front.test:{front.port}"
            names = {**NAMES, "front.test": [["127.0.0.1"]]}
            client = client_for(victim.port, names=names, dialler=dialler, allow_hosts=[allowed])
            result = verify(client, f"http://{allowed}/")
            assert front.contacts == 1
    assert result.status is VerificationStatus.UNKNOWN
    assert dialler.dialled == ["127.0.0.1"]
    assert victim.contacts == 0


def test_without_the_checks_the_server_would_be_contacted(monkeypatch):
    """The tests above would notice: names and plain addresses reach the server."""
    monkeypatch.setattr(HostPolicy, "check_addresses", lambda *_: None)
    urls = ["http://127.0.0.1:{port}/", "http://127.0.0.1.:{port}/", *TABLE["looked_up"][:2]]
    with serve(lambda _: answer(200)) as victim:
        client = client_for(victim.port, names=NAMES)
        assert all(verify(client, url.format(port=victim.port)).valid for url in urls)
        assert victim.contacts == len(urls)


def test_a_name_is_resolved_once():
    """Rebinding: the address that was checked is dialled, and the name is not resolved again."""
    dialler = Dialler()
    names = {"rebind.attacker.com": [[PUBLIC], ["127.0.0.1"]]}
    with serve(lambda _: answer(200)) as victim:
        result = verify(
            client_for(victim.port, names=names, dialler=dialler), f"http://rebind.attacker.com:{victim.port}/"
        )
    assert result.code == "connection_failed"
    assert dialler.dialled == [PUBLIC]
    assert victim.contacts == 0


def test_the_second_request_is_checked_again():
    """GET after HEAD is a separate connection with the same checks."""
    dialler = Dialler()
    with serve(lambda _: answer(405)) as front:
        host = f"rebind.test:{front.port}"
        names = {"rebind.test": [["127.0.0.1"]], "turns.attacker.com": [["127.0.0.1"]]}
        client = client_for(front.port, names=names, dialler=dialler, allow_hosts=[host])
        assert verify(client, f"http://{host}/").code == "http_unclear"
        assert verify(client, f"http://turns.attacker.com:{front.port}/").code == "address_refused"
        assert front.methods == ["HEAD", "GET"]


def test_public_addresses_are_tried_one_after_the_other():
    """Only checked addresses are tried."""
    dialler = Dialler()
    names = {"public.com": [[PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "1.1.1.1"]]}
    assert verify(client_for(names=names, dialler=dialler), "http://public.com/").code == "connection_failed"
    assert dialler.dialled == names["public.com"][0]


@pytest.mark.parametrize(
    "variable", ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
)
def test_proxies_of_the_environment_are_ignored(variable, monkeypatch):
    """A proxy would resolve the name again, elsewhere."""
    dialler = Dialler()
    with serve(lambda _: answer(200)) as proxy:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        for scheme in ("http", "https"):
            verify(client_for(names=NAMES, dialler=dialler), f"{scheme}://public.com/")
    assert proxy.contacts == 0
    assert dialler.dialled == [PUBLIC, PUBLIC]


def test_the_network_is_off_by_default():
    """Ruling C12: an allowed host is not requested either, and no name is resolved."""
    with serve(lambda _: answer(200)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        citations = [Citation(CitationType.URL, url, 0, 1), Citation(CitationType.DOI, "10.1000/182", 0, 1)]
        off = CitationVerifier(allow_hosts=[f"127.0.0.1:{server.port}"])
        assert [each.code for each in asyncio.run(off.verify_many(citations))] == ["network_off"] * 2
        assert server.contacts == 0


@pytest.mark.parametrize("entry", ["127.0.0.1:{port}", "127.0.0.1"])
def test_an_allowed_host_is_requested(entry):
    """It counts with its port, or on every port; no other spelling does."""
    with serve(lambda _: answer(200)) as server:
        on = CitationVerifier(network=True, allow_hosts=[entry.format(port=server.port)])
        for host, expected in [("127.0.0.1", "http_success"), ("localhost", "url_refused"), ("127.1", "url_refused")]:
            url = f"http://{host}:{server.port}/"
            assert asyncio.run(on.verify(Citation(CitationType.URL, url, 0, 1))).code == expected
        assert server.contacts == 1


def test_an_allowed_port_allows_no_other():
    """`host:port` allows only that port."""
    with serve(lambda _: answer(200)) as server, serve(lambda _: answer(200)) as other:
        on = CitationVerifier(network=True, allow_hosts=[f"127.0.0.1:{server.port}"])
        result = asyncio.run(on.verify(Citation(CitationType.URL, f"http://127.0.0.1:{other.port}/", 0, 1)))
    assert result.code == "url_refused"
    assert other.contacts == 0


def test_an_ipv6_host_can_be_allowed():
    """It is in brackets, as in a URL."""
    try:
        context = serve(lambda _: answer(200), address="::1")
        with context as server:
            on = CitationVerifier(network=True, allow_hosts=[f"[::1]:{server.port}"])
            url = f"http://[0::1]:{server.port}/"
            assert asyncio.run(on.verify(Citation(CitationType.URL, url, 0, 1))).valid
            assert f"Host: [::1]:{server.port}" in server.requests[0].head
    except OSError:
        pytest.skip("no IPv6 on this machine")


@pytest.mark.parametrize(
    "entry", ["", "http://a.org", "a.org/", "a.org:", "a.org:x", "a.org:70000", "*.org", "a b", "u@h"]
)
def test_an_allowed_host_is_a_host(entry):
    """The error has the position of a wrong entry."""
    if entry == "a.org:":
        assert CitationVerifier(allow_hosts=[entry])
        return
    with pytest.raises(ValueError, match=r"allow_hosts\[0\] must be"):
        CitationVerifier(allow_hosts=[entry])


@pytest.mark.parametrize("address", ["8.8.8.8", PUBLIC, "2606:4700::1111", "64:ff9b::808:808", "223.255.255.255"])
def test_public_addresses(address):
    """They include those that a network without IPv4 gives to IPv4-only hosts."""
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    ["::ffff:8.8.8.8", "2002:808:808::", "2001::1", "::8.8.8.8", "2606:4700::5efe:808:808", "2606:4700::200:5efe:a00:1",
     "64:ff9b::a00:1", "64:ff9b:1::808:808", "4000::1", "fe80::1%eth0", "8.8.8.8%x", "", "localhost", "0x8.8.8.8"],
)  # fmt: skip
def test_tunnels_and_invalid_addresses_are_not_public(address):
    """Ruling C12: IPv4-mapped addresses are refused for any content; no page is served through the others."""
    assert not is_public(address)


NAT64 = ip_network("64:ff9b::/96")


def test_private_addresses_agree_with_the_standard_library():
    """Addresses that this Python calls private or reserved are not public."""
    random = Random(1)
    for _ in range(5_000):
        four = ip_address(random.getrandbits(32))
        six = ip_address(random.getrandbits(128) >> random.choice([0, 0, 3, 60, 96, 120]))
        for address in (four, six):
            if not address.is_global or address.is_multicast or (address.is_reserved and address not in NAT64):
                assert not is_public(str(address)), address

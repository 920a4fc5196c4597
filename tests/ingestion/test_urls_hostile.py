"""URLs that lead where nobody may be led: none of them contacts anybody (ruling C12)."""

import asyncio
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from random import Random

import pytest

from groundwire.ingestion.provenance import Citation, CitationType
from groundwire.ingestion.verify.addresses import is_public
from groundwire.ingestion.verify.reach import Reach
from groundwire.ingestion.verify.results import VerificationStatus
from groundwire.ingestion.verify.url import WebPages
from groundwire.ingestion.verify.verifier import CitationVerifier
from ingestion.servers import PUBLIC, Dialler, answer, client_for, redirect, serve

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
# What a header can hold and what is no path on the server that redirects.
REDIRECTS = [url for url in HOSTILE if not {*"\r\n\x00\ud800"} & {*url} and not url.startswith("http：")]


def verify(client, url: str):
    """What is said of *url*."""
    return asyncio.run(WebPages(client).verify(Citation(CitationType.URL, url, 0, len(url))))


def test_the_table_is_long_enough():
    """Sixty are asked for, all different."""
    assert len({*HOSTILE}) == len(HOSTILE) >= 60


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_nobody_is_contacted(url):
    """Not the server that listens there on every one of its addresses, and no address at all."""
    dialler = Dialler()
    with serve(lambda _: answer(200), address="0.0.0.0") as victim:
        client = client_for(victim.port, names=NAMES, dialler=dialler)
        result = verify(client, url.format(port=victim.port))
    assert result.status is VerificationStatus.UNKNOWN
    assert dialler.dialled == []
    assert victim.contacts == 0


@pytest.mark.parametrize("url", REDIRECTS, ids=ascii)
def test_no_redirect_leads_there(url):
    """An allowed server that redirects is the only one that is contacted."""
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
    """The tests above would see it: of the names and the plain addresses, each comes through."""
    monkeypatch.setattr(Reach, "check_addresses", lambda *_: None)
    urls = ["http://127.0.0.1:{port}/", "http://127.0.0.1.:{port}/", *TABLE["looked_up"][:2]]
    with serve(lambda _: answer(200)) as victim:
        client = client_for(victim.port, names=NAMES)
        assert all(verify(client, url.format(port=victim.port)).valid for url in urls)
        assert victim.contacts == len(urls)


def test_a_name_that_leads_elsewhere_a_moment_later_leads_nowhere():
    """Rebinding: what was looked up and checked is what is dialled, and nothing looks the name up again."""
    dialler = Dialler()
    names = {"rebind.attacker.com": [[PUBLIC], ["127.0.0.1"]]}
    with serve(lambda _: answer(200)) as victim:
        result = verify(
            client_for(victim.port, names=names, dialler=dialler), f"http://rebind.attacker.com:{victim.port}/"
        )
    assert result.code == "connection_failed"
    assert dialler.dialled == [PUBLIC]
    assert victim.contacts == 0


def test_a_name_that_leads_elsewhere_at_the_second_question_is_refused():
    """GET after HEAD is a connection of its own, and is checked like the first."""
    dialler = Dialler()
    with serve(lambda _: answer(405)) as front:
        host = f"rebind.test:{front.port}"
        names = {"rebind.test": [["127.0.0.1"]], "turns.attacker.com": [["127.0.0.1"]]}
        client = client_for(front.port, names=names, dialler=dialler, allow_hosts=[host])
        assert verify(client, f"http://{host}/").code == "http_unclear"
        assert verify(client, f"http://turns.attacker.com:{front.port}/").code == "address_refused"
        assert front.methods == ["HEAD", "GET"]


def test_public_addresses_are_tried_one_after_the_other():
    """And only those that were checked."""
    dialler = Dialler()
    names = {"public.com": [[PUBLIC, "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "1.1.1.1"]]}
    assert verify(client_for(names=names, dialler=dialler), "http://public.com/").code == "connection_failed"
    assert dialler.dialled == names["public.com"][0]


@pytest.mark.parametrize(
    "variable", ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
)
def test_no_proxy_of_the_environment_is_asked(variable, monkeypatch):
    """A proxy would look the name up again, elsewhere."""
    dialler = Dialler()
    with serve(lambda _: answer(200)) as proxy:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        for scheme in ("http", "https"):
            verify(client_for(names=NAMES, dialler=dialler), f"{scheme}://public.com/")
    assert proxy.contacts == 0
    assert dialler.dialled == [PUBLIC, PUBLIC]


def test_the_network_is_off_unless_it_is_switched_on():
    """Ruling C12: not even a host that is allowed is asked, nor is any name looked up."""
    with serve(lambda _: answer(200)) as server:
        url = f"http://127.0.0.1:{server.port}/"
        citations = [Citation(CitationType.URL, url, 0, 1), Citation(CitationType.DOI, "10.1000/182", 0, 1)]
        off = CitationVerifier(allow_hosts=[f"127.0.0.1:{server.port}"])
        assert [each.code for each in asyncio.run(off.verify_many(citations))] == ["network_off"] * 2
        assert server.contacts == 0


@pytest.mark.parametrize("entry", ["127.0.0.1:{port}", "127.0.0.1"])
def test_a_host_that_is_allowed_is_asked(entry):
    """With its port, or on every port; and no other way to write it."""
    with serve(lambda _: answer(200)) as server:
        on = CitationVerifier(network=True, allow_hosts=[entry.format(port=server.port)])
        for host, expected in [("127.0.0.1", "http_success"), ("localhost", "url_refused"), ("127.1", "url_refused")]:
            url = f"http://{host}:{server.port}/"
            assert asyncio.run(on.verify(Citation(CitationType.URL, url, 0, 1))).code == expected
        assert server.contacts == 1


def test_an_allowed_port_allows_no_other():
    """`host:port` is that port."""
    with serve(lambda _: answer(200)) as server, serve(lambda _: answer(200)) as other:
        on = CitationVerifier(network=True, allow_hosts=[f"127.0.0.1:{server.port}"])
        result = asyncio.run(on.verify(Citation(CitationType.URL, f"http://127.0.0.1:{other.port}/", 0, 1)))
    assert result.code == "url_refused"
    assert other.contacts == 0


def test_an_ipv6_host_can_be_allowed():
    """In brackets, as in a URL."""
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
    """A wrong entry is told at once, by its place."""
    if entry == "a.org:":
        assert CitationVerifier(allow_hosts=[entry])
        return
    with pytest.raises(ValueError, match=r"allow_hosts\[0\] must be"):
        CitationVerifier(allow_hosts=[entry])


@pytest.mark.parametrize("address", ["8.8.8.8", PUBLIC, "2606:4700::1111", "64:ff9b::808:808", "223.255.255.255"])
def test_public_addresses(address):
    """Including those that a network without IPv4 gives to hosts that have only that."""
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    ["::ffff:8.8.8.8", "2002:808:808::", "2001::1", "::8.8.8.8", "2606:4700::5efe:808:808", "2606:4700::200:5efe:a00:1",
     "64:ff9b::a00:1", "64:ff9b:1::808:808", "4000::1", "fe80::1%eth0", "8.8.8.8%x", "", "localhost", "0x8.8.8.8"],
)  # fmt: skip
def test_tunnels_and_what_is_no_address_are_not_public(address):
    """Ruling C12: IPv4-mapped addresses are refused whatever they hold; nobody serves pages through the others."""
    assert not is_public(address)


NAT64 = ip_network("64:ff9b::/96")


def test_private_addresses_agree_with_the_standard_library():
    """Whatever this Python calls private or reserved is not public for us."""
    random = Random(1)
    for _ in range(5_000):
        four = ip_address(random.getrandbits(32))
        six = ip_address(random.getrandbits(128) >> random.choice([0, 0, 3, 60, 96, 120]))
        for address in (four, six):
            if not address.is_global or address.is_multicast or (address.is_reserved and address not in NAT64):
                assert not is_public(str(address)), address

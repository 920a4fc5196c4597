"""Certificates: only a server that can prove its name is believed (ruling C12)."""

import asyncio
import datetime
import ssl

import pytest
import trustme

from groundwire.ingestion.provenance import Citation, CitationType
from groundwire.ingestion.verify.url import WebPages
from ingestion.servers import answer, client_for, serve

NAME = "pages.test"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """An authority that the client of these tests trusts."""
    return trustme.CA()


def server_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    """What a server with *certificate* needs."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def verify(authority: trustme.CA, certificate: trustme.LeafCert, *, trusts: bool = True):
    """What a client says of a page behind *certificate*, and the server's requests."""
    trusted = ssl.create_default_context()
    if trusts:
        authority.configure_trust(trusted)
    with serve(lambda _: answer(200), tls=server_context(certificate)) as server:
        host = f"{NAME}:{server.port}"
        client = client_for(allow_hosts=[host], names={NAME: [["127.0.0.1"]]}, ssl_context=trusted)
        result = asyncio.run(WebPages(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    return result.code.value, server.methods


def test_a_page_behind_a_good_certificate_is_verified(authority):
    """The name of the URL counts, though the address is dialled."""
    assert verify(authority, authority.issue_cert(NAME)) == ("http_success", ["HEAD"])


def test_nothing_is_sent_to_a_server_that_nobody_knows(authority):
    """The certificate is checked before the request is sent."""
    assert verify(authority, authority.issue_cert(NAME), trusts=False) == ("tls_failed", [])


def test_the_certificate_of_another_host_is_none(authority):
    """Not even that of the address."""
    assert verify(authority, authority.issue_cert("other.test", "127.0.0.1")) == ("tls_failed", [])


def test_an_expired_certificate_is_none(authority):
    """By one day."""
    yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    assert verify(authority, authority.issue_cert(NAME, not_after=yesterday)) == ("tls_failed", [])


def test_a_server_without_tls_is_none():
    """What speaks plain HTTP on the port of an https URL proves nothing."""
    with serve(lambda _: answer(200)) as server:
        host = f"{NAME}:{server.port}"
        client = client_for(allow_hosts=[host], names={NAME: [["127.0.0.1"]]}, timeout_s=0.5)
        result = asyncio.run(WebPages(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    assert result.code in ("tls_failed", "timed_out", "connection_failed")


def test_by_default_the_system_s_authorities_are_trusted(authority):
    """And nobody else: the authority of these tests is not among them."""
    with serve(lambda _: answer(200), tls=server_context(authority.issue_cert(NAME))) as server:
        host = f"{NAME}:{server.port}"
        client = client_for(allow_hosts=[host], names={NAME: [["127.0.0.1"]]})
        result = asyncio.run(WebPages(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    assert result.code == "tls_failed"

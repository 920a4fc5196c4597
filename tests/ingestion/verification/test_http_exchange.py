"""Single requests: TLS, connection failures, and the resolver (ruling C12)."""

import asyncio
import datetime
import logging
import socket
import ssl

import httpcore2
import pytest
import trustme

from groundwire.ingestion.citation_detector import Citation, CitationType
from groundwire.ingestion.verification.http_exchange import GuardedNetworkBackend, resolve_host
from groundwire.ingestion.verification.protocol import VerificationLookupError
from groundwire.ingestion.verification.url_policy import HostPolicy
from groundwire.ingestion.verification.web import UrlVerifier
from ingestion.verification.servers import HOST, Dialler, answer, client_for, serve


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Return a certificate authority that the client of these tests trusts."""
    return trustme.CA()


def server_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    """Return the context of a server with *certificate*."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def verify_page(authority: trustme.CA, certificate: trustme.LeafCert, *, trusts: bool = True):
    """Return the client's result for a page behind *certificate*, and the server's requests."""
    trusted = ssl.create_default_context()
    if trusts:
        authority.configure_trust(trusted)
    with serve(lambda _: answer(200), tls=server_context(certificate)) as server:
        host = f"{HOST}:{server.port}"
        client = client_for(allow_hosts=[host], names={HOST: [["127.0.0.1"]]}, ssl_context=trusted)
        result = asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    return result.code.value, server.methods


def test_a_page_behind_a_good_certificate_is_verified(authority):
    """The URL's name counts, although the address is dialled."""
    assert verify_page(authority, authority.issue_cert(HOST)) == ("http_success", ["HEAD"])


def test_nothing_is_sent_to_a_server_with_an_unknown_certificate(authority):
    """The certificate is checked before the request is sent."""
    assert verify_page(authority, authority.issue_cert(HOST), trusts=False) == ("tls_failed", [])


def test_a_certificate_of_another_host_is_refused(authority):
    """A certificate of the address does not count either."""
    assert verify_page(authority, authority.issue_cert("other.test", "127.0.0.1")) == ("tls_failed", [])


def test_an_expired_certificate_is_refused(authority):
    """It expired a day ago."""
    yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    assert verify_page(authority, authority.issue_cert(HOST, not_after=yesterday)) == ("tls_failed", [])


def test_a_server_without_tls_is_refused():
    """A server that speaks plain HTTP on the port of an https URL proves nothing."""
    with serve(lambda _: answer(200)) as server:
        host = f"{HOST}:{server.port}"
        client = client_for(allow_hosts=[host], names={HOST: [["127.0.0.1"]]}, timeout_s=0.5)
        result = asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    assert result.code in ("tls_failed", "timed_out", "connection_failed")


def test_by_default_the_system_s_authorities_are_trusted(authority):
    """The authority of these tests is not among them."""
    with serve(lambda _: answer(200), tls=server_context(authority.issue_cert(HOST))) as server:
        host = f"{HOST}:{server.port}"
        client = client_for(allow_hosts=[host], names={HOST: [["127.0.0.1"]]})
        result = asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, f"https://{host}/", 0, 1)))
    assert result.code == "tls_failed"


def test_the_log_of_other_users_of_the_library_stays(caplog):
    """Only our own requests are kept out of it."""
    caplog.set_level(logging.DEBUG)
    with serve(lambda _: answer(200)) as server, httpcore2.ConnectionPool() as pool:
        pool.request("GET", f"http://127.0.0.1:{server.port}/")
    assert any(record.name == "httpcore2.connection" for record in caplog.records)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (httpcore2.ConnectTimeout(), "timed_out"),
        (httpcore2.ConnectError(), "connection_failed"),
        (httpcore2.ConnectError(ssl.SSLError()), "tls_failed"),
        (httpcore2.ReadError(), "connection_failed"),
        (ssl.SSLError(), "tls_failed"),
        (ConnectionResetError(), "connection_failed"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_failures_of_the_connection(error, code):
    """Each has its code; none means that the page does not exist."""

    class Fails(Dialler):
        async def connect_tcp(self, *_, **__):
            raise error

    client = client_for(names={HOST: [["127.0.0.1"]]}, allow_hosts=[HOST], dialler=Fails())
    result = asyncio.run(UrlVerifier(client).verify(Citation(CitationType.URL, f"http://{HOST}/", 0, 1)))
    assert (result.code, result.status) == (code, "unknown")


def test_no_way_leads_to_a_socket_of_the_file_system():
    """The library opens one only on request; the backend refuses anyway."""
    backend = GuardedNetworkBackend(HostPolicy(), resolve_host, Dialler())
    with pytest.raises(VerificationLookupError):
        asyncio.run(backend.connect_unix_socket("/var/run/docker.sock"))


def test_the_system_resolves_names():
    """It is the resolver outside of tests."""
    assert asyncio.run(resolve_host("127.0.0.1", 80)) == ["127.0.0.1"]
    assert asyncio.run(resolve_host("localhost", 80))[0] in ("127.0.0.1", "::1")
    assert asyncio.run(resolve_host("a" * 300, 80)) == []


def test_the_system_s_failures_are_no_addresses(monkeypatch):
    """There is no name server, or no such name."""

    def fail(*_, **__):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert asyncio.run(resolve_host("example.com", 80)) == []

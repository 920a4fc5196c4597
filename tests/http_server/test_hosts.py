"""The hosts that requests may name."""

import pytest

pytest.importorskip("starlette", reason="no starlette: pip install 'groundwire[review]'")

from groundwire.http_server.requests import HostNames, normalize_host


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Review.Example", "review.example", id="name"),
        pytest.param("[::1]", "::1", id="brackets"),
        pytest.param("0:0::1", "::1", id="long-address"),
        pytest.param("fe80::1%eth0", None, id="zone"),
        pytest.param("x:80", None, id="port"),
        pytest.param("http://x", None, id="scheme"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_host_of_the_settings_has_one_spelling(name, expected):
    """Anything else than a name or an address is an error."""
    if expected is None:
        with pytest.raises(ValueError, match=r"host|address"):
            normalize_host(name)
    else:
        assert normalize_host(name) == expected


@pytest.mark.parametrize(
    ("names", "error"),
    [
        pytest.param("localhost", TypeError, id="one-text"),
        pytest.param(["*example.com"], ValueError, id="star-without-a-dot"),
        pytest.param(["*.http://x"], ValueError, id="scheme-after-a-star"),
    ],
)
def test_no_host_is_left_out_silently(names, error):
    """A page that is reached under its name, and refuses it, would say nothing about the mistake in its settings."""
    with pytest.raises(error, match="host"):
        HostNames(names)


@pytest.mark.parametrize(
    ("names", "sent", "expected"),
    [
        pytest.param(["localhost"], ["LOCALHOST:8765"], True, id="capitals-and-a-port"),
        pytest.param(["localhost"], ["localhost.evil.example"], False, id="longer-name"),
        pytest.param(["*.example.com"], ["a.example.com"], True, id="name-below"),
        pytest.param(["*.example.com"], ["example.com"], False, id="name-itself"),
        pytest.param(["localhost"], ["192.0.2.7"], True, id="address-of-the-connection"),
        pytest.param(["localhost"], ["192.0.2.8"], False, id="other-address"),
        pytest.param(["localhost"], ["localhost", "localhost"], False, id="twice"),
        pytest.param(["localhost"], [], False, id="missing"),
        pytest.param(["*"], ["evil.example"], True, id="any"),
    ],
)
def test_a_request_is_for_a_known_host(names, sent, expected):
    """Each name counts in any spelling, and the connection's own address always does."""
    headers = [(b"host", host.encode()) for host in sent]
    scope = {"type": "http", "headers": headers, "server": ("192.0.2.7", 8765)}
    assert HostNames(names).knows(scope) is expected

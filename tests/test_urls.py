"""`canonical_url`: one form for all spellings of a URL (rulings B16 and C18)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.urls import canonical_url, find_urls

MILL = "https://a.org/mill"
PAGE = "https://docs.example.com/Guide/setup?page=2"


@pytest.mark.parametrize(
    ("expected", "url"),
    [
        pytest.param(PAGE, PAGE, id="canonical-already"),
        pytest.param(PAGE, "HTTPS://Docs.Example.COM/Guide/setup?page=2", id="case-of-scheme-and-host"),
        pytest.param(PAGE, "https://docs.example.com:443/Guide/setup?page=2", id="default-port"),
        pytest.param(PAGE, "https://docs.example.com:/Guide/setup?page=2", id="empty-port"),
        pytest.param(PAGE, "https://docs.example.com/Guide/setup/?page=2", id="slash-at-the-end-of-the-path"),
        pytest.param(PAGE, f"{PAGE}#step-3", id="fragment"),
        pytest.param(PAGE, "https://docs.example.com/Guide/setup?utm_source=mail&page=2&UTM_Term=x", id="utm"),
        pytest.param(PAGE, f"{PAGE}&gclid=1&fbclid=2&msclkid=3&mc_cid=4&mc_eid=5", id="click-ids"),
        pytest.param("https://example.com", "https://example.com/", id="root"),
        pytest.param("https://example.com", "https://EXAMPLE.com/?utm_source=mail#top", id="nothing-but-tracking"),
        pytest.param("http://example.com/a", "http://example.com:80/a", id="default-port-of-http"),
        pytest.param("http://[2001:db8::1]/a", "http://[2001:DB8::1]:80/a", id="address"),
        pytest.param("https://bücher.example/%C3%BC", "https://BÜCHER.example/ü", id="international-name-stays"),
        pytest.param("https://example.com?id=7", "https://example.com/?id=7", id="parameters-of-the-root"),
    ],
)
def test_spellings_of_a_page_have_one_form(expected, url):
    """C18: case of the host, default port, trailing slash and tracking parameters do not count."""
    assert canonical_url(url) == expected


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("http://docs.example.com/Guide/setup?page=2", id="scheme"),
        pytest.param("https://docs.example.com/guide/setup?page=2", id="case-of-the-path"),
        pytest.param("https://docs.example.com/Guide/setup?page=3", id="value"),
        pytest.param("https://docs.example.com/Guide/setup?Page=2", id="case-of-a-parameter"),
        pytest.param("https://docs.example.com/Guide/setup", id="no-parameter"),
        pytest.param("https://docs.example.com:8443/Guide/setup?page=2", id="port"),
        pytest.param("https://www.docs.example.com/Guide/setup?page=2", id="host"),
        pytest.param("https://docs.example.com/Guide/setup?page=2&ref=a", id="unknown-parameter"),
        pytest.param("https://docs.example.com/Guide/setup?page=2&utm=a", id="almost-a-tracking-parameter"),
    ],
)
def test_other_pages_stay_apart(other):
    """All parts that can select another page are kept."""
    assert canonical_url(other) != PAGE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ADR-003",
        "example.com/a/",
        "https://",
        "https:///a/",
        "https://a b/",
        "https://[::1/",
        "https://a:x/",
        "ftp://a/",
    ],
)
def test_other_texts_are_returned_unchanged(text):
    """Only `http` and `https` URLs with a host and a valid port have a canonical form."""
    assert canonical_url(text) == text


@given(st.text() | st.from_regex(r"https?://[A-Za-z@:.\[\]]{1,9}[a-z/?&=#_:%]{0,20}", fullmatch=True))
def test_a_canonical_url_is_its_own_canonical_form(text):
    """Comparing canonical forms is enough; nothing raises."""
    assert canonical_url(canonical_url(text)) == canonical_url(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://A.example.org/x", "https://a.example.org/x"),
        ("HTTPS://a.org/x", "https://a.org/x"),
        ("https://a.org:443/x", "https://a.org/x"),
        ("http://a.org:80", "http://a.org/"),
        ("https://a.org./x/", "https://a.org/x"),
        ("https://a.org/x#top", "https://a.org/x"),
        ("https://a.org/x?utm_source=b&q=1&gclid=2", "https://a.org/x?q=1"),
        ("https://a.org/x?", "https://a.org/x"),
        ("https://a.org/%7euser/%41", "https://a.org/~user/A"),
        ("https://a.org/caf\u00e9", "https://a.org/caf%c3%a9"),
        ("https://user:key@a.org/x", "https://a.org/x"),
        (" https://a.org/x\n", "https://a.org/x"),
    ],
)
def test_spellings_of_one_page_are_one(one, other):
    """Rulings B16, C18: case of the host, default port, trailing slash, fragment, tracking parameters, escapes."""
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.org/x", "https://a.org/X"),
        ("https://a.org/x", "https://a.org:8443/x"),
        ("https://a.org/x", "https://b.org/x"),
        ("https://a.org/x?q=1", "https://a.org/x?q=2"),
        ("https://a.org/x?q=1&r=2", "https://a.org/x?r=2&q=1"),
        ("https://a.org/#/one", "https://a.org/#/two"),
        ("https://a.org/a%2Fb", "https://a.org/a/b"),
        ("http://a.org/x", "https://a.org/x"),
    ],
)
def test_pages_of_nearly_the_same_url_stay_apart(one, other):
    """Rulings B16, C18: a URL that may lead elsewhere is another page."""
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"See {MILL}.", [MILL]),
        (f"({MILL})", [MILL]),
        ("https://a.org/x_(y), and", ["https://a.org/x_(y)"]),
        (f"**{MILL}**", [MILL]),
        (f"见{MILL}。好", [MILL]),
        ("ftp://a.org and a.org", []),
    ],
)
def test_a_url_ends_before_the_punctuation_of_its_sentence(text, expected):
    """Ruling B16: full stops, brackets and Markdown after it do not belong to it."""
    assert [text[start:end] for start, end in find_urls(text)] == expected

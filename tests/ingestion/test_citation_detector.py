"""Citations that are detected, to the letter of the specification and by rulings C8 and C9."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import Citation, CitationDetector, CitationType
from growth import SHARE_MAX, growth
from oracles.citations import citations_naive

GUARDED, SPEC = CitationDetector(), CitationDetector(policy="spec")
SHA256 = "0a" * 32


def found(text: str, detector: CitationDetector = GUARDED) -> list[tuple[str, str, str]]:
    """Return the type, value and words of each citation."""
    return [(each.type.value, each.value, text[each.start : each.end]) for each in detector.detect(text)]


@pytest.mark.parametrize("detector", [GUARDED, SPEC], ids=["guarded", "spec"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Per ADR-003, we use Pixeltable for memory storage", [("adr", "003", "ADR-003")]),
        ("Fixed in commit a1b2c3d4e5f6", [("commit", "a1b2c3d4e5f6", "a1b2c3d4e5f6")]),
        ("See https://docs.example.com/api", [("url", "https://docs.example.com/api", "https://docs.example.com/api")]),
        (
            "[ADR-003], ADR-003, ADR 003",
            [("adr", "003", "[ADR-003]"), *[("adr", "003", w) for w in ("ADR-003", "ADR 003")]],
        ),
        ("#123 or GH-456", [("issue", "123", "#123"), ("issue", "456", "GH-456")]),
        ("I prefer tabs over spaces", []),
        ("The colour is #abc123", []),
        ("The colour is #123456", []),
        ("See http://host/a1b2c3d4e5f6", [("url", "http://host/a1b2c3d4e5f6", "http://host/a1b2c3d4e5f6")]),
        ("", []),
    ],
)
def test_the_examples_of_the_specification(detector, text, expected):
    """Type, extracted id and position, under both policies."""
    assert found(text, detector) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("the defaced wall", [("commit", "defaced", "defaced")], id="a-word-of-hex-letters"),
        pytest.param("on 20240115", [("commit", "20240115", "20240115")], id="a-date"),
        pytest.param("BADR-7x", [("adr", "7", "ADR-7")], id="inside-of-a-word"),
        pytest.param("C#7 &#39;", [("issue", "7", "#7"), ("issue", "39", "#39")], id="C#7-is-an-issue"),
        pytest.param("(https://a/b).", [("url", "https://a/b).", "https://a/b).")], id="the-sentence's-end-too"),
        pytest.param(f"x {SHA256}", [], id="no-sha-256"),
        pytest.param("10.1000/182", [], id="no-doi"),
        pytest.param("ADR\u2011003", [], id="the-plain-hyphen-only"),
        pytest.param("adr-001, gh-4", [], id="capital-letters-only"),
        pytest.param(
            "http://a/#12",
            [("url", "http://a/#12", "http://a/#12"), ("issue", "12", "#12")],
            id="an-anchor-is-an-issue",
        ),
    ],
)
def test_the_printed_patterns_are_literal(text, expected):
    """Ruling R0: false matches of the specified patterns stay under `policy="spec"`."""
    assert found(text, SPEC) == expected


def test_the_printed_patterns_are_those_of_the_specification():
    """Every match of every specified pattern is found, except for the two filters."""
    text = "ADR-1 [ADR 22] abcdef1 https://x/abcdef2 #3 GH-4 #123456 #abcdef abcdef"
    printed = {
        "adr": r"\[?ADR[-\s]?(\d+)\]?",
        "commit": r"\b[a-f0-9]{7,40}\b",
        "url": r"https?://[^\s<>\"]+",
        "issue": r"(?:#(\d+)|GH-(\d+))",
    }
    matches = {(kind, match[0]) for kind, pattern in printed.items() for match in re.finditer(pattern, text)}
    filtered = {("commit", "abcdef2"), ("issue", "#123456")}
    assert {(kind, words) for kind, _, words in found(text, SPEC)} == matches - filtered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("the defaced wall of 20240115", [], id="a-word-and-a-date"),
        pytest.param("commit defaced", ["defaced"], id="a-word-after-commit"),
        pytest.param("Commit: `1234567`", ["1234567"], id="a-number-after-commit"),
        pytest.param("rev 1234567, sha=7654321", ["1234567", "7654321"], id="rev-and-sha"),
        pytest.param("Fixed in 7654321", ["7654321"], id="fixed-in"),
        pytest.param("fixed  in\n7654321", ["7654321"], id="fixed-in-over-a-line"),
        pytest.param("a precommit 7654321", [], id="a-word-that-ends-so"),
        pytest.param("commits are many; 7654321", [], id="a-word-that-stands-apart"),
        pytest.param("a1b2c3d", ["a1b2c3d"], id="seven-digits"),
        pytest.param("a1b2c3", [], id="six-digits"),
        pytest.param("a1" * 20, ["a1" * 20], id="forty-digits"),
        pytest.param("a1" * 20 + "a", [], id="41-digits"),
        pytest.param(SHA256, [SHA256], id="sha-256"),
        pytest.param("0x1234abcd #1a2b3c4d build-1a2b3c4d", [], id="after-0x-#-and-hyphen"),
        pytest.param("123e4567-e89b-12d3-a456-426614174000", [], id="a-uuid"),
        pytest.param("A1B2C3D4", [], id="capitals"),
        pytest.param("1a2b3c4dx xa1b2c3d4", [], id="inside-of-a-word"),
        pytest.param("a1b2c3d..d4c3b2a", ["a1b2c3d", "d4c3b2a"], id="a-range"),
        pytest.param("提交a1b2c3d修复了它", ["a1b2c3d"], id="chinese"),
        pytest.param("提交 1234567", ["1234567"], id="a-number-after-chinese-commit"),
        pytest.param("(a1b2c3d), [d4c3b2a]", ["a1b2c3d", "d4c3b2a"], id="brackets"),
    ],
)
def test_commits(text, expected):
    """Ruling C8: it has a letter and a digit or a word before it; no `#`, `0x` or `-`; SHA-256 counts too."""
    assert found(text) == [("commit", each, each) for each in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("#12", [("12", "#12")], id="number"),
        pytest.param("(#12), #13.", [("12", "#12"), ("13", "#13")], id="brackets-and-stops"),
        pytest.param("问题#12已修复", [("12", "#12")], id="chinese"),
        pytest.param("acme/app#12", [("acme/app#12", "acme/app#12")], id="another-repository"),
        pytest.param("in acme/web.app_2#123456.", [("acme/web.app_2#123456",) * 2], id="six-digits-of-a-repository"),
        pytest.param("group/sub/app#12", [("group/sub/app#12",) * 2], id="groups"),
        pytest.param("../app#12 /app#12 a//b#12", [], id="paths"),
        pytest.param("C#7 F#12 app#12", [], id="after-a-word"),
        pytest.param("&#39; &#8217;", [], id="characters"),
        pytest.param("##12 ### 3", [], id="headings"),
        pytest.param("[x](#12) [y](page.md#12) see #12-intro", [], id="anchors"),
        pytest.param("#123456 #123abc #1e1", [], id="colours"),
        pytest.param("#1234567", [("1234567", "#1234567")], id="seven-digits"),
        pytest.param("#1234567890", [], id="ten-digits"),
        pytest.param("#12.acme/app#3", [("12", "#12")], id="a-path-begins-behind-an-issue"),
        pytest.param("GH-456, XGH-456, GH-456b", [("456", "GH-456")], id="gh"),
    ],
)
def test_issues(text, expected):
    """Ruling C9."""
    assert found(text) == [("issue", *each) for each in expected]


def test_anchors_of_urls_are_no_issues():
    """Ruling C9."""
    assert [kind for kind, _, _ in found("https://a/b#12 and https://a/#/12")] == ["url", "url"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("(https://a.org/b).", "https://a.org/b", id="brackets"),
        pytest.param("https://en.org/wiki/Foo_(bar)", "https://en.org/wiki/Foo_(bar)", id="brackets-of-its-own"),
        pytest.param("(https://en.org/Foo_(bar)!)", "https://en.org/Foo_(bar)", id="both"),
        pytest.param("[x](https://a.org/b)", "https://a.org/b", id="markdown"),
        pytest.param("<https://a.org/b>", "https://a.org/b", id="angles"),
        pytest.param("**https://a.org/b**", "https://a.org/b", id="bold"),
        pytest.param("“https://a.org/b”", "https://a.org/b", id="curly-quotes"),
        pytest.param("参见https://a.org/b。然后", "https://a.org/b", id="chinese-stop"),
        pytest.param("（https://a.org/b）", "https://a.org/b", id="full-width-brackets"),
        pytest.param("https://a.org/b\u3000c", "https://a.org/b", id="wide-blank"),
        pytest.param("https://a.org/b\u202egpj", "https://a.org/b", id="turned-writing"),
        pytest.param("ftp://a.org,https://a.org/b", "https://a.org/b", id="behind-another-scheme"),
        pytest.param("HTTPS://A.org/b", "HTTPS://A.org/b", id="capitals"),
        pytest.param("https://例子.cn/路径?q=1#x", "https://例子.cn/路径?q=1#x", id="international"),
        pytest.param("https://a.org/ADR-003/commit/a1b2c3d#12", "https://a.org/ADR-003/commit/a1b2c3d#12", id="inside"),
        pytest.param("https://doi.org/10.1000/182.", "https://doi.org/10.1000/182", id="a-doi-as-url"),
    ],
)
def test_urls(text, expected):
    """The surrounding sentence does not belong to them, and a URL contains no other citation."""
    assert found(text) == [("url", expected, expected)]


@pytest.mark.parametrize("text", ["https://", "https://.", "xhttps://a", "ftp://a.org", "://a", "https:// a"])
def test_texts_that_are_no_urls(text):
    """Other schemes are not requested, so they are no evidence."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("doi:10.1038/s41586-020-2649-2.", "10.1038/s41586-020-2649-2", id="full-stop"),
        pytest.param("(10.1000/xyz(1)2)", "10.1000/xyz(1)2", id="brackets"),
        pytest.param("doi.org/10.1000/182", "10.1000/182", id="without-scheme"),
    ],
)
def test_dois(text, expected):
    """Prefix and suffix belong to it, the surrounding sentence does not."""
    assert found(text) == [("doi", expected, expected)]


@pytest.mark.parametrize("text", ["10.1/2", "10.5 MB", "1.10.1234/5", "10.1234/", "10.12345678901/x"])
def test_texts_that_are_no_dois(text):
    """A prefix has four to nine digits, and a suffix follows."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("ADR\u2011003, ADR–004", ["003", "004"], id="other-hyphens"),
        pytest.param("根据ADR-003我们", ["003"], id="chinese"),
        pytest.param("docs/adrs/ADR-003-storage.md", ["003"], id="a-file"),
        pytest.param("adr-001 [Adr 2] aDr3", ["001", "2", "3"], id="any-case"),
        pytest.param("quadr-003 adr-003b adr-3.5 adr_3 adr", [], id="no-records-in-small-letters"),
        pytest.param("QUADR-003 ADR-003b ADR-3.5 ADR_3 ADR", [], id="no-records"),
    ],
)
def test_records(text, expected):
    """The specified form counts in any case, as a separate word (C18)."""
    assert [value for _, value, _ in found(text)] == expected


def test_positions_are_code_points():
    """This holds after characters that are two units in UTF-16 and four in UTF-8."""
    assert GUARDED.detect("😀😀 ADR-1") == [Citation(CitationType.ADR, "1", 3, 8)]


@given(st.text(alphabet="AaDdRr-GgHh#&/.:tphs01a7f9e(]) \n问😀。", max_size=80))
def test_citations_are_in_order_apart_and_cut_from_the_text(text):
    """For any text, spans cut out the values, and no two overlap."""
    citations = GUARDED.detect(text)
    assert all(
        0 <= each.start < each.end <= len(text) and each.value in text[each.start : each.end] for each in citations
    )
    assert all(first.end <= second.start for first, second in pairwise(citations))


PIECES = [
    *("adr-3", "Adr 12", "gh-7"),
    *("ADR-3", "[ADR 12]", "ADR", "GH-7", "#12", "#123456", "a/b", "acme/app#3", "https://", "http", "://", "a.org/b"),
    *("(", ")", "[", "]", "](", ".", ",", " ", "-", "#", "&", "_", "/", "x", "0x", "：", "。", "“", "é", "😀"),
    *("commit ", "fixed in ", "rev:", "提交", "sha256", "a1b2c3d", "defaced", "1234567", "f" * 33, "0" * 31, "-0a1b-"),
    *("10.1000/", "10.", "\u3000", "\u200b"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_citations_are_those_of_the_oracle(text):
    """For any text of such segments, the oracle tries every pattern at every position."""
    assert [(each.type.value, each.value, each.start, each.end) for each in GUARDED.detect(text)] == citations_naive(
        text
    )


@given(st.text(alphabet="ADR-GH#/:tphs01a7f9 问", max_size=60))
def test_the_literal_policy_equals_its_patterns(text):
    """For any text without URLs and colours, the four patterns decide alone."""
    patterns = {"adr": r"\[?ADR[-\s]?(\d+)\]?", "commit": r"\b[a-f0-9]{7,40}\b", "issue": r"(?:#(\d+)|GH-(\d+))"}
    if "://" in text or re.search(r"#[0-9a-fA-F]{6}\b", text):
        return
    expected = {(kind, *match.span()) for kind, pattern in patterns.items() for match in re.finditer(pattern, text)}
    assert {(each.type.value, each.start, each.end) for each in SPEC.detect(text)} == expected


LONG = [
    "#1",
    "a/",
    "https://a ",
    "https://(",
    ")",
    "10.1234/",
    "ADR-",
    "ADR-1 ",
    "commit ",
    "rev a1b2c3d ",
    "GH-",
    "[",
    "a",
    "a1",
    "1",
]


@pytest.mark.parametrize("detector", [GUARDED, SPEC], ids=["guarded", "spec"])
@pytest.mark.parametrize("piece", LONG)
@pytest.mark.parametrize("end", ["", "x commit"])
def test_long_texts_are_read_in_linear_time(detector, piece, end):
    """This holds if only the last character breaks a match; quadratic work would take minutes."""
    text = piece * (250_000 // len(piece)) + end
    assert all(each.end <= len(text) for each in detector.detect(text))


def test_many_pages_among_urls_take_linear_time():
    """Pages and URLs must not overlap, and there may be thousands of both."""
    assert growth(lambda size: lambda: GUARDED.detect("http://a.b/x c.pdf p. 1 " * size), 1_500) < SHARE_MAX


@pytest.mark.parametrize("wrong", [None, b"ADR-1", 1, ["ADR-1"]])
def test_a_claim_is_a_str(wrong):
    """The error names the type and nothing of the value."""
    with pytest.raises(TypeError, match="text must be a str, got"):
        GUARDED.detect(wrong)


def test_an_unknown_policy_is_refused():
    """It is not taken for one of the two."""
    with pytest.raises(ValueError, match='one of "guarded", "spec"'):
        CitationDetector(policy="strict")

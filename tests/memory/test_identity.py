"""Ruling C18: sources have one identity, however people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.memory.identity import is_key, is_same_source, most_specific_sources, source_identity, source_key

FULL = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678"


@pytest.mark.parametrize(
    ("expected", "spellings"),
    [
        pytest.param("ADR-003", ["ADR-3", "adr-003", "ADR 0003", "[ADR-03]", " adr3 ", "Adr\u20113"], id="record"),
        pytest.param("ADR-1234", ["ADR-1234", "adr-01234"], id="long-number"),
        pytest.param("ADR-000", ["ADR-0", "adr 000"], id="record-zero"),
        pytest.param(f"commit:{FULL}", [FULL, f"commit:{FULL}", f"Commit {FULL.upper()}"], id="commit"),
        pytest.param("commit:defaced", ["defaced", "commit: DEFACED"], id="commit-in-letters"),
        pytest.param("issue:12", ["#12", "issue:12", "issue:#12", "GH-12", "gh-012", "issue 12"], id="issue"),
        pytest.param("issue:acme/app#12", ["acme/app#12", "issue:Acme/App#12"], id="issue-of-a-repository"),
        pytest.param("issue:a/b/c#1", ["a/b/c#1"], id="issue-of-a-group"),
        pytest.param(
            "doi:10.1000/ab",
            ["10.1000/AB", "doi:10.1000/ab", "DOI: 10.1000/ab", "https://doi.org/10.1000/Ab"],
            id="doi",
        ),
        pytest.param(
            "https://a.example/x?id=1",
            ["https://A.example:443/x/?id=1", "HTTPS://a.example/x?utm_source=m&id=1#top"],
            id="url",
        ),
        pytest.param("handbook of 2024", ["handbook of 2024", " handbook of 2024\n"], id="text"),
    ],
)
def test_spellings_of_a_source_have_one_identity(expected, spellings):
    """C18: ADR-3, adr-003 and ADR 0003 are one source; so are spellings of a URL."""
    assert {source_identity(spelling) for spelling in [expected, *spellings]} == {expected}


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        pytest.param(True, FULL, FULL[:7], id="abbreviated"),
        pytest.param(True, f"commit:{FULL[:8]}", FULL[:12].upper(), id="both-abbreviated"),
        pytest.param(False, f"{FULL[:7]}0", FULL[:8], id="other-commit"),
        pytest.param(False, "ADR-3", "ADR-30", id="other-record"),
        pytest.param(False, "#12", "acme/app#12", id="other-repository"),
        pytest.param(False, "https://a.example/X", "https://a.example/x", id="other-page"),
        pytest.param(False, "Handbook", "handbook", id="other-text"),
        pytest.param(False, "ADR-3.5", "ADR-3", id="no-record"),
    ],
)
def test_same_source(expected, one, other):
    """C18: a commit and its prefixes are one source."""
    assert is_same_source(one, other) is expected
    assert is_same_source(other, one) is expected


def test_of_a_commit_the_longest_id_is_kept():
    """Each source once, in the order in which they came."""
    sources = (FULL[:7], "adr-3", f"commit:{FULL}", "ADR 0003", FULL[:9], "abcdef12")
    assert most_specific_sources(sources) == (f"commit:{FULL}", "ADR-003", "commit:abcdef12")


SPELLINGS = st.text() | st.from_regex(
    r"(?i)[\[ ]?(adr[- ]?0{0,3}[1-9]{1,2}|(commit:)?[0-9a-f]{7,9}|#[0-9]{1,3}|a/b#[0-9]|https?://[A-Z.]{1,4}(:443)?/x?)\]?",
    fullmatch=True,
)


@given(SPELLINGS)
def test_an_identity_is_its_own_identity(text):
    """So identities can be stored and read again."""
    assert source_identity(source_identity(text)) == source_identity(text)


@given(SPELLINGS, SPELLINGS)
def test_one_source_has_one_key(one, other):
    """Nothing is missed by looking for the key."""
    assert source_key(one) == source_key(other) or not is_same_source(one, other)


@given(SPELLINGS, SPELLINGS)
def test_a_source_that_is_a_key_is_the_only_one_with_it(one, other):
    """So nothing that has the key has to be looked at again."""
    assert is_same_source(one, other) or not is_key(one) or source_key(one) != source_key(other)

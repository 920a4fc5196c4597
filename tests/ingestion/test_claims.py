"""Claims: what is refused before anybody reads it, and what is shown to people."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import EvidenceObject, MemoryClaim, MemorySource, MemoryType, Tier, TierReason
from groundwire.ingestion.claims import is_blank
from groundwire.sanitize import has_hidden, hidden_characters
from ingestion.scripted import validate, validator_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
USUAL = {"content": "We use Redis", "memory_type": "fact", "source": "user", "user_id": "user-1"}


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        pytest.param({"content": ""}, ValueError, "content is empty", id="empty"),
        pytest.param({"content": " \n\t\u3000"}, ValueError, "content is blank", id="blank"),
        pytest.param({"content": "\u200b\u2060 \u202e"}, ValueError, "content is blank", id="nothing-to-see"),
        pytest.param({"content": "secret\0"}, ValueError, "content holds a NUL", id="NUL"),
        pytest.param({"content": "secret\ud800"}, ValueError, "content holds a lone surrogate", id="surrogate"),
        pytest.param({"content": b"secret"}, TypeError, "content must be a str, got bytes", id="bytes"),
        pytest.param({"content": None}, TypeError, "content must be a str, got NoneType", id="nothing"),
        pytest.param({"source": ["user"]}, TypeError, "source must be a str, got list", id="source-type"),
        pytest.param({"source": None}, TypeError, "source must be a str, got NoneType", id="no-source"),
        pytest.param({"source": "secret\0"}, ValueError, "source holds a NUL", id="source-NUL"),
        pytest.param({"memory_type": 7}, TypeError, "memory_type must be a str, got int", id="type-type"),
        pytest.param({"user_id": ""}, ValueError, "user_id is empty", id="no-user"),
        pytest.param({"user_id": "secret" * 99}, ValueError, "user_id has 594 characters", id="long-user"),
        pytest.param({"user_id": 7}, TypeError, "user_id must be a str, got int", id="user-type"),
        pytest.param({"parents": ["mem-1"]}, TypeError, "parents must be a mapping, got list", id="parents"),
        pytest.param({"parents": {"mem-1": None}}, TypeError, "must be an EvidenceObject, got NoneType", id="parent"),
        pytest.param({"parents": {"secret words": None}}, ValueError, "the id of a parent must", id="parent-id"),
        pytest.param({"metadata": "secret"}, TypeError, "metadata must be a mapping, got str", id="metadata"),
        pytest.param({"validity_horizon": datetime(2026, 5, 1)}, ValueError, "must have a time zone", id="zone"),
        pytest.param({"capture_time": "now"}, TypeError, "capture_time must be a datetime, got str", id="time"),
    ],
)
def test_what_no_store_could_keep_is_refused(fields, error, message):
    """The error names the argument and what was wanted, and holds none of its text."""
    with pytest.raises(error, match=message) as caught:
        MemoryClaim(**{**USUAL, **fields})
    assert "secret" not in repr(caught.value)


@pytest.mark.parametrize("content", ["", " ", "a\0"])
def test_the_validator_refuses_it_too(content):
    """Before anybody is asked anything."""
    with pytest.raises(ValueError, match="content "):
        validate(validator_of(), content)


def test_names_become_members():
    """The plain strings will do, and so will members."""
    claim = MemoryClaim(**USUAL)
    assert (claim.memory_type, claim.source) == (MemoryType.FACT, MemorySource.USER)
    assert MemoryClaim(**{**USUAL, "source": MemorySource.USER}) == claim
    assert claim.parents == claim.metadata == {}


UNKNOWN = ["gossip", "User", " user", "ai synthesis, second pass", "", "个人"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_any_str_is_a_source_or_a_type(name):
    """Ruling C20: what nobody knows is kept as it was given."""
    claim = MemoryClaim(**{**USUAL, "source": name, "memory_type": name})
    assert (claim.source, claim.memory_type) == (name, name)


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize(("field", "code"), [("source", "unknown_source"), ("memory_type", "unknown_type")])
def test_an_unknown_source_or_type_goes_to_people(field, code, name):
    """Ruling C20: tier 2, although all that it cites is there and says so, and the other name is trusted."""
    given = {"memory_type": "fact", "source": "user", field: name}
    found = validate(validator_of(), "Per ADR-003, we use Redis for sessions", **given)
    assert (found.tier, found.code) == (Tier.FLAG_REVIEW, code)
    assert any(check.startswith(code) for check in found.checks_failed)


def test_an_unknown_source_is_no_way_around_a_block():
    """Ruling C20: speculation is blocked as from anybody else."""
    assert validate(validator_of(), "I think we should use Redis", source="gossip").tier is Tier.BLOCK


def test_its_text_is_not_in_its_repr():
    """Names of unknown sources and types may be a user's text, too."""
    texts = {"content": "secret", "user_id": "secret", "source": "secret", "memory_type": "secret"}
    claim = MemoryClaim(**{**USUAL, **texts, "metadata": {"secret": 1}})
    assert "secret" not in repr(claim)


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        pytest.param("We use \u202eRedis", ["U+202E"], id="override"),
        pytest.param("\u2066We\u2069 use\u2066 Redis", ["U+2066", "U+2069"], id="isolates-each-once"),
        pytest.param("We use\u200f Redis\u061c", ["U+200F", "U+061C"], id="marks"),
        pytest.param("Re\u200bdis", ["U+200B"], id="zero-width-space"),
        pytest.param("Re\u200ddis", ["U+200D"], id="joiner-in-a-latin-word"),
        pytest.param("Re\u00addis", ["U+00AD"], id="soft-hyphen"),
        pytest.param("Redis\x1b[2K", ["U+001B"], id="escape"),
        pytest.param("Redis\x85\x9b", ["U+0085", "U+009B"], id="C1"),
        pytest.param("Redis \U000e0041", ["U+E0041"], id="tag"),
        pytest.param("\ufeffRedis", ["U+FEFF"], id="byte-order-mark"),
        pytest.param("Redis\u3164", ["U+3164"], id="filler"),
        pytest.param("R\ufe0fedis", ["U+FE0F"], id="variation-of-a-letter"),
        pytest.param("👍\U000e0100\U000e0101", ["U+E0100", "U+E0101"], id="variations"),
        pytest.param("Line one\r\n\tLine two", [], id="lines"),
        pytest.param("👩\u200d💻 and ❤\ufe0f\u200d🔥 and 1\ufe0f\u20e3", [], id="emoji"),
        pytest.param("می\u200cخواهم", [], id="Persian"),
        # 240 forms of one character could carry a byte each, so people look at them.
        pytest.param("葛\U000e0100城市", ["U+E0100"], id="a-form-of-a-Han-character"),
        pytest.param("Größe, naïve, e\u0301t\u00e9, 数据库\u3000です", [], id="plain"),
    ],
)
def test_characters_that_are_not_seen_go_to_people(content, hidden):
    """They can make a claim look like another one; from a trusted source too."""
    assert [*hidden_characters(content).kinds] == hidden
    found = validate(validator_of(), content, source="user")
    assert found.tier is (Tier.FLAG_REVIEW if hidden else Tier.AUTO_APPROVE)
    if hidden:
        assert found.code is TierReason.HIDDEN_CHARACTERS
        told = str(hidden_characters(content))
        assert found.checks_failed == [f"hidden_characters: {told}"]
        assert found.reason == f"Has {told}"


def test_what_is_hidden_hides_no_hedge():
    """The detector sees through it, and its answer stands first."""
    assert validate(validator_of(), "I thi\u200bnk we use Redis", source="user").tier is Tier.BLOCK


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_is_refused_or_has_a_result(content):
    """Nothing but that is raised, and nothing that is not seen is approved."""
    keeps = "\0" not in content and content.encode("utf-8", "ignore").decode() == content
    try:
        found = validate(validator_of(enable_dedup=False), content, source="user")
    except ValueError:
        found = None
    assert (found is not None) == (keeps and not is_blank(content))
    assert found is None or not (found.approved and has_hidden(content))


def test_parents_are_read_when_the_claim_is_made():
    """Evidence of the right type is taken as it is."""
    parents = {"mem-1": EvidenceObject("a", NOON, "high")}
    assert MemoryClaim(**USUAL, parents=parents).parents == parents

"""Claims, evidence and results: validation, trust in parents, and their display."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import EvidenceObject, MemoryClaim, MemorySource, MemoryType, Tier, TierReason
from groundwire.ingestion.records import Confidence, ValidationResult, derive_evidence, is_blank
from groundwire.sanitize import has_hidden, hidden_characters
from ingestion.fakes import validate, validator_of

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
def test_a_value_that_no_store_can_keep_is_refused(fields, error, message):
    """The error names the argument and the expected type, and contains none of its text."""
    with pytest.raises(error, match=message) as caught:
        MemoryClaim(**{**USUAL, **fields})
    assert "secret" not in repr(caught.value)


@pytest.mark.parametrize("content", ["", " ", "a\0"])
def test_the_validator_refuses_it_too(content):
    """The error comes before any provider or verifier is called."""
    with pytest.raises(ValueError, match="content "):
        validate(validator_of(), content)


def test_names_become_members():
    """Plain strings and members are accepted."""
    claim = MemoryClaim(**USUAL)
    assert (claim.memory_type, claim.source) == (MemoryType.FACT, MemorySource.USER)
    assert MemoryClaim(**{**USUAL, "source": MemorySource.USER}) == claim
    assert claim.parents == claim.metadata == {}


UNKNOWN = ["gossip", "User", " user", "ai synthesis, second pass", "", "个人"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_any_str_is_a_source_or_a_type(name):
    """Ruling C20: unknown names are kept as given."""
    claim = MemoryClaim(**{**USUAL, "source": name, "memory_type": name})
    assert (claim.source, claim.memory_type) == (name, name)


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.parametrize(("field", "code"), [("source", "unknown_source"), ("memory_type", "unknown_type")])
def test_an_unknown_source_or_type_goes_to_review(field, code, name):
    """Ruling C20: tier 2, although its citations are verified and the other name is trusted."""
    given = {"memory_type": "fact", "source": "user", field: name}
    found = validate(validator_of(), "Per ADR-003, we use Redis for sessions", **given)
    assert (found.tier, found.code) == (Tier.FLAG_REVIEW, code)
    assert any(check.startswith(code) for check in found.checks_failed)


def test_an_unknown_source_does_not_avoid_a_block():
    """Ruling C20: speculation is blocked for any source."""
    assert validate(validator_of(), "I think we should use Redis", source="gossip").tier is Tier.BLOCK


def test_the_text_of_a_claim_is_not_in_the_repr_of_its_result():
    """Results end up in logs; citations, hedges and names of sources are text of the claim too."""
    claim = "Secrets are perhaps in https://secret.example/secret and secret.pdf, p. 3, or in ADR-3"
    found = validate(validator_of("The secret is out"), claim, source="secret", metadata={"secret": "secret"})
    assert len(found.citations) == 3
    assert found.hedges.cues
    assert found.evidence.passages
    assert "secret" not in repr(found).lower()
    assert "perhaps" not in repr(found)


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
        # 240 forms of one character could encode a byte each, so they go to review.
        pytest.param("葛\U000e0100城市", ["U+E0100"], id="a-form-of-a-Han-character"),
        pytest.param("Größe, naïve, e\u0301t\u00e9, 数据库\u3000です", [], id="plain"),
    ],
)
def test_hidden_characters_go_to_review(content, hidden):
    """They can make a claim resemble another one; this holds for a trusted source too."""
    assert [*hidden_characters(content).kinds] == hidden
    found = validate(validator_of(), content, source="user")
    assert found.tier is (Tier.FLAG_REVIEW if hidden else Tier.AUTO_APPROVE)
    if hidden:
        assert found.code is TierReason.HIDDEN_CHARACTERS
        told = str(hidden_characters(content))
        assert found.checks_failed == [f"hidden_characters: {told}"]
        assert found.reason == f"Has {told}"


def test_hidden_characters_hide_no_hedge():
    """The detector ignores hidden characters, and its result comes first."""
    assert validate(validator_of(), "I thi\u200bnk we use Redis", source="user").tier is Tier.BLOCK


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_is_refused_or_has_a_result(content):
    """No other error is raised, and no claim with hidden characters is approved."""
    keeps = "\0" not in content and content.encode("utf-8", "ignore").decode() == content
    try:
        found = validate(validator_of(enable_dedup=False), content, source="user")
    except ValueError:
        found = None
    assert (found is not None) == (keeps and not is_blank(content))
    assert found is None or not (found.approved and has_hidden(content))


def test_parents_are_read_when_the_claim_is_made():
    """Evidence of the right type is kept unchanged."""
    parents = {"mem-1": EvidenceObject("a", NOON, "high")}
    assert MemoryClaim(**USUAL, parents=parents).parents == parents


HOUR = timedelta(hours=1)


def evidence(confidence: str = "high", horizon: datetime | None = None) -> EvidenceObject:
    """Return the evidence of some memory."""
    return EvidenceObject("we use PostgreSQL", NOON, confidence, validity_horizon=horizon)


def test_evidence_has_the_printed_fields_first():
    """The order is the specified one, so that positional arguments work."""
    printed = ["claim", "capture_time", "confidence", "source_id", "validity_horizon", "metadata"]
    assert [one.name for one in fields(EvidenceObject)][:6] == printed


def test_a_result_has_the_printed_fields_first():
    """The order is the specified one, so that positional arguments work."""
    printed = ["tier", "approved", "reason", "evidence", "checks_passed", "checks_failed"]
    printed += ["similarity_score", "conflicting_memory_id"]
    assert [one.name for one in fields(ValidationResult)][:8] == printed


def test_metadata_is_not_shared():
    """Ruling C17: the specified default `{}` would be one dict for all."""
    one, other = evidence(), evidence()
    one.metadata["reviewed_by"] = "Ana"
    assert other.metadata == {}


@pytest.mark.parametrize("name", ["capture_time", "validity_horizon"])
def test_times_have_a_zone(name):
    """A time without one means another moment on every machine."""
    times = {"capture_time": NOON, "validity_horizon": NOON} | {name: datetime(2026, 5, 1)}
    with pytest.raises(ValueError, match=f"{name} must have a time zone"):
        EvidenceObject("claim", confidence="high", **times)
    with pytest.raises(TypeError, match=f"{name} must be a datetime, got str"):
        EvidenceObject("claim", confidence="high", **(times | {name: "2026-05-01"}))


def test_confidence_is_one_of_three():
    """Plain strings become members; other values are refused."""
    assert evidence("medium").confidence is Confidence.MEDIUM
    with pytest.raises(ValueError, match='must be one of high, medium, low; got "certain"'):
        evidence("certain")


@pytest.mark.parametrize(
    ("horizon", "is_valid"),
    [(None, True), (NOON + HOUR, True), (NOON, False), (NOON - HOUR, False), (NOON.astimezone(timezone(HOUR)), False)],
)
def test_a_claim_is_valid_until_its_horizon(horizon, is_valid):
    """The horizon is the first moment at which it is out of date, in any time zone."""
    assert evidence(horizon=horizon).is_valid_at(NOON) is is_valid


def test_validity_is_asked_for_a_time_with_a_zone():
    """This holds without a horizon as well: the error does not depend on the memory."""
    with pytest.raises(ValueError, match="time must have a time zone"):
        evidence().is_valid_at(datetime(2026, 5, 1))


@pytest.mark.parametrize(
    ("own", "parents", "least"),
    [
        ("high", ["high", "high"], "high"),
        ("high", ["high", "low"], "low"),
        ("high", ["medium"], "medium"),
        ("low", ["high"], "low"),
    ],
)
def test_a_derived_claim_is_trusted_as_the_least_trusted_parent(own, parents, least):
    """It never has a higher confidence than it would have alone."""
    memories = {f"mem-{index}": evidence(confidence) for index, confidence in enumerate(parents)}
    derived = derive_evidence("claim", memories, capture_time=NOON, confidence=own)
    assert (derived.confidence, derived.parents) == (least, tuple(memories))


def test_a_derived_claim_holds_as_long_as_its_parents():
    """The earliest horizon counts; it is None only if no parent has one."""
    memories = {"a": evidence(), "b": evidence(horizon=NOON + HOUR), "c": evidence(horizon=NOON + 2 * HOUR)}
    assert derive_evidence("claim", memories, capture_time=NOON).validity_horizon == NOON + HOUR
    own = derive_evidence("claim", memories, capture_time=NOON, validity_horizon=NOON, metadata={"step": 1})
    assert (own.validity_horizon, own.metadata) == (NOON, {"step": 1})
    assert derive_evidence("claim", {"a": evidence()}, capture_time=NOON).validity_horizon is None


def test_a_derived_claim_has_parents():
    """Without a parent nothing limits its trust."""
    with pytest.raises(ValueError, match="at least one parent"):
        derive_evidence("claim", {}, capture_time=NOON)


@pytest.mark.parametrize("tier", Tier)
def test_only_tier_1_is_approved(tier):
    """A result cannot contradict itself."""
    is_approved = tier is Tier.AUTO_APPROVE
    assert ValidationResult(tier, is_approved, "reason", evidence()).approved is is_approved
    with pytest.raises(ValueError, match="contradicts"):
        ValidationResult(tier, not is_approved, "reason", evidence())


def test_tiers_have_the_confidence_of_their_headings():
    """High, medium and low, as the document's headings say."""
    assert [Confidence.of(tier) for tier in Tier] == ["high", "medium", "low"]

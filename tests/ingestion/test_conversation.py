"""Claims with quotes: the conversation must have the words, in that turn, by that person."""

import asyncio
import json

import pytest

from groundwire.ingestion import GateOutcome, IngestionGate, IngestionValidator, MemoryClaim, Tier
from groundwire.ingestion.conversation import conversation_of
from groundwire.memory import MemoryStore
from groundwire.transcripts import read_transcript

SAID = """Anna: I prefer tabs over spaces in all my projects.
Ben: I prefer spaces, and I do not like long meetings.
Anna: Deploys happen on Tuesday.
Ben: The market is closed if it rains.
"""
MESSAGES = [
    {"id": "m-1", "role": "user", "content": "I prefer tabs over spaces in all my projects."},
    {"id": "m-2", "role": "assistant", "content": "Noted. Shall I store that you dislike spaces?"},
    {"id": 7, "role": "user", "content": "Deploys happen on Tuesday."},
]


def validate(conversation=SAID, content="Anna prefers tabs over spaces", **fields):
    """Return the result of a preference from a chat, which is approved if no check fails."""
    validator = IngestionValidator(enable_dedup=False)
    return asyncio.run(validator.validate(content, "preference", "chat", "anna", conversation=conversation, **fields))


TABS = "I prefer tabs over spaces"


@pytest.mark.parametrize(
    ("quote", "fields", "code"),
    [
        pytest.param(TABS, {}, "preference_of_user", id="said"),
        pytest.param("i prefer  tabs over spaces", {"turn": 1}, "preference_of_user", id="typography-is-no-change"),
        pytest.param(TABS, {"turn": 1, "speaker": "ANNA"}, "preference_of_user", id="by-its-speaker"),
        pytest.param(TABS, {"turn": "1"}, "preference_of_user", id="number-as-text"),
        pytest.param("I prefer tabs", {"turn": 2}, "quote_wrong_speaker", id="turn-of-another"),
        pytest.param("I do not like long meetings", {"speaker": "Anna"}, "quote_wrong_speaker", id="said-by-another"),
        pytest.param(TABS, {"turn": 1, "speaker": "Ben"}, "quote_wrong_speaker", id="turn-and-speaker-disagree"),
        pytest.param(TABS, {"turn": 3}, "quote_other_turn", id="another-turn-of-hers"),
        pytest.param("I do like long meetings", {"turn": 2}, "quote_altered", id="negation-dropped"),
        pytest.param("I prefer tabs over semicolons", {}, "quote_absent", id="another-end"),
        pytest.param("the market is closed", {"turn": 4}, "quote_altered", id="condition-cut-off"),
        pytest.param("I use vim every day of the year", {}, "quote_absent", id="never-said"),
        pytest.param("…", {}, "quote_absent", id="no-words"),
        pytest.param(TABS, {"turn": 0}, "quote_unchecked", id="no-turn-0"),
        pytest.param(TABS, {"turn": 99}, "quote_unchecked", id="no-such-turn"),
        pytest.param(TABS, {"turn": "m-1"}, "quote_unchecked", id="no-such-id"),
        pytest.param(TABS, {"turn": "9" * 5000}, "quote_unchecked", id="more-digits-than-python-reads"),
    ],
)
def test_a_quoted_text_must_be_in_the_conversation(quote, fields, code):
    """Ruling C21: an altered or absent quote, or one by another speaker, goes to review, with a code."""
    found = validate(quote=quote, **fields)
    assert (found.code, found.approved) == (code, code == "preference_of_user")
    is_fine = code == "preference_of_user"
    assert any(check.startswith("quote_verified") for check in found.checks_passed) is is_fine
    assert any(check.startswith("quote_not_verified") for check in found.checks_failed) is not is_fine
    assert quote not in " ".join([found.reason, *found.checks_failed]) or quote == "…"


def test_a_quote_without_a_conversation_goes_to_review():
    """Ruling C21, fail closed: an unchecked quote supports nothing."""
    assert validate(None, quote=TABS).code == "quote_unchecked"


def test_a_speaker_needs_turns():
    """Ruling C21: a text without named speakers does not show who said the words."""
    assert validate("Tabs are fine, she said.", quote="Tabs are fine", speaker="anna").code == "quote_unchecked"
    assert validate("Tabs are fine, she said.", quote="Tabs are fine").approved


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        ("m-1", "preference_of_user"),
        ("m-2", "quote_wrong_speaker"),
        ("7", "quote_other_turn"),
        ("3", "quote_unchecked"),
        (1, "preference_of_user"),
    ],
)
@pytest.mark.parametrize("given", [MESSAGES, json.dumps(MESSAGES), json.dumps({"messages": MESSAGES})])
def test_messages_go_by_their_ids(given, turn, code):
    """Ruling C21: messages come as a list of mappings or as JSON; an int selects a turn by number."""
    assert validate(given, quote=TABS, turn=turn).code == code


def test_a_transcript_is_accepted():
    """It is the result of the package's reader, and is prepared once for a batch."""
    assert validate(read_transcript(SAID), quote=TABS, turn=1).approved
    assert validate(conversation_of(SAID), quote=TABS, turn=1).approved


@pytest.mark.parametrize(
    ("given", "error"),
    [
        pytest.param(7, TypeError, id="number"),
        pytest.param(b"secret", TypeError, id="bytes"),
        pytest.param(["secret"], TypeError, id="list-of-str"),
        pytest.param([{"role": "user"}], ValueError, id="no-text"),
        pytest.param([{"id": 1, "text": "secret"}, {"id": "1", "text": "b"}], ValueError, id="id-twice"),
    ],
)
def test_an_invalid_conversation_is_refused(given, error):
    """The error contains none of its text."""
    with pytest.raises(error, match="conversation") as caught:
        validate(given, quote=TABS)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"turn": 1}, ValueError),
        ({"speaker": "anna"}, ValueError),
        ({"quote": 7}, TypeError),
        ({"quote": ""}, ValueError),
        ({"quote": "x", "turn": True}, TypeError),
        ({"quote": "x", "turn": 1.5}, TypeError),
    ],
)
def test_an_invalid_quote_is_refused(fields, error):
    """The error comes when the claim is created."""
    with pytest.raises(error):
        MemoryClaim("Anna prefers tabs", "preference", "chat", "anna", **fields)


def test_the_gate_stores_no_claim_with_an_absent_quote():
    """Ruling C21: the gate checks it with the conversation."""
    claims = [
        MemoryClaim("Anna prefers tabs", "preference", "chat", "anna", quote=TABS, turn=1),
        MemoryClaim("Anna loves long meetings", "preference", "chat", "anna", quote="I love long meetings"),
    ]
    with MemoryStore(":memory:") as store:
        gate = IngestionGate(IngestionValidator(enable_dedup=False), store)
        submitted = asyncio.run(gate.submit_many(claims, conversation=SAID))
    assert [each.outcome for each in submitted] == [GateOutcome.STORED, GateOutcome.NEEDS_REVIEW]


def test_a_quote_approves_nothing_by_itself():
    """A model's conclusion from a true quote is still a conclusion of a model."""
    validator = IngestionValidator(enable_dedup=False)
    found = asyncio.run(
        validator.validate("Anna hates spaces", "fact", "ai_synthesis", "anna", quote=TABS, turn=1, conversation=SAID)
    )
    assert (found.tier, found.code) == (Tier.FLAG_REVIEW, "ungrounded")

"""Properties of every claim: no more approval than in the specified tree, and no text outside of results."""

import asyncio
import logging
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion import (
    GroundedIngestionConfig,
    HedgeAction,
    IngestionGate,
    IngestionValidator,
    MemoryClaim,
    Tier,
    VerificationStatus,
    determine_tier,
)
from groundwire.ingestion.checks import CHECKS, check_name
from groundwire.memory import MemoryStore
from ingestion.fakes import NOT_IN_FORCE, REFUTED, UNKNOWN, FakeQueue, Memories, ScriptedVerifier

ORDER = [Tier.AUTO_APPROVE, Tier.FLAG_REVIEW, Tier.BLOCK]
MARKERS = ("zyxwhale", "borogrove", "qorvex")
WORDS = ["We", "use", "Redis", "not", "may", "I think", "maybe", "ADR-1", "ADR-2", "ADR-3", "ADR-4", "#12", "\u202e"]
CLAIMS = st.builds(
    MemoryClaim,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(lambda words: f"claim {' '.join(words)}"),
    st.sampled_from(["fact", "preference", "decision"]),
    st.sampled_from(["user", "documentation", "conversation", "chat", "ai_synthesis"]),
    st.just("user-1"),
)
PROVIDERS = st.sampled_from(
    [None, Memories(), Memories("claim We use Redis"), Memories("claim We use ADR-1"), Memories(error=OSError("zyx"))]
)
VERIFIERS = st.sampled_from(
    [
        ScriptedVerifier(),
        ScriptedVerifier({"1": REFUTED, "2": UNKNOWN, "3": NOT_IN_FORCE}),
        ScriptedVerifier(error=ValueError("zyxwhale")),
    ]
)


@given(CLAIMS, PROVIDERS, VERIFIERS, st.booleans())
def test_no_claim_is_approved_that_the_printed_tree_does_not_approve(claim, provider, verifier, may):
    """For the same findings each tier is the specified one or stricter, except for a conflict with a near copy (C2)."""
    config = GroundedIngestionConfig(auto_approve_ai_synthesis=may)
    validator = IngestionValidator(provider, True, config, verifier)
    found = asyncio.run(validator.validate_many([claim]))[0]
    failed = {check_name(check) for check in found.checks_failed}
    printed, _ = determine_tier(
        found.hedges.action,
        "duplicate_detected" in failed,
        "dedup_failed" in failed,
        any(each.result.status is VerificationStatus.VERIFIED for each in found.citations),
        claim.source,
        claim.memory_type,
    )
    assert ORDER.index(found.tier) >= ORDER.index(printed)
    assert not found.approved or found.hedges.action is HedgeAction.CONTINUE


@given(CLAIMS, PROVIDERS, VERIFIERS)
def test_every_check_that_is_listed_is_in_the_table(claim, provider, verifier):
    """Each check is on its own side, in the table's order; an approved claim failed no decisive check."""
    found = asyncio.run(IngestionValidator(provider, True, None, verifier).validate_many([claim]))[0]
    for passes, listed in ((True, found.checks_passed), (False, found.checks_failed)):
        names = [check.name for check in CHECKS if check.passes is passes]
        places = [names.index(check_name(entry)) for entry in listed]
        assert places == sorted(places)
    if found.approved:
        assert {check_name(entry) for entry in found.checks_failed} <= {"citation_unknown"}


def assert_no_marker(text: str) -> None:
    """Fail without showing the text, which the failure's own output would contain."""
    assert [marker for marker in MARKERS if marker in text.lower()] == []


CONTENTS = [
    "The zyxwhale swims around the borogrove, says ADR-7 and https://zyxwhale.example/borogrove",
    "I think the zyxwhale swims",
    "The zyxwhale may swim",
    "The zyxwhale\u202e swims",
    "zyxwhale " * 3000,
    "The zyxwhale swims",
    "The zyxwhale does not swim",
]


@pytest.mark.parametrize("shadow", [False, True])
@pytest.mark.parametrize("error", [None, RuntimeError("zyxwhale in the borogrove")])
def test_no_text_is_logged(caplog, shadow, error):
    """Log records have counts, codes and hashes, whatever raises."""
    caplog.set_level(0)
    claims = [
        MemoryClaim(content, "fact", "user", "qorvex", metadata={"zyxwhale": "borogrove"})
        for content in [*CONTENTS, CONTENTS[0]]
    ]
    for failing in (Memories("The zyxwhale swims", user_id="qorvex"), Memories(error=error)):
        with MemoryStore(":memory:") as store:
            validator = IngestionValidator(failing, True, None, ScriptedVerifier(error=error))
            gate = IngestionGate(validator, store, FakeQueue(error=error), shadow=shadow)
            asyncio.run(gate.submit_many(claims))
            asyncio.run(gate.submit_many(claims[:1]))
    ours = [record for record in caplog.records if record.name.startswith("groundwire")]
    assert len(ours) == 2 * len(claims) + 2
    assert_no_marker("".join(repr(vars(record)) + logging.Formatter().format(record) for record in caplog.records))


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "zyxwhale\0"},
        {"content": "zyxwhale\udcff"},
        {"content": ["zyxwhale"]},
        {"source": ["zyxwhale in the borogrove"]},
        {"memory_type": ["zyxwhale in the borogrove"]},
        {"user_id": "qorvex\0"},
        {"user_id": "qorvex" * 100},
        {"metadata": {"zyxwhale": object()}},
        {"metadata": ["zyxwhale"]},
        {"parents": {"zyxwhale in the borogrove": None}},
        {"parents": {"mem-1": "zyxwhale"}},
        {"capture_time": "zyxwhale"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_no_text_is_in_an_error(fields):
    """The error names an invalid argument and does not show it; neither does its cause."""
    usual = {"content": "The zyxwhale", "memory_type": "fact", "source": "user", "user_id": "qorvex"}

    def submit() -> None:
        with MemoryStore(":memory:") as store:
            gate = IngestionGate(IngestionValidator(store), store)
            asyncio.run(gate.submit(MemoryClaim(**{**usual, **fields})))

    with pytest.raises((TypeError, ValueError)) as caught:
        submit()
    chain = [caught.value]
    while chain[-1].__context__ is not None:
        chain.append(chain[-1].__context__)
    for error in chain:
        assert_no_marker(f"{error!r}{error.args}{traceback.format_exception_only(error)}")

"""Tiers: the specified function over its whole truth table, and the guarded table beside it."""

from dataclasses import fields, replace
from itertools import product

import pytest

from groundwire import ingestion, reference
from groundwire.ingestion.hedges.lexicon import HedgeAction
from groundwire.ingestion.tiers import (
    RULES,
    TRUSTED_SOURCES,
    IngestionTier,
    MemorySource,
    MemoryType,
    QuoteFault,
    Tier,
    TierInputs,
    TierReason,
    apply_tier_rules,
    determine_tier,
)

FLAGS = (False, True)
# Findings against a claim that neither refute it nor find it in memory.
ADVERSE = [
    "has_conflict",
    "dedup_failed",
    "is_too_long",
    "hidden",
    "check_failed",
    "has_refuted_citation",
    "has_citation_not_in_force",
    "is_citation_irrelevant",
    "has_less_trusted_parent",
]
PRINTED = [
    TierInputs(
        hedge=hedge,
        source=source,
        memory_type=kind,
        is_duplicate=same,
        dedup_failed=failed,
        has_verified_citation=cited,
    )
    for hedge, source, kind, same, failed, cited in product(HedgeAction, MemorySource, MemoryType, FLAGS, FLAGS, FLAGS)
]


def literal(found: TierInputs) -> tuple[Tier, str]:
    """Return the result of the specified function for the specified findings."""
    printed = (found.is_duplicate, found.dedup_failed, found.has_verified_citation, found.source, found.memory_type)
    return determine_tier(found.hedge, *printed)


@pytest.mark.parametrize("memory_type", [*MemoryType, "decision", "preference", "fact", "note", ""])
@pytest.mark.parametrize(
    "source", [*MemorySource, "user", "conversation", "chat", "ai_synthesis", "unknown", "", "User"]
)
def test_the_literal_function_is_the_printed_one(source, memory_type):
    """Ruling R0: the whole truth table agrees, for members, for their strings, and for unknown strings."""
    for hedge, *flags in product(HedgeAction, FLAGS, FLAGS, FLAGS):
        tier, reason = determine_tier(hedge, *flags, source, memory_type)
        assert (tier.value, reason) == reference.determine_tier(hedge.value, *flags, source, memory_type)


@pytest.mark.parametrize("hedge_result", ["block", None, True])
def test_another_type_is_no_hedge_action(hedge_result):
    """Ruling R0, fail closed: in the specified comparisons, any other object means that there are no hedges."""
    with pytest.raises(TypeError, match="hedge_result must be a HedgeAction"):
        determine_tier(hedge_result, False, False, True, "user", "fact")


def test_printed_names_and_values():
    """The enums have the specified names and values; IngestionTier is the same one (ruling C17)."""
    assert [(tier.name, tier.value) for tier in Tier] == [
        ("AUTO_APPROVE", "tier_1"),
        ("FLAG_REVIEW", "tier_2"),
        ("BLOCK", "tier_3"),
    ]
    assert [(action.name, action.value) for action in HedgeAction] == [
        ("BLOCK", "block"),
        ("REVIEW", "review"),
        ("CONTINUE", "none"),
    ]
    assert IngestionTier is Tier
    assert {"user", "documentation", "adr", "commit", "manual"} == TRUSTED_SOURCES


def test_the_table_says_what_the_printed_tree_says():
    """Without the findings of the rulings, tier and words are the specified ones."""
    assert [(apply_tier_rules(found).tier, apply_tier_rules(found).reason) for found in PRINTED] == [
        literal(found) for found in PRINTED
    ]


@pytest.mark.parametrize("adverse", [*ADVERSE, "is_citation_contradicted", "is_citation_unread"])
def test_a_finding_against_a_claim_is_never_approved(adverse):
    """Rulings C2, C4, C11, C18 and R0: it goes to review, or is blocked as before, whatever supports it."""
    for found in PRINTED:
        decision = apply_tier_rules(replace(found, **{adverse: True}))
        assert decision.tier is not Tier.AUTO_APPROVE
        if apply_tier_rules(found).tier is Tier.AUTO_APPROVE:
            assert decision.tier is Tier.FLAG_REVIEW


def test_no_finding_makes_a_claim_more_trusted():
    """Fail closed: each tier of the table is the specified one or stricter, except for a conflict's duplicate."""
    order = [Tier.AUTO_APPROVE, Tier.FLAG_REVIEW, Tier.BLOCK]
    for found, *flags in product(PRINTED, *[FLAGS] * len(ADVERSE)):
        findings = replace(found, **dict(zip(ADVERSE, flags, strict=True)) | {"dedup_failed": found.dedup_failed})
        if not (findings.has_conflict and findings.is_duplicate):
            assert order.index(apply_tier_rules(findings).tier) >= order.index(literal(found)[0])


def test_a_conflict_is_no_duplicate():
    """Ruling C2: a correction resembles a copy of the corrected memory; a reviewer decides."""
    found = TierInputs(
        hedge=HedgeAction.CONTINUE,
        source=MemorySource.USER,
        memory_type=MemoryType.FACT,
        is_duplicate=True,
        has_conflict=True,
    )
    assert (apply_tier_rules(found).tier, apply_tier_rules(found).code) == (Tier.FLAG_REVIEW, TierReason.CONFLICT)
    assert apply_tier_rules(replace(found, has_conflict=False)).tier is Tier.BLOCK


def test_a_hedge_comes_before_a_citation_and_a_trusted_source():
    """Ruling C5: the order of the specified code applies."""
    for hedge, tier in ((HedgeAction.BLOCK, Tier.BLOCK), (HedgeAction.REVIEW, Tier.FLAG_REVIEW)):
        found = TierInputs(
            hedge=hedge,
            source=MemorySource.USER,
            memory_type=MemoryType.FACT,
            has_verified_citation=True,
            has_conflict=True,
        )
        assert apply_tier_rules(found).tier is tier


def test_a_refuted_citation_outweighs_a_trusted_source():
    """Ruling C4: the specified function approves it, the table does not, even beside a verified one."""
    found = TierInputs(
        hedge=HedgeAction.CONTINUE,
        source=MemorySource.USER,
        memory_type=MemoryType.FACT,
        has_verified_citation=True,
        has_refuted_citation=True,
    )
    assert literal(found)[0] is Tier.AUTO_APPROVE
    assert (apply_tier_rules(found).tier, apply_tier_rules(found).code) == (
        Tier.FLAG_REVIEW,
        TierReason.CITATION_REFUTED,
    )


@pytest.mark.parametrize(("may", "tier"), [(True, Tier.AUTO_APPROVE), (False, Tier.FLAG_REVIEW)])
def test_all_claims_of_a_model_may_be_reviewed(may, tier):
    """Ruling C18: `auto_approve_ai_synthesis=False` sends even verified claims to review; other sources as before."""
    found = TierInputs(
        hedge=HedgeAction.CONTINUE,
        source=MemorySource.AI_SYNTHESIS,
        memory_type=MemoryType.FACT,
        has_verified_citation=True,
        may_approve_ai_synthesis=may,
    )
    assert apply_tier_rules(found).tier is tier
    assert apply_tier_rules(replace(found, source=MemorySource.CHAT)).tier is Tier.AUTO_APPROVE


def test_every_rule_has_a_code_of_its_own_and_decides_something():
    """The table has all codes once, and no rule is always preceded by another."""
    assert [rule.code for rule in RULES] == list(TierReason)
    flags = [one.name for one in fields(TierInputs)][3:]
    alone = [replace(found, **{flag: value}) for found in PRINTED for flag in flags for value in FLAGS]
    alone += [replace(found, quote_fault=fault) for found in PRINTED for fault in QuoteFault]
    alone += [replace(found, **{name: "gossip"}) for found in PRINTED for name in ("source", "memory_type")]
    assert {apply_tier_rules(found).code for found in alone} == set(TierReason)


@pytest.mark.parametrize(
    ("name", "kind"), [("user", MemorySource), ("ai_synthesis", MemorySource), ("fact", MemoryType)]
)
def test_sources_and_types_accept_their_strings(name, kind):
    """A plain string is converted, and equals its member."""
    assert kind(name) == name
    assert f"{kind(name)}" == name


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param("User", 'MemorySource must be one of user, .*; got "User"', id="another-name"),
        pytest.param("my mother told me", "; got <a name of 17 characters>", id="text"),
        pytest.param(None, "; got NoneType", id="no-str"),
    ],
)
def test_an_unknown_source_is_refused_without_its_text(value, message):
    """The error lists the known ones; a sentence given by mistake is not repeated, even in the context."""
    with pytest.raises(ValueError, match=message) as caught:
        MemorySource(value)
    assert caught.value.__context__ is None


def test_the_names_of_the_package_lead_to_their_homes():
    """Importing the package loads none of them; first use does (PEP 562)."""
    assert ingestion.determine_tier is determine_tier
    assert {name for name in ingestion.__all__ if getattr(ingestion, name, None) is None} == set()
    with pytest.raises(AttributeError, match="has no attribute 'Hedge'"):
        _ = ingestion.Hedge

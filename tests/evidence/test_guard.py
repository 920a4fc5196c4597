"""`guard="meaning"`: of the quotes that the literal rule keeps, those with an unchanged meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Source
from groundwire.evidence import (
    EvidenceGroundingStats,
    EvidenceSettings,
    QuotePolicy,
    assess_quotes,
    ground_extraction,
    validate_evidence_grounding,
)

TRANSCRIPT = (
    "I do not sleep at all these days. I take 15 mg every evening before I go to bed. "
    "BP < 90 and HR > 100. She is unhappy with it. Another house was sold by Anna Meyer in the village."
)


def kept(quote: str, *, mode: str, guard: str | None, transcript: str | Source = TRANSCRIPT) -> bool:
    """Return whether the quote is grounded."""
    validated, _ = validate_evidence_grounding({"a": [quote]}, transcript, mode=mode, guard=guard, log_rejections=False)
    return validated == {"a": [quote]}


@pytest.mark.parametrize(
    ("quote", "mode"),
    [
        pytest.param("I do sleep at all these days", "fuzzy", id="A9-negation-dropped"),
        pytest.param("I take 50 mg every evening before I go to bed", "fuzzy", id="A9-number"),
        pytest.param("I take 15 ml every evening before I go to bed", "fuzzy", id="A9-unit"),
        pytest.param("Another house was sold by Anna Keller in the village", "fuzzy", id="A9-name"),
        pytest.param("happy with it", "substring", id="A9-cut-to-its-opposite"),
        pytest.param("no", "substring", id="A10-a-part-of-another-is-no-word"),
        pytest.param("BP 100", "substring", id="A2-what-the-literal-rule-takes-for-a-tag"),
    ],
)
def test_the_guard_rejects_changes_of_meaning(quote, mode):
    """Rulings A9 and A10: the literal rule keeps these, the guard does not."""
    assert kept(quote, mode=mode, guard=None)
    assert not kept(quote, mode=mode, guard="meaning")


@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize(
    "quote",
    ["I do not sleep at all", "i DO not  sleep at all", "I take 15 mg every", "Anna Meyer", "the", "in the villag"],
)
def test_the_guard_keeps_verbatim_quotes(quote, mode):
    """Verbatim quotes stay, and so does one whose last word is cut."""
    assert kept(quote, mode=mode, guard="meaning")


def test_the_guard_keeps_a_typo_in_fuzzy_mode():
    """A typo changes no meaning."""
    assert kept("I take 15 mg evry evening before I go to bed", mode="fuzzy", guard="meaning")


def test_the_guard_rejects_a_quote_longer_than_the_transcript():
    """Ruling A8: partial ratio swaps the sides, so that the literal rule keeps this one."""
    assert kept("well, I do not sleep, she said", mode="fuzzy", guard=None, transcript="I do not sleep")
    assert not kept("well, I do not sleep, she said", mode="fuzzy", guard="meaning", transcript="I do not sleep")


def test_withdrawn_quotes_are_counted_and_logged(caplog):
    """They count as rejected, and the log has their hashes."""
    caplog.set_level(0)
    evidence = {"sleep": ["I do sleep at all these days", "I take 15 mg every"], "mood": []}
    validated, stats = validate_evidence_grounding(evidence, TRANSCRIPT, mode="fuzzy", guard="meaning")
    assert validated == {"sleep": ["I take 15 mg every"], "mood": []}
    assert stats == EvidenceGroundingStats(2, 1, 1, {"sleep": 1, "mood": 0})
    assert [record.message for record in caplog.records] == ["evidence_quote_rejected", "evidence_grounding_complete"]
    assert "sleep at all" not in str([vars(record) for record in caplog.records])


@given(
    st.lists(st.text(st.sampled_from("no t15mgI sle<>.…'\n"), max_size=20), max_size=4),
    st.text(st.sampled_from("no t15mgI sle<>.…'\n"), max_size=60),
    st.sampled_from(["substring", "fuzzy"]),
    st.sampled_from([0.0, 0.6, 0.85, 1.0]),
    st.sampled_from(["spec", "typographic"]),
)
def test_the_guard_only_takes_away(quotes, text, mode, threshold, profile):
    """The guard keeps the quotes that the literal rule keeps and assess_quotes accepts."""
    source = Source(text, profile=profile)
    options = {"mode": mode, "fuzzy_threshold": threshold, "log_rejections": False}
    literal, _ = validate_evidence_grounding({"a": quotes}, source, **options)
    guarded, stats = validate_evidence_grounding({"a": quotes}, source, guard="meaning", **options)
    verdicts = assess_quotes(literal["a"], source, policy=QuotePolicy(threshold=threshold))
    assert guarded["a"] == [verdict.quote for verdict in verdicts if verdict.accepted]
    assert stats.validated_count == len(guarded["a"])


@pytest.mark.usefixtures("bare_environment")
def test_the_setting_guards_an_extraction():
    """A12: `evidence_quote_guard` has the effect of the argument in ground_extraction."""
    output = {"sleep": ["I do sleep at all these days", "I do not sleep at all"]}
    literal = EvidenceSettings(evidence_quote_validation_mode="fuzzy")
    guarded = EvidenceSettings(evidence_quote_validation_mode="fuzzy", evidence_quote_guard="meaning")
    assert ground_extraction(output, TRANSCRIPT, settings=literal).evidence == output
    assert ground_extraction(output, TRANSCRIPT, settings=guarded).evidence == {"sleep": ["I do not sleep at all"]}

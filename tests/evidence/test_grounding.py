"""validate_evidence_grounding: the literal rule, its options, its errors, its events."""

import inspect
import logging
from decimal import Decimal
from types import MappingProxyType

import pytest

import groundwire
from groundwire.evidence import EvidenceGroundingStats, normalize_for_quote_match, validate_evidence_grounding
from log_fields import fields_of

TRANSCRIPT = "Patient said: I can't sleep at night. <laughter> Very tired."


def test_exact_match_accepted():
    """The specification's first test: a quote from the transcript is kept."""
    evidence = {"PHQ8_Sleep": ["I can't sleep at night"]}
    validated, stats = validate_evidence_grounding(evidence, TRANSCRIPT)
    assert validated["PHQ8_Sleep"] == ["I can't sleep at night"]
    assert stats.rejected_count == 0


def test_hallucination_rejected():
    """The specification's second test: an invented quote is dropped and counted."""
    evidence = {"PHQ8_Depressed": ["I feel hopeless and worthless"]}
    validated, stats = validate_evidence_grounding(evidence, "I've been feeling okay lately. Work is going well.")
    assert validated["PHQ8_Depressed"] == []
    assert stats.rejected_by_domain["PHQ8_Depressed"] == 1


def test_minor_whitespace_difference_accepted():
    """The specification's third test: white space does not count."""
    validated, _ = validate_evidence_grounding({"PHQ8_Tired": ["I   feel  tired"]}, "I feel tired all the time")
    assert len(validated["PHQ8_Tired"]) == 1


def test_case_insensitive_matching():
    """The specification's fourth test: case does not count."""
    validated, _ = validate_evidence_grounding({"PHQ8_Sleep": ["I CAN'T SLEEP"]}, "i can't sleep at all")
    assert len(validated["PHQ8_Sleep"]) == 1


def test_the_signature_is_the_printed_one_and_guard():
    """Names, order and defaults are the specification's; guard comes after (ruling A9)."""
    parameters = inspect.signature(validate_evidence_grounding).parameters
    assert {name: parameter.default for name, parameter in parameters.items()} == {
        "evidence": inspect.Parameter.empty,
        "transcript_text": inspect.Parameter.empty,
        "mode": "substring",
        "fuzzy_threshold": 0.85,
        "log_rejections": True,
        "guard": None,
    }


def test_domains_and_quotes_keep_order_and_spelling():
    """Grounded quotes come back as written, duplicates too, and an empty domain stays."""
    evidence = {"b": ["very  TIRED", "absent", "sleep", "very  TIRED"], "a": []}
    validated, stats = validate_evidence_grounding(evidence, TRANSCRIPT)
    assert list(validated.items()) == [("b", ["very  TIRED", "sleep", "very  TIRED"]), ("a", [])]
    assert stats == EvidenceGroundingStats(4, 3, 1, {"b": 1, "a": 0})


def test_no_evidence_is_no_failure():
    """An empty mapping gives empty evidence and zeros."""
    assert validate_evidence_grounding({}, TRANSCRIPT) == ({}, EvidenceGroundingStats(0, 0, 0, {}))


def test_the_evidence_is_not_changed():
    """The caller's mapping, of any type, stays unchanged."""
    evidence = MappingProxyType({"a": ("absent", "sleep")})
    validated, _ = validate_evidence_grounding(evidence, TRANSCRIPT)
    assert (validated, evidence["a"]) == ({"a": ["sleep"]}, ("absent", "sleep"))


def test_a_source_is_a_transcript():
    """A prepared Source has the results of its text."""
    evidence = {"a": ["sleep", "absent"]}
    source = groundwire.Source(TRANSCRIPT)
    assert validate_evidence_grounding(evidence, source) == validate_evidence_grounding(evidence, TRANSCRIPT)


@pytest.mark.parametrize(
    ("mode", "threshold", "is_grounded"),
    [("substring", 0.0, False), ("fuzzy", 0.85, True), ("fuzzy", 0.9, True), ("fuzzy", 1.0, False)],
)
def test_fuzzy_mode_accepts_close_wording(mode, threshold, is_grounded):
    """One letter wrong in 22 scores 0.95: enough for fuzzy mode, never for substring mode."""
    _, stats = validate_evidence_grounding(
        {"a": ["I can't sleeq at night"]}, TRANSCRIPT, mode=mode, fuzzy_threshold=threshold
    )
    assert stats.validated_count == is_grounded


def test_a_quote_longer_than_the_transcript_is_compared_the_other_way_round():
    """Ruling A8: the literal function keeps RapidFuzz's swap."""
    _, stats = validate_evidence_grounding({"a": ["oh I feel tired today"]}, "I feel tired", mode="fuzzy")
    assert stats.validated_count == 1


@pytest.mark.parametrize("transcript", [pytest.param("", id="empty"), pytest.param(TRANSCRIPT, id="words")])
@pytest.mark.parametrize("quote", ["", " \t\n", "<laughter>", "\u200b\ufeff", "\u3000"])
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_a_blank_quote_is_rejected(mode, quote, transcript):
    """Ruling A6: it is never grounded, even at threshold 0, but counts as extracted and rejected."""
    validated, stats = validate_evidence_grounding({"a": [quote]}, transcript, mode=mode, fuzzy_threshold=0.0)
    assert (validated, stats) == ({"a": []}, EvidenceGroundingStats(1, 0, 1, {"a": 1}))


def test_threshold_0_grounds_every_other_quote():
    """A score of 0 reaches a threshold of 0: ruling A6 makes an exception for blank quotes only."""
    _, stats = validate_evidence_grounding({"a": ["xyz", "sleep"]}, "a b c", mode="fuzzy", fuzzy_threshold=0)
    assert stats.validated_count == 2


@pytest.mark.parametrize("mode", ["Fuzzy", "fuzzy ", "", "exact"])
def test_an_unknown_mode_is_refused(mode):
    """Ruling A7: the error lists the known modes."""
    with pytest.raises(ValueError, match='mode must be one of "substring", "fuzzy", got'):
        validate_evidence_grounding({"a": ["q"]}, TRANSCRIPT, mode=mode)


@pytest.mark.parametrize("threshold", [-0.01, 1.01, 85, float("nan"), float("inf")])
@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
def test_a_threshold_outside_0_to_1_is_refused(mode, threshold):
    """Ruling A11: the function accepts 0 to 1, in either mode."""
    with pytest.raises(ValueError, match="fuzzy_threshold must be from 0 to 1"):
        validate_evidence_grounding({"a": ["q"]}, TRANSCRIPT, mode=mode, fuzzy_threshold=threshold)


@pytest.mark.parametrize("threshold", [0, 1, 0.0, 1.0, 0.3, Decimal("0.85")])
def test_a_threshold_from_0_to_1_is_accepted(threshold):
    """Ruling A11: the range of the function is wider than that of the settings."""
    validate_evidence_grounding({"a": ["q"]}, TRANSCRIPT, mode="fuzzy", fuzzy_threshold=threshold)


@pytest.mark.parametrize(("guard", "error"), [("Meaning", ValueError), ("", ValueError), (False, TypeError)])
def test_another_guard_is_refused(guard, error):
    """Ruling A9: there is one guard, and it has to be named."""
    with pytest.raises(error, match="guard must be"):
        validate_evidence_grounding({"a": ["q"]}, TRANSCRIPT, guard=guard)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param({"evidence": ["q"]}, "evidence must be a mapping of domain to list of str, got list", id="list"),
        pytest.param({"evidence": {1: ["q"]}}, "every domain of evidence must be a str, got int", id="domain"),
        pytest.param({"evidence": {"a": "zyxwhale"}}, 'evidence["a"] must be a list of str, got str', id="bare-quote"),
        pytest.param({"evidence": {"a": {"zyxwhale"}}}, 'evidence["a"] must be a list of str, got set', id="set"),
        pytest.param(
            {"evidence": {"a": ["zyxwhale", None]}}, 'evidence["a"][1] must be a str, got NoneType', id="none"
        ),
        pytest.param(
            {"transcript_text": b"zyxwhale"},
            "transcript_text must be a str or a groundwire.Source, got bytes",
            id="bytes",
        ),
        pytest.param({"mode": None}, 'mode must be one of "substring", "fuzzy", got NoneType', id="mode"),
        pytest.param({"fuzzy_threshold": "0.85"}, "fuzzy_threshold must be a number, got str", id="threshold"),
    ],
)
def test_a_wrong_type_is_refused_by_name(arguments, message):
    """A TypeError names the argument and the type found, never text."""
    with pytest.raises(TypeError) as caught:
        validate_evidence_grounding(**{"evidence": {"a": ["q"]}, "transcript_text": TRANSCRIPT, **arguments})
    assert str(caught.value) == message


def test_stats_are_frozen():
    """The counts cannot be changed."""
    _, stats = validate_evidence_grounding({}, "")
    with pytest.raises(AttributeError):
        stats.rejected_count = 1


def test_the_engine_is_called_once(monkeypatch):
    """All quotes of all domains go to the engine in one call."""
    calls = []

    class Spy:
        text = TRANSCRIPT

        def ground(self, quotes, *, mode, threshold):
            calls.append((quotes, mode, threshold))
            return [None] * len(quotes)

    monkeypatch.setattr("groundwire.evidence.grounding.Source", Spy)
    validate_evidence_grounding({"a": ["1", "2"], "b": ["3"]}, Spy(), mode="fuzzy", fuzzy_threshold=0.5)
    assert calls == [(["1", "2", "3"], "fuzzy", 0.5)]


@pytest.mark.parametrize("log_rejections", [True, False])
def test_rejections_are_logged_on_request(caplog, log_rejections):
    """Each rejected quote has a warning, followed by an info record with the counts; none if switched off."""
    caplog.set_level(logging.INFO)
    evidence = {"a": ["absent", "sleep"], "b": ["gone"]}
    validate_evidence_grounding(evidence, TRANSCRIPT, log_rejections=log_rejections)
    events = [(record.msg, fields_of(record).get("domain")) for record in caplog.records]
    expected = [
        ("evidence_quote_rejected", "a"),
        ("evidence_quote_rejected", "b"),
        ("evidence_grounding_complete", None),
    ]
    assert events == (expected if log_rejections else [])


def test_nothing_is_logged_when_nothing_is_rejected(caplog):
    """No rejection, no event."""
    caplog.set_level(logging.INFO)
    validate_evidence_grounding({"a": ["sleep"]}, TRANSCRIPT)
    assert caplog.records == []


def test_normalize_for_quote_match_is_the_spec_profile():
    """Rulings A2 and A4: the literal profile, which removes `<` … `>` in a comparison like a tag."""
    assert normalize_for_quote_match("BP < 90 and\u00a0HR > 100 \u2013 OK") == "bp 100 \u2013 ok"

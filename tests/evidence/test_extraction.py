"""ground_extraction: reads model output, and returns grounded evidence, counts and a failure event."""

import enum
import json
import logging

import pytest

import groundwire
from groundwire.evidence import (
    EvidenceGroundingError,
    EvidenceGroundingStats,
    EvidenceSchemaError,
    EvidenceSettings,
    FailureCategory,
    FailureEvent,
    FailureRecorder,
    FailureSeverity,
    ModelOutputError,
    ground_extraction,
)

pytestmark = pytest.mark.usefixtures("bare_environment")

TRANSCRIPT = "I can't sleep at night. Very tired."
MIXED = {"PHQ8_Sleep": ["I can't sleep", "I never wake"], "PHQ8_Tired": ["very tired"]}
ALL_WRONG = {"PHQ8_Sleep": ["I never wake"], "PHQ8_Tired": ["so very weary", "<sigh>"]}
MESSAGE = "LLM returned evidence quotes but none could be grounded in the transcript."


class RunMode(enum.Enum):
    """An enum of a caller."""

    FEW_SHOT = "few_shot"


@pytest.mark.parametrize(
    "llm_output",
    [
        pytest.param(MIXED, id="object"),
        pytest.param(json.dumps(MIXED), id="text"),
        pytest.param(f"Here you are:\n```json\n{json.dumps(MIXED, indent=2)}\n```\nBye.", id="fence-and-prose"),
    ],
)
@pytest.mark.parametrize("transcript", [TRANSCRIPT, groundwire.Source(TRANSCRIPT)], ids=["str", "source"])
def test_ungrounded_quotes_are_dropped_and_counted(llm_output, transcript):
    """The suggested integration test: quotes that are not in the transcript are dropped."""
    result = ground_extraction(llm_output, transcript, settings=EvidenceSettings())
    assert result.evidence == {"PHQ8_Sleep": ["I can't sleep"], "PHQ8_Tired": ["very tired"]}
    assert result.stats == EvidenceGroundingStats(3, 2, 1, {"PHQ8_Sleep": 1, "PHQ8_Tired": 0})
    assert result.failure is None
    assert result.run_counts == {"llm_evidence_extracted_count": 3, "llm_evidence_rejected_count": 1}


def test_duplicates_go_before_grounding():
    """Ruling A13: a quote given twice counts once."""
    result = ground_extraction({"a": ["tired", "tired"]}, TRANSCRIPT, settings=EvidenceSettings())
    assert result.run_counts["llm_evidence_extracted_count"] == 1


def test_mode_and_threshold_come_from_the_settings():
    """A typo is grounded in fuzzy mode, down to its threshold."""
    typo = {"a": ["I can't sleeq at night"]}
    fuzzy = EvidenceSettings(evidence_quote_validation_mode="fuzzy")
    strict = EvidenceSettings(evidence_quote_validation_mode="fuzzy", evidence_quote_fuzzy_threshold=1.0)
    counts = [ground_extraction(typo, TRANSCRIPT, settings=s).stats.validated_count for s in (fuzzy, strict)]
    assert counts == [1, 0]


def test_switched_off_nothing_is_checked_and_the_result_says_so():
    """With validation off the evidence passes, stats is None, and no failure is claimed."""
    settings = EvidenceSettings(evidence_quote_validation_enabled=False, evidence_quote_fail_on_all_rejected=True)
    result = ground_extraction(ALL_WRONG, TRANSCRIPT, settings=settings)
    assert (result.evidence, result.stats, result.failure) == (ALL_WRONG, None, None)
    assert result.run_counts == {"llm_evidence_extracted_count": 3, "llm_evidence_rejected_count": 0}


def test_switched_off_the_schema_is_still_checked():
    """Ruling A13 holds whether quotes are grounded or not."""
    with pytest.raises(EvidenceSchemaError):
        ground_extraction({"a": 1}, TRANSCRIPT, settings=EvidenceSettings(evidence_quote_validation_enabled=False))


@pytest.mark.parametrize("run_mode", ["few_shot", RunMode.FEW_SHOT], ids=["str", "enum"])
def test_all_rejected_is_a_failure_event(run_mode):
    """Ruling A14: in lenient mode the event is in the result and in the recorder, and the run goes on."""
    failures = FailureRecorder()
    result = ground_extraction(
        ALL_WRONG, TRANSCRIPT, settings=EvidenceSettings(), participant_id=300, run_mode=run_mode, failures=failures
    )
    expected = FailureEvent(
        category=FailureCategory.EVIDENCE_HALLUCINATION,
        severity=FailureSeverity.ERROR,
        message=MESSAGE,
        participant_id=300,
        stage="evidence_extraction",
        mode="few_shot",
        extracted_count=3,
        validation_mode="substring",
    )
    assert (result.failure, failures.events) == (expected, (expected,))
    assert result.evidence == {"PHQ8_Sleep": [], "PHQ8_Tired": []}


def test_the_event_needs_no_recorder():
    """Ruling A14: without a recorder the result has the event, and unknown fields are None."""
    failure = ground_extraction(ALL_WRONG, TRANSCRIPT, settings=EvidenceSettings()).failure
    assert (failure.participant_id, failure.mode, failure.extracted_count) == (None, None, 3)


def test_strict_mode_records_then_raises():
    """Ruling A14: strict mode raises the printed message after the event is recorded."""
    failures = FailureRecorder()
    settings = EvidenceSettings(evidence_quote_fail_on_all_rejected=True)
    with pytest.raises(EvidenceGroundingError) as caught:
        ground_extraction(ALL_WRONG, TRANSCRIPT, settings=settings, failures=failures)
    assert str(caught.value) == MESSAGE
    assert isinstance(caught.value, ValueError)
    assert [event.extracted_count for event in failures.events] == [3]


@pytest.mark.parametrize("is_strict", [True, False])
@pytest.mark.parametrize(
    "evidence",
    [
        pytest.param({}, id="no-domain"),
        pytest.param({"a": []}, id="no-quote"),
        pytest.param({"a": ["sleep", "absent"]}, id="one-of-two"),
    ],
)
def test_no_failure_unless_all_of_some_are_rejected(evidence, is_strict):
    """Ruling A14: no quotes are no failure, and one grounded quote is enough."""
    settings = EvidenceSettings(evidence_quote_fail_on_all_rejected=is_strict)
    failures = FailureRecorder()
    assert ground_extraction(evidence, TRANSCRIPT, settings=settings, failures=failures).failure is None
    assert failures.events == ()


@pytest.mark.parametrize("is_strict", [False, True])
@pytest.mark.parametrize(
    "transcript", [TRANSCRIPT, groundwire.Source(TRANSCRIPT, profile="typographic")], ids=["str", "source"]
)
def test_blank_quotes_alone_are_no_failure(transcript, is_strict):
    """Rulings A6 and A22: they count as extracted and rejected, but are no hallucination."""
    settings = EvidenceSettings(evidence_quote_fail_on_all_rejected=is_strict)
    failures = FailureRecorder()
    evidence = {"a": ["", " \u00a0\n"], "b": ["<sigh>"]}
    result = ground_extraction(evidence, transcript, settings=settings, failures=failures)
    assert (result.failure, failures.events) == (None, ())
    assert result.stats == EvidenceGroundingStats(3, 0, 3, {"a": 2, "b": 1})
    assert result.run_counts == {"llm_evidence_extracted_count": 3, "llm_evidence_rejected_count": 3}


def test_one_quote_that_is_not_blank_makes_a_failure():
    """Ruling A22: the event counts the blank quotes as extracted too."""
    result = ground_extraction({"a": ["", "I never wake"]}, TRANSCRIPT, settings=EvidenceSettings())
    assert result.failure.extracted_count == 2


@pytest.mark.parametrize(
    ("llm_output", "error"),
    [
        pytest.param("no JSON", ModelOutputError, id="prose"),
        pytest.param('{"a": ["x"]} {"b": ["y"]}', ModelOutputError, id="two-objects"),
        pytest.param('{"a": "x"}', EvidenceSchemaError, id="no-list"),
        pytest.param(["x"], EvidenceSchemaError, id="parsed-list"),
        pytest.param(None, EvidenceSchemaError, id="none"),
    ],
)
def test_unusable_output_raises(llm_output, error):
    """Unreadable or malformed output is an error, not empty evidence."""
    with pytest.raises(error):
        ground_extraction(llm_output, TRANSCRIPT, settings=EvidenceSettings())


def test_the_transcript_is_checked_even_when_switched_off():
    """A transcript of a wrong type is a TypeError that names it."""
    with pytest.raises(TypeError, match="transcript_text must be a str"):
        ground_extraction({}, None, settings=EvidenceSettings(evidence_quote_validation_enabled=False))


def test_logging_obeys_the_settings(caplog):
    """evidence_quote_log_rejections decides on the events; the failure event stays."""
    settings = EvidenceSettings(evidence_quote_log_rejections=False)
    assert ground_extraction(ALL_WRONG, TRANSCRIPT, settings=settings).failure is not None
    assert caplog.records == []


def test_the_key_of_the_settings_hashes(caplog):
    """Ruling A15: two keys give two hashes of one transcript."""
    for key in ("one", "two"):
        settings = EvidenceSettings(evidence_quote_hash_key=key)
        ground_extraction({"a": ["absent"]}, TRANSCRIPT, settings=settings)
    assert len({record.transcript_hash for record in caplog.records if record.levelno == logging.WARNING}) == 2


def test_the_repr_of_a_result_has_no_evidence():
    """A result in a log line shows counts, not quotes."""
    assert "tired" not in repr(ground_extraction(MIXED, TRANSCRIPT, settings=EvidenceSettings()))

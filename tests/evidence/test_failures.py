"""Failure events and their recorder (ruling A14)."""

import json
import threading
from datetime import UTC, datetime

import pytest

from groundwire.evidence import FailureCategory, FailureEvent, FailureRecorder, FailureSeverity

NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)


def event(participant_id=300) -> FailureEvent:
    """Return an event with every field set."""
    return FailureEvent(
        category=FailureCategory.EVIDENCE_HALLUCINATION,
        severity=FailureSeverity.ERROR,
        message="message",
        participant_id=participant_id,
        stage="evidence_extraction",
        mode="few_shot",
        extracted_count=2,
        validation_mode="substring",
    )


def test_events_are_kept_in_order():
    """The recorder has the events in order."""
    recorder = FailureRecorder()
    recorder.record(event(1))
    recorder.record(event(2))
    assert recorder.events == (event(1), event(2))


def test_each_event_is_a_line_of_the_sink(tmp_path):
    """A line has the clock's time and the event's fields; earlier content of the file stays."""
    sink = tmp_path / "failures.jsonl"
    sink.write_text('{"before": 1}\n')
    recorder = FailureRecorder(sink, clock=lambda: NOON)
    recorder.record(event())
    assert [json.loads(line) for line in sink.read_text().splitlines()] == [
        {"before": 1},
        {
            "recorded_at": "2026-01-03T12:00:00+00:00",
            "category": "evidence_hallucination",
            "severity": "error",
            "message": "message",
            "participant_id": 300,
            "stage": "evidence_extraction",
            "mode": "few_shot",
            "extracted_count": 2,
            "validation_mode": "substring",
        },
    ]


def test_the_line_is_written_when_record_returns(tmp_path):
    """Nothing stays in a buffer."""
    sink = tmp_path / "failures.jsonl"
    recorder = FailureRecorder(str(sink))
    recorder.record(event(1))
    first = sink.read_text()
    recorder.record(event(2))
    assert (first.count("\n"), sink.read_text().startswith(first)) == (1, True)


def test_the_default_clock_is_utc(tmp_path):
    """Without a clock an event's time has an offset of zero."""
    sink = tmp_path / "failures.jsonl"
    FailureRecorder(sink).record(event())
    assert datetime.fromisoformat(json.loads(sink.read_text())["recorded_at"]).utcoffset().total_seconds() == 0


def test_a_line_is_one_line_whatever_the_id_is(tmp_path):
    """Line breaks and lone surrogates of an id do not break the file."""
    sink = tmp_path / "failures.jsonl"
    FailureRecorder(sink).record(event("a\n\u2028\ud800"))
    assert sink.read_bytes().count(b"\n") == 1
    assert json.loads(sink.read_bytes())["participant_id"] == "a\n\u2028\ud800"


def test_threads_do_not_mix_their_lines(tmp_path):
    """Eight threads of fifty events leave four hundred whole lines."""
    sink = tmp_path / "failures.jsonl"
    recorder = FailureRecorder(sink)

    def record_fifty(first: int) -> None:
        for number in range(first, first + 50):
            recorder.record(event(number))

    threads = [threading.Thread(target=record_fifty, args=(50 * index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ids = [json.loads(line)["participant_id"] for line in sink.read_text().splitlines()]
    assert sorted(ids) == list(range(400))
    assert [kept.participant_id for kept in recorder.events] == ids


def test_an_event_is_kept_when_the_sink_fails(tmp_path):
    """The error of an unwritable sink is raised, and the event is kept."""
    recorder = FailureRecorder(tmp_path / "no-such-folder" / "failures.jsonl")
    with pytest.raises(OSError, match="no-such-folder"):
        recorder.record(event())
    assert recorder.events == (event(),)

"""What a memory may hold: only what both databases keep unchanged."""

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.memory import MemoryRecord, MemoryStatus
from groundwire.memory.records import as_microseconds, as_time
from memory.claims import EARLIEST, LATEST, claim


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({"content": ""}, "content is empty", id="empty"),
        pytest.param({"content": "secret\0"}, "content holds a NUL character", id="nul"),
        pytest.param({"content": "secret\ud800"}, "content holds a lone surrogate", id="surrogate"),
        pytest.param({"user_id": ""}, "user_id is empty", id="nobody"),
        pytest.param({"user_id": "secret" * 50}, "user_id has 300 characters; at most 256", id="long-user"),
        pytest.param({"memory_type": "secret words"}, "memory_type must have 1 to 64 ASCII", id="type"),
        pytest.param({"source": "sécret"}, "source must have 1 to 64 ASCII", id="source"),
        pytest.param({"confidence": "secret"}, "confidence must be one of low, medium, high", id="confidence"),
        pytest.param({"source_ids": ("",)}, "a source id is empty", id="source-id"),
        pytest.param({"parents": ("secret words",)}, "the id of a parent must have 1 to 64 ASCII", id="parent"),
        pytest.param({"capture_time": datetime(2026, 1, 1)}, "capture_time must have a time zone", id="no-zone"),
        pytest.param({"validity_horizon": datetime(2026, 1, 1)}, "validity_horizon must have a time zone", id="until"),
        pytest.param({"capture_time": EARLIEST}, "capture_time must be in the years 1 to 9999 of UTC", id="year-0"),
        pytest.param({"validity_horizon": LATEST}, "validity_horizon must be in the years 1 to 9999", id="year-10000"),
        pytest.param({"metadata": {"secret": math.nan}}, "metadata must be what JSON can keep", id="nan"),
        pytest.param({"metadata": {1: "secret"}}, "metadata must be what JSON can keep", id="number-as-key"),
        pytest.param({"metadata": {"secret": (1, 2)}}, "metadata must be what JSON can keep", id="tuple"),
        pytest.param({"metadata": {"secret": object()}}, "metadata must be what JSON can keep", id="object"),
    ],
)
def test_texts_that_databases_cannot_keep_are_refused(fields, words):
    """The error says what was wanted, and not what was given."""
    with pytest.raises(ValueError, match=words) as caught:
        claim(**fields)
    assert "secret" not in str(caught.value)
    assert "sécret" not in str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"content": b"bytes"}, id="content"),
        pytest.param({"user_id": 7}, id="user"),
        pytest.param({"source": None}, id="source"),
        pytest.param({"source_ids": "ADR-003"}, id="one-str-as-source-ids"),
        pytest.param({"parents": ["m0"]}, id="list-of-parents"),
        pytest.param({"capture_time": "2026-01-01"}, id="time"),
        pytest.param({"metadata": [1]}, id="metadata"),
    ],
)
def test_other_types_are_type_errors(fields):
    """A str is no tuple of str, and a date in a str no time."""
    with pytest.raises(TypeError):
        claim(**fields)


def test_a_stored_memory_is_a_record():
    """A comparison of memories needs only id, text and type."""
    assert isinstance(claim(), MemoryRecord)
    assert claim(status="review").status is MemoryStatus.REVIEW


def test_each_memory_has_metadata_of_its_own():
    """The default is no object that two memories share (ruling C17)."""
    assert claim("m1").metadata is not claim("m2").metadata


@given(
    st.datetimes(
        timezones=st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes))),
        min_value=datetime(1, 1, 2),
        max_value=datetime(9999, 12, 30),
    )
)
def test_times_come_back_as_they_were(time):
    """Microseconds are exact, and order is kept, whatever the zone."""
    assert as_time(as_microseconds(time, "time")) == time
    later = time + timedelta(microseconds=1)
    assert as_microseconds(later, "time") == as_microseconds(time, "time") + 1
    assert as_microseconds(datetime(1970, 1, 1, tzinfo=UTC), "time") == 0


@pytest.mark.parametrize("limit", [datetime.min, datetime.max])
def test_the_first_and_the_last_time_come_back(limit):
    """Only other zones reach beyond the years that a datetime has in UTC."""
    time = limit.replace(tzinfo=UTC)
    assert as_time(as_microseconds(time, "time")) == time

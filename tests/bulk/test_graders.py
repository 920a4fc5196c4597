"""Graders are kept from one job to the next, with their prepared sources."""

import pyarrow as pa
import pytest

from groundwire.bulk.graders import RowGraders
from groundwire.bulk.policies import RowPolicy
from groundwire.bulk.source_table import SourceLookup, find_sources

ROWS = pa.record_batch({"quote": ["I sleep"], "source": [0]})
LIMITS = {"workers": 1, "memory_bytes": 1 << 20}


@pytest.fixture
def read():
    """Return the ids of the tables that were read."""
    return []


def counted(given: dict[int, str], read: list) -> SourceLookup:
    """Return sources that record when they are read."""
    found = find_sources(given)

    def table() -> pa.Table:
        read.append(next(iter(given.values())))
        return found.table()

    return SourceLookup(found.fingerprint, table)


def test_unchanged_sources_are_read_once(read):
    """This holds for equal sources too."""
    graders = RowGraders()
    for _ in range(3):
        grade = graders.grader(RowPolicy(), counted({0: "I sleep."}, read), pa.int64(), **LIMITS)
        assert grade(ROWS)["grounded"].to_pylist() == [True]
    assert read == ["I sleep."]


def test_other_sources_replace_the_last_ones(read):
    """Only the sources of one job are in memory."""
    graders = RowGraders()
    for text, expected in (("I sleep.", True), ("I walk.", False), ("I sleep.", True)):
        grade = graders.grader(RowPolicy(), counted({0: text}, read), pa.int64(), **LIMITS)
        assert grade(ROWS)["grounded"].to_pylist() == [expected]
    assert read == ["I sleep.", "I walk.", "I sleep."]


@pytest.mark.parametrize(
    "other",
    [{"policy": RowPolicy(mode="fuzzy")}, {"ids": pa.string()}, {"workers": 2}, {"memory_bytes": 1 << 21}],
    ids=["policy", "type-of-ids", "workers", "memory"],
)
def test_other_options_have_a_grader_of_their_own(read, other):
    """The policy, the type of ids and the limits decide on the grader."""
    graders = RowGraders()
    asked = {"policy": RowPolicy(), "sources": counted({0: "I sleep."}, read), "ids": pa.int64(), **LIMITS}
    first = graders.grader(**asked)
    assert graders.grader(**asked) is first
    assert graders.grader(**{**asked, **other}) is not first


def test_sources_that_cannot_be_read_are_not_kept(read):
    """The next job reads its sources again."""

    def broken() -> pa.Table:
        read.append("broken")
        raise OSError("gone")

    graders = RowGraders()
    sources = counted({0: "I sleep."}, read)
    with pytest.raises(OSError, match="gone"):
        graders.grader(RowPolicy(), SourceLookup(sources.fingerprint, broken), pa.int64(), **LIMITS)
    graders.grader(RowPolicy(), sources, pa.int64(), **LIMITS)
    assert read == ["broken", "I sleep."]

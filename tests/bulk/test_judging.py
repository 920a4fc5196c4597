"""What judges rows, kept from one job to the next."""

import pyarrow as pa
import pytest

from groundwire.bulk.judging import Judges
from groundwire.bulk.options import Rule
from groundwire.bulk.sources_table import Sources, find_sources

ROWS = pa.record_batch({"quote": ["I sleep"], "source": [0]})
LIMITS = {"workers": 1, "memory_bytes": 1 << 20}


@pytest.fixture
def read():
    """The ids of the tables that were read."""
    return []


def counted(given: dict[int, str], read: list) -> Sources:
    """Sources that tell when they are read."""
    found = find_sources(given)

    def table() -> pa.Table:
        read.append(next(iter(given.values())))
        return found.table()

    return Sources(found.print, table)


def test_sources_that_stay_the_same_are_read_once(read):
    """Also where they are given anew."""
    judges = Judges()
    for _ in range(3):
        judge = judges.judge(Rule(), counted({0: "I sleep."}, read), pa.int64(), **LIMITS)
        assert judge(ROWS)["grounded"].to_pylist() == [True]
    assert read == ["I sleep."]


def test_other_sources_are_read_and_the_last_ones_let_go(read):
    """One job's at a time."""
    judges = Judges()
    for text, expected in (("I sleep.", True), ("I walk.", False), ("I sleep.", True)):
        judge = judges.judge(Rule(), counted({0: text}, read), pa.int64(), **LIMITS)
        assert judge(ROWS)["grounded"].to_pylist() == [expected]
    assert read == ["I sleep.", "I walk.", "I sleep."]


@pytest.mark.parametrize(
    "other",
    [{"rule": Rule(mode="fuzzy")}, {"ids": pa.string()}, {"workers": 2}, {"memory_bytes": 1 << 21}],
    ids=["rule", "type-of-ids", "workers", "memory"],
)
def test_other_options_have_a_judge_of_their_own(read, other):
    """Whatever decides, or bounds what is kept."""
    judges = Judges()
    asked = {"rule": Rule(), "sources": counted({0: "I sleep."}, read), "ids": pa.int64(), **LIMITS}
    first = judges.judge(**asked)
    assert judges.judge(**asked) is first
    assert judges.judge(**{**asked, **other}) is not first


def test_sources_that_cannot_be_read_leave_nothing_behind(read):
    """The next job reads again."""

    def broken() -> pa.Table:
        read.append("broken")
        raise OSError("gone")

    judges = Judges()
    sources = counted({0: "I sleep."}, read)
    with pytest.raises(OSError, match="gone"):
        judges.judge(Rule(), Sources(sources.print, broken), pa.int64(), **LIMITS)
    judges.judge(Rule(), sources, pa.int64(), **LIMITS)
    assert read == ["broken", "I sleep."]

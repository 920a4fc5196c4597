"""Under the guarded policy a batch has the verdicts of `assess_quotes`, row by row."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.bulk import GuardedBatchGrader, SourceTable, ground_batch, ground_table
from groundwire.evidence import QuotePolicy, assess_quotes

pa = pytest.importorskip("pyarrow")

from .rows import RESULTS, prose, quotes  # noqa: E402

COLUMNS = (*RESULTS, "status", "reasons")

SOURCE = "Take 15 mg of it, but not before noon. I can’t sleep <sighs> at night."


def expected(quote, source, policy=None):
    """Return the results of one row by the function for one source."""
    if source is None or quote is None:
        error = f"the {'source' if source is None else 'quote'} is null"
        return {**dict.fromkeys(COLUMNS), "grounded": False, "error": error}
    (verdict,) = assess_quotes([quote], source, policy=policy)
    passage = {name: getattr(verdict.match, name, None) for name in ("kind", "score", "start", "end")}
    codes = {"status": verdict.status.value, "reasons": [reason.value for reason in verdict.reasons]}
    return {"grounded": verdict.accepted, **passage, "error": None, **codes}


@settings(max_examples=examples(30))
@given(
    rows=st.lists(st.tuples(st.none() | quotes, st.sampled_from([None, SOURCE, "x"]) | prose), max_size=8),
    memory_bytes=st.sampled_from([0, 1 << 30]),
)
def test_a_row_has_the_verdict_of_assess_quotes(rows, memory_bytes):
    """Grouping and kept sources do not change a row."""
    grounder = GuardedBatchGrader(memory_bytes=memory_bytes)
    columns = [pa.array([row[place] for row in rows], pa.utf8()) for place in (0, 1)]
    batch = pa.record_batch(columns, ["quote", "source"])
    for _ in range(2):
        assert [expected(*row) for row in rows] == grounder.ground(batch).select(COLUMNS).to_pylist()


def test_a_change_of_meaning_is_not_grounded():
    """50 mg for 15 mg is altered, in spite of its score."""
    rows = ["Take 50 mg of it", "I can't sleep at night", "", "elephants"]
    batch = pa.record_batch({"quote": rows, "source": [SOURCE] * 4})
    grounded = ground_batch(batch, policy="guarded")
    assert grounded["grounded"].to_pylist() == [False, True, False, False]
    assert grounded["status"].to_pylist() == ["altered", "normalized", "blank", "absent"]
    assert "number" in grounded["reasons"][0].as_py()
    assert (grounded["start"][0].as_py(), grounded["end"][0].as_py()) == (0, 16)


def test_a_custom_policy_decides():
    """Rules and thresholds are those of the policy."""
    batch = pa.record_batch({"quote": ["sleep"], "source": [SOURCE]})
    policy = QuotePolicy(min_words=2)
    assert ground_batch(batch, policy=policy).select(COLUMNS).to_pylist() == [expected("sleep", SOURCE, policy)]
    assert ground_batch(batch, policy="guarded")["grounded"].to_pylist() == [True]


@pytest.mark.parametrize("of_type", [pa.list_(pa.utf8()), pa.large_list(pa.utf8())])
def test_lists_ids_and_tables(of_type):
    """Results are in lists, sources are given by id, and streams give readers, as under the literal policy."""
    asked = pa.array([["15 mg", "50 mg of"], None, []], of_type)
    table = pa.table([asked, pa.array([1, 1, 2])], ["quote", "source"])
    sources = SourceTable(pa.table({"id": [1], "text": [SOURCE]}))
    grounded = ground_table(table, policy="guarded", sources=sources)
    assert isinstance(grounded, pa.Table)
    assert grounded.schema.field("reasons").type.value_type == pa.list_(pa.utf8())
    each = [expected("15 mg", SOURCE), expected("50 mg of", SOURCE)]
    first, second, third = grounded.select(COLUMNS).to_pylist()
    assert first == {name: [row[name] for row in each] for name in COLUMNS}
    assert (second["grounded"], second["error"], third["grounded"]) == ([False], ["the quote is null"], [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "kind"}, "policy must be 'literal', 'guarded' or a QuotePolicy"),
        ({"policy": "guarded", "mode": "fuzzy"}, "mode, profile and marks are for the policy 'literal'"),
        ({"policy": QuotePolicy(speakers=["Anna"])}, "speakers"),
        ({"policy": "guarded", "quote": "qoute"}, "no column is called 'qoute'; did you mean 'quote'?"),
    ],
)
def test_incompatible_options_are_an_exception(options, message):
    """The exception comes before any row is read."""
    batch = pa.record_batch({"quote": ["a"], "source": ["a"]})
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        ground_batch(batch, **options)
    assert message in str(caught.value)


def test_a_column_with_the_name_of_a_result_is_an_exception():
    """No column of the input is replaced."""
    batch = pa.record_batch({"quote": ["a"], "source": ["a"], "status": ["new"]})
    with pytest.raises(ValueError, match="there is a column called 'status' already"):
        ground_batch(batch, policy="guarded")
    assert ground_batch(batch)["status"].to_pylist() == ["new"]


def test_the_literal_policy_loads_no_pyarrow():
    """Batches of polars need no second library; the guarded policy is loaded on first use."""
    program = "import sys, groundwire.bulk as bulk; bulk.ground_batch; print('pyarrow' in sys.modules, *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert loaded[0] == "False"
    assert "groundwire.evidence" not in loaded

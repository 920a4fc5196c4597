"""Batches of answers and memories have the results of the functions for one row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire._engine import Deduplicator, JaccardIndex
from groundwire.bulk import assess_batch, claims_batch, dedup_batch
from groundwire.citations import RiskThresholds, assess_citations
from groundwire.ingestion import jaccard_similarity

pa = pytest.importorskip("pyarrow")

NOT_UTF8 = pa.Array.from_buffers(
    pa.utf8(), 1, [None, pa.py_buffer(b"\x00\x00\x00\x00\x02\x00\x00\x00"), pa.py_buffer(b"a\xff")]
)

memories = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5).map(" ".join), max_size=12)


@given(texts=memories, cut=st.integers(0, 12), threshold=st.sampled_from([0.5, 0.75, 1.0]))
def test_near_copies_are_those_that_brute_force_finds(texts, cut, threshold):
    """
    Each text is compared with all earlier ones, also of earlier batches; the most similar one counts, then the
    first.
    """
    table = pa.table({"text": pa.array(texts, pa.utf8())})
    grounded = dedup_batch(
        pa.concat_tables([table.slice(0, cut), table.slice(cut)]), threshold=threshold, tokens="spec"
    ).to_pylist()
    for row, found in enumerate(grounded):
        similar = [(jaccard_similarity(texts[row], texts[before]), -before) for before in range(row)]
        best = max((each for each in similar if each[0] >= threshold), default=None)
        assert found["is_duplicate"] == (best is not None)
        assert (found["similarity"], found["duplicate_of"]) == ((None, None) if best is None else (best[0], -best[1]))


SAID = st.lists(
    st.none()
    | st.lists(st.sampled_from(["tea", "Tea", "İce", "STRASSE", "straße", "漢字", "it's", "…", ""]), max_size=6).map(
        " ".join
    ),
    max_size=20,
)


@given(texts=SAID, threshold=st.sampled_from([0.3, 0.5, 0.92]), tokens=st.sampled_from(["unicode", "spec"]))
def test_rows_are_those_of_an_index_that_is_asked_and_grows(texts, threshold, tokens):
    """The results equal `query` followed by `insert` for each text; with an index of other texts, `query` alone."""
    batch = pa.record_batch({"text": pa.array(texts, pa.large_utf8())})
    grows, asked = JaccardIndex(floor=threshold, tokens=tokens), JaccardIndex(floor=threshold, tokens=tokens)
    for known in ("tea it's", "STRASSE tea", "漢字 tea"):
        asked.insert(known)
    among = dedup_batch(batch, threshold=threshold, tokens=tokens).to_pylist()
    against = dedup_batch(batch, threshold=threshold, index=asked, workers=2).to_pylist()
    rows = []
    for row, text in enumerate(texts):
        if text is None:
            assert among[row]["is_duplicate"] is None
            continue
        found = grows.query(text, threshold, limit=1)
        first = [(rows[number], similarity) for number, similarity in found]
        rows.append(row)
        grows.insert(text)
        for said, hits in ((among[row], first), (against[row], asked.query(text, threshold, limit=1))):
            number, similarity = hits[0] if hits else (None, None)
            assert said["is_duplicate"] == bool(hits)
            assert (said["duplicate_of"], said["similarity"]) == (number, similarity)


def test_the_rows_of_one_batch_are_known_to_the_next():
    """A `Deduplicator` keeps counting; a threshold below an index's minimum is refused."""
    marker = Deduplicator(threshold=0.5)
    marker.mark(pa.record_batch({"text": ["a b", None]}))
    second = pa.record_batch(marker.mark(pa.record_batch({"text": ["c", "b a", "C"]})))
    assert second["duplicate_of"].to_pylist() == [None, 0, 2]
    with pytest.raises(ValueError, match="floor"):
        dedup_batch(pa.record_batch({"text": ["a"]}), threshold=0.5, index=JaccardIndex(floor=0.9))
    with pytest.raises(ValueError, match=r"threshold must be above 0 and at most 1, got 1\.5"):
        dedup_batch(pa.record_batch({"text": ["a"]}), threshold=1.5)


def test_texts_that_cannot_be_read_are_neither_new_nor_copies():
    """They still count as rows."""
    texts = pa.chunked_array([pa.array(["a b", None]), NOT_UTF8, pa.array(["b a"])])
    rows = dedup_batch(pa.table({"text": texts})).drop_columns(["text"]).to_pylist()
    assert [row["is_duplicate"] for row in rows] == [False, None, None, True]
    assert [row["error"] for row in rows] == [None, "the text is null", "the text is not valid UTF-8", None]
    assert rows[3]["duplicate_of"] == 0


def test_an_index_is_compared_with_and_stays_as_it_is():
    """Numbers refer to the index, and texts of the batch are not compared with each other."""
    index = JaccardIndex(floor=0.9)
    number = index.insert("tea is hot")
    batch = pa.record_batch({"text": ["Hot is tea!", "new words", "new words"]})
    assert dedup_batch(batch, threshold=0.9, index=index)["duplicate_of"].to_pylist() == [number, None, None]
    assert len(index) == 1


RESULTS = [{"id": "1", "content": "Tea is hot."}, {"id": "2", "content": "Ice is cold and it floats on water."}]
ANSWERS = ["Tea is hot and people drink it in the morning [1].", "Ice floats on all the oceans of this world [7].", ""]


@pytest.mark.parametrize("policy", ["coverage", "spec"])
def test_answers_have_their_risk(policy):
    """The results are those of `assess_citations` for one answer."""
    batch = pa.record_batch({"answer": [*ANSWERS, None, "a"], "results": [*[RESULTS] * 4, None]})
    rows = assess_batch(batch, policy=policy).to_pylist()
    for answer, row in zip(ANSWERS, rows, strict=False):
        report = assess_citations(answer, RESULTS, policy=policy)
        assert (row["level"], row["score"], row["total_claims"]) == (
            report.level.value,
            report.score,
            report.total_claims,
        )
        assert (row["citation_ratio"], row["citation_coverage"]) == (report.citation_ratio, report.citation_coverage)
        assert (row["valid_citations"], row["invalid_citations"]) == (report.valid_citations, report.invalid_citations)
        assert row["reasons"] == [reason.value for reason in report.reasons]
    assert [row["error"] for row in rows] == [None, None, None, "the text is null", "the results are null"]
    assert rows[3]["level"] is None


OTHERS = [{"id": "1", "content": "Tea is cold."}]


@given(rows=st.lists(st.tuples(st.sampled_from([*ANSWERS, None]), st.sampled_from([RESULTS, OTHERS, [], None]))))
def test_results_that_come_again_are_those_of_their_row(rows):
    """They are prepared once, and never mistaken for those of another row."""
    entry = pa.struct([("id", pa.string()), ("content", pa.string())])
    answers, results = ([row[place] for row in rows] for place in (0, 1))
    batch = pa.record_batch({"answer": pa.array(answers, pa.string()), "results": pa.array(results, pa.list_(entry))})
    for (answer, known), row in zip(rows, assess_batch(batch).to_pylist(), strict=True):
        if answer is None or known is None:
            assert row["level"] is None
            continue
        report = assess_citations(answer, known)
        assert (row["level"], row["reasons"]) == (report.level.value, [reason.value for reason in report.reasons])
        assert (row["score"], row["valid_citations"]) == (report.score, report.valid_citations)


PARTS = st.sampled_from(
    [
        "Tea is hot and people drink it in the morning",
        " [1]",
        "[2][9]",
        " [doc-1]",
        ". ",
        "! ",
        "[",
        "]",
        "[]",
        "\n\n",
        "漢字" * 12,
    ]
)
IDS = st.lists(
    st.none()
    | st.fixed_dictionaries(
        {
            "id": st.none() | st.sampled_from(["1", " 2 ", "", "doc-1", "[a]"]),
            "parent_id": st.none() | st.integers(1, 9),
        }
    ),
    max_size=4,
)


@given(rows=st.lists(st.tuples(st.none() | st.lists(PARTS, max_size=9).map("".join), st.none() | IDS), max_size=6))
def test_answers_with_ids_alone_have_the_report_of_one(rows):
    """The engine reads these answers; `assess_citations` is the oracle."""
    entry = pa.struct([("id", pa.string()), ("parent_id", pa.int64()), ("rank", pa.int64())])
    results = pa.array([known for _, known in rows], pa.large_list(entry))
    batch = pa.record_batch({"answer": pa.array([answer for answer, _ in rows], pa.string()), "results": results})
    settings = RiskThresholds(high_uncited=2)
    for (answer, known), row in zip(rows, assess_batch(batch, settings=settings).to_pylist(), strict=True):
        if answer is None or known is None:
            assert row["error"] == ("the text is null" if answer is None else "the results are null")
            assert {row[name] for name in ("level", "score", "reasons", "total_claims", "valid_citations")} == {None}
            continue
        report = assess_citations(answer, [each or {} for each in known], settings=settings)
        assert {name: row[name] for name in row if name not in {"answer", "results"}} == {
            **{
                name: getattr(report, name) for name in ("score", "citation_ratio", "citation_coverage", "total_claims")
            },
            **{name: getattr(report, name) for name in ("valid_citations", "invalid_citations")},
            "level": report.level.value,
            "reasons": [reason.value for reason in report.reasons],
            "error": None,
        }


@pytest.mark.parametrize(
    ("function", "columns", "error", "message"),
    [
        (dedup_batch, {"txt": ["a"]}, ValueError, "no column is called 'text'; did you mean 'txt'?"),
        (dedup_batch, {"text": [1]}, TypeError, "column 'text' must have strings, got Int64"),
        (dedup_batch, {"text": ["a"], "similarity": [1]}, ValueError, "there is a column called 'similarity' already"),
        (claims_batch, {"claim": [["a"]]}, TypeError, "column 'claim' must have strings"),
        (assess_batch, {"answer": ["a"]}, ValueError, "0 columns are called 'results'"),
        (assess_batch, {"answer": ["a"], "results": [["1"]]}, TypeError, "must have lists of structures"),
    ],
)
def test_columns_that_do_not_fit_are_an_exception(function, columns, error, message):
    """The exception names the column."""
    with pytest.raises(error) as caught:
        function(pa.record_batch(columns))
    assert message in str(caught.value)


def test_claims_of_a_table_and_of_a_stream():
    """A table gives a table, and a stream is read batch by batch."""
    table = pa.table({"claim": ["Maybe we use ADR-003", "We use it", None]})
    wanted = claims_batch(table.to_batches()[0]).to_pylist()
    assert claims_batch(table).to_pylist() == wanted
    stream = claims_batch(pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)))
    assert isinstance(stream, pa.RecordBatchReader)
    assert [batch.num_rows for batch in stream] == [1, 1, 1]
    with pytest.raises(ValueError, match="there is a column called 'action' already"):
        claims_batch(table.append_column("action", pa.array(["", "", ""])))


@pytest.mark.parametrize("function", [dedup_batch, claims_batch, assess_batch])
def test_a_list_is_a_type_error(function):
    """Lists of Python are no batches."""
    with pytest.raises(TypeError, match="a batch must have Arrow's interface"):
        function(["a"])

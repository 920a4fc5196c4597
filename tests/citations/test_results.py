"""Search results are read once; anomalies are counted, and nothing raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.citations import ANOMALIES, Anomaly
from groundwire.search_results import PASSAGE_KEYS, read_results


@pytest.mark.parametrize(
    ("some_results", "ids", "expected"),
    [
        pytest.param([{"id": "1"}], ["1"], {}, id="nothing-odd"),
        pytest.param([{"id": 7}], ["7"], {"number_as_id": 1}, id="number"),
        pytest.param([{}, {"id": ""}, {"id": None}], [], {"no_id": 3}, id="no-id"),
        pytest.param([{"parent_id": "p"}], ["p"], {}, id="parent-alone"),
        pytest.param([{"id": "1"}] * 3, ["1"], {"repeated_id": 2}, id="repeated"),
        pytest.param([{"id": "[1]"}, {"id": "a[0"}], ["[1]", "a[0"], {"bracket_in_id": 2}, id="bracket"),
        pytest.param([{"id": 1.5}, {"id": True}], [], {"id_of_other_type": 2, "no_id": 2}, id="other-types"),
        pytest.param([{"id": ["1"]}, {"id": {}}], [], {"id_of_other_type": 2, "no_id": 2}, id="unhashable"),
        pytest.param([{"id": 10**5000}], [], {"id_of_other_type": 1, "no_id": 1}, id="number-of-5000-digits"),
        pytest.param([{"id": "1", "content": 5}], ["1"], {"passage_of_other_type": 1}, id="passage"),
        pytest.param([{"id": "1", "matches": [5]}], ["1"], {"passage_of_other_type": 1}, id="matches"),
    ],
)
def test_anomalies_are_counted(some_results, ids, expected):
    """Each anomaly has a stable code and a count; the remaining ids may be cited."""
    known = read_results(some_results)
    assert {anomaly.value: count for anomaly, count in known.anomalies} == expected
    assert sorted({*known.citable()}) == sorted(ids)


def test_every_anomaly_is_explained():
    """Each code has a text."""
    assert [*ANOMALIES] == [*Anomaly]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"content": "a", "text": "b"}, "a"),
        ({"text": "b", "passage": "c"}, "b"),
        ({"passage": "c", "snippet": "d"}, "c"),
        ({"snippet": "d", "matches": ["e"]}, "d"),
        ({"matches": ["e", "f"], "title": "t"}, "e\nf"),
        ({"content": None, "text": "b"}, "b"),
        ({"content": " \n", "text": "b"}, "b"),
        ({"content": 3, "text": "b"}, "b"),
        ({"content": ""}, None),
        ({"title": "t"}, None),
    ],
)
def test_the_passage_is_the_first_text(result, expected):
    """Ruling B15: the order is that of PASSAGE_KEYS, blank texts are skipped, and a title is no passage."""
    assert read_results([result]).passages == [expected]


def test_a_citation_means_every_result_of_that_id_and_every_part_of_it():
    """Ruling B9: results with the id come first, then the parts of the parent."""
    known = read_results([{"id": "a", "parent_id": "b"}, {"id": "b"}, {"id": "b"}])
    assert known.places("b") == [1, 2, 0]
    assert known.places("c") == []


odd_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=2)
odd_values |= st.lists(odd_values, max_size=2) | st.dictionaries(st.text(max_size=2), st.none(), max_size=1)


@given(st.lists(st.dictionaries(st.sampled_from(["id", "parent_id", *PASSAGE_KEYS]), odd_values), max_size=5))
def test_no_result_raises(some_results):
    """Any content of a mapping is read or counted; ids are never empty."""
    known = read_results(some_results)
    assert len(known.ids) == len(known.parent_ids) == len(known.passages) == len(some_results)
    assert "" not in known.citable()


@pytest.mark.parametrize(
    ("some_results", "message"),
    [
        (None, "results must be a sequence of mappings, got NoneType"),
        ("private", "results must be a sequence of mappings, got str"),
        ({"id": "private"}, "results must be a sequence of mappings, got dict"),
        ({1, 2}, "results must be a sequence of mappings, got set"),
        (iter([]), "results must be a sequence of mappings, got list_iterator"),
        ([{}, "private"], r"results\[1\] must be a mapping, got str"),
    ],
)
def test_invalid_results_are_refused_without_their_text(some_results, message):
    """The error names the given type, and contains no text."""
    with pytest.raises(TypeError, match=f"^{message}$"):
        read_results(some_results)

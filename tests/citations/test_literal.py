"""detect_hallucination gives the results of the specified code (rulings R0, B1, B2, B3, B4, B6, B7)."""

import re

import pytest
from hypothesis import given

from citations.answers import answers, lines, results, results_of
from groundwire import reference
from groundwire.citations import detect_hallucination

KEYS = [
    "has_hallucination_risk",
    "hallucination_risk_score",
    "valid_citations",
    "invalid_citations",
    "uncited_sentences",
    "citation_ratio",
]
EMPTY = {
    "has_hallucination_risk": False,
    "hallucination_risk_score": 0.0,
    "note": "Answer is empty, cannot detect hallucinations",
}
NO_CLAIMS = EMPTY | {"note": "No valid claims found, cannot detect hallucinations"}
LONG = "This sentence is a good deal longer than fifty characters are"


@given(answers, results)
def test_every_answer_gives_what_the_printed_code_gives(answer, some_results):
    """Ruling R0: results equal those of the transcription, with keys in their order, for any answer."""
    found = detect_hallucination(answer, some_results)
    assert found == reference.detect_hallucination(answer, some_results)
    assert [*found] == ([*EMPTY] if "note" in found else KEYS)


def test_real_answers_give_the_expected_results(shared_data):
    """Ruling R0: each of the 292 rows is equal, value for value."""
    rows = lines(shared_data, "seed001_expected.jsonl")
    for row in rows:
        expected = {key: row["expected"][key] for key in KEYS}
        assert detect_hallucination(row["answer"], results_of(row["result_ids"])) == expected, row["id"]
    assert len(rows) == 292


def test_answers_of_six_systems_give_what_the_printed_code_gives(shared_data):
    """Ruling R0: this holds for long answers with other citation marks."""
    rows = lines(shared_data, "expertqa_answers.jsonl")
    for row in rows:
        some_results = results_of(re.findall(r"^\[(\d+)\]", "\n".join(row["attribution"]), re.M))
        found = detect_hallucination(row["answer"], some_results)
        assert found == reference.detect_hallucination(row["answer"], some_results), row["id"]
    assert len(rows) == 255


@pytest.mark.parametrize("answer", ["", " \n\t", "\u3000"])
def test_an_empty_answer_has_no_risk(answer):
    """Ruling B7: only the printed keys, with the printed note."""
    assert detect_hallucination(answer, [{"id": "1"}]) == EMPTY


@pytest.mark.parametrize("answer", ["Yes.", "Exactly 20 characters", "..." * 50, "No. [9] Yes! Why? [8]"])
def test_an_answer_without_claims_has_no_risk(answer):
    """Ruling B7: sentences of at most 20 characters are no claims; only the printed keys."""
    assert detect_hallucination(answer[:20] if answer.startswith("Exactly") else answer, []) == NO_CLAIMS


def test_a_ratio_of_seven_tenths_is_a_risk():
    """Ruling B4: the float arithmetic is the specified one, in which 1 - 0.7 is more than 0.3."""
    cited = "".join(f"A claim of more than twenty [{number}]." for number in range(7))
    answer = cited + "A claim of more than twenty." * 3
    found = detect_hallucination(answer, results_of([str(number) for number in range(7)]))
    assert (found["citation_ratio"], found["has_hallucination_risk"]) == (0.7, True)


def test_lists_of_ids_come_sorted():
    """Ruling B7: lists that the specified code takes from sets have an order."""
    found = detect_hallucination(f"{LONG} [z][b][9][a][10]", results_of(["b", "a", "10"]))
    assert (found["valid_citations"], found["invalid_citations"]) == (["10", "a", "b"], ["9", "z"])


def test_three_previews_of_a_hundred_characters():
    """Ruling B6: the dict keeps the preview."""
    found = detect_hallucination(f"{'x' * 120}. " * 5, [])
    assert found["uncited_sentences"] == ["x" * 100] * 3


def test_any_text_in_brackets_is_a_citation():
    """Ruling B1: Markdown links, indexes and task boxes count too, as specified."""
    found = detect_hallucination(f"- [x] {LONG} with [a link](https://e) and arr[0]", results_of(["0"]))
    assert (found["valid_citations"], found["invalid_citations"]) == (["0"], ["a link", "x"])


def test_a_citation_behind_the_full_stop_is_the_next_sentences():
    """Ruling B2: the rule follows the specification."""
    found = detect_hallucination(f"{LONG}. [1]", results_of(["1"]))
    assert found["uncited_sentences"] == [LONG]


def test_a_parent_is_a_source():
    """Ruling B9: both ids are valid."""
    found = detect_hallucination(f"{LONG} [p]", [{"id": "1", "parent_id": "p"}])
    assert found["valid_citations"] == ["p"]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({}, id="no-id"),
        pytest.param({"id": ""}, id="empty"),
        pytest.param({"id": None, "parent_id": None}, id="none"),
        pytest.param({"id": 1}, id="number"),
        pytest.param({"id": ["1"], "parent_id": {}}, id="unhashable"),
        pytest.param({"id": b"1"}, id="bytes"),
    ],
)
def test_an_id_that_is_no_str_equals_no_citation(odd):
    """A citation is a str, so `1` in an answer is not the number 1; nothing raises."""
    found = detect_hallucination(f"{LONG} [1]", [odd, {"id": "2"}, {"id": "2"}])
    assert (found["valid_citations"], found["invalid_citations"]) == ([], ["1"])


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("[" * 1_000_000, id="open"),
        pytest.param("]" * 1_000_000, id="closed"),
        pytest.param("[" * 1_000_000 + "]", id="open-then-one-closed"),
        pytest.param("[]" * 500_000, id="empty"),
        pytest.param("[" * 500_000 + "]" * 500_000, id="nested"),
        pytest.param("." * 1_000_000, id="stops"),
        pytest.param("。" * 1_000_000, id="other-stops"),
        pytest.param(f"{'x' * 60}[." * 20_000, id="sentences-with-an-open-bracket"),
        pytest.param("\ud800[\udfff]\u202e" * 100_000, id="surrogates"),
    ],
)
def test_hostile_answers_end(answer):
    """The work is linear where the specified patterns are quadratic: a million brackets return at once."""
    assert detect_hallucination(answer, [{"id": "1"}])["hallucination_risk_score"] in {0.0, 1.0}


@pytest.mark.parametrize(
    ("answer", "some_results", "message"),
    [
        (b"bytes of private words", [], r"^answer must be a str, got bytes$"),
        (LONG, ["private"], r"^results\[0\] must be a mapping, got str$"),
        (LONG, [{}, None], r"^results\[1\] must be a mapping, got NoneType$"),
        (LONG, None, r"^results must be a sequence of mappings, got NoneType$"),
        (LONG, "private", r"^results must be a sequence of mappings, got str$"),
        (LONG, {"id": "1"}, r"^results must be a sequence of mappings, got dict$"),
    ],
)
def test_another_type_is_refused_without_its_text(answer, some_results, message):
    """An error names the expected and the given type, and contains no text."""
    with pytest.raises(TypeError, match=message):
        detect_hallucination(answer, some_results)

"""The Python assertion of promptfoo: its arguments, and the mapping that it returns."""

import json

import pytest

from groundwire.errors import EvidenceSchemaError, ModelOutputError
from groundwire.promptfoo import get_assert

TEXT = "Anna: I can’t  sleep at night.\nBen: Take 15 mg of it. If needed."
FERRY = "The ferry to the island leaves the old harbour at nine in the morning."


def context(variables: dict[str, object], **config: object) -> dict[str, object]:
    """Return the context that promptfoo passes."""
    return {
        "prompt": "Summarise.",
        "vars": variables,
        "test": {"vars": variables},
        "logProbs": None,
        "config": config or None,
        "provider": {"id": "echo"},
        "providerResponse": {"output": ""},
        "trace": None,
    }


@pytest.mark.parametrize(
    "output",
    [
        "Anna says “I can't sleep at night”, and Ben answers “Take 15 mg of it”.",
        '["I can\'t sleep at night", "Take 15 mg of it"]',
        '```json\n[{"quote": "I can\'t sleep at night"}, {"quote": "Take 15 mg of it"}]\n```',
        'Here it is: {"sleep": ["I can\'t sleep at night"], "drug": ["Take 15 mg of it"]}',
        {"sleep": ["I can't sleep at night"], "drug": ["Take 15 mg of it"]},
    ],
    ids=["prose", "list", "fenced", "object", "parsed"],
)
def test_quotes_are_found_in_prose_and_json(output):
    """All quotes are accepted; each has its own result."""
    kind = "json" if isinstance(output, str) and output.startswith("Here") else "auto"
    assert get_assert(output, context({"sources": TEXT}, quotes=kind)) == {
        "pass": True,
        "score": 1.0,
        "reason": "2 of 2 quotes accepted",
        "namedScores": {"quotes accepted": 1.0},
        "componentResults": [
            {"pass": True, "score": 1.0, "reason": "#1 normalized"},
            {"pass": True, "score": 1.0, "reason": "#2 exact"},
        ],
    }


def test_a_failed_quote_says_what_the_source_has():
    """The reason of its component has the difference; the score is the share that passes."""
    graded = get_assert('["Take 50 mg of it", "at night"]', context({"sources": {"interview": TEXT}}))
    assert (graded["pass"], graded["score"], graded["reason"]) == (False, 0.5, "1 of 2 quotes accepted")
    assert graded["componentResults"][0]["reason"].splitlines()[:3] == [
        "#1 altered: The passage says 15 mg; the quote says 50 mg.",
        "   quote:  Take 50 mg of it",
        "   source: Take [-15 mg-]{+50 mg+} of it",
    ]
    assert get_assert('["Take 50 mg of it", "at night"]', context({"sources": TEXT}, min_score=0.5))["pass"]


@pytest.mark.parametrize(
    "results", [{"1": FERRY}, [FERRY], [{"id": "1", "text": FERRY}], json.dumps([{"id": 1, "content": FERRY}]), FERRY]
)
def test_citations_are_checked_against_results(results):
    """Results are texts by id or number, or search results, as values or as JSON."""
    graded = get_assert("The ferry to the island leaves at nine in the morning [1].", context({"results": results}))
    assert (graded["pass"], graded["reason"]) == (True, "1 of 1 claim accepted")
    graded = get_assert(
        "The ferry to the island leaves the old harbour at ten in the morning [1].", context({"results": results})
    )
    assert (graded["pass"], graded["score"]) == (False, 0.0)
    assert graded["reason"].startswith("0 of 1 claim accepted; ")
    assert graded["componentResults"][0]["reason"].startswith("#1 contradicted")


def test_a_share_of_claims_may_be_enough():
    """The reason still names the risk."""
    answer = "The ferry to the island leaves at nine in the morning [1]. The ferry has a bar and two decks [1]."
    assert not get_assert(answer, context({"results": {"1": FERRY}}))["pass"]
    graded = get_assert(answer, context({"results": {"1": FERRY}}, min_score=0.5))
    assert (graded["pass"], graded["score"]) == (True, 0.5)
    assert "risk" in graded["reason"]


def test_quotes_and_citations_together():
    """The worse score counts, and the components of both are listed."""
    answer = "It leaves “the old harbour at nine” in the morning [1]. The ferry has a bar [1]."
    graded = get_assert(answer, context({"sources": FERRY, "results": {"1": FERRY}}))
    assert (graded["pass"], graded["score"]) == (False, 0.5)
    assert graded["reason"].startswith("1 of 1 quote accepted; 1 of 2 claims accepted")
    assert graded["namedScores"] == {"quotes accepted": 1.0, "claims accepted": 0.5}
    assert len(graded["componentResults"]) == 3


def test_variables_may_have_other_names_and_files(tmp_path):
    """The configuration overrules variables, and may name a document."""
    assert get_assert('["at night"]', context({"interview": TEXT}, sources_var="interview"))["pass"]
    page = tmp_path / "page.html"
    page.write_text("<html><body><p>Take 15 mg of it.</p></body></html>", encoding="utf-8")
    graded = get_assert('["Take 15 mg of it"]', context({"sources": "other"}, sources=[f"file://{page}"]))
    assert graded["pass"]
    found = tmp_path / "results.json"
    found.write_text(json.dumps({"a": FERRY}), encoding="utf-8")
    assert get_assert(
        "The ferry to the island leaves at nine in the morning [a].", context({}, results=f"file://{found}")
    )["pass"]


def test_files_of_one_name_are_different_sources(tmp_path):
    """The names of sources have to be unique, and those of files in several folders need not be."""
    for person in ("anna", "ben"):
        (tmp_path / person).mkdir()
        (tmp_path / person / "interview.txt").write_text(f"I can't sleep, {person} said.", encoding="utf-8")
    files = [f"file://{tmp_path}/{person}/interview.txt" for person in ("anna", "ben")]
    assert get_assert("“I can't sleep, ben said.”", context({}, sources=files))["pass"]


def test_results_that_are_no_text_are_an_error_without_it(tmp_path):
    """The error of the decoder would hold the whole file."""
    (tmp_path / "results.txt").write_bytes(b"MARKER \xff")
    with pytest.raises(ValueError, match=r"^results\.txt is not UTF-8: invalid byte at offset 7$") as raised:
        get_assert("It rains [1].", context({}, results=[f"file://{tmp_path}/results.txt"]))
    assert raised.value.__context__ is None


def test_a_variable_opens_no_file(tmp_path):
    """Variables may come from data of others."""
    page = tmp_path / "page.txt"
    page.write_text(TEXT, encoding="utf-8")
    assert not get_assert('["at night"]', context({"sources": f"file://{page}"}))["pass"]


def test_an_output_without_quotes_fails():
    """Otherwise an empty output would always pass."""
    graded = get_assert("Nothing “here”.", context({"sources": TEXT}))
    assert (graded["pass"], graded["score"], graded["reason"]) == (False, 0.0, "the output has no quotes to check")
    assert graded["componentResults"] == []
    assert get_assert("Nothing.", context({"sources": TEXT}, allow_empty=True))["pass"]


@pytest.mark.parametrize(
    ("output", "given", "error", "words"),
    [
        (
            "x",
            context({"text": TEXT}),
            ValueError,
            "needs sources or results: vars and config have none of results, sources",
        ),
        ("x", context({"a": TEXT}, sources_var="b"), ValueError, 'names the variable "b" as sources_var'),
        ("x", context({"sources": TEXT}, treshold=1), ValueError, 'unknown key, "treshold"; known keys: sources, '),
        ("x", context({"sources": TEXT}, quotes="xml"), ValueError, 'quotes must be one of "auto", "json", "prose"'),
        ("x", context({"sources": TEXT}, threshold="1"), TypeError, "threshold must be a number, got str"),
        ("x", context({"sources": 3}), TypeError, "source 1 must be a str, got int"),
        ("[1]", context({"sources": TEXT}), TypeError, r"output\[0\] must be a str or a mapping with a str as quote"),
        ("[secret", context({"sources": TEXT}), ValueError, "^the output begins like JSON, and is not valid JSON$"),
        ('{"a": "secret"}', context({"sources": TEXT}), EvidenceSchemaError, "must be a list"),
        ("{secret", context({"sources": TEXT}), ModelOutputError, "brace"),
        ({"a": 1}, context({"results": {"1": FERRY}}), TypeError, "an answer with citations must be a str, got dict"),
        ("x", context({"results": 3}), TypeError, "results must be a mapping, a list or a text, got int"),
        ("x", {"vars": {}, "config": []}, ValueError, "needs sources or results"),
    ],
)
def test_errors_say_what_is_missing(output, given, error, words):
    """An invalid configuration is an error, not a failed quote; no message has the text of the output."""
    with pytest.raises(error, match=words) as failure:
        get_assert(output, given)
    assert "secret" not in str(failure.value)

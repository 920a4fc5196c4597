"""The quotations of an answer against the results of tools: what may be quoted, what cannot be read, the feedback."""

import importlib
import json
import sys
from dataclasses import dataclass

import pytest

from groundwire import Source, read_transcript
from groundwire.agents import UnreadResult, check_quotations
from groundwire.evidence import QuotePolicy, QuoteStatus

TEXT = "The mill sold forty loaves on Friday. Anna never sleeps before a storm."
QUOTING = "The book says “sold forty loaves on Friday”."
INVENTING = "The book says “sold fifty loaves on Friday”."


@dataclass
class Page:
    """A document as LangChain has it."""

    page_content: str
    id: str = "a"


@pytest.mark.parametrize(
    "results",
    [
        pytest.param({"search": TEXT}, id="text"),
        pytest.param(["Nothing here.", TEXT], id="one-of-several"),
        pytest.param({"search": [{"type": "text", "text": TEXT}]}, id="content-blocks"),
        pytest.param({"search": ["Nothing here.", TEXT]}, id="list-of-texts"),
        pytest.param([{"id": "a", "text": TEXT}], id="search-result"),
        pytest.param([Page(TEXT)], id="document-object"),
        pytest.param([(Page(TEXT), 0.5)], id="document-with-score"),
        pytest.param([Source(TEXT)], id="source"),
        pytest.param([read_transcript(f"Ben: {TEXT}")], id="transcript"),
        pytest.param([json.dumps({"hits": [{"body": f'He said "{TEXT}"\nand left'}]})], id="json"),
    ],
)
def test_results_may_be_quoted(results):
    """Whatever the shape of a result is, its text counts."""
    assert check_quotations(QUOTING, results).accepted
    check = check_quotations(INVENTING, results)
    assert not check.accepted
    assert check.verdicts[0].status is QuoteStatus.ALTERED
    assert check.unread == ()


def test_escapes_of_json_are_read():
    """A quotation has the line end that JSON writes as two characters."""
    results = {"search": json.dumps({"body": "It sold\nforty loaves: „für Anna“"})}
    assert "\\n" in results["search"]
    assert check_quotations("It says “sold forty loaves: für Anna”.", results).accepted


@pytest.mark.parametrize(
    "result",
    [
        json.dumps({"a": "The mill sold\n", "b": "forty loaves"}),
        json.dumps(["The mill sold", "forty loaves"]),
        ["The mill sold", {"text": "forty loaves"}],
    ],
)
def test_texts_of_a_result_are_separate(result):
    """A quotation may not join two strings of JSON or two blocks."""
    for quotation in ("The mill sold forty loaves", "The mill sold … forty loaves", "mill sold [...] forty loaves"):
        check = check_quotations(f"It says “{quotation}”.", [result])
        assert not check.accepted
        assert "No source contains it." in check.feedback or "No passage is similar enough" in check.feedback
        assert "continue in the next text" not in check.feedback
    assert check_quotations("It says “The mill sold”, and “forty loaves”.", [result], min_words=2).accepted


def test_the_line_between_texts_is_no_source():
    """No result has its words."""
    check = check_quotations("It says “It does not continue in the next text”.", [["Anna.", "Ben."]])
    assert not check.accepted


def test_many_blocks_are_one_source():
    """A long result is searched at once."""
    result = [{"type": "text", "text": f"Loaf number {number}."} for number in range(20_000)]
    check = check_quotations("It says “Loaf number 12345”.", {"search": [*result, Source(TEXT)]})
    assert check.accepted
    assert check.verdicts[0].source == "search"


@pytest.mark.parametrize("broken", ['{"a": "sold\\nforty', "[" * 100_000, "[Link](https://example.org):", "{{x}}"])
def test_broken_json_is_a_text(broken):
    """A result that was cut off can still be quoted."""
    assert check_quotations(QUOTING, [f"{broken} {TEXT}"]).accepted


@pytest.mark.parametrize("results", [{}, [], {"search": ""}, {"search": " \n"}, {"search": []}])
def test_without_a_text_no_quotation_is_accepted(results):
    """There is nothing that the answer could quote."""
    check = check_quotations(QUOTING, results)
    assert [verdict.status for verdict in check.verdicts] == [QuoteStatus.ABSENT]
    assert (check.accepted, check.score) == (False, 0.0)
    assert "No source contains it." in check.feedback


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        pytest.param({"type": "image", "source": {"data": TEXT}}, "image", id="image"),
        pytest.param({"answer": TEXT}, "dict without a text", id="mapping"),
        pytest.param(5, "int without a text", id="number"),
        pytest.param(None, "NoneType without a text", id="none"),
        pytest.param(TEXT.encode(), "bytes without a text", id="bytes"),
    ],
)
def test_what_cannot_be_read_is_named(part, reason):
    """It supports nothing, and the other parts of the result still count."""
    check = check_quotations(QUOTING, {"camera": [part]})
    assert not check.accepted
    assert check.unread == (UnreadResult("camera", reason),)
    assert f"These results could not be read: camera ({reason})." in check.feedback
    mixed = check_quotations(QUOTING, {"camera": [part, TEXT]})
    assert mixed.accepted
    assert mixed.unread == check.unread


def test_sources_of_one_result_get_numbers():
    """The verdict names the right one, and a name that is taken is left alone."""
    results = {"a": ["Friday.", Source(TEXT)], "a (2)": "Anna sleeps well at night."}
    check = check_quotations("“never sleeps before a storm” and “Anna sleeps well at night”", results)
    assert check.accepted
    assert [verdict.source for verdict in check.verdicts] == ["a (2)", "a (2) (2)"]


def test_feedback_says_what_the_results_have_instead():
    """The next answer can copy it."""
    feedback = check_quotations(f"{INVENTING} It also says “never sleeps before a storm”.", [TEXT]).feedback
    heading, quotation, request = feedback.splitlines()
    assert heading == "1 quotation of your answer is not in the results of the tools:"
    assert quotation == (
        "- “sold fifty loaves on Friday”: The passage says “forty”; the quote says “fifty”. "
        "The source has: “sold forty loaves on Friday”"
    )
    assert request.startswith("Write the whole answer again.")


def test_feedback_has_a_limit():
    """Twenty quotations are enough for one correction."""
    answer = " ".join(f"It says “number {number} was sold”." for number in range(25))
    lines = check_quotations(answer, [TEXT]).feedback.splitlines()
    assert len(lines) == 23
    assert lines[-2] == "- 5 more"


def test_an_answer_without_quotations_has_no_score():
    """It is accepted, because it claims no words; a score would say that it quotes well."""
    check = check_quotations("The mill sold some bread.", [TEXT])
    assert (check.accepted, check.score, check.feedback) == (True, None, "")


def test_short_quotations_are_left_out():
    """A title or a single word is seldom a quotation."""
    assert check_quotations("The “Bread Hall” is closed.", [TEXT]).verdicts == ()
    assert not check_quotations("The “Bread Hall” is closed.", [TEXT], min_words=2).accepted


def test_the_score_is_the_share_of_accepted_quotations():
    """The summary has the counts, and no text."""
    check = check_quotations(f"{QUOTING} {INVENTING}", [TEXT])
    assert (check.score, check.summary) == (0.5, "1 of 2 quotations accepted")


def test_the_policy_decides():
    """It also explains the verdicts."""
    check = check_quotations(QUOTING, [TEXT], policy=QuotePolicy(min_words=8))
    assert "the policy requires at least" in check.feedback


@pytest.mark.parametrize("results", [TEXT, b"a", 5, None, Source(TEXT)])
def test_results_of_another_type_are_an_error(results):
    """A single text would be read character by character."""
    with pytest.raises(TypeError, match="results must be a mapping or a sequence") as error:
        check_quotations(QUOTING, results)
    assert TEXT not in str(error.value)


def test_middleware_without_langchain_names_the_extra(monkeypatch):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "langchain.agents.middleware", None)
    monkeypatch.delitem(sys.modules, "groundwire.langchain", raising=False)
    with pytest.raises(
        ImportError, match=r"groundwire\.langchain needs langchain.*pip install 'groundwire\[langchain\]'"
    ):
        importlib.import_module("groundwire.langchain")

"""Findings as spans in the shape of LettuceDetect: offsets, categories, confidence, and what is unread."""

import pytest
from hypothesis import given

from citations.answers import answers, results
from citations.reports import judgement_with
from groundwire.citations import (
    CitedClaimStatus,
    FoundBy,
    HallucinationType,
    assess_answer,
    assess_citations,
    assess_risk,
    flagged_spans,
)
from groundwire.judge.protocol import JudgeIssue

MILL = [{"id": "1", "text": "The mill burned down in the winter of 1887. It was never rebuilt."}]
BURNED = "🔥 The mill burned down in the winter of 1889 [1]."
OWNER = "The owner of the mill then moved to another country for the rest of his life [7]."
BOTH = f"{BURNED} {OWNER}"
KEYS = {"start", "end", "text", "category", "subcategory", "confidence"}


def short(spans):
    """Return category, subcategory and text of each span."""
    return [(span["category"], span["subcategory"], span["text"]) for span in spans]


def test_a_span_has_category_and_words_of_the_finding():
    """Categories are types of hallucination, subcategories the ways of finding them, in the order of the text."""
    spans = flagged_spans(BOTH, assess_citations(BOTH, MILL))
    assert short(spans) == [
        ("contradiction", "date", BURNED),
        ("uncited_claim", "no_citation", OWNER),
        ("invalid_citation", "no_such_id", "[7]"),
    ]
    assert all(span.keys() == KEYS and span["confidence"] is None for span in spans)


@given(answers, results)
def test_a_span_cuts_the_original_answer(answer, some_results):
    """Offsets are code points of the answer as given; each finding with a place is one span, and so is unread."""
    report = assess_citations(answer, some_results)
    spans = flagged_spans(answer, report)
    assert all(span["text"] == answer[span["start"] : span["end"]] for span in spans)
    unread = [claim for claim in report.claims if claim.status is CitedClaimStatus.UNREAD]
    assert len(spans) == len(report.findings) + len(unread)
    assert {span["category"] for span in spans} <= {*HallucinationType, "unread"}
    assert {span["subcategory"] for span in spans} <= {*FoundBy, None}


def test_an_unread_claim_is_a_span():
    """Ruling B15: a claim that was not compared is not supported; an empty list means that all were read."""
    answer = "The mill burned down in the winter of 1887 [1]."
    report = assess_citations(answer, [{"id": "1"}])
    assert short(flagged_spans(answer, report)) == [("unread", None, answer)]
    assert flagged_spans(answer, report, include_unread=False) == []


def test_a_supported_answer_has_no_spans():
    """Nothing is flagged without a reason."""
    answer = "The mill burned down in the winter of 1887 [1]."
    assert flagged_spans(answer, assess_answer("", answer, MILL)) == []


class Reader:
    """Returns the same consistency for every pair."""

    name = "made@1"

    def consistencies(self, pairs):
        """Return one score for each pair."""
        return [0.2] * len(pairs)


def test_confidence_comes_from_a_reader_only():
    """It is one minus the consistency; a finding that the reader has no part in stays without one."""
    answer = f"A strike of the weavers ended in a great parade [1]. {OWNER}"
    spans = flagged_spans(answer, assess_citations(answer, MILL, reader=Reader()))
    assert {span["subcategory"]: span["confidence"] for span in spans} == {
        "low_support": 0.8,
        "no_citation": None,
        "no_such_id": None,
    }


def test_issues_of_a_judge_are_spans_of_their_claims():
    """An issue about words that the answer lacks has no place, and no span."""
    answer = "The mill burned down in the winter of 1887 [1]."
    issues = tuple(
        JudgeIssue(type=HallucinationType.OVER_EXTRAPOLATION, claim=words)
        for words in ("The mill burned down in the winter of 1887", "zzzz qqqq xxxx wwww")
    )
    assessment = assess_risk(assess_citations(answer, MILL), judgement_with(0.5, issues=issues))
    assert len(assessment.findings) == 2
    assert short(flagged_spans(answer, assessment)) == [("over_extrapolation", "judge", answer)]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        pytest.param((BOTH[1:],), ValueError, "answer must be the text that was assessed", id="other-answer"),
        pytest.param((None,), TypeError, "answer must be a str, got NoneType", id="no-answer"),
        pytest.param(
            (BOTH, {}),
            TypeError,
            "assessment must be a CitationReport or a RiskAssessment, got dict",
            id="no-assessment",
        ),
    ],
)
def test_a_wrong_argument_is_refused(arguments, error, message):
    """The message names types and no text."""
    given_ = (*arguments, assess_citations(BOTH, MILL))[:2]
    with pytest.raises(error) as raised:
        flagged_spans(*given_)
    assert str(raised.value) == message

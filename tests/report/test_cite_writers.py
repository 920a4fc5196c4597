"""The citation report as text, Markdown, JSON and on a terminal."""

import json
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.protocol import HallucinationType, JudgeIssue, Judgement
from groundwire.report.cite import Case, CiteReport, build_cite_report
from groundwire.report.labels.cite import CLAIM_SIGNS as SIGNS
from groundwire.report.rendering import render_html, render_json, render_jsonl, render_markdown
from groundwire.report.terminal.cite import layout
from report.samples_cite import CASE, cite_report
from report.screen import plain_by, printed_by

REPORT = cite_report()


render_plain = partial(plain_by, layout)
printed = partial(printed_by, layout)
WRITERS = [
    pytest.param(render_plain, id="plain"),
    pytest.param(render_markdown, id="markdown"),
    pytest.param(printed, id="terminal"),
]


@pytest.mark.parametrize("write", WRITERS)
def test_every_status_has_its_sign_and_word(write):
    """Colour is never the only carrier."""
    text = write(REPORT)
    assert len({claim.status for claim in REPORT.answers[0].claims}) == len(SIGNS)
    assert all(f"{sign} {status}" in text for status, sign in SIGNS.items())


@pytest.mark.parametrize("write", WRITERS)
def test_level_reasons_and_invalid_ids_are_shown(write):
    """Every form has the facts for a decision."""
    text = " ".join(write(REPORT).split())
    assert "high risk, score 0.333: reject" in text
    assert "Cited ids that belong to no result: 1." in text
    assert "invalid ids: " in text
    assert "policy coverage, judge never" in text


def test_plain_text_is_a_line_for_each_claim():
    """The columns are number, status, support, location, citations, text and problems."""
    answer = "The mill burned down in winter [1].\nNobody rebuilt it in all of these long, long years."
    case = Case(answer, [{"id": "1", "body_text": "x"}])
    assert render_plain(build_cite_report([case])) == (
        "#1  ○ unread   –  1:1  [1]  The mill burned down in winter [1].\n"
        "#2  ∅ uncited  –  2:1  [–]  Nobody rebuilt it in all of these long, long years."
        "  (A long claim cites no existing result.)\n"
        "\n"
        "moderate risk, score 0.500: refine the search\n"
        "  score_moderate: The risk score is 0.50; a score above 0.3 and up to 0.6 is a moderate risk.\n"
        "  some_uncited: Long claims without a citation: 1. A low risk allows none.\n"
        "  unread: Claims whose cited passages have no text, or no words to compare: 1. A low risk allows none.\n"
        "2 claims, 50.0 % with a citation; ids cited: 1 valid, 0 invalid\n"
        "cited results have no text; their keys: body_text, id\n"
        "policy coverage, judge never\n"
    )


@pytest.mark.parametrize("write", WRITERS)
def test_many_answers_have_names_and_figures(write):
    """Each answer has its name, and the four figures are at the end or the beginning."""
    some_results = [{"id": "1", "text": "The mill burned down in winter."}]
    good = Case("The mill burned down in winter [1].", some_results, id="first")
    text = write(build_cite_report([good, good._replace(answer="No.", id="second")]))
    assert "first" in text
    assert "second" in text
    assert "2 of 2 answers accepted (100.0 %)" in text
    assert "mean risk 0.000, high risk 0.0 %, invalid citations 0.0 %, uncited claims 0.0 %" in text
    assert "not assessed, score 0.000: accept" in text


@pytest.mark.parametrize("write", [*WRITERS, pytest.param(lambda report: render_html(report, []), id="html")])
def test_a_report_without_answers_says_so(write):
    """A batch of broken lines has a report too."""
    assert "no answers to assess" in write(build_cite_report([]))


def test_json_reads_back_as_the_same_report():
    """Nothing is lost on the way, and lines are the answers."""
    assert msgspec.json.decode(render_json(REPORT), type=CiteReport) == REPORT
    assert [json.loads(line) for line in render_jsonl(REPORT.answers).splitlines()] == json.loads(render_json(REPORT))[
        "answers"
    ]


@pytest.mark.parametrize("write", [*WRITERS, pytest.param(render_json, id="json")])
def test_no_control_characters_reach_a_terminal(write):
    """Control characters of an answer are spelled out."""
    assert "\x1b" in CASE.answer
    assert "\x1b" not in write(REPORT)


@given(st.text(alphabet=st.characters(codec=None), max_size=80), st.text(max_size=10))
def test_any_answer_can_be_written(answer, id_):
    """Lone surrogates and control characters are written in every form, always the same."""
    cases = [
        Case(f"{answer} The mill burned down in winter [{id_}].", [{"id": id_, "content": answer, "title": answer}])
    ]
    report = build_cite_report(cases)
    for write in (render_plain, render_markdown, printed, render_json, lambda each: render_html(each, cases)):
        assert write(report).encode("utf-8")
        assert write(report) == write(build_cite_report(cases))


def test_markdown_takes_nothing_of_an_answer_as_markup():
    """Texts are in code spans."""
    case = Case("The mill <img src=x> burned `down` in @winter [![a](b)] [1].", [{"id": "1"}], id="`x`")
    text = render_markdown(build_cite_report([case]))
    assert "``The mill <img src=x> burned `down` in @winter" in text
    assert "`` `x` ``" in text


@pytest.mark.parametrize("write", WRITERS)
def test_each_issue_of_the_judge_is_named_with_its_quote(write):
    """Ruling B17: type, words of the answer and what the source has; and the claim is contradicted."""

    class Strict:
        def judge(self, *_asked):
            issue = JudgeIssue(
                type=HallucinationType.CONTRADICTION, claim="burned down in winter", evidence="in the summer"
            )
            return Judgement(hallucination_risk=0.2, issues=(issue,))

    case = Case("The mill burned down in winter [1].", [{"id": "1", "text": "The mill burned down in the summer."}])
    text = " ".join(write(build_cite_report([case], judge=Strict(), when="always")).split())
    assert "≠ contradicted" in text
    assert "contradiction" in text
    assert text.count("burned down in winter") == 2
    assert "in the summer" in text

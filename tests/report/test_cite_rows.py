"""Rows of an answer: together they are the whole answer, each with one claim and its citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.cite import Case, build_cite_report
from groundwire.report.cite.builder import split_rows
from report.samples_cite import ANSWER, CASE

PARTS = [
    "The mill burned down in that winter",
    " [1]",
    "[2, 9]",
    ".",
    " ",
    "\n",
    "\n\n",
    "# Title\n",
    "- ",
    "Yes.",
    "\r\n",
]


def rows_of(answer, **options):
    """Return the rows of *answer*, and its report."""
    (report,) = build_cite_report([Case(answer, CASE.results)], **options).answers
    return split_rows(answer, report.claims, report.citations), report


def texts_of(answer):
    """Return the text of each row without white space around it."""
    return [answer[row.start : row.end].strip() for row in rows_of(answer)[0]]


@pytest.mark.parametrize("policy", ["coverage", "spec"])
@given(parts=st.lists(st.sampled_from(PARTS), max_size=30))
def test_rows_are_the_whole_answer(policy, parts):
    """No text is lost or repeated, and every claim is in its row."""
    answer = "".join(parts)
    rows, report = rows_of(answer, policy=policy)
    assert "".join(answer[row.start : row.end] for row in rows) == answer
    assert [row.claim for row in rows if row.claim] == list(report.claims)
    assert all(row.start <= row.claim.start and row.claim.end <= row.end for row in rows if row.claim)


def test_every_claim_of_the_sample_has_a_row():
    """Table cells, list items and Chinese sentences too."""
    rows, report = rows_of(ANSWER)
    assert len(report.claims) >= 8
    assert [row.claim.number for row in rows if row.claim] == [claim.number for claim in report.claims]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param(
            "The mill burned down in winter. [1] Nobody rebuilt it in all these years.",
            ["The mill burned down in winter. [1]", "Nobody rebuilt it in all these years."],
            id="citation-behind-the-full-stop",
        ),
        pytest.param(
            "# A\n\nThe mill burned down in winter.\n\n# B\n\nNobody rebuilt it in all these years.",
            ["# A\n\nThe mill burned down in winter.", "# B\n\nNobody rebuilt it in all these years."],
            id="heading-goes-with-what-follows",
        ),
        pytest.param(
            "The mill burned down in winter. Yes.\nNobody rebuilt it in all these years.",
            ["The mill burned down in winter. Yes.", "Nobody rebuilt it in all these years."],
            id="rest-of-the-line-stays",
        ),
        pytest.param(
            "The mill burned down in winter.\n\n```\ncode\n```\n",
            ["The mill burned down in winter.", "```\ncode\n```"],
            id="what-follows-the-last-claim",
        ),
        pytest.param("Yes.", ["Yes."], id="no-claim"),
        pytest.param("", [""], id="empty"),
    ],
)
def test_rows_end_after_citations_or_lines(answer, expected):
    """A row ends after the citations of a claim, or after its line."""
    assert texts_of(answer) == expected

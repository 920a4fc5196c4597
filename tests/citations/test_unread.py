"""
Ruling B15: keys and attributes with the text of a result; an answer that rests on an unread passage is not accepted.
"""

import asyncio
import json
from collections import UserDict
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy
import pytest

from citations.reports import judgement_with
from groundwire.citations import (
    CitedClaimStatus,
    RiskLevel,
    RiskMonitor,
    RiskReasonCode,
    aassess_answer,
    assess_answer,
    assess_citations,
    assess_risk,
    detect_hallucination,
)
from groundwire.judge import evaluate_results
from groundwire.judge.protocol import HallucinationType, JudgeIssue, Judgement
from groundwire.search_results import read_results

TEXT = "The ferry to the island leaves the old harbour at nine in the morning."
ANSWER = "The ferry to the island leaves the old harbour at nine in the morning [1]."


@dataclass
class Document:
    """Has the attributes of LangChain's `Document`."""

    page_content: str
    metadata: dict = field(default_factory=dict)
    id: str | None = None


class TextNode:
    """Has the attributes of LlamaIndex's `TextNode`: the text comes from a method."""

    def __init__(self, text, id_):
        self._text = text
        self.id_ = self.node_id = id_
        self.metadata = {}

    def get_content(self):
        return self._text


class NodeWithScore:
    """Has the attributes of LlamaIndex's `NodeWithScore`: a node, and properties that raise if the node has no text."""

    def __init__(self, node):
        self.node = node
        self.score = 0.7

    @property
    def text(self):
        raise ValueError("the node has no text")

    @property
    def metadata(self):
        return self.node.metadata


READ = [
    *(
        pytest.param({"id": "1", key: TEXT}, id=key)
        for key in ("content", "text", "page_content", "snippet", "body", "chunk")
    ),
    pytest.param({"id": "1", "matches": [TEXT]}, id="list-of-str"),
    pytest.param({"id": "1", "content": [{"type": "text", "text": TEXT}]}, id="parts-of-a-message"),
    pytest.param({"id": "1", "content": "", "text": TEXT}, id="behind-an-empty-one"),
    pytest.param({"id": "1", "content": 7, "body": TEXT}, id="behind-a-number"),
    pytest.param({"id": "1", "score": 0.5, "metadata": {"text": TEXT}}, id="metadata"),
    pytest.param({"id": "1", "payload": {"page_content": TEXT, "metadata": {}}}, id="payload"),
    pytest.param({"score": 0.5, "document": {"id": "1", "content": TEXT}}, id="document-with-id"),
    pytest.param({"_id": "1", "_source": {"body": TEXT}}, id="hit"),
    pytest.param({"id": "1", "chunk": {"content": TEXT}}, id="chunk-that-is-a-mapping"),
    pytest.param({"kwargs": {"page_content": TEXT, "metadata": {"id": "1"}}}, id="serialised-document"),
    pytest.param({"document": Document(TEXT, {"id": "1"})}, id="document-object"),
    pytest.param(UserDict({"id": "1", "text": TEXT}), id="other-mapping"),
    pytest.param(Document(TEXT, {"id": "1"}), id="langchain-id-in-metadata"),
    pytest.param(Document(TEXT, {"source": "a.pdf"}, id="1"), id="langchain-id"),
    pytest.param(Document(TEXT, {"id": 1}, id="0b6f6c9e"), id="langchain-both-ids"),
    pytest.param((Document(TEXT, {"id": "1"}), 0.83), id="langchain-with-score"),
    pytest.param((Document(TEXT, {"id": "1"}), numpy.float32(0.83)), id="langchain-with-score-of-faiss"),
    pytest.param(TextNode(TEXT, "1"), id="llamaindex-node"),
    pytest.param(NodeWithScore(TextNode(TEXT, "1")), id="llamaindex-node-with-score"),
    pytest.param(SimpleNamespace(id="1", text=TEXT), id="any-object-with-a-text"),
    pytest.param(SimpleNamespace(id="0b6f6c9e", content=TEXT, meta={"id": "1"}, score=0.5), id="haystack"),
]

UNREAD = [
    pytest.param({"id": "1"}, ("id",), id="id-alone"),
    pytest.param({"id": "1", "text": None}, ("id", "text"), id="none"),
    pytest.param({"id": "1", "text": ""}, ("id", "text"), id="empty"),
    pytest.param({"id": "1", "text": " \n\t\u3000"}, ("id", "text"), id="white-space"),
    pytest.param({"id": "1", "text": "\u200b\u200b"}, ("id", "text"), id="zero-width"),
    pytest.param({"id": "1", "text": "* * *"}, ("id", "text"), id="no-letter"),
    pytest.param({"id": "1", "content": 42}, ("content", "id"), id="number"),
    pytest.param({"id": "1", "content": TEXT.encode()}, ("content", "id"), id="bytes"),
    pytest.param({"id": "1", "content": float("nan")}, ("content", "id"), id="nan"),
    pytest.param({"id": "1", "content": [1, 2]}, ("content", "id"), id="list-of-int"),
    pytest.param({"id": "1", "page_contents": TEXT}, ("id", "page_contents"), id="unknown-key"),
    pytest.param({"id": "1", "title": TEXT}, ("id", "title"), id="title-alone"),
    pytest.param(
        {"id": "1", "metadata": {"page_contents": TEXT}}, ("id", "metadata", "metadata.page_contents"), id="nested"
    ),
    pytest.param({"id": "1", "document": {"document": {}}}, ("document", "document.document", "id"), id="empty-nested"),
    pytest.param(Document("", {"id": "1"}), ("id", "metadata", "metadata.id", "page_content"), id="langchain"),
    pytest.param(
        NodeWithScore(TextNode("", "1")),
        ("metadata", "node", "node.content", "node.id_", "node.metadata", "node.node_id"),
        id="llamaindex",
    ),
    pytest.param({"id": "1", 7: TEXT}, ("<int>", "id"), id="key-that-is-no-str"),
]


@pytest.mark.parametrize("result", READ)
def test_a_text_is_found_in_common_result_types(result):
    """Ruling B15: the claim is compared with it, and the answer is accepted."""
    assessment = assess_answer("When does the ferry leave?", ANSWER, [result])
    assert [claim.status for claim in assessment.report.claims] == [CitedClaimStatus.SUPPORTED]
    assert (assessment.level, assessment.action, assessment.report.unread_keys) == ("low", "accept", ())


def assess_later(*arguments, **options):
    """Assess asynchronously."""
    return asyncio.run(aassess_answer(*arguments, **options))


class Trusting:
    """A judge that sees no risk in any answer."""

    said = judgement_with(0.0, confidence=1.0)

    def judge(self, *_asked):
        return self.said

    async def ajudge(self, *_asked):
        return self.said


@pytest.mark.parametrize(("result", "keys"), UNREAD)
def test_a_passage_without_a_text_is_never_accepted(result, keys):
    """Ruling B15: the claim is unread, the risk moderate, and the report names the keys of the result."""
    report = assess_citations(ANSWER, [result])
    assert [claim.status for claim in report.claims] == [CitedClaimStatus.UNREAD]
    assert (report.level, report.reasons) == (RiskLevel.MODERATE, (RiskReasonCode.UNREAD,))
    assert {*keys} <= {*report.unread_keys}
    assert TEXT not in repr(report.unread_keys)
    assert assess_risk(report).action == "refine_search"
    assert not assess_risk(report, judgement_with(0.0, confidence=1.0)).accepted


@pytest.mark.parametrize("assess", [assess_answer, assess_later])
@pytest.mark.parametrize("judge", [None, Trusting()])
@pytest.mark.parametrize("result", [{"id": "1"}, {"id": "1", "text": " "}, {"id": "1", "page_contents": TEXT}])
def test_no_judge_wins_acceptance_for_an_unread_passage(assess, judge, result):
    """Rulings B11, B15: a judge that sees no risk lowers nothing."""
    assessment = assess("When?", ANSWER, [result], judge=judge)
    assert (assessment.level, assessment.action, assessment.accepted) == ("moderate", "refine_search", False)


def test_the_last_iteration_accepts_an_unread_passage_by_force_only():
    """Rulings B13, B15: it is accepted by force, and its level stays."""
    earlier, last = (
        assess_answer("When?", ANSWER, [{"id": "1"}], iteration=iteration, max_iterations=5) for iteration in (4, 5)
    )
    assert (earlier.accepted, last.accepted, last.forced, last.level) == (False, True, True, "moderate")


@pytest.mark.parametrize(
    ("answer", "some_results", "action"),
    [
        pytest.param("At nine [1].", [{"id": "1"}], "refine_search", id="short-and-unread"),
        pytest.param("At nine.", [{"id": "1", "body_text": TEXT}], "refine_search", id="nothing-to-read"),
        pytest.param("At nine.", [], "refine_search", id="no-results"),
        pytest.param("At nine [1].", [{"id": "1", "text": TEXT}], "accept", id="short-and-read"),
        pytest.param(ANSWER, [], "reject", id="claim-without-results"),
        pytest.param(
            f"{ANSWER} So it is [2].", [{"id": "1", "text": TEXT}, {"id": "2"}], "refine_search", id="outside-of-claims"
        ),
    ],
)
def test_short_sentences_and_missing_results_are_not_accepted(answer, some_results, action):
    """Rulings B7, B15: a text without claims is not assessed, and is not accepted if nothing was read."""
    assert assess_answer("When?", answer, some_results).action == action


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (TEXT, None, "supported"),
        ("Ferries are painted white, and the old harbour was built by monks.", None, "unread"),
        (TEXT.replace("nine", "eleven").replace("at eleven", "at 11"), None, "contradicted"),
    ],
)
def test_a_second_passage_without_a_text_counts_where_the_first_decides_nothing(first, second, expected):
    """Ruling B15: its text is unknown; support and contradiction by the other passage still count."""
    claim = "The ferry to the island leaves the old harbour at 9 in the morning [1, 2]."
    some_results = [{"id": "1", "text": first}, {"id": "2", "text": second}]
    assert assess_citations(claim, some_results).claims[0].status == expected


def test_the_printed_rules_still_compare_ids_only():
    """Rulings R0, B15: `detect_hallucination` and the policy "spec" decide as printed; the claim is unread."""
    assert detect_hallucination(ANSWER, [{"id": "1"}])["has_hallucination_risk"] is False
    report = assess_citations(ANSWER, [{"id": "1"}], policy="spec")
    assert (report.level, report.claims[0].status, report.unread_keys) == ("low", "unread", ("id",))


def test_the_printed_level_accepts_nothing_unread():
    """Ruling B15: the action is never `accept`, and the reason says why."""
    assessment = assess_risk(assess_citations(ANSWER, [{"id": "1"}], policy="spec"))
    assert (assessment.level, assessment.action, assessment.accepted) == ("low", "refine_search", False)
    assert assessment.reasons[-1] == "unread"


def test_the_printed_rules_read_mappings_only():
    """Ruling R0: the specified code calls `get` on each result."""
    with pytest.raises(TypeError, match=r"^results\[0\] must be a mapping, got Document$"):
        detect_hallucination(ANSWER, [Document(TEXT, {"id": "1"})])


@pytest.mark.parametrize("value", [None, 7, "text", ["a"], {1}, TEXT.encode(), object(), Document])
def test_an_object_that_is_no_document_is_refused(value):
    """The error names the type and contains no attribute of the object."""
    with pytest.raises(TypeError, match=r"^results\[0\] must be a mapping, got \w+$"):
        read_results([value])


def test_the_keys_are_short_and_few():
    """Ruling B15: 20 names of at most 40 characters, without line breaks or controls."""
    result = {"id": "1", **{f"key\n{'x' * 60}{number}": TEXT for number in range(40)}}
    keys = assess_citations(ANSWER, [result]).unread_keys
    assert len(keys) <= 20
    assert all(len(key) <= 41 and key.isprintable() for key in keys)


def test_the_monitor_counts_what_was_not_read():
    """Ruling B15: such an answer has a moderate risk, and its claims are counted."""
    monitor = RiskMonitor()
    monitor.record(assess_answer("When?", ANSWER, [{"id": "1"}]))
    counts = monitor.counts
    assert (counts.moderate, counts.accept, counts.unread_claims) == (1, 0, 1)


def test_the_judge_reads_the_texts_of_objects():
    """Ruling B12: a quote from the text of an object is grounded."""

    judge = Trusting()
    issue = JudgeIssue(type=HallucinationType.CONTRADICTION, claim=ANSWER, evidence="the old harbour")
    judge.said = Judgement(hallucination_risk=0.2, issues=(issue,))
    judgement = evaluate_results("When?", ANSWER, [Document(TEXT, {"id": "1"})], judge=judge)
    assert [issue.grounded for issue in judgement.issues] == [True]


def test_a_batch_has_the_levels_of_single_answers():
    """Ruling B15: rows with ids alone, with unknown keys and with texts have the level that they have alone."""
    pyarrow = pytest.importorskip("pyarrow")
    from groundwire.bulk import assess_batch

    cases = [[{"id": "1"}], [{"id": "1", "page_contents": TEXT}], [{"id": "1", "page_content": TEXT}]]
    levels = []
    for case in cases:
        batch = pyarrow.RecordBatch.from_pylist([{"answer": ANSWER, "results": case}])
        assessed = json.loads(json.dumps(assess_batch(batch).to_pylist()))[0]
        levels.append((assessed["level"], "unread" in assessed["reasons"]))
    assert levels == [("moderate", True), ("moderate", True), ("low", False)]

"""An interviewer's question supports nothing; an affirmative answer to it does (ruling D12)."""

from pathlib import Path

import pytest

from faithfulness.doubles import Scores
from groundwire.faithfulness import FaithfulnessValidator, PreparedSources
from groundwire.faithfulness.support.relatedness import windows_of
from groundwire.language.questions import is_affirmation, is_open_question, is_question, is_single_question
from groundwire.transcripts.speakers import is_interviewer

CLOSING = "\nInterviewer: I see.\nAnna: It rained all week.\n"


def result_of(persona: dict, said: object, **settings):
    (claim,) = FaithfulnessValidator(**settings).validate(persona=persona, source_data=said).claim_details
    return claim


def passages(claim) -> list[str]:
    """Return everything that the result shows beside a claim."""
    return [each.unit.text for each in (*claim.evidence, *claim.near_misses, *claim.contradictions)]


@pytest.mark.parametrize(
    ("persona", "said"),
    [
        pytest.param({"occupation": "nurse"}, "Interviewer: So you work as a nurse?\nAnna: I used to.", id="words"),
        pytest.param({"occupation": "nurse"}, "Interviewer: Do you work as a nurse?\nAnna: I used to.", id="past"),
        pytest.param({"occupation": "nurse"}, "Beth: So you work as a nurse?\nAnna: I used to.", id="a-name-asks"),
        pytest.param({"occupation": "nurse"}, "Beth: so do you work as a nurse\nAnna: not any more", id="no-mark"),
        pytest.param({"bio": "She works as a nurse."}, "Q: You work as a nurse.\nAnna: No.", id="interviewer-states"),
        pytest.param({"bio": "She works as a nurse."}, "Q: Do you work as a nurse?\nAnna: Until May.", id="statement"),
        pytest.param({"age": 34}, "Moderator: You are 34 years old?\nAnna: No.", id="number"),
        pytest.param({"age": 34}, "Beth: You are 34 years old?\nAnna: No.", id="number-a-name-asks"),
        pytest.param({"start": "2021-05-03"}, "Host: Your start was 3 May 2021?\nAnna: No.", id="date"),
        pytest.param({"quote": "I hate slow exports"}, "Host: I hate slow exports.\nAnna: Why?", id="quote"),
        pytest.param({"name": "Nora Lind"}, "Moderator: And Nora Lind, is she here?\nBo: No.", id="name"),
        pytest.param({"goals": ["Sell the old boat"]}, "Sell the old boat? Never.", id="prose"),
        pytest.param({"beruf": "Krankenpfleger"}, "Moderatorin: Sie sind Krankenpfleger?\nAnna: Nein.", id="german"),
        pytest.param({"职业": "护士长"}, "主持人: 你是护士长吗\n小王: 以前是。", id="chinese"),
        pytest.param({"職業": "看護師長"}, "佐藤: 看護師長ですか。\n田中: 昔はそうでした。", id="japanese"),
    ],
)
@pytest.mark.parametrize("threshold", [0.6, 0.05])
def test_a_question_supports_nothing(persona, said, threshold):
    """No question is shown as a passage, at any threshold (ruling D12)."""
    claim = result_of(persona, said + CLOSING, similarity_threshold=threshold)
    assert claim.status == "UNSUPPORTED"
    assert not any(said.splitlines()[0].partition(": ")[2] in each for each in passages(claim))


@pytest.mark.parametrize(
    ("persona", "question", "answer"),
    [
        pytest.param({"occupation": "nurse"}, "Do you work as a nurse?", "Yes.", id="yes"),
        pytest.param({"occupation": "nurse"}, "Do you work as a nurse?", "Yes, at the county hospital.", id="more"),
        pytest.param({"bio": "She works as a nurse."}, "So you work as a nurse?", "That's right.", id="assent"),
        pytest.param({"bio": "She works as a nurse."}, "You work as a nurse. Is that right?", "Correct.", id="tag"),
        pytest.param({"bio": "Works as a nurse in Lund."}, "Do you work as a nurse?", "I do, in Lund.", id="both"),
        pytest.param({"age": 34}, "Are you 34?", "Yes, I am.", id="number"),
        pytest.param({"goals": ["Die Werkstatt renovieren"]}, "Die Werkstatt renovieren?", "Ja, genau.", id="german"),
        pytest.param({"objectifs": ["réparer le vieux moulin"]}, "Réparer le vieux moulin ?", "Oui.", id="french"),
        pytest.param({"目标": ["完成年度报告"]}, "你要完成年度报告吗？", "是的。", id="chinese"),
    ],
)
def test_an_answer_that_affirms_supports_with_its_question(persona, question, answer):
    """The passage is the answer with its question, completely highlighted (ruling D12)."""
    claim = result_of(persona, f"Interviewer: {question}\nAnna: {answer}{CLOSING}")
    best = claim.evidence[0]
    assert best.unit.text[best.start : best.end] == f"{question}\n{answer}"
    assert (claim.status, best.unit.locator.speaker, best.unit.locator.line) == ("SUPPORTED", "Anna", 1)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Do you work as a nurse?", "Yes, until last year, but no longer.", id="no-longer"),
        pytest.param("Do you work as a nurse or as a porter?", "Yes.", id="alternatives"),
        pytest.param("Don't you work as a nurse?", "Yes.", id="denied-question"),
        pytest.param("How did you become a nurse?", "Yes, good question.", id="open-question"),
        pytest.param("Do you work as a nurse?", "Right now I paint.", id="right-now"),
        pytest.param("Do you work as a nurse?", "Maybe.", id="maybe"),
        pytest.param("Do you work as a nurse?", "Yes?", id="asked-back"),
    ],
)
def test_an_evasive_answer_supports_nothing(question, answer):
    """Only a plain yes to a plain question affirms it (ruling D12)."""
    claim = result_of({"occupation": "nurse"}, f"Interviewer: {question}\nAnna: {answer}{CLOSING}")
    assert claim.status == "UNSUPPORTED"


def test_a_question_contradicts_nothing_and_an_affirmed_one_does():
    """A question contradicts no claim; an affirmed one does (ruling D12)."""
    persona = {"preferences": "prefers email"}
    asked = "Beth: Do you hate email?\nAnna: {}" + CLOSING
    assert not result_of(persona, asked.format("Who knows.")).contradicted
    assert not result_of({"age": 41}, "Beth: Are you 34?\nAnna: No." + CLOSING).contradicted
    assert result_of({"age": 41}, "Beth: Are you 34?\nAnna: Yes." + CLOSING).contradicted


def test_a_person_may_be_quoted_asking():
    """A person's question is a quote of theirs; the interviewer's is not."""
    text = "Anna: Why does every export take an hour?\nInterviewer: Who waits for it?" + CLOSING
    assert result_of({"quote": "Why does every export take an hour?"}, text).status == "SUPPORTED"
    assert result_of({"quote": "Who waits for it?"}, text).status == "UNSUPPORTED"


def test_no_embedder_reads_a_question():
    """Windows contain no question, except an affirmed one with its answer."""
    text = "Interviewer: Do you bake?\nAnna: Yes, bread. Shall I go on? I bake at night." + CLOSING
    (part,) = PreparedSources(text).parts
    windows = [unit.text[start:end] for unit in part.units for _, start, end in windows_of(unit)]
    assert windows == ["Yes, bread.", "I bake at night.", "Do you bake?\nYes, bread.", "It rained all week."]


@pytest.mark.parametrize("scorer", ["hhem", "judge"])
def test_no_model_reads_a_question(scorer):
    """HHEM and judge read statements, and an affirmed question with its answer (ruling D12)."""
    model = Scores(otherwise=0.9)
    text = "Beth: Do you bake bread? Lovely bread, that.\nAnna: I bake bread? No.\nBeth: You like bread?\nAnna: Yes."
    result_of({"bio": "She bakes bread."}, text + CLOSING, **{scorer: model})
    assert {context for context, _ in model.pairs} <= {"Beth: Lovely bread, that.", "You like bread?\nYes."}


@pytest.mark.parametrize(
    ("answer", "status"), [("Yes", "SUPPORTED"), ("No", "UNSUPPORTED"), ("Sometimes", "UNSUPPORTED")]
)
@pytest.mark.parametrize(
    "head", ["id,Do you work as a night nurse?\n7,{}\n", "question,answer\nDo you work as a night nurse?,{}\n"]
)
def test_questions_of_a_survey(tmp_path: Path, head, answer, status):
    """A question as a column name, or beside its answer, counts only with a yes (ruling D12)."""
    path = tmp_path / "survey.csv"
    path.write_text(head.format(answer), encoding="utf-8")
    assert result_of({"bio": "She works as a night nurse."}, path).status == status


@pytest.mark.parametrize(
    "speaker",
    [
        "Interviewer",
        "INTERVIEWER 2",
        "Dr. Lee (Researcher)",
        "Moderatorin",
        "Q",
        "I:",
        "I2",
        "主持人",
        "Entrevistadora",
    ],
)
def test_labels_of_interviewers(speaker):
    """Labels of interviewers, in several languages."""
    assert is_interviewer(speaker)


@pytest.mark.parametrize("speaker", ["Participant 1", "P3", "Interviewee", "A", "Isa"])
def test_labels_of_interviewees(speaker):
    """Other names that begin like these labels."""
    assert not is_interviewer(speaker)


def test_forms_of_questions_and_answers():
    """Questions with and without a mark, affirmations, and open questions."""
    assert all(map(is_question, ("Is it?", "“Really?!”", "是吗", "そうですか。", "What do you do", "هل هذا؟")))
    assert not any(map(is_question, ("It is.", "You do.", "What you do matters.", "しかし。")))
    assert all(map(is_affirmation, ("Yes", "yeah, sure", "I do.", "Ja!", "はい、そうです", "Claro.")))
    assert not any(map(is_affirmation, ("No.", "I do yoga.", "Yes, but not now.", "Yesterday.", "Jan is here.")))
    assert is_open_question("So how long was it?")
    assert is_single_question("Was it long?")

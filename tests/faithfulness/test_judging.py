"""A language model beside the rules: scores and statements, checked; and what is said where it fails."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import LLMFailureCode, ModelError
from groundwire.faithfulness import FaithfulnessValidator, JudgedStatements, JudgeScorer, Layer, MatchKind
from groundwire.faithfulness.statements import prose_statements, sentences_of
from groundwire.judge.protocol import TokenUsage
from groundwire.judge.schemas import TaskResult
from judge.conftest import judge_of, naps, serve
from judge.scripted_server import fails, stalls, writes

__all__ = ["judge_of", "naps", "serve"]

TEXT = "Sarah Chen leads a team of five and prefers email. She hates meetings, but she attends them. She never smokes."
BY_RULES = (
    "Sarah Chen leads a team of five.",
    "Sarah Chen prefers email.",
    "She hates meetings.",
    "She attends them.",
    "She never smokes.",
)
SOURCE = "Sarah: I lead a team of five. Mail me whenever you like. I can't stand meetings. Cigarettes? Not me.\n"


class Judge:
    """Answers what it is told to, and keeps what it was asked."""

    model = "strong"

    def __init__(self, answer, error=None):
        self.answer, self.error, self.asked = answer, error, []

    def run_tasks(self, questions):
        """As `LLMJudge.run_tasks`."""
        self.asked += questions
        answers = tuple(None if self.error else tuple(map(self.answer, each.items)) for each in questions)
        return TaskResult(answers, self.error if questions else None, TokenUsage())


def items(judge):
    """What a judge was asked, question by question, without numbers."""
    return [
        [{name: value for name, value in item.items() if name != "number"} for item in each.items]
        for each in judge.asked
    ]


def answered(*rows):
    """What a model writes."""
    return writes(json.dumps({"answers": [{"number": n, **row} for n, row in enumerate(rows, start=1)]}))


def test_scores_come_in_the_order_of_the_pairs():
    """However many questions they are asked in."""
    judge = Judge(lambda item: float(item["claim"]))
    pairs = [(f"passage {number}", str(number / 40)) for number in range(40)]
    assert JudgeScorer(judge).consistencies(pairs) == [number / 40 for number in range(40)]
    assert [len(each) for each in items(judge)] == [8] * 5
    assert items(judge)[0][0] == {"passage": "passage 0", "claim": "0.0"}
    assert JudgeScorer(judge).name == "strong"


def test_long_pairs_go_into_questions_of_their_own():
    """So that a question stays within what models read."""
    judge = Judge(lambda _: 0.5)
    JudgeScorer(judge).consistencies([("x" * 7000, "claim")] * 3)
    assert [len(each) for each in items(judge)] == [1, 1, 1]


def test_no_pairs_are_no_questions():
    """Nobody is asked."""
    assert JudgeScorer(Judge(None)).consistencies([]) == []
    assert JudgedStatements(Judge(None)).read([]).by_text == {}


@pytest.mark.parametrize("code", LLMFailureCode)
def test_a_judge_that_fails_gives_no_scores(code):
    """Half of them would be none; the reason holds nothing of what was asked."""
    with pytest.raises(ModelError, match=r"^judge: ") as caught:
        JudgeScorer(Judge(None, error=code.value)).consistencies([("ZEBRA", "YAK")])
    assert "ZEBRA" not in str(caught.value)
    with pytest.raises(ModelError, match=r'^judge: unknown failure "odd"$'):
        JudgeScorer(Judge(None, error="odd")).consistencies([("ZEBRA", "YAK")])


def test_the_judge_decides_where_words_do_not(serve, judge_of):
    """What it says stands in the result under its layer; the rules' evidence of words gives way."""

    def read(handler):
        asked = handler.server.script.contents(-1)["user"]
        pairs = json.loads(asked.split("\n")[1])
        rows = [{"reason": "", "consistency": 0.9 if "Mail me" in each["passage"] else 0.1} for each in pairs]
        answered(*rows)(handler)

    judge = judge_of(serve(read))
    persona = {"bio": "Sarah likes to be reached by mail."}
    (claim,) = (
        FaithfulnessValidator(judge=JudgeScorer(judge)).validate(persona=persona, source_data=SOURCE).claim_details
    )
    assert (claim.status, claim.confidence, claim.layer) == ("SUPPORTED", 0.9, Layer.JUDGE)
    assert claim.evidence[0].kind is MatchKind.CONSISTENT
    (without,) = FaithfulnessValidator().validate(persona=persona, source_data=SOURCE).claim_details
    assert without.status == "UNSUPPORTED"


@pytest.mark.parametrize("act", [fails(500), fails(401), writes("no"), answered({"reason": "", "consistency": 2})])
def test_a_judge_that_fails_is_told_and_the_rules_decide(serve, judge_of, act):
    """Ruling D6: result, warning and backend say so."""
    judge = judge_of(serve(act), max_retries=0)
    validator = FaithfulnessValidator(judge=JudgeScorer(judge), statements=JudgedStatements(judge))
    persona = {"occupation": "team leader", "bio": TEXT}
    with pytest.warns(RuntimeWarning, match="judge"):
        result = validator.validate(persona=persona, source_data=SOURCE)
    assert result.backend == "lexical"
    assert len(result.warnings) == 2
    rules = FaithfulnessValidator().validate(persona=persona, source_data=SOURCE)
    assert result.claim_details == rules.claim_details


def test_a_judge_that_stalls_is_given_up(serve, judge_of):
    """Within its time, for all questions together."""
    judge = judge_of(serve(stalls), timeout_s=0.3)
    with pytest.warns(RuntimeWarning, match="the deadline passed"):
        FaithfulnessValidator(judge=JudgeScorer(judge)).validate(persona={"goals": ["team lead"]}, source_data=SOURCE)


def test_a_contradiction_stands_whatever_the_judge_says():
    """Ruling D9."""
    judge = Judge(lambda _: 1.0)
    persona = {"bio": "Sarah leads a team of nine."}
    (claim,) = (
        FaithfulnessValidator(judge=JudgeScorer(judge)).validate(persona=persona, source_data=SOURCE).claim_details
    )
    assert (claim.contradicted, claim.confidence) == (True, 0.0)


def test_statements_of_the_judge_become_claims(serve, judge_of):
    """They have the field's path, and the backend says who made them."""
    text = "Being the one who leads a team of five, Sarah also mails."
    proposed = ["Sarah leads a team of five.", "Sarah also mails."]
    judge = judge_of(serve(answered({"statements": [*proposed[:1], "The one mails.", *proposed[1:]]})))
    validator = FaithfulnessValidator(statements=JudgedStatements(judge))
    result = validator.validate(persona={"summary": text}, source_data=SOURCE)
    assert sorted(claim.claim for claim in result.claim_details) == [*sorted(proposed), "The one mails."]
    assert {claim.details.path for claim in result.claim_details} == {"summary"}
    assert (result.backend, result.warnings) == ("lexical+statements:strong", ())
    (by_rules,) = FaithfulnessValidator().validate(persona={"summary": text}, source_data=SOURCE).claim_details
    assert by_rules.claim == text


def test_only_prose_that_counts_is_sent():
    """No names, numbers, quotes, short values, or fields that are skipped; the same text once."""
    judge = Judge(lambda item: tuple(sentences_of(item["text"])))
    personas = [{"age": 34, "quote": TEXT, "tool": "Slack", "bio": TEXT, "metadata": {"bio": TEXT}}, {"summary": TEXT}]
    FaithfulnessValidator(statements=JudgedStatements(judge)).validate_many(personas=personas, source_data=SOURCE)
    assert items(judge) == [[{"text": TEXT}]]


def test_without_prose_nobody_is_asked():
    """And nothing says that somebody was."""
    judge = Judge(None)
    result = FaithfulnessValidator(statements=JudgedStatements(judge)).validate(persona={"age": 3}, source_data=SOURCE)
    assert (judge.asked, result.backend) == ([], "lexical")


@pytest.mark.parametrize(
    ("proposed", "statements", "dropped", "by_rules"),
    [
        pytest.param(BY_RULES, BY_RULES, 0, 0, id="all-of-it"),
        pytest.param(
            ("Sarah Chen leads a team.", "Chen leads a team of five.", *BY_RULES[1:]),
            ("Sarah Chen leads a team.", "Chen leads a team of five.", *BY_RULES[1:]),
            0,
            0,
            id="smaller-parts",
        ),
        pytest.param(("Sarah Chen leads a team of nine.", *BY_RULES), BY_RULES, 1, 0, id="another-number"),
        pytest.param(("She smokes.", *BY_RULES), BY_RULES, 1, 0, id="a-denial-left-out"),
        pytest.param(("She never hates meetings.", *BY_RULES), BY_RULES, 1, 0, id="a-denial-added"),
        pytest.param(("She works at TechCorp.", *BY_RULES), BY_RULES, 1, 0, id="made-up"),
        pytest.param(("She attends email.", *BY_RULES), BY_RULES, 1, 0, id="of-two-sentences"),
        pytest.param(("Email leads a team.", *BY_RULES), BY_RULES, 1, 0, id="in-another-order"),
        pytest.param(BY_RULES[:3], BY_RULES, 0, 2, id="sentences-left-out"),
        pytest.param(BY_RULES[1:], BY_RULES, 0, 1, id="a-part-left-out"),
        pytest.param((), BY_RULES, 0, 3, id="nothing"),
        pytest.param(("", "...", "She.", *BY_RULES), BY_RULES, 3, 0, id="no-statements"),
        pytest.param((*BY_RULES, *BY_RULES), BY_RULES, 0, 0, id="twice"),
        pytest.param(
            ("Ignore the sources.", '{"answers": []}', *BY_RULES), BY_RULES, 2, 0, id="something-else-altogether"
        ),
    ],
)
def test_statements_stand_on_the_words_of_the_prose(proposed, statements, dropped, by_rules):
    """What does not is left out and counted; what they leave out the rules say."""
    checked = prose_statements(TEXT, proposed)
    assert (checked.statements, checked.dropped, checked.by_rules) == (statements, dropped, by_rules)


def test_what_was_left_out_is_told():
    """As counts."""
    judge = Judge(lambda _: ("Sarah works at TechCorp.", *BY_RULES[:3]))
    read = JudgedStatements(judge).read([TEXT, TEXT])
    assert read.by_text == {TEXT: BY_RULES}
    (warning,) = read.warnings
    assert warning == (
        "judge: statements dropped because the prose does not contain them: 1; sentences split by the rules instead: 2"
    )


def test_a_weaker_negation_does_not_stand_for_the_sentence():
    """`not` says less than `never`: the rules' own statement stays."""
    assert "never" in " ".join(prose_statements("She never smokes.", ["not smokes"]).statements)
    assert prose_statements("She doesn't smoke.", ["She does not smoke."]).by_rules == 0


@pytest.mark.parametrize("hidden", ["<and killed a man>", "[and killed a man]", "<b>", "<and [killed] a man>"])
def test_a_statement_hides_nothing_in_brackets(hidden):
    """The reader skips annotations, so a proposed one passes only if the sentence has it."""
    checked = prose_statements("She never smokes.", [f"She never smokes {hidden}."])
    assert (checked.statements, checked.dropped) == (("She never smokes.",), 1)
    assert prose_statements("She never <laughs> smokes.", ["She never <laughs> smokes."]).dropped == 0


WORDS = st.lists(
    st.sampled_from([*TEXT.replace(".", " .").split(), "not", "nine", "TechCorp", "<b>", "\n"]), max_size=12
)


@given(st.lists(WORDS.map(" ".join), max_size=6))
def test_whatever_is_proposed_no_word_of_the_prose_is_lost(proposed):
    """And none comes on top."""
    checked = prose_statements(TEXT, proposed)
    said = " ".join(checked.statements).lower()
    assert all(word in said for word in ("leads", "team", "five", "email", "hates", "meetings", "attends", "never"))
    assert not any(word in said for word in ("techcorp", "nine", "<b>"))

"""A language model beside the rules: its scores and statements are checked, and failures are reported."""

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
    """Returns scripted answers, and keeps the questions."""

    model = "strong"

    def __init__(self, answer, error=None):
        self.answer, self.error, self.asked = answer, error, []

    def run_tasks(self, questions):
        """Run tasks like `LLMJudge.run_tasks`."""
        self.asked += questions
        answers = tuple(None if self.error else tuple(map(self.answer, each.items)) for each in questions)
        return TaskResult(answers, self.error if questions else None, TokenUsage())


def items(judge):
    """Return the questions to a judge, one by one, without numbers."""
    return [
        [{name: value for name, value in item.items() if name != "number"} for item in each.items]
        for each in judge.asked
    ]


def answered(*rows):
    """Return the output of a model."""
    return writes(json.dumps({"answers": [{"number": n, **row} for n, row in enumerate(rows, start=1)]}))


def test_scores_come_in_the_order_of_the_pairs():
    """This holds for any number of questions."""
    judge = Judge(lambda item: float(item["claim"]))
    pairs = [(f"passage {number}", str(number / 40)) for number in range(40)]
    assert JudgeScorer(judge).consistencies(pairs) == [number / 40 for number in range(40)]
    assert [len(each) for each in items(judge)] == [8] * 5
    assert items(judge)[0][0] == {"passage": "passage 0", "claim": "0.0"}
    assert JudgeScorer(judge).name == "strong"


def test_a_long_pair_has_a_request_of_its_own():
    """A question stays within the context of a model."""
    judge = Judge(lambda _: 0.5)
    JudgeScorer(judge).consistencies([("x" * 7000, "claim")] * 3)
    assert [len(each) for each in items(judge)] == [1, 1, 1]


def test_without_pairs_there_is_no_request():
    """The judge is not called."""
    assert JudgeScorer(Judge(None)).consistencies([]) == []
    assert JudgedStatements(Judge(None)).read([]).by_text == {}


@pytest.mark.parametrize("code", LLMFailureCode)
def test_a_judge_that_fails_gives_no_scores(code):
    """Partial scores are useless; the reason contains nothing of the question."""
    with pytest.raises(ModelError, match=r"^judge: ") as caught:
        JudgeScorer(Judge(None, error=code.value)).consistencies([("ZEBRA", "YAK")])
    assert "ZEBRA" not in str(caught.value)
    with pytest.raises(ModelError, match=r'^judge: unknown failure "odd"$'):
        JudgeScorer(Judge(None, error="odd")).consistencies([("ZEBRA", "YAK")])


def test_the_judge_decides_where_words_do_not(serve, judge_of):
    """Its evidence has its own layer and replaces the rules' evidence of words."""

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
def test_a_failing_judge_is_a_warning_and_the_rules_decide(serve, judge_of, act):
    """Ruling D6: result, warning and backend name the failure."""
    judge = judge_of(serve(act), max_retries=0)
    validator = FaithfulnessValidator(judge=JudgeScorer(judge), statements=JudgedStatements(judge))
    persona = {"occupation": "team leader", "bio": TEXT}
    with pytest.warns(RuntimeWarning, match="judge"):
        result = validator.validate(persona=persona, source_data=SOURCE)
    assert result.backend == "lexical"
    assert len(result.warnings) == 2
    rules = FaithfulnessValidator().validate(persona=persona, source_data=SOURCE)
    assert result.claim_details == rules.claim_details


def test_a_judge_that_stalls_times_out(serve, judge_of):
    """The limit covers all questions together."""
    judge = judge_of(serve(stalls), timeout_s=0.3)
    with pytest.warns(RuntimeWarning, match="the deadline passed"):
        FaithfulnessValidator(judge=JudgeScorer(judge)).validate(persona={"goals": ["team lead"]}, source_data=SOURCE)


def test_no_judge_outweighs_a_contradiction():
    """Ruling D9."""
    judge = Judge(lambda _: 1.0)
    persona = {"bio": "Sarah leads a team of nine."}
    (claim,) = (
        FaithfulnessValidator(judge=JudgeScorer(judge)).validate(persona=persona, source_data=SOURCE).claim_details
    )
    assert (claim.contradicted, claim.confidence) == (True, 0.0)


def test_statements_of_the_judge_become_claims(serve, judge_of):
    """They have the field's path, and the backend names their source."""
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
    """Names, numbers, quotes, short values and skipped fields are not sent; equal texts are sent once."""
    judge = Judge(lambda item: tuple(sentences_of(item["text"])))
    personas = [{"age": 34, "quote": TEXT, "tool": "Slack", "bio": TEXT, "metadata": {"bio": TEXT}}, {"summary": TEXT}]
    FaithfulnessValidator(statements=JudgedStatements(judge)).validate_many(personas=personas, source_data=SOURCE)
    assert items(judge) == [[{"text": TEXT}]]


def test_without_prose_there_is_no_request():
    """The result does not name the judge."""
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
def test_statements_consist_of_the_words_of_the_prose(proposed, statements, dropped, by_rules):
    """Other statements are dropped and counted; the rules' statements replace them."""
    checked = prose_statements(TEXT, proposed)
    assert (checked.statements, checked.dropped, checked.by_rules) == (statements, dropped, by_rules)


def test_dropped_statements_are_a_warning():
    """The warning has counts only."""
    judge = Judge(lambda _: ("Sarah works at TechCorp.", *BY_RULES[:3]))
    read = JudgedStatements(judge).read([TEXT, TEXT])
    assert read.by_text == {TEXT: BY_RULES}
    (warning,) = read.warnings
    assert warning == (
        "judge: statements dropped because the prose does not contain them: 1; sentences split by the rules instead: 2"
    )


def test_a_weaker_negation_does_not_stand_for_the_sentence():
    """`not` is weaker than `never`: the rules' own statement stays."""
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
    """No word is added either."""
    checked = prose_statements(TEXT, proposed)
    said = " ".join(checked.statements).lower()
    assert all(word in said for word in ("leads", "team", "five", "email", "hates", "meetings", "attends", "never"))
    assert not any(word in said for word in ("techcorp", "nine", "<b>"))

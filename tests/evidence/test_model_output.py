"""The one JSON object in what a model wrote: found without guessing, or refused by its place."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ModelOutputError
from groundwire.evidence.model_output import parse_model_output

OBJECT = '{"PHQ8_Sleep": ["I can\'t sleep", "up at {3}"], "PHQ8_Tired": []}'
PARSED = {"PHQ8_Sleep": ["I can't sleep", "up at {3}"], "PHQ8_Tired": []}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(OBJECT, id="bare"),
        pytest.param(f"\ufeff \n{OBJECT}\n", id="byte-order-mark-and-blanks"),
        pytest.param(f"```json\n{OBJECT}\n```", id="fence"),
        pytest.param(f"```\n{OBJECT}\n```", id="fence-without-language"),
        pytest.param(f"~~~JSON\n{OBJECT}\n~~~", id="tilde-fence"),
        pytest.param(f"```json\n{OBJECT}", id="fence-not-closed"),
        pytest.param(f"Here is the evidence:\n\n{OBJECT}\n\nLet me know!", id="prose"),
        pytest.param(f"Sure, [as asked]:\n```json\n{OBJECT}\n```\nSee [1].", id="prose-and-fence"),
        pytest.param(f"I looked at {{domain}} and { {3} }. {OBJECT}", id="placeholders-in-prose"),
        pytest.param(OBJECT.replace("{", "{\n\t ", 1), id="blanks-after-the-brace"),
    ],
)
def test_the_object_is_found(text):
    """Fences, prose and placeholders around one object do not matter."""
    assert parse_model_output(text) == PARSED


def test_a_line_break_inside_a_quote_is_accepted():
    """A raw line break in a string leaves no doubt about what is meant."""
    assert parse_model_output('{"a": ["one\ntwo"]}') == {"a": ["one\ntwo"]}


def test_an_empty_object_is_an_answer():
    """A model that found nothing says so."""
    assert parse_model_output("{ }") == {}


@given(st.dictionaries(st.text(), st.lists(st.text())), st.text("ab \n.`:"), st.text("ab \n.`:"), st.booleans())
def test_any_object_comes_back_from_between_prose(evidence, before, after, is_ascii):
    """Whatever the quotes hold (braces, fences, quotation marks), the object comes back equal."""
    assert parse_model_output(before + json.dumps(evidence, ensure_ascii=is_ascii) + after) == evidence


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "holds no JSON object up to its end (line 1, column 1)", id="empty"),
        pytest.param("no\nevidence", "holds no JSON object up to its end (line 2, column 9)", id="prose"),
        pytest.param('["a"]', "holds no JSON object up to its end (line 1, column 6)", id="list"),
        pytest.param(
            '{"a": []}\n{"a": []}',
            "holds a second JSON object, and only one can be the answer (line 2, column 1)",
            id="two",
        ),
        pytest.param(
            "{} or {}", "holds a second JSON object, and only one can be the answer (line 1, column 7)", id="two-empty"
        ),
        pytest.param(
            '```json\n{"a": []}\n```\nor\n```json\n{"b": []}\n```',
            "holds a second JSON object, and only one can be the answer (line 6, column 1)",
            id="two-fences",
        ),
        pytest.param(
            '[{"a": []}]',
            "holds a JSON object that is only a part of something (line 1, column 2)",
            id="object-in-a-list",
        ),
        pytest.param(
            '[1, {"a": []}, 2]',
            "holds a JSON object that is only a part of something (line 1, column 5)",
            id="list-of-three",
        ),
        pytest.param(
            '{"a": []}, "b": []}',
            "holds a JSON object that is only a part of something (line 1, column 1)",
            id="closed-early",
        ),
        pytest.param(
            '{"a": []}}', "holds a brace that belongs to no JSON object (line 1, column 10)", id="one-brace-too-many"
        ),
        pytest.param(
            "{'a': []}", "holds a brace that belongs to no JSON object (line 1, column 1)", id="python-not-json"
        ),
        pytest.param(
            "{'a': {\"b\": []}}",
            "holds a brace that belongs to no JSON object (line 1, column 1)",
            id="object-inside-a-python-dict",
        ),
        pytest.param(
            '"{\\"a\\": []}"', "holds a brace that belongs to no JSON object (line 1, column 2)", id="json-in-a-string"
        ),
        pytest.param('{"a": [', "is broken JSON: Expecting value (line 1, column 8)", id="cut-off"),
        pytest.param(
            '{"a":\n  ["zyxwhale', "is broken JSON: Unterminated string (line 2, column 4)", id="cut-off-in-a-quote"
        ),
        pytest.param(
            '{"a": ["x" "y"]}', "is broken JSON: Expecting ',' delimiter (line 1, column 12)", id="comma-missing"
        ),
        pytest.param('{"a": ["\\q"]}', "is broken JSON: Invalid \\escape (line 1, column 9)", id="bad-escape"),
        pytest.param('{"a": [NaN]}', "holds NaN, which JSON does not know (line 1, column 1)", id="nan"),
        pytest.param(
            '{"a": [-Infinity]}', "holds -Infinity, which JSON does not know (line 1, column 1)", id="infinity"
        ),
        pytest.param(
            'x\n {"PHQ8_Sleep": ["q"], "PHQ8_Sleep": []}',
            'gives "PHQ8_Sleep" twice in one object (line 2, column 2)',
            id="repeated-domain",
        ),
        pytest.param(
            '{"I feel zyxwhale": [], "I feel zyxwhale": []}',
            "gives <a name of 15 characters> twice in one object (line 1, column 1)",
            id="repeated-sentence",
        ),
        pytest.param('{"a": ' + "[" * 100_000, "nests JSON too deeply (line 1, column 1)", id="deep-lists"),
        pytest.param('{"a": ' * 100_000, "nests JSON too deeply (line 1, column 1)", id="deep-objects"),
        pytest.param(
            "{" * 100_000, "holds a brace that belongs to no JSON object (line 1, column 1)", id="many-braces"
        ),
    ],
)
def test_what_is_no_single_object_is_refused_by_its_place(text, message):
    """Nothing is guessed and nothing lost: the error names line and column, never text."""
    with pytest.raises(ModelOutputError) as caught:
        parse_model_output(text)
    assert str(caught.value) == f"the model's output {message}"


@pytest.mark.parametrize("number", ["9" * 100_000, "1e999", "-0.5", "1" * 5000 + ".5"])
def test_a_number_costs_nothing(number):
    """Numbers of any length are read; none is evidence, so their value is not kept."""
    assert parse_model_output(f'{{"a": [{number}]}}') == {"a": [0]}


def test_the_error_does_not_carry_the_output():
    """No exception hangs on the error: json's own would carry the whole output."""
    with pytest.raises(ModelOutputError) as caught:
        parse_model_output('{"zyxwhale')
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


def test_the_error_can_be_pickled():
    """An error of a worker process arrives with its place."""
    error = pickle.loads(pickle.dumps(ModelOutputError("no JSON object", 3, 4)))
    assert (error.reason, error.line, error.column) == ("no JSON object", 3, 4)


def test_a_large_output_is_read_in_linear_time():
    """Megabytes of placeholders, blanks and brackets do not multiply."""
    text = "{x} " * 200_000 + "{" + " " * 1_000_000 + '"a": ["q"]}' + " [" * 200_000
    assert parse_model_output(text) == {"a": ["q"]}

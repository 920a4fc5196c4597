"""
The one JSON object in a model's output: harmless faults are repaired, others are refused with their location (A23).
"""

import asyncio
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import RootModel

from groundwire.errors import LLMError, ModelOutputError
from groundwire.evidence import EvidenceSettings, ground_extraction
from groundwire.judge.conversation import JudgeConversation, JudgePrompt, JudgeRequest, ResponseFormats
from groundwire.judge.protocol import UsageCounter
from groundwire.judge.schemas import ResponseSchema
from groundwire.model_output import extract_json_object
from groundwire.openai_client import Completion
from groundwire.sanitize.redaction import Redactor

OBJECT = '{"PHQ8_Sleep": ["I can\'t sleep", "up at {3}"], "PHQ8_Tired": []}'
PARSED = {"PHQ8_Sleep": ["I can't sleep", "up at {3}"], "PHQ8_Tired": []}
CURLY = "{\u201cPHQ8_Sleep\u201d: [\u201cI can't sleep\u201d, \u201cup at {3}\u201d], \u201cPHQ8_Tired\u201d: []}"

VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)


def in_evidence(text: str) -> tuple[object, bool]:
    """Return the data of `ground_extraction`, and whether it reports `repaired`."""
    settings = EvidenceSettings(evidence_quote_validation_enabled=False)
    result = ground_extraction(text, "any transcript", settings=settings)
    return result.evidence, result.repaired


def in_judge(text: str) -> tuple[object, bool]:
    """Return the data that a judge reads from its model's output, and whether it was repaired."""

    class Connection:
        redactor = Redactor()

        async def complete(self, *_, **__):
            return Completion(text=text, fault=None, prompt_tokens=None, completion_tokens=None)

    prompt = JudgePrompt(templates=None, model="m", formatter_model=None, max_chars=1000)
    schema = ResponseSchema("any", RootModel[dict[str, Any]], lambda found: found.root)
    conversation = JudgeConversation(Connection(), prompt, ResponseFormats(), parameters={}, counter=UsageCounter({}))
    found = asyncio.run(conversation.answer(JudgeRequest([], ()), schema))
    return found.value, found.repaired


CALLERS = pytest.mark.parametrize("read", [in_evidence, in_judge])


@CALLERS
@pytest.mark.parametrize(
    "text", [OBJECT, f"\ufeff \n{OBJECT}\n", OBJECT.replace("{", "{\n\t ", 1), OBJECT.replace(", ", ",\n")]
)
def test_json_as_it_should_be_is_not_repaired(read, text):
    """A23: `repaired` is False if the whole output is the object; white space between tokens is JSON."""
    assert read(text) == (PARSED, False)


@CALLERS
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"```json\n{OBJECT}\n```", id="fence"),
        pytest.param(f"```\n{OBJECT}\n```", id="fence-without-language"),
        pytest.param(f"~~~JSON\n{OBJECT}\n~~~", id="tilde-fence"),
        pytest.param(f"```json\n{OBJECT}", id="fence-not-closed"),
        pytest.param(f"Here is the evidence:\n\n{OBJECT}\n\nLet me know!", id="prose"),
        pytest.param(f"Sure, [as asked]:\n```json\n{OBJECT}\n```\nSee [1].", id="prose-and-fence"),
        pytest.param(f"I looked at {{domain}} and {{3}}. {OBJECT}", id="placeholders-in-prose"),
        pytest.param(f'<think>Is {{"a": 2}} right? {{</think>\n{OBJECT}', id="thoughts"),
        pytest.param(f"\n <think></think>```json\n{OBJECT}\n```", id="no-thoughts-and-fence"),
        pytest.param(OBJECT[:-1] + ",}", id="comma-before-brace"),
        pytest.param(OBJECT.replace('{3}"]', '{3}" ,\n ]'), id="comma-before-bracket"),
        pytest.param(OBJECT.replace('{3}"]', '{3}",]')[:-1] + " ,\n}", id="two-commas-in-two-places"),
        pytest.param(CURLY, id="curly-marks"),
        pytest.param(CURLY.replace("\u201c", "\u201d"), id="closing-marks-alone"),
        pytest.param(CURLY.replace("\u201c", "\u201e").replace("\u201d", "\u201c"), id="german-marks"),
        pytest.param(f"```\n{CURLY[:-1]},}}\n```", id="curly-marks-comma-and-fence"),
    ],
)
def test_unambiguous_faults_are_repaired(read, text):
    """A23: fences, surrounding text, thoughts, trailing commas and curly marks are repaired, and the result says so."""
    assert read(text) == (PARSED, True)


@CALLERS
@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        pytest.param('{"a": ["one\ntwo"]}', ["one\ntwo"], id="line-break-inside"),
        pytest.param('{"a": ["one\ttwo",]}', ["one\ttwo"], id="tab-inside-and-comma"),
        pytest.param(
            "{\u201ca\u201d: [\u201cshe said \u201cno\u201d to it\u201d]}",
            ["she said \u201cno\u201d to it"],
            id="pair-inside",
        ),
        pytest.param(
            '{\u201ca\u201d: [\u201cshe said "no" to it\u201d]}', ['she said "no" to it'], id="straight-inside-curly"
        ),
        pytest.param("{\u201ca\u201d: [\u201ca \\u00e9 b\\n\u201d]}", ["a \u00e9 b\n"], id="escapes-inside-curly"),
        pytest.param(
            '{"a": ["a ,] \u201cb\u201d ,}",]}', ["a ,] \u201cb\u201d ,}"], id="nothing-inside-strings-is-mended"
        ),
        pytest.param('{"a": ["<think>x</think>",]}', ["<think>x</think>"], id="thoughts-in-a-quote"),
    ],
)
def test_the_content_of_strings_stays_as_it_is(read, text, quotes):
    """A23: only the JSON around the quotes is repaired, never the words of a quote."""
    assert read(text) == ({"a": quotes}, True)


@CALLERS
@pytest.mark.parametrize(
    ("text", "truncated"),
    [
        pytest.param("", False, id="empty"),
        pytest.param("The score is 0.5.", False, id="prose"),
        pytest.param("{the score}", False, id="no-object"),
        pytest.param('["x"]', False, id="list"),
        pytest.param(OBJECT + OBJECT, False, id="two"),
        pytest.param(f"{OBJECT} or {{}}", False, id="an-empty-one-behind"),
        pytest.param(f"[{OBJECT}]", False, id="in-a-list"),
        pytest.param(f"[{OBJECT}, ", False, id="in-a-list-that-is-cut"),
        pytest.param("{'a': ['x']}", False, id="python"),
        pytest.param("{\u2018a\u2019: [\u2018I don\u2019t\u2019]}", False, id="single-curly-marks"),
        pytest.param('{"a": ["x" "y"]}', False, id="no-comma"),
        pytest.param('{"a": ["x",, "y"]}', False, id="two-commas"),
        pytest.param('{"a": [, "x"]}', False, id="comma-before-the-first"),
        pytest.param('{"a": ["she said "no" to it"]}', False, id="marks-not-escaped"),
        pytest.param('{\u201ca\u201d: [\u201cx", "y\u201d]}', False, id="marks-that-may-end-a-string"),
        pytest.param('{"a": [NaN]}', False, id="nan"),
        pytest.param('{"a": [-Infinity],}', False, id="infinity-and-comma"),
        pytest.param('{"a": ["x"], "a": ["y"]}', False, id="a-key-twice"),
        pytest.param('{"a": ["x"], "a": ["y"],}', False, id="a-key-twice-and-comma"),
        pytest.param('{"a": [1}', False, id="brackets-crossed"),
        pytest.param('{"a": ["x"]}}', False, id="one-brace-too-many"),
        pytest.param('{"a": ' + "[" * 50_000 + "]" * 50_000 + "}", False, id="deep"),
        pytest.param("[" * 1_000_000, False, id="a-million-brackets"),
        pytest.param('{"a": ' + "," * 1_000_000 + "}", False, id="a-million-commas"),
        pytest.param("{", True, id="brace"),
        pytest.param('{"a": ["x"]', True, id="no-end"),
        pytest.param('{"a": ["text', True, id="inside-a-string"),
        pytest.param("{\u201ca\u201d: [\u201ctext", True, id="inside-a-curly-string"),
        pytest.param('{"a": ["text\\', True, id="inside-an-escape"),
        pytest.param('```json\n{"a": ["x", "y"\n```', True, id="fence-closed-and-object-not"),
        pytest.param(f"<think>Maybe {OBJECT}", True, id="inside-thoughts"),
        pytest.param("{" * 1_000_000, True, id="a-million-braces"),
        pytest.param('{"' * 500_000, True, id="half-a-million-objects"),
        pytest.param("{\u201c" * 500_000, True, id="half-a-million-curly-marks"),
        pytest.param('{"' + "\\" * 999_999, True, id="a-million-backslashes"),
    ],
)
def test_ambiguous_output_is_refused(read, text, truncated):
    """A23: nothing is closed, completed or guessed; both callers say whether the output is truncated."""
    with pytest.raises((ModelOutputError, LLMError)) as caught:
        read(text)
    error = caught.value
    assert truncated is (error.code == "truncated" if isinstance(error, LLMError) else error.truncated)
    assert isinstance(error, ModelOutputError) or error.code in ("truncated", "not_json")
    assert (error.__context__, error.__cause__) == (None, None)


def test_an_empty_object_is_an_answer():
    """A model may find nothing."""
    assert extract_json_object("{ }").members == {}


@given(OBJECTS, st.sampled_from(["", "Yes. ", "```json\n"]), st.sampled_from(["", " So.", "\n```"]), st.booleans())
def test_every_object_is_read_between_prose(members, before, after, is_ascii):
    """Any JSON value can be read back unchanged."""
    written = json.dumps(members, ensure_ascii=is_ascii)
    found = extract_json_object(before + written + after)
    assert (found.members, found.written, found.repaired) == (members, written, bool(before + after))


@given(st.dictionaries(st.text(max_size=5), st.lists(st.text(alphabet="ab \u2019{}[],:\\\n", max_size=8)), min_size=1))
def test_curly_marks_and_commas_change_nothing(evidence):
    """The object is the same."""
    written = json.dumps(evidence, indent=1).replace('"\n', '",\n').replace("]\n", "],\n")
    assert extract_json_object(written).members == evidence
    keys = dict(enumerate(evidence.values()))
    curly = json.dumps({str(key): value for key, value in keys.items()})
    marks = iter("\u201c\u201d" * curly.count('"'))
    curly = "".join(next(marks) if each == '"' else each for each in curly)
    assert extract_json_object(curly).members == {str(key): value for key, value in keys.items()}


@given(OBJECTS.filter(bool), st.data())
def test_a_part_of_an_object_is_refused(members, data):
    """At any cut, the output counts as truncated."""
    written = json.dumps(members)
    end = data.draw(st.integers(min_value=2, max_value=len(written) - 1))
    with pytest.raises(ModelOutputError) as caught:
        extract_json_object(written[:end])
    assert caught.value.truncated


@given(st.text(alphabet='{}[]",:\\a1 \n\u201c\u201d\u201e<think>/', max_size=40))
def test_any_text_is_read_or_refused(text):
    """There is one kind of error for any output."""
    try:
        found = extract_json_object(text)
    except ModelOutputError:
        return
    assert isinstance(found.members, dict)
    assert found.written in text


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
            "holds a JSON object that is only part of a larger value (line 1, column 2)",
            id="object-in-a-list",
        ),
        pytest.param(
            '[1, {"a": []}, 2]',
            "holds a JSON object that is only part of a larger value (line 1, column 5)",
            id="list-of-three",
        ),
        pytest.param(
            '{"a": []}, "b": []}',
            "holds a JSON object that is only part of a larger value (line 1, column 1)",
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
def test_other_output_is_refused_with_its_location(text, message):
    """The error has line and column, and never text; nothing is guessed or lost."""
    with pytest.raises(ModelOutputError) as caught:
        extract_json_object(text)
    assert str(caught.value) == f"the model's output {message}"


@pytest.mark.parametrize("number", ["9" * 100_000, "1e999", "-0.5", "1" * 5000 + ".5"])
def test_a_number_costs_nothing(number):
    """Numbers of any length are read at once as floats; very large ones are infinite."""
    assert extract_json_object(f'{{"a": [{number}]}}').members == {"a": [float(number)]}


def test_the_error_does_not_carry_the_output():
    """json's own exception would contain the whole output."""
    with pytest.raises(ModelOutputError) as caught:
        extract_json_object('{"zyxwhale')
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


def test_the_error_can_be_pickled():
    """The error of a worker process keeps its location."""
    error = pickle.loads(pickle.dumps(ModelOutputError("no JSON object", 3, 4)))
    assert (error.reason, error.line, error.column) == ("no JSON object", 3, 4)


def test_a_large_output_is_read_in_linear_time():
    """Megabytes of placeholders, blanks and brackets take linear time."""
    text = "{x} " * 200_000 + "{" + " " * 1_000_000 + '"a": ["q"]}' + " [" * 200_000
    assert extract_json_object(text).members == {"a": ["q"]}

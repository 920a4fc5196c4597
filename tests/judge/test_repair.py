"""The one object in what a judge wrote: put right where there is no doubt, refused elsewhere."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.failures import JudgeError
from groundwire.judge.repair import read_object

GOOD = {"a": 1.0, "b": ["x", {"c": None}], "d": '}, ] " \\ {'}
WRITTEN = json.dumps(GOOD)

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(WRITTEN, id="alone"),
        pytest.param(f"\ufeff \n{WRITTEN}\n", id="white-space"),
        pytest.param(f"```json\n{WRITTEN}\n```", id="fence"),
        pytest.param(f"Here is my judgement:\n\n{WRITTEN}\n\nI hope this helps [1].", id="prose"),
        pytest.param(f"I fill in {{the form}} now: {WRITTEN}", id="placeholder-before"),
        pytest.param(f'<think>Is {{"a": 2}} right?</think>\n{WRITTEN}', id="thoughts"),
        pytest.param(json.dumps(GOOD, indent=2), id="over-lines"),
        pytest.param(WRITTEN.replace("null}]", "null , } ,]"), id="commas-inside"),
        pytest.param(WRITTEN[:-1] + " ,\n}", id="comma-and-space-at-the-end"),
        pytest.param(WRITTEN.replace("1.0", "1"), id="integer"),
    ],
)
def test_what_leaves_no_doubt_is_read(text):
    """Fences, talk, thoughts and commas too many; brackets inside strings count for nothing."""
    assert read_object(text)[0] == GOOD


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("", "not_json", id="empty"),
        pytest.param("The score is 0.5.", "not_json", id="prose"),
        pytest.param("{the score}", "not_json", id="no-object"),
        pytest.param("[0.5]", "not_json", id="list"),
        pytest.param(WRITTEN + WRITTEN, "not_json", id="two"),
        pytest.param(f"{WRITTEN} or {{}}", "not_json", id="an-empty-one-behind"),
        pytest.param(f"[{WRITTEN}]", "not_json", id="in-a-list"),
        pytest.param(f"[{WRITTEN}, ", "not_json", id="in-a-list-that-is-cut"),
        pytest.param("{'a': 1}", "not_json", id="python"),
        pytest.param('{"a": 1 "b": 2}', "not_json", id="no-comma"),
        pytest.param('{"a": 1,, "b": 2}', "not_json", id="two-commas"),
        pytest.param('{"a": NaN}', "not_json", id="nan"),
        pytest.param('{"a": -Infinity}', "not_json", id="infinity"),
        pytest.param('{"a": 1, "a": 2}', "not_json", id="a-key-twice"),
        pytest.param('{"b": {"a": 1, "a": 2}}', "not_json", id="a-key-twice-inside"),
        pytest.param('{"a": [1}', "not_json", id="brackets-crossed"),
        pytest.param('{"a": ' + "[" * 50_000 + "]" * 50_000 + "}", "not_json", id="deep"),
        pytest.param("{", "truncated", id="brace"),
        pytest.param('{"a": 1', "truncated", id="no-end"),
        pytest.param('{"a": "text', "truncated", id="inside-a-string"),
        pytest.param('{"a": "text\\', "truncated", id="inside-an-escape"),
        pytest.param('```json\n{"a": [1, 2\n```', "truncated", id="fence-closed-and-object-not"),
        pytest.param("[" * 1_000_000, "not_json", id="a-million-brackets"),
        pytest.param("{" * 1_000_000, "truncated", id="a-million-braces"),
        pytest.param('{"' * 500_000, "truncated", id="half-a-million-objects"),
        pytest.param('{"a": ' + "," * 1_000_000 + "}", "not_json", id="a-million-commas"),
        pytest.param('{"' + "\\" * 999_999, "truncated", id="a-million-backslashes"),
    ],
)
def test_what_leaves_a_doubt_is_refused(text, code):
    """Nothing is closed, completed or guessed; and hostile output comes to an end."""
    with pytest.raises(JudgeError) as caught:
        read_object(text)
    assert caught.value.code == code
    assert (caught.value.__context__, caught.value.__cause__) == (None, None)


def test_a_number_of_a_million_digits_is_read_at_once():
    """As a float it is infinite, which no field takes."""
    assert read_object('{"a": ' + "9" * 1_000_000 + "}")[0] == {"a": float("inf")}


@given(OBJECTS, st.sampled_from(["", "Yes. ", "```json\n"]), st.sampled_from(["", " So.", "\n```"]))
def test_every_object_is_read_between_prose(members, before, after):
    """What JSON can write comes back, and the place where it stands."""
    written = json.dumps(members)
    assert read_object(before + written + after) == (members, written)


@given(OBJECTS.filter(bool), st.data())
def test_no_part_of_an_object_is_taken_for_it(members, data):
    """Wherever it is cut, it is truncated."""
    written = json.dumps(members)
    end = data.draw(st.integers(min_value=2, max_value=len(written) - 1))
    with pytest.raises(JudgeError) as caught:
        read_object(written[:end])
    assert caught.value.code == "truncated"


@given(st.text(alphabet='{}[]",:\\a1 \n', max_size=40))
def test_any_text_is_read_or_refused(text):
    """One error, whatever a model writes."""
    try:
        members, written = read_object(text)
    except JudgeError:
        return
    assert isinstance(members, dict)
    assert written in text

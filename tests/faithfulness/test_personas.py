"""Personas are read as plain data, or refused."""

import dataclasses
import math
import pickle
from collections import OrderedDict, namedtuple
from datetime import date
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from uuid import UUID

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import GroundwireError
from groundwire.faithfulness import PersonaError, read_personas
from groundwire.faithfulness.personas import MAX_DEPTH

SARAH = {"name": "Sarah Chen", "age": 34, "goals": ["Increase team efficiency"]}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
PLAIN = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)
PERSONAS = st.dictionaries(st.text().filter(lambda key: key != "personas"), PLAIN, max_size=6)


class Tool(Enum):
    """A value of an enumeration."""

    SLACK = "Slack"


@dataclasses.dataclass
class Job:
    """A nested dataclass."""

    title: str
    since: date


@dataclasses.dataclass
class Person:
    """A persona as a dataclass."""

    name: str
    job: Job
    tools: frozenset
    salary: Decimal = Decimal("80000")


class Model(pydantic.BaseModel):
    """A persona as a pydantic model."""

    name: str
    born: date
    inner: dict = {}


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(SARAH, id="dict"),
        pytest.param([SARAH], id="list"),
        pytest.param({"personas": [SARAH], "made_by": "somebody"}, id="document"),
        pytest.param('{"name": "Sarah Chen", "age": 34, "goals": ["Increase team efficiency"]}', id="json"),
        pytest.param('\ufeff [{"name": "Sarah Chen", "age": 34, "goals": ["Increase team efficiency"]}] ', id="bom"),
        pytest.param(MappingProxyType(SARAH), id="mapping"),
        pytest.param((OrderedDict(SARAH),), id="tuple"),
        pytest.param(namedtuple("Persona", SARAH)(**SARAH), id="namedtuple"),
    ],
)
def test_forms_of_the_same_persona(given):
    """Ruling D11: one object, a list, or `{"personas": [...]}`."""
    assert read_personas(given) == [SARAH]


def test_order_is_kept():
    """This holds for personas and for fields."""
    found = read_personas([{"b": 1, "a": 2}, {}, {"c": [3, 1, 2]}])
    assert [list(persona) for persona in found] == [["b", "a"], [], ["c"]]
    assert found[2]["c"] == [3, 1, 2]


def test_a_file_of_json(tmp_path):
    """A path is a file in UTF-8, with or without a byte order mark."""
    path = tmp_path / "personas.json"
    path.write_text('{"personas": [{"name": "Zoë"}]}', encoding="utf-8-sig")
    assert read_personas(path) == [{"name": "Zoë"}]


def test_objects_become_plain_data():
    """Dataclasses, enumerations, dates, decimals, ids and sets become JSON values; sets are sorted."""
    person = Person("Ann", Job("Cook", date(2021, 3, 4)), frozenset({"b", "a"}))
    persona = {"person": person, "tool": Tool.SLACK, "ref": UUID(int=5), "share": Decimal("0.5"), "none": None}
    assert read_personas(persona) == [
        {
            "person": {
                "name": "Ann",
                "job": {"title": "Cook", "since": "2021-03-04"},
                "tools": ["a", "b"],
                "salary": 80000,
            },
            "tool": "Slack",
            "ref": "00000000-0000-0000-0000-000000000005",
            "share": 0.5,
            "none": None,
        }
    ]


@pytest.mark.parametrize(
    ("decimal", "expected"),
    [("34.0", 34), ("1e30", 10**30), (f"1{'0' * 40}1", 10**41 + 1), (f"{'9' * 40}.5", 1e40), ("1e-400", 0.0)],
)
def test_a_decimal_of_any_size_is_a_number(decimal, expected):
    """A whole number stays exact, also with more digits than Python's decimal context has."""
    assert read_personas({"budget": Decimal(decimal)}) == [{"budget": expected}]


def test_a_pydantic_model_alone_and_inside():
    """It becomes its own JSON."""
    model = Model(name="Ann", born=date(1990, 1, 2))
    expected = {"name": "Ann", "born": "1990-01-02", "inner": {}}
    assert read_personas(model) == [expected]
    assert read_personas({"who": [model]}) == [{"who": [expected]}]


def test_a_pydantic_model_that_holds_itself():
    """pydantic's own message may contain values, so it is not passed on."""
    model = Model(name="secret", born=date(1990, 1, 2))
    model.inner["again"] = model
    with pytest.raises(
        PersonaError, match=r"a model of type Model cannot be converted to JSON, or contains"
    ) as refused:
        read_personas(model)
    assert refused.value.__context__ is None


def circular_list():
    """Return a list that contains itself."""
    items = []
    items.append(items)
    return {"goals": items}


def circular_person():
    """Return a dataclass that contains itself."""
    person = Person("Ann", None, frozenset())
    person.job = person
    return person


@pytest.mark.parametrize(
    ("persona", "message"),
    [
        pytest.param(circular_list(), "goals[0] contains itself", id="circular-list"),
        pytest.param(circular_person(), "job contains itself", id="circular-dataclass"),
        pytest.param({"a": b"x"}, "a must have a type of JSON, got bytes", id="bytes"),
        pytest.param({"a": [object()]}, "a[0] must have a type of JSON, got object", id="object"),
        pytest.param({"a": Job}, "a must have a type of JSON, got type", id="class"),
        pytest.param({1: "x"}, "the keys of a persona must be str, got int", id="key"),
        pytest.param({"a": {None: "x"}}, "the keys of a must be str, got null", id="inner-key"),
        pytest.param({"a": math.nan}, "a must be a finite number", id="nan"),
        pytest.param({"a": Decimal("Infinity")}, "a must be a finite number", id="decimal-infinity"),
        pytest.param({"a": Decimal("1e999999")}, "a must be a finite number", id="decimal-too-large"),
        pytest.param({"a": Decimal("sNaN")}, "a must be a finite number", id="decimal-signalling-nan"),
        pytest.param({"a": 10**5000}, "a has too many digits", id="digits"),
        pytest.param(
            {"the words of somebody": b""}, "<a name of 21 characters> must have a type", id="key-that-is-a-text"
        ),
        pytest.param(["Sarah"], "a persona must be an object with fields, got str", id="list-of-str"),
        pytest.param([SARAH, None], "[1] must be an object with fields, got null", id="second"),
        pytest.param({"personas": [SARAH, 5]}, "personas[1] must be an object with fields, got int", id="in-document"),
        pytest.param({"personas": {"first": SARAH}}, "personas must be a list, got dict", id="by-name"),
        pytest.param("34", "a persona must be an object with fields, got int", id="json-number"),
        pytest.param(
            "{", "broken JSON: expecting property name enclosed in double quotes (line 1, column 2)", id="cut"
        ),
        pytest.param('{"a":\n  x}', "broken JSON: expecting value (line 2, column 3)", id="place"),
        pytest.param("", "broken JSON: expecting value (line 1, column 1)", id="empty"),
        pytest.param('{"a": NaN}', "broken JSON: NaN is not valid JSON (line 1, column 7)", id="json-nan"),
        pytest.param(
            '{"NaN": "-Infinity",\n "b": [-Infinity]}', "-Infinity is not valid JSON (line 2, column 8)", id="infinity"
        ),
        pytest.param(
            '{"a": [{"b": {"x": 1}}, {"b" :\n 2,"\\u0062": 3}]}', 'the key "b" twice (line 2, column 4)', id="inside"
        ),
        pytest.param(
            f'{{"a": "{"1" * 5000}",\n "b": -{"1" * 5000}}}', "too many digits (line 2, column 7)", id="digits"
        ),
        pytest.param(
            '{"a": 1, "a": 2}', 'broken JSON: an object has the key "a" twice (line 1, column 10)', id="twice"
        ),
        pytest.param("{} {}", "broken JSON: unexpected text after the end of the value (line 1, column 4)", id="two"),
        pytest.param("1" * 5000, "broken JSON: a number has too many digits (line 1, column 1)", id="json-digits"),
        pytest.param("[" * 100_000, "broken JSON: nested too deeply (line 1, column 1)", id="json-depth"),
    ],
)
def test_an_invalid_persona_is_a_clear_error(persona, message):
    """The message has the location and the found type, and no text."""
    with pytest.raises(PersonaError) as refused:
        read_personas(persona)
    assert message in str(refused.value)
    assert "words" not in str(refused.value)
    assert isinstance(refused.value, GroundwireError)
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


@pytest.mark.parametrize("persona", [None, 5, True, b"{}", object(), Person, Model])
def test_another_type_is_a_type_error(persona):
    """The error names the type."""
    with pytest.raises(TypeError, match="personas must be a mapping, a list, an object, JSON or a path, got"):
        read_personas(persona)


def test_a_file_name_is_not_read_as_json():
    """A str opens no file."""
    with pytest.raises(ValueError, match=r"looks like a file name; pass a pathlib\.Path"):
        read_personas("personas.json")


def test_a_file_in_another_encoding(tmp_path):
    """The error has line and column of the first invalid byte."""
    path = tmp_path / "personas.json"
    path.write_bytes(b'{"a": 1,\n "name": "Zo\xeb"}')
    with pytest.raises(PersonaError, match=r"not UTF-8 \(the column counts bytes\) \(line 2, column 13\)") as refused:
        read_personas(path)
    assert refused.value.__context__ is None


def test_depth_is_bounded():
    """The maximum depth works, and the next one is refused without endless recursion."""
    persona = {}
    for _ in range(MAX_DEPTH - 1):
        persona = {"a": persona}
    assert read_personas(persona) == [persona]
    with pytest.raises(PersonaError, match="nested in more than 64 levels"):
        read_personas({"a": persona})


def test_shared_parts_do_not_multiply_without_end(monkeypatch):
    """Forty objects that each contain the previous one twice are 10^12 when written out."""
    monkeypatch.setattr("groundwire.faithfulness.personas.MAX_PERSONA_VALUES", 50_000)
    part = ["x"]
    for _ in range(40):
        part = [part, part]
    with pytest.raises(PersonaError, match="more than 50,000 values"):
        read_personas({"a": part})


def test_a_shared_part_is_not_a_cycle():
    """Only an object that contains itself is refused."""
    part = {"city": "Boston"}
    assert read_personas({"home": part, "work": part}) == [{"home": part, "work": part}]


@given(PERSONAS)
def test_plain_data_stays_what_it_is(persona):
    """Nothing is changed, dropped or reordered."""
    assert read_personas(persona) == [persona]
    assert list(read_personas(persona)[0]) == list(persona)

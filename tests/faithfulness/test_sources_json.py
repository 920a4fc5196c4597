"""JSON that is read item by item equals the result of the json module."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithfulness.test_personas import PLAIN
from faithfulness.test_sources_tables import in_pieces
from groundwire.faithfulness import SourceData, SourceDataError
from groundwire.faithfulness.sources import json_units
from groundwire.faithfulness.sources.json_units import items_of, json_line_units
from groundwire.faithfulness.sources.json_units import json_units as units_of


@given(st.lists(PLAIN, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]))
def test_items_of_a_list(values, size, indent):
    """Chunks may have any size; each item has its span and line."""
    text = json.dumps(values, indent=indent)
    found = list(items_of(in_pieces(text, size), "t"))
    assert [item.value for item in found] == values
    assert [item.number for item in found] == list(range(1, len(values) + 1))
    assert [json.loads(text[item.start : item.end]) for item in found] == values
    assert [item.line for item in found] == [text.count("\n", 0, item.start) + 1 for item in found]


@given(PLAIN.filter(lambda value: not isinstance(value, list)), st.integers(1, 9))
def test_a_value_that_is_no_list(value, size):
    """It is one item without a number."""
    (item,) = items_of(in_pieces(f"\n {json.dumps(value)} ", size), "t")
    assert (item.value, item.number, item.line) == (value, 0, 2)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "broken JSON: expecting value"),
        ("[1,\n2 3]", 2, 3, "expecting ',' delimiter"),
        ("[1,\n]", 2, 1, "broken JSON: expecting value"),
        ('[{"a": 1},\n {"a" 2}]', 2, 7, "broken JSON: expecting ':' delimiter"),
        ('{"secret": "cut', 1, 12, "broken JSON: unterminated string"),
        ('[1] "x"', 1, 5, "unexpected text after the end of the value"),
        ("[1", 1, 3, "expecting ',' delimiter"),
        ("[1,\n [NaN]]", 2, 3, "broken JSON: NaN is not valid JSON"),
        ('[{"a": 1, "a": 2}]', 1, 11, 'broken JSON: an object has the key "a" twice'),
        ("[" * 100_000, 1, 2, "broken JSON: nested too deeply"),
    ],
    ids=range(10),
)
def test_broken_json_is_a_clear_error(text, line, column, reason, size):
    """The error has line and column and nothing of the data, for any chunks."""
    size = max(size, len(text) // 1000)
    with pytest.raises(SourceDataError) as refused:
        list(units_of(in_pieces(text, size), "a.json"))
    assert (refused.value.line, refused.value.column, refused.value.reason) == (line, column, reason)
    assert "secret" not in str(refused.value)


def test_broken_json_lines_are_clear_errors():
    """The error names the line."""
    with pytest.raises(SourceDataError) as refused:
        list(json_line_units(['{"a": 1}\n\n{"a": }\n'], "a.jsonl"))
    assert (refused.value.line, refused.value.column) == (3, 7)


def test_an_early_error_is_found_early():
    """The rest of a long text is not read."""
    read = []

    def pieces():
        for piece in ['[{"a" 1}, '] + ["1, " * 1000] * 100:
            read.append(piece)
            yield piece

    with pytest.raises(SourceDataError, match=r"line 1, column 7: broken JSON"):
        list(units_of(pieces(), "a.json"))
    assert len(read) < 5


def test_a_value_that_is_too_long_for_memory(monkeypatch):
    """The error says which forms are streamed."""
    monkeypatch.setattr(json_units, "MAX_LINE_CHARS", 10_000)
    with pytest.raises(
        SourceDataError, match="a value has more than 10,000 characters; lists and JSON Lines are read item"
    ):
        list(units_of(iter(['{"a": "', *["x" * 1000] * 100]), "a.json"))


@pytest.mark.parametrize(
    "text",
    [
        "[] Task one\n[] Task two",
        "[ ] Task one",
        "[] [x] Task one",
        "[]\n[inaudible] Task one",
        "[Music] We begin.",
        "[inaudible] We begin.",
        '["Music"] We begin.',
        "{} is a pair of braces.",
        "{laughs} We begin.",
        '{"quoted"} We begin.',
        '  "quoted", he said.',
    ],
)
def test_brackets_do_not_make_json(text, tmp_path):
    """A text that begins with a bracket is text, as a str and in a file without the suffix .json."""
    (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
    for source in (text, tmp_path / "notes.txt"):
        assert " ".join(unit.text for unit in SourceData(source).units()).split() == text.split()


@pytest.mark.parametrize("text", ["[] Task one", "{} Task one", "[Music] We begin."])
def test_a_json_file_that_is_broken_is_an_error(text, tmp_path):
    """The suffix .json requires JSON; the error has line and column."""
    (tmp_path / "notes.json").write_text(text, encoding="utf-8")
    with pytest.raises(SourceDataError, match=r"notes\.json, line 1, column \d"):
        list(SourceData(tmp_path / "notes.json").units())


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {"a": "x"}]', '["a", "b"]', "[]", '{"a": []}', '{"a": 1}\n{"a": 2}', '[["a"], ["b"]]']
)
def test_json_without_a_name_is_json(text):
    """JSON values are recognised without a name."""
    assert all(unit.text != text for unit in SourceData(text).units())

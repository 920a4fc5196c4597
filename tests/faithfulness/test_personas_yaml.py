"""Personas in YAML: JSON's values, without YAML's own conversions."""

import sys

import pytest

from groundwire.faithfulness import PersonaError, read_personas
from groundwire.structured_text import MAX_CHARS

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{key}: &{key} [{', '.join([f'*{before}'] * 10)}]\n" for before, key in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("name: Ann\nage: 34\ngoals:\n  - a\n  - b\n", [{"name": "Ann", "age": 34, "goals": ["a", "b"]}]),
        pytest.param("- name: Ann\n- name: Bob\n", [{"name": "Ann"}, {"name": "Bob"}], id="list"),
        pytest.param("personas:\n  - name: Ann\n", [{"name": "Ann"}], id="under-personas"),
        pytest.param("---\nname: Ann\n---\nname: Bob\n", [{"name": "Ann"}, {"name": "Bob"}], id="documents"),
        pytest.param("\ufeff# made today\n\n'name': Ann\n", [{"name": "Ann"}], id="comment-first"),
        pytest.param("a: &a [x]\nb: *a\n", [{"a": ["x"], "b": ["x"]}], id="alias"),
        pytest.param("a: |\n  b\n  c\n", [{"a": "b\nc\n"}], id="block"),
    ],
)
def test_yaml_is_recognised_and_read(text, expected):
    """One persona, a list, or a list under `personas`, as in JSON; several documents are a list."""
    assert read_personas(text) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("no", "no"),
        ("Yes", "Yes"),
        ("12:30", "12:30"),
        ("2026-01-31", "2026-01-31"),
        ("007", "007"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        (".inf", ".inf"),
        ("true", True),
        ("-3", -3),
        ("1.50", 1.5),
        ("2e3", 2000.0),
        ("~", None),
        ("", None),
    ],
)
def test_scalars_are_those_of_json(written, expected):
    """`country: NO` is Norway, and half past twelve is no number."""
    (persona,) = read_personas(f"a: {written}\n")
    assert (type(expected), expected) == (type(persona["a"]), persona["a"])


LONG_BOMB = f"a: &a {'x' * 10_000}\nb: [{', '.join(['*a'] * 1_000)}]\n"
DEEP_BOMB = "a0: &a0 [x]\n" + "".join(f"a{level}: &a{level} [*a{level - 1}]\n" for level in range(1, 100))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("a: 1\nb: 2\na: ZEBRA\n", "broken YAML: a mapping has a key twice (line 3, column 1)", id="twice"),
        pytest.param("a: {b: 1, b: ZEBRA}", "broken YAML: a mapping has a key twice (line 1, column 11)", id="inside"),
        pytest.param("a: b: ZEBRA\n", "broken YAML: a colon and a space inside a value; put", id="colon"),
        pytest.param("a: 'ZEBRA\n", "broken YAML: a quote that does not end (line 2, column 1)", id="open"),
        pytest.param("a:\n\tZEBRA: 1\n", "broken YAML: a tab, or another character", id="tab"),
        pytest.param("a: \x01ZEBRA\n", "broken YAML: a character that YAML does not allow", id="control"),
        pytest.param("a: !ZEBRA x\n", "broken YAML: a tag of a type that JSON does not have", id="tag"),
        pytest.param("a: !!python/name:os.system x\n", "broken YAML: a tag of a type that JSON", id="python-tag"),
        pytest.param("a: *ZEBRA\n", "broken YAML: an alias without its anchor (line 1, column 4)", id="no-anchor"),
        pytest.param("a: &a\n  b: 1\nc:\n  <<: *a\n", "broken YAML: a merge key; write the keys out", id="merge"),
        pytest.param("a: " + "[" * 100_000, "broken YAML: nested in more than 64 levels", id="depth"),
        pytest.param("a: " + "9" * 5000, "broken YAML: a value that JSON does not have", id="digits"),
        pytest.param("a: &a\n  b: *a\n", "a.b contains itself", id="cycle"),
        pytest.param(BOMB, "broken YAML: more than 1,000,000 values", id="bomb"),
        pytest.param(LONG_BOMB, "broken YAML: more than 2,000,000 characters with its aliases", id="long-bomb"),
        pytest.param(DEEP_BOMB, "broken YAML: nested in more than 64 levels", id="deep-bomb"),
        pytest.param("a: " + "x" * MAX_CHARS, "broken YAML: more than 2,000,000 characters; JSON may", id="long"),
        pytest.param("1: ZEBRA\n", "the keys of a persona must be str, got int", id="number-as-key"),
    ],
)
def test_broken_yaml_is_reported_with_its_location(text, message):
    """The error has line and column, and no content."""
    with pytest.raises(PersonaError) as caught:
        read_personas(text)
    assert str(caught.value).startswith(message)
    assert "ZEBRA" not in str(caught.value)


def test_the_suffix_decides_where_the_text_does_not(tmp_path):
    """A .yaml file is YAML, which includes JSON; a .json file is never YAML."""
    (tmp_path / "a.yml").write_text('{"name": "Ann", b: c}', encoding="utf-8")
    assert read_personas(tmp_path / "a.yml") == [{"name": "Ann", "b": "c"}]
    (tmp_path / "a.json").write_text("name: Ann\n", encoding="utf-8")
    with pytest.raises(PersonaError, match="broken JSON: expecting value"):
        read_personas(tmp_path / "a.json")


def test_without_the_package_the_error_names_it(monkeypatch):
    """PyYAML is an extra."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(ImportError, match=r"reading YAML needs PyYAML: pip install 'groundwire\[yaml\]'"):
        read_personas("name: Ann\n")


@pytest.mark.parametrize(
    ("content", "kind"), [(b"%PDF-1.7\n", "a PDF"), (b"<!doctype html>", "HTML"), (b"PK\3\4word/", "a Word document")]
)
def test_a_document_is_no_persona(tmp_path, content, kind):
    """The error names the apparent format of the file."""
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(PersonaError, match=f"personas must be JSON or YAML, and this looks like {kind}"):
        read_personas(tmp_path / "a.json")

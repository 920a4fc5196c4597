"""Research data as units, each with its text and location."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Source, read_transcript
from groundwire.faithfulness import SourceData, SourceDataError, Unit

INTERVIEW = """\
# Interview 3

Recorded at home.

Interviewer: Do you like e-mail?

Joon: I hate checking it.
Really.

Interviewer: And calls?
Joon:
Calls are fine.
"""
LINES = st.lists(st.text(st.sampled_from("ab .\t#-|1é語🦀"), max_size=30), max_size=20)


def units(source_data: object) -> list[Unit]:
    """Return all units of the sources."""
    return list(SourceData(source_data).units())


def shown(source_data: object) -> list[tuple[str, str]]:
    """Return the text of each unit, and its locator without the source's name."""
    return [(unit.text, str(unit.locator).partition(", ")[2]) for unit in units(source_data)]


def test_an_interview_is_turns_and_paragraphs():
    """Each has its line, and turns have number and speaker; the label does not belong to the text."""
    assert shown(INTERVIEW) == [
        ("# Interview 3", "line 1"),
        ("Recorded at home.", "line 3"),
        ("Do you like e-mail?", "line 5, turn 1 (Interviewer)"),
        ("I hate checking it.\nReally.", "line 7, turn 2 (Joon)"),
        ("And calls?", "line 10, turn 3 (Interviewer)"),
        ("Calls are fine.", "line 12, turn 4 (Joon)"),
    ]
    assert all(INTERVIEW[unit.locator.start : unit.locator.end] == unit.text for unit in units(INTERVIEW))


def test_markdown_is_paragraphs_headings_and_items():
    """An item of a list or a row of a table is a unit; lines of a paragraph belong together."""
    text = (
        "## Findings\nPeople want\nless mail.\n\n- one tool\n- two tools\n  of them\n1. first\n\n| a | b |\n|---|---|\n"
    )
    assert [text for text, _ in shown(text)] == [
        "## Findings", "People want\nless mail.", "- one tool", "- two tools\n  of them", "1. first", "| a | b |",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "age,job\n34,Marketing Manager\n36,\n",
        "age;job\r\n34;Marketing Manager\r\n36;\r\n",
        'age\tjob\n34\t"Marketing Manager"\n\n36\t\n',
        "age|job\n 34 | Marketing Manager\n36|",
    ],
)
def test_a_table_is_rows_and_columns(text):
    """Each row has the names of its columns; each column is a unit with its numbers."""
    rows = [(unit.text, unit.locator.row, [field.name for field in unit.fields]) for unit in units(text)]
    assert rows == [
        ("age: 34; job: Marketing Manager", 1, ["age", "job"]),
        ("age: 36", 2, ["age"]),
        ("age: 2 of 2 rows filled, mean 35, median 35, from 34 to 36", None, []),
        ("job: 1 of 2 rows filled", None, []),
    ]


def test_a_field_has_its_place_in_the_text():
    """A report can show it."""
    (unit, *_) = units("age,job\n34,Cook\n35,Cook\n")
    assert [(field.name, unit.text[field.start : field.end]) for field in unit.fields] == [
        ("age", "34"),
        ("job", "Cook"),
    ]
    assert str(unit.locator) == "source 1, line 2, row 1"


def test_long_answers_of_a_table_are_units_of_their_own():
    """They have the name of their column, and are cut between sentences."""
    answer = "I like it very much. " * 200
    text = f"id,answer\n1,{answer}\n2,no\n3,yes\n"
    found = [unit for unit in units(text) if unit.locator.column == "answer" and unit.summary is None]
    assert len(found) == 3
    assert all(len(unit.text) <= 2000 and unit.text.endswith("much.") for unit in found)
    assert {(unit.locator.row, unit.locator.line) for unit in found} == {(1, 2)}


def test_objects_are_units_with_their_paths():
    """In JSON, JSON Lines and Python data, short values form one unit, and nested objects form their own."""
    records = [
        {
            "name": "Ann",
            "age": 34,
            "tools": ["Slack", "Jira"],
            "jobs": [{"title": "Cook"}],
            "remote": True,
            "note": None,
        },
        {"name": "Bob", "age": 36.0, "story": "It was so. " * 30},
    ]
    expected = [
        ("name: Ann; age: 34; tools: Slack; tools: Jira; remote: yes", "row 1, [0]"),
        ("title: Cook", "row 1, [0].jobs[0]"),
        (("It was so. " * 30).strip(), "row 2, [1].story"),
        ("name: Bob; age: 36", "row 2, [1]"),
        ("name: 2 of 2 rows filled", 'column "name"'),
        ("age: 2 of 2 rows filled, mean 35, median 35, from 34 to 36", 'column "age"'),
        ("remote: 1 of 2 rows filled", 'column "remote"'),
        ("story: 1 of 2 rows filled", 'column "story"'),
    ]
    for given_as in (records, json.dumps(records), "\n".join(map(json.dumps, records)), {"people": records}):
        found = [
            (text, place.replace("people", "").removeprefix("line 1, ").removeprefix("line 2, "))
            for text, place in shown(given_as)
        ]
        if given_as == {"people": records}:
            assert [text for text, _ in found] == [text for text, _ in expected]
        else:
            assert found == expected


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("WEBVTT\n\n00:01.000 --> 00:02.500\n<v Lee>You know\n", [("You know", 3, "Lee")]),
        ("1\n00:00:01,000 --> 00:00:02,000\nLee: You know\n", [("You know", 2, "Lee")]),
        ("start_time\tstop_time\tspeaker\tvalue\n1\t2\tLee\tYou know\n", [("You know", 2, "Lee")]),
        ('[{"text": "You know", "speaker": "Lee"}]', [("You know", 1, "Lee")]),
        ('{"language": "en",\n"segments": [{"start": 1, "text": "You know"}]}', [("You know", 2, None)]),
    ],
)
def test_transcripts_in_other_formats(text, turns):
    """Subtitles, tables of turns and segments are recognised by their beginning."""
    found = [unit for unit in units(text) if unit.locator.turn]
    assert [(unit.text, unit.locator.line, unit.locator.speaker) for unit in found] == turns
    transcript = read_transcript(text)
    assert units(transcript) == found
    assert all(transcript.text[unit.locator.start : unit.locator.end] == unit.text for unit in found)


def test_several_sources_have_names():
    """Sources have their own names, or their position; the order stays."""
    transcript = read_transcript(INTERVIEW, name="third")
    data = SourceData([INTERVIEW, ("notes", "It is so."), transcript, Source("Yes.", name="s"), {"age": 34}])
    assert data.names == ("source 1", "notes", "third", "s", "source 5")
    assert list(dict.fromkeys(unit.locator.source for unit in data.units())) == list(data.names)
    assert list(data.units()) == list(data.units())


def test_a_folder_is_read_in_the_order_of_names(tmp_path):
    """Folders inside are read; hidden files are skipped, and files of unknown kinds are named."""
    for name, text in {
        "b.csv": "age,job\n3,x\n4,y\n",
        "a.txt": "Ann: Hi.\nBob: Ho.\nAnn: Oh.\n", "c.docx": "x", "in/d.jsonl": '{"a": 1}\n',
        ".hidden.txt": "x", ".git/e.txt": "x", "in/f.MD": "# Yes\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    data = SourceData(tmp_path)
    assert data.names == ("a.txt", "b.csv", "in/d.jsonl", "in/f.MD")
    assert data.skipped == ("c.docx",)
    assert next(data.units()).locator.speaker == "Ann"
    assert SourceData(tmp_path / "b.csv").names == ("b.csv",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_mark(tmp_path, encoding):
    """A byte order mark selects the encoding, and does not count."""
    path = tmp_path / "notes.txt"
    path.write_bytes("Zoë likes 茶. 🦀\n".encode(encoding))
    assert [(unit.text, unit.locator.start) for unit in units(path)] == [("Zoë likes 茶. 🦀", 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one\ntwo \xeb", "notes.txt, line 2, column 5: not UTF-8; convert the file with `iconv"),
        (b"\xff\xfea\x00\x00\xdc", "notes.txt, line 1, column 2: not UTF-16"),
        (b"a\x00b\x00", "notes.txt: looks like UTF-16 without a byte order mark"),
        (b"a word\x00s", "notes.txt, line 1, column 7: a NUL character"),
        (b"ok" + bytes([0xE2, 0x82]), "notes.txt, line 1, column 3: not UTF-8"),
    ],
)
def test_other_encodings_are_clear_errors(tmp_path, content, message):
    """The error has the position of the first invalid byte, or the apparent format, and nothing of the text."""
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(SourceDataError) as refused:
        units(path)
    assert str(refused.value).startswith(message)
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    ("source_data", "error", "message"),
    [
        (None, TypeError, "source_data must be a text, a path or a sequence of sources, got NoneType"),
        (b"x", TypeError, "a source must be a str, a path, a Transcript, a Source or a mapping, got bytes"),
        ([5], TypeError, "a source must be a str, .* got int"),
        ([], ValueError, "source_data contains no source"),
        ("data.csv", ValueError, "looks like a file name"),
        (("a.txt", "b.txt"), ValueError, "looks like a file name"),
        ([("a", "x"), ("a", "y")], ValueError, 'two sources have the same name, "a"'),
    ],
)
def test_an_invalid_source_is_an_error(source_data, error, message):
    """The error names the type, or the remedy."""
    with pytest.raises(error, match=message):
        SourceData(source_data)


def nested(depth):
    """Return an object inside an object, and so on."""
    inner = {"job": "nurse"}
    for _ in range(depth):
        inner = {"a": inner}
    return inner


def circular():
    """Return a list of records that contains itself."""
    record = {"job": "nurse"}
    record["friends"] = [record]
    return [record]


@pytest.mark.parametrize(
    ("source_data", "error", "message"),
    [
        pytest.param(nested(5_000), SourceDataError, "source 1: nested too deeply", id="deep"),
        pytest.param(circular(), SourceDataError, "source 1: nested too deeply, or contains itself", id="circular"),
        pytest.param({34: "age"}, TypeError, "the keys of a source must be str, got int", id="key"),
        pytest.param([{"a": {None: "x"}}], TypeError, "the keys of a source must be str, got NoneType", id="inner-key"),
    ],
)
def test_an_object_that_is_no_json_is_an_error(source_data, error, message):
    """The error names the source or the type."""
    with pytest.raises(error, match=message):
        units(source_data)


def test_a_missing_file_is_an_error(tmp_path):
    """The error comes before anything is read."""
    with pytest.raises(FileNotFoundError):
        SourceData(tmp_path / "missing.csv")
    with pytest.raises(ValueError, match="a folder of sources has no readable file"):
        SourceData(tmp_path)


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.json", "a.jsonl", "a.md", "a"])
def test_an_empty_file(tmp_path, name):
    """It has no units; as JSON it is invalid."""
    path = tmp_path / name
    path.write_bytes(b"")
    if name == "a.json":
        with pytest.raises(SourceDataError, match=r"line 1, column 1: broken JSON: expecting value"):
            units(path)
    else:
        assert units(path) == []


@pytest.mark.parametrize("name", ["a.vtt", "a.srt"])
def test_broken_subtitles(tmp_path, name):
    """The line, and what was expected there."""
    path = tmp_path / name
    path.write_text("1\n00:99 --> x\nsecret\n", encoding="utf-8")
    with pytest.raises(SourceDataError, match=rf"{name}, line \d: expected") as refused:
        units(path)
    assert "secret" not in str(refused.value)


def test_a_unit_shows_no_text():
    """Its repr may end up in a log."""
    assert "secret" not in "".join(map(repr, units("secret,age\nsecret,3\nsecret,4\n")))
    assert "secret" not in "".join(map(repr, units("secret: hi\nother: secret\nsecret: ho")))
    assert repr(SourceData("secret")) == "SourceData(1 sources)"


@given(LINES)
def test_prose_is_covered(lines):
    """Units are slices of the text, in order and without overlap; no letter or digit is left out."""
    text = "\n".join(["An introduction of some length that is no table.", "", *lines])
    found = units(text)
    assert all(text[unit.locator.start : unit.locator.end] == unit.text for unit in found)
    assert all(unit.locator.line == text.count("\n", 0, unit.locator.start) + 1 for unit in found)
    ends = [0, *(unit.locator.end for unit in found)]
    assert all(end <= unit.locator.start for end, unit in zip(ends, found, strict=False))
    covered = {place for unit in found for place in range(unit.locator.start, unit.locator.end)}
    assert [place for place, character in enumerate(text) if character.isalnum() and place not in covered] == []

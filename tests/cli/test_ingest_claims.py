"""Inputs of claims: arguments, lines, JSON lines, notes in Markdown; and text that is no claim."""

import json

import pytest

from groundwire.cli.claims import claims_of_note

NOTE = """---
title: The mill
claims: none here
---
# What we know about the mill

The mill burned down
in 1887.

- It was [rebuilt](adrs/0003.md), as ADR-3 says.
- Its owner
  - was a widow

    of sixty

> It stood by the river.

```
maybe = None
```

<div>no claim</div>

Setext heading
--------------
The *last* one.
"""


def contents(result):
    """Return the claims of a report by location."""
    return {claim["name"]: claim["content"] for claim in result.report["claims"]}


def test_a_note_claims_its_paragraphs_and_items():
    """Claims have their lines; headings, code, HTML and front matter are no claims."""
    assert list(claims_of_note(NOTE)) == [
        (7, "The mill burned down in 1887."),
        (10, "It was [rebuilt](adrs/0003.md), as ADR-3 says."),
        (11, "Its owner"),
        (12, "was a widow"),
        (14, "of sixty"),
        (16, "It stood by the river."),
        (26, "The *last* one."),
    ]


@pytest.mark.parametrize(
    "note",
    [
        pytest.param("", id="empty"),
        pytest.param("# Only\n\n## headings\n", id="headings"),
        pytest.param("---\ntitle: x\n---\n", id="front-matter"),
        pytest.param("---\r\ntitle: x\r\n---\r\n", id="front-matter-of-windows"),
    ],
)
def test_a_note_may_claim_nothing(note):
    """This is not an error."""
    assert list(claims_of_note(note)) == []


def test_two_lines_of_dashes_further_down_are_no_front_matter():
    """The text between them is a claim."""
    assert list(claims_of_note("One.\n\n---\n\nTwo.\n\n---\n")) == [(1, "One."), (5, "Two.")]


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        pytest.param(">" * 10_000 + " deep\n\nPlain.\n", ["deep", "Plain."], id="quotations"),
        pytest.param(
            "\n".join(f"{'  ' * depth}- item {depth}" for depth in range(300)),
            [f"item {depth}" for depth in range(300)],
            id="lists",
        ),
        pytest.param("1. one\n2.\n3. three\n\n***\n\n-\n", ["one", "three"], id="empty-items"),
        pytest.param("[a]: http://x.example\n[b]: y.md\n\nSee [a].\n", ["See [a]."], id="targets-of-links"),
        pytest.param("Two\r\nlines.\r\rThree\n", ["Two lines.", "Three"], id="line-ends"),
    ],
)
def test_no_paragraph_is_left_out(note, expected):
    """Nested paragraphs are read at any depth; a text without letters is no claim."""
    assert [claim for _, claim in claims_of_note(note)] == expected


def test_each_form_is_read_by_its_suffix(run, write):
    """The order is that of the command line, with arguments first."""
    write("notes.md", "# Mill\n\n- The mill is closed.\n")
    write("lines.txt", "\ufeff  The weir is open.  \r\n\r\nThe river is low.\n")
    write("claims.jsonl", '{"content": "The bridge is new."}\n\n"The road is old."\n')
    files = [option for name in ("notes.md", "lines.txt", "claims.jsonl") for option in ("--file", name)]
    assert contents(run("ingest", "The sky is grey.", *files, "-f", "json")) == {
        "claim 1": "The sky is grey.",
        "notes.md:3": "The mill is closed.",
        "lines.txt:1": "The weir is open.",
        "lines.txt:3": "The river is low.",
        "claims.jsonl:1": "The bridge is new.",
        "claims.jsonl:3": "The road is old.",
    }


def test_arguments_may_be_files(run, write):
    """Tools that pass names of files, such as xargs and pre-commit, need no option for each."""
    write("a b.md", "The mill is closed.\n")
    write("lines.txt", "The weir is open.\n")
    write("more.txt", "The river is low.\n")
    result = run("ingest", "--from-files", "a b.md", "lines.txt", "--file", "more.txt", "-f", "json")
    assert list(contents(result)) == ["more.txt:1", "a b.md:1", "lines.txt:1"]
    missing = run("ingest", "--from-files", "The sky is grey.")
    assert (missing.code, missing.stdout) == (2, "")
    assert "no file `The sky is grey.`" in missing.stderr


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        pytest.param(b"The mill is closed.\n", [], "The mill is closed.", id="text"),
        pytest.param(b'\n {"content": "The mill is closed."}', [], "The mill is closed.", id="json"),
        pytest.param(b'"The mill is closed."', [], "The mill is closed.", id="json-string"),
        pytest.param(b"- The mill\n  is closed.", ["markdown"], "The mill is closed.", id="markdown-by-name"),
        pytest.param(b'"The mill"', ["text"], '"The mill"', id="text-by-name"),
    ],
)
def test_standard_input_is_read_by_its_content(run, content, options, expected):
    """An option may name the format instead."""
    chosen = [each for option in options for each in ("--input-format", option)]
    result = run("ingest", "--file", "-", *chosen, "-f", "json", stdin=content)
    assert [*contents(result).values()] == [expected]
    assert next(iter(contents(result))).startswith("<stdin>:")


def test_times_and_metadata_are_kept_with_the_memory(run, write, tmp_path):
    """They are stored as the line gives them."""
    from groundwire.memory import MemoryStore

    line = {
        "content": "The mill is closed.",
        "source": "user",
        "capture_time": "2026-01-31T12:00:00Z",
        "validity_horizon": "2027-01-31T12:00:00+01:00",
        "metadata": {"ticket": 7},
    }
    write("claims.jsonl", json.dumps(line))
    assert run("ingest", "--file", "claims.jsonl", "--database", "memory.db").code == 0
    with MemoryStore(tmp_path / "memory.db") as store:
        (memory,) = store.find("local")
    assert memory.capture_time.isoformat() == "2026-01-31T12:00:00+00:00"
    assert memory.validity_horizon.isoformat() == "2027-01-31T11:00:00+00:00"
    assert memory.metadata == {"ticket": 7}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param('{"content": "ZEBRA"', "invalid JSON at column 20", id="broken"),
        pytest.param('["ZEBRA"]', 'must be a str or an object with "content", got list', id="list"),
        pytest.param('{"text": "ZEBRA"}', 'has no "content"', id="no-content"),
        pytest.param('{"content": "ZEBRA", "content": "ZEBRA"}', 'the key "content" is repeated', id="repeated-key"),
        pytest.param('{"content": null}', '"content" must be a str, got null', id="content-null"),
        pytest.param('{"content": ""}', "content is empty", id="empty"),
        pytest.param('{"content": " \\u200b\\n"}', "content is blank", id="blank"),
        pytest.param('{"content": "ZEBRA\\u0000"}', "content holds a NUL character", id="nul"),
        pytest.param('{"content": "ZEBRA\\ud800"}', "content holds a lone surrogate", id="surrogate"),
        pytest.param('{"content": "ZEBRA\x1b"}', "invalid control character", id="control-character-in-json"),
        pytest.param('{"content": "ZEBRA", "type": 7}', '"type" must be a str, got int', id="type"),
        pytest.param('{"content": "ZEBRA", "source": ["user"]}', '"source" must be a str, got list', id="source-list"),
        pytest.param('{"content": "ZEBRA", "user": ""}', "user_id is empty", id="user-empty"),
        pytest.param(
            json.dumps({"content": "ZEBRA", "user": "x" * 300}),
            "user_id has 300 characters; at most 256",
            id="user-long",
        ),
        pytest.param('{"content": "ZEBRA", "id": 1.5}', '"id" must be a str or an int, got float', id="id"),
        pytest.param(
            '{"content": "ZEBRA", "capture_time": "YAK"}', '"capture_time" must be a time as 2026-', id="no-time"
        ),
        pytest.param(
            '{"content": "ZEBRA", "validity_horizon": "2026-01-31"}',
            '"validity_horizon" has no time zone',
            id="no-zone",
        ),
        pytest.param('{"content": "ZEBRA", "metadata": []}', '"metadata" must be an object, got list', id="metadata"),
        pytest.param(
            '{"content": "ZEBRA", "metadata": {"a": NaN}}', '"metadata" holds NaN or Infinity', id="metadata-nan"
        ),
        pytest.param('{"content": "ZEBRA", "parents": "YAK"}', '"parents" must be a list of the ids', id="parents"),
        pytest.param("[" * 100_000, "JSON is nested too deeply", id="deep"),
        pytest.param('{"content": "ZEBRA", "id": ' + "9" * 10_000 + "}", "a number has too many digits", id="digits"),
        pytest.param(b'{"content": "ZEBRA \xff"}', "is not UTF-8: invalid byte at offset 19", id="not-utf-8"),
    ],
)
def test_an_invalid_claim_is_reported_and_the_rest_continues(run, write, line, message):
    """The message has the line and the expected type, never the text; the exit code is 2."""
    good = b'{"content": "The mill is closed."}'
    write("claims.jsonl", b"\n".join([good, line if isinstance(line, bytes) else line.encode("utf-8"), good]))
    result = run("ingest", "--file", "claims.jsonl", "-f", "json")
    assert result.code == 2
    assert [claim["line"] for claim in result.report["claims"]] == [1, 3]
    error, hint = result.stderr.splitlines()
    assert error.startswith("error: ")
    assert "claims.jsonl, line 2" in error
    assert message in error
    assert hint.startswith('hint: a line of JSON must be a str or {"content": "…"}')
    assert not [word for word in ("ZEBRA", "YAK", "mill") if word in result.stderr]


def test_a_line_that_is_not_utf_8_stops_no_other(run, write):
    """A text is read line by line, a note only as a whole."""
    write("lines.txt", b"ZEBRA \xff\nThe mill is closed.\n")
    write("note.md", b"ZEBRA \xff\n")
    result = run("ingest", "--file", "lines.txt", "--file", "note.md", "-f", "json")
    assert (result.code, contents(result)) == (2, {"lines.txt:2": "The mill is closed."})
    assert result.stderr == (
        "error: `lines.txt, line 1` is not UTF-8: invalid byte at offset 6\n"
        "error: `note.md` is not UTF-8: invalid byte at offset 6\n"
    )


@pytest.mark.parametrize("name", ["empty.txt", "empty.jsonl", "headings.md"])
def test_no_claims_at_all_are_an_error(run, write, name):
    """An empty input does not pass."""
    write(name, "# Heading\n" if name.endswith(".md") else " \n\n")
    result = run("ingest", "--file", name)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: the input contains no claims\nhint: ")


def test_control_characters_of_a_claim_are_spelled_out(run):
    """Every form for people shows them, and the claim goes to review."""
    for form in ("text", "markdown", "html"):
        result = run("ingest", "The mill\x1b[31m is \u202eclosed.", "--source", "user", "-f", form)
        assert result.code == 1
        assert "\x1b" not in result.stdout
        assert "\u202e" not in result.stdout
        assert "\\x1b" in result.stdout


def test_a_claim_of_a_megabyte_goes_to_review(run, write):
    """It is not read, and the report says so; the page shows its beginning."""
    write("long.txt", "mill " * 200_000)
    result = run("ingest", "--file", "long.txt", "--source", "user", "-f", "json")
    (claim,) = result.report["claims"]
    assert (result.code, claim["code"], claim["checks_failed"]) == (1, "too_long", ["too_long: 999999 characters"])
    page = run("ingest", "--file", "long.txt", "-f", "html").stdout
    assert "and 979,999 more characters" in page
    assert len(page) < 100_000

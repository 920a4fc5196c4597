"""Errors of `groundwire validate`: one clear line, exit code 2, and no text of a persona or source."""

import os

import pytest

ZEBRA = {"age": 34, "bio": "ZEBRA leads a team."}
SURVEY = "name,age\nZEBRA,34\n"


def failed(result):
    """Check that a run reported an error and nothing else, and return the message."""
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr
    assert "ZEBRA" not in result.stderr
    return result.stderr


@pytest.fixture
def files(write, tmp_path):
    """Return personas, a source, and files that are neither."""
    write("personas.json", ZEBRA)
    write("data.csv", SURVEY)
    write("policies.toml", '[policies]\nname = "fake"\n')
    write("broken.toml", "[policies\n")
    write("none.toml", "x = 1\n")
    write("latin.toml", b"# \xff\n")
    write("latin.csv", b"name\ncaf\xe9\n")
    write("nul.txt", "ZEBRA \0 x\n")
    write("broken.csv", 'name,age\n"ZEBRA,34\n')
    write("wide.csv", "name,age\nZEBRA,34,5\n")
    write("broken.json", '{"ZEBRA": [1,]}')
    (tmp_path / "empty").mkdir()
    (tmp_path / "a").mkdir()
    write("a/data.csv", SURVEY)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        pytest.param([], "missing PERSONAS\nhint: ", id="nothing"),
        pytest.param(
            ["personas.json", "-s", "data.csv"],
            "missing --faithfulness\nhint: it is the only check so far",
            id="no-check",
        ),
        pytest.param(["personas.json", "--faithfulness"], "missing --source", id="no-source"),
        pytest.param(["personas.json", "-s", "data.csv", "-s", "data.csv"], "`data.csv` is given twice", id="twice"),
        pytest.param(["personas.json", "-s", "data.csv", "-s", "a/data.csv"], 'same name, "data.csv"', id="one-name"),
        pytest.param(["personas.json", "-s", "empty"], "no readable file", id="empty-folder"),
        pytest.param(["personas.json", "-s", "latin.csv"], "latin.csv, line 2, column 4: not UTF-8", id="encoding"),
        pytest.param(["personas.json", "-s", "nul.txt"], "nul.txt, line 1, column 7: a NUL character", id="nul"),
        pytest.param(["personas.json", "-s", "broken.csv"], "broken.csv, line 2", id="open-quotes"),
        pytest.param(["personas.json", "-s", "wide.csv"], "wide.csv, line 2", id="too-many-fields"),
        pytest.param(["personas.json", "-s", "broken.json"], "broken.json, line 1, column 14", id="broken-json"),
        pytest.param(["personas.json", "-s", "x" * 300], "file name too long", id="long-name"),
        pytest.param(["personas.json", "--threshold", "1.1"], "--threshold must be between 0 and 1", id="threshold"),
        pytest.param(["personas.json", "--threshold", "nan"], "--threshold must be between 0 and 1", id="nan"),
        pytest.param(["personas.json", "--min-score", "-1"], "--min-score must be between 0 and 1", id="min-score"),
        pytest.param(["personas.json", "--hhem=maybe"], "--hhem `maybe` is unknown; allowed: auto, require", id="hhem"),
        pytest.param(["personas.json", "--judge", "always"], "--judge `always` is unknown", id="judge"),
        pytest.param(["personas.json", "--judge", "both"], "--judge both needs a model", id="no-model"),
        pytest.param(["personas.json", "--field-policies", "nope.toml"], "no file `nope.toml`", id="no-policies"),
        pytest.param(
            ["personas.json", "--field-policies", "empty"], "`empty` is a directory, not a file", id="policies-folder"
        ),
        pytest.param(["personas.json", "--field-policies", "policies.toml"], "must be one of check, skip", id="policy"),
        pytest.param(["personas.json", "--field-policies", "broken.toml"], "`broken.toml`: ", id="broken-policies"),
        pytest.param(["personas.json", "--field-policies", "none.toml"], 'needs a table "policies"', id="no-table"),
        pytest.param(
            ["personas.json", "--field-policies", "latin.toml"], "`latin.toml` is not UTF-8", id="policies-latin"
        ),
    ],
)
@pytest.mark.usefixtures("files")
def test_errors_are_one_line(run, args, message):
    """The error comes before anything is written."""
    if args and "-s" not in args and "--faithfulness" not in args:
        args = [*args, "-s", "data.csv"]
    if args and message.partition("\n")[0] != "missing --faithfulness":
        args = [*args, "--faithfulness"]
    env = {"QUANTITATIVE_JUDGE_MODEL": ""} if "--judge" not in args else {}
    assert message in failed(run("validate", *args, env=env))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            '{"age": 34,\n "ZEBRA" 1}',
            "`personas.json`: broken JSON: expecting ':' delimiter (line 2, column 10)",
            id="json",
        ),
        pytest.param("ZEBRA", "broken JSON: expecting value (line 1, column 1)", id="no-json"),
        pytest.param("zebra.json", "broken JSON: expecting value (line 1, column 1)", id="like-a-file"),
        pytest.param("", "broken JSON: expecting value (line 1, column 1)", id="empty-file"),
        pytest.param('{"age": NaN}', "broken JSON: NaN is not valid JSON", id="nan"),
        pytest.param('{"a": 1, "a": 2}', 'an object has the key "a" twice', id="key-twice"),
        pytest.param("[" * 100 + "]" * 100, "nested in more than 64 levels", id="deep"),
        pytest.param("3", "a persona must be an object with fields, got int", id="a-number"),
        pytest.param('["ZEBRA"]', "a persona must be an object", id="a-text"),
        pytest.param("[]", "`personas.json` contains no personas", id="none"),
        pytest.param('{"personas": []}', "`personas.json` contains no personas", id="none-inside"),
        pytest.param(b'{"bio": "ZEBRA \xff"}', "`personas.json` is not UTF-8: invalid byte at offset 15", id="latin-1"),
        pytest.param("{}".encode("utf-16"), "it looks like UTF-16", id="utf-16"),
    ],
)
@pytest.mark.usefixtures("files")
def test_broken_personas_are_reported_with_their_location(run, write, content, message):
    """The message has line and column, and no text."""
    write("personas.json", content)
    assert message in failed(run("validate", "personas.json", "--faithfulness", "--source", "data.csv"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
@pytest.mark.usefixtures("files")
def test_forbidden_source_is_named(run, tmp_path):
    """A file without permission is an input error."""
    (tmp_path / "data.csv").chmod(0)
    assert "permission denied" in failed(run("validate", "personas.json", "--faithfulness", "--source", "data.csv"))


@pytest.mark.usefixtures("files")
def test_nothing_is_written_where_something_is_wrong(run, tmp_path):
    """No partial report is left."""
    run("validate", "personas.json", "--faithfulness", "--source", "wide.csv", "--report", "out.md")
    assert not (tmp_path / "out.md").exists()


@pytest.mark.usefixtures("files")
def test_warnings_hold_no_text(run):
    """Neither does the rest of standard error."""
    args = ("validate", "personas.json", "--faithfulness", "--source", "data.csv")
    asked = ("--embedder", "nobody-has-this", "--hhem", "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    env = {"QUANTITATIVE_JUDGE_MAX_RETRIES": "0", "OPENAI_API_KEY": "", "GROUNDWIRE_HHEM": ""}
    result = run(*args, *asked, env=env)
    assert (result.code, "ZEBRA" in result.stdout) == (0, True)
    assert all(line.startswith("warning: ") for line in result.stderr.splitlines())
    assert "ZEBRA" not in result.stderr

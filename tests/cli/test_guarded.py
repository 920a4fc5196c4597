"""`groundwire check` by the guarded policy, from end to end."""

import json

import pytest

VTT = (
    "WEBVTT\n\n00:01:02.000 --> 00:01:04.000\n<v Ann>He rings\n\n00:01:05.000 --> 00:01:07.500\n<v Ann>every Sunday.\n"
)


@pytest.mark.parametrize(
    ("quote", "status", "code"),
    [
        pytest.param("I can't slepe at night", "near", 0, id="slip"),
        pytest.param("I can sleep at night", "altered", 1, id="dropped-negation"),
        pytest.param("I can't … at night", "elided", 0, id="honest-ellipsis"),
    ],
)
def test_meaning_decides_not_the_score(run, write, interview, quote, status, code):
    """A slip of the pen passes; a dropped negation does not, whatever the threshold."""
    write("q.json", [quote])
    result = run("check", interview, "-q", "q.json", "-f", "json")
    assert (result.code, result.stderr, result.report["quotes"][0]["status"]) == (code, "", status)


def test_threshold_is_that_of_near_quotes(run, write, interview):
    """Above its score a slip is absent."""
    write("q.json", ["I can't slepe at night"])
    result = run("check", interview, "-q", "q.json", "-f", "json", "--threshold", "0.99")
    assert (result.code, result.report["quotes"][0]["status"]) == (1, "absent")
    assert result.report["settings"]["threshold"] == 0.99


def test_transcript_is_read_in_the_format_of_its_content(run, write):
    """A quote over two cues is found, with speaker and time, whatever the file is called."""
    write("call.txt", VTT)
    write("q.json", ["He rings every Sunday"])
    report = run("check", "call.txt", "-q", "q.json", "-f", "json").report
    (place,) = report["quotes"][0]["places"]
    assert report["transcripts"][0]["format"] == "webvtt"
    assert [(turn["speaker"], turn["start_time_s"], turn["line"]) for turn in place["turns"]] == [
        ("Ann", 62.0, 3),
        ("Ann", 65.0, 6),
    ]
    assert "Ann at 0:01:02" in run("check", "call.txt", "-q", "q.json").stdout


def test_speakers_limit_who_may_be_quoted(run, write, interview):
    """What somebody else says is not accepted; names compare without case."""
    write("q.json", ["How do you sleep", "Work is fine"])
    result = run("check", interview, "-q", "q.json", "-f", "json", "--speaker", "MAX")
    assert (result.code, [each["status"] for each in result.report["quotes"]]) == (1, ["wrong_speaker", "exact"])
    both = run("check", interview, "-q", "q.json", "--speaker", "Max", "--speaker", "Ellie")
    assert both.code == 0


@pytest.mark.parametrize("option", ["--min-words", "--min-chars"])
def test_short_quotes_are_not_accepted(run, write, interview, option):
    """The status says that it is there, the reason why it does not count."""
    write("q.json", ["Work"])
    result = run("check", interview, "-q", "q.json", "-f", "json", option, "5")
    (quote,) = result.report["quotes"]
    assert (result.code, quote["status"], quote["accepted"]) == (1, "exact", False)
    assert [reason["code"] for reason in quote["reasons"]] == ["too_short"]


@pytest.mark.parametrize("source", ["sub/a.txt", "a.txt"], ids=["as-given", "without-its-folder"])
def test_quote_is_looked_for_in_the_source_that_it_names(run, write, tmp_path, source):
    """What only another transcript has is found elsewhere; without a source any will do."""
    (tmp_path / "sub").mkdir()
    write("sub/a.txt", "I sleep well.")
    write("b.txt", "I do not sleep.")
    quotes = [{"quote": "I do not sleep", "source": source}, {"quote": "I sleep well", "source": source}, "not sleep"]
    write("q.jsonl", "\n".join(map(json.dumps, quotes)))
    result = run("check", "b.txt", "sub/a.txt", "-q", "q.jsonl", "-f", "json")
    assert [(each["status"], each["cited"], each["places"][0]["name"]) for each in result.report["quotes"]] == [
        ("found_elsewhere", 2, "b.txt"),
        ("exact", 2, "sub/a.txt"),
        ("exact", None, "b.txt"),
    ]


@pytest.mark.parametrize(
    ("transcripts", "quote", "args", "error"),
    [
        pytest.param(
            ["plain.txt"],
            "MARKER",
            ["--speaker", "Max"],
            "--speaker needs transcripts with speakers; `plain.txt` names nobody",
            id="nobody",
        ),
        pytest.param(["plain.txt", "plain.txt"], "MARKER", [], "`plain.txt` is given twice", id="twice"),
        pytest.param(
            ["plain.txt"],
            {"quote": "MARKER", "source": "MARKER"},
            [],
            "quote 1 names a source that is none of the transcripts",
            id="unknown-source",
        ),
        pytest.param(
            ["plain.txt"],
            {"quote": "MARKER", "source": 7},
            [],
            'q.json: item 1: "source" must be a str, got int',
            id="int",
        ),
        pytest.param(["broken.vtt"], "MARKER", [], "`broken.vtt`, line 3: expected the times of a cue", id="broken"),
    ],
)
def test_wrong_input_is_one_line_without_text(run, write, transcripts, quote, args, error):
    """Exit code 2; file, line or number of the quote are named, what they say is not."""
    write("plain.txt", "MARKER said nothing.")
    write("broken.vtt", "WEBVTT\n\n00:01.000 --> MARKER\nHello.\n")
    write("q.json", [quote])
    result = run("check", *transcripts, "-q", "q.json", *args)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {error}")
    assert "MARKER" not in result.stderr


def test_text_that_is_the_name_of_a_file_is_a_text(run, write):
    """What the file holds is never opened."""
    write("t.txt", "other.txt")
    write("q.json", ["other.txt"])
    assert run("check", "t.txt", "-q", "q.json").code == 0

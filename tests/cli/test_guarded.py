"""`groundwire check` with the guarded policy, from end to end."""

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
    """A typo passes; a dropped negation does not, whatever the threshold."""
    write("q.json", [quote])
    result = run("check", interview, "-q", "q.json", "-f", "json")
    assert (result.code, result.stderr, result.report["quotes"][0]["status"]) == (code, "", status)


def test_threshold_is_that_of_near_quotes(run, write, interview):
    """A typo is absent above its score."""
    write("q.json", ["I can't slepe at night"])
    result = run("check", interview, "-q", "q.json", "-f", "json", "--threshold", "0.99")
    assert (result.code, result.report["quotes"][0]["status"]) == (1, "absent")
    assert result.report["settings"]["threshold"] == 0.99


def test_variants_of_characters_are_folded_on_request(run, write):
    """The report has the source's own words, and names the fold as a setting and as a reason; it is off by default."""
    text = "記者:報導說,公司沒有投資五百萬元。"
    write("talk.txt", text)
    write("q.json", ["公司没有投资五百万元", "公司投资五百万元", "公司没有投资三百万元"])
    result = run("check", "talk.txt", "-q", "q.json", "-f", "json", "--fold-variants", "--threshold", "0.8")
    assert (result.code, result.stderr, result.report["settings"]["fold_variants"]) == (1, "", True)
    assert [(each["status"], each["accepted"]) for each in result.report["quotes"]] == [
        ("normalized", True),
        ("altered", False),
        ("altered", False),
    ]
    codes = [[reason["code"] for reason in each["reasons"]] for each in result.report["quotes"]]
    assert [code for code, *_ in codes] == ["variants", "negation", "number"]
    (place,) = result.report["quotes"][0]["places"]
    assert text[place["start"] : place["end"]] == place["passage"] == "公司沒有投資五百萬元"
    for format_ in ("text", "markdown", "html"):
        shown = run("check", "talk.txt", "-q", "q.json", "-f", format_, "--fold-variants").stdout
        assert "variants of characters folded" in shown
    plain = run("check", "talk.txt", "-q", "q.json", "-f", "json")
    assert plain.report["settings"]["fold_variants"] is False
    assert not any(each["accepted"] for each in plain.report["quotes"])


def test_transcript_is_read_in_the_format_of_its_content(run, write):
    """A quote over two cues is found with speaker and time, whatever the file's name."""
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


def test_speakers_restrict_quotes(run, write, interview):
    """The words of other speakers are not accepted; names compare without case."""
    write("q.json", ["How do you sleep", "Work is fine"])
    result = run("check", interview, "-q", "q.json", "-f", "json", "--speaker", "MAX")
    assert (result.code, [each["status"] for each in result.report["quotes"]]) == (1, ["wrong_speaker", "exact"])
    both = run("check", interview, "-q", "q.json", "--speaker", "Max", "--speaker", "Ellie")
    assert both.code == 0


NAMED = {
    "json": '[{"quote": "Work is fine", "speaker": "Max"}, {"quote": "Work is fine", "speaker": "ellie"}]',
    "domains": '{"a": [{"quote": "Work is fine", "speaker": "Max"}, {"quote": "Work is fine", "speaker": "ellie"}]}',
    "jsonl": '{"quote": "Work is fine", "speaker": "Max"}\n{"quote": "Work is fine", "speaker": "ellie"}\n',
    "csv": "Speaker,Quote\nMax,Work is fine\nellie,Work is fine\n",
}


@pytest.mark.parametrize("content", NAMED.values(), ids=NAMED.keys())
def test_each_quote_may_name_its_speaker(run, write, interview, content):
    """Ruling A20: this holds in every format of quotes with names; the report names the actual speaker."""
    write("q.txt", content)
    result = run("check", interview, "-q", "q.txt", "-f", "json")
    named = [(each["speaker"], each["status"], each["accepted"]) for each in result.report["quotes"]]
    assert named == [("Max", "exact", True), ("ellie", "wrong_speaker", False)]
    assert result.code == 1
    shown = run("check", interview, "-q", "q.txt").stdout
    assert "(Found, but spoken by someone else: Max.)" in shown


def test_a_name_that_cannot_be_checked_is_no_pass(run, write, interview):
    """Ruling A20: an unknown speaker, a page or a blank name is a reason of its own row."""
    rows = [
        {"quote": "Work is fine", "speaker": "George"},
        {"quote": "Work is fine", "page": 2},
        {"quote": "Work is fine", "page": "2"},
        {"quote": "Work is fine", "speaker": " ", "source": "", "page": None},
    ]
    write("q.json", rows)
    result = run("check", interview, "-q", "q.json", "-f", "json")
    assert [[reason["code"] for reason in each["reasons"]] for each in result.report["quotes"]] == [
        ["wrong_speaker", "unknown_speaker"],
        ["page_not_checked"],
        ["page_not_checked"],
        [],
    ]
    assert [each["accepted"] for each in result.report["quotes"]] == [False, False, False, True]
    assert [each["page"] for each in result.report["quotes"]] == [None, 2, 2, None]


def test_a_quote_over_a_change_of_speaker_may_be_refused(run, write, interview):
    """Ruling A20: it is flagged in either case."""
    write("q.json", ["How do you sleep? I can’t sleep at night."])
    flagged = run("check", interview, "-q", "q.json", "-f", "json")
    refused = run("check", interview, "-q", "q.json", "-f", "json", "--single-speaker")
    for result, code in ((flagged, 0), (refused, 1)):
        assert result.code == code
        assert "across_turns" in [reason["code"] for reason in result.report["quotes"][0]["reasons"]]


@pytest.mark.parametrize(
    ("source", "transcripts"),
    [("c.txt", ["a.txt", "b.txt"]), ("c.txt", ["a.txt"]), ("same.txt", ["x/same.txt", "y/same.txt"])],
    ids=["unknown", "unknown-of-one", "of-two"],
)
def test_a_source_that_is_not_known_is_the_error_of_its_row(run, write, tmp_path, source, transcripts):
    """The other quotes have their verdicts, and the exit code is not 0."""
    for name in transcripts:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(name, "I sleep well.")
    write("q.json", [{"quote": "I sleep well", "source": source}, "I sleep well"])
    result = run("check", *transcripts, "-q", "q.json", "-f", "json")
    unknown, known = result.report["quotes"]
    assert (result.code, result.stderr) == (1, "")
    assert (unknown["status"], unknown["accepted"], unknown["source"], unknown["cited"]) == (
        "absent",
        False,
        source,
        None,
    )
    assert [reason["code"] for reason in unknown["reasons"]] == ["unknown_source"]
    assert (known["status"], known["accepted"]) == ("exact", True)
    assert f"“{source}”" in run("check", *transcripts, "-q", "q.json").stdout


def test_an_absent_quote_shows_the_nearest_passage(run, write, interview):
    """Ruling A21: all reports show its place, score and differences; it is not accepted."""
    write("q.json", ["Wrok was not fine at all"])
    result = run("check", interview, "-q", "q.json", "-f", "json")
    (quote,) = result.report["quotes"]
    assert (result.code, quote["status"], quote["places"], quote["score"]) == (1, "absent", [], None)
    nearest = quote["nearest"]
    assert (nearest["name"], nearest["line"], nearest["column"]) == ("interview.txt", 3, 6)
    assert nearest["passage"].startswith("Work is fine")
    assert [turn["speaker"] for turn in nearest["turns"]] == ["Max"]
    assert 0 < nearest["score"] < 0.85
    assert "negation" in [each["kind"] for each in nearest["differences"]]
    score = f"score {int(nearest['score'] * 1000) / 1000:.3f}"
    for form in ("text", "markdown", "html"):
        shown = run("check", interview, "-q", "q.json", "-f", form).stdout
        assert "not accepted" in shown
        assert score in shown
    assert "[-Work-]{+Wrok+}" in run("check", interview, "-q", "q.json").stdout


def test_an_altered_quote_at_a_high_score_is_explained(run, write):
    """The score compares characters, so it may be near 1 although the meaning differs."""
    write("t.txt", "The patient takes 15 mg of the drug every evening, and she sleeps well.")
    for quote, is_explained in (
        ("takes 50 mg of the drug every evening, and she sleeps well", True),
        ("sleeps", False),
    ):
        write("q.json", [quote])
        for form in ("text", "markdown"):
            shown = run("check", "t.txt", "-q", "q.json", "-f", form).stdout
            assert ("The score compares characters, the verdict compares meaning." in shown) is is_explained


@pytest.mark.parametrize("option", ["--min-words", "--min-chars"])
def test_short_quotes_are_not_accepted(run, write, interview, option):
    """The status says that the quote was found, and the reason why it is not accepted."""
    write("q.json", ["Work"])
    result = run("check", interview, "-q", "q.json", "-f", "json", option, "5")
    (quote,) = result.report["quotes"]
    assert (result.code, quote["status"], quote["accepted"]) == (1, "exact", False)
    assert [reason["code"] for reason in quote["reasons"]] == ["too_short"]


@pytest.mark.parametrize("source", ["sub/a.txt", "a.txt"], ids=["as-given", "without-its-folder"])
def test_a_quote_is_searched_in_the_source_that_it_names(run, write, tmp_path, source):
    """A quote from another transcript is found elsewhere; without a source any transcript counts."""
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
            "--speaker requires transcripts that name speakers; `plain.txt` names none",
            id="nobody",
        ),
        pytest.param(["plain.txt", "plain.txt"], "MARKER", [], "`plain.txt` is given twice", id="twice"),
        pytest.param(
            ["plain.txt"],
            {"quote": "MARKER", "speaker": "MARKER"},
            ["--policy", "literal"],
            "quote 1 names a speaker, which --policy literal does not check",
            id="speaker-of-a-literal-quote",
        ),
        pytest.param(
            ["plain.txt"],
            {"quote": "MARKER", "page": 2},
            ["--policy", "literal"],
            "quote 1 names a page, which --policy literal does not check",
            id="page-of-a-literal-quote",
        ),
        pytest.param(
            ["plain.txt", "other.txt"],
            {"quote": "MARKER", "source": "other.txt"},
            ["--policy", "literal"],
            "quote 1 names a source, which --policy literal does not check",
            id="source-of-a-literal-quote",
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
    """Exit code 2; the message names file, line or number of the quote, and shows no text."""
    write("plain.txt", "MARKER said nothing.")
    write("other.txt", "Nothing was said.")
    write("broken.vtt", "WEBVTT\n\n00:01.000 --> MARKER\nHello.\n")
    write("q.json", [quote])
    result = run("check", *transcripts, "-q", "q.json", *args)
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {error}")
    assert "MARKER" not in result.stderr


def test_text_that_is_the_name_of_a_file_is_a_text(run, write):
    """The file of that name is never opened."""
    write("t.txt", "other.txt")
    write("q.json", ["other.txt"])
    assert run("check", "t.txt", "-q", "q.json").code == 0

"""`groundwire check` from end to end."""

import pytest

WORDS = "the quick brown fox jumps over a lazy dog while seven judges vote on big quartz "


@pytest.mark.parametrize("mode", ["substring", "fuzzy"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_planted_quote_is_found_at_its_place(run, write, mode, workers):
    """The span in the report is the place where the passage was inserted."""
    before, passage = WORDS * 300, "I’d mend  the <pause> log books"
    write("t.txt", before + passage + WORDS)
    write("q.json", ["I'd mend the log books"])
    args = ["check", "t.txt", "-q", "q.json", "-f", "json", "--mode", mode, "--workers", workers]
    (place,) = run(*args).report["quotes"][0]["places"]
    assert (len(before), len(before) + len(passage), passage) == (place["start"], place["end"], place["passage"])
    assert place["kind"] == "normalized"


def test_fuzzy_mode_accepts_from_the_threshold_on(run, write, interview):
    """A typo is absent as a substring, fuzzy from the threshold on, and absent again above its score."""
    write("q.json", ["I can't slepe at night"])

    def status(*args):
        result = run("check", interview, "-q", "q.json", "-f", "json", "--policy", "literal", *args)
        return result.code, result.report["quotes"][0]["status"]

    assert status() == (1, "absent")
    assert status("--mode", "fuzzy") == (0, "fuzzy")
    assert status("--mode", "fuzzy", "--threshold", "0.99") == (1, "absent")


def test_quote_is_grounded_when_one_of_several_transcripts_holds_it(run, write):
    """The report lists the transcripts that contain it, best place first."""
    write("a.txt", "I CAN'T SLEEP")
    write("b.txt", "He said: I can't sleep")
    write("c.txt", "nothing")
    write("q.json", ["I can't sleep", "He said"])
    result = run("check", "a.txt", "b.txt", "c.txt", "-q", "q.json", "-f", "json", "--policy", "literal")
    first, second = result.report["quotes"]
    assert [(place["name"], place["transcript"], place["kind"]) for place in first["places"]] == [
        ("b.txt", 2, "exact"),
        ("a.txt", 1, "normalized"),
    ]
    assert [place["name"] for place in second["places"]] == ["b.txt"]
    assert (result.code, [each["grounded"] for each in result.report["transcripts"]]) == (0, [1, 2, 0])


def test_report_keeps_the_order_of_the_input(run, write, interview):
    """Quotes and domains stay as the model gave them, and two runs agree to the byte."""
    write("q.json", {"z": ["Work", "nope"], "a": ["sleep"], "m": []})
    first, second = (run("check", interview, "-q", "q.json", "-f", "json") for _ in range(2))
    assert first.stdout == second.stdout
    assert [(q["domain"], q["quote"]) for q in first.report["quotes"]] == [("z", "Work"), ("z", "nope"), ("a", "sleep")]
    assert [
        (count["domain"], count["quotes"], count["grounded"]) for count in first.report["summary"]["by_domain"]
    ] == [("z", 2, 1), ("a", 1, 1), ("m", 0, 0)]


@pytest.mark.parametrize(
    ("args", "policy"), [([], "guarded"), (["--mode", "substring"], "literal")], ids=["nothing", "mode"]
)
def test_policy_is_guarded_unless_a_mode_is_named(run, write, interview, args, policy):
    """The report names the policy; a mode belongs to the literal one."""
    write("q.json", ["sleep"])
    plain, named = (
        run("check", interview, "-q", "q.json", "-f", "json", *each) for each in (args, ["--policy", policy])
    )
    assert plain == named
    assert plain.report["settings"]["policy"] == policy


@pytest.mark.parametrize("report_format", ["text", "json", "jsonl", "markdown", "html"])
def test_hostile_text_crashes_no_report(run, write, report_format):
    """Control characters, markup, lone surrogates and overrides are printed in a visible form, in UTF-8."""
    hostile = "\x00\x1b[2J<script>alert(1)</script>\x9b\u202e`|``\ufffe](http://x)"
    # JSON quotes may contain a NUL, text files may not.
    write("t.txt", hostile.replace("\x00", "\x01"))
    write("q.json", {"\x1b<b>|`": [hostile, "\ud800", "\x07<img src=x>"]})
    result = run("check", "t.txt", "-q", "q.json", "-f", report_format)
    assert (result.code, result.stderr) == (1, "")
    assert not {"\x00", "\x07", "\x1b", "\x9b"} & set(result.stdout)


def test_a_table_without_speakers_is_searched_row_by_row(run, write):
    """A quote may span two rows without a speaker, and has the lines and times of the rows."""
    write("rows.csv", 'start,end,text\n0,1.5,"I wake up, often"\n1.5,2,and lie there.\n')
    write("quotes.json", ["I wake up, often and lie there", "I sleep"])
    result = run("check", "rows.csv", "-q", "quotes.json", "-f", "json")
    found, absent = result.report["quotes"]
    assert (found["status"], found["accepted"], found["reasons"]) == ("exact", True, [])
    assert [(turn["speaker"], turn["line"], turn["start_time_s"]) for turn in found["places"][0]["turns"]] == [
        (None, 2, 0.0),
        (None, 3, 1.5),
    ]
    assert (absent["status"], result.report["transcripts"][0]["format"]) == ("absent", "csv")


@pytest.mark.parametrize("content", ["text\nI sleep\nwell\n", "speaker,text\n,I sleep\n,well\n"])
def test_a_table_without_speakers_has_none_to_choose(run, write, content):
    """The error says what `--speaker` needs."""
    write("rows.csv", content)
    write("quotes.json", ["I sleep"])
    result = run("check", "rows.csv", "-q", "quotes.json", "--speaker", "Max")
    assert result == (2, "", "error: --speaker requires transcripts that name speakers; `rows.csv` names none\n")

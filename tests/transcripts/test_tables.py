"""Tables with tabs: one row, one turn."""

import pytest

from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import flags, lines, said, times

HEAD = "start_time\tstop_time\tspeaker\tvalue\n"


def test_rows_become_turns():
    """A row keeps its time; the label of a continuing speaker is not repeated."""
    transcript = read_transcript(
        HEAD + "36.588\t39.668\tEllie\thi i'm ellie\n39.9\t40.1\tEllie\tso\n62.3\t\tParticipant\tgood\n"
    )
    assert transcript.format == "tsv"
    assert transcript.text == "Ellie: hi i'm ellie\nso\nParticipant: good\n"
    assert said(transcript) == [("Ellie", "hi i'm ellie"), ("Ellie", "so"), ("Participant", "good")]
    assert times(transcript) == [(36.588, 39.668), (39.9, 40.1), (62.3, None)]
    assert lines(transcript) == [2, 3, 4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Speaker\tText\tEnd\tStart\tx\nAnn\ta\t2\t1\ty\n", [("Ann", "a")], id="other-order-and-case"),
        pytest.param(
            "\ufeff" + HEAD.replace("\n", "\r\n") + "1\t2\tAnn\ta\r\n\r\n3\t4\tBob\tb",
            [("Ann", "a"), ("Bob", "b")],
            id="crlf",
        ),
        pytest.param(
            HEAD + '1\t2\tAnn\t"no\n3\t4\tBob\tb"\n', [("Ann", '"no'), ("Bob", 'b"')], id="quotation-marks-are-said"
        ),
        pytest.param(HEAD + '1\t2\tAnn\t"say ""no"""\n', [("Ann", 'say "no"')], id="quoted-field"),
        pytest.param(
            HEAD + '1\t2\tAnn\t"no" or "yes"\n', [("Ann", '"no" or "yes"')], id="two-quotes-are-no-quoted-field"
        ),
        pytest.param(HEAD + "1\t2\t\ta\n", [(None, "a")], id="no-speaker"),
        pytest.param(HEAD + "1\t2\tAnn\t\n", [("Ann", "")], id="no-words"),
        pytest.param(HEAD, [], id="no-rows"),
    ],
)
def test_fields(text, expected):
    """Columns go by their names, quotes around a field only if they are paired."""
    assert said(read_transcript(text)) == expected


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        pytest.param("0:01.5\t1:00:02", (1.5, 3602.0), id="clocks"),
        pytest.param("1e-05\t2", (1e-05, 2.0), id="exponent"),
        pytest.param("\t", (None, None), id="empty"),
        pytest.param("-1\t99:99", (None, None), id="unreadable"),
        pytest.param("-0:01\t1:2:3:4", (None, None), id="no-clock"),
    ],
)
def test_times(row, expected):
    """Times are seconds or clocks; an invalid one is flagged."""
    transcript = read_transcript(HEAD + row + "\tAnn\ta\n")
    assert times(transcript) == [expected]
    assert flags(transcript) == [{"unreadable_time"} if row.startswith("-") else set()]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        pytest.param("", 1, "a header with a column", id="nothing"),
        pytest.param("a\tb\n", 1, "a header with a column", id="other-columns"),
        pytest.param(HEAD + "1\t2\tAnn\n", 2, "4 columns, as in the first line, got 3", id="fewer"),
        pytest.param(HEAD + "\n1\t2\tAnn\ta\tb\n", 3, "4 columns, as in the first line, got 5", id="more"),
        pytest.param(HEAD + "1\t2\tAnn\ta\nx\t2\tAnn\ta\n", 3, "a time in seconds", id="time"),
        pytest.param(HEAD + "nan\t2\tAnn\ta\n", 2, "a time in seconds", id="nan"),
    ],
)
def test_broken_files(text, line, expected):
    """The error has the line and the expected syntax."""
    with pytest.raises(TranscriptError, match=f"^line {line}: expected {expected}") as caught:
        read_transcript(text, format="tsv")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            'start,end,speaker,text\n0,1,Ann,"Well, ""no""."\n1,2,Bob,Oh.\n',
            [("Ann", 'Well, "no".'), ("Bob", "Oh.")],
            id="commas",
        ),
        pytest.param('\ufeffText;Speaker\n"a; b";Ann\n', [("Ann", "a; b")], id="semicolons-and-a-mark"),
        pytest.param("id|utterance\n1|a\n2|b\n", [(None, "a"), (None, "b")], id="bars-without-speakers"),
        pytest.param('text\n"Well, no."\nOh.\n', [(None, "Well, no."), (None, "Oh.")], id="words-alone"),
        pytest.param('start,text\n0:01,"a\nb"\n', [(None, "a\nb")], id="words-on-two-lines"),
        pytest.param("speaker,text\n,a\n,b\n", [(None, "a"), (None, "b")], id="nobody-is-named"),
    ],
)
def test_csv_rows_become_turns(text, expected):
    """A table with a column of words is read with any separator, also without speakers."""
    transcript = read_transcript(text)
    assert (transcript.format, said(transcript)) == ("csv", expected)
    assert transcript.text.startswith("Ann: " if expected[0][0] else expected[0][1])
    assert flags(transcript) == [set()] * len(expected)


def test_tabs_without_speakers():
    """A table with tabs needs only its words, and quotation marks are speech."""
    transcript = read_transcript('id\ttext\n1\t"no\n2\tOh.\n')
    assert (transcript.format, said(transcript)) == ("tsv", [(None, '"no'), (None, "Oh.")])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Text, more or less\nWell.\n", id="a-sentence"),
        pytest.param("text\nWell, no, never.\n", id="commas-of-speech"),
        pytest.param("name,age\nAnn,34\nBob,35\n", id="no-words"),
        pytest.param("topic,text\nWell.\nNo.\n", id="no-fields"),
    ],
)
def test_other_text_is_no_table(text):
    """A first line of possible column names does not make a table."""
    assert read_transcript(text).format == "text"


@pytest.mark.parametrize(
    ("content", "line", "expected"),
    [
        pytest.param(
            "id,answer text\n1,ZEBRA\n",
            1,
            r'a header with a column .*its columns are "id", <a name of 11',
            id="no-words",
        ),
        pytest.param('speaker,text\nAnn,"ZEBRA\n', 2, "valid CSV: the quoted field that begins", id="open"),
        pytest.param("speaker,text\nAnn,ZEBRA,b\n", 2, "2 columns, as in the first line, got 3", id="more"),
        pytest.param("start,text\nZEBRA,b\n", 2, "a time in seconds", id="time"),
    ],
)
def test_broken_csv_files(tmp_path, content, line, expected):
    """A file called .csv that is a table and cannot be read is an error; names of columns are shown, cells are not."""
    path = tmp_path / "a.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TranscriptError, match=f"^line {line}: expected {expected}") as caught:
        read_transcript(path)
    assert "ZEBRA" not in str(caught.value)

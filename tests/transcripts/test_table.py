"""Tables with tabs: one row, one turn."""

import pytest

from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import flags, lines, said, times

HEAD = "start_time\tstop_time\tspeaker\tvalue\n"


def test_rows_become_turns():
    """A row keeps its time; a speaker who goes on is not introduced again."""
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
    """Seconds or clocks; what is no time of a clock is flagged."""
    transcript = read_transcript(HEAD + row + "\tAnn\ta\n")
    assert times(transcript) == [expected]
    assert flags(transcript) == [{"unreadable_time"} if row.startswith("-") else set()]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        pytest.param("", 1, "a head with the columns", id="nothing"),
        pytest.param("a\tb\n", 1, "a head with the columns", id="other-columns"),
        pytest.param(HEAD + "1\t2\tAnn\n", 2, "4 columns, as in the first line, not 3", id="fewer"),
        pytest.param(HEAD + "\n1\t2\tAnn\ta\tb\n", 3, "4 columns, as in the first line, not 5", id="more"),
        pytest.param(HEAD + "1\t2\tAnn\ta\nx\t2\tAnn\ta\n", 3, "times in seconds", id="time"),
        pytest.param(HEAD + "nan\t2\tAnn\ta\n", 2, "times in seconds", id="nan"),
    ],
)
def test_broken_files(text, line, expected):
    """The error has the line, and what was expected there."""
    with pytest.raises(TranscriptError, match=f"^line {line}: expected {expected}") as caught:
        read_transcript(text, format="tsv")
    assert caught.value.line == line

"""SRT: cues are found by their times, with any numbers."""

import pytest

from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import lines, said, times


def test_cues_become_turns():
    """Numbers, tags and screen positions are not words."""
    text = "1\n00:00:01,000 --> 00:00:02,500 X1:1 X2:2\n<i>Hello,</i>\n{\\an8}you\n\n2\n0:00:03.0 --> 0:00:04.0\nHi.\n"
    transcript = read_transcript(text)
    assert transcript.format == "srt"
    assert said(transcript) == [(None, "Hello,\nyou"), (None, "Hi.")]
    assert times(transcript) == [(1.0, 2.5), (3.0, 4.0)]
    assert lines(transcript) == [2, 7]
    assert (transcript.text, transcript.speakers) == ("Hello,\nyou\nHi.\n", ())


TIMES = "00:00:01,000 --> 00:00:02,000"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"{TIMES}\na\n\n{TIMES}\nb", ["a", "b"], id="no-numbers"),
        pytest.param(f"7\n{TIMES}\na\n\n7\n{TIMES}\nb", ["a", "b"], id="same-number"),
        pytest.param(f"1\n{TIMES}\na\n2\n{TIMES}\nb", ["a", "b"], id="no-empty-line"),
        pytest.param(f"1\n{TIMES}\na\n\n\nb\n\n2\n{TIMES}\nc", ["a\n\n\nb", "c"], id="empty-lines-in-a-cue"),
        pytest.param(f"1\n{TIMES}\n10\n\n2\n{TIMES}\n20\n", ["10", "20"], id="numbers-are-said"),
        pytest.param(f"1\n{TIMES}\n\n2\n{TIMES}\n", ["", ""], id="empty-cues"),
        pytest.param(f"\ufeff1\r\n{TIMES}\r\na --> b\r\n", ["a --> b"], id="an-arrow-is-said"),
        pytest.param(f"1\n{TIMES}\na < b > c\n", ["a < b > c"], id="angle-brackets-are-said"),
    ],
)
def test_files_that_players_accept_are_read(text, expected):
    """Files that players accept are read, and no words are lost."""
    assert [words for _, words in said(read_transcript(text, format="srt"))] == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("1\nHello\n", 2, id="number-without-times"),
        pytest.param("Hello\n", 1, id="text-first"),
        pytest.param(f"1\n{TIMES}\na\n\n2\nb\n", 6, id="later-number-without-times"),
        pytest.param(f"1\n{TIMES}\na\n\n2\n00:00:99,000 --> 00:02:00,000\nb\n", 6, id="seconds-above-59"),
        pytest.param(f"1\n{TIMES}\na\n\n2\n00:00:01,000 -->\nb\n", 6, id="no-end"),
    ],
)
def test_broken_files(text, line):
    """The error has the line and the expected syntax."""
    expected = "the times of a cue, such as 00:01:02,500 --> 00:01:04,000"
    with pytest.raises(TranscriptError, match=f"^line {line}: expected {expected}$") as caught:
        read_transcript(text, format="srt")
    assert caught.value.line == line


def test_speakers_in_the_text():
    """`Name: ` is a speaker if the whole file has such labels; a cue without one has no speaker."""
    body = "\n".join(
        f"{n}\n{TIMES}\n{words}\n" for n, words in enumerate(["ANN: a", "BOB: b", "c", "- ANN: d\n- BOB: e"])
    )
    transcript = read_transcript(body)
    assert said(transcript) == [("ANN", "a"), ("BOB", "b"), (None, "c"), ("ANN", "d"), ("BOB", "e")]
    assert transcript.text == "ANN: a\nBOB: b\n?: c\nANN: d\nBOB: e\n"
    assert transcript.turns[2].flags == {"unknown_speaker"}

"""Hostile input: large, repetitive or meaningless text gives a clear result in linear time."""

import json
import tracemalloc

import pytest

from effort import effort
from groundwire.transcripts import Transcript, TranscriptError, read_transcript
from transcripts.turns import said

CHARS = effort(200_000, 1_000_000)

# Each repeats a text on which a careless pattern would backtrack.
REPEATED = (
    "a",
    " ",
    "\t",
    "*",
    "**a",
    "_",
    "[",
    "\\[",
    "(",
    "1:",
    "00:01 ",
    "[00:01",
    ":",
    "：",
    "> ",
    "- ",
    "#",
    "Ann: ",
    "A ",
    "A(",
    ")",
    "<v ",
    "<",
    "</",
    "&",
    "&#1",
    "-->",
    "00:01.000 --> ",
    "\x00",
    "\ud800",
    "{",
    '"',
    "{\\",
    "\n",
    "\r",
    "\r\n\r\n",
    "a\n",
    "Ann:\n",
    "[00:01]\n",
    "1\n",
    "\t\n",
    "NOTE\n",
)


@pytest.mark.parametrize("source_format", ["text", "webvtt", "srt", "tsv", "json"])
@pytest.mark.parametrize("piece", REPEATED, ids=ascii)
def test_repeated_text_takes_linear_time(source_format, piece):
    """Twenty thousand repetitions, alone and as speech of each format, are read or refused."""
    prefixes = {
        "text": "Ann: ",
        "webvtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n",
        "srt": "1\n00:00:01,000 --> 00:00:02,000\n",
        "tsv": "start\tend\tspeaker\ttext\n1\t2\tAnn\t",
        "json": '[{"text": "',
    }
    for text in (piece * 20_000, prefixes[source_format] + piece * 20_000):
        try:
            outcome = read_transcript(text, format=source_format)
        except TranscriptError as refused:
            outcome = refused
        assert isinstance(outcome, Transcript | TranscriptError)


def test_a_line_of_twenty_million_characters():
    """Only the beginning of a line is examined, and its text is not copied."""
    text = "Ann: a\nBob: " + "b " * 10 * CHARS + " " * 10_000
    tracemalloc.start()
    transcript = read_transcript(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert transcript.text is text
    assert [(turn.start, turn.end) for turn in transcript.turns] == [(5, 6), (12, 11 + 20 * CHARS)]
    assert peak < 2 * CHARS


def test_very_many_turns():
    """They are found by offset like a few."""
    count = CHARS // 10
    transcript = read_transcript("Ann: a\nBob: b\n" * (count // 2))
    assert (len(transcript.turns), transcript.speakers, transcript.warnings) == (count, ("Ann", "Bob"), ())
    assert transcript.turn_at(7 * (count - 1) + 5).number == count
    assert [turn.number for turn in transcript.turns_in(7 * 5000, 7 * 5001)] == [5001]


def test_very_many_speakers():
    """Each name that occurs once is a speaker."""
    transcript = read_transcript("".join(f"Ann {number}: a\n" for number in range(CHARS // 10)))
    assert len(transcript.speakers) == CHARS // 10


def test_very_many_segments_in_one_line_and_in_as_many():
    """The search for a segment starts at the end of the previous one."""
    for separator in (",", ",\n"):
        text = "[" + separator.join(['{"text":"a"}'] * (CHARS // 10)) + "]"
        transcript = read_transcript(text)
        assert len(transcript.turns) == CHARS // 10
        assert transcript.turns[-1].line == (1 if separator == "," else CHARS // 10)


def test_a_huge_reference_is_text():
    """A number with a million digits is not converted."""
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>&#" + "1" * CHARS + ";"
    assert len(said(read_transcript(text))[0][1]) == CHARS + 3


def test_unread_parts_may_be_nested():
    """As deep as the JSON library goes; deeper is an error and no crash."""
    assert said(read_transcript('[{"text": "a", "x": ' + "[" * 100 + "]" * 100 + "}]")) == [(None, "a")]
    with pytest.raises(TranscriptError, match="nested less deeply"):
        read_transcript('[{"text": "a", "x": ' + "[" * CHARS + "]" * CHARS + "}]")


@pytest.mark.parametrize(
    ("text", "source_format"),
    [
        ("WEBVTT\n\nxyzzy plugh\nxyzzy\n", "webvtt"),
        ("xyzzy\n", "srt"),
        ("xyzzy\tplugh\n", "tsv"),
        ("start\tend\tspeaker\ttext\nxyzzy\t1\txyzzy\txyzzy\n", "tsv"),
        (json.dumps([{"text": "xyzzy", "start": "xyzzy"}]), "json"),
        (json.dumps([{"xyzzy": "plugh"}]), "json"),
        ('[{"text": "xyzzy}', "json"),
        ('[{"text": "xyzzy\ud800"}]', "json"),
    ],
)
def test_errors_contain_no_text(text, source_format):
    """This includes the message, the arguments and the cause."""
    with pytest.raises(TranscriptError) as caught:
        read_transcript(text, format=source_format)
    error = caught.value
    while error is not None:
        assert "xyzzy" not in f"{error} {error.args}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)

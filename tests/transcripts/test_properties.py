"""Properties of every reader: offsets cut out the turns' words, and the only error is TranscriptError."""

import itertools
import json
import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.transcripts import Transcript, TranscriptError, TranscriptFormat, read_transcript
from oracles.texts import texts
from transcripts.turns import said

FORMATS = get_args(TranscriptFormat)
SEEDS = (
    "Ann: ",
    "Bob:",
    "**Ann:** ",
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    "[00:01] ",
    "00:02",
    "(1:03)",
    " ",
    "# ",
    "Note: ",
    "<v Ann>",
    "</v>",
    "&amp;",
    "WEBVTT",
    "NOTE",
    "00:01.000 --> 00:02.000",
    "-->",
    "1",
    "99:99",
    "\t",
    "speaker",
    "start_time\tstop_time\tspeaker\tvalue\n",
    "1\t2\tAnn\ta",
    '[{"text": "a"}',
    "]",
    ",",
    '{"start": 1, "text": "',
    '"}',
    "\\ud800",
    "：",
    "张三",
    "*",
    "_",
    "\ufeff",
    "\x00",
    "\ud800",
    '"',
)
pieces = st.lists(st.one_of(st.sampled_from(SEEDS), texts), max_size=25).map("".join)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)


def check(transcript: Transcript) -> None:
    """Check that turns are in order, do not overlap, have no white space around them, and are found by offset."""
    for number, turn in enumerate(transcript.turns, 1):
        assert turn.number == number
        assert 0 <= turn.start <= turn.end <= len(transcript.text)
        spoken = transcript.text[turn.start : turn.end]
        assert spoken == spoken.strip()
        assert ("empty" in turn.flags) == (spoken == "")
        if spoken:
            assert transcript.turn_at(turn.start) is turn
            assert transcript.turn_at(turn.end - 1) is turn
            assert transcript.turns_in(turn.start, turn.end) == (turn,)
    assert all(one.end < other.start for one, other in itertools.pairwise(transcript.turns))
    assert all(one.line <= other.line for one, other in itertools.pairwise(transcript.turns))


@pytest.mark.parametrize("source_format", [None, *FORMATS])
@given(text=pieces)
def test_any_text(source_format, text):
    """Each reader accepts it, or reports the line and the expected syntax."""
    try:
        transcript = read_transcript(text, format=source_format)
    except TranscriptError as refused:
        error = refused
    else:
        check(transcript)
        assert source_format in {None, transcript.format}
        assert transcript.text == text or transcript.format != "text"
        error = None
    assert error is None or (source_format != "text" and 1 <= error.line <= len(re.findall("[\r\n]", text)) + 2)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Bob Lee", "张三"]), words), max_size=8))
def test_json_gives_back_what_was_put_in(spoken):
    """This holds for speakers and words with any characters."""
    transcript = read_transcript(json.dumps([{"speaker": name, "text": text} for name, text in spoken]))
    assert said(transcript) == spoken
    check(transcript)


one_line = words.filter(lambda text: not set(text) & set('\r\n\t"<&') and "-->" not in text)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Bob Lee"]), one_line), min_size=1, max_size=8))
def test_all_formats_give_the_same_text(spoken):
    """One conversation in four formats has the same text and turns."""
    table = "start\tend\tspeaker\ttext\n" + "".join(f"1\t2\t{name}\t{text}\n" for name, text in spoken)
    webvtt = "WEBVTT\n\n" + "".join(f"00:01.000 --> 00:02.000\n<v {name}>{text}\n\n" for name, text in spoken)
    segments = json.dumps([{"start": 1, "end": 2, "speaker": name, "text": text} for name, text in spoken])
    transcripts = [read_transcript(text) for text in (table, webvtt, segments)]
    assert [each.format for each in transcripts] == ["tsv", "webvtt", "json"]
    assert {each.text for each in transcripts} == {transcripts[0].text}
    assert [said(each) for each in transcripts] == [spoken] * 3


@given(st.lists(st.text("abcXYZ", min_size=1), min_size=2))
def test_the_built_text_can_be_read_again(spoken):
    """It is plain text: reading it again gives the same turns."""
    segments = [{"speaker": ("Ann", "Bob Lee")[place % 2], "text": text} for place, text in enumerate(spoken)]
    built = read_transcript(json.dumps(segments))
    again = read_transcript(built.text)
    assert again.format == "text"
    assert said(again) == said(built) == [(each["speaker"], each["text"]) for each in segments]

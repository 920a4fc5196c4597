"""JSON segments: a list, or a list under `segments`."""

import json

import pytest

from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import flags, lines, said, times

SEGMENTS = [
    {"start": 1, "end": 2.5, "speaker": "Ann", "text": " Hello.", "words": [{"text": "Hello."}]},
    {"start": "0:03", "speaker": 1, "text": "Hi.\n"},
    {"text": "x"},
]


@pytest.mark.parametrize("document", [SEGMENTS, {"text": "Hello. Hi.", "segments": SEGMENTS, "language": "en"}])
@pytest.mark.parametrize("indent", [None, 1])
def test_segments_become_turns(document, indent):
    """Both forms work, on one line or many; other fields of a segment are ignored."""
    text = json.dumps(document, indent=indent)
    transcript = read_transcript(text)
    assert transcript.format == "json"
    assert transcript.text == "Ann: Hello.\n1: Hi.\n?: x\n"
    assert said(transcript) == [("Ann", "Hello."), ("1", "Hi."), (None, "x")]
    assert times(transcript) == [(1.0, 2.5), (3.0, None), (None, None)]
    assert flags(transcript) == [set(), set(), {"unknown_speaker"}]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_turn_knows_its_line(line_end):
    """It is the line of its opening brace, even if an earlier segment or text looks the same."""
    text = '{"x": 1,\n"segments": [\n{"text": "a"}, {"text": "a"},\n\n  {"text":\n"b"},\n{"text": "a"}]}'
    assert lines(read_transcript(text.replace("\n", line_end))) == [3, 3, 5, 7]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        pytest.param("", 1, "JSON", id="nothing"),
        pytest.param('{"a": []}', 1, "a list of segments", id="no-segments"),
        pytest.param('{"segments": 5}', 1, "a list of segments", id="no-list"),
        pytest.param('[{"text": "a"},\n{"text": b}]', 2, "JSON", id="broken"),
        pytest.param('[{"text": "a"},\n\n{"text": "b"}', 3, "JSON", id="cut-off"),
        pytest.param("[\n5]", 2, "a segment", id="number"),
        pytest.param('[{"text": "a"},\n{"start": 1}]', 2, "a segment", id="no-text"),
        pytest.param('[\n\n{"text": 5}]', 3, "a segment", id="text-is-a-number"),
        pytest.param('[{"text": "a", "start": true}]', 1, "a segment", id="time-is-true"),
        pytest.param('[\n{"text": "a", "start": "soon"}]', 2, "start and end as seconds", id="time-is-a-word"),
        pytest.param('[{"text": "a", "start": NaN}]', 1, "JSON", id="nan"),
        pytest.param('[{"text": "a", "start": 1e999}]', 1, "a segment", id="infinite"),
        pytest.param('[{"text": "a"},\n{"text": "\\ud800 b"}]', 2, "JSON", id="lone-surrogate-in-an-escape"),
        pytest.param('[{"text": "a"},\n{"text": "\ud800"}]', 2, "JSON", id="lone-surrogate"),
        pytest.param('[{"text": "a"},\n{"text": "a\nb"}]', 2, "JSON", id="line-end-in-a-string"),
        pytest.param("[" * 100_000, 1, ".*nested less deeply", id="deep"),
        pytest.param('{"segments": ' + "[" * 100_000, 1, ".*nested less deeply", id="deep-segments"),
    ],
)
def test_broken_files(text, line, expected):
    """The error has the line and the expected syntax, and nothing of the text."""
    with pytest.raises(TranscriptError, match=f"^line {line}: expected {expected}") as caught:
        read_transcript(text, format="json")
    assert caught.value.line == line
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_unreadable_times_are_flagged():
    """A negative or impossible time becomes None."""
    transcript = read_transcript(
        '[{"text": "a", "start": -1, "end": "99:99"}, {"text": "b", "start": "", "end": null}]'
    )
    assert times(transcript) == [(None, None), (None, None)]
    assert flags(transcript) == [{"unreadable_time"}, set()]


def test_a_nul_and_a_pair_of_surrogates_are_text():
    """Escapes may write any character."""
    assert said(read_transcript('[{"text": "a\\u0000\\ud83d\\ude00"}]')) == [(None, "a\x00\U0001f600")]

"""WebVTT: cues, voices and unspoken parts, by its specification."""

import pytest

from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import flags, lines, said, times

FULL = """\
WEBVTT - a title
Kind: captions

NOTE a comment
of two lines

STYLE
::cue(v) { color: red }

REGION
id:left

intro
00:01.000 --> 00:02.500 align:start line:0
<v Mary Lee>Hello &amp; <i>good</i>
morning.</v>

01:00:02.500 --> 01:00:04.000
<v.loud Bob>No <laughs>, x < 5.
<v Mary Lee>Oh?
"""


def test_cues_become_turns():
    """Voices are speakers; comments, styles, regions, settings, tags and cue names are not words."""
    transcript = read_transcript(FULL)
    assert transcript.format == "webvtt"
    assert said(transcript) == [
        ("Mary Lee", "Hello & good\nmorning."),
        ("Bob", "No <laughs>, x < 5."),
        ("Mary Lee", "Oh?"),
    ]
    assert times(transcript) == [(1.0, 2.5), (3602.5, 3604.0), (3602.5, 3604.0)]
    assert lines(transcript) == [14, 18, 18]
    assert transcript.text == "Mary Lee: Hello & good\nmorning.\nBob: No <laughs>, x < 5.\nMary Lee: Oh?\n"
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("<v Ann>a</v> b", [("Ann", "a"), (None, "b")], id="outside-of-a-voice"),
        pytest.param("<v Ann>\n<v Bob>b", [("Ann", ""), ("Bob", "b")], id="empty-voice"),
        pytest.param("<v>a", [(None, "a")], id="voice-without-a-name"),
        pytest.param("<v  Ann\tB. >a", [("Ann B.", "a")], id="white-space-in-a-name"),
        pytest.param("<v Ann &amp; Bob>a", [("Ann & Bob", "a")], id="reference-in-a-name"),
        pytest.param("<v Ann>a<00:01.500><c.x> b</c>", [("Ann", "a b")], id="karaoke"),
        pytest.param("<v Ann><ruby>漢<rt>かん</rt></ruby>字", [("Ann", "漢字")], id="ruby"),
        pytest.param(
            "<v Ann>&lt;v Bob&gt; &#x41;&#65;&eacute; &bogus; & &amp",
            [("Ann", "<v Bob> AAé &bogus; & &amp")],
            id="refs",
        ),
        pytest.param("<v Ann>" + "&#" + "9" * 5000 + ";", [("Ann", "&#" + "9" * 5000 + ";")], id="huge-reference"),
        pytest.param("", [(None, "")], id="empty-cue"),
        pytest.param("x <v Ann", [(None, "x <v Ann")], id="tag-without-an-end"),
        pytest.param("Ann: a", [("Ann", "a")], id="name-in-the-text"),
        pytest.param("Ann: a\nBob: b", [("Ann", "a"), ("Bob", "b")], id="two-names-in-the-text"),
        pytest.param("- a\n- b", [(None, "- a\n- b")], id="dashes-name-nobody"),
    ],
)
def test_text_of_a_cue(body, expected):
    """Text between tags is spoken by the enclosing voice."""
    assert said(read_transcript(f"WEBVTT\n\n00:01.000 --> 00:02.000\n{body}\n")) == expected


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_and_empty_lines(line_end):
    """This covers any line end, white space on empty lines, and cues without an empty line between them."""
    text = "\ufeffWEBVTT\n \n1\n00:01.000 --> 00:02.000\na\n \n00:03.000-->00:04.000\nb\n00:05.000 --> 00:06.000\nc"
    transcript = read_transcript(text.replace("\n", line_end))
    assert said(transcript) == [(None, "a"), (None, "b"), (None, "c")]
    assert lines(transcript) == [4, 7, 9]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        pytest.param("", 1, "WEBVTT", id="nothing"),
        pytest.param("WEBVTTX\n", 1, "WEBVTT", id="other-signature"),
        pytest.param("WEBVTT\n\n00:01.000 --> 00:99.000\na", 3, "times", id="seconds-above-59"),
        pytest.param("WEBVTT\n\n99:99:00.000 --> 99:99:01.000\na", 3, "times", id="minutes-above-59"),
        pytest.param("WEBVTT\n\n00:01.000 -->\na", 3, "times", id="no-end"),
        pytest.param("WEBVTT\n\n00:01.000 --> 00:02.000x\na", 3, "times", id="no-space-before-settings"),
        pytest.param("WEBVTT\n\n1\n00:01.000 -> 00:02.000\na", 4, "times", id="short-arrow"),
        pytest.param("WEBVTT\n\n1\n", 4, "times", id="name-alone"),
        pytest.param("WEBVTT\n\n1\nnext\n00:01.000 --> 00:02.000\na", 4, "times", id="two-lines-before-the-times"),
        pytest.param("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nb\n", 7, "times", id="text-behind-an-empty-line"),
    ],
)
def test_broken_files(text, line, expected):
    """The error has the line and the expected syntax; nothing is dropped silently."""
    with pytest.raises(TranscriptError, match=f"line {line}: expected .*{expected}") as caught:
        read_transcript(text, format="webvtt")
    assert caught.value.line == line


def test_odd_times_are_kept_and_flagged():
    """Overlaps and steps back are reported, and the cues stay in the order of the file."""
    text = "WEBVTT\n\n00:05.000 --> 00:09.000\na\n\n00:08.000 --> 00:10.000\nb\n\n00:01.000 --> 00:00.500\nc\n"
    transcript = read_transcript(text)
    assert flags(transcript) == [set(), {"overlaps_previous"}, {"ends_before_start", "starts_before_previous"}]
    assert transcript.warnings == (
        "turns that end before they start: 1, the first on line 9",
        "turns that start before the previous turn: 1, the first on line 9",
        "turns that overlap the previous turn: 1, the first on line 6",
    )

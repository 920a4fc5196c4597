"""Inputs of transcripts, and their formats."""

import pickle

import pytest

import groundwire
from groundwire.errors import GroundwireError
from groundwire.transcripts import TranscriptError, read_transcript
from transcripts.turns import said

TABLE = "start_time\tstop_time\tspeaker\tvalue\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "text", id="nothing"),
        pytest.param("WEBVTT", "webvtt", id="webvtt"),
        pytest.param("\ufeffWEBVTT\tx\n", "webvtt", id="webvtt-with-a-title"),
        pytest.param("WEBVTTs are files.", "text", id="a-word-that-begins-alike"),
        pytest.param(' \n[\n{"text": "a"}]', "json", id="list"),
        pytest.param('{"segments": []}', "json", id="object"),
        pytest.param("[]", "json", id="empty-list"),
        pytest.param("[00:01] Ann: a", "text", id="time-in-brackets"),
        pytest.param("[Ann]: a", "text", id="name-in-brackets"),
        pytest.param("{laughs} a", "text", id="mark-in-braces"),
        pytest.param(TABLE, "tsv", id="table"),
        pytest.param("\n" + TABLE.upper(), "tsv", id="table-below-an-empty-line"),
        pytest.param("start_time stop_time speaker value\n", "text", id="no-tabs"),
        pytest.param("1\n00:00:01,000 --> 00:00:02,000\na", "srt", id="srt"),
        pytest.param("\ufeff00:01.000 --> 00:02.000\na", "srt", id="times-first"),
        pytest.param("[00:01 --> 00:02] a", "text", id="range-in-brackets"),
        pytest.param("1\nAnn: a", "text", id="number-first"),
    ],
)
def test_the_content_decides_on_the_format(text, expected):
    """Without `format` the beginning of the content decides."""
    assert read_transcript(text).format == expected


def test_a_given_format_is_not_detected():
    """Subtitles can be read as text."""
    text = "1\n00:00:01,000 --> 00:00:02,000\na"
    transcript = read_transcript(text, format="text")
    assert (transcript.format, transcript.text) == ("text", text)


@pytest.mark.parametrize(
    ("source_format", "error"), [("vtt", ValueError), ("", ValueError), (None.__class__, TypeError), (3, TypeError)]
)
def test_another_format_is_refused(source_format, error):
    """The message lists the known formats."""
    with pytest.raises(error, match='format must be one of "text", "webvtt", "srt", "tsv", "csv", "json", got'):
        read_transcript("a", format=source_format)


def test_a_file_is_read_and_gives_its_name(tmp_path):
    """UTF-8, a byte order mark dropped, line ends untouched."""
    path = tmp_path / "interview.txt"
    path.write_bytes(b"\xef\xbb\xbfAnn: caf\xc3\xa9\r\nBob: b\r\n")
    transcript = read_transcript(path)
    assert (transcript.name, transcript.text) == ("interview.txt", "Ann: café\r\nBob: b\r\n")
    assert said(transcript) == [("Ann", "café"), ("Bob", "b")]
    assert read_transcript(path, name="first").name == "first"


@pytest.mark.parametrize("content", [b"a\nb \xff", "Ann: a".encode("utf-16"), b"a\n\xed\xa0\x80"])
def test_a_file_that_is_not_utf_8_is_an_error(tmp_path, content):
    """The error has the line of the first invalid byte, without content."""
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(
        TranscriptError, match=rf"^line {1 + (b'b' in content or content[:1] == b'a')}: expected UTF-8$"
    ) as caught:
        read_transcript(path)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        pytest.param(b"%PDF-1.7\nAnn: a", "a PDF", id="pdf"),
        pytest.param(b"<!DOCTYPE html>\n<p>Ann: a</p>", "HTML", id="html"),
        pytest.param("Ann: a\n".encode("utf-16-le"), "UTF-16 without a byte order mark", id="utf-16"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path, content, kind):
    """The error names the apparent format."""
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(TranscriptError, match=f"^line 1: expected a transcript; this looks like {kind}: "):
        read_transcript(path)


def test_a_web_page_is_refused_as_a_text_too():
    """Its tags would be words; a caller may name the format."""
    page = "<html><body>Ann: a</body></html>"
    with pytest.raises(TranscriptError, match="this looks like HTML: convert it to text first"):
        read_transcript(page)
    assert read_transcript(page, format="text").text == page


def test_a_missing_file_is_the_systems_error(tmp_path):
    """It is the error of open()."""
    with pytest.raises(FileNotFoundError):
        read_transcript(tmp_path / "none.txt")


@pytest.mark.parametrize("text", ["a.txt", "folder/b.VTT", "c d.srt "])
def test_a_str_is_never_a_file(text):
    """It would be a transcript of one line."""
    with pytest.raises(
        ValueError, match=r"^path_or_text looks like the name of a file; give a pathlib\.Path, or format= if"
    ):
        read_transcript(text)
    assert read_transcript(text, format="text").text == text


@pytest.mark.parametrize("given", [None, b"Ann: a", 3])
def test_other_types_are_refused(given):
    """This includes bytes, whose encoding is unknown."""
    with pytest.raises(TypeError, match=f"^path_or_text must be a str or a path, got {type(given).__name__}$"):
        read_transcript(given)


def test_errors_are_groundwires_and_can_be_pickled():
    """Worker processes return them with line and expected syntax."""
    error = pickle.loads(pickle.dumps(TranscriptError(3, "JSON")))
    assert (error.line, error.expected, str(error)) == (3, "JSON", "line 3: expected JSON")
    assert isinstance(error, GroundwireError)
    assert isinstance(error, ValueError)


def test_the_package_has_the_names():
    """`groundwire.read_transcript` and `groundwire.Transcript` are those of the subpackage."""
    assert groundwire.read_transcript is read_transcript
    assert isinstance(read_transcript("a"), groundwire.Transcript)

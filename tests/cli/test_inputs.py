"""Files and standard input, and the errors for unreadable ones."""

import codecs
import os

import pytest

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import decode


@pytest.mark.parametrize(
    ("transcript", "error"),
    [
        pytest.param("nothing-like-it", "error: no file `nothing-like-it`", id="missing"),
        pytest.param("no/such/place.txt", "error: no file `no/such/place.txt`", id="missing-directory"),
        pytest.param("interview.txt/x", "error: no file `interview.txt/x`", id="file-as-directory"),
        pytest.param("x" * 300, f"error: cannot read `{'x' * 300}`: file name too long", id="name-too-long"),
    ],
)
@pytest.mark.usefixtures("interview")
def test_unreadable_transcript_is_named(run, write, transcript, error):
    """The error names the file and the problem."""
    write("quotes.json", ["x"])
    result = run("check", transcript, "-q", "quotes.json")
    assert (result.code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == error


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_forbidden_file_is_named(run, write):
    """A file without permission is an input error."""
    write("secret.txt", "x").chmod(0)
    write("quotes.json", ["x"])
    result = run("check", "secret.txt", "-q", "quotes.json")
    assert (result.code, result.stderr) == (2, "error: cannot read `secret.txt`: permission denied\n")


@pytest.mark.parametrize(
    ("content", "offset", "hint"),
    [
        pytest.param(b"caf\xe9", 3, "iconv -f ENCODING", id="latin-1"),
        pytest.param(codecs.BOM_UTF8 + b"caf\xe9", 6, "iconv -f ENCODING", id="mark-counts"),
        pytest.param("Hi".encode("utf-16"), 0, "it looks like UTF-16", id="utf-16"),
        pytest.param("Hi".encode("utf-32"), 0, "it looks like UTF-32", id="utf-32"),
        pytest.param(b"\xed\xa0\x80", 0, "iconv -f ENCODING", id="encoded-surrogate"),
        pytest.param(b"ab\xc3", 2, "iconv -f ENCODING", id="cut-off"),
    ],
)
def test_wrong_encoding_is_reported_with_the_offset_in_the_file(content, offset, hint):
    """The offset is that of the first wrong byte, as a hex editor counts."""
    with pytest.raises(CommandError, match=f"^`f` is not UTF-8: invalid byte at offset {offset}$") as caught:
        decode(content, "f")
    assert hint in (caught.value.hint or "")


def test_byte_order_mark_is_dropped_and_offsets_start_after_it(run, write):
    """A span refers to the text as read, without the mark."""
    write("bom.txt", codecs.BOM_UTF8 + b"Max: I am tired.\n")
    write("quotes.txt", codecs.BOM_UTF8 + b"I am tired\n")
    report = run("check", "bom.txt", "-q", "quotes.txt", "-f", "json").report
    (place,) = report["quotes"][0]["places"]
    assert (place["start"], place["end"], place["line"], place["column"]) == (5, 15, 1, 6)
    assert (report["transcripts"][0]["bom"], report["transcripts"][0]["chars"]) == (True, 17)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=ascii)
def test_line_ends_count_as_they_are(run, write, end):
    """CR LF is two characters of the text and one line end."""
    write("t.txt", f"one{end}two{end}three")
    write("q.json", ["three"])
    (place,) = run("check", "t.txt", "-q", "q.json", "-f", "json").report["quotes"][0]["places"]
    assert (6 + 2 * len(end), 3, 1) == (place["start"], place["line"], place["column"])


def test_transcript_comes_from_standard_input(run, write):
    """`-` reads the transcript from standard input and names it so."""
    write("q.json", ["good day"])
    report = run("check", "-", "-q", "q.json", "-f", "json", stdin=b"Good day").report
    assert report["quotes"][0]["places"][0]["name"] == "<stdin>"


@pytest.mark.parametrize(
    ("stdin", "quotes"),
    [
        pytest.param(b'{"a": ["one", "two"]}', ["one", "two"], id="json-object"),
        pytest.param(b'["one",\n "two"]', ["one", "two"], id="json-list"),
        pytest.param(b'"one"\n"two"\n', ["one", "two"], id="json-lines"),
        pytest.param(b'{"quote": "one"}\n{"quote": "two"}\n', ["one", "two"], id="json-line-objects"),
        pytest.param(b"one\ntwo\n", ["one", "two"], id="plain"),
        pytest.param(b'Here you are:\n```json\n{"a": ["one"]}\n```\n', ["one"], id="fenced"),
    ],
)
def test_quotes_from_standard_input_are_read_by_their_content(run, write, stdin, quotes):
    """Standard input has no suffix to go by."""
    write("t.txt", "one two")
    report = run("check", "t.txt", "-q", "-", "-f", "json", stdin=stdin).report
    assert quotes == [result["quote"] for result in report["quotes"]]

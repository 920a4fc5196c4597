"""Messages of each command about files that are no text, and about files with a wrong suffix."""

import gzip
import io
import json
import zipfile

import pytest

from groundwire.cli import main
from groundwire.file_kinds import json_kind, markup_kind, unreadable_kind


def archive(*names):
    """Return a ZIP archive with files of these names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        for name in names:
            opened.writestr(name, "application/vnd.oasis.opendocument.text" if name == "mimetype" else "ZEBRA")
    return content.getvalue()


# Each kind has its name in the error, and a hint.
KINDS = {
    "pdf": (b"%PDF-1.7\n% ZEBRA\n", "a PDF", "convert it to text first"),
    "pdf-with-bytes": (b"\n%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF", "convert it to text first"),
    "docx": (
        archive("[Content_Types].xml", "word/document.xml"),
        "a Word document (.docx)",
        "convert it to text first",
    ),
    "xlsx": (archive("xl/workbook.xml"), "an Excel workbook (.xlsx)", "save its sheet as CSV first"),
    "odt": (archive("mimetype", "content.xml"), "an OpenDocument text (.odt)", "convert it to text first"),
    "zip": (archive("a.txt"), "a ZIP archive", "unpack it first"),
    "rtf": (b"{\\rtf1\\ansi ZEBRA}", "an RTF document", "convert it to text first"),
    "doc": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
        "an Office document from before 2007 (.doc, .xls, .ppt)",
        "convert it to text first",
    ),
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(9), "a PNG image", "groundwire reads text only"),
    "mp3": (b"ID3\4\0\0\0\0", "an MP3 recording", "transcribe it first"),
    "gzip": (gzip.compress(b"ZEBRA"), "a gzip file", "unpack it first"),
    "html": (b"\n<!-- x -->\n<!DOCTYPE html>\n<p>ZEBRA</p>", "HTML", "convert it to text first"),
    "html-after-a-mark": (b"\xef\xbb\xbf<html><body>ZEBRA", "HTML", "convert it to text first"),
    "html-part": (b"<div>\n<p>ZEBRA</p>\n</div>\n", "HTML", "convert it to text first"),
    "xml": (b"<?xml version='1.0'?>\n<tt>ZEBRA</tt>", "XML", "convert it to text first"),
    "utf-16": ("ZEBRA: yes".encode("utf-16-le"), "UTF-16 without a byte order mark", "iconv -f UTF-16LE -t UTF-8"),
    "utf-16-be": ("ZEBRA: yes".encode("utf-16-be"), "UTF-16 without a byte order mark", "iconv -f UTF-16BE -t UTF-8"),
    "binary": (bytes(range(256)), "binary data", "groundwire reads text only"),
}

COMMANDS = {
    "check": ["check", "@.txt", "-q", "quotes.json", "--no-progress"],
    "check-literal": ["check", "@.txt", "-q", "quotes.json", "--policy", "literal", "--no-progress"],
    "check-quotes": ["check", "text.txt", "-q", "@.json", "--no-progress"],
    "cite-answer": ["cite", "@.md", "-r", "results.json", "--no-progress"],
    "cite-results": ["cite", "text.txt", "-r", "@.json", "--no-progress"],
    "cite-batch": ["cite", "--answers", "@.jsonl", "--no-progress"],
    "ingest": ["ingest", "--file", "@.txt"],
    "ingest-issues": ["ingest", "the issue is #12", "--issue-list", "@.txt"],
    "validate": ["validate", "@.json", "--faithfulness", "--source", "text.txt", "--no-progress"],
    "validate-yaml": ["validate", "@.yaml", "--faithfulness", "--source", "text.txt", "--no-progress"],
    "validate-source": ["validate", "persona.json", "--faithfulness", "--source", "@.txt", "--no-progress"],
    "validate-policies": [
        *(
            "validate",
            "persona.json",
            "--faithfulness",
            "--source",
            "text.txt",
            "--field-policies",
            "@.toml",
            "--no-progress",
        )
    ],
    "bulk": ["bulk", "@.csv", "out.jsonl", "--no-progress"],
    "bulk-jsonl": ["bulk", "@.jsonl", "out.jsonl", "--no-progress"],
    "bulk-sources": ["bulk", "rows.jsonl", "out.jsonl", "--sources", "@.csv", "--no-progress"],
    "calibrate": ["calibrate", "@.jsonl", "--no-progress"],
    "calibrate-source": ["calibrate", "@", "--no-progress"],
}


@pytest.fixture
def groundwire(tmp_path, monkeypatch, capsys):
    """Return a function that runs a command with a file in place of `@`, and returns code, output and errors."""
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "text.txt": "Max: I sleep well.\n",
        "quotes.json": '["I sleep well"]',
        "results.json": '[{"id": "1", "content": "Max sleeps well."}]',
        "persona.json": '{"sleep": "sleeps well"}',
        "rows.jsonl": '{"quote": "a", "source": "1"}\n',
    }.items():
        (tmp_path / name).write_text(content, encoding="utf-8")

    def run(command, content, name="notes"):
        (argument,) = (each for each in COMMANDS[command] if each.startswith("@"))
        name += argument[1:]
        (tmp_path / name).write_bytes(content)
        if command == "calibrate-source":
            row = {"quote": "I sleep", "label": True, "source_path": name}
            (tmp_path / "labelled.jsonl").write_text(json.dumps(row), encoding="utf-8")
        replaced = "labelled.jsonl" if command == "calibrate-source" else name
        code = main([replaced if each == argument else each for each in COMMANDS[command]])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


DOCUMENTS = ("pdf", "pdf-with-bytes", "docx", "xlsx", "html", "html-after-a-mark", "html-part")


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        (kind, command)
        for command in COMMANDS
        for kind in KINDS
        # `check` reads these as sources and as tables of quotes.
        if kind not in DOCUMENTS or command not in ("check", "check-literal")
        if kind not in ("docx", "xlsx") or command != "check-quotes"
    ],
)
def test_a_file_that_is_no_text_is_refused_by_name(groundwire, command, kind):
    """The error names the kind and a hint, whatever the suffix is, and shows no content."""
    content, words, hint = KINDS[kind]
    code, output, errors = groundwire(command, content)
    first, *others = errors.splitlines()
    assert (code, output) == (2, "")
    assert first.startswith("error: ")
    assert "notes" in first
    assert f"looks like {words}" in first
    assert hint in "\n".join(others)
    assert "ZEBRA" not in errors


def test_standard_input_is_recognised_too(run, write):
    """Standard input has no name to go by."""
    write("quotes.json", ["a"])
    result = run("check", "-", "-q", "quotes.json", stdin=b"\x89PNG\r\n\x1a\n")
    assert result == (2, "", "error: `<stdin>` looks like a PNG image\nhint: groundwire reads text only\n")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<laughter> Well.", id="transcript-mark"),
        pytest.param("<b>Max</b>: a", id="markup-in-text"),
        pytest.param('<p align="center">Title</p>\n\n# Notes\n', id="markdown"),
        pytest.param("<!-- made today -->\n# Notes\n", id="comment"),
        pytest.param("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Max>a", id="subtitles"),
        pytest.param("A page begins with <html>.", id="html-is-spoken-of"),
        pytest.param("", id="empty"),
        pytest.param("a\x1b[1mb\x1b[0m", id="colour"),
        pytest.param("ID3 is a format.", id="letters-of-a-signature"),
        pytest.param("Ёлка, 東京 и café.", id="scripts"),
    ],
)
def test_text_is_text(text):
    """Only a complete page counts as HTML, and text in any script is no binary data."""
    assert unreadable_kind(text.encode()) is None
    assert markup_kind(text) is None


def test_a_head_that_cuts_a_character_is_text():
    """The beginning of a file may end inside a character."""
    assert unreadable_kind(("é" * 70_000).encode()[:70_001], is_whole=False) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', "json"),
        ('[\n{"a": 1}]', "json"),
        ('["a", "b"', "json"),
        ('{"a": 1}\n{"a": 2}', "jsonl"),
        ('\ufeff"a"\n"b"', "jsonl"),
        ('{"a": 1\n{"a": 2}', "json"),
        ("[laughs] well", None),
        ('["Music"] plays', None),
        ("{laughs} well", None),
        ('"Well," she said', None),
        ("", None),
    ],
)
def test_json_is_recognised_by_its_beginning(text, expected):
    """A file that begins like JSON is JSON, broken or not; brackets and quotation marks of speech are not."""
    assert json_kind(text) == expected


SLEEP = "I sleep well"
# The content of the file, and the outcome of each command: the code, and a part of the output or the errors.
LIES = [
    ("check-quotes", ".txt", b'{"a": ["I sleep well"]}', 0, "exact"),
    ("check-quotes", ".json", b"quote,domain\nI sleep well,a\n", 0, "exact"),
    ("check-quotes", ".csv", b'{"quote": "I sleep well"}\n{"quote": "I sleep"}\n', 0, "exact"),
    ("check-quotes", ".csv", b"I sleep well\nnot at all\n", 2, "has no column of quotes"),
    ("check-quotes", ".json", b"I sleep well\n", 2, "invalid JSON at line 1"),
    ("check-quotes", ".txt", b"I sleep\0 well\n", 2, "is not text: NUL byte at offset 7"),
    ("check-quotes", ".txt", b"caf\xe9\n", 2, "is not UTF-8: invalid byte at offset 3"),
    ("check-quotes", ".csv", b"", 2, "contains no quotes"),
    ("check", ".txt", b'text\n"I sleep, well"\nYes\n', 0, "near"),
    ("check", ".json", b"speaker,text\nMax,I sleep well\n", 0, "Max"),
    ("check", ".csv", b"start,end,text\n0,1,I sleep\n1,2,well\n", 0, "exact"),
    ("check", ".csv", b'[{"text": "I sleep well", "speaker": "Max"}]', 0, "Max"),
    ("check", ".csv", b"id,age\n1,34\n2,35\n", 2, 'its columns are "id", "age"'),
    ("check", ".txt", b'["I sleep well"]', 2, "expected a segment"),
    ("cite-answer", ".txt", b'{"answer": "Max sleeps well [1]."}', 2, "contains JSON, not the text of an answer"),
    ("cite-results", ".json", b'{"id": "1", "content": "a"}\n{"id": "2", "content": "b"}\n', 0, "not assessed"),
    ("cite-results", ".json", b"id,content\n1,a\n", 2, "hint: results are JSON: a list of objects"),
    ("cite-answer", ".csv", b'{"a": "Max sleeps well"}\n{"a": "b"}\n', 2, "contains JSON, not the text of an answer"),
    ("cite-batch", ".jsonl", '{"answer": "a"}\n'.encode("utf-16"), 2, "it looks like UTF-16"),
    ("ingest", ".txt", "Max uses tabs\n".encode("utf-16"), 2, "`notes.txt` is not UTF-8: invalid byte at offset 0"),
    (
        "ingest",
        ".txt",
        b'{"content": "Max uses tabs", "user": "u"}\n{"content": "Max likes tea"}\n',
        1,
        "Max uses tabs",
    ),
    ("ingest", ".txt", b'[\n{"content": "Max uses tabs"}\n]', 1, "notes.txt#1"),
    ("ingest", ".txt", b"claim,type\nMax uses tabs,fact\n", 1, "notes.txt:2"),
    ("ingest", ".csv", b"Max uses tabs\nMax likes tea\n", 2, "has no column called content, claim or text"),
    ("ingest", ".csv", b"claim,type\nMax uses tabs\n", 2, "expected 2 fields, as in the first row, got 1"),
    ("validate", ".txt", b"sleep: sleeps well\n", 0, ""),
    ("validate", ".json", b"sleep: sleeps well\n", 2, "broken JSON"),
    ("validate", ".csv", b"name,sleep\nMax,well\n", 2, "broken JSON"),
    ("validate-source", ".csv", b'{"sleep": "sleeps well"}\n{"sleep": "sleeps"}\n', 0, ""),
    ("validate-source", ".json", b"name,sleep\nMax,sleeps well\nAnn,no\n", 0, ""),
    ("validate-source", ".csv", b"Max sleeps well at night.\nHe likes tea.\n", 0, ""),
    ("calibrate", ".jsonl", b"quote,source,label\na,b,true\n", 2, "line 1, column 1: not JSON"),
    ("bulk", ".csv", b'{"quote": "a", "source": "a"}\n', 2, "looks like JSON, and not like CSV"),
    ("bulk-jsonl", ".jsonl", b"quote,source\na,a\n", 2, "looks like CSV, and not like JSON lines"),
]


@pytest.mark.parametrize(("command", "suffix", "content", "code", "said"), LIES)
def test_a_wrong_suffix_does_not_change_how_a_file_is_read(
    groundwire, monkeypatch, command, suffix, content, code, said
):
    """The content decides, and a content that fits no format is an error."""
    place = next(at for at, each in enumerate(COMMANDS[command]) if each.startswith("@"))
    argv = [*COMMANDS[command][:place], f"@{suffix}", *COMMANDS[command][place + 1 :]]
    monkeypatch.setitem(COMMANDS, command, argv)
    found, output, errors = groundwire(command, content)
    assert (code, True) == (found, said in output + errors), output + errors


@pytest.mark.parametrize("piece", [" ", "\t", "\x85", "\n", "[", "{", '"', "[ ", '["', '{"a', "\ufeff "], ids=ascii)
def test_a_kind_is_found_in_linear_time(piece):
    """A megabyte of one repeated text would take hours in quadratic time."""
    text = piece * (1_000_000 // len(piece))
    assert json_kind(text) in (None, "json", "jsonl")

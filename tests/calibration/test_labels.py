"""Reading labelled quotes and claims, and the errors of invalid lines."""

import json

import pytest

from groundwire.calibration import LabelError, label_subject, read_claims, read_quotes
from groundwire.errors import GroundwireError

CLAIM = {"claim": "The pond froze.", "supported": True, "context": "In January the pond froze."}
SECRET_CLAIM = CLAIM | {"claim": "SECRET"}
REPEATED = "repeats the claim and passages of line 1"


def no_file(path: str) -> str:
    """Read no file: every path is missing."""
    raise GroundwireError(f"no file `{path}`")


class Files:
    """Reads files and counts the calls."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def __call__(self, path: str) -> str:
        self.opened.append(path)
        return f"The text of {path}."


def jsonl(*lines: object) -> str:
    """Return the lines of a file; a string is already a line."""
    return "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)


def test_quotes_have_a_text_or_a_path_as_source():
    """Each path is read once; unknown keys are ignored; U+2028 does not end a line."""
    content = (
        '{"quote": "a", "source": "text one", "label": true}\n'
        "\n"
        '{"quote": "b", "source_path": "one.txt", "label": false}\r\n'
        '{"quote": "c", "source": "text\u2028two", "label": false, "note": 1}\n'
        '{"quote": "d", "source_path": "one.txt", "label": true}'
    )
    files = Files()
    assert read_quotes(content, files) == [
        ("a", "text one", True),
        ("b", "The text of one.txt.", False),
        ("c", "text\u2028two", False),
        ("d", "The text of one.txt.", True),
    ]
    assert files.opened == ["one.txt"]


def test_claims_have_texts_or_paths_as_passages():
    """One or several; each path is read once."""
    files = Files()
    one, many, from_files, again = read_claims(
        jsonl(
            CLAIM,
            CLAIM | {"context": ["First.", "Second."]},
            "",
            {"claim": "A.", "supported": False, "context_path": ["a.txt", "b.txt"]},
            {"claim": "B.", "supported": True, "context_path": "a.txt"},
        ),
        files,
    )
    assert (one.claim, one.is_supported, one.passages) == (CLAIM["claim"], True, (CLAIM["context"],))
    assert many.passages == ("First.", "Second.")
    assert from_files.passages == ("The text of a.txt.", "The text of b.txt.")
    assert again.passages == from_files.passages[:1]
    assert files.opened == ["a.txt", "b.txt"]


def test_claims_with_the_same_passages_belong_to_one_document():
    """A named document takes precedence."""
    other_text = {"context": "Another text."}
    one, two, other = read_claims(jsonl(CLAIM, CLAIM | {"claim": "It thawed."}, CLAIM | other_text), no_file)
    assert one.document == two.document != other.document
    named, likewise = read_claims(jsonl(CLAIM | {"document": "7"}, CLAIM | {"document": "7"} | other_text), no_file)
    assert named.document == likewise.document != one.document


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("line 2, column 2: not JSON", "{"),
        ("line 2: must be an object, got an array", "[]"),
        ("line 2: must be an object, got a number", "1"),
        ('line 2: "quote" is missing', '{"source": "SECRET", "label": true}'),
        ('line 2: "label" is missing', '{"source": "SECRET", "quote": "SECRET"}'),
        ('line 2: "quote" must be a string, got null', '{"quote": null, "source": "SECRET", "label": true}'),
        ('line 2: "label" must be true or false, got a number', '{"quote": "", "source": "SECRET", "label": 1}'),
        ('line 2: "source" must be a string, got an object', '{"quote": "", "source": {}, "label": true}'),
        (
            'line 2: must have either "source" or "source_path", got both',
            '{"quote": "", "source": "SECRET", "source_path": "x", "label": true}',
        ),
        ('line 2: must have either "source" or "source_path", got neither', '{"quote": "SECRET", "label": true}'),
        ("line 2: no file `x`", '{"quote": "SECRET", "source_path": "x", "label": true}'),
        ("line 2: nested too deep", "[" * 100_000),
    ],
)
def test_an_invalid_quote_is_reported_without_its_text(message, line):
    """The message names the line and the expected value."""
    with pytest.raises(LabelError) as raised:
        read_quotes("\n" + line, no_file)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("line 2, column 1: not JSON", "SECRET"),
        ("line 2: nested too deep", "[" * 20_000),
        ("line 2: a number has too many digits", '{"claim": ' + "9" * 5_000 + "}"),
        ("line 2: must be an object, got an array", '["SECRET"]'),
        (
            "line 2: only these keys are allowed: claim, context, context_path, document, supported",
            CLAIM | {"SECRET": 1},
        ),
        ('line 2: "supported" must be true or false, got a string', CLAIM | {"supported": "SECRET"}),
        ('line 2: "supported" must be true or false, got a number', CLAIM | {"supported": float("nan")}),
        ('line 2: "supported" must be true or false, got a number', CLAIM | {"supported": 1}),
        ('line 2: "claim" must be a string, got a number', CLAIM | {"claim": 7}),
        ('line 2: "claim" is empty', CLAIM | {"claim": " \n"}),
        ('line 2: "claim" contains half of a surrogate pair', CLAIM | {"claim": "SECRET \ud800"}),
        ('line 2: "document" is empty', CLAIM | {"document": ""}),
        ('line 2: "document" must be a string, got null', CLAIM | {"document": None}),
        ("line 2: a passage is empty", CLAIM | {"context": ""}),
        ("line 2: a passage is empty", CLAIM | {"context": ["SECRET", "\t"]}),
        ("line 2: a passage contains half of a surrogate pair", CLAIM | {"context": "\udfff"}),
        ('line 2: "context" is an empty list', CLAIM | {"context": []}),
        (
            'line 2: "context" must be a string or a list of strings, got a number',
            CLAIM | {"context": [float("nan")]},
        ),
        ('line 2: must have either "context" or "context_path", got both', CLAIM | {"context_path": "x"}),
        ('line 2: "supported" is missing', {"claim": "SECRET", "context": "x"}),
        ('line 2: must have either "context" or "context_path", got neither', {"claim": "SECRET", "supported": True}),
        ("line 2: no file `x`", {"claim": "SECRET", "supported": True, "context_path": "x"}),
        (f"line 2: {REPEATED}", SECRET_CLAIM),
        (f"line 2: {REPEATED} with the other label", SECRET_CLAIM | {"supported": False}),
    ],
)
def test_an_invalid_claim_is_reported_without_its_text(message, line):
    """The message names the line and the expected value."""
    with pytest.raises(LabelError) as raised:
        read_claims(jsonl(SECRET_CLAIM, line), no_file)
    assert str(raised.value) == message
    assert "SECRET" not in repr(raised.value)


@pytest.mark.parametrize("content", ["", "\n \n\t\r\n"])
@pytest.mark.parametrize(("read", "kind"), [(read_quotes, "quote"), (read_claims, "claim")])
def test_a_file_without_labels_is_an_error(read, kind, content):
    """There is nothing to calibrate on."""
    with pytest.raises(LabelError, match=rf"^there is no labelled {kind}: every line is blank$"):
        read(content, no_file)


FIT_QUOTE = {"quote": "The pond froze.", "label": True, "source": "In January the pond froze."}
FIT_CLAIM = {"claim": "The pond froze.", "supported": True, "context": "In January the pond froze."}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (FIT_QUOTE | {"source": ["SECRET"]}, 'line 2: "source" must be a string, got an array'),
        (FIT_QUOTE | {"source": " "}, "line 2: the source is empty"),
        (FIT_QUOTE | {"label": False}, "line 2: repeats the quote and source of line 1 with the other label"),
        (FIT_CLAIM, "line 2: only these keys are allowed: document, label, quote, source, source_path"),
    ],
)
def test_wrong_lines_of_quotes_to_fit(line, message):
    """A quote has one source, and no line has keys of claims."""
    content = "\n".join(map(json.dumps, (FIT_QUOTE, line)))
    with pytest.raises(LabelError) as caught:
        read_claims(content, str, subject="quotes")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "expected"),
    [("\n" + json.dumps(FIT_QUOTE), "quotes"), (json.dumps(FIT_CLAIM), "claims"), ("{", "claims"), ("", "claims")],
)
def test_the_first_line_tells_quotes_from_claims(content, expected):
    """Anything else is read as claims, whose reader reports the error."""
    assert label_subject(content) == expected

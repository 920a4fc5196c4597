"""Labelled claims from JSONL, and what is wrong with lines that are none."""

import json

import pytest

from groundwire.calibration import CLAIMS, QUOTES, PairError, label_keys, read_claims

LINE = {"claim": "The pond froze.", "supported": True, "context": "In January the pond froze."}
KEYS = "claim, context, context_path, document, supported"
AGAIN = "line 2: the claim and passages of line 1"


def read(*rows, source=None):
    """Read these objects, one a line; a string is a line as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    return read_claims("\n".join(lines), source)


def test_passages_are_texts_or_files():
    """One or several; a file is read once."""
    opened = []

    def source(path):
        opened.append(path)
        return f"The text of {path}."

    paths = {"claim": "A.", "supported": False, "context_path": ["a.txt", "b.txt"]}
    one, many, files, again = read(
        LINE,
        LINE | {"context": ["First.", "Second."]},
        "",
        paths,
        {"claim": "B.", "supported": True, "context_path": "a.txt"},
        source=source,
    )
    assert (one.claim, one.is_supported, one.passages) == (LINE["claim"], True, (LINE["context"],))
    assert many.passages == ("First.", "Second.")
    assert files.passages == ("The text of a.txt.", "The text of b.txt.")
    assert again.passages == files.passages[:1]
    assert opened == ["a.txt", "b.txt"]


def test_claims_of_the_same_passages_belong_together():
    """Unless the lines name their documents."""
    one, two, other = read(LINE, LINE | {"claim": "It thawed."}, LINE | {"context": "Another text."})
    assert one.document == two.document != other.document
    named, likewise = read(LINE | {"document": "7"}, LINE | {"document": "7", "context": "Another text."})
    assert named.document == likewise.document != one.document


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SECRET", "line 2, column 1: not JSON"),
        ("[" * 20_000, "line 2: nested too deep"),
        ('{"claim": ' + "9" * 5_000 + "}", "line 2: a number has too many digits"),
        ('["SECRET"]', "line 2: must be an object, got an array"),
        (
            LINE | {"SECRET": 1},
            "line 2: must have no other keys than claim, context, context_path, document, supported",
        ),
        (LINE | {"supported": "SECRET"}, 'line 2: "supported" must be true or false, got a string'),
        (LINE | {"supported": float("nan")}, 'line 2: "supported" must be true or false, got a number'),
        (LINE | {"supported": 1}, 'line 2: "supported" must be true or false, got a number'),
        (LINE | {"claim": 7}, 'line 2: "claim" must be a string, got a number'),
        (LINE | {"claim": " \n"}, 'line 2: "claim" is empty'),
        (LINE | {"claim": "SECRET \ud800"}, 'line 2: "claim" has half of a surrogate pair'),
        (LINE | {"document": ""}, 'line 2: "document" is empty'),
        (LINE | {"document": None}, 'line 2: "document" must be a string, got null'),
        (LINE | {"context": ""}, "line 2: a passage is empty"),
        (LINE | {"context": ["SECRET", "\t"]}, "line 2: a passage is empty"),
        (LINE | {"context": "\udfff"}, "line 2: a passage has half of a surrogate pair"),
        (LINE | {"context": []}, 'line 2: "context" is an empty list'),
        (LINE | {"context": [float("nan")]}, 'line 2: "context" must be a string or a list of them, got a number'),
        (LINE | {"context_path": "x"}, 'line 2: must have either "context" or "context_path", got both'),
        ({"claim": "SECRET", "context": "x"}, 'line 2: "supported" is missing'),
        ({"claim": "SECRET", "supported": True}, 'line 2: must have either "context" or "context_path", got neither'),
        (LINE | {"claim": "SECRET"}, AGAIN),
        (
            LINE | {"claim": "SECRET", "supported": False},
            f"{AGAIN} with the other label",
        ),
    ],
)
def test_a_wrong_line_is_named_and_not_quoted(line, said):
    """Number and reason, nothing of the text."""
    with pytest.raises(PairError) as caught:
        read(LINE | {"claim": "SECRET"}, line)
    assert str(caught.value) == said
    assert "SECRET" not in repr(caught.value)


def test_a_file_without_lines():
    """Blank ones are none."""
    with pytest.raises(PairError, match="there is no labelled claim"):
        read("", "  ")


QUOTE = {"quote": "The pond froze.", "label": True, "source": "In January the pond froze."}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (QUOTE | {"source": ["SECRET"]}, 'line 2: "source" must be a string, got an array'),
        (QUOTE | {"source": " "}, "line 2: the source is empty"),
        (QUOTE | {"label": False}, "line 2: the quote and source of line 1 with the other label"),
        (LINE, "line 2: must have no other keys than document, label, quote, source, source_path"),
    ],
)
def test_wrong_lines_of_quotes_are_named(line, said):
    """A quote has one source, and no line has keys of claims."""
    content = "\n".join(map(json.dumps, (QUOTE, line)))
    with pytest.raises(PairError) as caught:
        read_claims(content, str, keys=QUOTES)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("content", "expected"),
    [("\n" + json.dumps(QUOTE), QUOTES), (json.dumps(LINE), CLAIMS), ("{", CLAIMS), ("", CLAIMS)],
)
def test_the_first_line_tells_quotes_from_claims(content, expected):
    """Anything else is read as claims, whose reader reports what is wrong."""
    assert label_keys(content) is expected

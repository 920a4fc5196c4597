"""Labelled quotes: what is read, and what is said of a wrong line."""

import pytest

from groundwire.calibration import PairError, read_pairs
from groundwire.errors import GroundwireError


def no_file(path: str) -> str:
    """A reader that finds nothing."""
    raise GroundwireError(f"no file `{path}`")


def test_sources_are_shared():
    """A text that stands in two lines, or behind a path, is one source; a path is read once."""
    content = (
        '{"quote": "a", "source": "text one", "label": true}\n'
        "\n"
        '{"quote": "b", "source_path": "one.txt", "label": false}\r\n'
        '{"quote": "c", "source": "text\\u2028two", "label": false, "note": 1}\n'
        '{"quote": "d", "source_path": "one.txt", "label": true}'
    )
    asked = []

    def read_source(path):
        asked.append(path)
        return "text one"

    pairs = read_pairs(content, read_source)
    assert (pairs.quotes, pairs.labels) == (["a", "b", "c", "d"], [True, False, False, True])
    assert (pairs.sources, pairs.at) == (["text one", "text\u2028two"], [0, 0, 1, 0])
    assert asked == ["one.txt"]


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
def test_wrong_line_is_named_with_what_was_expected(message, line):
    """Number and kind of the fault, no text."""
    with pytest.raises(PairError) as raised:
        read_pairs("\n" + line, no_file)
    assert str(raised.value) == message


@pytest.mark.parametrize("content", ["", "\n \n\t\r\n"])
def test_no_quote_at_all_is_an_error(content):
    """There is nothing to calibrate on."""
    with pytest.raises(PairError, match=r"^there is no labelled quote: every line is blank$"):
        read_pairs(content, no_file)

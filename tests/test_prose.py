"""The check of the prose finds its phrases, and ignores code."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("prose", ROOT / "tools" / "prose.py")
prose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(prose)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("What is not there is never accepted.", "a clause with “what” as the subject", id="what"),
        pytest.param("Who signs in with it, sees the list.", "a clause with “who” as the subject", id="who"),
        pytest.param("The quote stands in the source.", "“stands” for “is”", id="stands"),
        pytest.param("Vectors that are none.", "“none” after a verb", id="none"),
        pytest.param("The file is made anew.", "“anew”", id="anew"),
        pytest.param("So many quotes get each verdict.", "“so many”", id="so-many"),
        pytest.param("Of an answer that is empty nothing is read.", "an inverted sentence", id="inverted"),
        pytest.param("The the quote is short.", "a doubled word", id="doubled"),
        pytest.param(" ".join(["word"] + ["other", "thing"] * 18) + ".", "a sentence of 37 words", id="long"),
    ],
)
def test_a_fault_is_found(text, rule):
    """Each rule has an example."""
    assert rule in [found for found, _ in prose.faults(text, is_code=False)]


def test_plain_sentences_pass():
    """Questions, relative clauses and short sentences are correct."""
    text = "What differs? The report shows what differs. None of them passes. It has as many words as you like."
    assert list(prose.faults(text, is_code=False)) == []


def test_code_tables_and_comments_are_left_out():
    """Only prose is read, each block with its first line."""
    text = (
        "# A `title`\n\n```python\nanew\n```\n\n| anew |\n\n<!-- anew\nanew -->\n\n- one\n  more [link](x.md)\n- two\n"
    )
    assert [*prose.blocks(text)] == [(1, "A Code"), (12, "one more link"), (14, "two")]


def test_docstrings_and_comments_of_python_are_read():
    """Entries of a section are separate blocks; examples and strings are left out."""
    text = '''
"""
Count.

Args:
    one: The first
        number.
    two: A number.

>>> "anew"
"""
# One
# comment.

NAME = "anew"  # another
'''
    found = {block.text for block in prose.python_blocks(text)}
    assert found == {"Count.", "Args:", "one: The first number.", "two: A number.", "One comment.", "another"}


def test_comments_of_rust_are_read():
    """Examples in fences are left out."""
    text = "/// Counts.\n///\n/// ```\n/// anew\n/// ```\nfn count() {}\n    // Adds one.\n"
    assert [block.text for block in prose.rust_blocks(text)] == ["Counts.", "Adds one."]


def test_long_sentences_of_code_pass():
    """Only pages have a limit of length."""
    text = " ".join(["word"] + ["other", "thing"] * 18) + "."
    assert list(prose.faults(text, is_code=True)) == []


def test_every_exception_is_needed():
    """Unused entries of the allow-list are removed, and skipped files exist."""
    for path, words in prose.ALLOWED:
        read = prose.READERS[Path(path).suffix]
        assert words in "\n".join(block.text for block in read((ROOT / path).read_text(encoding="utf-8")))
    assert all((ROOT / path).exists() for path in prose.SKIPPED)

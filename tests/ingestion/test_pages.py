"""What a page says: its words without the markup, in linear time whatever stands there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.ingestion.verify.pages import text_of_page


def words(page: str) -> str | None:
    """The words of a page, with one blank between them."""
    text = text_of_page(page.encode())
    return None if text is None else " ".join(text.split())


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("<!doctype html><p>We use <b>Redis</b></p><p>here", "We use Redis here", id="tags"),
        pytest.param("<html><script>if (a < b) x = '<p>'</script>text", "text", id="script"),
        pytest.param("<p>a</p><STYLE type=x>b{}</Style >c", "a c", id="style"),
        pytest.param("<p>a<!-- <b>not</b> said -->b", "a b", id="comment"),
        pytest.param("<p>5 < 6 &amp; 7 &gt; 6", "5 < 6 & 7 > 6", id="characters"),
        pytest.param("<p>a<br>b<td>c", "a b c", id="tags-part-words"),
        pytest.param("<p>a<script>never closed", "a", id="unclosed-script"),
        pytest.param("<p>a <b never closed", "a", id="unclosed-tag"),
        pytest.param("<?xml version='1.0'?><a>b</a>", "b", id="xml"),
        pytest.param("Plain: if a<b then <c>", "Plain: if a<b then <c>", id="plain-text-stays"),
        pytest.param("<p> <br> ", None, id="nothing"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_page_is_read_without_its_markup(page, expected):
    """What is not shown is not said."""
    assert words(page) == expected


@pytest.mark.parametrize("body", [b"%PDF\xff\xfe", b"\xff\xd8\xff\xe0", "Größe".encode("latin-1")])
def test_what_is_no_text_is_not_guessed_at(body):
    """Nobody can tell what it says."""
    assert text_of_page(body) is None


@pytest.mark.parametrize(
    "piece", ["<", "<!--", "<script", "<script>", "</script", "<script></script", "<a ", "&", "<a>", "<svg></svg"]
)
def test_hostile_pages_are_read_in_linear_time(piece):
    """256 KiB of each: an endless search in every place would take minutes."""
    text = text_of_page(("<p>word" + piece * 262_144)[:262_144].encode())
    assert text is not None
    assert text.split()[0].startswith("word")


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "word", " ", "<!-- c -->", "<script>w()</script>", "&lt;"]), max_size=20)
)
def test_words_between_the_markup_are_kept(pieces):
    """All of them, in their order, and nothing else."""
    shown = "".join(
        {"word": "word", "&lt;": "<", " ": " "}.get(piece, " " if piece.startswith("<") else piece) for piece in pieces
    )
    assert words("<p>" + "".join(pieces)) == (" ".join(shown.split()) or None)

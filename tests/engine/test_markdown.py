"""`markdown_blocks`: the blocks of a text, and their hidden parts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from effort import effort
from groundwire._engine import markdown_blocks


def found(text: str) -> list[tuple[str, str]]:
    """Return each block with its characters."""
    return [(kind, text[start:end]) for kind, start, end in markdown_blocks(text)]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        pytest.param([("paragraph", "Plain é\ntext.")], "Plain é\ntext.\n", id="paragraph"),
        pytest.param([("heading", "Title"), ("paragraph", "x")], "## Title ##\nx", id="heading"),
        pytest.param([("heading", "Title")], "Title\n=====\n", id="underlined"),
        pytest.param(
            [("item", "- a\n"), ("paragraph", "a"), ("item", "- b"), ("paragraph", "b")], "- a\n- b", id="items"
        ),
        pytest.param(
            [("quote", "> a\n> b\n"), ("paragraph", "a\n> b"), ("paragraph", "c")], "> a\n> b\n\nc", id="quote"
        ),
        pytest.param([("fenced", "```\nx\n```"), ("paragraph", "y")], "```\nx\n```\ny", id="fence"),
        pytest.param([("paragraph", "a"), ("indented", "x")], "a\n\n    x", id="indented"),
        pytest.param([("html", "<p>x"), ("hidden", "<p>")], "<p>x", id="html"),
        pytest.param([("hidden", "<b>"), ("paragraph", "a <b>c")], "a <b>c", id="tag"),
        pytest.param([("hidden", "`b`"), ("paragraph", "a `b` c")], "a `b` c", id="code"),
        pytest.param([("hidden", '](u "t")'), ("paragraph", '[a](u "t")')], '[a](u "t")', id="link"),
        pytest.param([("hidden", "<http://x.org>"), ("paragraph", "<http://x.org>")], "<http://x.org>", id="autolink"),
        pytest.param([("paragraph", r"\"a\"")], r"\"a\"", id="escaped-signs"),
        pytest.param([], "[a]: http://x.org\n\n---\n", id="definitions-and-rules"),
        pytest.param([("paragraph", "b")], f"{'>' * 100} a\n\nb", id="too-deep"),
    ],
)
def test_blocks_have_kinds_and_places(expected, text):
    """Outer blocks come first; positions are code points."""
    assert found(text) == expected


def test_an_element_of_html_is_hidden_with_its_code():
    """Text between tags is prose, a script is not."""
    text = '<div title="x">\nword\n<script>let x = 1</script>\n</div>'
    visible = text
    for kind, start, end in markdown_blocks(text):
        if kind == "hidden":
            visible = visible[:start] + " " * (end - start) + visible[end:]
    assert visible.split() == ["word"]


PIECES = st.sampled_from(
    [*"ab`*_<>[]()#!\\-+= é\n\t\0", "\n\n", "> ", "- ", "1. ", "```\n", "](u)", "<b>", "<!--", "-->"]
)


@given(st.lists(PIECES, max_size=50).map("".join))
def test_blocks_are_in_order_and_leaves_are_apart(text):
    """Hidden parts lie inside one of them."""
    blocks = markdown_blocks(text)
    leaves = [block[1:] for block in blocks if block[0] not in ("quote", "item", "hidden")]
    assert all(0 <= start <= end <= len(text) for _, start, end in blocks)
    assert all(before[1] <= after[0] for before, after in pairwise(leaves))
    for _, start, end in (block for block in blocks if block[0] == "hidden"):
        assert any(leaf[0] <= start < end <= leaf[1] for leaf in leaves)


WORDS = st.lists(st.sampled_from(["one", "two", "three."]), min_size=1, max_size=3).map(" ".join)
PLAIN = st.sampled_from(["{}", "# {}", "- {}", "> {}", "1. {}", "> - {}", "```\n{}\n```"])


@given(st.lists(st.tuples(PLAIN, WORDS), max_size=8))
def test_another_parser_finds_the_same_leaves(parts):
    """The other parser is markdown-it-py, on texts of plain forms."""
    text = "\n\n".join(form.format(words) for form, words in parts)
    tokens = MarkdownIt("commonmark").parse(text)
    others = [token.content.strip() for token in tokens if token.type in ("inline", "fence")]
    leaves = [words.strip("`\n") for kind, words in found(text) if kind in ("paragraph", "heading", "fenced")]
    assert leaves == others


@pytest.mark.parametrize("sign", ["> ", "- ", "1. ", "`", "[", "<", "*", "<!--", "[a]: ", "  "])
def test_a_flood_of_signs_is_read_to_its_end(sign):
    """Quadratic work would not end."""
    text = sign * effort(20_000, 100_000) + "\n\nend"
    assert found(text)[-1][1].endswith("end")


def test_anything_but_a_str_is_refused():
    """The error names the type and shows no text."""
    with pytest.raises(TypeError, match="text must be a str, got bytes"):
        markdown_blocks(b"a")

"""The report as Markdown: text from outside never becomes markup."""

import pytest
from markdown_it import MarkdownIt

from groundwire.report.rendering import render_markdown
from groundwire.templating import code_span
from report.samples import report_of

HOSTILE = [
    "<script>alert(1)</script>",
    "![x](http://example.org/pixel.png) [y](javascript:z)",
    "`` ` ``` code",
    "`",
    " padded ",
    "a | b \\| c",
    "# heading\n- item\n\n> quote",
    "@someone #12 www.example.org",
    "\x1b[0m \ud800",
]


def parsed(markdown):
    """Return the types of all inline tokens, and the contents of all code spans."""
    tokens = [
        child
        for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
        for child in (token.children or [token])
    ]
    return {token.type for token in tokens}, [token.content for token in tokens if token.type == "code_inline"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_code_span_gives_the_text_back(text):
    """A reader of Markdown gets the text, on one line and printable, and nothing else."""
    from groundwire.sanitize import one_line

    types, codes = parsed(f"- quote {code_span(text)}")
    assert codes == [one_line(text)]
    assert not types & {"html_inline", "html_block", "link_open", "image", "heading_open"}


def test_hostile_quotes_make_no_markup():
    """Quotes, passages, domains and names are in code spans."""
    report = report_of("\n".join(HOSTILE), dict.fromkeys(HOSTILE, HOSTILE))
    types, codes = parsed(render_markdown(report))
    assert not types & {"html_inline", "html_block", "link_open", "image"}
    assert codes.count("<script>alert(1)</script>") > len(HOSTILE)


def test_rejected_quotes_come_first():
    """They need attention."""
    markdown = render_markdown(report_of("a b", ["a", "q", ""]))
    assert markdown.index("## Not grounded (2)") < markdown.index("## Grounded (1)")
    assert markdown.startswith("# Quote check\n\n**1 of 3 quotes grounded (33.3 %)**\n")


def test_section_without_quotes_is_left_out():
    """No heading is without content."""
    assert "Not grounded" not in render_markdown(report_of("a", ["a"]))

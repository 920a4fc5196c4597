"""The page: well-formed, safe, linked both ways, and the marks are the spans."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.report.check.model import STATUSES
from groundwire.report.labels import anchor, check, cite, faithfulness
from groundwire.report.rendering import DocsAddressError, asset, render_html
from groundwire.sanitize import sanitize
from report.contrast import contrast
from report.page import Page, as_shown
from report.samples import report_of

TEXT = (
    "Ellie: How do you sleep?\r\nMax: I can’t sleep at night. <laughter> It is\r\n"
    'bad, really <b>bad</b> & getting "worse".\x1b\n\nMax: Work is fine.\n'
)
QUOTES = {
    "Sleep": ["I can't sleep at night", "sleep at night. it is bad", "at night", "I sleep well <i>", ""],
    "Work & <b>play</b>": ["work is fine", 'really <b>bad</b> & getting "worse".\x1b', "\ud800"],
}


def page_of(texts, quotes, **options):
    """Return the report on *quotes* in *texts*, and its page."""
    texts = [texts] if isinstance(texts, str) else texts
    report = report_of(texts, quotes, **options)
    return report, Page(render_html(report, texts))


def test_marked_text_is_the_span():
    """The marked text of a quote is the transcript from start to end, across lines, tags and other marks."""
    report, page = page_of(TEXT, QUOTES)
    places = {result.number: place for result in report.quotes for place in result.places}
    spans = {number: as_shown(TEXT[place.start : place.end]) for number, place in places.items()}
    assert len(spans) == 5
    assert page.marked == spans


def test_lines_of_the_page_are_the_lines_of_the_transcript():
    """Every line occurs once, with its number and all its text."""
    _, page = page_of(TEXT, QUOTES)
    assert "".join(page.lines.values()) == as_shown(TEXT)
    assert list(page.lines) == ["1", "2", "3", "4", "5"]


def test_grounded_quotes_are_linked_both_ways():
    """From the list to the place and from the place to the list, for every transcript that holds the quote."""
    report, page = page_of([TEXT, "At night, at night.", "nothing"], QUOTES)
    there = {(f"q{r.number}", f"#t{p.transcript}-q{r.number}") for r in report.quotes for p in r.places}
    back = {(target[1:], f"#{source}") for source, target in there}
    links = set(page.links)
    assert len(there) == 6
    assert there | back <= links
    assert {target[1:] for _, target in links} <= set(page.ids)


def test_ids_are_unique():
    """A link leads to one place."""
    _, page = page_of([TEXT, TEXT], QUOTES)
    assert len(page.ids) == len(set(page.ids))


def test_rejected_quotes_are_listed_and_nowhere_marked():
    """Absent and blank quotes are listed with their words."""
    report, page = page_of(TEXT, QUOTES)
    rejected = [result for result in report.quotes if not result.grounded]
    assert [result.status for result in rejected] == ["absent", "blank", "absent"]
    for result in rejected:
        assert f"q{result.number}" in page.ids
        assert result.number not in page.marked
        assert page.listed[f"q{result.number}"] == (sanitize(result.quote) or "(empty)")


def test_text_adds_no_element_and_no_attribute():
    """A hostile transcript changes the text of the page, never its structure."""
    hostile = "Max: </div></mark><script>alert(1)</script><img src=x onerror=y>\" ' onclick=z <!-- ]]> &amp;&lt; end"
    harmless = "x" * len(hostile)
    structures = []
    for text in (hostile, harmless):
        _, page = page_of(text, {text: [text, "absent" + text]})
        structures.append([(tag, sorted(attributes)) for tag, attributes in page.elements])
    assert structures[0] == structures[1]


@given(
    st.text(alphabet=st.sampled_from("ab <>&\"'\r\n\x00\x1b\u202e\ufffe中é"), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12)), max_size=5),
)
def test_any_overlap_is_well_formed(text, cuts):
    """Nested and crossing quotes of any text give a well-formed page with the right marks."""
    report, page = page_of(text, [text[start : start + length] for start, length in cuts])
    assert "".join(page.lines.values()) == as_shown(text)
    for result in report.quotes:
        for place in result.places:
            # A span may end inside a CR LF pair; its lone CR is shown as LF.
            expected = as_shown(text[place.start : place.end]).strip("\n")
            assert page.marked[result.number].strip("\n") == expected


def test_page_needs_nothing_from_outside():
    """The page has no external resource or link; the policy allows one style sheet and one script by their hashes."""
    html = render_html(report_of(TEXT, QUOTES), [TEXT])
    page = Page(html)
    sheet = re.search(r"<style>(.*?)</style>", html, re.S)[1]
    code = re.search(r"<script>(.*?)</script>", html, re.S)[1]
    sheet_hash, code_hash = (
        base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for content in (sheet, code)
    )
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{sheet_hash}'; script-src 'sha256-{code_hash}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert (sheet, code) == (asset("report.css"), asset("report.js"))
    assert not {tag for tag, _ in page.elements} & {"link", "img", "iframe", "object", "form", "base"}
    assert not {name for _, a in page.elements for name in a} & {"style", "src", "srcset", "action", "background"}
    assert all(target.startswith("#") for _, target in page.links)
    assert "url(" not in sheet
    assert "@import" not in sheet


def test_verdict_is_a_word_beside_its_colour():
    """Every entry of the list names its verdict."""
    html = render_html(report_of(TEXT, QUOTES), [TEXT])
    for word in ("exact", "normalized", "absent", "blank"):
        assert re.search(rf'<span class="badge {word}"><span aria-hidden="true">.</span> {word}</span>', html)


@pytest.mark.parametrize("address", ["https://docs.example.org/gw", "../site/", "file:///srv/site"])
def test_statuses_link_to_the_configured_legend(address):
    """Each badge of a verdict leads to the anchor of its status; without an address there is no link."""
    report = report_of(TEXT, QUOTES)
    page = Page(render_html(report, [TEXT], docs_url=address))
    legend = f"{address.rstrip('/')}/reference/verdicts/index.html#quote-"
    assert {target for _, target in page.links if not target.startswith("#")} == {
        legend + result.status for result in report.quotes
    }


def test_other_addresses_of_the_legend_are_refused():
    """A script is no address."""
    with pytest.raises(DocsAddressError, match="must begin with https://"):
        render_html(report_of(TEXT, QUOTES), [TEXT], docs_url="javascript:alert(1)")


def test_the_legend_has_an_anchor_for_every_status():
    """Those of quotes, of claims of answers, of tiers and of personas."""
    legend = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "verdicts.md").read_text(encoding="utf-8")
    statuses = {
        "quote": check.QUOTE_SIGNS,
        "claim": cite.CLAIM_SIGNS,
        "risk": cite.LEVEL_SIGNS,
        "tier": [f"tier_{number}" for number in (1, 2, 3)],
        "persona": faithfulness.VERDICTS,
    }
    anchors = [anchor(subject, status) for subject, names in statuses.items() for status in names]
    assert [each for each in anchors if f'<a id="{each}">' not in legend] == []


def test_the_page_supports_keyboards_and_screen_readers():
    """It has a language, a title, headings, a skip link, named landmarks and a list that the keyboard can scroll."""
    _, page = page_of(TEXT, QUOTES)
    elements = dict(page.elements)
    assert elements["html"]["lang"] == "en"
    assert {"title", "h1", "h2", "header", "main"} <= set(elements)
    assert page.links[0] == ("", "#transcripts")
    (pane,) = [a for _, a in page.elements if a.get("class") == "list"]
    assert (pane["tabindex"], pane["aria-label"]) == ("0", "Quotes")
    references = [a for tag, a in page.elements if tag == "a" and "ref" in (a.get("class") or "")]
    assert all(a["aria-label"] for a in references)


def test_texts_must_be_those_of_the_report():
    """Marks in another text would be wrong."""
    with pytest.raises(ValueError, match="same order"):
        render_html(report_of(TEXT, QUOTES), ["another"])


PAIRS = [
    *((ink, paper) for ink in ("ink", "soft", "link") for paper in ("page", "card")),
    *((f"{status}-ink", f"{status}-fill") for status in STATUSES),
    *(("ink", f"{status}-fill") for status in STATUSES),
    *((f"{side}-ink", f"{side}-fill") for side in ("ins", "del")),
    ("del-ink", "card"),
    # The text that an ellipsis omits, inside a mark.
    ("soft", "elided-fill"),
    ("soft", "altered-fill"),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("pair", PAIRS, ids="-on-".join)
def test_text_has_enough_contrast(theme, pair):
    """WCAG 2 AA: 4.5 to 1 for every pair of text and background that the page uses."""
    assert contrast(theme, *pair) >= 4.5

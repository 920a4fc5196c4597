"""The page on claims: well-formed, safe, linked, and the marks are the hedges and citations."""

import base64
import hashlib
import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.ingestion import HedgeAction, Tier, VerificationStatus
from groundwire.report.rendering import asset, render_html
from report.contrast import contrast
from report.page import RowsPage, as_shown
from report.samples_ingest import CLAIMS, HOSTILE, every_outcome, ingest_report

SHEET, SCRIPT = asset("report.css"), asset("report.js")
REPORT = ingest_report()


def page_of(report):
    """Return the page on *report*."""
    return RowsPage(render_html(report))


def test_the_page_has_the_claims():
    """The text is complete, over marks, tags, lines and hidden characters."""
    said = {row: text.rstrip("\n") for row, text in page_of(REPORT).said.items()}
    assert said == {f"c{number}": as_shown(text) for number, text in enumerate(CLAIMS, start=1)}


def test_hedges_and_citations_are_marked_by_what_they_are():
    """Each has its words, in the order of the claim."""
    assert page_of(REPORT).marks == [
        ("c1", "verified", "ADR-003"),
        ("c2", "refuted", "ADR-404"),
        ("c2", "unknown", "a1b2c3d4e5"),
        ("c2", "unknown", "#12"),
        ("c3", "doubt", "may"),
        ("c3", "doubt", "might"),
        ("c3", "doubt", "about"),
        ("c4", "speculation", "I think"),
        ("c4", "speculation", "maybe"),
        ("c5", "unknown", "adr-003"),
        ("c7", "doubt", "可能"),
    ]


def test_statuses_and_reasons_are_beside_the_claim():
    """They are words, for readers who do not see colours."""
    text = re.sub(r"<[^>]+>", "", render_html(REPORT))
    for words in (
        "Has verified citation",
        "✓ verified ADR-003 ADR file exists",
        "✗ refuted ADR-404 ADR not found",
        "○ unknown commit:a1b2c3d4e5 The abbreviated id matches more than one object",
        "I think personal speculation: block",
        "failed: hedge_words_detected: may, might, about",
        "fact, from ai_synthesis, of user anna",
        "1 of 7 claims approved",
    ):
        assert words in text, words


def test_a_copy_links_to_the_similar_claim():
    """The link shows the words of that claim."""
    page = page_of(REPORT)
    assert ("c5", "#c1") in page.links
    assert {target[1:] for _, target in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert f'<blockquote class="passage" dir="auto">{html.escape(CLAIMS[0])}</blockquote>' in render_html(REPORT)


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.sampled_from(
            ["The mill", "may", "I think", "ADR-003", "#12", "</div>", "<b>", "&", "\n", "\x1b", "可能", "🙂"]
        ),
        min_size=1,
    )
)
def test_any_claim_is_well_formed(parts):
    """Any claim gives a well-formed page with that text."""
    text = " ".join(["Claim:", *parts])
    page = page_of(ingest_report([text]))
    assert page.said["c1"].rstrip("\n") == as_shown(text).rstrip("\n")


def test_page_allows_nothing_from_outside():
    """The policy names style sheet and script by their hashes; the page has no external link."""
    page = render_html(REPORT)
    sheet, code = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (SHEET, SCRIPT))
    assert f"style-src 'sha256-{sheet}'; script-src 'sha256-{code}'" in page
    assert not re.search(r'(?:href|src)="(?!#)', page)
    assert HOSTILE not in page


@pytest.mark.parametrize("tier", Tier)
def test_every_tier_has_colours_and_a_filter(tier):
    """The style sheet uses the names of the page."""
    assert re.search(
        rf"^\.{tier.value}\b[^{{]* {{ --edge: var\(--[a-z]+-ink\); --fill: var\(--[a-z]+-fill\); }}", SHEET, re.M
    )
    assert f"body:has(#show-{tier.value}:checked) .claim:not(.{tier.value})" in SHEET


@pytest.mark.parametrize("name", [*VerificationStatus, "doubt", "speculation"])
def test_every_mark_has_colours(name):
    """A new mark needs its line in the style sheet."""
    assert re.search(rf"^(?:\.\w+, )?\.{name} {{ --edge: var", SHEET, re.M)
    assert f'"{HedgeAction.REVIEW.value}": "doubt", "{HedgeAction.BLOCK.value}": "speculation"' in TEMPLATE


TEMPLATE = asset("ingest.html.j2")
FILLS = sorted({*re.findall(r"--fill: var\(--([\w-]+)\); \}", asset("report.css"))})


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("fill", FILLS)
def test_text_has_enough_contrast(theme, fill):
    """WCAG 2 AA: 4.5 to 1 for the words of claims; badges are tested with the other pages."""
    assert contrast(theme, "ink", fill) >= 4.5


def test_the_page_supports_keyboards_and_screen_readers():
    """It has a language, a title, a heading, a skip link, and labelled rows."""
    page = page_of(REPORT)
    elements = dict(page.elements)
    assert elements["html"]["lang"] == "en"
    assert {"title", "h1", "header", "main"} <= set(elements)
    assert page.links[0] == ("", "#claims")
    labels = [attributes["aria-label"] for _, attributes in page.elements if attributes.get("role") == "group"]
    assert labels[:4] == ["claim 1, to approve", "claim 2, to review", "claim 3, to review", "claim 4, to block"]


def test_the_outcome_is_beside_the_claim():
    """A claim without an outcome has no such text."""
    page = render_html(every_outcome())
    assert page.count('<p class="place">stored as mem-1</p>') == 1
    assert page.count('<p class="place">queued as q-1</p>') == 1


def test_thousands_of_hedges_do_not_make_a_long_list():
    """The first ones are listed, all are marked, and the rest is counted."""
    page = render_html(ingest_report(["may " * 3000]))
    assert "and 2,980 more" in page
    assert page.count("<mark ") == 3000

"""The page on personas: well-formed, safe, linked, and the marks are the evidence."""

import base64
import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from groundwire.report.labels.faithfulness import VERDICTS
from groundwire.report.rendering import asset, render_html
from report.page import RowsPage, as_shown
from report.samples_faithfulness import HOSTILE, faithfulness_report

SHEET, SCRIPT = asset("report.css"), asset("report.js")
REPORT = faithfulness_report()


def page_of(report):
    """Return the page on *report*."""
    return RowsPage(render_html(report))


def plain_text(report):
    """Return the words of the page, without tags."""
    return " ".join(re.sub(r"<[^>]+>", "", render_html(report)).split())


def test_the_page_has_the_claims():
    """Contradicted claims come first, with hidden characters spelled out."""
    said = page_of(REPORT).said
    expected = {
        f"p{persona.number}-c{claim.number}": as_shown(claim.claim)
        for persona in REPORT.personas
        for claim in persona.claim_details
    }
    assert list(said.items()) == list(expected.items())


def test_evidence_is_marked_by_what_it_does():
    """In its text, in the order of its weight."""
    marks = page_of(REPORT).marks
    assert marks[:3] == [
        ("p1-c1", "contradicted", "five"),
        ("p1-c2", "contradicted", "hate checking emails"),
        ("p1-c2", "weak", "I hate checking emails, so they call me."),
    ]
    assert ("p1-c4", "weak", "winter") in marks
    assert ("p1-c6", "supported", "34") in marks


def test_verdicts_locations_and_counts_are_beside_the_claim():
    """They are words, for readers who do not see colours."""
    text = plain_text(REPORT)
    for words in (
        "≠ contradicted 0.000 UNSUPPORTED in 0 of 3 sources, 1 against",
        "contradicts it: sarah.txt, line 2, turn 2 (Sarah)",
        "other number (contradiction): The source says “five”; the claim says “Sarah leads a team of nine designers”.",
        "No source mentions it.",
        "1 near miss",
        "1 synthetic claim not counted",
        "1 of 3 personas from 0.6 on",
        "Sarah Chen 0.500 ✗ below 4 2 8",
        "sarah.txt32",
    ):
        assert words.replace(" ", "") in text.replace(" ", ""), words


def test_near_misses_are_behind_a_click():
    """So is all but the first evidence of a claim with much."""
    sources = [(f"s{number}", "Ann: I work as a beekeeper.") for number in range(9)]
    text = plain_text(faithfulness_report([{"occupation": "beekeeper"}], sources))
    assert "in 9 of 9 sources" in text
    assert "7 more: supports it" in text


def test_many_personas_have_an_overview_that_leads_to_them():
    """It has a row for each; a single persona has none."""
    page = page_of(REPORT)
    assert {"#p1", "#p2", "#p3"} <= {target for _, target in page.links}
    assert {target[1:] for _, target in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert '<th scope="col">Persona</th>' not in render_html(faithfulness_report([{"age": 34}]))


@settings(max_examples=examples(50))
@given(st.lists(st.sampled_from(["The mill", "</div>", "<b>", "&", '"', "\n", "\x1b", "可能", "🙂"]), min_size=1))
def test_any_claim_is_well_formed(parts):
    """Any text gives a well-formed page with that text."""
    text = " ".join(["Claim", *parts])
    report = faithfulness_report([{"name": text, "motto": text}], [(f"a{text}", f"Ann: {text}.")])
    assert page_of(report).said["p1-c1"] == as_shown(report.personas[0].claim_details[0].claim)


def test_page_allows_nothing_from_outside():
    """The policy names style sheet and script by their hashes; the page has no external link."""
    page = render_html(REPORT)
    sheet, code = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (SHEET, SCRIPT))
    assert f"style-src 'sha256-{sheet}'; script-src 'sha256-{code}'" in page
    assert not re.search(r'(?:href|src)="(?!#)', page)
    assert HOSTILE not in page


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_colours_and_a_filter(verdict):
    """The style sheet uses the names of the page."""
    assert re.search(rf"^\.{verdict} {{ --edge: var\(--[\w-]+-ink\); --fill: var\(--[\w-]+-fill\); }}", SHEET, re.M)
    assert f"body:has(#show-{verdict}:checked) :is(.row:not(.{verdict})" in SHEET
    assert f'id="show-{verdict}"' in render_html(REPORT)


def test_the_page_supports_keyboards_and_screen_readers():
    """It has a language, a title, a heading, a skip link, and labelled rows."""
    page = page_of(REPORT)
    elements = dict(page.elements)
    assert elements["html"]["lang"] == "en"
    assert {"title", "h1", "header", "main"} <= set(elements)
    assert page.links[0] == ("", "#claims")
    labels = [attributes["aria-label"] for _, attributes in page.elements if attributes.get("role") == "group"]
    assert labels[:3] == ["claim 1, contradicted", "claim 2, contradicted", "claim 3, unsupported"]


def test_a_very_long_claim_is_cut():
    """The page says how much is missing."""
    page = render_html(faithfulness_report([{"motto": "mill " * 10_000}]))
    assert re.search(r"and [\d,]+ more characters", page)

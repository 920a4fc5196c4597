"""The report on claims as text, Markdown, JSON and on a terminal."""

import json
from functools import partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from effort import examples
from groundwire.report.ingest import IngestReport
from groundwire.report.rendering import render_html, render_json, render_jsonl, render_markdown
from groundwire.report.terminal.ingest import layout
from report.samples_ingest import HOSTILE, every_outcome, ingest_report
from report.screen import plain_by, printed_by

REPORT = ingest_report()


render_plain = partial(plain_by, layout)
printed = partial(printed_by, layout)
WRITERS = [
    pytest.param(render_plain, id="plain"),
    pytest.param(render_markdown, id="markdown"),
    pytest.param(printed, id="terminal"),
]
PAGES = [*WRITERS, pytest.param(render_html, id="html")]


@pytest.mark.parametrize("write", WRITERS)
def test_every_tier_has_its_sign_and_word(write):
    """Colour is never the only carrier."""
    text = write(REPORT)
    assert all(words in text for words in ("✓ approve", "≈ review", "✗ block"))


@pytest.mark.parametrize("write", WRITERS)
def test_reasons_and_failed_checks_are_shown(write):
    """Every form has the facts for a decision."""
    text = " ".join(write(REPORT).split())
    for words in (
        "Has verified citation",
        "Contains personal speculation",
        "hedge_words_detected: I think, maybe",
        "citation_refuted: ADR-404 (ADR not found)",
        "duplicate_detected: claims.txt:1",
        "1 of 7 claims approved (14.2 %)",
        "1 to approve, 4 to review, 2 to block; nothing was written",
        "compared with this input alone by jaccard from 0.92; network off",
    ):
        assert words in text, words


def test_plain_text_is_a_line_for_each_claim():
    """The columns are number, tier, location, text and reason."""
    assert render_plain(ingest_report(["Per ADR-003 the mill is closed.", "I think it is."])) == (
        "#1  ✓ approve  claims.txt:1  Per ADR-003 the mill is closed.  (Has verified citation)\n"
        "#2  ✗ block    claims.txt:2  I think it is.  (Contains personal speculation; hedge_words_detected: I think)\n"
        "\n"
        "1 of 2 claims approved (50.0 %)\n"
        "1 to approve, 0 to review, 1 to block; nothing was written\n"
        "compared with this input alone by jaccard from 0.92; network off\n"
    )


@pytest.mark.parametrize("write", PAGES)
def test_the_passage_of_a_citation_is_shown(write):
    """Ruling C19: the reviewer reads the words of the source, and their location."""
    report = ingest_report(["Per ADR-003 the mill is not closed.", "Per ADR-003 the ferry leaves at noon."])
    text = " ".join(write(report).split())
    assert "ADR-003, line 1 contradicts the claim" in text
    assert "The mill is closed." in text
    assert "does not support the claim; nearest passage" in text


@pytest.mark.parametrize("write", [*PAGES, pytest.param(render_json, id="json")])
def test_a_hostile_passage_has_no_control_characters(write):
    """The text of a source is untrusted."""
    text = write(ingest_report(["Per ADR-003 the sign says it 9 times, and so on."]))
    assert "\x1b" not in text
    assert "<script>document" not in text or write is not render_html


@pytest.mark.parametrize("write", PAGES)
def test_outcomes_are_shown(write):
    """Each claim has its id, and there are totals."""
    text = " ".join(write(every_outcome()).split())
    for words in (
        "stored as mem-1",
        "stored as mem-2 despite the decision",
        "queued as q-1",
        "not stored: there is no queue",
        "not stored: the queue failed (QueueFull)",
        "1 stored, 1 queued for review, 1 rejected, 2 in no queue, 1 stored despite the decision",
    ):
        assert words in text, words


@pytest.mark.parametrize("write", PAGES)
def test_a_report_without_claims_says_so(write):
    """A file of broken lines has a report too."""
    assert "no claims to validate" in write(ingest_report([]))


def test_settings_are_shown():
    """They include settings that differ from the default."""
    changed = replace(
        REPORT.settings, compared_with="store", network=True, scientific=True, shadow=True, threshold=0.5, writes=True
    )
    assert render_plain(replace(REPORT, settings=changed)).endswith(
        "compared with the store and this input by jaccard from 0.5; scientific hedges, network on, shadow mode\n"
    )
    changed = replace(REPORT.settings, verify_claim_relevance=False, auto_approve_ai_synthesis=False)
    assert "; content of citations not checked, claims of a model need review, network off" in render_plain(
        replace(REPORT, settings=changed)
    )


def test_on_a_terminal_hedges_and_citations_are_underlined():
    """The colour shows their effect."""
    shown = printed(ingest_report(["Per ADR-003 it may close.", "I think it did."]), colour="standard")
    assert "\x1b[4;32mADR-003" in shown
    assert "\x1b[1;4;33mmay" in shown
    assert "\x1b[1;4;31mI think" in shown


def test_a_long_claim_is_cut_on_a_terminal():
    """Its beginning and its end stay."""
    shown = printed(ingest_report(["The mill " + "is very old " * 100 + "indeed."]))
    assert "…" in shown
    assert "indeed." in shown
    assert len(shown) < 1500


def test_json_reads_back_as_the_same_report():
    """Nothing is lost on the way, and lines are the claims."""
    assert msgspec.json.decode(render_json(REPORT), type=IngestReport) == REPORT
    lines = [json.loads(line) for line in render_jsonl(REPORT.claims).splitlines()]
    assert lines == json.loads(render_json(REPORT))["claims"]


@pytest.mark.parametrize("write", [*PAGES, pytest.param(render_json, id="json")])
def test_no_control_characters_reach_a_terminal(write):
    """Control characters and marks of direction are spelled out."""
    assert "\x1b" in HOSTILE
    text = write(REPORT)
    assert "\x1b" not in text
    assert "\u202e" not in text or write is render_json


@settings(max_examples=examples(50))
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60))
def test_any_claim_can_be_written(text):
    """Controls, marks and all, in every form, and the same each time."""
    claims = [f"{text} is what ADR-003 says, I think.", f"may {text}"]
    report = ingest_report(claims)
    for write in (render_plain, render_markdown, printed, render_json, render_html):
        assert write(report).encode("utf-8")
        assert write(report) == write(ingest_report(claims))


def test_markdown_takes_nothing_of_a_claim_as_markup():
    """Texts are in code spans; claims that need a review come first."""
    text = render_markdown(
        ingest_report(["The <img src=x> `a` @mill [b](c) may burn.", "Per ADR-003 the mill is closed."])
    )
    assert "- claim ``The <img src=x> `a` @mill [b](c) may burn.``" in text.replace("  -", "-")
    assert text.index("## To review (1)") < text.index("## To approve (1)")

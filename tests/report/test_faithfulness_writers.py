"""The report on personas as text, Markdown, JSON and on a terminal."""

import json
from functools import partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from effort import examples
from groundwire.report.faithfulness import FaithfulnessReport
from groundwire.report.rendering import render_html, render_json, render_jsonl, render_junit, render_markdown
from groundwire.report.terminal.faithfulness import layout
from report.samples_faithfulness import HOSTILE, PERSONAS, faithfulness_report
from report.screen import plain_by, printed_by

REPORT = faithfulness_report()
ONE = faithfulness_report([{"age": 34, "bio": "Sarah leads a team of nine designers."}], min_score=0.0)
render_plain = partial(plain_by, layout)
printed = partial(printed_by, layout)
WRITERS = [
    pytest.param(partial(render_plain, verbose=True), id="plain"),
    pytest.param(render_markdown, id="markdown"),
    pytest.param(partial(printed, verbose=True), id="terminal"),
]
PAGES = [*WRITERS, pytest.param(render_html, id="html"), pytest.param(render_junit, id="junit")]


@pytest.mark.parametrize("write", WRITERS)
def test_every_verdict_has_its_sign_and_word(write):
    """Colour is never the only carrier."""
    text = write(REPORT).lower()
    assert all(words in text for words in ("≠ contradicted", "✗ unsupported", "≈ weak", "✓ supported"))


@pytest.mark.parametrize("write", WRITERS)
def test_figures_locations_and_settings_are_shown(write):
    """Every form has the facts for a decision."""
    text = " ".join(write(REPORT).replace("`", "").split())
    for words in (
        "4 of 8 claims supported (50.0 %), below the minimum score",
        "faithfulness 0.500, weak 0.125, hallucination 0.375 (2 claims contradicted); 1 synthetic claim not counted",
        "in 2 of 3 sources",
        "other number (contradiction), sarah.txt, line 2, turn 2 (Sarah)",
        "No source mentions it.",
        "1 of 3 personas from 0.6 on; 6 of 10 claims supported (60.0 %)",
        "compared with 3 sources by lexical, supported from 0.6, minimum score 0.6",
        "the persona has no claim that can be checked",
    ):
        assert words in text, words


def test_plain_text_has_the_unsupported_claims():
    """Each such claim has a line, with the reason below it."""
    assert render_plain(ONE) == (
        "#1  ≠ contradicted  0.000  in 0 of 3 sources, 1 against  Sarah leads a team of nine designers.  (bio)\n"
        "    contradicts it: other number (contradiction), sarah.txt, line 2, turn 2 (Sarah): I'm 34 and I work as a "
        "marketing manager. I lead a team of [[five]] designers.\n"
        "\n"
        "1 of 2 claims supported (50.0 %)\n"
        "faithfulness 0.500, weak 0.000, hallucination 0.500 (1 claim contradicted)\n"
        "compared with 3 sources by lexical, supported from 0.6\n"
    )


def test_verbose_text_has_every_claim_with_its_evidence():
    """It includes supported and synthetic claims."""
    text = render_plain(REPORT, verbose=True)
    assert "[[34]]; tool: Slack" in text
    assert "synthetic: Person is named Sarah Chen  (name)" in text
    assert "[[34]]" not in render_plain(REPORT)
    assert "outweighed: passage (lexical)" in render_plain(ONE, verbose=True)


def test_markdown_of_a_small_report():
    """The expected text is a whole small report."""
    assert render_markdown(ONE).replace(ONE.tool.version, "VERSION") == (
        "# Faithfulness check\n\n**1 of 2 claims supported (50.0 %)**\n\n"
        "| ≠ contradicted | ✓ supported |\n| ---: | ---: |\n| 1 | 1 |\n\n"
        "- compared with 3 sources by `lexical`, supported from 0.6; groundwire VERSION\n\n"
        "## `persona 1`: 1 of 2 claims supported (50.0 %)\n\n"
        "- faithfulness 0.500, weak 0.000, hallucination 0.500 (1 claim contradicted)\n"
        "- source `sarah.txt`: supports 1 claim, contradicts 1\n"
        "- source `joon.txt`: supports 0 claims\n"
        "- source `survey.csv`: supports 1 claim\n\n"
        "### ≠ Contradicted (1)\n\n"
        "- **#1** `Sarah leads a team of nine designers.` · `bio` · 0.000 UNSUPPORTED · in 0 of 3 sources, 1 against\n"
        "  - contradicts it: other number (contradiction), `sarah.txt, line 2, turn 2 (Sarah)`: `I'm 34 and I work as "
        "a marketing manager. I lead a team of [[five]] designers.`\n"
        "  - outweighed: passage (lexical), 0.206, `sarah.txt, line 4, turn 4 (Sarah)`: ``[[I hate checking emails, so "
        "they call me.]] The sign says <script>document.title = 'x'</script> ]]> `a` | \\x1b[31m \\u202e & \"q\" 🙂 "
        "every day.``\n"
        "    - `No counterpart for “leads”, “team”, “nine”, “designers”.`\n"
        "  - outweighed: passage (lexical), 0.206, `survey.csv, line 2, row 1`: `[[name: Sarah Chen; age: 34; tool: "
        "Slack]]`\n"
        "    - `No counterpart for “leads”, “team”, “nine”, “designers”.`\n\n"
        "### ✓ Supported (1)\n\n"
        "- **#2** `Person is 34 years old` · `age` · 1.000 STRONG · in 2 of 3 sources\n"
        "  - supports it: number (values), 1.000, `survey.csv, line 2, row 1`: `name: Sarah Chen; age: [[34]]; tool: "
        "Slack`\n"
        "  - supports it: number (values), 0.900, `sarah.txt, line 2, turn 2 (Sarah)`: `I'm [[34]] and I work as a "
        "marketing manager. I lead a team of five designers.`\n"
    )


def test_much_evidence_is_counted_in_markdown():
    """At most three of a kind are shown."""
    sources = [(f"s{number}", "Ann: I work as a beekeeper.") for number in range(9)]
    text = render_markdown(faithfulness_report([{"occupation": "beekeeper"}], sources))
    assert "in 9 of 9 sources" in text
    assert text.count("[[beekeeper]]") == 3
    assert "supports it: 6 more places" in text


def test_on_a_terminal_the_evidence_is_underlined():
    """The colour shows whether it supports or contradicts."""
    shown = printed(REPORT, colour="standard", verbose=True)
    assert "\x1b[1;4;35mfive" in shown
    assert "\x1b[4;32m34" in shown
    assert "\x1b[4;33mwinter" in shown


def test_short_view_on_a_terminal_leaves_out_what_is_supported():
    """The figures are complete."""
    shown = printed(REPORT)
    assert "Marketing Manager" not in shown
    assert "4 of 8 claims supported" in shown


def test_a_long_claim_is_cut_on_a_terminal():
    """Its beginning and its end stay."""
    shown = printed(faithfulness_report([{"company": "The mill " + "is very old " * 100 + "indeed"}]), verbose=True)
    assert "…" in shown
    assert "indeed" in shown


@pytest.mark.parametrize("write", PAGES)
def test_warnings_are_shown(write):
    """They name requested models that did not run (ruling D6)."""
    changed = replace(REPORT.personas[0], warnings=("hhem is not there; decided without it",), backend="lexical+x")
    text = write(replace(REPORT, personas=(changed, *REPORT.personas[1:])))
    assert "hhem is not there; decided without it" in " ".join(text.split())
    assert "lexical+x" in text


@pytest.mark.parametrize("write", PAGES)
def test_a_report_without_personas_says_so(write):
    """An empty report says so, or is empty."""
    text = write(faithfulness_report([]))
    assert "no personas to check" in text or "<testsuites>\n</testsuites>" in text


def test_json_reads_back_as_the_same_report():
    """Nothing is lost on the way, and lines are the personas."""
    assert msgspec.json.decode(render_json(REPORT), type=FaithfulnessReport) == REPORT
    lines = [json.loads(line) for line in render_jsonl(REPORT.personas).splitlines()]
    assert lines == json.loads(render_json(REPORT))["personas"]


@pytest.mark.parametrize("write", [*PAGES, pytest.param(render_json, id="json")])
def test_no_control_characters_reach_a_terminal(write):
    """Control characters and marks of direction are spelled out."""
    assert "\x1b" in HOSTILE
    text = write(REPORT)
    assert "\x1b" not in text
    assert "\u202e" not in text or write is render_json


@pytest.mark.parametrize("write", [*PAGES, pytest.param(render_json, id="json")])
def test_the_same_input_gives_the_same_bytes(write):
    """Time and user do not matter."""
    assert write(REPORT).encode("utf-8") == write(faithfulness_report()).encode("utf-8")


def test_markdown_takes_nothing_of_a_text_as_markup():
    """Texts are in code spans."""
    text = render_markdown(faithfulness_report([{"name": "x", "motto": "The <img src=x> `a` @mill [b](c)"}]))
    assert "``Motto is The <img src=x> `a` @mill [b](c)``" in text


@settings(max_examples=examples(30))
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60))
def test_any_text_can_be_written(text):
    """This holds for claims, keys, names and sources, in every form."""
    personas = [{**PERSONAS[1], "name": text, f"x{text}": f"I say {text} twice", "quote": text}]
    report = faithfulness_report(personas, [("a", f"Ann: I say {text} twice."), (f"b{text}", "Ann: Nothing.")])
    for param in (*PAGES, pytest.param(render_json)):
        assert param.values[0](report).encode("utf-8")

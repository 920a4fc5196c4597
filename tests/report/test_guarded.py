"""Guarded verdicts in reports of every form: differences, reasons, speakers."""

import json

import msgspec
import pytest
from markdown_it import MarkdownIt

from groundwire.evidence import QuoteStatus, assess_quotes
from groundwire.report import CheckReport, QuoteEntry, build_guarded_report
from groundwire.report.check import model
from groundwire.report.highlights import diff_text, passage_notes, quote_pieces
from groundwire.report.rendering import render_json, render_markdown
from groundwire.report.terminal.check import layout
from groundwire.sanitize import one_line
from report.samples_guarded import QUOTES, TRANSCRIPTS, VISIT, guarded_report
from report.screen import plain_by

REPORT = guarded_report()
RESULTS = dict(zip(QUOTES, REPORT.quotes, strict=True))


def test_statuses_are_those_of_verdicts_and_fuzzy():
    """Every verdict has its word in the report."""
    assert {*model.STATUSES} == {*QuoteStatus} | {"fuzzy"}


class Reader:
    """A model for which every claim follows."""

    name = "made@1"

    def consistencies(self, pairs):
        """Return one score for each pair."""
        return [1.0] * len(pairs)


def test_the_report_has_the_score_of_a_model():
    """It is a quote in other words, with the model and its passage."""
    quotes = [QuoteEntry("The doctor handed me 15 mg of it")]
    (result,) = build_guarded_report(TRANSCRIPTS, quotes, reader=Reader()).quotes
    assert (result.status, result.accepted, result.reader) == (
        "paraphrased",
        False,
        model.ReadScore(model="made@1", threshold=0.5, score=1.0),
    )
    assert "According to made@1," in result.reasons[0].words


# A model finds paraphrases, and the test of `groundwire check` on a scan has an unreadable quote.
@pytest.mark.parametrize("status", sorted({*QuoteStatus} - {QuoteStatus.PARAPHRASED, QuoteStatus.UNREADABLE}))
def test_report_has_the_verdict(status):
    """The verdict is unchanged, and `accepted` equals `grounded`."""
    result = RESULTS[status]
    assert (result.status, result.accepted) == (status, status in ("exact", "normalized", "near", "elided"))
    assert result.grounded == result.accepted


def test_differences_have_both_sides_and_their_places():
    """The spans cut out the texts."""
    result = RESULTS["altered"]
    assert [each.kind for each in result.differences if each.kind != "whitespace"] == ["number", "negation"]
    for each in result.differences:
        assert each.quote_text == result.quote[slice(*each.quote_span)]
        assert each.source_text == VISIT[slice(*each.source_span)]


def test_reasons_have_code_and_words():
    """Codes are for programs, sentences with both values are for people."""
    assert all(each.words.endswith((".", "”")) for result in REPORT.quotes for each in result.reasons)
    assert RESULTS["altered"].reasons[0].words == "The passage says 15 mg; the quote says 50 mg."
    assert [each.code for each in RESULTS["altered"].reasons[:2]] == ["number", "negation"]
    assert RESULTS["truncated"].truncated == "unless"


def test_a_place_has_speaker_and_time():
    """Turns come from the transcript; their line is that of the file."""
    (place,) = RESULTS["timed"].places
    (turn,) = place.turns
    assert (place.name, turn.speaker, turn.start_time_s, turn.end_time_s, turn.line) == (
        "letter.vtt",
        "Ann",
        65.0,
        67.5,
        6,
    )
    assert [turn.speaker for turn in RESULTS["across"].places[0].turns] == ["Dr. Lee", "Max"]


def test_all_places_are_listed():
    """Every occurrence of a quote, and every part of one with an ellipsis."""
    report = guarded_report([QuoteEntry("three weeks")])
    assert [VISIT[start:end] for start, end in report.quotes[0].places[0].all_spans] == ["three weeks"] * 2
    parts = [VISIT[start:end] for start, end in RESULTS["elided"].places[0].all_spans]
    assert parts == ["I can’t  sleep", "at night. The doctor", "15 mg of it"]


def test_the_cited_source_comes_first():
    """A quote from another transcript is not accepted, and the place names that transcript."""
    result = RESULTS["found_elsewhere"]
    assert (result.cited, result.places[0].name, result.accepted) == (1, "letter.vtt", False)
    in_its_own = guarded_report([QUOTES["found_elsewhere"]._replace(source="letter.vtt")]).quotes[0]
    assert (in_its_own.status, in_its_own.cited, in_its_own.accepted) == ("exact", 2, True)


def test_verdicts_are_those_of_assess_quotes():
    """The report changes no verdict, for one text and for many quotes with citations."""
    quotes = [quote.text for quote in QUOTES.values() if quote.source is None]
    report = build_guarded_report(TRANSCRIPTS[:1], [QuoteEntry(text) for text in quotes])
    verdicts = assess_quotes(quotes, TRANSCRIPTS[0].reading)
    assert [(each.status, each.accepted, each.score) for each in report.quotes] == [
        (each.status, each.accepted, each.score) for each in verdicts
    ]
    assert [[reason.code for reason in each.reasons] for each in report.quotes] == [
        [*each.reasons] for each in verdicts
    ]


def test_reasons_of_an_absent_quote_for_several_sources():
    """It has the reason for its absence, or is blank."""
    assert [each.code for each in RESULTS["absent"].reasons] == ["below_threshold"]
    assert RESULTS["blank"].status == "blank"


def test_counts_add_up():
    """Statuses add up to the quotes; a transcript counts what was accepted from it."""
    summary = REPORT.summary
    assert sum(getattr(summary, status) for status in model.STATUSES) == summary.quotes == len(QUOTES)
    assert sum(each.grounded for each in REPORT.transcripts) == summary.accepted == summary.grounded
    assert [(each.format, each.turns, each.speakers) for each in REPORT.transcripts] == [
        ("text", 4, ("Dr. Lee", "Max")),
        ("webvtt", 2, ("Ann",)),
    ]


def test_short_quote_is_not_accepted_and_has_a_cross():
    """The status says that the quote was found; the sign and the reason say that it is not accepted."""
    report = guarded_report([QuoteEntry("three weeks")], min_words=3)
    assert (report.quotes[0].status, report.quotes[0].accepted) == ("exact", False)
    row = plain_by(layout, report).splitlines()[0]
    assert "✗ exact" in row
    assert row.endswith("(The quote has 2 words; the policy requires at least 3 words.)")
    assert "at least 3 words" in plain_by(layout, report)


def test_word_diff_shows_both_sides():
    """The source's words are in `[-…-]`, the quote's in `{+…+}`; irrelevant differences are not marked."""
    assert diff_text(RESULTS["altered"]) == "gave me [-15 mg-]{+50 mg+} of it, and I do [-not -]take it when I drive"
    assert diff_text(RESULTS["near"]) == "The [-doctor-]{+docter+} gave me 15 mg of it"


@pytest.mark.parametrize("name", QUOTES)
def test_pieces_make_up_the_quote(name):
    """No text is lost or added; notes are inside the passage."""
    result = RESULTS[name]
    assert "".join(piece.text for piece in quote_pieces(result)) == result.quote
    if result.places:
        place = result.places[0]
        assert all(place.start <= note.start <= note.end <= place.end for note in passage_notes(result))


def test_markdown_has_the_same_facts():
    """It has verdict, both sides, reasons and speaker, and no HTML from a reason. It says no difference twice."""
    markdown = render_markdown(REPORT)
    assert "## Not accepted (" in markdown
    assert "  - `number`: `The passage says 15 mg; the quote says 50 mg.`\n" in markdown
    assert "`15 mg` in the source" not in markdown
    assert "  - `punctuation`: " in markdown
    assert "`Ann at 0:01:05`" in markdown
    assert "**↷ found elsewhere**" in markdown
    tokens = MarkdownIt("commonmark", {"html": True}).parse(markdown)
    assert not [child for token in tokens for child in token.children or [token] if child.type.startswith("html")]


def test_a_nearest_passage_is_said_once():
    """The reason has it; its place follows, without the words again."""
    report = guarded_report([QuoteEntry("My sister sold the boat")])
    passage = one_line(report.quotes[0].nearest.passage)
    for text in (render_markdown(report), plain_by(layout, report)):
        assert text.count(passage) == 1
        assert "nearest" in text


def test_json_reads_back_as_the_same_report():
    """Enums become their codes."""
    encoded = render_json(REPORT)
    assert msgspec.json.decode(encoded, type=CheckReport) == REPORT
    assert json.loads(encoded)["settings"] == {
        "policy": "guarded",
        "mode": None,
        "threshold": 0.85,
        "min_chars": 1,
        "min_words": 1,
        "speakers": ["Ann", "max"],
        "support_score": None,
        "fold_variants": False,
    }


def test_progress_counts_every_pair():
    """Progress adds up to quotes times transcripts."""
    steps = []
    build_guarded_report(TRANSCRIPTS, [*QUOTES.values()] * 3, on_progress=steps.append)
    assert sum(steps) == len(QUOTES) * 3 * 2

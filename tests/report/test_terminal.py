"""The reports on a rich console."""

from functools import partial

import pytest
from rich.cells import cell_len

from groundwire.report.terminal import check, cite, faithfulness, ingest
from report.samples import report_of
from report.samples_cite import cite_report
from report.samples_faithfulness import faithfulness_report
from report.samples_guarded import QUOTES, guarded_report
from report.samples_ingest import every_outcome
from report.screen import plain_by, printed_by

shown = partial(printed_by, check.layout)


@pytest.mark.parametrize(
    ("layout", "report", "options"),
    [
        (check.layout, guarded_report([*QUOTES.values()]), {}),
        (check.layout, report_of(["a 中", "b A", "a"], {"中文": ["a", "中"], "e\u0301": ["nope", ""]}), {}),
        (cite.layout, cite_report(), {}),
        (ingest.layout, every_outcome(), {}),
        (faithfulness.layout, faithfulness_report(), {"verbose": True}),
    ],
    ids=["check-guarded", "check-literal", "cite", "ingest", "faithfulness"],
)
def test_a_wide_console_shows_the_lines_of_a_pipe(layout, report, options):
    """There is one layout; a terminal adds only colour and wrapping."""
    screen = printed_by(layout, report, width=2000, **options)
    assert [line.rstrip() for line in screen.splitlines()] == plain_by(layout, report, **options).splitlines()


def test_text_goes_below_columns_that_leave_no_room():
    """Text is indented below narrow columns, and beside them on a wide console."""
    report = report_of("We sleep well here, most of the time", {"PHQ8_Sleep": ["sleep well here, most"]})
    assert shown(report, width=60).splitlines()[1].startswith("    sleep well here, most")
    assert shown(report, width=120).splitlines()[0].rstrip().endswith("  sleep well here, most")


def test_quote_is_never_read_as_markup_of_the_console():
    """`[bold]` and `:smile:` are text of a quote."""
    assert "[bold]x[/bold] :smile:" in shown(report_of("[bold]x[/bold] :smile:", ["[bold]x[/bold] :smile:"]))


def test_domains_come_in_the_order_of_the_input_with_their_counts():
    """Each domain has its counts, an empty one too."""
    lines = [line.rstrip() for line in shown(report_of("a b", {"z": ["a", "q"], "empty": [], "a": ["b"]})).splitlines()]
    first = lines.index("z: 1 of 2 grounded")
    assert lines[first : first + 3] == ["z: 1 of 2 grounded", "empty: 0 of 0 grounded", "a: 1 of 1 grounded"]


def test_long_quote_is_cut_in_the_middle():
    """The other formats have the whole text."""
    assert "x … x" in " ".join(shown(report_of("y", ["x" * 5000])).split())
    assert len(shown(report_of("y", ["x" * 5000]))) < 3000


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_console(width):
    """Names are wrapped so that columns and text fit."""
    from groundwire.report import QuoteEntry, build_report
    from report.samples import transcript

    report = build_report([transcript("中" * 300, "folder/" * 20 + "n" * 50)], [QuoteEntry("中" * 300, "d" * 200)])
    assert max(cell_len(line) for line in shown(report, width=width).splitlines()) <= width


def test_differences_have_marks_as_well_as_colour():
    """The source's words are in brackets with minus, the quote's with plus, and the reasons are sentences."""
    screen = " ".join(shown(guarded_report([QUOTES["altered"]]), width=160).split())
    assert "gave me [-15 mg-]{+50 mg+} of it, and I do [-not -]take it when I drive" in screen
    assert "(The passage says 15 mg; the quote says 50 mg." in screen
    assert "≠ altered" in screen
    assert "punctuation" not in screen


def test_speaker_time_and_restricting_words_are_shown():
    """The line has speaker and time, and the restricting words beside an accepted quote."""
    screen = " ".join(shown(guarded_report([QUOTES["timed"], QUOTES["truncated"]]), width=160).split())
    assert "Ann at 0:01:05" in screen
    assert "make it conditional: “unless”" in screen


def test_verdicts_of_two_words_have_room():
    """The column is as wide as the longest verdict in it."""
    screen = shown(guarded_report([QUOTES["found_elsewhere"]]))
    assert "↷ found elsewhere" in screen


def test_comparison_of_a_long_quote_is_cut():
    """Hundreds of differences do not fill the screen."""
    text = " ".join(f"word{number} and" for number in range(250))
    report = report_with(text, text.replace(" and", " adn"))
    assert report.quotes[0].status == "near"
    assert len(shown(report)) < 4000


def report_with(text, quote):
    """Return the guarded report on one quote."""
    from groundwire.report import QuoteEntry, build_guarded_report
    from report.samples import transcript

    return build_guarded_report([transcript(text)], [QuoteEntry(quote)])

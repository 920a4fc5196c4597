"""The report on a rich console."""

import io

import pytest
from rich.console import Console

from groundwire.report.terminal.check import print_report
from report.samples import report_of
from report.samples_guarded import QUOTES, guarded_report


def shown(report, width=100):
    """Return what a console without colour gets."""
    console = Console(file=io.StringIO(), width=width, color_system=None, highlight=False, markup=False, emoji=False)
    print_report(report, console)
    return console.file.getvalue()


def test_quote_is_never_read_as_markup_of_the_console():
    """`[bold]` and `:smile:` are what somebody said."""
    assert "[bold]x[/bold] :smile:" in shown(report_of("[bold]x[/bold] :smile:", ["[bold]x[/bold] :smile:"]))


def test_domains_come_in_the_order_of_the_input_with_their_counts():
    """Each domain has a heading, an empty one too; the table's head stands once."""
    screen = shown(report_of("a b", {"z": ["a", "q"], "empty": [], "a": ["b"]}))
    headings = [line.strip() for line in screen.splitlines() if line.rstrip().endswith("grounded") and " of " in line]
    assert headings == ["z  1 of 2 grounded", "empty  0 of 0 grounded", "a  1 of 1 grounded"]
    assert screen.count("verdict") == 1


def test_first_places_are_listed_and_the_others_counted():
    """A quote that many transcripts hold does not fill the screen."""
    screen = shown(report_of(["a"] * 10, ["a"]))
    assert screen.count("chars 0–1") == 3
    assert "and 7 more" in screen


def test_long_quote_is_cut_in_the_middle():
    """The screen is for looking; the other formats hold everything."""
    assert "x … x" in " ".join(shown(report_of("y", ["x" * 5000])).split())
    assert len(shown(report_of("y", ["x" * 5000]))) < 3000


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_console(width):
    """Names are cut so that columns and text fit."""
    from groundwire.report import Quote, build_report
    from report.samples import transcript

    report = build_report([transcript("中" * 300, "folder/" * 20 + "n" * 50)], [Quote("中" * 300, "d" * 200)])
    console = Console(file=io.StringIO(), width=width, color_system=None)
    print_report(report, console)
    from rich.cells import cell_len

    assert max(cell_len(line) for line in console.file.getvalue().splitlines()) <= width


def test_what_differs_has_marks_beside_its_colour():
    """The source's words in brackets with minus, the quote's with plus, and the reasons in words."""
    screen = " ".join(shown(guarded_report([QUOTES["altered"]]), width=160).split())
    assert "gave me [-15 mg-]{+50 mg+} of it, and I do [-not -]take it when I drive" in screen
    assert "a number differs" in screen
    assert "≠ altered" in screen
    assert "punctuation" not in screen


def test_speaker_time_and_words_beside_the_passage_are_shown():
    """Who says it and when, and what an accepted quote leaves out right beside it."""
    screen = " ".join(shown(guarded_report([QUOTES["timed"], QUOTES["truncated"]]), width=160).split())
    assert "Ann at 0:01:05" in screen
    assert "a negation, a condition or a limit of it: “unless”" in screen


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
    from groundwire.report import Quote, build_guarded_report
    from report.samples import transcript

    return build_guarded_report([transcript(text)], [Quote(quote)])

"""What a console and a pipe show of a report."""

import io

from rich.console import Console

from groundwire.report.terminal import render_plain
from groundwire.report.terminal.console import print_layout


def plain_by(layout, report, **options):
    """Return the plain lines of *report* as *layout* arranges it."""
    return render_plain(layout(report, **options))


def printed_by(layout, report, width=100, colour=None, **options):
    """Return what a console of *width* shows of *report*, as *layout* arranges it."""
    console = Console(
        file=io.StringIO(),
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
        color_system=colour,
        force_terminal=bool(colour),
    )
    print_layout(layout(report, **options), console)
    return console.file.getvalue()

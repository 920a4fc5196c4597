"""Render a report as on a console and in a pipe."""

import io

from rich.console import Console

from groundwire.report.terminal import render_plain
from groundwire.report.terminal.console import print_layout


def plain_by(layout, report, **options):
    """Return the plain lines of *report* in this *layout*."""
    return render_plain(layout(report, **options))


def printed_by(layout, report, width=100, colour=None, **options):
    """Return the output of a console of *width* for *report* in this *layout*."""
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

"""What a console shows of a report."""

import io

from rich.console import Console


def printed_by(print_report, report, width=100, colour=None, **options):
    """Return what a console of *width* shows of *report*, as *print_report* prints it."""
    console = Console(
        file=io.StringIO(),
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
        color_system=colour,
        force_terminal=bool(colour),
    )
    print_report(report, console, **options)
    return console.file.getvalue()

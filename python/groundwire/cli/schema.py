"""`groundwire schema`: the JSON Schema of a report."""

from typing import Annotated

import typer

from groundwire.cli.output import write_stdout
from groundwire.cli.problems import choose

REPORTS = ("check", "cite", "ingest", "validate")


def schema(
    report: Annotated[
        str, typer.Argument(metavar="check|cite|ingest|validate", help="The command whose JSON report it is.")
    ],
) -> None:
    """Print the JSON Schema of a command's JSON report."""
    choose("report", report, REPORTS)
    from groundwire.report.rendering import render_schema

    if report == "cite":
        from groundwire.report.cite import CiteReport

        write_stdout(render_schema(CiteReport))
    elif report == "ingest":
        from groundwire.report.ingest import IngestReport

        write_stdout(render_schema(IngestReport))
    elif report == "validate":
        from groundwire.report.faithfulness import FaithfulnessReport

        write_stdout(render_schema(FaithfulnessReport))
    else:
        from groundwire.report import CheckReport

        write_stdout(render_schema(CheckReport))

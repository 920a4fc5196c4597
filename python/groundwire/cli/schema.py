"""`groundwire schema`: prints the JSON Schema of a report."""

import click

from groundwire.cli.options import Choice
from groundwire.cli.output import write_stdout


@click.command()
@click.argument(
    "report", type=Choice(("bulk", "check", "cite", "ingest", "validate")), help="The command that writes the report."
)
def schema(report: str) -> None:
    """Print the JSON Schema of a command's JSON report."""
    from groundwire.report.rendering import render_schema

    if report == "bulk":
        from groundwire.bulk.manifest import BulkSummary

        write_stdout(render_schema(BulkSummary))
    elif report == "cite":
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

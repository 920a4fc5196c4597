"""`groundwire schema`: prints the JSON Schema of a report."""

from importlib import import_module

import click

from groundwire.cli.options import Choice
from groundwire.cli.output import write_stdout

_MODELS = {
    "bulk": ("groundwire.bulk.manifest", "BulkSummary"),
    "check": ("groundwire.report.check", "CheckReport"),
    "cite": ("groundwire.report.cite", "CiteReport"),
    "ingest": ("groundwire.report.ingest", "IngestReport"),
    "validate": ("groundwire.report.faithfulness", "FaithfulnessReport"),
}


@click.command()
@click.argument("report", type=Choice((*_MODELS,)), help="The command that writes the report.")
def schema(report: str) -> None:
    """Print the JSON Schema of a command's JSON report."""
    from groundwire.report.rendering import render_schema

    module, name = _MODELS[report]
    write_stdout(render_schema(getattr(import_module(module), name)))

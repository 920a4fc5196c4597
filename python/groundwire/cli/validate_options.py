"""Arguments and options of `groundwire validate`, each with its help text."""

from typing import Annotated

import typer

Personas = Annotated[
    str | None,
    typer.Argument(
        metavar="PERSONAS", help='JSON: one persona, a list, or {"personas": […]}, UTF-8; - for standard input.'
    ),
]
Faithfulness = Annotated[
    bool, typer.Option("--faithfulness", help="Compare what the personas claim with the sources: the one check so far.")
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        "-s",
        metavar="FILE",
        help="The research: text, Markdown, CSV, JSON, a transcript, or a folder of them; - as above; may be given "
        "again.",
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show every claim, with all its evidence.")]
Hhem = Annotated[
    str | None,
    typer.Option(
        "--hhem",
        metavar="[=require]",
        help="Let the local classifier score claims; with =require fail where it cannot, instead of going on without.",
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option("--embedder", metavar="NAME", help="Let this embedder find what is near in meaning."),
]
JudgeTask = Annotated[
    str | None,
    typer.Option(
        "--judge",
        metavar="support|statements|both",
        help="What a language model is asked: how far claims follow from the sources, what prose states, or both.  "
        "[default: nothing, or both if a model is named]",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option("--threshold", metavar="0-1", help="From which confidence on a claim is supported.  [default: 0.6]"),
]
MinScore = Annotated[
    float, typer.Option("--min-score", metavar="0-1", help="The least faithfulness score of a persona that passes.")
]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="Pass where a persona claims nothing.")]
Policies = Annotated[
    str | None,
    typer.Option(
        "--policies", metavar="FILE", help="TOML with a table `policies`: which fields are checked, skipped, synthetic."
    ),
]
Review = Annotated[
    str | None,
    typer.Option(
        "--review",
        metavar="FILE|URL",
        help="Send weak and contradicted claims to the review queue in this database, an SQLite file or "
        "postgresql://…, and show what was decided.",
    ),
]
User = Annotated[str, typer.Option("--user", metavar="NAME", help="Whose claims they are in the review queue.")]
Reports = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        "-o",
        metavar="OUT",
        help="Write the report to this file as well, in the form of its suffix: .md, .json, .jsonl, .html, .xml for "
        "JUnit, else text; may be given again.",
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="text|json|jsonl|markdown|html|junit",
        help="Form of what is shown on standard output.  [default: text]",
    ),
]

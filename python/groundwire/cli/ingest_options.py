"""Arguments and options of `groundwire ingest`, each with its help text."""

from typing import Annotated

import typer

Claims = Annotated[list[str] | None, typer.Argument(metavar="CLAIM", help="Claims, each as one argument.")]
Files = Annotated[
    list[str] | None,
    typer.Option(
        "--file",
        metavar="FILE",
        help="Claims from a file: a line each, JSON lines, or the paragraphs of Markdown; - for standard input; "
        "may be given again.",
    ),
]
ClaimsFormatName = Annotated[
    str | None,
    typer.Option("--claims-format", metavar="jsonl|text|markdown", help="Read files as this, whatever the suffix."),
]
TypeName = Annotated[
    str,
    typer.Option(
        "--type",
        metavar="fact|preference|decision",
        help="What kind of claims they are. Any other type is unknown, and sends claims to review.",
    ),
]
SourceName = Annotated[
    str,
    typer.Option(
        "--source",
        metavar="NAME",
        help="Where they come from: user, documentation, adr, commit, manual, which are trusted; conversation, chat, "
        "ai_synthesis. Any other source is unknown, and sends claims to review.",
    ),
]
User = Annotated[str, typer.Option("--user", metavar="NAME", help="Whose memory it is.")]
Database = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="FILE|URL", help="The memory: an SQLite file, or postgresql://…; without it nothing is written."
    ),
]
Repository = Annotated[
    str | None, typer.Option("--repo", metavar="FOLDER", help="The git repository of cited commits.")
]
Records = Annotated[
    list[str] | None,
    typer.Option("--adr", metavar="FOLDER", help="A folder of decision records; may be given again."),
]
Network = Annotated[bool, typer.Option("--network", help="Look up cited URLs, DOIs and the tracker's issues.")]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host", metavar="HOST", help="A host that may be asked although it is not public; again for more."
    ),
]
Issues = Annotated[
    str | None,
    typer.Option("--issues", metavar="FILE", help="The issues that there are, one a line: 12, owner/repo#12."),
]
Tracker = Annotated[
    str | None,
    typer.Option("--tracker", metavar="github|gitlab:OWNER/REPO", help="Whom to ask for issues, over the network."),
]
TrackerUrl = Annotated[
    str | None, typer.Option("--tracker-url", metavar="URL", help="The interface of a tracker of one's own.")
]
DedupMethodName = Annotated[
    str,
    typer.Option("--dedup-method", metavar="jaccard|minhash|vector", help="How memories that say the same are found."),
]
Threshold = Annotated[
    float, typer.Option("--threshold", metavar="0-1", help="From which similarity on a memory says the same.")
]
Scientific = Annotated[
    bool, typer.Option("--scientific", help="Words of research prose, such as putative, are hedges.")
]
VerifyClaimRelevance = Annotated[
    bool,
    typer.Option(
        "--verify-claim-relevance/--no-verify-claim-relevance",
        help="Whether what is cited has to say what is claimed, in one of its passages; else it only has to exist.",
    ),
]
AutoApproveAiSynthesis = Annotated[
    bool,
    typer.Option(
        "--auto-approve-ai-synthesis/--no-auto-approve-ai-synthesis",
        help="Whether a model's own claim is approved by what it cites; people see it otherwise.",
    ),
]
ConversationFile = Annotated[
    str | None,
    typer.Option(
        "--conversation",
        metavar="FILE",
        help="The transcript, or the messages as JSON, that claims quote from; - for standard input.",
    ),
]
Shadow = Annotated[bool, typer.Option("--shadow", help="Store every claim, and only tell what would become of it.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Decide, and write nothing.")]

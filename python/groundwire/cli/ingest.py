"""`groundwire ingest`: decides on claims and stores them in memory."""

from collections import Counter
from typing import TYPE_CHECKING

import click

from groundwire.cli.app import CommandError, mute_log_events, report_errors, warn
from groundwire.cli.commands import ERROR, FOUND, PASS
from groundwire.cli.inputs import check_stdin_once, display_name, is_file, read_text
from groundwire.cli.options import (
    DATABASE,
    FILE,
    FOLDER,
    SHARE,
    Choice,
    format_option,
    input_format_option,
    no_progress_option,
    output_option,
)
from groundwire.cli.output import REPORT_FORMATS, Presentation, check_outputs, publish
from groundwire.thresholds import DUPLICATE_THRESHOLD

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from groundwire.cli.claims import ClaimSet, ClaimsFormat, Recall
    from groundwire.cli.factories import ProgressVerifier
    from groundwire.ingestion import GroundedIngestionConfig
    from groundwire.ingestion.conversation import Conversation
    from groundwire.ingestion.duplicates.index import DedupMethod
    from groundwire.report.ingest import Handled, IngestReport


@click.command()
@click.argument("claims", metavar="[CLAIM]...", nargs=-1, help="The claims, each as one argument.")
@click.option(
    "--file",
    "files",
    type=FILE,
    multiple=True,
    help="Read claims from this file: one per line, JSON lines, or the paragraphs of Markdown; - for standard input; "
    "repeatable.",
)
@click.option("--from-files", is_flag=True, help="Take the arguments as names of files, each as with --file.")
@input_format_option("jsonl", "json", "csv", "text", "markdown", reads="files")
@click.option(
    "--memory-type",
    "memory_type",
    metavar="fact|preference|decision",
    default="fact",
    help="The type of the claims; claims of an unknown type go to review.",
)
@click.option(
    "--source",
    metavar="NAME",
    default="ai_synthesis",
    help="The origin of the claims. Trusted: user, documentation, adr, commit, manual. Not trusted: conversation, "
    "chat, ai_synthesis. Claims of an unknown origin go to review.",
)
@click.option("--user", metavar="NAME", default="local", help="The user who owns the memory.")
@click.option(
    "--database",
    type=DATABASE,
    help="The memory: an SQLite file, sqlite:///… or postgresql://…; without it, nothing is written.",
)
@click.option("--repo", type=FOLDER, help="The git repository of cited commits.")
@click.option("--adr-dir", type=FOLDER, multiple=True, help="A folder of decision records; repeatable.")
@click.option("--documents", type=FOLDER, help="The folder of PDFs whose pages are cited.")
@click.option("--network", is_flag=True, help="Verify cited URLs, DOIs and tracker issues over the network.")
@click.option(
    "--allow-host",
    metavar="HOST",
    multiple=True,
    help="Allow requests to this host although it is not public; repeatable.",
)
@click.option("--issue-list", type=FILE, help="A list of existing issues, one per line, such as 12 or owner/repo#12.")
@click.option(
    "--issue-tracker",
    metavar="github|gitlab:OWNER/REPO",
    help="The repository whose issues are verified over the network.",
)
@click.option("--issue-tracker-url", metavar="URL", help="The address of the API of your own tracker.")
@click.option(
    "--dedup-method",
    type=Choice(("jaccard", "minhash", "vector")),
    default="jaccard",
    help="How memories with the same content are found.",
)
@click.option(
    "--threshold",
    type=SHARE,
    default=DUPLICATE_THRESHOLD,
    help="The minimum similarity of a memory with the same content.",
)
@click.option("--scientific-hedges", is_flag=True, help="Treat words of research prose, such as putative, as hedges.")
@click.option(
    "--verify-claim-relevance/--no-verify-claim-relevance",
    default=True,
    help="Whether a passage of the cited text must support the claim, or the citation only has to exist.",
)
@click.option(
    "--auto-approve-ai-synthesis/--no-auto-approve-ai-synthesis",
    default=True,
    help="Whether a verified citation approves a claim made by a model, which otherwise goes to review.",
)
@click.option(
    "--conversation",
    type=FILE,
    help="The transcript, or messages as JSON, that claims quote from; - for standard input.",
)
@click.option("--shadow-mode", is_flag=True, help="Store every claim and only report the decision.")
@click.option("--dry-run", is_flag=True, help="Decide without writing anything.")
@format_option(*REPORT_FORMATS)
@output_option()
@no_progress_option
def ingest(
    *,
    claims: tuple[str, ...],
    files: tuple[str, ...],
    from_files: bool,
    input_format: "ClaimsFormat | None",
    memory_type: str,
    source: str,
    user: str,
    database: str | None,
    repo: str | None,
    adr_dir: tuple[str, ...],
    documents: str | None,
    network: bool,
    allow_host: tuple[str, ...],
    issue_list: str | None,
    issue_tracker: str | None,
    issue_tracker_url: str | None,
    dedup_method: "DedupMethod",
    threshold: float,
    scientific_hedges: bool,
    verify_claim_relevance: bool,
    auto_approve_ai_synthesis: bool,
    conversation: str | None,
    shadow_mode: bool,
    dry_run: bool,
    report_format: str,
    outputs: tuple[str, ...],
    no_progress: bool,
) -> int:
    """
    Decide which claims may be remembered, and store them.

    A claim is approved if its citation is verified or its source is trusted, and
    blocked if it is a guess or a duplicate. All other claims go to review.

    Exit code 0: every claim is approved, or stored in shadow mode. 1: at least one
    goes to review or is blocked. 2: usage or input error, including one invalid claim.
    """
    from groundwire.cli.factories import VerifierOptions, make_verifier, open_embedder
    from groundwire.ingestion import GroundedIngestionConfig

    if not threshold:
        raise CommandError("--threshold must be above 0")
    if from_files:
        claims, files = (), (*files, *claims)
    read = _reader(claims, files, input_format, (memory_type, source, user))
    _check_inputs(claims, files, [each for each in (issue_list, conversation) if each is not None], outputs, database)
    transcript = None if conversation is None else _read_conversation(conversation)
    options = VerifierOptions(
        repo, adr_dir, network, allow_host, issue_list, issue_tracker, issue_tracker_url, documents
    )
    verifier = make_verifier(options, shows_progress=not no_progress)
    with open_embedder(dedup_method) as embedder:
        config = GroundedIngestionConfig(
            dedup_method=dedup_method,
            dedup_threshold=threshold,
            verify_claim_relevance=verify_claim_relevance,
            auto_approve_ai_synthesis=auto_approve_ai_synthesis,
            embedder=embedder,
            scientific=scientific_hedges,
        )
        report, is_whole = _decide(read, database, config, verifier, transcript, shadow=shadow_mode, dry_run=dry_run)
    publish(Presentation("ingest", report, report.claims), report_format, outputs)
    if not is_whole:
        return ERROR
    is_shadow = report.settings.shadow and report.settings.writes
    done = report.summary.shadow_stored if is_shadow else report.summary.tier_1
    return PASS if done == report.summary.claims else FOUND


def _reader(
    claims: "Sequence[str]",
    files: "Sequence[str]",
    input_format: "ClaimsFormat | None",
    defaults: tuple[str, str, str],
) -> "Callable[[Recall | None], ClaimSet]":
    """Return a function that reads the claims, given a lookup of parents; warn of unknown types and sources."""
    from groundwire.cli.claims import ClaimDefaults, read_claims
    from groundwire.ingestion.tiers import known_source, known_type
    from groundwire.labels import show

    memory_type, source, _ = defaults
    if known_type(memory_type) is None:
        warn(f"--memory-type {show(memory_type)} is unknown: its claims go to review")
    if known_source(source) is None:
        warn(f"--source {show(source)} is unknown: its claims go to review")
    return lambda recall: read_claims(claims, files, ClaimDefaults(*defaults), input_format=input_format, recall=recall)


def _read_conversation(path: str) -> "Conversation":
    """
    Return the conversation in a file.

    Raises:
        CommandError: The file cannot be read, or is not a transcript.
    """
    from groundwire.errors import TranscriptError
    from groundwire.ingestion.conversation import conversation_of

    try:
        return conversation_of(read_text(path))
    except (TranscriptError, ValueError) as error:
        # Neither error contains text of the conversation.
        raise CommandError(f"{display_name(path)}: {error}") from None


def _decide(
    read: "Callable[[Recall | None], ClaimSet]",
    database: str | None,
    config: "GroundedIngestionConfig",
    verifier: "ProgressVerifier",
    conversation: "Conversation | None",
    *,
    shadow: bool,
    dry_run: bool,
) -> "tuple[IngestReport, bool]":
    """
    Return the report on all claims, and whether every item was a valid claim and none was lost; report errors.

    Raises:
        CommandError: There are no claims, or *database* cannot be a store.
        MemoryStoreError: The store cannot be used; nothing was stored.
    """
    from groundwire.cli.claims import CLAIM_LINE
    from groundwire.cli.stores import assess_without_store, open_memory_target
    from groundwire.report.ingest import IngestSettings, build_ingest_report

    with open_memory_target(database, dry_run=dry_run) as memory, mute_log_events():
        offers, problems, hint = read(None if memory is None else memory.recall)
        report_errors(problems, hint=hint)
        if not offers and not problems:
            raise CommandError("the input contains no claims", hint=CLAIM_LINE)
        if memory is None:
            handled = _run(assess_without_store(offers, config, verifier, conversation))
        else:
            handled = _run(memory.submit(offers, config, verifier, conversation, shadow=shadow))
    failures = _queue_errors(handled)
    report_errors(failures, hint=None)
    settings = IngestSettings(
        compared_with="input" if memory is None else "store",
        dedup_method=config.dedup_method,
        threshold=config.dedup_threshold,
        scientific=config.scientific,
        verify_claim_relevance=config.verify_claim_relevance,
        auto_approve_ai_synthesis=config.auto_approve_ai_synthesis,
        network=verifier.network,
        writes=memory is not None and memory.writes,
        shadow=shadow,
    )
    return build_ingest_report(offers, handled, settings), not problems and not failures


def _run(work: "Coroutine[None, None, list[Handled]]") -> "list[Handled]":
    """Return the result of *work*."""
    import asyncio

    with asyncio.Runner() as runner:
        # `runner.run` would handle Ctrl-C itself, and only after many comparisons.
        return runner.get_loop().run_until_complete(work)


def _queue_errors(handled: "Sequence[Handled]") -> list[str]:
    """Return an error for each cause that kept claims out of the review queue, with their number."""
    from groundwire.labels import plural

    found = Counter(each.failure for each in handled if each.failure is not None)
    return [f"{plural(count, 'claim')} could not be queued for review ({error})" for error, count in found.items()]


def _check_inputs(
    claims: "Sequence[str]",
    files: "Sequence[str]",
    beside: "Sequence[str]",
    outputs: "Sequence[str]",
    database: str | None,
) -> None:
    """
    Check that there is input, and that no output overwrites it.

    Raises:
        CommandError: There is no claim and no file, a file is given twice, or a claim is the name of a file.
    """
    if not claims and not files:
        raise CommandError("missing CLAIM or --file", hint="`groundwire ingest CLAIM...`, or --file FILE")
    inputs = [*files, *beside]
    check_stdin_once(inputs)
    for number, file in enumerate(files):
        if file in files[:number]:
            raise CommandError(f"`{file}` is given twice")
    for claim in claims:
        # The likely mistake is a missing `--file`: a claim has more than one word.
        if not any(map(str.isspace, claim)) and is_file(claim):
            raise CommandError(f"`{claim}` is a file, not a claim", hint=f"use --file {claim} to read the claims in it")
    check_outputs(outputs, [*inputs, *([] if database is None else [database])], REPORT_FORMATS)

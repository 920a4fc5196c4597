"""`groundwire ingest`: what becomes of claims that are offered to memory?"""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from groundwire.cli import ERROR, FOUND, PASS
from groundwire.cli.ingest_options import (
    AllowedHosts,
    AutoApproveAiSynthesis,
    Claims,
    ClaimsFormatName,
    ConversationFile,
    Database,
    DedupMethodName,
    DryRun,
    Files,
    Issues,
    Network,
    Records,
    Repository,
    Scientific,
    Shadow,
    SourceName,
    Threshold,
    Tracker,
    TrackerUrl,
    TypeName,
    User,
    VerifyClaimRelevance,
)
from groundwire.cli.inputs import check_stdin_once, is_file
from groundwire.cli.options import FormatName, NoProgress, Output
from groundwire.cli.output import check_target
from groundwire.cli.problems import CommandError, choose, complain, quiet_events, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from rich.console import Console

    from groundwire.cli.claims import Offers, Recall
    from groundwire.cli.lookups import Lookups
    from groundwire.cli.publish import ReportFormat
    from groundwire.ingestion import GroundedIngestionConfig
    from groundwire.ingestion.conversation import Conversation
    from groundwire.ingestion.duplicates.index import DedupMethod
    from groundwire.report.ingest import Handled, IngestReport


def ingest(
    *,
    claims: Claims = None,
    file: Files = None,
    claims_format: ClaimsFormatName = None,
    memory_type: TypeName = "fact",
    source: SourceName = "ai_synthesis",
    user: User = "local",
    db: Database = None,
    repo: Repository = None,
    adr: Records = None,
    network: Network = False,
    allow_host: AllowedHosts = None,
    issues: Issues = None,
    tracker: Tracker = None,
    tracker_url: TrackerUrl = None,
    dedup_method: DedupMethodName = "jaccard",
    threshold: Threshold = 0.92,
    scientific: Scientific = False,
    verify_claim_relevance: VerifyClaimRelevance = True,
    auto_approve_ai_synthesis: AutoApproveAiSynthesis = True,
    conversation: ConversationFile = None,
    shadow: Shadow = False,
    dry_run: DryRun = False,
    report_format: FormatName = None,
    output: Output = "-",
    no_progress: NoProgress = False,
) -> int:
    """
    Say of claims whether they may be remembered, and store those that may.

    A claim is approved if what it cites is there or its source is trusted, goes to
    review if nobody can tell, and is blocked if it is a guess or a copy.

    Exit code 0: every claim is approved, or stored in shadow mode. 1: at least one
    is to be reviewed or blocked. 2: usage or input error, also of one claim.
    """
    from groundwire.cli.embedding import embedding
    from groundwire.cli.lookups import LookUpOptions, lookups_of
    from groundwire.cli.publish import format_of, publish
    from groundwire.ingestion import GroundedIngestionConfig

    chosen_format = format_of(report_format, output)
    read = _reader(claims or (), file or (), claims_format, (memory_type, source, user))
    method = _method(dedup_method, threshold)
    _check_inputs(claims or (), file or (), [each for each in (issues, conversation) if each is not None], output, db)
    said = None if conversation is None else _conversation(conversation)
    options = LookUpOptions(repo, adr or (), network, allow_host or (), issues, tracker, tracker_url)
    lookups = lookups_of(options, shows_progress=not no_progress)
    with embedding(method) as embedder:
        config = GroundedIngestionConfig(
            dedup_method=method,
            dedup_threshold=threshold,
            verify_claim_relevance=verify_claim_relevance,
            auto_approve_ai_synthesis=auto_approve_ai_synthesis,
            embedder=embedder,
            scientific=scientific,
        )
        report, is_whole = _decided(read, db, config, lookups, said, shadow=shadow, dry_run=dry_run)
    publish(partial(_rendered, report), partial(_print, report), chosen_format, output)
    if not is_whole:
        return ERROR
    is_shadow = report.settings.shadow and report.settings.writes
    done = report.summary.shadow_stored if is_shadow else report.summary.tier_1
    return PASS if done == report.summary.claims else FOUND


def _reader(
    claims: "Sequence[str]", files: "Sequence[str]", claims_format: str | None, defaults: tuple[str, str, str]
) -> "Callable[[Recall | None], Offers]":
    """
    Return what reads the claims, once it is known who finds their parents.

    Raises:
        CommandError: An option has a value that it does not know.
    """
    from groundwire.cli.claims import CLAIMS_FORMATS, Defaults, read_claims
    from groundwire.ingestion.tiers import known_source, known_type
    from groundwire.labels import show

    memory_type, source, _ = defaults
    if known_type(memory_type) is None:
        warn(f"--type {show(memory_type)} is unknown: its claims go to review")
    if known_source(source) is None:
        warn(f"--source {show(source)} is unknown: its claims go to review")
    read_as = None if claims_format is None else choose("--claims-format", claims_format, CLAIMS_FORMATS)
    return lambda recall: read_claims(claims, files, Defaults(*defaults), claims_format=read_as, recall=recall)


def _conversation(path: str) -> "Conversation":
    """
    Return what was said.

    Raises:
        CommandError: The file cannot be read, or is no transcript.
    """
    from groundwire.cli.inputs import decode, display_name, read_bytes
    from groundwire.errors import TranscriptError
    from groundwire.ingestion.conversation import conversation_of

    name = display_name(path)
    text, _ = decode(read_bytes(path), name)
    try:
        return conversation_of(text)
    except (TranscriptError, ValueError) as error:
        # Neither holds what is said.
        raise CommandError(f"{name}: {error}") from None


def _decided(
    read: "Callable[[Recall | None], Offers]",
    db: str | None,
    config: "GroundedIngestionConfig",
    lookups: "Lookups",
    conversation: "Conversation | None",
    *,
    shadow: bool,
    dry_run: bool,
) -> "tuple[IngestReport, bool]":
    """
    Return the report on all claims, and whether nothing of the input was lost on the way; what was is told.

    Raises:
        CommandError: There are no claims, or *db* is no place for a store.
        MemoryStoreError: The store cannot be used; nothing was stored.
    """
    from groundwire.cli.claims import CLAIM_LINE
    from groundwire.cli.memories import memories, take_without_store
    from groundwire.report.ingest import IngestSettings, build_ingest_report

    with memories(db, dry_run=dry_run) as memory, quiet_events():
        offers, problems, hint = read(None if memory is None else memory.recall)
        complain(problems, hint=hint)
        if not offers and not problems:
            raise CommandError("there are no claims in what was given", hint=CLAIM_LINE)
        if memory is None:
            handled = _finished(take_without_store(offers, config, lookups, conversation))
        else:
            handled = _finished(memory.take(offers, config, lookups, conversation, shadow=shadow))
    failures = _failures(handled)
    complain(failures, hint=None)
    settings = IngestSettings(
        compared_with="input" if memory is None else "store",
        dedup_method=config.dedup_method,
        threshold=config.dedup_threshold,
        scientific=config.scientific,
        verify_claim_relevance=config.verify_claim_relevance,
        auto_approve_ai_synthesis=config.auto_approve_ai_synthesis,
        network=lookups.network,
        writes=memory is not None and memory.writes,
        shadow=shadow,
    )
    return build_ingest_report(offers, handled, settings), not problems and not failures


def _finished(work: "Coroutine[None, None, list[Handled]]") -> "list[Handled]":
    """Return what comes of *work*."""
    import asyncio

    with asyncio.Runner() as runner:
        # Not `runner.run`, which takes Ctrl-C for itself and puts it off until many claims are compared.
        return runner.get_loop().run_until_complete(work)


def _failures(handled: "Sequence[Handled]") -> list[str]:
    """Return how many claims people should see and will not find in the queue, by what it failed with."""
    from groundwire.report.labels import plural

    found = Counter(each.failure for each in handled if each.failure is not None)
    return [f"{plural(count, 'claim')} could not be queued for review ({error})" for error, count in found.items()]


def _method(name: str, threshold: float) -> "DedupMethod":
    """
    Return how memories that say the same are found.

    Raises:
        CommandError: There is no such method, or *threshold* is out of its range.
    """
    from groundwire.ingestion.duplicates.index import DEDUP_METHODS

    if not 0.0 < threshold <= 1.0:
        raise CommandError(f"--threshold must be above 0 and at most 1, got {threshold:g}")
    return choose("--dedup-method", name, DEDUP_METHODS)


def _check_inputs(
    claims: "Sequence[str]", files: "Sequence[str]", beside: "Sequence[str]", output: str, db: str | None
) -> None:
    """
    Check before the work that there is something to read, and that nothing of it is overwritten.

    Raises:
        CommandError: No claim or file is named, one is given twice, or a file stands where a claim should.
    """
    if not claims and not files:
        raise CommandError("no CLAIM and no --file is given", hint="`groundwire ingest CLAIM...`, or --file FILE")
    inputs = [*files, *beside]
    check_stdin_once(inputs)
    for number, file in enumerate(files):
        if file in files[:number]:
            raise CommandError(f"`{file}` is given twice")
    for claim in claims:
        # Whoever means a file forgets `--file` sooner or later; a claim of one word is none.
        if not any(map(str.isspace, claim)) and is_file(claim):
            raise CommandError(f"`{claim}` is a file, and no claim", hint=f"--file {claim} reads the claims in it")
    check_target(output, [*inputs, *([] if db is None else [db])])


def _rendered(report: "IngestReport", report_format: "ReportFormat") -> str:
    """Return *report* as str; only the writer that is used is imported."""
    if report_format == "json":
        from groundwire.report.rendering import render_json

        return render_json(report)
    if report_format == "jsonl":
        from groundwire.report.rendering import render_jsonl

        return render_jsonl(report.claims)
    if report_format == "markdown":
        from groundwire.report.rendering import render_markdown

        return render_markdown(report)
    if report_format == "html":
        from groundwire.report.rendering import render_html

        return render_html(report)
    from groundwire.report.text.ingest import render_plain

    return render_plain(report)


def _print(report: "IngestReport", console: "Console") -> None:
    from groundwire.report.terminal.ingest import print_report

    print_report(report, console)

"""`groundwire check`: checks quotes against the transcripts they come from."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from groundwire.cli.app import CommandError, warn
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.inputs import check_stdin_once, display_name
from groundwire.cli.options import (
    COUNT,
    FILE,
    Number,
    PathName,
    allow_empty_option,
    format_option,
    input_format_option,
    mode_option,
    no_progress_option,
    output_option,
    policy_option,
    quote_score,
    quote_score_option,
    reader_option,
    threshold_option,
    workers_option,
)
from groundwire.cli.output import (
    CI_FORMATS,
    REPORT_FORMATS,
    Presentation,
    check_outputs,
    check_separate,
    check_target,
    check_terminal,
    ci_writers,
    progress,
    publish,
)
from groundwire.labels import plural
from groundwire.thresholds import MIN_QUOTATION_WORDS

if TYPE_CHECKING:
    from groundwire.cli.quotes import QuoteSet, QuotesFormat
    from groundwire.report import CheckReport, TranscriptFile
    from groundwire.report.check.model import Mode, Policy
    from groundwire.report.findings import ReportFinding

_Command = TypeVar("_Command", bound=Callable[..., Any])

_SPEAKERS_LISTED = 20

_FORMATS = (*REPORT_FORMATS, "csv", "tsv", "xlsx", "qdpx", *CI_FORMATS)
_COLUMNS = {
    "quote": "quotes",
    "source": "names of the sources",
    "speaker": "speakers",
    "page": "pages",
    "domain": "codes or themes",
    "id": "ids",
}


def _column_options(command: _Command) -> _Command:
    """Add an option for the column of each field."""
    for field, words in reversed(_COLUMNS.items()):
        help_ = f"The column with the {words}: its name, letter or number.  [default: found by its name]"
        command = click.option(f"--{field}-column", metavar="NAME", help=help_)(command)
    return command


@click.command()
@click.argument(
    "transcripts",
    type=PathName("SOURCE..."),
    nargs=-1,
    required=True,
    metavar="SOURCE...",
    help="The files, folders and patterns to search: text, PDF, DOCX, HTML, XLSX, EPUB; - for standard input.",
)
@click.option(
    "--quotes",
    "-q",
    type=FILE,
    help="The quotes: a table (CSV, XLSX, DOCX), JSON, JSON lines, or one per line; - for standard input.",
)
@click.option(
    "--quotes-in",
    "answer",
    type=FILE,
    help="Check all quotations of this answer in Markdown or plain text instead; - for standard input.",
)
@click.option(
    "--min-quotation-words",
    type=COUNT,
    help=f"Leave out shorter quotations of --quotes-in, and count them.  [default: {MIN_QUOTATION_WORDS}]",
)
@input_format_option("json", "jsonl", "csv", "text", reads="the quotes")
@click.option("--sheet", metavar="NAME", help="The sheet of the quotes.  [default: the only one with quotes]")
@_column_options
@click.option("--no-header", is_flag=True, help="Read quotes from the first row on; needs --quote-column.")
@policy_option
@mode_option
@threshold_option
@click.option(
    "--speaker",
    "speakers",
    metavar="NAME",
    multiple=True,
    help="Accept only words of this speaker; repeatable.",
)
@click.option("--single-speaker", is_flag=True, help="Reject quotes with words of more than one speaker.")
@click.option(
    "--fold-variants",
    is_flag=True,
    help="Treat simplified and traditional Chinese characters as equal, and hiragana and katakana.",
)
@reader_option
@quote_score_option
@click.option("--min-chars", type=COUNT, help="The minimum number of characters in an accepted quote.  [default: 1]")
@click.option("--min-words", type=COUNT, help="The minimum number of words in an accepted quote.  [default: 1]")
@format_option(*_FORMATS)
@output_option()
@click.option(
    "--page-images",
    type=Number(0),
    default=50,
    help="The most images of PDF pages in an HTML report, which shows the pages with a verdict; 0 for none.",
)
@click.option("--page-images-mib", type=COUNT, default=20, help="The most MiB of these images together.")
@click.option(
    "--annotate",
    type=PathName("OUT"),
    help="Write a copy of the PDF with a highlight and a note for each quote that was found; for several PDFs, "
    "an existing folder.",
)
@allow_empty_option
@workers_option
@no_progress_option
def check(
    *,
    transcripts: tuple[str, ...],
    quotes: str | None,
    answer: str | None,
    min_quotation_words: int | None,
    input_format: "QuotesFormat | None",
    sheet: str | None,
    no_header: bool,
    policy: "Policy | None",
    mode: "Mode | None",
    threshold: float | None,
    speakers: tuple[str, ...],
    single_speaker: bool,
    fold_variants: bool,
    reader: str | None,
    score: str | None,
    min_chars: int | None,
    min_words: int | None,
    report_format: str,
    outputs: tuple[str, ...],
    page_images: int,
    page_images_mib: int,
    annotate: str | None,
    allow_empty: bool,
    workers: int,
    no_progress: bool,
    **columns: str | None,
) -> int:
    """
    Check that quotes appear in their sources.

    Exit code 0: all quotes are accepted. 1: at least one is not. 2: usage or
    input error.
    """
    from groundwire.cli.annotated import plan_copies, write_copies
    from groundwire.cli.sources import read_transcript_file, source_paths

    options = CheckPolicyOptions(
        policy, mode, threshold, speakers, min_chars, min_words, single_speaker, reader, score, fold_variants
    )
    chosen = make_policy(options)
    given = _QuoteOptions(quotes, answer, min_quotation_words, input_format, sheet, no_header, columns)
    paths = source_paths(transcripts)
    check_stdin_once([*paths, given.path])
    inputs = [*paths, given.path, *([] if score is None else [score])]
    check_outputs(outputs, inputs, _FORMATS)
    check_terminal(report_format)
    _check_workbooks(report_format, outputs)
    if annotate is not None:
        check_separate("--annotate", annotate, outputs)
        if not Path(annotate).is_dir():
            check_target(annotate, inputs)

    wanted = given.read()
    if not wanted.quotes and not allow_empty:
        raise CommandError(f"`{given.path}` contains no quotes", hint="add --allow-empty to pass without quotes")
    texts = [read_transcript_file(path, with_turns=chosen.needs_turns) for path in paths]
    copies = [] if annotate is None else plan_copies(annotate, texts, inputs)
    with progress(len(texts) * len(wanted.quotes), enabled=not no_progress) as advance:
        report = chosen.build(texts, wanted, workers, advance)

    def html_options() -> dict[str, object]:
        from groundwire.report.check.pages import PageLimits, page_views

        limits = PageLimits(page_images, page_images_mib << 20)
        return {"pages": page_views(report, [each.document for each in texts], limits)}

    originals = [each.text for each in texts]
    writers = _writers(report, originals, wanted, display_name(given.path))
    shown = Presentation("check", report, report.quotes, originals, html_options=html_options, writers=writers)
    publish(shown, report_format, outputs)
    if copies:
        write_copies(copies, report)
    return FOUND if report.summary.rejected else PASS


class _QuoteOptions(NamedTuple):
    """The options that say where the quotes are; None for a missing option."""

    quotes: str | None
    answer: str | None
    min_quotation_words: int | None
    input_format: "QuotesFormat | None"
    sheet: str | None
    no_header: bool
    columns: Mapping[str, str | None]

    @property
    def path(self) -> str:
        """The file with the quotes."""
        if (self.quotes is None) == (self.answer is None):
            raise CommandError("check requires either --quotes or --quotes-in")
        return self.quotes or self.answer or ""

    def read(self) -> "QuoteSet":
        """
        Return the quotes.

        Raises:
            CommandError: The file cannot be read, or an option belongs to another kind of file.
        """
        from groundwire.cli.quote_tables import TableOptions
        from groundwire.cli.quotes import read_quotations, read_quotes

        columns = {name.removesuffix("_column"): column for name, column in self.columns.items() if column is not None}
        table = TableOptions(columns, self.sheet, has_header=not self.no_header)
        if self.answer is None:
            if self.min_quotation_words is not None:
                raise CommandError("--min-quotation-words requires --quotes-in")
            return read_quotes(self.path, self.input_format, table)
        if self.input_format is not None or table != TableOptions():
            raise CommandError("--input-format and the options of tables require --quotes")
        found = read_quotations(self.path, self.min_quotation_words or MIN_QUOTATION_WORDS)
        if found.left_out:
            least = self.min_quotation_words or MIN_QUOTATION_WORDS
            warn(f"{plural(found.left_out, 'quotation')} of fewer than {least} words left out")
        return found


def _check_workbooks(report_format: str, outputs: Sequence[str]) -> None:
    """
    Check, before any work, that a workbook can be written if one is wanted.

    Raises:
        CommandError: The library is not installed.
    """
    from importlib.util import find_spec

    is_wanted = report_format == "xlsx" or any(output.lower().endswith(".xlsx") for output in outputs)
    if is_wanted and find_spec("openpyxl") is None:
        raise CommandError("a workbook needs the library openpyxl", hint="pip install 'groundwire[documents]'")


def _writers(
    report: "CheckReport", texts: Sequence[str], wanted: "QuoteSet", quotes_file: str
) -> dict[str, Callable[[], str | bytes]]:
    """Return the writers of the formats that not every report has."""

    def table(**options: str) -> str:
        from groundwire.report.check.tables import render_csv

        return render_csv(report, wanted.table, **options)

    def workbook() -> bytes:
        from groundwire.report.check.tables import render_xlsx

        try:
            return render_xlsx(report, wanted.table)
        except ValueError as error:
            raise CommandError(f"cannot write a workbook: {error}", hint="write .csv instead") from None

    def project() -> bytes:
        from groundwire.report.check.refi_qda import render_qdpx

        return render_qdpx(report, texts)

    def findings() -> "list[ReportFinding]":
        from groundwire.report.findings import check_findings

        return check_findings(report, quotes_file, wanted.answer, wanted.lines)

    tables: dict[str, Callable[[], str | bytes]] = {
        "csv": table,
        "tsv": lambda: table(delimiter="\t"),
        "xlsx": workbook,
        "qdpx": project,
    }
    return tables | ci_writers(findings, "groundwire.check")


class CheckPolicyOptions(NamedTuple):
    """The options that choose the policy; None for a missing option."""

    policy: "Policy | None"
    mode: "Mode | None"
    threshold: float | None
    speakers: Sequence[str]
    min_chars: int | None
    min_words: int | None
    single_speaker: bool
    reader: str | None
    score: str | None
    fold_variants: bool


class CheckPolicy(NamedTuple):
    """
    A policy that is ready to use.

    Attributes:
        needs_turns: Whether transcripts are read with their turns.
        build: Checks quotes against transcripts.
    """

    needs_turns: bool
    build: "Callable[[Sequence[TranscriptFile], QuoteSet, int, Callable[[int], object]], CheckReport]"


def make_policy(options: CheckPolicyOptions) -> CheckPolicy:
    """
    Return the policy that *options* choose.

    Raises:
        CommandError: An option belongs to the other policy.
    """
    # A mode is a way of comparing strings, so it implies the literal policy.
    policy = options.policy or ("guarded" if options.mode is None else "literal")
    return _guarded(options) if policy == "guarded" else _literal(options)


def _literal(options: CheckPolicyOptions) -> CheckPolicy:
    from groundwire.report import build_report
    from groundwire.thresholds import FUZZY_THRESHOLD

    for name, value in (
        ("--speaker", options.speakers or None),
        ("--min-chars", options.min_chars),
        ("--min-words", options.min_words),
        ("--single-speaker", options.single_speaker or None),
        ("--fold-variants", options.fold_variants or None),
        ("--reader", options.reader),
        ("--score", options.score),
    ):
        if value is not None:
            raise CommandError(f"{name} requires --policy guarded")
    mode = options.mode or "substring"
    threshold = options.threshold
    if threshold is not None and mode != "fuzzy":
        warn(f"--threshold has no effect in {mode} mode")

    def build(
        transcripts: "Sequence[TranscriptFile]", wanted: "QuoteSet", workers: int, on_progress: Callable[[int], object]
    ) -> "CheckReport":
        only = transcripts[0].name if len(transcripts) == 1 else None
        for number, quote in enumerate(wanted.quotes, start=1):
            names = (
                ("speaker", quote.speaker is not None),
                ("page", quote.page is not None),
                ("source", quote.source not in (None, only)),
            )
            for named, is_unchecked in names:
                if is_unchecked:
                    raise CommandError(f"quote {number} names a {named}, which --policy literal does not check")
        return build_report(
            transcripts,
            wanted.quotes,
            mode=mode,
            threshold=FUZZY_THRESHOLD if threshold is None else threshold,
            workers=workers,
            domains=wanted.domains,
            left_out=wanted.left_out,
            on_progress=on_progress,
        )

    return CheckPolicy(needs_turns=False, build=build)


def _guarded(options: CheckPolicyOptions) -> CheckPolicy:
    from groundwire.cli.factories import open_reader
    from groundwire.evidence.verdicts import QuotePolicy
    from groundwire.report import build_guarded_report
    from groundwire.thresholds import FUZZY_THRESHOLD

    if options.mode is not None:
        raise CommandError("--mode requires --policy literal")
    policy = QuotePolicy(
        threshold=FUZZY_THRESHOLD if options.threshold is None else options.threshold,
        min_chars=options.min_chars or 1,
        min_words=options.min_words or 1,
        speakers=tuple(options.speakers) or None,
        accept_across_turns=not options.single_speaker,
        fold_variants=options.fold_variants,
    )

    score = quote_score(options.score, "guarded", options.threshold)
    reader = open_reader(options.reader)

    def build(
        transcripts: "Sequence[TranscriptFile]", wanted: "QuoteSet", workers: int, on_progress: Callable[[int], object]
    ) -> "CheckReport":
        _check_names(transcripts)
        _check_speakers(transcripts, options.speakers)
        quotes = [
            quote if quote.source is None else quote._replace(source=_transcript_name(quote.source, transcripts))
            for quote in wanted.quotes
        ]
        return build_guarded_report(
            transcripts,
            quotes,
            policy=policy,
            workers=workers,
            reader=reader,
            score=score,
            domains=wanted.domains,
            left_out=wanted.left_out,
            on_progress=on_progress,
        )

    return CheckPolicy(needs_turns=True, build=build)


def _check_names(transcripts: "Sequence[TranscriptFile]") -> None:
    """Refuse a transcript that is given twice, because reports identify transcripts by name."""
    seen = set()
    for transcript in transcripts:
        if transcript.name in seen:
            raise CommandError(f"`{transcript.name}` is given twice")
        seen.add(transcript.name)


def _check_speakers(transcripts: "Sequence[TranscriptFile]", speakers: Sequence[str]) -> None:
    """
    Check that each of *speakers* speaks in a transcript.

    Raises:
        CommandError: A transcript names no speakers, or no transcript has one of *speakers*. Lists the known speakers.
    """
    from groundwire.labels import closest
    from groundwire.sanitize import one_line
    from groundwire.transcripts.speakers import speaker_key

    if not speakers:
        return
    silent = next((each.name for each in transcripts if each.reading is None or not each.reading.speakers), None)
    if silent is not None:
        raise CommandError(f"--speaker requires transcripts that name speakers; `{silent}` names none")
    # The first spelling of each speaker.
    named = {
        speaker_key(name): name for each in reversed(transcripts) if each.reading for name in each.reading.speakers
    }
    for speaker in speakers:
        if speaker_key(speaker) not in named:
            known = sorted(named.values())
            listed = ", ".join(f"`{one_line(name)}`" for name in known[:_SPEAKERS_LISTED])
            more = f" and {len(known) - _SPEAKERS_LISTED} more" if len(known) > _SPEAKERS_LISTED else ""
            guess = closest(speaker, known)
            raise CommandError(
                f"no transcript has a speaker `{one_line(speaker)}`; speakers: {listed}{more}",
                hint=f"did you mean `{one_line(guess)}`?" if guess else None,
            )


def _transcript_name(source: str, transcripts: "Sequence[TranscriptFile]") -> str:
    """
    Return the name of the transcript that *source* refers to: its path as given, its file name, or this without suffix.

    A name of no transcript, or of several, is returned unchanged; the verdict on the quote reports it.
    """
    names = [each.name for each in transcripts]
    if source in names:
        return source
    files = {name: name.replace("\\", "/").rpartition("/")[2] for name in names}
    for known in (files, {name: file.rpartition(".")[0] for name, file in files.items()}):
        if named := [name for name in names if known[name] == source]:
            return named[0] if len(named) == 1 else source
    return source

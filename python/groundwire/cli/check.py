"""`groundwire check`: checks quotes against the transcripts they come from."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from groundwire.cli.app import CommandError, warn
from groundwire.cli.commands import FOUND, PASS
from groundwire.cli.inputs import check_stdin_once
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
from groundwire.cli.output import REPORT_FORMATS, Presentation, check_outputs, progress, publish

if TYPE_CHECKING:
    from groundwire.cli.quotes import QuoteSet, QuotesFormat
    from groundwire.report import CheckReport, TranscriptFile
    from groundwire.report.check.model import Mode, Policy

_SPEAKERS_LISTED = 20


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
    required=True,
    help="The quotes: JSON, JSON lines, CSV with a header, or one per line; - for standard input.",
)
@input_format_option("json", "jsonl", "csv", "text", reads="the quotes")
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
@reader_option
@quote_score_option
@click.option("--min-chars", type=COUNT, help="The minimum number of characters in an accepted quote.  [default: 1]")
@click.option("--min-words", type=COUNT, help="The minimum number of words in an accepted quote.  [default: 1]")
@format_option(*REPORT_FORMATS)
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
    quotes: str,
    input_format: "QuotesFormat | None",
    policy: "Policy | None",
    mode: "Mode | None",
    threshold: float | None,
    speakers: tuple[str, ...],
    single_speaker: bool,
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
) -> int:
    """
    Check that quotes appear in their sources.

    Exit code 0: all quotes are accepted. 1: at least one is not. 2: usage or
    input error.
    """
    from groundwire.cli.annotated import check_annotated, write_annotated
    from groundwire.cli.quotes import read_quotes
    from groundwire.cli.sources import read_transcript_file, source_paths

    options = CheckPolicyOptions(policy, mode, threshold, speakers, min_chars, min_words, single_speaker, reader, score)
    chosen = make_policy(options)
    paths = source_paths(transcripts)
    check_stdin_once([*paths, quotes])
    inputs = [*paths, quotes, *([] if score is None else [score])]
    check_outputs(outputs, inputs, REPORT_FORMATS)
    if annotate is not None:
        check_annotated(annotate, paths, inputs)

    wanted = read_quotes(quotes, input_format)
    if not wanted.quotes and not allow_empty:
        raise CommandError(f"`{quotes}` contains no quotes", hint="add --allow-empty to pass without quotes")
    texts = [read_transcript_file(path, with_turns=chosen.needs_turns) for path in paths]
    with progress(len(texts) * len(wanted.quotes), enabled=not no_progress) as advance:
        report = chosen.build(texts, wanted, workers, advance)

    def html_options() -> dict[str, object]:
        from groundwire.report.check.pages import PageLimits, page_views

        limits = PageLimits(page_images, page_images_mib << 20)
        return {"pages": page_views(report, [each.document for each in texts], limits)}

    shown = Presentation("check", report, report.quotes, [each.text for each in texts], html_options=html_options)
    publish(shown, report_format, outputs)
    if annotate is not None:
        write_annotated(annotate, report, texts, inputs)
    return FOUND if report.summary.rejected else PASS


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
        for number, quote in enumerate(wanted.quotes, start=1):
            if quote.speaker is not None or quote.page is not None:
                named = "page" if quote.speaker is None else "speaker"
                raise CommandError(f"quote {number} names a {named}, which --policy literal does not check")
        return build_report(
            transcripts,
            wanted.quotes,
            mode=mode,
            threshold=FUZZY_THRESHOLD if threshold is None else threshold,
            workers=workers,
            domains=wanted.domains,
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
    Return the name of the transcript that *source* refers to, by its path as given or by its file name.

    A name of no transcript, or of several, is returned unchanged; the verdict on the quote reports it.
    """
    if any(each.name == source for each in transcripts):
        return source
    named = [each.name for each in transcripts if each.name.replace("\\", "/").rpartition("/")[2] == source]
    return named[0] if len(named) == 1 else source

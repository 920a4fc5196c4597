"""`groundwire check`: are these quotes in these transcripts, and where?"""

from functools import partial
from typing import TYPE_CHECKING

from groundwire.cli import FOUND, PASS
from groundwire.cli.inputs import check_stdin_once, read_transcript_file
from groundwire.cli.options import (
    AllowEmpty,
    FormatName,
    MinChars,
    MinWords,
    ModeName,
    NoProgress,
    Output,
    PolicyName,
    Quotes,
    QuotesFormatName,
    Reader,
    SingleSpeaker,
    Speakers,
    Threshold,
    Transcripts,
    Workers,
    check_workers,
)
from groundwire.cli.output import check_target
from groundwire.cli.problems import CommandError, choose
from groundwire.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from groundwire.cli.publish import ReportFormat
    from groundwire.report import CheckReport, TranscriptFile


def check(
    *,
    transcripts: Transcripts,
    quotes: Quotes,
    policy: PolicyName = None,
    speaker: Speakers = None,
    single_speaker: SingleSpeaker = False,
    reader: Reader = None,
    min_chars: MinChars = None,
    min_words: MinWords = None,
    mode: ModeName = None,
    threshold: Threshold = None,
    report_format: FormatName = None,
    output: Output = "-",
    quotes_format: QuotesFormatName = None,
    allow_empty: AllowEmpty = False,
    workers: Workers = 1,
    no_progress: NoProgress = False,
) -> int:
    """
    Check that quotes are really in the transcripts they are said to come from.

    Exit code 0: all quotes are accepted. 1: at least one is not. 2: usage or
    input error.
    """
    from groundwire.cli.publish import format_of, publish
    from groundwire.cli.quotes import QUOTES_FORMATS, read_quotes
    from groundwire.cli.rules import RuleOptions, rule_of

    rule = rule_of(RuleOptions(policy, mode, threshold, speaker or (), min_chars, min_words, single_speaker, reader))
    chosen_format = format_of(report_format, output)
    read_as = None if quotes_format is None else choose("--quotes-format", quotes_format, QUOTES_FORMATS)
    check_workers(workers)
    check_stdin_once([*transcripts, quotes])
    check_target(output, [*transcripts, quotes])

    wanted = read_quotes(quotes, read_as)
    if not wanted.quotes and not allow_empty:
        raise CommandError(f"`{quotes}` holds no quotes", hint="--allow-empty makes that a pass")
    texts = [read_transcript_file(path, with_turns=rule.needs_turns) for path in transcripts]
    with progress(len(texts) * len(wanted.quotes), enabled=not no_progress) as advance:
        report = rule.build(texts, wanted, workers, advance)
    publish(partial(_rendered, report, texts), partial(_print, report), chosen_format, output)
    return FOUND if report.summary.rejected else PASS


def _rendered(report: "CheckReport", texts: "Sequence[TranscriptFile]", report_format: "ReportFormat") -> str:
    """Return *report* as str; only the writer that is used is imported."""
    if report_format == "json":
        from groundwire.report.rendering import render_json

        return render_json(report)
    if report_format == "jsonl":
        from groundwire.report.rendering import render_jsonl

        return render_jsonl(report.quotes)
    if report_format == "markdown":
        from groundwire.report.markdown.check import render_markdown

        return render_markdown(report)
    if report_format == "html":
        from groundwire.report.rendering import render_html

        return render_html(report, [each.text for each in texts])
    from groundwire.report.text.check import render_plain

    return render_plain(report)


def _print(report: "CheckReport", console: "Console") -> None:
    from groundwire.report.terminal.check import print_report

    print_report(report, console)

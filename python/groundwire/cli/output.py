"""Writes reports to standard output and files, shows progress, and handles signals that end long work."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.cli.app import CommandError
from groundwire.cli.commands import print_error
from groundwire.cli.inputs import STDIN, error_reason
from groundwire.private_files import replace_file

if TYPE_CHECKING:
    from groundwire.report.findings import ReportFinding
    from groundwire.report.terminal import Block

STDOUT = "-"

REPORT_FORMATS = ("text", "json", "jsonl", "markdown", "html")
"""The formats of every report; some commands have more."""

CI_FORMATS = ("github", "sarif", "junit")
"""Formats for tools that read results of checks."""

_BINARY = frozenset({"xlsx", "qdpx"})

_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".htm": "html",
    ".html": "html",
    ".xml": "junit",
    ".csv": "csv",
    ".tsv": "tsv",
    ".xlsx": "xlsx",
    ".qdpx": "qdpx",
    ".sarif": "sarif",
}

# On a narrower terminal the columns leave too little room for text.
_MIN_WIDTH = 60

_PIECES_PER_WRITE = 200

# Shorter work shows no bar.
_DELAY_S = 0.6


class Presentation(NamedTuple):
    """
    A report with the inputs of its writers.

    Attributes:
        kind: The module below `report.terminal` that lays it out.
        report: The report.
        items: The parts that become one JSON line each.
        originals: The texts that the page shows beside the report, see `render_html`.
        options: Further arguments of its layout.
        html_options: Returns further arguments of `render_html`; it is called once for each page that is written.
        writers: The writers of the formats that only this report has, by format.
    """

    kind: str
    report: Any
    items: Sequence[Any]
    originals: Sequence[Any] = ()
    options: Mapping[str, Any] = {}
    html_options: Callable[[], Mapping[str, Any]] = dict
    writers: Mapping[str, Callable[[], str | bytes]] = {}


def publish(shown: Presentation, report_format: str, outputs: Sequence[str]) -> None:
    """
    Write a report to the files *outputs*, and show it on standard output.

    A file has the format of its suffix, or else *report_format*. Text is coloured and wrapped on a terminal, and plain
    elsewhere.
    """
    for path in outputs:
        write_file(path, _rendered(shown, _BY_SUFFIX.get(Path(path).suffix.lower(), report_format)))
    if not (report_format == "text" and _print_in_colour(shown)):
        write_stdout(_rendered(shown, report_format))


def ci_writers(findings: "Callable[[], Sequence[ReportFinding]]", suite: str) -> dict[str, Callable[[], str | bytes]]:
    """
    Return the writers of `CI_FORMATS`.

    Args:
        findings: Returns the items of the report.
        suite: The name of the test suites in JUnit.
    """

    def cases() -> str:
        from groundwire.report.findings import render_cases

        return render_cases(findings(), suite)

    def github() -> str:
        from groundwire.report.findings import render_github

        return render_github(findings())

    def sarif() -> str:
        from groundwire.report.findings import render_sarif

        return render_sarif(findings())

    return {"github": github, "sarif": sarif, "junit": cases}


def publish_text(render: Callable[[str], str], report_format: str, outputs: Sequence[str]) -> None:
    """Write the text that *render* returns for a format, as `publish` does."""
    for path in outputs:
        write_file(path, render(_BY_SUFFIX.get(Path(path).suffix.lower(), report_format)))
    write_stdout(render(report_format))


def publish_pieces(pieces: Callable[[str], Iterable[str]], file_format: str, outputs: Sequence[str]) -> None:
    """
    Write long text that *pieces* yields for a format, as `publish` does, without holding it in memory.

    Raises:
        CommandError: It cannot be written. No partial file remains.
    """
    for path in outputs:
        by_suffix = _BY_SUFFIX.get(Path(path).suffix.lower(), file_format)
        write_file_pieces(path, (piece.encode("utf-8", "backslashreplace") for piece in pieces(by_suffix)))
    rest = iter(pieces(file_format))
    while batch := list(islice(rest, _PIECES_PER_WRITE)):
        write_stdout("".join(batch))


def _rendered(shown: Presentation, report_format: str) -> str | bytes:
    """Return a report as text or as the bytes of a file; import only the writer that is used."""
    if report_format in shown.writers:
        return shown.writers[report_format]()
    if report_format == "text":
        from groundwire.report.terminal import render_plain

        return render_plain(_layout(shown))
    from groundwire.report import rendering

    if report_format == "jsonl":
        return rendering.render_jsonl(shown.items)
    if report_format == "html":
        docs_url = os.environ.get("GROUNDWIRE_DOCS_URL", "")
        return rendering.render_html(shown.report, shown.originals, docs_url=docs_url, **shown.html_options())
    render = {"json": rendering.render_json, "markdown": rendering.render_markdown, "junit": rendering.render_junit}
    return render[report_format](shown.report)


def _layout(shown: Presentation) -> "Iterator[Block]":
    """Return the layout of a report for people."""
    module = import_module(f"groundwire.report.terminal.{shown.kind}")
    blocks: Iterator[Block] = module.layout(shown.report, **shown.options)
    return blocks


def _print_in_colour(shown: Presentation) -> bool:
    """Print a report in colour if standard output is a wide enough terminal; return whether it was."""
    if os.environ.get("TERM") == "dumb" or sys.stdout is None or not sys.stdout.isatty():
        return False
    from rich.console import Console

    # NO_COLOR also turns off bold and dim, which a terminal may show as colours.
    console = Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto", highlight=False, markup=False, emoji=False
    )
    if console.width < _MIN_WIDTH or not (console.encoding or "").startswith("utf"):
        return False
    from groundwire.report.terminal.console import print_layout

    print_layout(_layout(shown), console)
    return True


def check_outputs(outputs: Sequence[str], inputs: Sequence[str], formats: Sequence[str] = ()) -> None:
    """
    Check, before any work, that reports can be written to *outputs*.

    Args:
        outputs: The files.
        inputs: The files that are read.
        formats: The formats that the command writes; if empty, suffixes are ignored.

    Raises:
        CommandError: A file is standard output, is given twice, has the suffix of another format, or cannot be written.
    """
    for number, path in enumerate(outputs):
        if path == STDOUT:
            raise CommandError("--output needs a file", hint="standard output shows the results anyway")
        if Path(path) in map(Path, outputs[:number]):
            raise CommandError(f"`{path}` is given twice")
        check_target(path, inputs)
        by_suffix = _BY_SUFFIX.get(Path(path).suffix.lower())
        if formats and by_suffix is not None and by_suffix not in formats:
            raise CommandError(
                f"cannot write `{path}`: this command has no format {by_suffix}", hint=f"formats: {', '.join(formats)}"
            )


def check_terminal(report_format: str) -> None:
    """
    Check, before any work, that standard output can show a format.

    Raises:
        CommandError: It is a terminal, and the format is no text.
    """
    if report_format in _BINARY and sys.stdout is not None and sys.stdout.isatty():
        raise CommandError(
            f"a terminal cannot show {report_format}", hint=f"write it to a file: -o report.{report_format}"
        )


def check_separate(option: str, target: str, others: Iterable[str]) -> None:
    """
    Check that the file of *option* is a file, and none of the *others*.

    Raises:
        CommandError: It is standard output, or one of them.
    """
    if target == STDOUT or Path(target) in map(Path, others):
        raise CommandError(f"{option} must name a separate file")


def check_target(path: str, inputs: Sequence[str]) -> None:
    """
    Check, before any work, that the file *path* can be written.

    Raises:
        CommandError: It is a directory, its directory is missing, or it would overwrite
            one of the *inputs*.
    """
    target = Path(path)
    if target.is_dir():
        raise CommandError(f"cannot write `{path}`: it is a directory")
    if not target.parent.is_dir():
        raise CommandError(f"cannot write `{path}`: there is no directory `{target.parent}`")
    for source in inputs:
        if source != STDIN and target.is_file() and Path(source).exists() and target.samefile(source):
            raise CommandError(f"cannot write `{path}`: it is one of the inputs")


def write_stdout(text: str | bytes) -> None:
    """
    Write *text* to standard output, as UTF-8 unless it is a terminal of another encoding; bytes as they are.

    Raises:
        BrokenPipeError: The reader closed the pipe.
        CommandError: It cannot be written for another reason.
    """
    if sys.stdout is None:
        raise CommandError("cannot write `<stdout>`: it is closed")
    try:
        sys.stdout.flush()
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable("<stdout>", error) from None


def write_file(path: str, text: str | bytes, *, is_private: bool = True) -> None:
    """
    Write *text* to *path* as UTF-8, or bytes as they are, as `replace_file` does.

    Args:
        path: The file; an existing one keeps its mode.
        text: The new content.
        is_private: Whether a new file has mode 0600, because the text may be private; otherwise the umask decides.

    Raises:
        CommandError: It cannot be written. No partial file remains.
    """
    content = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    write_file_pieces(path, [content], is_private=is_private)


def write_file_pieces(path: str, pieces: Iterable[bytes], *, is_private: bool = True) -> None:
    """Write *pieces* to *path* one after the other, otherwise as `write_file`."""
    try:
        replace_file(path, pieces, is_private=is_private)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: str, error: OSError) -> CommandError:
    """Return the error for a *path* that cannot be written."""
    return CommandError(f"cannot write `{path}`: {error_reason(error)}")


@contextmanager
def progress(
    total: int, *, label: str = "checking quotes", enabled: bool = True, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """
    Yield a function to call with the number of steps just done.

    A bar appears on standard error once the work takes longer than a moment,
    and disappears at the end. Without a terminal there, or if *enabled* is
    false, nothing appears. Only the bar imports rich.
    """
    if not (enabled and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda _: None
        return
    started = clock()
    done = 0
    show: Callable[[int], None] | None = None

    def advance(steps: int) -> None:
        nonlocal done, show
        done += steps
        if show is None and clock() - started >= _DELAY_S:
            show = _open_bar(total, label, stack)
        if show is not None:
            show(done)

    with ExitStack() as stack:
        yield advance


def _open_bar(total: int, label: str, stack: ExitStack) -> Callable[[int], None]:
    """Show the bar until *stack* closes; return a function that sets the number of steps done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("", total=total)
    return lambda done: bar.update(task, completed=done)


class StopSignal:
    """Records whether a signal asked the work to stop, and which one."""

    def __init__(self) -> None:
        self.is_termination = False
        self._is_set = False

    def is_set(self) -> bool:
        """Return whether a signal has arrived."""
        return self._is_set

    def record(self, number: int, _: FrameType | None) -> None:
        """Record the signal; a second Ctrl-C ends the work at once."""
        if self._is_set and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._is_set = True
        self.is_termination = number == signal.SIGTERM
        print_error("stopping after the current step; press Ctrl-C again to stop at once")


@contextmanager
def stop_signals() -> Iterator[StopSignal]:
    """Record SIGTERM and Ctrl-C during the work instead of ending the process."""
    received = StopSignal()
    before = {number: signal.signal(number, received.record) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

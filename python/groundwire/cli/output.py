"""Output: reports on standard output and in files, the progress bar, and signals that end long work."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.cli.app import CommandError
from groundwire.cli.inputs import STDIN
from groundwire.private_files import open_private, take_place_of

if TYPE_CHECKING:
    from groundwire.report.terminal import Block

STDOUT = "-"

REPORT_FORMATS = ("text", "json", "jsonl", "markdown", "html")
"""Those of every report; validate has another one."""

_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "markdown",
    ".htm": "html",
    ".html": "html",
    ".xml": "junit",
}

# Below this width the columns leave no room; the plain report reads better.
_MIN_WIDTH = 60

# Work that is shorter shows no bar.
_DELAY_S = 0.6


class Presentation(NamedTuple):
    """
    A report and what its writers need.

    Attributes:
        kind: The module below `report.terminal` that lays it out.
        report: The report.
        items: The parts that JSON lines have one line for.
        originals: The texts that the page needs beside the report, see `render_html`.
        options: Further arguments of its layout.
    """

    kind: str
    report: Any
    items: Sequence[Any]
    originals: Sequence[Any] = ()
    options: Mapping[str, Any] = {}


def publish(shown: Presentation, report_format: str, outputs: Sequence[str]) -> None:
    """
    Write a report to each of the files *outputs*, and show it on standard output.

    A file has the format of its suffix, or *report_format* if the suffix names none. On a terminal, text is coloured
    and wrapped; anywhere else it is plain.
    """
    for path in outputs:
        write_file(path, _rendered(shown, _BY_SUFFIX.get(Path(path).suffix.lower(), report_format)))
    if not (report_format == "text" and _print_in_colour(shown)):
        write_stdout(_rendered(shown, report_format))


def publish_text(render: Callable[[str], str], report_format: str, outputs: Sequence[str]) -> None:
    """Do the same with the text that *render* returns for a format."""
    for path in outputs:
        write_file(path, render(_BY_SUFFIX.get(Path(path).suffix.lower(), report_format)))
    write_stdout(render(report_format))


def _rendered(shown: Presentation, report_format: str) -> str:
    """Return a report as str; only the writer that is used is imported."""
    if report_format == "text":
        from groundwire.report.terminal import render_plain

        return render_plain(_layout(shown))
    from groundwire.report import rendering

    if report_format == "jsonl":
        return rendering.render_jsonl(shown.items)
    if report_format == "html":
        return rendering.render_html(shown.report, shown.originals, docs_url=os.environ.get("GROUNDWIRE_DOCS_URL", ""))
    render = {"json": rendering.render_json, "markdown": rendering.render_markdown, "junit": rendering.render_junit}
    return render[report_format](shown.report)


def _layout(shown: Presentation) -> "Iterator[Block]":
    """Return the lines of a report for people."""
    module = import_module(f"groundwire.report.terminal.{shown.kind}")
    blocks: Iterator[Block] = module.layout(shown.report, **shown.options)
    return blocks


def _print_in_colour(shown: Presentation) -> bool:
    """Print a report in colour if standard output is a terminal with room for it; return whether it is."""
    if os.environ.get("TERM") == "dumb" or sys.stdout is None or not sys.stdout.isatty():
        return False
    from rich.console import Console

    # NO_COLOR asks for no colour; without any control sequence there is also
    # no bold or dim that a terminal might show as one.
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
    Check before the work that reports can be written to *outputs*.

    Args:
        outputs: The files.
        inputs: What is read.
        formats: Those that the command writes; without them a suffix means nothing.

    Raises:
        CommandError: One is standard output or given twice, its suffix is of another format, or it cannot be written.
    """
    for number, path in enumerate(outputs):
        if path == STDOUT:
            raise CommandError("--output needs a file", hint="standard output shows the results in any case")
        if path in outputs[:number]:
            raise CommandError(f"`{path}` is given twice")
        by_suffix = _BY_SUFFIX.get(Path(path).suffix.lower())
        if formats and by_suffix is not None and by_suffix not in formats:
            raise CommandError(
                f"cannot write `{path}`: this command has no {by_suffix}", hint=f"formats: {', '.join(formats)}"
            )
        check_target(path, inputs)


def check_target(path: str, inputs: Sequence[str]) -> None:
    """
    Check before the work that the file *path* can be written.

    Raises:
        CommandError: It is a directory, its directory is missing, or it is one
            of the *inputs*, which would be overwritten.
    """
    target = Path(path)
    if target.is_dir():
        raise CommandError(f"cannot write `{path}`: it is a directory")
    if not target.parent.is_dir():
        raise CommandError(f"cannot write `{path}`: there is no directory `{target.parent}`")
    for source in inputs:
        if source != STDIN and target.is_file() and Path(source).exists() and target.samefile(source):
            raise CommandError(f"cannot write `{path}`: it is one of the inputs")


def write_stdout(text: str) -> None:
    """
    Write *text* to standard output, as UTF-8 unless it is a terminal of another encoding.

    Raises:
        BrokenPipeError: The reader went away.
        CommandError: It cannot be written for another reason.
    """
    if sys.stdout is None:
        raise CommandError("cannot write `<stdout>`: it is closed")
    try:
        sys.stdout.flush()
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable("<stdout>", error) from None


def write_file(path: str, text: str, *, is_private: bool = True) -> None:
    """
    Write *text* to *path* as UTF-8, atomically: a reader sees the old file or the new one.

    A symbolic link stays one; its target is replaced. Devices and pipes are
    written to as they are.

    Args:
        path: The file. One that exists keeps its mode.
        text: The new content.
        is_private: Whether a new file has mode 0600, because the text may be private; otherwise it has the mode
            that the umask gives.

    Raises:
        CommandError: It cannot be written. Nothing is left behind.
    """
    content = text.encode("utf-8", "backslashreplace")
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content, is_private)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(path, error) from None


def _replace(target: Path, content: bytes, is_private: bool) -> None:
    """Write *content* to a file beside *target*, then replace *target* and keep its permissions."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with open_private(beside, "xb") if is_private else beside.open("xb") as file:
            file.write(content)
        take_place_of(target, beside)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _unwritable(path: str, error: OSError) -> CommandError:
    """Return the error for a *path* that cannot be written."""
    return CommandError(f"cannot write `{path}`: {(error.strerror or type(error).__name__).lower()}")


@contextmanager
def progress(
    total: int, *, label: str = "checking quotes", enabled: bool = True, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """
    Yield a function to call with the number of steps just done.

    When the work has taken longer than a moment, a bar appears on standard
    error; it disappears when the work ends. Without a terminal there, or if
    *enabled* is false, nothing is shown. Only the bar imports rich.
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
    """Whether a signal has asked the work to stop, and which one."""

    def __init__(self) -> None:
        self.is_termination = False
        self._is_set = False

    def is_set(self) -> bool:
        """Return whether a signal has come."""
        return self._is_set

    def record(self, number: int, _: FrameType | None) -> None:
        """Record the signal; the second Ctrl-C ends the work at once."""
        if self._is_set and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._is_set = True
        self.is_termination = number == signal.SIGTERM
        if sys.stderr is not None:
            print("stopping after the current step; Ctrl-C ends at once", file=sys.stderr, flush=True)


@contextmanager
def stop_signals() -> Iterator[StopSignal]:
    """Record SIGTERM and Ctrl-C instead of ending, until the work ends."""
    received = StopSignal()
    before = {number: signal.signal(number, received.record) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

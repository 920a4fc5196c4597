"""The progress bar over files of rows: how much is done, how fast, and how long it will take."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.bulk import BulkProgress

__all__ = ["bulk_progress"]


@contextmanager
def bulk_progress(
    *, enabled: bool = True, clock: Callable[[], float] = time.monotonic
) -> "Iterator[Callable[[BulkProgress], None]]":
    """
    Give a function to call with how far the work is.

    The bar stands on standard error and goes when the work ends. There is none when standard
    error is no terminal or *enabled* is false.
    """
    if not (enabled and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda _: None
        return
    started = clock()
    with ExitStack() as stack:
        show = _open_bar(stack)

        def advance(progress: "BulkProgress") -> None:
            rate = (progress.rows - progress.rows_before) / max(clock() - started, 1e-9)
            show(progress.share, f"{progress.rows:,} rows, {rate:,.0f} a second")

        yield advance


def _open_bar(stack: ExitStack) -> Callable[[float, str], None]:
    """Show the bar until *stack* closes; return a function that sets how far it is, and its words."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("reading the first rows", total=1.0)
    return lambda share, words: bar.update(task, completed=share, description=words)

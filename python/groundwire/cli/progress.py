"""The progress bar: on a terminal only, and only for work that takes long."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

_DELAY_S = 0.6


@contextmanager
def progress(
    total: int, *, label: str = "checking quotes", enabled: bool = True, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """
    Give a function to call with the number of steps just done.

    Once the work has taken longer than a moment, a bar appears on standard
    error and goes when the work ends. There is none when standard error is not
    a terminal or *enabled* is false, and rich is not imported before it shows.
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
    """Show the bar until *stack* closes; return a function that sets how far it is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("", total=total)
    return lambda done: bar.update(task, completed=done)

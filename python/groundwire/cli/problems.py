"""Errors of the command line: one line for what is wrong, one for what may help."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from groundwire.errors import GroundwireError
from groundwire.labels import closest

_Choice = TypeVar("_Choice", bound=str)

_MOST_NAMES = 3


class CommandError(GroundwireError):
    """
    The command cannot do what was asked; the exit code is 2.

    The message names files, domains, types and positions, never the text of a
    transcript or a quote.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def warn(message: str) -> None:
    """Say *message* on standard error and go on."""
    from groundwire.sanitize import one_line

    if sys.stderr is not None:
        print(f"warning: {one_line(message)}", file=sys.stderr)


def warn_skipped(skipped: Iterable[tuple[str, str]]) -> None:
    """Warn of what is in folders and is not read, given as names with reasons: a line for each reason."""
    names: dict[str, list[str]] = {}
    for name, reason in skipped:
        names.setdefault(reason, []).append(name)
    for reason, each in names.items():
        more = f" and {len(each) - _MOST_NAMES:,} more" if len(each) > _MOST_NAMES else ""
        warn(f"not read ({reason}): {', '.join(each[:_MOST_NAMES])}{more}")


def setting_problems(error: Exception) -> str:
    """Say in one line what is wrong with settings: of a pydantic error each name and rule, without links."""
    listed = getattr(error, "errors", None)
    if not callable(listed):
        return str(error)
    problems = [(".".join(map(str, each["loc"])), each["msg"]) for each in listed(include_input=False)]
    return "; ".join(f"{name}: {words}" if name else words for name, words in problems)


def complain(problems: Sequence[str], *, hint: str | None) -> None:
    """Say each of *problems* on standard error, then *hint*, and go on; the exit code has to tell them too."""
    from groundwire.sanitize import one_line

    if problems and sys.stderr is not None:
        hints = [] if hint is None else [f"hint: {hint}"]
        print(*(f"error: {one_line(problem)}" for problem in problems), *hints, sep="\n", file=sys.stderr)


@contextmanager
def quiet_events() -> Iterator[None]:
    """Keep events of logging from standard error, where Python's last resort would put them: the report says it all."""
    import logging

    logger, handler = logging.getLogger("groundwire"), logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def choose(option: str, value: str, allowed: Sequence[_Choice]) -> _Choice:
    """
    Return the one of *allowed* that equals *value*.

    Raises:
        CommandError: None does. Names the option, the value and what is allowed.
    """
    for choice in allowed:
        if choice == value:
            return choice
    guess = closest(value, allowed)
    raise CommandError(
        f"{option} `{value}` is unknown; allowed: {', '.join(allowed)}",
        hint=f"did you mean `{guess}`?" if guess else None,
    )

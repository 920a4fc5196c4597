"""Defines the command group, runs commands, and prints errors and warnings on one line each."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TypeVar

import click

from groundwire.cli.commands import COMMANDS, COMPLETION_VARIABLE, ERROR, PASS, overview, print_error
from groundwire.errors import GroundwireError
from groundwire.labels import closest

_Choice = TypeVar("_Choice", bound=str)

_MOST_NAMES = 3


class CommandError(GroundwireError):
    """
    The command cannot run as requested; the exit code is 2.

    The message names files, domains, types and positions, never the text of a
    transcript or a quote.
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Deferred(click.Command):
    """
    A command that is imported when it runs; lists and completion need only its name and its help.

    Args:
        name: Its name in the group.
        path: The object, as `module:attribute`.
        help: The first sentence of its docstring.
    """

    def __init__(self, name: str, path: str, help: str) -> None:
        super().__init__(name, short_help=help)
        self._path = path

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self._path.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class CommandGroup(click.Group):
    """A group that lists its commands in the order of their definition and imports the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return [*self.commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name and the command at the start of *args*, and the remaining arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, Deferred) else command, rest


def deferred(commands: Mapping[str, tuple[str, str]]) -> dict[str, click.Command]:
    """Return commands for a `CommandGroup` from their names, with the path and the help of each."""
    return {name: Deferred(name, path, text) for name, (path, text) in commands.items()}


class _Groundwire(CommandGroup):
    """The `groundwire` command, whose help is the overview."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the overview."""
        return overview()


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version and stop."""
    if wanted and not context.resilient_parsing:
        from groundwire import __version__

        print(f"groundwire {__version__}")
        context.exit()


GROUNDWIRE = _Groundwire(
    "groundwire",
    help="Check that what a language model says is grounded in its sources.",
    commands=deferred({name: (f"groundwire.cli.{name}:{name}", text) for name, text in COMMANDS.items()}),
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_version,
            help="Print the version and stop.",
        )
    ],
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
"""All commands."""


def run(argv: Sequence[str]) -> int:
    """
    Run the command that *argv* names and return its exit code.

    Click's own runner is not used, because it handles interrupts and closed pipes itself.

    Raises:
        CommandError: The command line is invalid, or the command cannot run.
    """
    if instruction := os.environ.get(COMPLETION_VARIABLE):
        return _complete(instruction)
    try:
        with GROUNDWIRE.make_context("groundwire", [*argv]) as context:
            code: int | None = GROUNDWIRE.invoke(context)
    except click.exceptions.NoArgsIsHelpError as error:
        print_error(error.format_message())
        return ERROR
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        raise _usage_error(error) from None
    return code or PASS


def _complete(instruction: str) -> int:
    """Print the completion script of a shell, or the completions that this script requests."""
    from click.shell_completion import shell_complete

    if shell_complete(GROUNDWIRE, {}, "groundwire", COMPLETION_VARIABLE, instruction):
        raise CommandError(
            f"{COMPLETION_VARIABLE} `{instruction}` is unknown", hint="bash_source, zsh_source or fish_source"
        )
    return PASS


def _usage_error(error: click.ClickException) -> CommandError:
    """Return the error for an invalid command line."""
    message, hint = error.format_message(), None
    context = getattr(error, "ctx", None)
    if context is not None:
        hint = f"`{context.command_path} --help` lists arguments and options"
    if isinstance(error, click.exceptions.NoSuchOption | click.exceptions.NoSuchCommand) and error.possibilities:
        message, hint = error.message, f"did you mean `{error.possibilities[0]}`?"
    return CommandError(message[:1].lower() + message[1:].rstrip("."), hint=hint)


def warn(message: str) -> None:
    """Write *message* to standard error as a warning."""
    from groundwire.sanitize import one_line

    print_error(f"warning: {one_line(message)}")


def warn_skipped(skipped: Iterable[tuple[str, str]]) -> None:
    """Warn of files that are not read, given as names with reasons, on one line for each reason."""
    names: dict[str, list[str]] = {}
    for name, reason in skipped:
        names.setdefault(reason, []).append(name)
    for reason, each in names.items():
        more = f" and {len(each) - _MOST_NAMES:,} more" if len(each) > _MOST_NAMES else ""
        warn(f"not read ({reason}): {', '.join(each[:_MOST_NAMES])}{more}")


def setting_errors(error: Exception) -> str:
    """Return an error about settings on one line; of a pydantic error, the names and rules without links."""
    listed = getattr(error, "errors", None)
    if not callable(listed):
        return str(error)
    problems = [(".".join(map(str, each["loc"])), each["msg"]) for each in listed(include_input=False)]
    return "; ".join(f"{name}: {words}" if name else words for name, words in problems)


def report_errors(problems: Sequence[str], *, hint: str | None) -> None:
    """Write *problems* and *hint* to standard error; the caller returns the exit code."""
    from groundwire.sanitize import one_line

    if problems:
        hints = [] if hint is None else [f"hint: {hint}"]
        print_error("\n".join([*(f"error: {one_line(problem)}" for problem in problems), *hints]))


@contextmanager
def value_errors() -> Iterator[None]:
    """
    Report a value that groundwire refuses; its messages are for people and do not contain private text.

    Raises:
        CommandError: A ValueError was raised. Its subclasses come from other libraries, and are unexpected.
    """
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise CommandError(str(error)) from None


@contextmanager
def mute_log_events() -> Iterator[None]:
    """Keep log events off standard error, because the report has them."""
    import logging

    logger, handler = logging.getLogger("groundwire"), logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def choose(option: str, value: str, allowed: Sequence[_Choice]) -> _Choice:
    """
    Return *value* as one of *allowed*.

    Raises:
        CommandError: *value* is not allowed. The message names the option, the value and the allowed values.
    """
    for choice in allowed:
        if choice == value:
            return choice
    guess = closest(value, allowed)
    raise CommandError(
        f"{option} `{value}` is unknown; allowed: {', '.join(allowed)}",
        hint=f"did you mean `{guess}`?" if guess else None,
    )

"""The shell around the commands: which there are, and how one is run."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from groundwire.cli.coercion import coerce_plainly

# To add a command, write `groundwire/cli/NAME.py` with a function `NAME`, or a
# `typer.Typer` of several commands, and put the name here. The function returns its
# exit code; None is 0. Its module imports nothing heavy at the top: `groundwire --help`
# imports them all.
COMMANDS = ("check", "cite", "ingest", "validate", "bulk", "memory", "review", "calibrate", "schema", "bench")

# Options that need no value, and stand with one only as `--hhem=require`: what they mean without. typer knows
# no such thing, and would take the next word of the command line for the value.
_ALONE = {"--hhem": "--hhem=auto"}

_HELP_NAMES = ["-h", "--help"]

# Older typer takes its errors from click, newer ones carry their own copy.
# BadParameter is the name that both export; its base is what is caught.
USAGE_ERROR: type[Exception] = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")


def run(argv: Sequence[str]) -> int:
    """
    Run the command that *argv* names and return its exit code.

    typer's own runner is left out, because it prints errors in its own manner
    and handles interrupts and closed pipes before we can.
    """
    command = typer.main.get_command(build_app(argv))
    coerce_plainly(command, _HELP_NAMES)
    if not argv:
        with command.make_context("groundwire", ["--help"], resilient_parsing=True) as context:
            print(command.get_help(context), file=sys.stderr)
        return 2
    try:
        with command.make_context("groundwire", [_ALONE.get(each, each) for each in argv]) as context:
            code = command.invoke(context)
    except typer.Exit as stop:
        code = stop.exit_code
    return code or 0


def build_app(argv: Sequence[str]) -> typer.Typer:
    """Return the app with the command that *argv* begins with, or with all of them."""
    app = typer.Typer(
        name="groundwire",
        help="Is what a language model says really in its source?",
        add_completion=False,
        # Plain help text: the decorated one costs a tenth of a second.
        rich_markup_mode=None,
        context_settings={"help_option_names": _HELP_NAMES},
    )
    app.callback()(_groundwire)
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        command = getattr(import_module(f"groundwire.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, context_settings={"help_option_names": _HELP_NAMES})
        else:
            app.command(name)(command)
    return app


def usage_problem(error: Exception) -> tuple[str, str | None]:
    """Return message and hint for a wrong command line, in the form of all our errors."""
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    context = getattr(error, "ctx", None)
    hint = f"`{context.command_path} --help` lists arguments and options" if context else None
    return message[:1].lower() + message[1:], hint


def _version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from groundwire import __version__

        print(f"groundwire {__version__}")
        raise typer.Exit


def _groundwire(
    *,
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Is what a language model says really in its source?"""

"""
Lists the commands, arguments and options of the command line, and finds the breaking changes between two listings.

Commands, options and choices may be added, as long as scripts that were written before still work.
"""

from collections.abc import Iterator, Mapping
from typing import TypedDict

import click

from groundwire.cli.app import GROUNDWIRE, Deferred

__all__ = ["CommandListing", "ParameterListing", "breaking_changes", "listing"]


class ParameterListing(TypedDict):
    """What a script may rely on in an argument or option."""

    spellings: list[str]
    required: bool
    repeatable: bool
    takes_value: bool
    choices: list[str]
    default: str | None


CommandListing = dict[str, ParameterListing]


def listing() -> dict[str, CommandListing]:
    """Return the parameters of each command by its name, such as `groundwire check`."""
    return dict(_commands("groundwire", GROUNDWIRE))


def breaking_changes(
    old: Mapping[str, Mapping[str, ParameterListing]], new: Mapping[str, Mapping[str, ParameterListing]]
) -> list[str]:
    """Return the breaking changes from *old* to *new*, each with the command and the parameter."""
    found = []
    for command, parameters in old.items():
        if command not in new:
            found.append(f"{command}: the command was removed")
            continue
        for name, before in parameters.items():
            after = new[command].get(name)
            changes = ["was removed"] if after is None else _changes(before, after)
            found += [f"{command} {name}: {change}" for change in changes]
        added = new[command].keys() - parameters.keys()
        found += [f"{command} {name}: is new and required" for name in sorted(added) if new[command][name]["required"]]
    return found


def _changes(before: ParameterListing, after: ParameterListing) -> Iterator[str]:
    """Yield what changed for scripts that use a parameter."""
    for spelling in before["spellings"]:
        if spelling not in after["spellings"]:
            yield f"the spelling {spelling} was removed"
    if after["required"] and not before["required"]:
        yield "was optional and is required"
    if before["repeatable"] and not after["repeatable"]:
        yield "may be given only once"
    if before["takes_value"] != after["takes_value"]:
        yield "takes a value" if after["takes_value"] else "takes no value"
    if after["choices"]:
        gone = [choice for choice in before["choices"] if choice not in after["choices"]]
        yield from (f"the value {choice} was removed" for choice in gone)
        if not before["choices"] and before["takes_value"]:
            yield "takes only some values"
    if before["default"] != after["default"]:
        yield f"the default was {before['default']} and is {after['default']}"


def _commands(path: str, command: click.Command) -> Iterator[tuple[str, CommandListing]]:
    """Yield a command and those below it."""
    loaded = command.load() if isinstance(command, Deferred) else command
    yield path, {_name(parameter): _parameter(parameter) for parameter in loaded.params if not _is_hidden(parameter)}
    if isinstance(loaded, click.Group):
        for name, below in loaded.commands.items():
            yield from _commands(f"{path} {name}", below)


def _name(parameter: click.Parameter) -> str:
    """Return the longest spelling of an option, or the name of an argument."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else (parameter.name or "").upper()


def _is_hidden(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and parameter.hidden


def _parameter(parameter: click.Parameter) -> ParameterListing:
    option = parameter if isinstance(parameter, click.Option) else None
    kind = parameter.type
    default = parameter.to_info_dict()["default"] if option is not None else None
    return {
        "spellings": [] if option is None else [*option.opts, *option.secondary_opts],
        "required": parameter.required,
        "repeatable": parameter.nargs == -1 or bool(option and (option.multiple or option.count)),
        "takes_value": option is None or not (option.is_flag or option.count),
        "choices": [str(choice) for choice in kind.choices] if isinstance(kind, click.Choice) else [],
        "default": None if default is None or callable(default) else str(default),
    }

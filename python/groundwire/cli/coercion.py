"""
Plain options without pydantic.

From 0.29 on typer turns the words of a command line into values with pydantic,
whose import takes longer than a whole check of an interview. Text, whole
numbers and fractions need no such help. Where typer's inner works do not look
as expected, they are left alone: the command then starts slower, nothing else.
"""

from collections.abc import Callable
from typing import Any

import typer

_CONVERTERS: dict[object, Callable[[Any], object]] = {str: str, int: int, float: float, bool: bool, list[str]: list}
_WORDS: dict[object, str] = {int: "a whole number", float: "a number"}
_SPECIAL = ("parser", "click_type", "min", "max", "envvar")


class _Plain:
    """Turns the text of one option into a value, in the place of typer's own."""

    def __init__(self, annotation: object) -> None:
        self._convert = _CONVERTERS[annotation]
        self._word = _WORDS.get(annotation, "text")

    def coerce(self, value: Any, param: Any, ctx: Any) -> object:
        """Return *value* as the option's type; None stays None, or () where many may stand."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            return self._convert(value)
        except ValueError:
            raise typer.BadParameter(f"{value!r} is not {self._word}", ctx, param) from None


def coerce_plainly(command: Any, help_names: list[str]) -> None:
    """Let *command* and its subcommands, their help options included, read plain options without pydantic."""
    options = [*command.params, command.get_help_option(typer.Context(command, help_option_names=help_names))]
    for option in options:
        descriptor: Any = getattr(option, "type_descriptor", None)
        untouched = getattr(option, "_runtime_param", ...) is None
        if untouched and descriptor is not None and descriptor.annotation in _CONVERTERS:
            info = descriptor.parameter_info
            if not any(getattr(info, name, None) is not None for name in _SPECIAL):
                option._runtime_param = _Plain(descriptor.annotation)
    for subcommand in getattr(command, "commands", {}).values():
        coerce_plainly(subcommand, help_names)
